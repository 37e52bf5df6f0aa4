"""The chances of a battle's mages over its turns, as an analysis sees them, and the marks of their moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class MarkedMove:
    """A move that stands out: ``??`` and ``?`` lose chance, ``!`` is the only good one."""

    seq: int
    mage: str
    mark: str

    @property
    def is_mistake(self) -> bool:
        return self.mark.startswith("?")


@dataclass(frozen=True)
class Chances:
    """The chances of all mages: for each mage that before the first turn, then after each turn of `seqs`.

    None: the reader may not know it while a similar battle of theirs is running. `mage` is the one whose chances are
    told, the reader's own if `is_mine`.
    """

    mage: str
    is_mine: bool
    seqs: tuple[int, ...]
    labels: tuple[str, ...]
    curves: Mapping[str, Sequence[float | None]]
    marks: tuple[MarkedMove, ...]

    @property
    def own(self) -> Sequence[float | None]:
        return self.curves[self.mage]

    def around(self, seq: int) -> tuple[float | None, float | None]:
        """Return the chance before and after a turn."""
        place = self.seqs.index(seq)
        return self.own[place], self.own[place + 1]

    @property
    def mistakes(self) -> tuple[int, ...]:
        """The turns with a mistake of the mage; of anybody, if the mage is not the reader's."""
        found = [each.seq for each in self.marks if each.is_mistake and (each.mage == self.mage or not self.is_mine)]
        return tuple(dict.fromkeys(found))
