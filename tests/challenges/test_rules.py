"""The rules of seats, with plain values."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenges.rules import MOST_SEATS, Place, Seating, find_most_seats


def seat_all(
    *states: str, users: tuple[int, ...] = (), per_user: int | None = None, limit: int | None = None
) -> Seating:
    """Mages 1, 2, 3 … in these states; mage n is user n's unless `users` says otherwise. Mage 1 is the challenger."""
    owners = users or tuple(range(1, len(states) + 1))
    return Seating(
        number=7,
        status="open",
        challenger_id=1,
        challenger_user_id=owners[0],
        mages_per_user=per_user,
        limit=limit,
        places=tuple(
            Place(number, f"Mage{number}", owner, state)
            for number, (owner, state) in enumerate(zip(owners, states, strict=True), start=1)
        ),
    )


@pytest.mark.parametrize(
    ("seating", "complete"),
    [
        (seat_all("joined", "invited"), False),
        (seat_all("joined", "joined"), True),
        (seat_all("joined", "declined"), False),
        (seat_all("joined", "joined", "invited"), False),
        (seat_all("joined", "joined", "declined"), True),
        (seat_all("joined", "joined", "invited", limit=2), True),
        (seat_all("joined", "joined", limit=3), True),
        (seat_all("joined", "joined", "declined", limit=3), False),
        (seat_all("joined", "joined", "declined", limit=4), True),
        (seat_all("joined", "joined", "joined", "declined", limit=3), True),
        (seat_all("joined", "joined", per_user=1), False),
        (seat_all("joined", "joined", per_user=1, limit=3), False),
        (seat_all("joined", "joined", "joined", per_user=1, limit=3), True),
        (seat_all("joined", "joined", "invited", per_user=1, limit=2), True),
    ],
)
def test_a_battle_starts_by_itself_at_its_limit_or_when_all_invited_have_answered(
    seating: Seating, complete: bool
) -> None:
    assert seating.is_complete() is complete


STATES = st.sampled_from(["joined", "invited", "declined", "left_out"])


@given(
    states=st.lists(STATES, max_size=8),
    per_user=st.none() | st.integers(0, 3),
    limit=st.none() | st.integers(2, 6),
)
def test_no_battle_ever_starts_with_fewer_than_two_mages(
    states: list[str], per_user: int | None, limit: int | None
) -> None:
    seating = seat_all("joined", *states, per_user=per_user, limit=limit)
    starts = seating.is_complete() or seating.why_not_start(1) is None
    assert not starts or len(seating.joined) >= 2


@given(states=st.lists(STATES, max_size=8), per_user=st.none() | st.integers(0, 3))
def test_the_challenger_cannot_fall_out_of_the_challenge(states: list[str], per_user: int | None) -> None:
    assert seat_all("joined", *states, per_user=per_user).why_not_decline(1) == "own_challenge"


@pytest.mark.parametrize(
    ("seating", "mage", "user", "code"),
    [
        (seat_all("joined", "invited"), 2, 2, None),
        (seat_all("joined", "invited"), 9, 9, "not_invited"),
        (seat_all("joined", "declined", "invited"), 2, 2, "declined_before"),
        (seat_all("joined", "joined"), 2, 2, "joined_already"),
        (seat_all("joined", per_user=1), 9, 9, None),
        (seat_all("joined", per_user=1), 9, 1, "enough_of_yours"),
        (seat_all("joined", per_user=2), 9, 1, None),
        (seat_all("joined", "joined", users=(1, 1), per_user=0), 9, 1, None),
        (seat_all("joined", "declined", per_user=1), 2, 2, None),
        (seat_all(*["joined"] * MOST_SEATS, per_user=1), 99, 99, "full"),
    ],
)
def test_joining_is_restricted(seating: Seating, mage: int, user: int, code: str | None) -> None:
    assert seating.why_not_join(mage, user) == code


def test_free_seats_are_counted_up_to_the_limit() -> None:
    assert seat_all("joined", "joined", per_user=1, limit=5).free_seats == 3
    assert seat_all("joined", per_user=1).free_seats is None
    assert seat_all("joined", "invited", "invited", "declined").free_seats == 2
    assert seat_all("joined", "invited", "invited", limit=2).free_seats == 1


def test_it_is_practice_if_a_user_named_only_their_own_mages() -> None:
    assert seat_all("joined", "invited", users=(1, 1)).is_practice
    assert not seat_all("joined", "invited", "invited", users=(1, 1, 2)).is_practice
    assert not seat_all("joined", "joined", users=(1, 1), per_user=2).is_practice


def test_a_challenge_with_a_link_is_not_practice_before_anyone_joins() -> None:
    assert not seat_all("joined", users=(1,)).is_practice


def test_the_ruleset_may_have_room_for_fewer_mages():
    assert find_most_seats(None) == MOST_SEATS
    assert find_most_seats(8) == 8
    assert find_most_seats(MOST_SEATS + 1) == MOST_SEATS
    eight = replace(seat_all(*["joined"] * 8, per_user=1), most_seats=8)
    assert eight.why_not_join(99, 99) == "full"
    assert replace(eight, most_seats=9).why_not_join(99, 99) is None
