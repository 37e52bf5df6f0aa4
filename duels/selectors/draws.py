"""Draws by agreement: in which battles, when a player can offer one, and the offer that is open.

An offer is for the open turn. It is known to the two players alone, until it is accepted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from duels.models import Battle, Combatant
from duels.names import name_agreed_draw
from duels.terms import read_stakes
from ladder.models import CountedBattle
from ladder.stakes import STAKES
from rules_engine import AGREED

# The turn from which draws can be offered, and how many turns apart a player's offers are: by the numbers of turns, so
# that extra turns don't count.
FIRST_TURN = 5
TURNS_APART = 5


@dataclass(frozen=True)
class DrawChoice:
    """What a player can do about a draw in a duel against the mage `other`, in turn `turn`.

    `is_offered`: the other player offers one; `has_offered`: this player does; `was_declined`: this player did, and the
    other declined. `from_turn`: the number of the turn from which this player can offer one.
    """

    other: str
    turn: str
    is_offered: bool
    has_offered: bool
    from_turn: int
    was_declined: bool = False

    @property
    def may_offer(self) -> bool:
        return not self.is_offered and not self.has_offered and read_turn_number(self.turn) >= self.from_turn


def read_draw_choice(battle: Battle, fighting: Sequence[Combatant], mine: Combatant) -> DrawChoice | None:
    """Return what the player of `mine` can do about a draw now; None if nobody can agree on one. `fighting` are all
    combatants, with their mages."""
    if battle.status != Battle.Status.RUNNING or not allows_draws(battle, fighting):
        return None
    other = next(each for each in fighting if each.pk != mine.pk)
    return DrawChoice(
        other=other.mage.name,
        turn=battle.label,
        is_offered=has_open_offer(battle, other),
        has_offered=has_open_offer(battle, mine),
        from_turn=find_next_turn(battle, mine),
        was_declined=mine.draw_offered_in == mark_declined(battle),
    )


def allows_draws(battle: Battle, fighting: Iterable[Combatant]) -> bool:
    """Return whether the players of this battle can agree on a draw at all: a duel between two people."""
    return (
        battle.kind == Battle.Kind.DUEL
        and not battle.practice
        and battle.company == Battle.Company.PEOPLE
        and STAKES[read_stakes(battle.terms)].draws
        and len({each.mage.user_id for each in fighting}) == 2
    )


def has_open_offer(battle: Battle, combatant: Combatant) -> bool:
    """Return whether the player offers a draw in the open turn. An offer ends with its turn."""
    return combatant.draw_offered_in == mark_turn(battle)


def find_next_turn(battle: Battle, combatant: Combatant) -> int:
    """Return the number of the turn from which the player can offer a draw."""
    last = combatant.draw_turn
    # A janitor who rewinds the battle clears this, but did not always.
    if last is None or last > read_turn_number(battle.label):
        return FIRST_TURN
    return last + TURNS_APART


def mark_turn(battle: Battle) -> str:
    """Return what is stored with an offer in the open turn; no other turn, nor another attempt at it, has the same."""
    return f"{battle.seq}.{battle.attempt}"


def mark_declined(battle: Battle) -> str:
    """Return what is stored instead of mark_turn once the other player has declined."""
    return f"{mark_turn(battle)} declined"


def read_turn_number(label: str) -> int:
    """Return the number in a turn's label: 8 for "8", "8H" and "8T"."""
    found = re.match(r"\d+", label)
    return int(found.group()) if found else 0


def name_agreed_draws(battles: Iterable[CountedBattle]) -> dict[int, str]:
    """Return "Draw, agreed in turn 8", by number, for those of these battles whose players agreed on a draw."""
    numbers = [battle.number for battle in battles if battle.ending == AGREED]
    results = Battle.objects.filter(number__in=numbers).values_list("number", "result") if numbers else ()
    named = {number: name_agreed_draw(result) for number, result in results}
    return {number: words for number, words in named.items() if words}
