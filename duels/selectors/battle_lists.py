"""Lists and counts of battles."""

import datetime
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from accounts.arms.blazons import State, change_state
from accounts.models import Mage, User
from duels.models import Battle, Combatant, Deadline, OrderSheet, Subscription, Turn
from duels.names import name_agreed_draw
from duels.selectors.battle_facts import BattleFacts
from duels.selectors.battle_rows import read_fighting, read_open_sheets
from operations.database.prepared_query import LARGEST, PreparedQuery

# How many battles a page of a list has.
PAGE = 50


@dataclass(frozen=True)
class ShownBattle:
    """A battle in a list, without secrets. `mine` are the reader's mages, `since` is when the stage opened.

    `asked` are the mages who have orders to give in this stage, `waiting_for` those whose orders are not ready.
    """

    battle: BattleFacts
    mages: tuple[str, ...]
    mine: tuple[str, ...]
    waiting_for: tuple[str, ...]
    asked: tuple[str, ...]
    since: datetime.datetime | None
    # For each mage in `mages`: the user, and the engine's word for the mage's state ("in", "surrendered", "dead").
    users: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()
    # The deadline of the reader's own mages who owe orders, else the earliest one. Empty if those clocks are stopped.
    deadline: datetime.datetime | None = None
    # For each mage in `mages`: when their clock runs out. Empty if they owe no orders or their clock is stopped.
    moments: tuple[datetime.datetime | None, ...] = ()
    # Whether the reader has begun orders that are not ready.
    has_draft: bool = False
    # Those of `mages` that computer opponents play.
    bots: tuple[str, ...] = ()
    # Whether the clocks of the reader's own mages, or else of all who owe orders, are stopped.
    is_stopped: bool = False
    # For each mage in `mages`: the arms, as of a living mage.
    arms: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        return self.battle.number

    @property
    def kind(self) -> str:
        return self.battle.kind

    @property
    def label(self) -> str:
        return self.battle.label

    @property
    def agreed(self) -> str:
        """ "Draw, agreed in turn 8", if that is how it ended."""
        return name_agreed_draw(self.battle.result)

    @property
    def practice(self) -> bool:
        return self.battle.practice

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for name in self.mages if name not in self.mine)

    @property
    def emblem(self) -> str:
        """The arms that stand for the battle: those of the reader's first opponent, broken if they died."""
        place = next((place for place, name in enumerate(self.mages) if name not in self.mine), 0)
        if self.standings[place] == "dead":
            return change_state(self.arms[place], State.DEAD)
        return self.arms[place]

    @property
    def arms_as_left(self) -> tuple[str, ...]:
        """The arms of all its mages, as the battle left them."""
        states = [State.DEAD if standing == "dead" else State.LIVING for standing in self.standings]
        return tuple(map(change_state, self.arms, states))

    @property
    def owes(self) -> tuple[str, ...]:
        """The reader's mages whose orders the battle is waiting for."""
        return tuple(name for name in self.mine if name in self.waiting_for)

    @property
    def sent(self) -> tuple[str, ...]:
        """The reader's mages whose orders are ready, not those who have nothing to order."""
        return tuple(name for name in self.mine if name in self.asked and name not in self.waiting_for)


def list_battles_of(user: User) -> list[ShownBattle]:
    """Return the running battles of `user`: those waiting for them first, by time left."""
    return sorted(_rows(_running_of(user), user), key=_urgency)


@dataclass(frozen=True)
class OwnBattles:
    """A user's running battles, those waiting for them first, and their latest finished ones."""

    running: list[ShownBattle]
    finished: list[ShownBattle]


def list_own_battles(user: User, *, finished: int) -> OwnBattles:
    """Return the running battles of `user`, and at most `finished` of those that ended last, read together."""
    mine = _ended().filter(pk__in=Combatant.objects.filter(mage__user=user).values("battle"))
    ended = mine.order_by("-finished_at")[:finished]
    rows = _rows([*_without_state(_running_of(user)), *_without_state(ended)], user)
    return OwnBattles(
        sorted((row for row in rows if row.battle.finished_at is None), key=_urgency),
        [row for row in rows if row.battle.finished_at is not None],
    )


