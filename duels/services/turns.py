"""Turns: opening them and their stages, and storing what happened: events, standings, penalties."""

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Max

from duels.commitments import draw_seal
from duels.models import Battle, Combatant, OrderSheet, Stage, Turn, TurnEvent
from duels.selectors.battle_rows import OpenStage, read_combatants
from duels.services.clocks.battle_clocks import start_clocks
from duels.terms import Terms
from duels.wakeups import wake_bots_on_commit
from ladder.services.apply_results import apply_penalty
from operations.database.prepared_insert import PreparedInsert
from operations.selectors import read_policy
from rules_engine import Event, State, Viewer, look, write_state

_insert_sheets, _insert_events = PreparedInsert(OrderSheet), PreparedInsert(TurnEvent)


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
    turn = Turn.objects.create(battle=battle, seq=battle.seq, attempt=battle.attempt, label=state.label, before=written)
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
    battle.save(update_fields=["seq", "attempt", "stage", "label", "state", "event_count"])
    stage = Stage.objects.create(battle=battle, turn=turn, number=state.stage, opened_at=now)
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


def record_events(battle: Battle, turn: Turn, stage: int, events: Sequence[Event]) -> None:
    """Append `events` to those of the battle. The caller saves the new `event_count`."""
    _insert_events(
        [
            TurnEvent(
                battle=battle,
                turn=turn,
                stage=stage,
                n=battle.event_count + place,
                kind=event.kind,
                facts=dict(event.facts),
                audience=None if event.audience is None else list(event.audience),
                clause=event.clause,
                cause=list(event.cause),
            )
            for place, event in enumerate(events, start=1)
        ]
    )
    battle.event_count += len(events)


def store_remaining_mages(battle: Battle, state: State) -> None:
    """Store which mages are still in the battle."""
    standings = {mage.name: mage.standing for mage in look(state, Viewer.all_seeing()).mages}
    changed = []
    for combatant in read_combatants(battle):
        if combatant.standing != standings[combatant.mage.name]:
            combatant.standing = standings[combatant.mage.name]
            combatant.is_fall_seen = False
            changed.append(combatant)
    if changed:
        Combatant.objects.bulk_update(changed, ["standing", "is_fall_seen"])


def record_penalties(battle: Battle, names: Iterable[str], *, now: datetime.datetime) -> None:
    """Take a point from each mage who surrendered while the battle continued or was won, if scores are at stake."""
    if battle.practice or not Terms.from_json(battle.terms).stake.scores:
        return
    called = set(names)
    fallen = [combatant for combatant in read_combatants(battle) if combatant.mage.name in called]
    for combatant in sorted(fallen, key=lambda each: each.mage_id):
        apply_penalty(mage=combatant.mage, kind=battle.kind, battle=battle.number, now=now)
