"""What a reader has solved: stored in their account; for strangers and guests, in a cookie of their browser.

At the first page after a log-in or sign-up, the cookie's progress goes into the account (studies.progress_middleware).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify

from accounts.models import User
from operations.web.numbers import parse_number
from rules_engine import get_ruleset
from studies.lesson_tasks import LESSONS
from studies.selectors.learning import Learning, recall_learning

if TYPE_CHECKING:
    from studies.lessons import Lesson

RULESET = "firetop-standard"
MEMORY = "_learning"
# The cookie: tasks, spells that puzzles made the reader cast, and puzzles: "hands-1.shield-1.cast-fear.p12".
COOKIE, LIFE_OF_COOKIE = "learned", 365 * 24 * 3600
# Browsers keep 4096 bytes with the name. The oldest puzzles go first.
LONGEST_COOKIE = 3000


@dataclass(frozen=True)
class Progress:
    """Solved tasks by their names, spells cast in puzzles, and the numbers of solved puzzles, in the order in which
    they were solved."""

    tasks: frozenset[str] = frozenset()
    spells: frozenset[str] = frozenset()
    puzzles: tuple[int, ...] = ()

    @property
    def steps(self) -> frozenset[str]:
        """The names under which tasks and spells are stored."""
        return self.tasks | {name_cast(spell) for spell in self.spells}

    def __or__(self, other: Progress) -> Progress:
        puzzles = tuple(dict.fromkeys((*self.puzzles, *other.puzzles)))
        return Progress(self.tasks | other.tasks, self.spells | other.spells, puzzles)


def name_task(lesson: Lesson, step: int) -> str:
    return f"{lesson.slug}-{step}"


def name_cast(spell: str) -> str:
    return f"cast-{slugify(spell)}"


def account_of(request: HttpRequest) -> User | None:
    """Return the reader's account; None for strangers and guests."""
    return request.user if isinstance(request.user, User) and not request.user.is_guest else None


def learning_of(request: HttpRequest) -> Learning:
    """Return what is stored about the reader, read once for a request; nothing for strangers and guests."""
    known: Learning | None = getattr(request, MEMORY, None)
    if known is None:
        user = account_of(request)
        known = recall_learning(user) if user else Learning()
        setattr(request, MEMORY, known)
    return known


def forget_learning(request: HttpRequest) -> None:
    """Make the next reader of this request read it again: something was stored."""
    if hasattr(request, MEMORY):
        delattr(request, MEMORY)


def read_progress(request: HttpRequest) -> Progress:
    """Return the tasks and spells of the reader, and the puzzles that their browser knows of."""
    return read_cookie(request) | read_steps(learning_of(request).steps)


def read_cookie(request: HttpRequest) -> Progress:
    names = request.COOKIES.get(COOKIE, "")[:LONGEST_COOKIE].split(".")
    numbers = [parse_number(name[1:]) for name in names if name[:1] == "p"]
    puzzles = [number for number in numbers if number is not None]
    return read_steps(names) | Progress(puzzles=tuple(dict.fromkeys(puzzles)))


def write_cookie(progress: Progress) -> str:
    names = sorted(progress.steps)
    room = LONGEST_COOKIE - len(".".join(names))
    puzzles: list[str] = []
    for number in reversed(progress.puzzles):
        room -= len(f".p{number}")
        if room < 0:
            break
        puzzles.insert(0, f"p{number}")
    return ".".join([*names, *puzzles])


def read_steps(names: Iterable[str]) -> Progress:
    """Return the progress with these names of tasks and spells; others are ignored."""
    found, (tasks, spells) = frozenset(names), _list_names()
    return Progress(found & tasks, frozenset(spell for name, spell in spells.items() if name in found))


def remember_in_browser(request: HttpRequest, answer: HttpResponse, progress: Progress) -> None:
    """Add this progress to what the reader's browser keeps."""
    text = write_cookie(read_cookie(request) | progress)
    answer.set_cookie(COOKIE, text, max_age=LIFE_OF_COOKIE, httponly=True, samesite="Lax")


def forget_in_browser(answer: HttpResponse) -> None:
    answer.delete_cookie(COOKIE, samesite="Lax")


def list_known_spells(spells: Collection[str]) -> frozenset[str]:
    """Return those of these spells that the shelf knows."""
    return frozenset(spells) & frozenset(get_ruleset(RULESET).spells)


@lru_cache(maxsize=1)
def _list_names() -> tuple[frozenset[str], dict[str, str]]:
    """Return the names of all tasks, and the spell of each name."""
    tasks = frozenset(name_task(lesson, step) for lesson in LESSONS for step in range(1, len(lesson.tasks) + 1))
    return tasks, {name_cast(spell): spell for spell in get_ruleset(RULESET).spells}