def _without_state(battles: QuerySet[Battle]) -> QuerySet[Battle]:
    return battles.defer("state", "seed")


def _urgency(row: ShownBattle) -> tuple[bool, bool, datetime.datetime, int]:
    """Sort battles that wait for the reader first, and those by time left, with stopped clocks last."""
    return not row.owes, row.deadline is None, row.deadline or row.since or row.battle.started_at, row.number


def list_battles_waiting_for(user: User) -> list[ShownBattle]:
    """Return the battles waiting for orders of `user`, in order of the time left."""
    return [row for row in list_battles_of(user) if row.owes]


@dataclass(frozen=True)
class OwedBattle:
    """A battle that waits for orders of the reader, in few words."""

    number: int
    kind: str

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} {self.number}"


def list_owed_battles(user: User) -> list[OwedBattle]:
    """Return the same battles as list_battles_waiting_for, in the same order, by one query."""
    moments_of: dict[OwedBattle, list[Any]] = defaultdict(list)
    for number, kind, *moments in _read_owed(user=user.pk):
        moments_of[OwedBattle(number, kind)].append(moments)
    return sorted(moments_of, key=lambda battle: _urgency_of_owed(battle, moments_of[battle]))


def find_battles_waiting_for(mage: Mage) -> list[int]:
    """Return the numbers of the running battles that wait for orders of this mage."""
    return sorted(number for number, _mage in _list_owed(combatant__mage=mage))


def list_owed_mages(user: User) -> list[tuple[int, str]]:
    """Return the running battles that wait for orders of the user, by number, each with the mage they are for."""
    return sorted(_list_owed(combatant__mage__user=user))


def _list_owed(**whose: Any) -> "QuerySet[OrderSheet, tuple[int, str]]":
    owed = OrderSheet.objects.filter(ready=False, stage__closed_at=None, stage__battle__finished_at=None, **whose)
    return owed.values_list("stage__battle__number", "combatant__mage__name")


@dataclass(frozen=True)
class OwnDeadline:
    """A deadline of one of the reader's mages, who has orders to give."""

    number: int
    kind: str
    mage: str
    at: datetime.datetime

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} {self.number}"


def list_own_deadlines(user: User) -> list[OwnDeadline]:
    """Return the deadlines of the user's mages that run now, the next one first; stopped clocks have none."""
    owed = Deadline.objects.filter(combatant__mage__user=user, battle__finished_at=None, stage__closed_at=None)
    rows = owed.values_list("battle__number", "battle__kind", "combatant__mage__name", _moment())
    return sorted((OwnDeadline(*row) for row in rows if row[3] is not None), key=lambda each: (each.at, each.number))


@PreparedQuery
def _read_owed(user: int) -> "QuerySet[OrderSheet, tuple[Any, ...]]":
    running = Deadline.objects.filter(battle=OuterRef("stage__battle")).exclude(ends_at=None)
    return OrderSheet.objects.filter(
        ready=False, stage__closed_at=None, combatant__mage__user=user, stage__battle__finished_at=None
    ).values_list(
        "stage__battle__number",
        "stage__battle__kind",
        "stage__opened_at",
        _moment("combatant__deadline__"),
        Subquery(running.order_by(_moment()).values_list(_moment())[:1]),
    )


def _moment(path: str = "") -> Case:
    """Return the moment to which a deadline counts down; empty while it is stopped."""
    forfeits = When(**{f"{path}step": Deadline.Step.FORFEIT}, then=F(f"{path}forfeit_at"))
    return Case(forfeits, default=F(f"{path}ends_at"))


def _urgency_of_owed(battle: OwedBattle, rows: list[Any]) -> tuple[bool, datetime.datetime, int]:
    own = [moment for _, moment, _ in rows if moment is not None]
    since, _, anyones = rows[0]
    deadline = min(own, default=anyones)
    return deadline is None, deadline or since, battle.number


def list_running_battles(
    user: User | None = None, *, limit: int | None = None, of_people: bool = False
) -> list[ShownBattle]:
    """Return the running battles as `user` sees them (None: a guest), newest first, at most `limit`.

    `of_people`: without practice against bots.
    """
    battles = _with_people(_going_on())
    if of_people:
        battles = battles.exclude(practice=True, company=Battle.Company.MIXED)
    return _rows(battles.order_by("-number")[:limit], user)


