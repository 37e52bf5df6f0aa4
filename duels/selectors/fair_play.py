"""Fair play: nothing that computes helps a player in a running battle: no hint, reason, analysis, study or bot.

A position counts as near another one if every mage of the smaller one has a counterpart in the larger whose hands have
come equally far in every spell: now, or after one more turn of one of the two. By these rules it does not matter what
the mages are called, which hand is which, which gestures no longer lead anywhere, whether another mage is present, and
by which other ruleset the position is played.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from accounts.models import Mage, User
from duels.errors import DuelsError, NoHint
from duels.models import Combatant
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.viewer import MaybeUser
from rules_engine import Ruleset, State, Viewer, look
from rules_engine.gestures import NOTHING, UNSEEN

# Longer than any spell: what was played before cannot matter.
REMEMBERED = 9
Strings = tuple[tuple[str, str], ...]


class Running:
    """A running battle as a player sees it: its rules, and every mage's gestures."""

    def __init__(self, number: int, ruleset: Ruleset, strings: Strings) -> None:
        self.number = number
        self.book = ruleset.book
        self.strings = strings

    def is_near(self, here: Strings) -> bool:
        """Return whether the gestures lead as far as the battle's, or would after one more turn of one of the two."""
        return any(
            _can_pair(
                [[self._is_alike(_drop(one, earlier), _drop(other, later)) for other in here] for one in self.strings]
            )
            for earlier, later in ((0, 0), (0, 1), (1, 0))
        )

    def _is_alike(self, seen: tuple[str, str] | None, other: tuple[str, str] | None) -> bool:
        """Return whether two mages' hands have come equally far, whichever hand is which."""
        if seen is None or other is None:
            return False
        return any(
            self._reach(_guess(seen[0], hands[0]), _guess(seen[1], hands[1])) == self._reach(*hands)
            for hands in (other, other[::-1])
        )

    def _reach(self, left: str, right: str) -> tuple[int, ...]:
        states = self.book.states_of(left, right)
        return tuple(sorted((states.left, states.right)))


def list_running_strings(user: MaybeUser) -> list[Running]:
    """Return the battles in which the user plays against others, as their mages see them."""
    if not isinstance(user, User):
        return []
    own = Combatant.objects.filter(mage__user=user, battle__finished_at=None, battle__practice=False)
    running = []
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
        strings = tuple((mage.left, mage.right) for mage in seen.mages if mage.name not in state.out)
        running.append(Running(battle.number, state.ruleset, strings))
    return running


def strings_of(state: State) -> Strings:
    """Return the gestures of all mages who are still in, whatever their names."""
    done = len(state.columns)
    return tuple((state.wizards[name].left[:done], state.wizards[name].right[:done]) for name in state.still_in)


def refuse_near_running(state: State, user: MaybeUser) -> None:
    """Raise NoHint if this position is that of a running battle of the user, or one turn away."""
    near = find_running_near(state, list_running_strings(user))
    if near is not None:
        raise NoHint("near_running", number=near)


def find_mirrored(state: State, users: Iterable[User]) -> int | None:
    """Return the number of a running battle that one of these users mirrors by mages of their own alone; None for
    none. Where others take part too, a likeness is no mirror: the user cannot set it up."""
    done = len(state.columns)
    for user in users:
        own = Mage.objects.filter(user=user, name__in=state.still_in).values_list("name", flat=True)
        here = tuple((state.wizards[name].left[:done], state.wizards[name].right[:done]) for name in own)
        if len(here) > 1:
            near = next((each.number for each in list_running_strings(user) if each.is_near(here)), None)
            if near is not None:
                return near
    return None


def find_running_near(state: State, running: Sequence[Running]) -> int | None:
    """Return the number of a running battle whose position is this one or one turn away; None for none."""
    here = strings_of(state)
    return next((each.number for each in running if each.is_near(here)), None)


def _drop(strings: tuple[str, str], dropped: int) -> tuple[str, str] | None:
    """Return the last gestures of both hands without so many columns; None if there were fewer."""
    left, right = strings
    if len(left) <= dropped:
        return None
    end = len(left) - dropped
    return left[:end][-REMEMBERED:], right[:end][-REMEMBERED:]


def _guess(seen: str, other: str) -> str:
    """Fill in what the player did not see from the other position, which may be a guess."""
    if UNSEEN not in seen:
        return seen
    there = other[-len(seen) :].rjust(len(seen), NOTHING)
    return "".join(guess if letter == UNSEEN else letter for letter, guess in zip(seen, there, strict=True))


def _can_pair(alike: Sequence[Sequence[bool]]) -> bool:
    """Return whether every mage of the side with fewer has a counterpart of its own on the other."""
    few = alike if len(alike) <= len(alike[0]) else list(zip(*alike, strict=True))

    def pair(place: int, taken: frozenset[int]) -> bool:
        return place == len(few) or any(
            fits and other not in taken and pair(place + 1, taken | {other}) for other, fits in enumerate(few[place])
        )

    return pair(0, frozenset())
