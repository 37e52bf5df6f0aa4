"""The lessons: positions that the engine sets up and checks, on the real board. Nothing is stored.

A lesson has two or three tasks. A task is a duel of PUPIL against TEACHER after some turns; one more turn, which the
pupil orders, must reach the goal. The teacher's orders for that turn are fixed, and secret as in any battle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.functional import Promise

from rules_engine import MageView, View, Viewer, look
from studies.selectors.positions import Position, begin_position, play_on

PUPIL, TEACHER = "Pupil", "Pipkin"
Moves = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LessonOutcome:
    """The result of a turn: the board before and after it, as everyone sees it, and the facts of its events."""

    before: View
    after: View
    events: tuple[tuple[str, dict[str, Any]], ...]

    def lost(self, mage: str) -> int:
        """Return how many hit points the mage lost in the turn."""
        was, now = self.before.mage(mage).hp, self.after.mage(mage).hp
        return (was or 0) - (now or 0)

    def played(self, mage: str) -> str:
        """Return the gestures of the turn, left before right."""
        seen = self.after.mage(mage)
        return seen.left[-1:] + seen.right[-1:]

    def cast(self, spell: str, target: str = "") -> bool:
        """Return whether the pupil cast this spell, on this target ("": on anyone)."""
        wanted = {"who": PUPIL, "spell": spell} | ({"target": target} if target else {})
        return any(kind == "casts" and wanted.items() <= facts.items() for kind, facts in self.events)

    def has(self, kind: str, **facts: str) -> bool:
        return any(each == kind and facts.items() <= known.items() for each, known in self.events)


Goal = Callable[[LessonOutcome], bool]


@dataclass(frozen=True)
class Task:
    """A position to solve: the task, and advice after a failed try.

    `moves` are the orders of both in the turns before, the pupil's first; `teacher` are the teacher's in this turn.
    `solution` are orders that reach the goal, and `mistake` orders that do not.
    """

    title: str | Promise
    words: str | Promise
    advice: str | Promise
    goal: Goal
    teacher: str
    solution: str
    mistake: str
    moves: Moves = ()
    hit_points: tuple[int, ...] = ()


@dataclass(frozen=True)
class Lesson:
    slug: str
    title: str | Promise
    about: str | Promise
    tasks: tuple[Task, ...]


def unhurt(turn: LessonOutcome) -> bool:
    return turn.lost(PUPIL) <= 0


def hurts(points: int) -> Goal:
    return lambda turn: turn.lost(TEACHER) >= points


def casts(spell: str, target: str = "") -> Goal:
    return lambda turn: turn.cast(spell, target)


def every(*goals: Goal) -> Goal:
    return lambda turn: all(goal(turn) for goal in goals)


def is_alive(mage: MageView) -> bool:
    return mage.standing not in ("dead", "surrendered")


@lru_cache(maxsize=64)
def set_up(task: Task) -> Position:
    position = begin_position(PUPIL, TEACHER, seed="lesson", bot=TEACHER, hit_points=task.hit_points)
    for mine, theirs in task.moves:
        position = play_on(position, {PUPIL: mine, TEACHER: theirs})
    return position


def play_task(task: Task, orders: str) -> tuple[Position, bool]:
    """Return the position after the pupil's orders, and whether they reached the goal."""
    before = set_up(task)
    after = play_on(before, {PUPIL: orders, TEACHER: task.teacher})
    everyone = Viewer.all_seeing()
    events = tuple((event.kind, dict(event.facts)) for event in after.events[-1])
    outcome = LessonOutcome(look(before.state, everyone), look(after.state, everyone), events)
    return after, task.goal(outcome)
