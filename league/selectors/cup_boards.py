"""The boards of a cup as its page shows them: who meets whom, how it stands, and where to watch it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from duels.selectors.battle_lists import ShownBattle, list_battles_by_number
from duels.selectors.spectators import count_spectators
from league.cup_words import name_board, name_round, say_how_decided
from league.models import Cup, Pairing, Place
from league.rules.knockout import MOST_DRAWS, count_rounds
from pictures.selectors.small_boards import SmallBoard, read_small_boards

LETTERS = {
    Pairing.Result.FIRST: ("W", "L"),
    Pairing.Result.SECOND: ("L", "W"),
    Pairing.Result.DRAW: ("D", "D"),
    Pairing.Result.NONE: ("L", "L"),
}
Leads = Literal["", "play", "open", "watch", "replay"]


@dataclass(frozen=True)
class Seat:
    """One side of a board: a mage, or the words for someone still to come. `letter` is W, D or L; `hp` the hit points
    while the duel runs."""

    name: str
    arms: str = ""
    is_known: bool = True
    letter: str = ""
    hp: int | None = None
    is_yours: bool = False


@dataclass(frozen=True)
class Board:
    """A board of a cup. `caption` says how it stands, and `leads` where its link goes: to the battle `number` to play,
    open or watch, or to its replay. `owes`: it waits for the reader."""

    seats: tuple[Seat, ...]
    caption: str
    number: int = 0
    leads: Leads = ""
    owes: bool = False
    is_yours: bool = False
    is_decided: bool = False

    @property
    def title(self) -> str:
        """Who meets whom, for those who hear it: "Ayla against Hild"."""
        return _(" against ").join(seat.name for seat in self.seats)


@dataclass(frozen=True)
class Round:
    """A round of a cup: its name, its state ("over", "now", "next") and its boards."""

    number: int
    title: str
    state: str
    boards: list[Board] = field(default_factory=list)

    @property
    def is_now(self) -> bool:
        return self.state == "now"

    @property
    def running(self) -> list[Board]:
        return [board for board in self.boards if board.number and not board.is_decided]


def list_rounds(cup: Cup, reader: User | None) -> list[Round]:
    """Return the rounds of a cup that has begun, with their boards: of a knock-out also those to come."""
    pairings = list(_read_pairings(cup))
    boards = _Boards(pairings, reader)
    by_place: dict[tuple[int, int], list[Pairing]] = {}
    for pairing in pairings:
        by_place.setdefault((pairing.round, pairing.board), []).append(pairing)
    if cup.is_live:
        return [_make_round(cup, number, cup.round, by_place, boards) for number in range(1, cup.round + 1)]
    total = count_rounds(cup.size)
    rounds = [_make_round(cup, number, total, by_place, boards) for number in range(1, total + 1)]
    # Rounds of a knock-out overlap: the one being played is the first that has a board to play.
    first = next((each for each in rounds if not all(board.is_decided for board in each.boards)), None)
    if first is None or cup.is_over:
        return [Round(each.number, each.title, "over", each.boards) for each in rounds]
    states = [("over", "now", "next")[(each.number >= first.number) + (each.number > first.number)] for each in rounds]
    return [Round(each.number, each.title, state, each.boards) for each, state in zip(rounds, states, strict=True)]


def _read_pairings(cup: Cup) -> Iterable[Pairing]:
    return cup.pairings.select_related(
        "first__mage__user", "second__mage__user", "first__user", "second__user"
    ).order_by("round", "board", "game")


def _make_round(
    cup: Cup, number: int, total: int, by_place: Mapping[tuple[int, int], list[Pairing]], boards: "_Boards"
) -> Round:
    title = name_round(cup.kind, number, cup.size)
    if cup.is_live:
        shown = [boards.show(games[-1]) for (at, _board), games in by_place.items() if at == number]
        # Readers come first to their own board.
        shown.sort(key=lambda board: not board.is_yours)
        return Round(number, title, "now" if number == cup.round and not cup.is_over else "over", shown)
    shown = []
    for board in range(1, 2 ** (total - number) + 1):
        games = by_place.get((number, board))
        shown.append(boards.show(games[-1]) if games else _show_to_come(cup, number, board, total, by_place))
    return Round(number, title, "next", shown)


def _show_to_come(
    cup: Cup, number: int, board: int, total: int, by_place: Mapping[tuple[int, int], list[Pairing]]
) -> Board:
    """Return a board whose duel has not begun: who is known already, whose winner is still to come, and where nobody
    is."""
    nobody = Board((Seat(_("nobody"), is_known=False), Seat(_("nobody"), is_known=False)), "", is_decided=True)
    if number == 1 or cup.is_over:
        return nobody
    feeders = (2 * board - 1, 2 * board)
    winners = [_find_winner(number - 1, feeder, by_place) for feeder in feeders]
    if winners == [None, None]:
        return nobody
    seats = []
    for feeder, winner in zip(feeders, winners, strict=True):
        if winner == "open":
            where = name_board(number - 1, feeder, total)
            seats.append(Seat(_("Winner of %(board)s") % {"board": where}, is_known=False))
        elif winner is None:
            seats.append(Seat(_("nobody"), is_known=False))
        else:
            seats.append(Seat(winner.mage.name, winner.mage.arms))
    return Board(tuple(seats), _("to come"))


def _find_winner(
    number: int, board: int, by_place: Mapping[tuple[int, int], list[Pairing]]
) -> Place | Literal["open"] | None:
    """Return who goes on from a board, None if nobody does, or "open". A winner who has left doesn't."""
    games = by_place.get((number, board))
    if not games:
        feeders = (2 * board - 1, 2 * board)
        is_empty = number == 1 or all(_find_winner(number - 1, each, by_place) is None for each in feeders)
        return None if is_empty else "open"
    game = games[-1]
    if game.decided_at is None or (game.result == Pairing.Result.DRAW and game.game < MOST_DRAWS):
        return "open"
    if game.result == Pairing.Result.NONE:
        return None
    winner = game.second if game.result == Pairing.Result.SECOND else game.first
    return winner if winner is not None and winner.left_at is None else None


