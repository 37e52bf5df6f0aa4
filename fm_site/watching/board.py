"""A board to watch on another page: what all mages see, the last turn in a sentence, and who has time left."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from duels.board.bar import PageState
from duels.board.call import outcome_words, time_left
from duels.board.links import rules_url
from duels.board.seats import make_sides
from duels.board.sides import Side, Sides
from duels.names import name_sides
from duels.selectors.battle_view import BattleView
from duels.terms import find_rules


@dataclass(frozen=True)
class WatchedTime:
    """The mage whose time runs out first, and the time they have left, which counts down."""

    mage: str
    left: SafeString


@dataclass(frozen=True)
class WatchedBoard:
    """A position as spectators see it. `headline` is what the turn `last_label` did, `outcome` how the battle ended."""

    title: str
    label: str
    terms: str
    sides: Sides
    last_label: str
    headline: str
    outcome: str
    time: WatchedTime | None
    is_over: bool

    @property
    def seats(self) -> tuple[Side, ...]:
        """Every mage, from the top."""
        return (*self.sides.above, self.sides.below)


def build_watched_board(view: BattleView, *, now: datetime.datetime) -> WatchedBoard:
    """Return the board of a view that is a spectator's. Raises ValueError for any other, which could hold a secret."""
    if view.own is not None or view.viewer.mages or (view.viewer.sees_all and not view.battle.is_over):
        raise ValueError("a board to watch shows only what all mages see")
    ruleset = find_rules(name=view.battle.ruleset, edition=view.battle.edition)
    state: PageState = "over" if view.over else "spectator"
    story = view.stories[-1] if view.stories else None
    ends = view.battle.is_over and bool(view.turns) and view.turns[-1].seq == view.battle.seq
    return WatchedBoard(
        title=name_sides([row.name for row in view.combatants]),
        label=story.label if view.over and story else view.view.label,
        terms=view.terms.stake.title,
        sides=make_sides(view, state, {}, book=ruleset.book, rules=rules_url(ruleset), kept={}),
        last_label=story.label if story else "",
        headline=story.headline if story else "",
        outcome=outcome_words(view.result) if ends else "",
        time=None if view.over else _find_time(view, now),
        is_over=view.over,
    )


def _find_time(view: BattleView, now: datetime.datetime) -> WatchedTime | None:
    clock = view.clock
    left = time_left(view.deadline, now, view.zone)
    if clock is None or left is None:
        return None
    return WatchedTime(clock.mage, format_html('<time datetime="{}">{}</time>', left.iso, left.words))
