"""The pairings and the table of a Swiss evening."""

from hypothesis import given, settings
from hypothesis import strategies as st

from league.rules.swiss import ROUNDS, Game, Player, make_table, pair_round
from tests.cpu_time import count_loops

RESULTS = ("won", "drew", "lost")
OPPOSITE = {"won": "lost", "drew": "drew", "lost": "won"}


def play_round(players: list[Player], results: list[str], rounds_left: int = 0) -> list[Player]:
    games = {}
    for (first, second), result in zip(pair_round(players, rounds_left=rounds_left), results, strict=False):
        if second is None:
            games[first] = Game(None, "bye")
        else:
            games[first], games[second] = Game(second, result), Game(first, OPPOSITE[result])
    return [Player(each.seed, each.seed, (*each.games, games[each.seed])) for each in players]


@st.composite
def evenings(draw, most=16):
    """An evening after some rounds, from which some may have gone."""
    number = draw(st.integers(min_value=2, max_value=most))
    players = [Player(seed, seed) for seed in range(1, number + 1)]
    for _ in range(draw(st.integers(min_value=0, max_value=ROUNDS - 1))):
        results = draw(st.lists(st.sampled_from(RESULTS), min_size=len(players), max_size=len(players)))
        players = play_round(players, results)
        gone = draw(st.sets(st.sampled_from([each.seed for each in players]), max_size=2))
        players = [each for each in players if each.seed not in gone] if len(players) - len(gone) >= 2 else players
    return players


def count_faults(players, pairs):
    """Return what a pairing is judged by, the weightiest first, without the code under test."""
    by_seed = {each.seed: each for each in players}
    order = sorted(players, key=lambda each: (each.points, -each.seed))
    second_byes = rematches = height = distance = 0
    for first, second in pairs:
        if second is None:
            second_byes += any(game.opponent is None for game in by_seed[first].games)
            height = order.index(by_seed[first])
        else:
            rematches += any(game.opponent == second for game in by_seed[first].games)
            distance += abs(by_seed[first].points - by_seed[second].points)
    return second_byes, rematches, height, distance


def list_pairings(seeds):
    if not seeds:
        yield []
        return
    first, *rest = seeds
    for at, second in enumerate(rest):
        for others in list_pairings(rest[:at] + rest[at + 1 :]):
            yield [(first, second), *others]


@given(players=evenings())
@settings(deadline=None)
def test_everybody_is_paired_once_and_nobody_twice(players):
    pairs = pair_round(players)
    seeds = [seed for pair in pairs for seed in pair if seed is not None]
    assert sorted(seeds) == sorted(each.seed for each in players)
    assert sum(second is None for _, second in pairs) == len(players) % 2
    assert all(second is not None for _, second in pairs[:-1]), "a bye comes last"


@given(players=evenings(most=7))
@settings(deadline=None)
def test_no_pairing_is_better(players):
    """No second bye or rematch while it can be avoided, the bye to the lowest, and then the least distance."""
    seeds = [each.seed for each in players]
    whole = [*seeds, None] if len(seeds) % 2 else seeds
    turned = (
        [(second, first) if first is None else (first, second) for first, second in each]
        for each in list_pairings(whole)
    )
    assert count_faults(players, pair_round(players)) == min(count_faults(players, each) for each in turned)


@given(data=st.data(), number=st.integers(min_value=6, max_value=16))
@settings(deadline=None)
def test_six_or_more_play_four_rounds_without_a_rematch_or_a_second_bye(data, number):
    players = [Player(seed, seed) for seed in range(1, number + 1)]
    for left in range(ROUNDS - 1, -1, -1):
        results = data.draw(st.lists(st.sampled_from(RESULTS), min_size=number, max_size=number))
        players = play_round(players, results, left)
    for player in players:
        assert len(player.games) == ROUNDS
        assert len({game.opponent for game in player.games}) == ROUNDS


def test_the_first_round_lets_the_upper_half_meet_the_lower():
    assert pair_round([Player(seed) for seed in (5, 3, 1, 2, 4)]) == [(1, 3), (2, 4), (5, None)]


def test_the_bye_goes_to_the_lowest_who_has_had_none():
    players = play_round([Player(seed, seed) for seed in range(1, 6)], ["won", "won", ""])
    assert [each.points for each in players] == [1, 1, 0, 0, 1]
    assert (4, None) in pair_round(players)


def test_sixteen_are_paired_at_once():
    players = [Player(seed, seed) for seed in range(1, 17)]
    for _ in range(ROUNDS - 1):
        players = play_round(players, ["won", "lost", "drew", "won"] * 2)
    assert count_loops(lambda: pair_round(players)) < 10


def test_equal_points_are_decided_by_the_opponents_then_by_those_beaten_then_by_the_earlier_sign_up():
    players = [
        Player(1, 3, (Game(2, "won"), Game(3, "lost"))),
        Player(2, 2, (Game(1, "lost"), Game(4, "won"))),
        Player(3, 1, (Game(4, "drew"), Game(1, "won"))),
        Player(4, 4, (Game(3, "drew"), Game(2, "lost"))),
        Player(5, 5, (Game(None, "bye"),)),
        Player(6, 6, (Game(None, "bye"),)),
    ]
    rows = make_table(players)
    assert [(row.seed, row.points, row.strength, row.beaten) for row in rows] == [
        (3, 1.5, 1.5, 1.25),
        (1, 1, 2.5, 1),
        (2, 1, 1.5, 0.5),
        (5, 1, 0, 0),
        (6, 1, 0, 0),
        (4, 0.5, 2.5, 0.75),
    ]