class _Boards:
    """Makes boards from pairings, with what everyone may see of their battles; few queries for all."""

    def __init__(self, pairings: Sequence[Pairing], reader: User | None) -> None:
        self.reader = reader
        ids = [each.battle_id for each in pairings if each.battle_id is not None]
        numbers = dict(Pairing.objects.filter(battle__in=ids).values_list("pk", "battle__number")) if ids else {}
        self.numbers: dict[int, int] = numbers
        rows = list_battles_by_number(numbers.values(), reader) if numbers else []
        self.rows: dict[int, ShownBattle] = {row.number: row for row in rows}
        running = [row for row in rows if not row.battle.is_over]
        self.hit_points: dict[int, SmallBoard] = read_small_boards(running)
        self.spectators = count_spectators(row.number for row in running)

    def show(self, pairing: Pairing) -> Board:
        row = self.rows.get(self.numbers.get(pairing.pk, 0))
        yours = self.reader is not None and self.reader.pk in (
            pairing.first.user_id,
            pairing.second.user_id if pairing.second else None,
        )
        if pairing.second is None:
            return Board((self._seat(pairing.first, row, "W"),), _("a bye"), is_yours=yours, is_decided=True)
        letters = LETTERS[Pairing.Result(pairing.result)] if pairing.result else ("", "")
        places = (pairing.first, pairing.second)
        seats = tuple(self._seat(place, row, letter) for place, letter in zip(places, letters, strict=True))
        if row is None:
            return Board(seats, say_how_decided(pairing), is_yours=yours, is_decided=pairing.decided_at is not None)
        owes = bool(row.owes) and not row.battle.is_over and pairing.decided_at is None
        return Board(
            seats,
            self._say(pairing, row, owes),
            number=row.number,
            leads=self._lead(row, yours, owes),
            owes=owes,
            is_yours=yours,
            is_decided=pairing.decided_at is not None,
        )

    def _seat(self, place: Place, row: ShownBattle | None, letter: str) -> Seat:
        """Return the side of a place: the mage who fights in the duel, even if the place has another one now."""
        yours = self.reader is not None and place.user_id == self.reader.pk
        name, arms, hp = place.mage.name, place.mage.arms, None
        if row is not None and place.user.username in row.users:
            at = row.users.index(place.user.username)
            name, arms = row.mages[at], row.arms[at]
            board = self.hit_points.get(row.number)
            hp = next((mage.hp for mage in board.mages if mage.name == name), None) if board else None
        return Seat(name, arms, letter=letter, hp=None if letter else hp, is_yours=yours)

    def _say(self, pairing: Pairing, row: ShownBattle, owes: bool) -> str:
        if owes:
            return _("Turn %(turn)s: your move") % {"turn": row.label}
        words = [_("turn %(turn)s") % {"turn": row.label}]
        if pairing.game > 1:
            words.insert(0, _("again after a draw"))
        if pairing.decided_at is not None:
            words.append(say_how_decided(pairing))
        elif watching := self.spectators.get(row.number, 0):
            words.append(ngettext("%(count)s watching", "%(count)s watching", watching) % {"count": watching})
        return ", ".join(filter(None, words))

    def _lead(self, row: ShownBattle, yours: bool, owes: bool) -> Leads:
        if row.battle.is_over:
            return "replay"
        return "play" if owes else "open" if yours else "watch"
