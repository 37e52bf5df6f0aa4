"""Cups in templates."""

from django import template

from league.cup_words import name_cup
from league.models import Cup

register = template.Library()


@register.filter
def cup_name(cup: Cup) -> str:
    """Return the name of a cup: "December Cup"."""
    return name_cup(cup.kind, cup.begins_at)


@register.filter
def tidy_points(points: float) -> str:
    """Return points with halves: "3", "2½", "½"."""
    whole, half = divmod(round(2 * points), 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


@register.filter
def letters(games: tuple) -> str:  # type: ignore[type-arg]
    """Return the results of an evening as letters; a bye is a win."""
    return "".join({"won": "W", "bye": "W", "drew": "D", "lost": "L"}[game.outcome] for game in games)
