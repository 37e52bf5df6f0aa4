"""Letting a bot play for a player who has left their seat, by consent of the others."""

import datetime

from django.db import transaction

from duels.errors import DuelRefused
from duels.models import Battle, Combatant, Deadline, OrderSheet
from duels.selectors.absences import Consent, read_seat_offer
from duels.services.clocks.absence_choices import record_choice
from duels.services.clocks.battle_clocks import update_clocks
from duels.services.lock import lock_battle
from duels.services.notify import notify_of_request
from duels.terms import read_stakes
from duels.wakeups import wake_bots_on_commit, wake_watchers_on_commit
from ladder.stakes import STAKES

# The bot that plays for those who have left: neither the weakest nor the strongest.
STAND_IN = "Warder"


def offer_seat(*, combatant: Combatant, now: datetime.datetime, agrees: bool = True) -> Consent:
    """Agree that a bot plays for players who are absent for too long or, where no scores are at stake, out of time; or
    withdraw that.

    It begins once all users agree who have a mage in the battle and are present; in a duel, at once. The battle is
    practice from then on. A player who comes back and sends orders takes over again. Returns who had agreed and who is
    missing. Raises DuelRefused.
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        before = record_choice(
            battle=battle, combatant=combatant, wish="offers_seat_at", read=read_seat_offer, agrees=agrees, now=now
        )
        if before is None and STAKES[read_stakes(battle.terms)].is_event:
            raise DuelRefused("event_stand_in")
        if before is None:
            raise DuelRefused("no_seat_to_offer")
        if agrees and not before.missing:
            left = Combatant.objects.filter(battle=battle, mage__name__in=before.absent)
            left.update(stand_in=STAND_IN)
            Battle.objects.filter(pk=battle.pk).update(practice=True)
            Deadline.objects.filter(combatant__in=left).delete()
            OrderSheet.objects.filter(combatant__in=left, stage__closed_at=None, ready=False).update(bot_due_at=now)
            update_clocks(battle=battle, now=now)  # nobody waits for those who left any more
            wake_bots_on_commit()
        elif agrees and not before.has_agreed:
            notify_of_request(battle, combatant, "seat_offer_wanted", now=now, absent=", ".join(before.absent))
        wake_watchers_on_commit(battle.number)
        return before
