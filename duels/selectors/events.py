"""Events by number, for programs that follow a battle."""

from dataclasses import dataclass
from itertools import groupby

from duels.models import Battle
from duels.selectors.battle_view import BattleView
from duels.selectors.stories import SeenEvent, find_last_number, recall_events, tell
from duels.selectors.viewer import MaybeUser, get_viewer, list_own_combatants
from rules_engine import Memory, Reason, Viewer, explain_event
from rules_engine.glossary import use_pronouns


@dataclass(frozen=True)
class NarratedEvent:
    """An event as one viewer sees it; `number` counts the events this viewer sees. Its `text` is empty if an earlier
    event of the turn has said it.

    `because` lists the viewer's numbers of its causes; `unseen_cause` says that there are causes, but the viewer saw
    none of them.
    """

    number: int
    seq: int
    attempt: int
    label: str
    kind: str
    text: str
    clause: str
    because: tuple[int, ...]
    unseen_cause: bool
    reasons: tuple[Reason, ...]


def events_after(*, battle: Battle, user: MaybeUser, n: int = 0, everything: bool = False) -> list[NarratedEvent]:
    """Return the events after `n` that `user` may see, in the user's own numbering.

    The numbers do not change when the battle ends or a turn is taken back. `everything` includes what was hidden, in a
    separate numbering; it has no effect while the battle is running.
    """
    mine = list_own_combatants(battle, user)
    me = mine[0].mage.name if mine else None
    viewer = Viewer.all_seeing() if everything and battle.is_over else get_viewer(battle, user)
    seen = recall_events(battle, viewer)
    with use_pronouns(battle.pronouns):
        return [
            _narrate_event(each, text, seen.memory, me)
            for _, turn in groupby(seen.events, key=lambda each: each.turn)
            for each, text in tell(list(turn), me)
            if each.number > n
        ]


def count_events(view: BattleView) -> int:
    """Return the viewer's number of the last event they may know; 0 if there is none."""
    return find_last_number(view.battle.number, view.viewer)


def _narrate_event(each: SeenEvent, text: str, memory: Memory, me: str | None) -> NarratedEvent:
    causes = memory.trace(each.learnt)
    return NarratedEvent(
        number=each.number,
        seq=each.turn.seq,
        attempt=each.turn.attempt,
        label=each.turn.label,
        kind=each.event.kind,
        text=text,
        clause=each.event.clause,
        because=tuple(cause.number for cause in causes.learnt),
        unseen_cause=causes.unseen,
        reasons=explain_event(memory, each.learnt, me),
    )
