"""Battles of many turns, played by the rules alone and stored as rows: a tenth of the time that the services take."""

import secrets
from itertools import cycle, islice

from duels.models import Battle, OrderSheet, Stage, Turn, TurnEvent
from duels.selectors.battle_rows import read_combatants
from rules_engine import Done, KeyedDice, Sheet, advance, read_state, write_state
from tests.duels.fights import Fight
from tests.scenes import NOW

# Shields, a few missiles and stabs that miss: nobody dies of it.
ROUNDS = (("P/-", "P/-"), ("S/-", "W/P"), ("W/P", "P/-"), ("P/F", "F/P"), ("F/P", "P/S"))


def lengthen(fight: Fight, turns: int) -> Fight:
    """Play turns until `turns` of them are over. Nobody is asked anything, and nobody falls."""
    battle = fight.battle
    battle.refresh_from_db()
    state, told = read_state(battle.state), battle.event_count
    open_turn = Turn.objects.get(battle=battle, resolved_at=None, taken_back_by=None)
    names = [combatant.mage.name for combatant in read_combatants(battle)]
    played, events = [], []
    for orders in islice(cycle(ROUNDS), turns - open_turn.seq + 1):
        turn = Turn(battle=battle, seq=state.seq, label=state.label, before=write_state(state), resolved_at=NOW)
        turn.closed_by, turn.mark = "orders", secrets.token_urlsafe(12)
        hands = [text.split("/") for text in orders]
        sheets = {name: Sheet.from_lines([f"LH {lh}", f"RH {rh}"]) for name, (lh, rh) in zip(names, cycle(hands))}
        step = advance(state, sheets, KeyedDice(battle.seed, state.seq, 0))
        assert isinstance(step, Done) and step.outcome is None
        played.append(turn)
        events.append(step.events)
        state = step.state
    open_turn.seq, open_turn.label, open_turn.before = state.seq, state.label, write_state(state)
    open_turn.save()
    Turn.objects.bulk_create(played)
    stages = Stage.objects.bulk_create(
        Stage(battle=battle, turn=turn, number=0, opened_at=NOW, closed_at=NOW) for turn in played
    )
    OrderSheet.objects.bulk_create(
        OrderSheet(stage=stage, combatant=combatant, ready=True, submitted_at=NOW, via="web")
        for stage in stages
        for combatant in read_combatants(battle)
    )
    rows = []
    for turn, happened in zip(played, events, strict=True):
        for event in happened:
            told += 1
            audience = None if event.audience is None else list(event.audience)
            facts, cause = dict(event.facts), list(event.cause)
            rows.append(TurnEvent(battle=battle, turn=turn, stage=0, n=told, kind=event.kind, facts=facts))
            rows[-1].audience, rows[-1].clause, rows[-1].cause = audience, event.clause, cause
    TurnEvent.objects.bulk_create(rows)
    Battle.objects.filter(pk=battle.pk).update(
        seq=state.seq, label=state.label, state=write_state(state), event_count=told
    )
    battle.refresh_from_db()
    return fight
