"""The results of a resolved stage: events, standings, penalties."""

import datetime
from collections.abc import Iterable, Sequence

from duels.models import Battle, Combatant, Turn, TurnEvent
from duels.selectors.battle_rows import read_combatants
from duels.terms import Terms
from ladder.services.apply_results import apply_penalty
from operations.database.prepared_writes import PreparedInsert
from rules_engine import Event, State, Viewer, look

_insert_events = PreparedInsert(TurnEvent)


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
