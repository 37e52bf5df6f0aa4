"""The shelf of a reader's spells: a spell stands on it once a lesson or puzzle made them cast it."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from duels.board.signs import SYMBOLS, SeriesStep, steps
from rules_engine import get_ruleset
from rules_engine.schools import name_sign
from studies.lesson_tasks import LESSONS
from studies.lessons import PUPIL, Lesson, Task, play_task
from studies.progress import RULESET, name_task

# Up to so many known spells stand on the shelf with drawn hands; then it shows all spells.
FEW = 9


@dataclass(frozen=True)
class ShelvedSpell:
    """A spell: its name, its sign, and its shortest series, of which a reader who does not know it sees the length."""

    name: str
    sign: str
    series: str
    is_known: bool

    @property
    def steps(self) -> tuple[SeriesStep, ...]:
        return steps(self.series)

    @property
    def hands(self) -> tuple[tuple[SeriesStep, str], ...]:
        return tuple((step, SYMBOLS[step.letter]) for step in self.steps)


@dataclass(frozen=True)
class Shelf:
    """All spells, the known ones first in the order in which lessons teach them."""

    spells: tuple[ShelvedSpell, ...]

    @property
    def known(self) -> int:
        return sum(spell.is_known for spell in self.spells)

    @property
    def is_small(self) -> bool:
        return self.known <= FEW

    @property
    def shown(self) -> tuple[ShelvedSpell, ...]:
        """Return the spells on it: the known ones with drawn hands while they are few, then all of them."""
        return self.spells[: self.known] if self.is_small else self.spells


@lru_cache(maxsize=128)
def list_taught(task: Task) -> tuple[str, ...]:
    after, _solved = play_task(task, task.solution)
    cast = (event.facts for event in after.events[-1] if event.kind == "casts")
    return tuple(dict.fromkeys(str(facts["spell"]) for facts in cast if facts["who"] == PUPIL))


def read_shelf(solved: Collection[str], cast: Collection[str] = ()) -> Shelf:
    """Return the shelf of a reader who has solved these tasks, by their names (studies.progress), and cast these spells
    in puzzles."""
    tasks = [task for each in LESSONS for n, task in enumerate(each.tasks, 1) if name_task(each, n) in solved]
    known = tuple(dict.fromkeys(spell for task in tasks for spell in list_taught(task)))
    series = _shortest_series()
    known += tuple(sorted(set(cast) & set(series) - set(known)))
    order = [*known, *sorted(set(series) - set(known))]
    return Shelf(tuple(ShelvedSpell(name, name_sign(name), series[name], name in known) for name in order))


def list_lesson_spells(lesson: Lesson) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spell for task in lesson.tasks for spell in list_taught(task)))


@lru_cache(maxsize=1)
def _shortest_series() -> dict[str, str]:
    found: dict[str, str] = {}
    for series in get_ruleset(RULESET).book.series:
        if series.spell not in found or len(series.text) < len(found[series.spell]):
            found[series.spell] = series.text
    return found
