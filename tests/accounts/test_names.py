"""Which names are valid, and what we say about others."""

import re
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.errors import InvalidName, NameTaken
from accounts.models import Name, User
from accounts.names import capitalize, check_name, name_problems
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from rules_engine.gestures import BOTH, LEFT, RIGHT
from rules_engine.glossary import (
    CREATURES,
    GESTURES,
    list_being_names,
    list_creature_names,
    list_gesture_names,
    list_hand_names,
)
from tests.scenes import NOW

WELL_FORMED = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,19}", re.ASCII)


def codes(text: str) -> list[str]:
    return [problem.code for problem in name_problems(text)]


@pytest.mark.parametrize("name", ["Froodal", "Bung", "Bo", "A1", "_x", "Canone", "Openshaw", "Giantess", "X" * 20])
def test_an_ordinary_name_has_no_problems(name):
    assert codes(name) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", ["short"]),
        ("A", ["short"]),
        ("X" * 21, ["long"]),
        ("9lives", ["digit_first"]),
        ("Tëa", ["letters"]),
        ("Two words", ["letters"]),
        ("Ｆｒｏｏｄ", ["letters"]),
        ("naïve!" + "x" * 20, ["letters", "long"]),
        ("9 goblin", ["letters", "digit_first", "monster"]),
        ("RedGOBLIN", ["monster"]),
        ("Ice_Elemental", ["monster"]),
        ("TheJanitors", ["reserved"]),
        ("Guest_me", ["reserved"]),
    ],
)
def test_every_problem_of_a_name_is_named_at_once(name, expected):
    assert codes(name) == expected


@pytest.mark.parametrize(
    "word",
    [
        "LH", "rh", "BH", "Choose", "cho", "target", "PARALYZE", "paralyse", "Direct", "Permanent", "Delay", "Fire",
        "Say", "End", "Clear", "Turn", "Game", "Move", "Mage", "NewUser", "User", "Register", "NewGame", "Accept",
        "Decline", "Withdraw", "Challenges", "Scores", "Help", "Open", "closed", "Limit", "NoLimit", "Start", "Add",
        "Exclude", "Spellbook", "Classic", "Standard", "NoMonsters", "Comment", "Democratic", "Authoritarian", "Palm",
        "Snap", "Clap", "Digit", "Wave", "Fingers", "Knife", "Stab", "Nobody", "None", "NoOne", "No_One", "Referee",
        "Janitor", "All", "You", "Everyone", "Opponent", "Postmaster", "Admin", "Left", "Right", "Both", "Keiner",
        "Jemand", "Alle", "Du", "Links", "Rechts", "Welle", "Kobold",
    ],
)  # fmt: skip
def test_words_that_mean_something_elsewhere_are_reserved_in_any_case(word):
    assert codes(word) == codes(word.swapcase()) == ["reserved"]


def test_what_orders_call_beings_hands_and_gestures_in_any_language_is_reserved():
    beings = {name for phrase in ("nobody", "yourself", "you") for name in list_being_names(phrase)}
    hands = {word for hand in (LEFT, RIGHT, BOTH) for name in list_hand_names(hand) for word in name.split()}
    gestures = {word for gesture in GESTURES for name in list_gesture_names(gesture) for word in name.split()}
    creatures = {name for kind in CREATURES for name in list_creature_names(kind)}
    joined = {name.replace(" ", "") for name in beings}  # as orders read a name of several words
    words = {word for word in joined | hands | gestures | creatures if word.isascii()}
    assert {"niemand", "dich", "linke", "STICH", "riese"} <= words
    assert {word for word in words if not codes(word)} == set()


@pytest.mark.parametrize("name", ["Canone", "Nonesuch", "Nobodyatall", "Allan", "Youssef", "Endor", "Friese"])
def test_a_reserved_word_inside_a_name_does_no_harm(name):
    assert codes(name) == []


@given(st.text(max_size=40))
def test_valid_names_are_two_to_twenty_ascii_letters_digits_or_underscores(text):
    assert bool(name_problems(text)) or WELL_FORMED.fullmatch(text)


@given(st.text(alphabet=ascii_letters + digits + "_", min_size=2, max_size=20))
def test_a_well_formed_name_is_rejected_only_for_its_meaning(text):
    assert set(codes(text)) <= {"reserved", "monster", "digit_first"}


@given(st.text(alphabet=ascii_letters + digits + "_", min_size=1, max_size=20))
def test_case_never_decides_whether_a_name_is_good(text):
    assert codes(text.lower()) == codes(text.upper()) == codes(capitalize(text))


class NearestName(TestCase):
    @given(st.text(max_size=60))
    def test_the_nearest_name_is_available(self, text):
        try:
            check_name(text, kind="mage")
        except InvalidName as error:
            assert error.nearest is not None
            assert check_name(error.nearest, kind="mage") == error.nearest


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("Jörg", "Jorg"),
        ("Old Harry", "Old_Harry"),
        ("9lives", "Lives"),
        ("redgoblin", "Redgoblin2"),
        ("open", "Open2"),
        ("A very long name that never ends", "A_very_long_name_tha"),
        ("♞♞♞", "Mage2"),
        ("TheJanitor", "The"),
    ],
)
def test_the_suggested_name_resembles_the_wanted_one(text, nearest):
    with pytest.raises(InvalidName) as caught:
        check_name(text, kind="mage")
    assert caught.value.nearest == nearest


def test_the_first_letter_becomes_a_capital_and_the_rest_stays(db):
    assert check_name("lowerCaseX", kind="mage") == "LowerCaseX"


def test_a_name_is_taken_in_any_case_and_the_next_free_one_is_offered(anna):
    with pytest.raises(NameTaken) as caught:
        check_name("aNNa", kind="user")
    assert caught.value.nearest == "ANNa2"
    assert "taken" in str(caught.value)


def test_only_a_user_may_own_a_mage_with_their_own_name(anna, boris):
    assert register_mage(user=anna, name="anna", now=NOW).name == "Anna"
    with pytest.raises(NameTaken):
        register_mage(user=anna, name="ANNA", now=NOW)
    with pytest.raises(NameTaken):
        register_mage(user=boris, name="Anna", now=NOW)
    assert Name.objects.filter(key="anna").count() == 1


def test_a_mages_name_is_not_free_for_a_user(anna):
    register_mage(user=anna, name="Froodal", now=NOW)
    with pytest.raises(NameTaken):
        create_user(name="froodal", now=NOW)
    assert User.objects.count() == 1
