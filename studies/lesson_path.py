"""A reader's path through the lessons: which tasks are solved, as a cookie of their browser says."""

from dataclasses import dataclass

from django.http import HttpRequest

from studies.lesson_tasks import LESSONS
from studies.lessons import Lesson

# The cookie with the tasks solved in this browser: "hands-1.hands-2.shield-1".
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
    return known & set(request.COOKIES.get(COOKIE, "")[:2000].split("."))
