"""The turns where a what-if study may start, and their states.

Once the battle is over, that is any turn. Before, it is the present turn of the user's own battle, and the state comes
from `see`: only what the mage knows. Hidden facts are guessed as a bot guesses them.
"""

import hashlib
from dataclasses import dataclass
from functools import cache

from django.db.models import QuerySet

from duels.models import Battle, Turn
from duels.selectors.battle_rows import read_battle_state, read_state_of
from duels.selectors.stories import list_past_turns
from duels.selectors.viewer import MaybeUser, find_battle, list_own_combatants
from rules_engine import State
from rules_engine.beings import COLOURS
from rules_engine.bots import see
from rules_engine.bots.chance import Chance
from rules_engine.bots.imagine import hides_something, imagine
from rules_engine.bots.worth import Worth
from studies.errors import StudyRefused


@dataclass(frozen=True)
class Start:
    """The root of a possible study. `mage` is the mage whose knowledge it contains ("": everything), `hand` the
    first mage to order for. `guessed`: part of it is a guess."""

    battle: Battle
    state: State
    mage: str
    hand: str
    guessed: bool = False

    @property
    def seq(self) -> int:
        return self.state.seq


def read_start(*, number: int, user: MaybeUser, seq: int | None = None) -> Start:
    """Return the start at turn `seq` of a battle: without one at the last turn, or at the present one while it runs.

    Raises BattleNotFound, UnreadableBattle, StudyRefused.
    """
    battle = find_battle(number=number)
    return _start_after_end(battle, user, seq) if battle.is_over else _start_now(battle, user, seq)


def list_starts(battle: Battle) -> list[tuple[int, str]]:
    """Return the (seq, label) of every turn of a battle that is over; none while it runs."""
    if not battle.is_over:
        return []
    return list(_list_played_turns(battle).values_list("seq", "label"))


def _list_played_turns(battle: Battle) -> QuerySet[Turn]:
    return Turn.objects.filter(battle=battle, taken_back_by=None, resolved_at__isnull=False).order_by("seq", "attempt")


def _start_after_end(battle: Battle, user: MaybeUser, seq: int | None) -> Start:
    turns = _list_played_turns(battle) if seq is None else _list_played_turns(battle).filter(seq=seq)
    turn = turns.last()
    if turn is None:
        raise StudyRefused("no_such_turn")
    state = read_state_of(battle, turn.before)
    own = [combatant.mage.name for combatant in list_own_combatants(battle, user)]
    hand = next((name for name in (*own, *state.mages) if name in state.owing), state.mages[0])
    return Start(battle, state, "", hand)


def _start_now(battle: Battle, user: MaybeUser, seq: int | None) -> Start:
    own = [combatant.mage.name for combatant in list_own_combatants(battle, user)]
    if not own:
        raise StudyRefused("not_a_player")
    if seq is not None and seq != battle.seq:
        raise StudyRefused("not_this_turn")
    state = read_battle_state(battle)
    mage = next((name for name in own if name in state.owing), None)
    if mage is None or state.stage:
        raise StudyRefused("no_gestures_now")
    seen = see(state, mage, list_past_turns(battle))
    # Public facts only, so that looking again and starting the study show the same guesses.
    key = hashlib.sha256(f"what if {battle.number} {battle.seq} {battle.attempt} {mage}".encode()).hexdigest()
    supposed = imagine(seen, _worth_of(seen.facts["ruleset"]), Chance(key))
    _name_creatures_to_come(supposed)
    return Start(battle, supposed, mage, mage, guessed=hides_something(seen))


@cache
def _worth_of(ruleset: str) -> Worth:
    return Worth(ruleset)


def _name_creatures_to_come(state: State) -> None:
    """Name the creatures to come, starting with names that no visible creature has had."""
    taken = {*state.monsters, *state.tombstone}
    state.colours = tuple(sorted(COLOURS, key=lambda colour: any(name.startswith(colour) for name in taken)))
