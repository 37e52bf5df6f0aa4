"""How many pages of spectators are open. Nobody learns who watches what."""

from collections.abc import Iterable

from operations.presence import count_pages

# The number under which boards show the exhibition of the bots: no battle has it.
EXHIBITION = 0


def place_of_battle(number: int) -> str:
    """Return the name under which spectators' pages of a battle are counted."""
    return f"battle.{number}"


def place_of_board(number: int) -> str:
    """Return the name under which boards that show a battle (0: the exhibition) on other pages are counted."""
    return f"board.{number}"


def count_spectators(numbers: Iterable[int]) -> dict[int, int]:
    """Return how many pages of each of these battles are open, without those of its players.

    A board on another page is not counted, or the battle that the site features would stay the most watched.
    """
    asked = list(dict.fromkeys(numbers))
    seen = count_pages(map(place_of_battle, asked))
    return {number: seen[place_of_battle(number)] for number in asked}


def count_watchers_of_exhibition() -> int:
    """Return how many pages show the exhibition of the bots, or wait for one."""
    return count_pages([place_of_board(EXHIBITION)])[place_of_board(EXHIBITION)]
