"""The open stage of a battle, read once for a transaction that holds the battle's lock."""

import datetime
from dataclasses import dataclass

from django.db.models import Exists, F, Max, OuterRef, Q, Subquery

from accounts.models import Vacation
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet, Stage, Subscription, Turn
from fm_site.operations.models import Outage
from fm_site.operations.policy import SHORTEST_OUTAGE, Policy
from fm_site.operations.selectors import latest_beat, latest_policy
from rules_engine import State

# After a shorter silence of the background work, no clock gets time back.
SHORTEST_SILENCE = datetime.timedelta(minutes=SHORTEST_OUTAGE)


@dataclass(frozen=True)
class OpenStage:
    """The open stage with its turn, its sheets by position, and their mages' clocks.

    `is_calm`: no clock is stopped or has to be, no time is to be given back, and who is ready has no clock: clocks are
    up to date as they are.
    `next_attempt` is the first attempt not yet used for the turn after this one. `away` are the users with a vacation,
    current or planned, and `policy` the site's numbers.
    """

    stage: Stage
    sheets: tuple[OrderSheet, ...]
    is_calm: bool
    has_followers: bool
    next_attempt: int
    away: frozenset[int]
    policy: Policy

    @property
    def is_complete(self) -> bool:
        """Whether all orders are ready."""
        return all(sheet.ready for sheet in self.sheets)

    @property
    def combatants(self) -> list[Combatant]:
        """The mages who have orders to give."""
        return [sheet.combatant for sheet in self.sheets]

    def sheet_of(self, combatant: Combatant) -> OrderSheet | None:
        """Return the mage's sheet, or None if they have no orders to give."""
        return next((sheet for sheet in self.sheets if sheet.combatant_id == combatant.pk), None)

    def has_all_mages(self, state: State) -> bool:
        """Say whether every mage of the battle has orders to give."""
        return len(self.sheets) == len(state.wizards)

    @property
    def clocks(self) -> list[Deadline]:
        """The clocks of the mages who are not ready, in the order of `settle_clocks`."""
        rows = (getattr(sheet.combatant, "deadline", None) for sheet in self.sheets)
        return sorted((row for row in rows if row is not None), key=lambda row: row.pk)


def read_open_stage(battle: Battle, now: datetime.datetime) -> OpenStage | None:
    """Return the open stage in one query; None if no stage is open or nobody has orders to give."""
    user, clock = "combatant__mage__user", "combatant__deadline"
    vacations = Vacation.objects.filter(user=OuterRef(user))
    outages = Outage.objects.filter(Q(ended_at=None) | Q(ended_at__gt=OuterRef(f"{clock}__settled_at")))
    attempts = Turn.objects.filter(battle=battle, seq=battle.seq + 1).order_by().values("battle")
    rows = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True)
    sheets = list(
        rows.select_related("stage__turn", "combatant__mage__user", clock)
        .annotate(
            is_away=Exists(vacations.filter(ended_at=None)),
            was_away=Exists(vacations.filter(ended_at__gt=OuterRef(f"{clock}__running_since"))),
            is_stopped=Exists(ClockStop.objects.filter(battle=battle, ended_at=None)),
            lost_time=Exists(outages),
            policy=Subquery(latest_policy()),
            beat_at=Subquery(latest_beat()),
            has_followers=Exists(Subscription.objects.filter(battle=battle)),
            last_attempt=Subquery(attempts.annotate(last=Max(F("attempt"))).values("last")),
        )
        .order_by("combatant__position")
    )
    if not sheets:
        return None
    one = sheets[0]
    return OpenStage(
        stage=one.stage,
        sheets=tuple(sheets),
        is_calm=not any(map(_is_troubled, sheets)) and (one.beat_at is None or now - one.beat_at <= SHORTEST_SILENCE),
        has_followers=one.has_followers,
        next_attempt=0 if one.last_attempt is None else one.last_attempt + 1,
        policy=Policy(**(one.policy or {})),
        away=frozenset(sheet.combatant.mage.user_id for sheet in sheets if sheet.is_away),
    )


def _is_troubled(sheet: OrderSheet) -> bool:
    if sheet.ready and hasattr(sheet.combatant, "deadline"):
        return True
    flags = ("is_away", "was_away", "is_stopped", "lost_time")
    return any(getattr(sheet, flag) for flag in flags) or sheet.combatant.mage.user.mail_fails_since is not None
