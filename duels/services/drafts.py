"""Drafts: unfinished orders, saved on the server for their player."""

import datetime

from django.db.models import Q

from duels.errors import StaleOrders
from duels.keys import StageKey
from duels.models import Combatant, OrderSheet, Stage
from duels.selectors.stage_keys import describe_current_stage, label_of
from fm_site.operations.hidden_signs import mark_speech

LONGEST_DRAFT = 4000


def keep_draft(*, combatant: Combatant, text: str, stage: StageKey, now: datetime.datetime) -> None:
    """Save `text` (any text, cut at 4,000 characters) as the draft of this mage for that stage.

    A draft never counts and does not affect orders that are ready. Raises StaleOrders if the stage is over or the mage
    has no orders to give in it.
    """
    del now  # a draft has no time: it is not an action in the battle
    open_stages = Stage.objects.filter(
        Q(battle=combatant.battle_id, closed_at__isnull=True, number=stage.stage),
        Q(turn__seq=stage.seq, turn__attempt=stage.attempt),
    )
    kept = OrderSheet.objects.filter(combatant=combatant, stage__in=open_stages).update(
        draft=mark_speech(text.replace("\0", ""))[:LONGEST_DRAFT]
    )
    if not kept:
        raise StaleOrders(stage, label_of(combatant.battle, stage), describe_current_stage(combatant.battle))
