"""A battle's rows in the form from which the engine makes records. They contain all secrets: only for what is
read after the end, or by nobody."""

from collections import defaultdict
from collections.abc import Sequence

from duels.models import Battle, Combatant, OrderSheet, Turn, TurnEvent
from duels.selectors.stories import read_stored_event
from rules_engine import Event, read_outcome
from rules_engine.records import StoredBattle, StoredStage, StoredTurn


def read_stored_battle(battle: Battle) -> StoredBattle:
    """Return the resolved turns in order; of a replayed turn, only the attempt that counts.

    Refreshes `battle` if it has ended in the meantime.
    """
    rows = list(Turn.objects.filter(battle=battle, taken_back_by=None).order_by("seq", "attempt"))
    current = next((row for row in rows if row.resolved_at is None), None)
    if current is None:
        battle.refresh_from_db()
    played = [row for row in rows if current is None or row.seq < current.seq]
    return StoredBattle(
        turns=_read_turns(battle, [row for row in played if row.resolved_at is not None]),
        after=battle.state if current is None else current.before,
        number=battle.number,
        users=_read_users(battle),
        outcome=read_outcome(battle.result),
    )


def _read_users(battle: Battle) -> dict[str, str]:
    pairs = Combatant.objects.filter(battle=battle).order_by("position")
    return dict(pairs.values_list("mage__name", "mage__user__username"))


def _read_turns(battle: Battle, rows: Sequence[Turn]) -> list[StoredTurn]:
    events: dict[tuple[int, int], list[Event]] = defaultdict(list)
    for event in TurnEvent.objects.filter(battle=battle, turn__taken_back_by=None).order_by("n"):
        events[event.turn_id, event.stage].append(read_stored_event(event))
    lines: dict[int, dict[int, dict[str, list[str]]]] = defaultdict(dict)
    sheets = OrderSheet.objects.filter(stage__battle=battle).order_by("stage__number", "combatant__position")
    for turn, stage, mage, written in sheets.values_list(
        "stage__turn_id", "stage__number", "combatant__mage__name", "lines"
    ):
        lines[turn].setdefault(stage, {})[mage] = written
    return [
        StoredTurn(
            seq=row.seq,
            before=row.before,
            stages=[StoredStage(orders, events[row.pk, stage]) for stage, orders in lines[row.pk].items()],
            throws=row.throws,
            attempt=row.attempt,
        )
        for row in rows
    ]
