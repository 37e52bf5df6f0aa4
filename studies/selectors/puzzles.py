"""Read puzzles: positions, today's puzzle, the next one, and a user's rating."""

import datetime
import functools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Abs

from accounts.models import User
from duels.models import Battle, Turn, TurnEvent
from duels.selectors.stories import read_stored_event
from rules_engine import Event, read_event, read_orders, read_state
from rules_engine.puzzles import WIN_IN_TWO, Judge, Played, normalise, play
from studies.models import Puzzle, PuzzleSkill, PuzzleTry, SearchedBattle, SolvedPuzzle
from studies.selectors.positions import Position, begin_position, play_on

FILE = Path(__file__).parents[1] / "puzzles.jsonl"
# A prime: successive days lead through all puzzles, in mixed order.
STRIDE = 7919
# The number of turns searched before a battle's end, and of turns shown before a puzzle.
LAST_TURNS, TURNS_WITH_EVENTS = 4, 8
# With fewer first tries, the share of solved ones says nothing.
ENOUGH_TRIES = 10
KEPT_SECONDS = 300


@dataclass(frozen=True)
class PuzzleVerdict:
    """The result of a turn: whether it is right, the opponent's orders, and the turn itself.

    `has_more`: it is the right first turn of two.
    """

    is_right: bool
    has_more: bool
    played: Played


@functools.cache
def list_committed_puzzles() -> tuple[dict[str, Any], ...]:
    """Return the puzzles that come with the program, as `rules_engine.bots puzzles` wrote them."""
    return tuple(json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines())


def set_up_puzzle(written: dict[str, Any]) -> Position:
    mages = tuple(written["turns"][0])
    position = begin_position(
        *mages, ruleset=written["ruleset"], seed="puzzle", hit_points=tuple(written["hit_points"])
    )
    for orders in written["turns"]:
        position = play_on(position, orders)
    return position


def read_position(puzzle: Puzzle) -> Position:
    events = tuple(tuple(read_event(event) for event in turn) for turn in puzzle.events)
    labels = tuple((seq, str(seq)) for seq in range(1, len(events) + 1))
    return Position(read_state(puzzle.state), events, tuple({} for _ in events), labels, seed="puzzle")


def find_foe(position: Position, mage: str) -> str:
    return next(name for name in position.mages if name != mage)


def play_puzzle_on(position: Position, played: Played) -> Position:
    """Return the position after a turn."""
    return replace(
        position,
        state=played.state,
        events=(*position.events, played.events),
        played=(*position.played, {}),
        labels=(*position.labels, (position.state.seq, position.state.label)),
        befores={**position.befores, position.state.seq: position.state},
    )


def play_first_turn(puzzle: Puzzle, position: Position, orders: str) -> Position | None:
    """Return the position after the first of two turns; None if these orders are not a right one."""
    state, mage, foe = position.state, puzzle.mage, find_foe(position, puzzle.mage)
    sheet = normalise(state, mage, read_orders(state, mage, orders).sheet)
    if sheet not in [read_orders(state, mage, text).sheet for text in puzzle.solutions]:
        return None
    return play_puzzle_on(position, play(state, {mage: sheet, foe: read_orders(state, foe, puzzle.reply).sheet}))


def judge_turn(puzzle: Puzzle, position: Position, orders: str, *, is_second: bool = False) -> PuzzleVerdict:
    """Judge a turn of complete, valid orders against every answer, and play an answer that defeats it, otherwise a
    likely one.

    Raises rules_engine.puzzles.Unprovable if nothing can be said.
    """
    state, mage, foe = position.state, puzzle.mage, find_foe(position, puzzle.mage)
    kind = Puzzle.Kind.WIN.value if is_second else puzzle.kind
    sheet = normalise(state, mage, read_orders(state, mage, orders).sheet)
    known = [] if is_second else [read_orders(state, foe, text).sheet for text in puzzle.answers]
    if kind == WIN_IN_TWO:
        first = play_first_turn(puzzle, position, orders)
        if first is not None:
            answer = read_orders(state, foe, puzzle.reply).sheet
            return PuzzleVerdict(True, not first.state.over, play(state, {mage: sheet, foe: answer}))
        # Every other first turn is defeated by one of the known answers: the proof says so.
        refuted = Judge(state, mage, kind, known).refute(sheet) or known[0]
        return PuzzleVerdict(False, False, play(state, {mage: sheet, foe: refuted}))
    judge = Judge(state, mage, kind)
    judge.answers = [*known, *(answer for answer in judge.answers if answer not in known)]
    defeat = judge.refute(sheet)
    return PuzzleVerdict(defeat is None, False, play(state, {mage: sheet, foe: defeat or judge.answers[0]}))


def list_open_puzzles() -> QuerySet[Puzzle]:
    """Return the puzzles, except those of a battle that a janitor has reopened: their solution would help its players,
    and they show what their mage alone was told."""
    return Puzzle.objects.filter(Q(battle=None) | Q(battle__finished_at__isnull=False)).order_by("pk")


