"""Add puzzles, from the committed file and from finished battles, and count first tries."""

from dataclasses import dataclass
from datetime import date, datetime
from time import monotonic
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.models import User
from duels.models import Battle
from ladder.glicko2 import Encounter, Skill, rate_day
from rules_engine import RulesError, write_event, write_orders, write_state
from rules_engine.puzzles import SURVIVE, WIN, WIN_IN_TWO, PuzzleProof, is_plain, prove
from studies.models import Puzzle, PuzzleSkill, PuzzleTry, SearchedBattle
from studies.models.puzzle import Skilled
from studies.selectors.positions import Position
from studies.selectors.puzzles import (
    TURNS_WITH_EVENTS,
    list_battles_to_search,
    list_committed_puzzles,
    list_last_positions,
    set_up_puzzle,
)

log = structlog.get_logger(__name__)

# Older than any site, so that a puzzle that comes with the program can be the one of the first day.
ADDED_WITH_PROGRAM = date(2000, 1, 1)
HARDEST, EASIER, EASIEST = 1800.0, 60.0, 1000.0
HARDER_IN_TWO = 150.0


@dataclass(frozen=True)
class RatingChange:
    """A puzzle rating before and after a first try."""

    before: int
    after: int


def add_committed_puzzles() -> int:
    """Add the puzzles that come with the program and are not here yet; return how many."""
    known = set(Puzzle.objects.filter(battle=None).values_list("key", flat=True))
    new = [written for written in list_committed_puzzles() if written["key"] not in known]
    rows = [_make_committed_puzzle(written, set_up_puzzle(written)) for written in new]
    Puzzle.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _make_committed_puzzle(written: dict[str, Any], position: Position, battle: Battle | None = None) -> Puzzle:
    return Puzzle(
        key=written["key"],
        kind=written["kind"],
        mage=written["mage"],
        **write_position(position),
        solutions=written["solutions"] if written["kind"] == WIN_IN_TWO else [],
        answers=written["answers"],
        reply=written["reply"],
        battle=battle,
        added_on=ADDED_WITH_PROGRAM,
        rating=guess_rating(written["kind"], columns=written["columns"][0]),
    )


def write_position(position: Position) -> dict[str, Any]:
    """Return the columns of a puzzle with its position; of early turns, only their labels."""
    long_past = max(len(position.events) - TURNS_WITH_EVENTS, 0)
    events = [[] if n < long_past else [write_event(each) for each in turn] for n, turn in enumerate(position.events)]
    return {"state": write_state(position.state), "events": events}


def guess_rating(kind: str, *, columns: int) -> float:
    """Return the rating of a puzzle before anyone has tried it: the more solutions, the easier."""
    rating = max(HARDEST - EASIER * columns, EASIEST)
    return rating + HARDER_IN_TWO if kind == WIN_IN_TWO else rating


def search_battles(*, now: datetime, limit: int, seconds: float) -> int:
    """Search the next finished battles for puzzles, for at most this many seconds; return how many were added."""
    added, end = 0, monotonic() + seconds
    for battle in list_battles_to_search(limit=limit):
        if monotonic() > end:
            break
        added += _search(battle, now=now)
    return added


def _search(battle: Battle, *, now: datetime) -> int:
    """Add the puzzles of a battle, once; return how many. One that cannot be searched has none, and holds up no
    other. If the process ends meanwhile, it is searched again."""
    try:
        puzzles = _find_puzzles(battle, now)
    except RulesError:
        puzzles = []  # an edition that this release no longer has
    except Exception:
        log.exception("a battle could not be searched for puzzles", battle=battle.number)
        puzzles = []
    with transaction.atomic():
        _, is_first = SearchedBattle.objects.get_or_create(battle=battle)
        if not is_first:
            return 0
        Puzzle.objects.bulk_create(puzzles, ignore_conflicts=True)
    return len(puzzles)


def _find_puzzles(battle: Battle, now: datetime) -> list[Puzzle]:
    """Return the last puzzle of each kind in a battle. Raises RulesError."""
    puzzles: dict[str, Puzzle] = {}
    for position in list_last_positions(battle):
        if not is_plain(position.state):
            continue
        for kind in (WIN, SURVIVE):
            for mage in position.mages:
                proof = None if kind in puzzles else prove(position.state, mage, kind)
                if proof is not None:
                    puzzles[kind] = _make_puzzle(battle, position, kind, mage, proof, now)
    return list(puzzles.values())


def _make_puzzle(battle: Battle, position: Position, kind: str, mage: str, proof: PuzzleProof, now: datetime) -> Puzzle:
    return Puzzle(
        key=f"{kind}-battle-{battle.number}",
        kind=kind,
        mage=mage,
        **write_position(position),
        answers=[write_orders(sheet) for sheet in proof.answers],
        battle=battle,
        added_on=now.date(),
        rating=guess_rating(kind, columns=proof.columns),
    )


def count_try(*, user: User, puzzle: Puzzle, solved: bool, now: datetime) -> RatingChange | None:
    """Count the first try of this user at this puzzle and rate both; return None if they had tried it before, even if
    the same try arrives several times at once."""
    if user.is_guest or PuzzleTry.objects.filter(user=user, puzzle=puzzle).exists():
        return None
    PuzzleSkill.objects.get_or_create(user=user)
    try:
        with transaction.atomic():
            # One after another: each rating is computed from the one before.
            row = (
                Puzzle.objects.select_for_update(no_key=True)
                .only("rating", "deviation", "volatility")
                .get(pk=puzzle.pk)
            )
            own = PuzzleSkill.objects.select_for_update(no_key=True).get(user=user)
            mine, theirs = _skill_of(own), _skill_of(row)
            after = rate_day(mine, [Encounter(theirs.rating, theirs.deviation, float(solved))])
            puzzle_after = rate_day(theirs, [Encounter(mine.rating, mine.deviation, float(not solved))])
            PuzzleTry.objects.create(
                user=user,
                puzzle=row,
                solved=solved,
                tried_at=now,
                rating_before=mine.rating,
                rating_after=after.rating,
            )
            PuzzleSkill.objects.filter(pk=own.pk).update(**_columns(after), tries=F("tries") + 1)
            Puzzle.objects.filter(pk=row.pk).update(
                **_columns(puzzle_after), tries=F("tries") + 1, solved=F("solved") + int(solved)
            )
    except IntegrityError:
        return None  # the same try, sent twice
    return RatingChange(round(mine.rating), round(after.rating))


def _skill_of(row: Skilled) -> Skill:
    return Skill(row.rating, row.deviation, row.volatility)


def _columns(skill: Skill) -> dict[str, float]:
    return {"rating": skill.rating, "deviation": skill.deviation, "volatility": skill.volatility}
