"""How a turn of a battle ended it, or a mage's part in it: the blows that killed mages, and who surrendered. Only for
battles that are over, when everyone sees everything."""

from dataclasses import dataclass

from duels.models import Turn
from duels.selectors.battle_rows import read_state_of
from duels.selectors.battle_view import BattleView
from duels.selectors.stories import read_stored_event
from rules_engine.blows import Blow, find_blow, list_steps
from rules_engine.gestures import LEFT
from rules_engine.spells import Book


@dataclass(frozen=True)
class EndingBlow:
    """A blow that killed a mage: its facts, the victim's hit points before the turn, the master of the creature that
    struck, and the gestures of the spell as (letter, label of the turn), with the hand that played them."""

    blow: Blow
    before: int
    master: str = ""
    steps: tuple[tuple[str, str], ...] = ()
    hand: str = LEFT


@dataclass(frozen=True)
class LastTurn:
    """The last turn: its label, the blows in the order of the mages, and who surrendered in it."""

    label: str
    blows: tuple[EndingBlow, ...] = ()
    surrendered: tuple[str, ...] = ()


def read_last_turn(view: BattleView, seq: int | None = None) -> LastTurn | None:
    """Return how the last turn ended the battle, or who died in turn `seq`; None if it was not played."""
    shown = next((turn for turn in reversed(view.turns) if seq in (None, turn.seq)), None)
    if not view.over or shown is None:
        return None
    turn = Turn.objects.select_related("battle").get(pk=shown.pk)
    events = [read_stored_event(row) for row in turn.events.order_by("n")]
    before = read_state_of(turn.battle, turn.before)
    blows = []
    for mage in view.view.mages:
        blow = find_blow(events, mage.name)
        if blow is not None:
            creature = before.monsters.get(blow.by) if blow.is_creature else None
            master = creature.controller if creature is not None and creature.controller in before.wizards else ""
            victim = before.wizards[mage.name].hp
            steps = _list_steps(view, before.ruleset.book, blow, shown.label)
            blows.append(EndingBlow(blow, victim, master, steps, blow.hand[:2] or LEFT))
    quitting = tuple(str(event.facts["who"]) for event in events if event.kind == "surrenders")
    return LastTurn(shown.label, tuple(blows), quitting)


def _list_steps(view: BattleView, book: Book, blow: Blow, label: str) -> tuple[tuple[str, str], ...]:
    """Return the gestures of the spell with their turns; turn `label` completed it."""
    caster = next((mage for mage in view.view.mages if mage.name == blow.who), None)
    columns = view.view.columns
    if caster is None or not blow.hand or label not in columns:
        return ()
    end = columns.index(label) + 1
    made = list_steps(book, blow.by, blow.hand, caster.left[:end], caster.right[:end])
    return tuple((step.letter, columns[step.column]) for step in made if step.column < len(columns))
