"""The table of a group: points, ties, form and the cross table, from nothing but who is in it and the results."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

FIRST, SECOND, DRAW, NONE = "first", "second", "draw", "none"
WON, DREW, LOST = "won", "drew", "lost"
POINTS = {WON: Fraction(1), DREW: Fraction(1, 2), LOST: Fraction(0)}
_SIDES = {FIRST: (WON, LOST), SECOND: (LOST, WON), DRAW: (DREW, DREW), NONE: (LOST, LOST)}
# What the form shows: the last results, oldest first.
FORM = 5


@dataclass(frozen=True)
class Member:
    """Someone with a place in the group. `is_void`: they left before half of their duels were finished, so no result of
    theirs counts."""

    key: int
    signed_up_at: datetime
    is_void: bool = False


@dataclass(frozen=True)
class Result:
    """A decided duel. `outcome` is FIRST, SECOND (who won), DRAW, or NONE if both lost.

    A duel that counts for nobody, such as an annulled one, is no result and is left out. Late turns are those for which
    a final notice was sent.
    """

    round: int
    first: int
    second: int
    outcome: str
    first_late: int = 0
    second_late: int = 0


@dataclass
class Row:
    """A member in the table. `rank` is None for someone whose results do not count. `results` are by opponent."""

    key: int
    rank: int | None = None
    points: Fraction = Fraction(0)
    head_to_head: Fraction = Fraction(0)
    sonneborn_berger: Fraction = Fraction(0)
    late_turns: int = 0
    results: dict[int, str] = field(default_factory=dict)
    form: list[str] = field(default_factory=list)

    @property
    def played(self) -> int:
        return len(self.results)

    def count(self, result: str) -> int:
        return sum(each == result for each in self.results.values())


def make_table(members: Iterable[Member], results: Iterable[Result]) -> list[Row]:
    """Return the table, the first place first; members whose results do not count come last, without a rank.

    Equal points are decided by the points of the duels among those with equal points, then by Sonneborn-Berger (the
    points of everyone whom you beat, and half those of everyone with whom you drew), then by fewer late turns, then by
    the earlier sign-up.
    """
    members = list(members)
    counting = {member.key: member for member in members if not member.is_void}
    rows = {key: Row(key) for key in counting}
    for result in sorted(results, key=lambda each: each.round):
        if result.first in rows and result.second in rows:
            _count(rows, result)
    for row in rows.values():
        row.points = _sum(row.results.values())
    for row in rows.values():
        tied = [other for other in rows.values() if other.points == row.points]
        row.head_to_head = _sum(row.results[other.key] for other in tied if other.key in row.results)
        row.sonneborn_berger = sum(
            (POINTS[result] * rows[other].points for other, result in row.results.items()), Fraction(0)
        )
    table = sorted(rows.values(), key=lambda row: (*_merits(row), counting[row.key].signed_up_at, row.key))
    for rank, row in enumerate(table, 1):
        row.rank = rank
    return table + [Row(member.key) for member in members if member.is_void]


def _count(rows: dict[int, Row], result: Result) -> None:
    sides = _SIDES[result.outcome]
    for key, other, side, late in (
        (result.first, result.second, sides[0], result.first_late),
        (result.second, result.first, sides[1], result.second_late),
    ):
        row = rows[key]
        row.results[other] = side
        row.late_turns += late
        row.form = [*row.form, side][-FORM:]


def _merits(row: Row) -> tuple[Fraction, Fraction, Fraction, int]:
    return (-row.points, -row.head_to_head, -row.sonneborn_berger, row.late_turns)


def _sum(results: Iterable[str]) -> Fraction:
    return sum((POINTS[result] for result in results), Fraction(0))


def loses_results(finished: int, duels: int) -> bool:
    """Return whether the results of someone who leaves now leave the table: fewer than half of their duels are
    finished."""
    return 2 * finished < duels
