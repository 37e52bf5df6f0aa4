"""A battle as one viewer may see it: the single source for pages, the API and email."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from zoneinfo import ZoneInfo

from accounts.arms.blazons import State, change_state
from duels.bot_terms import describe_hit_points
from duels.keys import StageKey
from duels.models import Combatant, OrderSheet
from duels.selectors.battle_facts import BattleFacts
from duels.selectors.clocks import NO_ROWS, ShownClock, TimeRows
from duels.selectors.journal import JanitorQuestion, JournalNote
from duels.selectors.touches import Touch
from duels.terms import Terms
from rules_engine import Preview, Problem, Question, Reason, Result, Sheet, Summary, View, Viewer

ZONE_OF_STRANGERS = ZoneInfo("UTC")
Casts = Mapping[str, Mapping[int, Mapping[str, str]]]
Results = Mapping[str, Mapping[int, Mapping[str, Result]]]


@dataclass(frozen=True)
class ShownCombatant:
    """A mage of the battle: their user, and whether the battle is waiting for them. Contains no orders."""

    name: str
    user: str
    mage_id: int
    standing: str
    asked: bool
    ready: bool
    mine: bool
    is_bot: bool = False
    # As of a living mage: who has died is said by the battle, to those who know it.
    arms: str = ""

    @classmethod
    def of(cls, combatant: Combatant, sheet: OrderSheet | None, *, mine: bool) -> "ShownCombatant":
        """Return the row of a mage; `sheet` is theirs in the open stage, None if nothing is asked of them."""
        user = combatant.mage.user
        return cls(
            name=combatant.mage.name,
            user=str(user),
            mage_id=combatant.mage_id,
            standing=combatant.standing,
            asked=sheet is not None,
            ready=sheet is not None and sheet.ready,
            mine=mine,
            is_bot=user.is_bot or bool(combatant.stand_in),
            arms=change_state(combatant.mage.arms, State.LIVING),
        )

    @property
    def waiting(self) -> bool:
        return self.asked and not self.ready


class ShownTurn(NamedTuple):
    """A turn whose events may be shown. `mark` is random and changes if the turn is ever played again."""

    pk: int
    seq: int
    attempt: int
    label: str
    resolved_at: datetime.datetime | None
    mark: str


@dataclass(frozen=True)
class Window:
    """Which turns to show: the last `latest`, or with `before` the last `latest` of those before turn `before`.

    None: all of them.
    """

    latest: int | None = None
    before: int | None = None


EVERYTHING, NOTHING = Window(), Window(latest=0)


@dataclass(frozen=True)
class StoryLine:
    """One event in words, "" if an earlier one of the turn says the same. `number` counts the events this viewer sees,
    from 1; `reasons` explain why it happened, and `touch` is its effect on the board."""

    number: int
    kind: str
    text: str
    clause: str
    reasons: tuple[Reason, ...] = ()
    touch: Touch | None = None


@dataclass(frozen=True)
class TurnStory:
    """What this viewer learned in one turn, with a summary. `points` are the mages' hit points before the turn, if the
    viewer saw them."""

    seq: int
    attempt: int
    label: str
    summary: Summary
    lines: tuple[StoryLine, ...]
    resolved_at: datetime.datetime | None
    points: Mapping[str, int] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The sentence of the summary that means most to the reader."""
        return self.summary.lines[0].text


@dataclass(frozen=True)
class OwnCombatant:
    """The mage that the viewer plays, and their sheet for the open stage (empty if `asked` is False).

    `sheet` is what the form shows: the draft if there is one, else the last accepted orders. `questions` and `preview`
    are about that sheet, in the mage's own view. `repeated` holds the gestures for each hand if Amnesia decides them in
    this turn, else None. `problems` are the problems with the draft.
    """

    combatant: Combatant
    sheet: Sheet
    draft: str
    ready: bool
    asked: bool
    questions: tuple[Question, ...] = ()
    preview: Preview | None = None
    repeated: Mapping[str, str] | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class BattleView:
    """A battle as one viewer sees it. `journal` lists the janitors' actions, `question` is one for this viewer.

    `turns` are all turns that were played; `stories` are those of the requested `window`, `casts`, `results` and
    `causes` those of the last turns.
    """

    battle: BattleFacts
    terms: Terms
    viewer: Viewer
    view: View
    combatants: tuple[ShownCombatant, ...]
    mine: tuple[Combatant, ...]
    stage_key: StageKey
    opened_at: datetime.datetime | None
    stories: tuple[TurnStory, ...]
    turns: tuple[ShownTurn, ...] = ()
    window: Window = EVERYTHING
    casts: Casts = field(default_factory=dict)
    results: Results = field(default_factory=dict)
    causes: Casts = field(default_factory=dict)
    own: OwnCombatant | None = None
    changing: bool = False
    journal: tuple[JournalNote, ...] = ()
    question: JanitorQuestion | None = None
    clocks: tuple[ShownClock, ...] = ()
    zone: ZoneInfo = ZONE_OF_STRANGERS
    # Only for read_battle_clocks.
    time_rows: TimeRows = field(default=NO_ROWS, repr=False, compare=False)

    @property
    def clock(self) -> ShownClock | None:
        """The clock that matters to this viewer: their own mage's, else the one that runs out first."""
        own = next((row for row in self.clocks if row.mage == self.me), None)
        running = sorted((row.next_at, row.mage, row) for row in self.clocks if row.next_at is not None)
        return own or (running[0][2] if running else next(iter(self.clocks), None))

    @property
    def deadline(self) -> datetime.datetime | None:
        """When that clock runs out; None if it is stopped or the battle is waiting for nobody."""
        return self.clock.next_at if self.clock else None

    @property
    def handicap(self) -> str:
        """Which mages started with fewer hit points than usual, in words; "" for none."""
        return describe_hit_points(self.terms.hit_points, [row.name for row in self.combatants])

    @property
    def is_forever_silent(self) -> bool:
        """Whether the players say nothing to each other, now or later: a league or cup has paired them despite a
        block."""
        return self.terms.stake.is_event and not self.terms.chat

    @property
    def me(self) -> str | None:
        """The name of the viewer's current mage; None for a spectator."""
        return self.own.combatant.mage.name if self.own else None

    @property
    def sheet(self) -> Sheet | None:
        return self.own.sheet if self.own else None

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.own.questions if self.own else ()

    @property
    def preview(self) -> Preview | None:
        return self.own.preview if self.own else None

    @property
    def repeated(self) -> Mapping[str, str] | None:
        return self.own.repeated if self.own else None

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self.own.problems if self.own else ()

    @property
    def draft(self) -> str:
        return self.own.draft if self.own else ""

    @property
    def owes(self) -> bool:
        """True while the battle is waiting for orders of the viewer's current mage."""
        return bool(self.own and self.own.asked and not self.own.ready)

    @property
    def is_ready(self) -> bool:
        """True once the orders of the viewer's current mage are ready, until the turn resolves."""
        return bool(self.own and self.own.asked and self.own.ready)

    @property
    def waiting_for(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.combatants if row.waiting)

    @property
    def over(self) -> bool:
        return self.battle.is_over

    @property
    def has_own_result(self) -> bool:
        """True once the battle is decided for a mage of the viewer: it is over, or the mage has left it."""
        return bool(self.mine) and (self.over or any(row.mine and row.standing != "in" for row in self.combatants))

    @property
    def stuck(self) -> bool:
        return self.battle.is_stuck

    @property
    def result(self) -> Mapping[str, object] | None:
        """How it ended: type, reason, winners, dead, surrendered, and who never moved."""
        return self.battle.result
