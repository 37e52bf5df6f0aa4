"""The chances over a battle, for the graph of its replay and of its analysis: only from a finished analysis, and not
where it would help the reader in a running battle."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from duels.selectors.viewer import MaybeUser
from rules_engine.bots.review import Facts, list_chances, mark_move
from studies.selectors.analyses import find_analysis_of_battle, find_withheld, list_states, list_winners


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


def find_chances_of_battle(*, number: int, user: MaybeUser, mage: str | None) -> Chances | None:
    """Return the chances over a battle that is over, told for this mage (None: the first one's); None while there is no
    finished analysis."""
    analysis = find_analysis_of_battle(number)
    if analysis is None or analysis.battle is None:
        return None
    battle = analysis.battle
    facts = list(analysis.turns.order_by("seq").values_list("facts", flat=True))
    return make_chances(facts, list_winners(analysis), mage, find_withheld(list_states(battle), user))


def make_chances(
    turns: Sequence[Facts], winners: Sequence[str], mage: str | None, withheld: Container[int]
) -> Chances | None:
    """Return the chances in analysed turns; those before a withheld turn are None. None without turns."""
    if not turns:
        return None
    mages: list[str] = turns[0]["mages"]
    shown = [facts["seq"] not in withheld for facts in turns]
    curves: Mapping[str, Sequence[float | None]] = {
        name: [
            chance if known else None
            for chance, known in zip(list_chances(turns, name, winners), [*shown, True], strict=True)
        ]
        for name in mages
    }
    return Chances(
        mage=mage if mage in mages else mages[0],
        is_mine=mage in mages,
        seqs=tuple(facts["seq"] for facts in turns),
        labels=tuple(facts["label"] for facts in turns),
        curves=curves,
        marks=tuple(_list_marks(facts for facts, known in zip(turns, shown, strict=True) if known)),
    )


def _list_marks(turns: Iterator[Facts]) -> Iterator[MarkedMove]:
    for facts in turns:
        for name, move in facts["moves"].items():
            mark = mark_move(move)
            if mark:
                yield MarkedMove(facts["seq"], name, mark.value)
