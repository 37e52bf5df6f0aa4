"""The end of a battle for its player: the effect on score and rating, the turn that decided it, and the next steps."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.board.links import Link
from duels.board.parts import Part
from duels.names import listed
from duels.selectors.battle_view import BattleView
from duels.selectors.ending import Ending, RatingGain, ScoreGain, TurningPoint
from rules_engine.bots.findings import percent

# The graph of a mage's chances, in its own units: the plot, and where it begins.
PLOT_WIDTH, PLOT_HEIGHT, PLOT_LEFT = 302, 76, 46
MOST_TICKS = 8


@dataclass(frozen=True)
class GainBox:
    """A number before and after the battle, with the reason in words."""

    title: str
    before: int
    after: int
    reason: str


@dataclass(frozen=True)
class Rematch:
    """The button for a rematch, or with `url` the link to one that was already requested; `note` says by whom.

    `waits`: it has begun.
    """

    word: str
    note: str
    action: str = ""
    url: str = ""
    waits: bool = False


@dataclass(frozen=True)
class Tick:
    """A turn below the graph."""

    x: str
    label: str
    is_current: bool


@dataclass(frozen=True)
class Turning:
    """The turn that decided the battle: in words, as a point of the graph of the player's chances, and its link."""

    label: str
    finding: str
    change: str
    url: str
    points: str
    x: str
    y: str
    ticks: tuple[Tick, ...]


@dataclass(frozen=True)
class End(Part):
    """The part of a finished battle's page that is for its player.

    `is_settling`: the rating is not known yet. `turning` is None if no analysis knows it; `analysis_url` leads to one.
    `death_url` leads to the page of a mage who died for good.
    """

    gains: tuple[GainBox, ...]
    turning: Turning | None
    analysis_url: str
    rematch: Rematch | None
    is_settling: bool
    death_url: str
    bots_url: str
    against_bot: bool
    next: Link | None


def make_end(view: BattleView, ending: Ending | None, next_battle: Link | None) -> End | None:
    """Return the end for the player; None for spectators and while the battle runs. `ending` None: only the links."""
    if view.me is None or not view.over:
        return None
    ending = ending or Ending()
    found = (
        _score_box(ending.score, len(view.combatants)) if ending.score else None,
        _rating_box(ending.rating, ending.opponents) if ending.rating else None,
    )
    query = {"ruleset": view.battle.ruleset, "mage": view.me, "strength": ending.strength}
    return End(
        gains=tuple(box for box in found if box),
        turning=_draw_turning(ending.turning, view.battle.number) if ending.turning else None,
        analysis_url=reverse("studies:analysis", args=[view.battle.number]) if view.turns else "",
        is_settling=ending.is_settling,
        death_url=reverse("mage_end", args=[view.me]) if ending.score and ending.score.is_dead else "",
        rematch=_offer_rematch(view, ending) if ending.opponents else None,
        bots_url=f"{reverse('play')}?{urlencode({name: value for name, value in query.items() if value})}",
        against_bot=bool(ending.strength),
        next=next_battle,
    )


def _score_box(score: ScoreGain, mages: int) -> GainBox:
    title = _("%(mage)s's score") % {"mage": score.mage}
    return GainBox(title, score.before, score.after, _explain_score(score, mages))


def _explain_score(score: ScoreGain, mages: int) -> str:
    change = score.after - score.before
    if score.is_dead:
        return _("%(mage)s is dead and leaves the ladder.") % {"mage": score.mage}
    if score.reason == "won":
        words = ngettext("+%(n)s for the mage you beat.", "+%(n)s for the mages you beat.", change)
        return words % {"n": change}
    if score.reason == "shared":
        return _("+%(n)s: everyone who surrendered last shares the points.") % {"n": change}
    if score.reason == "surrendered":
        return _("Surrender costs a point.") if change else _("Surrender costs a point, but no score falls below zero.")
    return {
        "withheld": _("Your score was too far above the others' to gain a point."),
        "repeated": _("You have beaten the same users too often within 30 days to gain a point."),
        "drew": _("A draw changes no score."),
    }.get(score.reason, _("Defeat costs no points."))


def _rating_box(rating: RatingGain, opponents: tuple[str, ...]) -> GainBox:
    change = f"{rating.after - rating.before:+d}".replace("-", "−")
    if rating.faced is None:
        sentence = _("%(change)s against %(mages)s.") % {"change": change, "mages": listed(opponents)}
    else:
        sentence = _("%(change)s: %(mage)s was rated %(rating)s.")
        sentence %= {"change": change, "mage": listed(opponents), "rating": rating.faced}
    return GainBox(_("Your rating"), rating.before, rating.after, sentence)


def _offer_rematch(view: BattleView, ending: Ending) -> Rematch:
    facts = view.battle
    action = reverse("challenges:rematch", args=[facts.number])
    if facts.rematch is None or ending.strength:
        return Rematch(_("Rematch"), "", action)
    if ending.rematch_runs:
        url = reverse("duels:battle", args=[facts.rematch])
        return Rematch(_("Play the rematch"), _("The rematch has begun."), url=url, waits=True)
    if facts.rematch_by in ending.opponents:
        return Rematch(_("Accept rematch"), _("%(mage)s wants a rematch.") % {"mage": facts.rematch_by}, action)
    return Rematch(
        _("See rematch"), _("You asked for a rematch."), url=reverse("challenges:detail", args=[facts.rematch])
    )


def _draw_turning(turning: TurningPoint, number: int) -> Turning:
    """Draw the chances: at the left edge those before the first turn, then one point for each turn."""
    step = PLOT_WIDTH / len(turning.labels)
    points = [(PLOT_LEFT + place * step, PLOT_HEIGHT * (1 - chance)) for place, chance in enumerate(turning.chances)]
    x, y = points[turning.place + 1]
    page = reverse("studies:analysis", args=[number])
    return Turning(
        label=turning.labels[turning.place],
        finding=turning.finding,
        change=_describe_change(*turning.chances[turning.place : turning.place + 2]),
        url=f"{page}?{urlencode({'by': turning.strength, 'turn': turning.seq})}",
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        ticks=tuple(
            Tick(f"{points[place + 1][0]:.1f}", turning.labels[place], place == turning.place)
            for place in _choose_ticks(len(turning.labels), turning.place)
        ),
    )


def _choose_ticks(turns: int, current: int) -> list[int]:
    """Return the places of the turns to name: every nth, and the current one with room around it."""
    every = -(-turns // MOST_TICKS)
    named = (place for place in range(every - 1, turns, every) if place == current or abs(place - current) >= every)
    return sorted({current, *named})


def _describe_change(before: float, after: float) -> str:
    """Say how the turn changed the player's chance to win; "" if both look the same."""
    numbers = {"before": percent(before), "after": percent(after)}
    if numbers["before"] == numbers["after"]:
        return ""
    if before < after:
        return _("Your chance to win rose from %(before)s to %(after)s.") % numbers
    return _("Your chance to win fell from %(before)s to %(after)s.") % numbers
