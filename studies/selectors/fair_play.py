"""Fair play: no analysis that would help a player in a running battle.

A position counts as near another one if the mages' last gestures are the same, or those of one turn before or after.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from accounts.models import User
from duels.errors import DuelsError
from duels.models import Combatant
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.viewer import Anyone
from rules_engine import State, Viewer, look

# As many gestures as a hand remembers: no spell is longer than eight.
REMEMBERED = 7
Strings = tuple[tuple[str, str], ...]


def list_running_strings(user: Anyone) -> list[tuple[int, Strings]]:
    """Return (number, gestures) of the battles in which the user plays against others, as their mage sees them."""
    if not isinstance(user, User):
        return []
    own = Combatant.objects.filter(mage__user=user, battle__finished_at=None, battle__practice=False)
    found = []
    for _number, mine in groupby(
        own.select_related("battle", "mage").order_by("battle__number"), key=lambda each: each.battle_id
    ):
        combatants = list(mine)
        battle = combatants[0].battle
        try:
            state = read_battle_state(battle)
        except DuelsError:
            continue  # this release can't read it, so it can't be played either
        seen = look(state, Viewer.of(*(each.mage.name for each in combatants)))
        found.append((battle.number, _sorted((mage.left, mage.right) for mage in seen.mages)))
    return found


def strings_of(state: State) -> Strings:
    """Return the gestures of all mages, whatever their names."""
    done = len(state.columns)
    return _sorted((wizard.left[:done], wizard.right[:done]) for wizard in state.wizards.values())


def find_running_near(state: State, running: Sequence[tuple[int, Strings]]) -> int | None:
    """Return the number of a running battle whose position is this one or one turn away; None for none."""
    here = strings_of(state)
    return next((number for number, strings in running if are_near(here, strings)), None)


def are_near(one: Strings, other: Strings) -> bool:
    """Say whether the gestures are the same, or would be after one more turn of one of the two."""
    if len(one) != len(other):
        return False
    return any(
        _sorted(_last(pair, later) for pair in one) == _sorted(_last(pair, earlier) for pair in other)
        for later, earlier in ((0, 0), (0, 1), (1, 0))
    )


def _last(strings: tuple[str, str], dropped: int) -> tuple[str, str]:
    left, right = (text[: len(text) - dropped] for text in strings)
    # One less than is remembered, so that a string that has just lost its oldest gesture still matches.
    return left[1 - REMEMBERED :], right[1 - REMEMBERED :]


def _sorted(strings: Iterable[tuple[str, str]]) -> Strings:
    return tuple(sorted(strings))
