"""Tables of a league counted from results alone, by other means than `league/rules/`: no code of the site is used."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Played:
    """A duel: who met, who won ("" for nobody: half a point each, or none at all if `lost_by_both`), and how often each
    was late."""

    one: str
    other: str
    winner: str = ""
    lost_by_both: bool = False
    late: tuple[int, int] = (0, 0)


def rank(entrants: Iterable[str], results: Iterable[Played], gone: Iterable[str] = ()) -> list[str]:
    """Return the names in the order of the table, without those whose results do not count. `entrants` are in the order
    of sign-up."""
    order = [name for name in entrants if name not in set(gone)]
    played = [each for each in results if each.one in order and each.other in order]
    halves = {name: sum(_halves(each, name) for each in played) for name in order}
    late = {
        name: sum(each.late[place] for each in played for place in (0, 1) if (each.one, each.other)[place] == name)
        for name in order
    }

    def merits(name: str) -> tuple[int, ...]:
        mine = [each for each in played if name in (each.one, each.other)]
        rivals = {each: each.other if each.one == name else each.one for each in mine}
        among = sum(_halves(each, name) for each, rival in rivals.items() if halves[rival] == halves[name])
        beaten = sum(_halves(each, name) * halves[rival] for each, rival in rivals.items())
        return (-halves[name], -among, -beaten, late[name], order.index(name))

    return sorted(order, key=merits)


def _halves(result: Played, name: str) -> int:
    if name not in (result.one, result.other) or result.lost_by_both:
        return 0
    return 1 if not result.winner else 2 if result.winner == name else 0


def move(leagues: list[list[str]], sizes: list[int], playing: set[str]) -> dict[str, int]:
    """Return by how much each goes up (-1) or down (1) who plays on; `leagues` are the tables, `sizes` count everyone
    who had a place."""
    found = {}
    for place, table in enumerate(leagues):
        staying = [name for name in table if name in playing]
        movers = 2 if sizes[place] > 5 else 1
        downs = movers - (sizes[place] - len(staying))
        found |= dict.fromkeys(staying, 0)
        if place < len(leagues) - 1:
            found |= {name: 1 for number, name in enumerate(reversed(staying)) if number < downs}
        if place:
            found |= dict.fromkeys(staying[:movers], -1)
    return found
