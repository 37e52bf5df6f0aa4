"""Challenges as a viewer sees them: whether they may join, and if not, why."""

from dataclasses import asdict
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import Mage
from accounts.services.mages import engage_mage, kill_mage
from challenges.errors import ChallengeNotFound
from challenges.selectors.lists import get_challenge_for_user, list_challenges_involving, list_open_challenges
from challenges.selectors.mages import find_mages_to_invite
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.shown import ShownChallenge
from duels.terms import Terms
from operations.models import SitePolicy
from operations.policy import PRESETS
from operations.request_policy import remember_policy
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db


def see(viewer: object) -> ShownChallenge:
    [row] = list_open_challenges(viewer=viewer)  # type: ignore[arg-type]
    return row


def test_a_visitor_sees_the_list_and_is_asked_to_log_in(froodal: Mage) -> None:
    """FM-CHAL-4."""
    make_challenge(froodal)
    challenge = see(AnonymousUser())
    assert (challenge.own.may_join, challenge.own.why_not, challenge.own.section) == (
        False,
        "Log in to join.",
        "open_to_join",
    )
    assert challenge.own.actions.accept == ()


def test_a_user_without_a_mage_is_asked_to_register_one(froodal: Mage) -> None:
    make_challenge(froodal)
    assert see(make_user("Rinn")).own.why_not == "Register a mage to join."


def test_a_free_mage_may_join_open_challenges(froodal: Mage, bung: Mage) -> None:
    make_challenge(froodal)
    challenge = see(bung.user)
    assert (challenge.own.may_join, challenge.own.why_not, challenge.own.actions.accept) == (True, "", ("Bung",))


def test_only_free_mages_are_offered(froodal: Mage) -> None:
    user = make_user("Rinn")
    busy, dead, retired, free = (make_mage(name, user) for name in ("Pip", "Dawn", "Merlyn", "Ulf"))
    engage_mage(mage=busy, kind="battle", number=99)
    kill_mage(mage=dead, now=NOW)
    Mage.objects.filter(pk=retired.pk).update(retired_at=NOW)
    make_challenge(froodal)
    assert see(user).own.actions.accept == ("Ulf",)
    engage_mage(mage=free, kind="battle", number=98)
    assert see(user).own.actions.accept == ("Merlyn",), "joining brings a mage back from retirement"
    engage_mage(mage=retired, kind="battle", number=97)
    assert see(user).own.why_not == "All your mages are busy."


