"""Opening a turn and its stages."""

import datetime

from django.db.models import Max

from duels.models import Battle, Combatant, OrderSheet, Stage, Turn
from duels.services.clocks.start_and_stop import start_clocks
from rules_engine import write_state
from rules_engine.state import State


def open_turn(battle: Battle, state: State, *, now: datetime.datetime) -> Stage:
    """Open the turn that `state` is in, and its stage for gestures.

    Its attempt is the first one not yet used for this turn, because turns taken back keep theirs.
    """
    written = write_state(state)
    used = Turn.objects.filter(battle=battle, seq=state.seq).aggregate(last=Max("attempt"))["last"]
    battle.seq, battle.attempt = state.seq, 0 if used is None else used + 1
    turn = Turn.objects.create(battle=battle, seq=battle.seq, attempt=battle.attempt, label=state.label, before=written)
    return open_stage(battle, turn, state, now=now)


def open_stage(battle: Battle, turn: Turn, state: State, *, now: datetime.datetime) -> Stage:
    """Open the stage that `state` is in, with an empty sheet and a clock for every mage who has orders to give."""
    battle.state = write_state(state)
    battle.stage, battle.label = state.stage, state.label
    battle.save(update_fields=["seq", "attempt", "stage", "label", "state", "event_count"])
    stage = Stage.objects.create(battle=battle, turn=turn, number=state.stage, opened_at=now)
    asked = list(Combatant.objects.filter(battle=battle, mage__name__in=state.owing).select_related("mage__user"))
    OrderSheet.objects.bulk_create(OrderSheet(stage=stage, combatant=combatant) for combatant in asked)
    start_clocks(battle=battle, stage=stage, asked=asked, now=now)
    return stage
