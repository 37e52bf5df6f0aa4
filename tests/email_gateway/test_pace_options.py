"""PACE, WEEKENDS, NIGHTS and RELIABLE among the options of NEWGAME and CHANGEGAME."""

import pytest

from email_gateway.commands.challenge import make_terms
from email_gateway.commands.game_options import read_options
from email_gateway.errors import OrderRejected


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("pace fast", {"pace": "fast"}),
        ("open, pace SL, weekends", {"mages_per_user": 1, "pace": "slow", "weekends": True}),
        ("PACE bank NIGHTS RELIABLE 90%", {"pace": "bank", "nights": True, "reliable": 90}),
        ("weekends nights allweek allnight", {"weekends": False, "nights": False}),
    ],
)
def test_options_about_time_are_read_literally(text, change):
    game = read_options(text, order="NEWGAME")
    assert (game.problems, game.change) == ([], change)
    terms = make_terms(game.change)
    assert all(getattr(terms, name, value) == value for name, value in change.items())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "pace",
            "PACE needs one of these after it: classic, slow, fast, day, threeday, bank, live1, live3, live5, live.",
        ),
        ("pace hasty", "PACE needs one of these"),
        ("reliable 101", "RELIABLE needs a number from 0 to 100"),
        ("reliable", "RELIABLE needs a number"),
    ],
)
def test_an_unknown_pace_is_rejected_with_a_list_of_paces(text, problem):
    assert any(problem in said for said in read_options(text, order="CHANGEGAME").problems)


def test_live_clocks_do_not_rest():
    with pytest.raises(OrderRejected, match="At live pace, clocks cannot rest"):
        make_terms(read_options("pace live nights", order="NEWGAME").change)
