"""A reader's path through the lessons: which are done, and which is the next."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from studies.lesson_tasks import LESSONS
from studies.lessons import Lesson
from studies.progress import name_task, read_progress


@dataclass(frozen=True)
class Milestone:
    """A lesson on a reader's path. `done`: all its tasks are solved; `begun`: some are."""

    number: int
    lesson: Lesson
    done: bool
    begun: bool


@dataclass(frozen=True)
class Path:
    """All lessons, with what one reader has solved; `next` is the first that is not done."""

    milestones: tuple[Milestone, ...]

    @property
    def next(self) -> Milestone | None:
        return next((each for each in self.milestones if not each.done), None)

    @property
    def done(self) -> int:
        return sum(each.done for each in self.milestones)


@dataclass(frozen=True)
class Mark:
    """A lesson on the drawn way up the mountain, at percentages of the picture; `before` is the mark below it."""

    number: int
    x: str
    y: str
    done: bool
    next: bool
    before: Mark | None = None


def mark_way(path: Path, *, next_number: int) -> list[Mark]:
    """Return the marks of all lessons, from the foot of the mountain to its top, ever steeper."""
    marks: list[Mark] = []
    for each in path.milestones:
        share = (each.number - 1) / max(1, len(path.milestones) - 1)
        x, y = f"{4 + 92 * share:.1f}", f"{88 - 72 * share**1.65:.1f}"
        before = marks[-1] if marks else None
        marks.append(Mark(each.number, x, y, each.done, each.number == next_number, before))
    return marks


def read_path(request: HttpRequest) -> Path:
    solved = read_progress(request).tasks
    known = [(each, [name_task(each, step) in solved for step in range(1, len(each.tasks) + 1)]) for each in LESSONS]
    return Path(tuple(Milestone(n, each, all(done), any(done)) for n, (each, done) in enumerate(known, 1)))


def find_next_lesson(request: HttpRequest) -> Milestone | None:
    """Return the first lesson that the reader has not done; None once all are done."""
    return read_path(request).next
