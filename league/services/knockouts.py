"""Leading a knock-out through its bracket. Each board begins as soon as both its mages are known."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from league.models import Cup, Pairing, Place
from league.rules.knockout import arrange, count_rounds, decide_board, pair_first_round
from league.services.cup_duels import begin_cup_duel, give_bye, take_result
from league.services.cup_notices import notify_of_bye, notify_of_end, notify_out, notify_through, tell_hooks_of_cup

Seed = int | Literal["open"] | None


def begin_knockout(*, cup: Cup, places: Sequence[Place], now: datetime) -> None:
    """Pair the first round, and begin its duels."""
    by_seed = {place.slot: place for place in places}
    pairs = pair_first_round([place.slot for place in places if place.slot], cup.size)
    for board, (first, second) in enumerate(pairs, 1):
        if first is not None:
            _pair_board(cup, 1, board, by_seed[first], by_seed[second] if second is not None else None, now)
    advance_knockout(cup=cup, now=now)


def advance_knockout(*, cup: Cup, now: datetime) -> bool:
    """Take the results of duels that are over, and begin those whose mages are known; end the cup after the final.
    Return whether anything changed.

    Once the next duel of a board's winner has begun, a corrected result changes nothing here.
    """
    changed = False
    bracket = Bracket(cup)
    for number in range(1, bracket.rounds + 1):
        for board in range(1, bracket.count_boards(number) + 1):
            changed |= _advance_board(bracket, number, board, now)
    if bracket.winner != "open":
        _end(bracket, now)
        changed = True
    return changed


class Bracket:
    """The boards of a knock-out as they are stored."""

    def __init__(self, cup: Cup) -> None:
        self.cup = cup
        self.rounds = count_rounds(cup.size)
        self.places = {place.slot: place for place in cup.places.select_related("user", "mage__user")}
        known = {place.pk: place for place in self.places.values()}
        self.games: dict[tuple[int, int], list[Pairing]] = {}
        for pairing in cup.pairings.select_related("battle").order_by("round", "board", "game"):
            pairing.first = known[pairing.first_id]
            pairing.second = known[pairing.second_id] if pairing.second_id else None
            self.games.setdefault((pairing.round, pairing.board), []).append(pairing)

    def count_boards(self, number: int) -> int:
        return 1 << (self.rounds - number)

    @property
    def winner(self) -> Seed:
        return self.find_winner(self.rounds, 1)

    def find_pair(self, number: int, board: int) -> tuple[Seed, Seed]:
        """Return the seeds on a board, the higher first, whether or not their duel has begun; "open" if not known."""
        games = self.games.get((number, board))
        if games:
            second = games[0].second
            return games[0].first.slot, second.slot if second else None
        if number == 1:
            return None, None
        one, other = (self.find_winner(number - 1, each) for each in (2 * board - 1, 2 * board))
        if one == "open" or other == "open":
            return one, other
        return arrange(self._still_in(one), self._still_in(other))

    def _still_in(self, seed: int | None) -> int | None:
        return seed if seed is not None and self.places[seed].left_at is None else None

    def find_winner(self, number: int, board: int) -> Seed:
        """Return the seed that goes on from a board, None if nobody does, or "open"."""
        first, second = self.find_pair(number, board)
        if first == "open" or second == "open":
            return "open"
        games = self.games.get((number, board), [])
        if not games:
            return "open" if first is not None else None
        if any(game.battle is not None and not game.battle.is_over for game in games):
            return "open"
        return decide_board(first, second, [game.result for game in games if game.result])  # type: ignore[misc]

    def has_next(self, number: int, board: int) -> bool:
        """Return whether the board that this one leads to is paired."""
        return (number + 1, (board + 1) // 2) in self.games


def _advance_board(bracket: Bracket, number: int, board: int, now: datetime) -> bool:
    cup = bracket.cup
    games = bracket.games.get((number, board), [])
    changed = False
    if games and not bracket.has_next(number, board):
        changed = take_result(pairing=games[-1], now=now)
    first, second = bracket.find_pair(number, board)
    if not isinstance(first, int) or second == "open":
        return changed
    if not games:
        other = bracket.places[second] if second is not None else None
        games = bracket.games[number, board] = [_pair_board(cup, number, board, bracket.places[first], other, now)]
        changed = True
    elif games[-1].decided_at is not None and bracket.find_winner(number, board) == "open" and _is_over(games[-1]):
        games.append(_pair_again(games[-1]))
        changed = True
    if games[-1].decided_at is None:
        changed |= begin_cup_duel(cup=cup, pairing=games[-1], now=now)
    if changed and games[-1].decided_at is not None:
        _tell_of_board(bracket, number, board, now)
    return changed


def _is_over(game: Pairing) -> bool:
    return game.battle is None or game.battle.is_over


def _pair_board(cup: Cup, number: int, board: int, first: Place, second: Place | None, now: datetime) -> Pairing:
    if number > cup.round:
        cup.round, cup.round_began_at = number, now
        cup.save(update_fields=["round", "round_began_at"])
    if second is None:
        bye = give_bye(cup=cup, round_number=number, board=board, place=first, now=now)
        notify_of_bye(cup, bye, now=now)
        return bye
    return Pairing.objects.create(cup=cup, round=number, board=board, first=first, second=second)


def _pair_again(game: Pairing) -> Pairing:
    """Return the second duel of two who drew."""
    again = Pairing(
        cup=game.cup, round=game.round, board=game.board, game=game.game + 1, first=game.first, second=game.second
    )
    again.save()
    return again


def _tell_of_board(bracket: Bracket, number: int, board: int, now: datetime) -> None:
    """Tell both of a board that is decided whether they go on. The final is told with the end of the cup."""
    winner = bracket.find_winner(number, board)
    game = bracket.games[number, board][-1]
    if winner == "open" or number == bracket.rounds or game.decided_by == Pairing.DecidedBy.BYE:
        return
    for place in (game.first, game.second):
        if place is None or place.left_at is not None:
            continue
        if place.slot == winner:
            notify_through(bracket.cup, place, round_number=number, now=now)
        else:
            notify_out(bracket.cup, place, round_number=number, now=now)


def _end(bracket: Bracket, now: datetime) -> None:
    """Write the ranks: those who lost in the same round share one."""
    cup = bracket.cup
    for place in bracket.places.values():
        place.rank = None
    for number in range(1, bracket.rounds + 1):
        for board in range(1, bracket.count_boards(number) + 1):
            for game in bracket.games.get((number, board), []):
                for each in (game.first, game.second):
                    if each is not None:
                        each.rank = bracket.count_boards(number) + 1
    winner = bracket.places[bracket.winner] if isinstance(bracket.winner, int) else None
    if winner is not None:
        winner.rank = 1
    Place.objects.bulk_update(bracket.places.values(), ["rank"])
    cup.closed_at = now
    cup.save(update_fields=["closed_at"])
    notify_of_end(cup, [place for place in bracket.places.values() if place.rank in (1, 2)], now=now)
    tell_hooks_of_cup(cup, "ends", winner=winner.mage.name if winner else "", now=now)
