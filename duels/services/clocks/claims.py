"""Claiming a battle because a player has been absent too long, by consent of the others."""

import datetime

from django.db import transaction

from duels.errors import DuelRefused
from duels.models import Combatant, Deadline
from duels.selectors.absences import Consent, read_claim
from duels.selectors.first_moves import has_moved
from duels.services.clocks.absence_choices import record_choice
from duels.services.clocks.deadlines import choose_sheet, drop_mages, record_missed_turn
from duels.services.lock import lock_battle
from duels.services.notify import notify_of_request
from duels.wakeups import wake_watchers_on_commit
from operations.selectors import read_policy
from rules_engine import Sheet


def claim_battle(*, combatant: Combatant, now: datetime.datetime, agrees: bool = True) -> Consent:
    """Agree to claim a battle, or withdraw that, because another player has been absent for as long as the site's
    policy allows.

    Once all players agree who are present, in a duel at once, it counts as the surrender of those who are absent: they
    lose one point and live, and leave before the others' orders are considered. A duel is won, and a melee continues.
    Mages who never moved leave as if their time were over. Returns who had agreed and who is missing. Raises
    DuelRefused.
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        before = record_choice(
            battle=battle, combatant=combatant, wish="claims_at", read=read_claim, agrees=agrees, now=now
        )
        if before is None:
            raise DuelRefused("not_late_enough", days=read_policy().absence_most_days)
        if agrees and not before.missing:
            rows = Deadline.objects.filter(battle=battle, combatant__mage__name__in=before.absent).order_by("pk")
            sheets = {}
            for row in rows.select_related("combatant__mage__user", "stage"):
                if not has_moved(row.combatant):
                    record_missed_turn(row, now)
                sheets[row] = choose_sheet(row, otherwise=Sheet.of_claim())
            drop_mages(battle=battle, sheets=sheets, now=now)
        elif agrees and not before.has_agreed:
            notify_of_request(battle, combatant, "claim_wanted", now=now, absent=", ".join(before.absent))
        wake_watchers_on_commit(battle.number)
        return before