def find_daily_puzzle(*, today: datetime.date) -> Puzzle | None:
    """Return the puzzle of the day: the same for everyone all day, even if puzzles are added; another one if its battle
    is reopened."""
    known = Puzzle.objects.filter(added_on__lt=today).order_by("pk")
    count = known.count()
    if not count:
        return None
    chosen: Puzzle = known[_place_of_day(today, count)]
    if chosen.battle is None or chosen.battle.is_over:
        return chosen
    others = list_open_puzzles().filter(added_on__lt=today)
    return others.filter(pk__gt=chosen.pk).first() or others.first()


@dataclass(frozen=True)
class DailyPuzzle:
    """The puzzle of the day in short. `share`: how many of 100 first tries solve it, None while there are few."""

    pk: int
    kind: str
    share: int | None


def recall_daily_puzzle(*, today: datetime.date) -> DailyPuzzle | None:
    """Return it for a page that shows it beside other things: the share is at most KEPT_SECONDS old."""
    key = f"daily_puzzle/{today}"
    kept: tuple[DailyPuzzle | None] | None = cache.get(key)
    if kept is None:
        puzzle = find_daily_puzzle(today=today)
        kept = (DailyPuzzle(puzzle.pk, puzzle.kind, find_share(puzzle)) if puzzle else None,)
        cache.set(key, kept, KEPT_SECONDS)
    return kept[0]


def find_share(puzzle: Puzzle) -> int | None:
    """Return how many of 100 first tries solve it; None while there are few."""
    return round(100 * puzzle.solved / puzzle.tries) if puzzle.tries >= ENOUGH_TRIES else None


def _place_of_day(day: datetime.date, count: int) -> int:
    return day.toordinal() * STRIDE % count


@dataclass
class ListedPuzzle:
    """A puzzle in the list, and whether the reader has tried or solved it."""

    pk: int
    kind: str
    rating: float
    tried: bool
    has_solved: bool


def list_puzzles(user: User | None) -> list[ListedPuzzle]:
    """Return all puzzles, each with whether the user has tried it for the ratings, and whether they ever solved it."""
    tried = Exists(PuzzleTry.objects.filter(puzzle=OuterRef("pk"), user=user))
    solved = Exists(SolvedPuzzle.objects.filter(puzzle=OuterRef("pk"), user=user))
    return [ListedPuzzle(*row) for row in list_open_puzzles().values_list("pk", "kind", "rating", tried, solved)]


def find_next_puzzle(user: User | None, *, after: int) -> int | None:
    """Return the id of a puzzle that the user has neither tried nor solved, of about their strength; otherwise the next
    one."""
    others = list_open_puzzles().exclude(pk=after)
    if user is not None:
        skill = find_puzzle_skill(user)
        untried = others.exclude(first_tries__user=user).exclude(solvers__user=user)
        nearest = untried.order_by(Abs(F("rating") - (skill.rating if skill else 1300.0)), "pk")
        next_id: int | None = nearest.values_list("pk", flat=True).first()
        if next_id is not None:
            return next_id
    ids = others.values_list("pk", flat=True)
    return ids.filter(pk__gt=after).first() or ids.first()


def find_puzzle_skill(user: User) -> PuzzleSkill | None:
    """Return a user's puzzle rating; None before their first try."""
    return PuzzleSkill.objects.filter(user=user).first()


def find_first_try(user: User, puzzle: Puzzle) -> PuzzleTry | None:
    return PuzzleTry.objects.filter(user=user, puzzle=puzzle).first()


def list_battles_to_search(*, limit: int) -> list[Battle]:
    """Return finished duels in which a person played and that were not searched for puzzles, the oldest first."""
    duels = Battle.objects.filter(status=Battle.Status.FINISHED, kind=Battle.Kind.DUEL)
    duels = duels.exclude(company=Battle.Company.BOTS).exclude(pk__in=SearchedBattle.objects.values("battle"))
    return list(duels.order_by("pk")[:limit])


def list_last_positions(battle: Battle) -> list[Position]:
    """Return the positions before the last turns of a finished battle, the last one first."""
    turns = list(Turn.objects.filter(battle=battle, taken_back_by=None, resolved_at__isnull=False).order_by("seq"))
    events: dict[int, list[Event]] = {}
    for row in TurnEvent.objects.filter(battle=battle, turn__in=turns).order_by("n"):
        events.setdefault(row.turn_id, []).append(read_stored_event(row))
    positions = []
    for place in range(len(turns) - 1, max(len(turns) - 1 - LAST_TURNS, 0), -1):
        before = tuple(tuple(events.get(turn.pk, ())) for turn in turns[:place])
        labels = tuple((turn.seq, turn.label) for turn in turns[:place])
        positions.append(Position(read_state(turns[place].before), before, (), labels, seed="puzzle"))
    return positions