@dataclass(frozen=True)
class BattlePage:
    """Some battles of a list. `newer` and `older` are the numbers that the neighbouring pages begin at, None where the
    list ends."""

    battles: list[ShownBattle]
    newer: int | None = None
    older: int | None = None


# Whose battles a list has.
PEOPLE, FOLLOWED, BOTS = "people", "followed", "bots"


def page_running_battles(
    user: User | None = None,
    *,
    whose: str = PEOPLE,
    older_than: int | None = None,
    newer_than: int | None = None,
    size: int = PAGE,
) -> BattlePage:
    """Return a page of the running battles, newest first: the first one, or the one beside that battle.

    `whose`: those with people, those that `user` follows, or those of bots alone.
    """
    before = Q() if older_than is None else Q(number__lt=older_than)
    after = None if newer_than is None else Q(number__gt=newer_than)
    return _turn_page(_of(_going_on(), whose, user), ("number",), before, after, user, size)


def page_finished_battles(
    user: User | None = None,
    *,
    whose: str = PEOPLE,
    older_than: int | None = None,
    newer_than: int | None = None,
    size: int = PAGE,
) -> BattlePage:
    """Return a page of the finished battles, the latest first, like page_running_battles."""
    before = Q() if older_than is None else _ended_beside(older_than, "lt")
    after = None if newer_than is None else _ended_beside(newer_than, "gt")
    return _turn_page(_of(_ended(), whose, user), ("finished_at", "number"), before, after, user, size)


def _of(battles: QuerySet[Battle], whose: str, user: User | None) -> QuerySet[Battle]:
    if whose == FOLLOWED:
        return battles.filter(subscriptions__user=user)
    return battles.filter(company=Battle.Company.BOTS) if whose == BOTS else _with_people(battles)


def _ended_beside(number: int, way: str) -> Q:
    """Return the battles that ended before ("lt") or after ("gt") the one with this number; all if there is none."""
    ended = Battle.objects.filter(number=number).values_list("finished_at", flat=True).first()
    if ended is None:
        return Q()
    beside = Q(**{f"finished_at__{way}": ended}) | Q(finished_at=ended, **{f"number__{way}": number})
    return Q(**{f"finished_at__{way}e": ended}) & beside


def _turn_page(
    battles: QuerySet[Battle], order: tuple[str, ...], before: Q, after: Q | None, user: User | None, size: int
) -> BattlePage:
    """Return the page that ends before `after` or begins after `before`; one more row says whether there are more."""
    if after is None:
        found = _rows(battles.filter(before).order_by(*(f"-{name}" for name in order))[: size + 1], user)
        rows = found[:size]
        newer, older = rows[:1] if before else [], rows[-1:] if len(found) > size else []
    else:
        found = _rows(battles.filter(after).order_by(*order)[: size + 1], user)
        rows = found[:size][::-1]
        newer, older = rows[:1] if len(found) > size else [], rows[-1:]
    return BattlePage(rows, newer[0].number if newer else None, older[0].number if older else None)


def list_finished_battles(*, limit: int = 50) -> list[ShownBattle]:
    """Return the battles that ended last."""
    return _rows(_with_people(_ended()).order_by("-finished_at")[:limit], None)


def list_battles_of_bots(*, limit: int) -> list[ShownBattle]:
    """Return the battles among bots, newest first."""
    return _rows(Battle.objects.filter(company=Battle.Company.BOTS).order_by("-number")[:limit], None)


def count_running_battles_of_bots() -> int:
    others = Combatant.objects.filter(battle=OuterRef("pk"), mage__user__bot_strength="")
    return _going_on().filter(~Exists(others), company=Battle.Company.BOTS).count()


def list_battles_by_number(numbers: Iterable[int], user: User | None = None) -> list[ShownBattle]:
    """Return those of these battles that exist, newest first."""
    # SQLite fails on a number that no column holds.
    known = [number for number in numbers if number <= LARGEST]
    return _rows(Battle.objects.filter(number__in=known).order_by("-number"), user)


def list_followed_battles(user: User) -> list[ShownBattle]:
    """Return the running battles that `user` follows, newest first."""
    return _rows(_going_on().filter(subscriptions__user=user).order_by("-number"), user)


