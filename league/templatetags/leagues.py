"""Leagues in words: `{{ group.tier|league_name }}`, `{{ line.points|points }}`, `{{ side.used|length_of_time }}`."""

from datetime import timedelta
from fractions import Fraction

from django import template

from duels.paces import MINUTE, span
from league import words

register = template.Library()
register.filter("league_name", words.name_league)


@register.filter
def points(value: Fraction) -> str:
    return words.write_points(value)


@register.filter
def length_of_time(value: timedelta) -> str:
    """Return a length of time in its two largest units, at least a minute."""
    return span(max(value, MINUTE))
