"""A reader's path through the lessons: which tasks are solved, and which spells puzzles made them cast, as a cookie of
their browser says."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify

from rules_engine import get_ruleset
from studies.lesson_tasks import LESSONS
from studies.lessons import Lesson

RULESET = "firetop-standard"
# The cookie with the tasks solved in this browser, and the spells cast in puzzles: "hands-1.shield-1.cast-fear".
COOKIE, LIFE_OF_COOKIE = "learned", 365 * 24 * 3600


@dataclass(frozen=True)
class Milestone:
    """A lesson on a reader's path. `done`: all its tasks are solved; `begun`: some are."""

    number: int
    lesson: Lesson
    done: bool
    begun: bool


@dataclass(frozen=True)
class Path:
    """All lessons, with what one browser has solved; `next` is the first that is not done."""

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
    """Return the lessons and which of them are solved in this browser."""
    solved = read_solved(request)
    known = [(each, [name_task(each, step) in solved for step in range(1, len(each.tasks) + 1)]) for each in LESSONS]
    return Path(tuple(Milestone(n, each, all(done), any(done)) for n, (each, done) in enumerate(known, 1)))


def find_next_lesson(request: HttpRequest) -> Milestone | None:
    """Return the first lesson that is not done in this browser; None once all are done."""
    return read_path(request).next


def name_task(lesson: Lesson, step: int) -> str:
    """Return the name of a task in the cookie."""
    return f"{lesson.slug}-{step}"


def read_solved(request: HttpRequest) -> set[str]:
    """Return the existing tasks that were solved in this browser."""
    known = {name_task(lesson, step) for lesson in LESSONS for step in range(1, len(lesson.tasks) + 1)}
    return known & _read_cookie(request)


def read_cast(request: HttpRequest) -> set[str]:
    """Return the spells that puzzles solved in this browser made the reader cast."""
    found = _read_cookie(request)
    return {spell for spell in get_ruleset(RULESET).spells if _name_cast(spell) in found}


def remember(
    request: HttpRequest, answer: HttpResponse, *, solved: Collection[str] = (), cast: Collection[str] = ()
) -> None:
    """Add solved tasks, by their names in the cookie, and spells cast in puzzles to the cookie of this browser."""
    spells = read_cast(request) | (set(cast) & set(get_ruleset(RULESET).spells))
    names = read_solved(request) | set(solved) | {_name_cast(spell) for spell in spells}
    answer.set_cookie(COOKIE, ".".join(sorted(names)), max_age=LIFE_OF_COOKIE, httponly=True, samesite="Lax")


def _read_cookie(request: HttpRequest) -> set[str]:
    return set(request.COOKIES.get(COOKIE, "")[:3000].split("."))


def _name_cast(spell: str) -> str:
    return f"cast-{slugify(spell)}"
