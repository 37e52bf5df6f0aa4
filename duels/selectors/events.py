"""Events by number, for programs that keep up with a battle."""

from dataclasses import dataclass

from duels.models import Battle
from duels.selectors.stories import seen_events
from duels.selectors.viewing import Anyone, get_viewer, list_own_combatants
from rules_engine import Viewer, narrate


@dataclass(frozen=True)
class ToldEvent:
    """An event as it is told to one viewer; `number` counts what this viewer sees."""

    number: int
    seq: int
    attempt: int
    label: str
    kind: str
    text: str
    clause: str


def events_after(*, battle: Battle, user: Anyone, n: int = 0, everything: bool = False) -> list[ToldEvent]:
    """Return what `user` may know and has not read: the events after his number `n`.

    His numbers stay what they are when the battle ends. `everything` asks for what was hidden too, which has numbers of
    its own; while the battle goes on it changes nothing.
    """
    mine = list_own_combatants(battle, user)
    me = mine[0].mage.name if mine else None
    viewer = Viewer.all_seeing() if everything and battle.is_over else get_viewer(battle, user)
    return [
        ToldEvent(
            number=each.number,
            seq=each.turn.seq,
            attempt=each.turn.attempt,
            label=each.turn.label,
            kind=each.event.kind,
            text=narrate(each.event, me),
            clause=each.event.clause,
        )
        for each in seen_events(battle, viewer)
        if each.number > n
    ]
