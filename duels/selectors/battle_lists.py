"""Lists and counts of battles."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from accounts.models import User
from duels.models import Battle, Combatant, Deadline, OrderSheet, Stage
from duels.selectors.battle_facts import BattleFacts
from ladder.selectors import count_battles_fought

ENDED = (Battle.Status.FINISHED, Battle.Status.ANNULLED)


@dataclass(frozen=True)
class BattleRow:
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
    # The deadline of the reader's own mages, else the earliest one. Empty if those clocks are stopped.
    deadline: datetime.datetime | None = None

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
    def practice(self) -> bool:
        return self.battle.practice

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for name in self.mages if name not in self.mine)

    @property
    def owes(self) -> tuple[str, ...]:
        """The reader's mages whose orders the battle is waiting for."""
        return tuple(name for name in self.mine if name in self.waiting_for)

    @property
    def sent(self) -> tuple[str, ...]:
        """The reader's mages whose orders are ready, not those who have nothing to order."""
        return tuple(name for name in self.mine if name in self.asked and name not in self.waiting_for)


def list_battles_of(user: User) -> list[BattleRow]:
    """Return the running battles of `user`: those waiting for them first, by time left."""
    rows = _rows(_going_on().filter(combatants__mage__user=user).distinct(), user)
    return sorted(rows, key=_urgency)


def _urgency(row: BattleRow) -> tuple[bool, bool, datetime.datetime, int]:
    """Sort battles that wait for the reader first, and those by time left, with stopped clocks last."""
    return not row.owes, row.deadline is None, row.deadline or row.since or row.battle.started_at, row.number


def list_battles_waiting_for(user: User) -> list[BattleRow]:
    """Return the battles waiting for orders of `user`, the one with the least time left first."""
    return [row for row in list_battles_of(user) if row.owes]


def list_running_battles(user: User | None = None, *, limit: int | None = None) -> list[BattleRow]:
    """Return the running battles, newest first (at most `limit`), for `user` (None: a guest)."""
    return _rows(_going_on().order_by("-number")[:limit], user)


def list_finished_battles(user: User | None = None, *, limit: int = 50) -> list[BattleRow]:
    """Return the battles that ended last."""
    return _rows(_ended().order_by("-finished_at")[:limit], user)


def list_finished_battles_of(user: User, *, limit: int = 50) -> list[BattleRow]:
    """Return the battles of `user` that ended last."""
    fought = Combatant.objects.filter(mage__user=user).values("battle")
    return _rows(_ended().filter(pk__in=fought).order_by("-finished_at")[:limit], user)


def list_battles_by_number(numbers: Iterable[int], user: User | None = None) -> list[BattleRow]:
    """Return those of these battles that exist, newest first."""
    return _rows(Battle.objects.filter(number__in=list(numbers)).order_by("-number"), user)


def list_followed_battles(user: User) -> list[BattleRow]:
    """Return the running battles that `user` follows, newest first."""
    return _rows(_going_on().filter(subscriptions__user=user).order_by("-number"), user)


def _ended() -> QuerySet[Battle]:
    return Battle.objects.filter(finished_at__isnull=False)


def _going_on() -> QuerySet[Battle]:
    return Battle.objects.exclude(status__in=ENDED)


def _rows(battles: QuerySet[Battle], user: User | None) -> list[BattleRow]:
    combatants = Prefetch("combatants", Combatant.objects.select_related("mage__user").order_by("position"))
    stages = Prefetch("stages", Stage.objects.filter(closed_at__isnull=True), to_attr="open_stages")
    clocks = Prefetch("deadlines", Deadline.objects.exclude(ends_at=None), to_attr="running_clocks")
    sheets = Prefetch("open_stages__sheets", OrderSheet.objects.only("stage", "combatant", "ready"), to_attr="asked")
    listed = battles.defer("state", "seed").prefetch_related(combatants, stages, sheets, clocks)
    return [_row(battle, user) for battle in listed]


def _row(battle: Battle, user: User | None) -> BattleRow:
    fighting: Iterable[Combatant] = battle.combatants.all()
    stage = next(iter(battle.open_stages), None)  # type: ignore[attr-defined]  # from the prefetch above
    ready = {sheet.combatant_id: sheet.ready for sheet in stage.asked} if stage else {}
    return BattleRow(
        battle=BattleFacts.of(battle),
        mages=tuple(each.mage.name for each in fighting),
        mine=tuple(each.mage.name for each in fighting if user is not None and each.mage.user_id == user.pk),
        waiting_for=tuple(each.mage.name for each in fighting if not ready.get(each.pk, True)),
        asked=tuple(each.mage.name for each in fighting if each.pk in ready),
        since=stage.opened_at if stage else None,
        users=tuple(each.mage.user.username for each in fighting),
        standings=tuple(each.standing for each in fighting),
        deadline=_deadline(battle, fighting, user),
    )


def _deadline(battle: Battle, fighting: Iterable[Combatant], user: User | None) -> datetime.datetime | None:
    mine = {each.pk for each in fighting if user is not None and each.mage.user_id == user.pk}
    rows: list[Deadline] = battle.running_clocks  # type: ignore[attr-defined]  # from the prefetch above
    moments = [
        (row.forfeit_at if row.step == Deadline.Step.FORFEIT else row.ends_at, row.combatant_id in mine) for row in rows
    ]
    own = [moment for moment, is_mine in moments if is_mine and moment]
    return min(own or [moment for moment, _ in moments if moment], default=None)


@dataclass(frozen=True)
class SiteFigures:
    """The number of running battles, and of finished duels and melees that count."""

    going_on: int
    duels: int
    melees: int


def read_site_figures() -> SiteFigures:
    """Return the numbers of battles. The ladder keeps those of finished ones."""
    fought = count_battles_fought()
    return SiteFigures(
        going_on=Battle.objects.filter(finished_at__isnull=True).count(),
        duels=fought[Battle.Kind.DUEL.value],
        melees=fought[Battle.Kind.MELEE.value],
    )