def test_a_challenge_is_by_invitation_only(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    make_challenge(froodal, bung)
    assert see(ayla.user).own.why_not == "By invitation only."
    assert see(make_user("Rinn")).own.why_not == "By invitation only.", "registering a mage would not help"
    asked = see(bung.user)
    assert (asked.own.section, asked.title) == ("waiting_for_you", "Froodal challenges Bung")
    assert (asked.own.actions.accept, asked.own.actions.decline) == (("Bung",), ("Bung",))


def test_the_challenger_may_withdraw_and_start_but_not_leave(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, limit=3)
    row = see(froodal.user)
    assert (row.own.section, row.own.actions.withdraw, row.own.actions.start, row.own.actions.leave) == (
        "taking_part",
        "Froodal",
        "",
        (),
    )
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    assert see(froodal.user).own.actions.start == "Froodal"
    other = see(bung.user)
    assert (other.own.actions.leave, other.own.actions.withdraw, other.own.actions.start) == (
        ("Bung",),
        "",
        "",
    )
    assert other.own.why_not == "You have joined."


def test_declining_a_closed_challenge_is_shown_to_be_final(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, bung, ayla)
    decline_challenge(number=challenge.number, mage=bung, now=NOW)
    assert see(bung.user).own.why_not == "You declined."


def test_a_second_mage_of_the_challengers_user_may_not_join(froodal: Mage) -> None:
    make_challenge(froodal)
    make_mage("Pip", froodal.user)
    assert see(froodal.user).own.why_not_code == "joined_already"


@pytest.mark.parametrize(
    ("asked", "title", "words", "start"),
    [
        ({"limit": 2}, "Froodal wants a duel", "Duel", "The battle starts when a second mage joins."),
        (
            {"limit": 4},
            "Froodal's open melee",
            "Melee of 4 mages",
            "The battle starts when 4 mages have joined, or when the mages who have joined vote to start.",
        ),
        (
            {"mages_per_user": 0},
            "Froodal's open melee",
            "Any number of mages",
            "The battle starts when the mages who have joined vote to start.",
        ),
    ],
)
def test_terms_in_words(froodal: Mage, asked: dict[str, Any], title: str, words: str, start: str) -> None:
    make_challenge(froodal, terms=Terms(stakes="friendly", orders_final=True, chat=False), **asked)
    row = see(None)
    assert (row.title, row.words.size, row.words.start) == (title, words, start)
    assert (
        row.words.terms
        == f"{words}, standard spells, classic pace, 21 days a turn, friendly, orders are final, no talking"
    )


def test_a_closed_melee_in_words(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    make_challenge(froodal, bung, ayla)
    row = see(None)
    assert (row.title, row.words.size) == ("Froodal's melee by invitation", "Melee of up to 3 mages")
    assert (
        row.words.start
        == "The battle starts when everyone invited has answered, or when the mages who have joined vote to start."
    )


def test_practice_is_called_practice(db: None) -> None:
    user = make_user("Rinn")
    make_challenge(make_mage("Pip", user), make_mage("Dawn", user))
    row = see(user)
    assert (row.title, row.seating.is_practice) == ("Pip's practice", True)
    assert row.words.terms.endswith("practice")


def test_seats_are_in_the_order_of_joining_with_the_free_ones_last(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, limit=4)
    for mage in (bung, ayla):
        accept_challenge(number=challenge.number, mage=mage, now=NOW)
    row = see(bung.user)
    assert [(seat.name, seat.state) for seat in row.seating.seats] == [
        ("Froodal", "joined"),
        ("Bung", "joined"),
        ("Ayla", "joined"),
        ("", "free"),
    ]
    assert [seat.name for seat in row.seating.seats if seat.is_challenger] == ["Froodal"]
    assert [seat.name for seat in row.seating.seats if seat.is_mine] == ["Bung"]


def test_a_challenge_that_is_over_leaves_the_list_but_keeps_its_page(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal)
    withdraw_challenge(number=challenge.number, mage=froodal, now=NOW)
    assert list_open_challenges(viewer=bung.user) == []
    row = get_challenge_for_user(number=challenge.number, user=bung.user)
    assert (row.is_over, row.own.may_join, row.own.why_not, row.words.start == "") == (
        True,
        False,
        "Withdrawn.",
        False,
    )


def test_an_unknown_number_however_large_is_not_found(db: None) -> None:
    for number in (4711, 10**30):
        with pytest.raises(ChallengeNotFound):
            get_challenge_for_user(number=number, user=None)


def test_only_challenges_that_name_a_free_mage_wait_for_its_user(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    first, second = make_challenge(froodal, bung), make_challenge(ayla, bung)
    assert [row.number for row in list_challenges_involving(user=bung.user).waiting] == [first.number, second.number]
    assert list_challenges_involving(user=froodal.user).waiting == ()
    engage_mage(mage=bung, kind="battle", number=99)
    assert list_challenges_involving(user=bung.user).waiting == ()


def test_a_practice_waits_for_my_own_second_mage(froodal: Mage) -> None:
    second = make_mage("Fritha", froodal.user)
    challenge = make_challenge(froodal, second)
    assert [row.number for row in list_challenges_involving(user=froodal.user).waiting] == [challenge.number]


def test_the_list_asks_the_database_no_more_for_many_than_for_one(
    froodal: Mage, bung: Mage, django_assert_num_queries: Any
) -> None:
    answer = remember_policy(lambda viewer: list_open_challenges(viewer=viewer))
    make_challenge(froodal, bung)
    answer(bung.user)  # the reliability of each player is cached
    with django_assert_num_queries(6):
        answer(bung.user)
    for number in range(5):
        make_challenge(make_mage(f"Mage{number}"), bung, terms=Terms(reliable=90))
    answer(bung.user)
    with django_assert_num_queries(6):
        answer(bung.user)


def test_names_are_read_in_any_case_and_an_unknown_one_gets_the_nearest(froodal: Mage, bung: Mage) -> None:
    mages, problems = find_mages_to_invite(text="froodal, BUNG  Froodl")
    assert mages == [froodal, bung]
    [problem] = problems
    assert (problem.message, problem.nearest) == ("No mage is called Froodl.", "Froodal")
    assert find_mages_to_invite(text=" , ") == ([], [])


def test_practice_with_real_deaths_says_so(db: None) -> None:
    user = make_user("Pip")
    make_challenge(make_mage("Pip", user), make_mage("Second", user))
    SitePolicy.objects.create(**asdict(PRESETS["server"]), set_by=user, set_at=NOW, why="as it was")
    assert see(None).words.terms.endswith("practice with real deaths")
