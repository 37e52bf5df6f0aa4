"""The options of NEWGAME and CHANGEGAME."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.reserved_words import WORDS as RESERVED
from email_gateway.commands.game_options import BY_NAME, OPTIONS, GameOptions, read_options, write_options

pytestmark = pytest.mark.once


def read(text: str) -> GameOptions:
    return read_options(text, order="NEWGAME")


def change(text: str) -> GameOptions:
    return read_options(text, order="CHANGEGAME")


def test_naming_mages_challenges_them():
    """FM-ORDNEW-3, FM-ORDCHG-2: ADD is the same."""
    game = read("CHALLENGE Froodal Gandalf")
    assert (game.change, game.is_open, game.problems) == ({"add": ["Froodal", "Gandalf"]}, False, [])
    assert read("add Froodal, Gandalf") == game == change("ADD Froodal challenge Gandalf")


def test_the_example_of_the_rules_is_read():
    """FM-ORDNEW-1, FM-ORDNEW-18: nothing in a comment is an option."""
    game = read("OPEN, LIMIT 4, COMMENT Looking for a fast battle, OPEN to all!")
    assert game.change == {"mages_per_user": 1, "limit": 4, "comment": "Looking for a fast battle, OPEN to all!"}
    assert game.is_open and not game.problems


def test_commas_may_be_left_out_and_stand_anywhere():
    assert read("challenge Froodal,Gandalf limit 3") == read("challenge Froodal, Gandalf, limit 3,")
    assert read("open,limit 4,comment fast") == read("open limit 4 comment fast")


def test_open_takes_a_number():
    """FM-ORDNEW-4, FM-ORDNEW-5, FM-ORDNEW-6."""
    assert read("open").change == {"mages_per_user": 1}
    assert read("open 0").change == {"mages_per_user": 0}
    assert read("open 3").change == {"mages_per_user": 3}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open, closed", {"mages_per_user": None}),
        ("closed, open 2", {"mages_per_user": 2}),
        ("limit 4, open, nolimit", {"mages_per_user": 1, "limit": None}),
        ("nolimit limit 3", {"limit": 3}),
        ("authoritarian democratic", {"authoritarian": False}),
        ("friendly, rated", {"stakes": "ladder"}),
        ("ladder veryfriendly, friendly", {"stakes": "friendly"}),
        ("friendly, band", {"stakes": "band"}),
        ("band nogain", {"stakes": "no-gain"}),
        ("final, replaceable", {"orders_final": False}),
        ("talk, notalk", {"chat": False}),
        ("open, challenge Bung, exclude bung", {"mages_per_user": 1, "add": [], "exclude": ["bung"]}),
        ("open, exclude Bung, challenge BUNG", {"mages_per_user": 1, "exclude": [], "add": ["BUNG"]}),
    ],
)
def test_of_opposites_the_last_counts(text, expected):
    """FM-ORDNEW-10."""
    assert read(text).change == expected


def test_all_opens_unless_closed_follows():
    """FM-ORDNEW-9, FM-ORDCHG-6: what CLOSED said before it is overridden, a number of mages is not."""
    assert (read("all").is_open, read("all").everyone) == (True, True)
    assert not read("all, closed").is_open and read("all, closed").everyone
    assert read("closed, all").is_open
    assert read("open 3, all").change == {"mages_per_user": 3}
    assert change("all").change == change("closed, all").change == {}, "an open challenge stays as open as it is"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auth", {"authoritarian": True}),
        ("demo", {"authoritarian": False}),
        ("ope 2 lim 3", {"mages_per_user": 2, "limit": 3}),
        ("cha Bung", {"add": ["Bung"]}),
        ("exc Bung", {"exclude": ["Bung"]}),
        ("spell classic", {"ruleset": "firetop-classic"}),
    ],
)
def test_options_may_be_cut_short(text, expected):
    assert read(text).change == expected


def test_a_mage_may_be_called_what_an_option_begins_with():
    """Server rules 3.4: only an option in full ends a list of names."""
    assert read("challenge Demeter Auth Lim").change == {"add": ["Demeter", "Auth", "Lim"]}
    assert read("challenge Demeter democratic").change == {"add": ["Demeter"], "authoritarian": False}


def test_nobody_can_have_the_name_of_an_option():
    assert {name.lower() for name in BY_NAME} <= RESERVED


def test_books_are_named_as_in_the_rules_and_rulesets_by_their_names():
    """FM-ORDNEW-15; nothing said means the standard book."""
    assert read("open spellbook Classic").change["ruleset"] == "firetop-classic"
    assert read("spellbook standard").change["ruleset"] == "firetop-standard"
    for word in ("nomonsters", "NoMonster"):
        assert read(f"open spellbook {word}").change["ruleset"] == "firetop-nomonsters"
    assert read("open ruleset Warlocks").change["ruleset"] == "warlocks"
    assert "The books are: Standard, Classic, NoMonsters." in read("open spellbook Red").problems[0]
    assert "The books are: Standard, Classic, NoMonsters." in read("spellbook").problems[0]


def test_a_rulesets_options_are_chosen_by_values_in_any_order():
    def ruleset(text: str) -> str:
        return read(text).change["ruleset"]

    assert ruleset("open ruleset warlocks FDF maladroitness limit 4") == "warlocks-parafdf-maladroit"
    assert ruleset("open ruleset warlocks, MALADROITNESS, fc") == "warlocks-parafc-maladroit"
    assert ruleset("ruleset warlocks cf open") == ruleset("ruleset warlocks open")
    assert ruleset("open ruleset warlocks-parafdf maladroitness") == "warlocks-parafdf-maladroit"


def test_an_unknown_name_or_value_is_answered_with_the_nearest():
    assert "Did you mean warlocks?" in read("open ruleset warlokcs").problems[0]
    assert read("open ruleset warlocks fdff").problems == ['There is no warlocks option "fdff". Did you mean fdf?']
    assert "firetop-server" not in str(read("open ruleset firetop-serve").problems)
    assert read("open ruleset, limit 3").problems == ["RULESET needs a name after it."]


def test_every_problem_is_named_at_once():
    """FM-ORDNEW-12: LIMIT needs a number; which numbers are too small the challenge says."""
    problems = read("opne, limit, challenge, spellbook, comment").problems
    assert len(problems) == 5
    assert "Did you mean OPEN?" in problems[0]


def test_start_is_only_for_an_existing_challenge():
    """FM-ORDCHG-4."""
    assert read("open, start").problems == ["START is only for CHANGEGAME."]
    assert change("start").change == {"start": True}
    assert "START" in write_options("CHANGEGAME") and "START" not in write_options("NEWGAME")


def test_every_option_is_in_the_help_of_its_order():
    for option in OPTIONS:
        assert option.grammar in write_options("CHANGEGAME") and option.help.endswith(".")


def test_a_number_of_any_length_is_a_number():
    assert read(f"open {'9' * 6000} limit {'0' * 6000}3").change == {"mages_per_user": 999, "limit": 3}


TOKENS = ["3", "0", "99999999999", "Bung", ",", "auth", "warlocks", "fdf", *(name.lower() for name in BY_NAME)]


@given(st.lists(st.sampled_from(TOKENS), max_size=12), st.sampled_from(["NEWGAME", "CHANGEGAME"]))
def test_any_options_are_read_or_rejected_with_a_sentence(words, order):
    game = read_options(" ".join(words), order=order)
    assert (game.change.get("limit") or 0) <= 999
    assert all(problem.endswith((".", "?")) for problem in game.problems)
    assert all(word not in BY_NAME for word in game.list_names())
