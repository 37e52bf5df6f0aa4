"""Opening a turn and its stages."""

import datetime
from typing import Any

from django.db.models import Max, QuerySet

from duels.commitments import draw_seal
from duels.models import Battle, Combatant, OrderSheet, Stage, Turn
from duels.selectors.battle_rows import OpenStage, read_combatants
from duels.services.clocks.battle_clocks import start_clocks
from duels.services.turn_results import store_remaining_mages
from duels.wakeups import wake_bots_on_commit
from operations.database.prepared_writes import PreparedInsert, PreparedUpdate
from operations.selectors import read_policy
from rules_engine import State, write_state

_insert_turns, _insert_stages, _insert_sheets = map(PreparedInsert, (Turn, Stage, OrderSheet))


def open_turn(battle: Battle, state: State, *, now: datetime.datetime, last: OpenStage | None = None) -> Stage:
    """Open the turn that `state` is in, and its stage for gestures; `last` is the stage that was open, if it is known.

    Its attempt is the first one not yet used for this turn, because turns taken back keep theirs.
    """
    written = write_state(state)
    if last is not None and state.seq == battle.seq + 1:
        attempt = last.next_attempt
    else:
        used = Turn.objects.filter(battle=battle, seq=state.seq).aggregate(last=Max("attempt"))["last"]
        attempt = 0 if used is None else used + 1
    battle.seq, battle.attempt = state.seq, attempt
    turn = Turn(battle=battle, seq=battle.seq, attempt=battle.attempt, label=state.label, before=written)
    _insert_turns([turn])
    return _open_stage(battle, turn, state, written, now=now, last=last)


def reopen_turn(*, battle: Battle, state: State, now: datetime.datetime) -> Stage:
    """Return the battle to the turn of `state`, with the standings at that time. The caller has taken the later
    turns back and closed their stages."""
    store_remaining_mages(battle, state)
    return open_turn(battle, state, now=now)


def open_stage(
    battle: Battle, turn: Turn, state: State, *, now: datetime.datetime, last: OpenStage | None = None
) -> Stage:
    """Open the stage that `state` is in, with an empty sheet and a clock for every mage who has orders to give."""
    return _open_stage(battle, turn, state, write_state(state), now=now, last=last)


def _open_stage(
    battle: Battle,
    turn: Turn,
    state: State,
    written: dict[str, Any],
    *,
    now: datetime.datetime,
    last: OpenStage | None,
) -> Stage:
    battle.state = written
    battle.stage, battle.label = state.stage, state.label
    fields = ("seq", "attempt", "stage", "label", "state", "event_count")
    _update_battle({name: getattr(battle, name) for name in fields}, pk=battle.pk)
    stage = Stage(battle=battle, turn=turn, number=state.stage, opened_at=now)
    _insert_stages([stage])
    if last is None:
        asked = list(Combatant.objects.filter(battle=battle, mage__name__in=state.owing).select_related("mage__user"))
    else:
        asked = [each for each in read_combatants(battle) if each.mage.name in state.owing]
    bots = {combatant.pk for combatant in asked if combatant.mage.user.bot_strength or combatant.stand_in}
    _insert_sheets(
        [
            OrderSheet(
                stage=stage,
                combatant=combatant,
                bot_due_at=now if combatant.pk in bots else None,
                commitments=draw_seal() if battle.commitment else None,
            )
            for combatant in asked
        ]
    )
    if bots:
        wake_bots_on_commit()
    known = {each.pk for each in last.combatants} if last is not None and last.is_calm else set()
    policy = read_policy() if last is not None and {each.pk for each in asked} <= known else None
    start_clocks(battle=battle, stage=stage, asked=asked, now=now, calm_under=policy)
    return stage


@PreparedUpdate
def _update_battle(pk: int) -> QuerySet[Battle]:
    return Battle.objects.filter(pk=pk)