def count_battles_of(user: User) -> int:
    """Return how many battles the user's mages fight or have fought."""
    return Combatant.objects.filter(mage__user=user).values("battle").distinct().count()


def find_last_position(number: int) -> tuple[int, int] | None:
    """Return the number of the battle and the last turn that was played in it, or None if none was."""
    turns = Turn.objects.filter(battle__number=number, resolved_at__isnull=False, taken_back_by=None)
    seq = turns.order_by("-seq").values_list("seq", flat=True).first()
    return None if seq is None else (number, seq)


def is_following(*, number: int, user: User) -> bool:
    return Subscription.objects.filter(battle__number=number, user=user).exists()


def _ended() -> QuerySet[Battle]:
    return Battle.objects.filter(finished_at__isnull=False)


def _going_on() -> QuerySet[Battle]:
    return Battle.objects.filter(finished_at__isnull=True)


def _running_of(user: User) -> QuerySet[Battle]:
    return _going_on().filter(combatants__mage__user=user).distinct()


def _with_people(battles: QuerySet[Battle]) -> QuerySet[Battle]:
    """Return those with at least one person: bots play each other every day, and would fill the lists."""
    return battles.exclude(company=Battle.Company.BOTS)


def _rows(battles: QuerySet[Battle] | list[Battle], user: User | None) -> list[ShownBattle]:
    listed = battles if isinstance(battles, list) else list(_without_state(battles))
    fighting: dict[int, list[Combatant]] = defaultdict(list)
    for combatant in read_fighting(battles=[battle.pk for battle in listed]):
        fighting[combatant.battle_id].append(combatant)
    asked: dict[int, list[OrderSheet]] = defaultdict(list)
    for sheet in read_open_sheets(battles=[battle.pk for battle in listed if not battle.is_over]):
        asked[sheet.stage.battle_id].append(sheet)
    return [_row(battle, fighting[battle.pk], asked[battle.pk], user) for battle in listed]


def _row(battle: Battle, fighting: list[Combatant], asked: list[OrderSheet], user: User | None) -> ShownBattle:
    """Return the row of a battle; of `asked`, the sheets of its open stage, it says only whether they are ready, and
    whether the reader has begun their own."""
    ready = {sheet.combatant_id: sheet.ready for sheet in asked}
    own = {each.pk for each in fighting if user is not None and each.mage.user_id == user.pk}
    begun = (sheet for sheet in asked if not sheet.ready and (sheet.draft or sheet.text))
    moments = [_moment_of(getattr(each, "deadline", None)) for each in fighting]
    counting = _list_counting(fighting, own)
    return ShownBattle(
        battle=BattleFacts.of(battle),
        mages=tuple(each.mage.name for each in fighting),
        mine=tuple(each.mage.name for each in fighting if each.pk in own),
        waiting_for=tuple(each.mage.name for each in fighting if not ready.get(each.pk, True)),
        asked=tuple(each.mage.name for each in fighting if each.pk in ready),
        since=asked[0].stage.opened_at if asked else None,
        users=tuple(str(each.mage.user) for each in fighting),
        standings=tuple(each.standing for each in fighting),
        deadline=min([moment for each in counting if (moment := _moment_of(each))], default=None),
        moments=tuple(moments),
        has_draft=any(sheet.combatant_id in own for sheet in begun),
        bots=tuple(each.mage.name for each in fighting if each.mage.user.is_bot or each.stand_in),
        arms=tuple(change_state(each.mage.arms, State.LIVING) for each in fighting),
        is_stopped=bool(counting) and all(_moment_of(each) is None for each in counting),
    )


def _moment_of(row: Deadline | None) -> datetime.datetime | None:
    if row is None or row.ends_at is None:
        return None
    return row.forfeit_at if row.step == Deadline.Step.FORFEIT else row.ends_at


def _list_counting(fighting: list[Combatant], own: set[int]) -> list[Deadline]:
    """Return the clocks of the reader's own mages (`own`: their combatants' ids) who owe orders; if none does, those of
    all others."""
    clocks = [each.deadline for each in fighting if hasattr(each, "deadline")]
    return [clock for clock in clocks if clock.combatant_id in own] or clocks
