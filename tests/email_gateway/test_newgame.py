"""The options of NEWGAME."""

from hypothesis import given
from hypothesis import strategies as st

from email_gateway.orders.newgame import NewGame, read_newgame


def read(text: str) -> NewGame:
    return read_newgame(text)


def test_naming_mages_challenges_them():
    game = read("CHALLENGE Froodal Gandalf")
    assert (game.invited, game.open_to_all, game.problems) == (["Froodal", "Gandalf"], False, [])


def test_the_example_of_the_rules_is_read():
    game = read("OPEN, LIMIT 4, COMMENT Looking for a fast battle, OPEN to all!")
    assert (game.open_to_all, game.mages_per_user, game.limit) == (True, 1, 4)
    assert game.comment == "Looking for a fast battle, OPEN to all!"
    assert not game.problems


def test_commas_may_be_left_out_and_stand_anywhere():
    """FM-ORDNEW-1."""
    assert read("challenge Froodal,Gandalf limit 3") == read("challenge Froodal, Gandalf, limit 3,")
    assert read("open,limit 4,comment fast") == read("open limit 4 comment fast")


def test_open_takes_a_number_and_of_opposites_the_last_counts():
    """FM-ORDNEW-10."""
    assert read("open 0").mages_per_user == 0
    assert read("open 3").mages_per_user == 3
    assert not read("open, closed, add Froodal").open_to_all
    assert read("limit 4, open, nolimit").limit is None


def test_books_are_named_as_in_the_rules_and_rulesets_by_their_names():
    """FM-ORDNEW-15."""
    assert read("open spellbook Classic").ruleset == "firetop-classic"
    assert read("open spellbook nomonsters").ruleset == read("open spellbook NoMonster").ruleset == "firetop-nomonsters"
    assert read("open ruleset Warlocks").ruleset == "warlocks"
    assert "The books are: Standard, Classic, NoMonsters." in read("open spellbook Red").problems[0]


def test_what_a_ruleset_leaves_open_is_chosen_by_values_in_any_order():
    assert read("open ruleset warlocks FDF maladroitness limit 4").ruleset == "warlocks-parafdf-maladroit"
    assert read("open ruleset warlocks, MALADROITNESS, fc").ruleset == "warlocks-parafc-maladroit"
    assert read("ruleset warlocks cf open") == read("ruleset warlocks open")
    assert read("open ruleset warlocks-parafdf maladroitness").ruleset == "warlocks-parafdf-maladroit"


def test_a_name_or_a_value_that_is_none_is_answered_with_the_nearest():
    assert "Do you mean warlocks?" in read("open ruleset warlokcs").problems[0]
    assert read("open ruleset warlocks fdff").problems == ['There is no choice of warlocks "fdff". Do you mean fdf?']
    assert "firetop-server" not in str(read("open ruleset firetop-serve").problems)
    assert read("open ruleset, limit 3").problems == ["RULESET needs a name after it."]


def test_every_problem_is_named_at_once():
    problems = read("opne, limit, challenge, spellbook").problems
    assert len(problems) == 4
    assert "Do you mean OPEN?" in problems[0]


def test_options_of_the_vote_are_said_to_be_missing():
    assert read("open authoritarian").problems == ["AUTHORITARIAN is not offered here yet."]
    assert read("open exclude Bung").problems[0] == "EXCLUDE is not offered here yet."


def test_a_challenge_to_nobody_is_none():
    assert read("").problems and read("limit 4").problems and read("closed").problems
    assert read("open comment").problems == ["COMMENT needs a text after it."]


WORDS = [
    "open",
    "closed",
    "limit",
    "nolimit",
    "3",
    "0",
    "99999999999",
    "challenge",
    "add",
    "Bung",
    "comment",
    ",",
    "auth",
]


@given(st.lists(st.sampled_from(WORDS)))
def test_any_options_are_read(words):
    game = read(" ".join(words))
    assert game.limit is None or game.limit <= 999
