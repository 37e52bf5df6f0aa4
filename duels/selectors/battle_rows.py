"""Reading for the services: a battle's state, its combatants, its open stage. None of it may leave this app."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery

from accounts.models import Vacation
from duels.errors import UnreadableBattle
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet, Stage, Subscription, Turn
from duels.paces import is_live
from operations.database.prepared_query import PreparedQuery
from operations.models import Outage, PageGap
from operations.policy import SHORTEST_OUTAGE
from operations.selectors import latest_beat
from rules_engine import State, UnknownRuleset, UnknownState, read_state

# After a shorter silence of the background work, no clock gets time back.
SHORTEST_SILENCE = datetime.timedelta(minutes=SHORTEST_OUTAGE)


def read_battle_state(battle: Battle) -> State:
    """Return the state at the open stage, or at the end. Raises UnreadableBattle; the row does not change."""
    return read_state_of(battle, battle.state)


def read_state_of(battle: Battle, written: dict[str, Any]) -> State:
    """Return a state of the battle that is stored elsewhere. Raises UnreadableBattle."""
    try:
        return read_state(written)
    except (UnknownRuleset, UnknownState) as error:
        raise UnreadableBattle(battle.number, battle.ruleset, battle.edition) from error


def read_combatants(battle: Battle) -> list[Combatant]:
    """Return the combatants by position, with their mages and users.

    They are read once for each Battle instance, until it is refreshed from the database: they never change.
    """
    if battle.known_combatants is None:
        whole = Combatant.objects.filter(battle=battle).select_related("mage__user").order_by("position")
        remember_combatants(battle, whole)
    return list(battle.known_combatants or ())


def remember_combatants(battle: Battle, combatants: Iterable[Combatant]) -> None:
    """Let `read_combatants` return these, read already: all of the battle, by position, with mages and users."""
    battle.known_combatants = tuple(combatants)
    for combatant in battle.known_combatants:
        combatant.battle = battle


@PreparedQuery
def read_own_combatants(user: int, number: int) -> QuerySet[Combatant]:
    """Return the mages of this user in the battle with this number, in its order."""
    own = Combatant.objects.filter(mage__user=user, battle__number=number)
    # Code that needs the state locks the battle or reads it again.
    return own.select_related("battle", "mage").defer("battle__state").order_by("position")


@PreparedQuery
def read_open_sheets(battles: list[int]) -> QuerySet[OrderSheet]:
    """Return the sheets of the open stages of these battles (their ids), with their stage, and whether anything has
    ever stopped clocks of the battle (`has_stops`)."""
    stops = ClockStop.objects.filter(battle=OuterRef("stage__battle"))
    sheets = OrderSheet.objects.filter(stage__battle__in=battles, stage__closed_at__isnull=True)
    return sheets.select_related("stage").annotate(has_stops=Exists(stops))


@PreparedQuery
def read_fighting(battles: list[int]) -> QuerySet[Combatant]:
    """Return all combatants of these battles (their ids) by position, with mages, users and deadlines."""
    known = Combatant.objects.filter(battle__in=battles).select_related("mage__user", "deadline")
    return known.order_by("position")


@dataclass(frozen=True)
class OpenStage:
    """The open stage with its turn, its sheets by position, and their mages' clocks.

    `is_calm`: the clocks need no update. None is stopped or needs to be, no time must be given back, and
    mages who are ready have no clock. `next_attempt` is the first attempt not yet used for the turn after this one.
    `away` are the users with a vacation, current or planned.
    """

    stage: Stage
    sheets: tuple[OrderSheet, ...]
    is_calm: bool
    has_followers: bool
    next_attempt: int
    away: frozenset[int]

    @property
    def is_complete(self) -> bool:
        return all(sheet.ready for sheet in self.sheets)

    @property
    def combatants(self) -> list[Combatant]:
        """The mages who have orders to give."""
        return [sheet.combatant for sheet in self.sheets]

    def sheet_of(self, combatant: Combatant) -> OrderSheet | None:
        """Return the mage's sheet, or None if they have no orders to give."""
        return next((sheet for sheet in self.sheets if sheet.combatant_id == combatant.pk), None)

    def has_all_mages(self, state: State) -> bool:
        """Return whether every mage of the battle has orders to give."""
        return len(self.sheets) == len(state.wizards)

    @property
    def clocks(self) -> list[Deadline]:
        """The clocks of the mages who are not ready, in the order of `update_clocks`."""
        rows = (getattr(sheet.combatant, "deadline", None) for sheet in self.sheets)
        return sorted((row for row in rows if row is not None), key=lambda row: row.pk)


def read_open_stage(battle: Battle, now: datetime.datetime) -> OpenStage | None:
    """Return the open stage in one query; None if no stage is open or nobody has orders to give."""
    sheets: list[Any] = _read_open_stage(battle=battle.pk, next_seq=battle.seq + 1)
    if not sheets:
        return None
    one = sheets[0]
    return OpenStage(
        stage=one.stage,
        sheets=tuple(sheets),
        is_calm=not any(map(_is_troubled, sheets))
        and (one.beat_at is None or now - one.beat_at <= SHORTEST_SILENCE)
        and not (is_live(battle.terms.get("pace")) and one.gap_ended_at and one.gap_ended_at > one.stage.opened_at),
        has_followers=one.has_followers,
        next_attempt=0 if one.last_attempt is None else one.last_attempt + 1,
        away=frozenset(sheet.combatant.mage.user_id for sheet in sheets if sheet.is_away),
    )


@PreparedQuery
def _read_open_stage(battle: int, next_seq: int) -> QuerySet[OrderSheet]:
    """Return the open sheets with everything read along with them, by position."""
    user, clock = "combatant__mage__user", "combatant__deadline"
    vacations = Vacation.objects.filter(user=OuterRef(user))
    outages = Outage.objects.filter(Q(ended_at=None) | Q(ended_at__gt=OuterRef(f"{clock}__settled_at")))
    attempts = Turn.objects.filter(battle=battle, seq=next_seq).order_by().values("battle")
    rows = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True)
    return (
        rows.select_related("stage__turn", "combatant__mage__user", clock)
        # No order needs them, and the turn's state is the largest column.
        .defer("stage__turn__before", *(f"{user}__{name}" for name in ("password", "mail_password", "email")))
        .annotate(
            is_away=Exists(vacations.filter(ended_at=None)),
            was_away=Exists(vacations.filter(ended_at__gt=OuterRef(f"{clock}__running_since"))),
            is_stopped=Exists(ClockStop.objects.filter(battle=battle, ended_at=None)),
            lost_time=Exists(outages),
            beat_at=Subquery(latest_beat()),
            gap_ended_at=Subquery(PageGap.objects.order_by("-ended_at").values("ended_at")[:1]),
            has_followers=Exists(Subscription.objects.filter(battle=battle)),
            last_attempt=Subquery(attempts.annotate(last=Max(F("attempt"))).values("last")),
        )
        .order_by("combatant__position")
    )


def _is_troubled(sheet: OrderSheet) -> bool:
    if sheet.ready and hasattr(sheet.combatant, "deadline"):
        return True
    flags = ("is_away", "was_away", "is_stopped", "lost_time")
    return any(getattr(sheet, flag) for flag in flags) or sheet.combatant.mage.user.mail_fails_since is not None
