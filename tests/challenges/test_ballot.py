"""How votes decide, with plain values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenges.ballot import Ballot, decides_at_once


def count(voters: int, yes: set[int], no: set[int] | None = None, *, authoritarian: bool = False) -> str | None:
    """The verdict among mages 1 (the challenger), 2, 3 ..."""
    said = dict.fromkeys(yes, True) | dict.fromkeys(no or set(), False)
    ballot = Ballot(1, tuple(range(1, voters + 1)), said, authoritarian=authoritarian)
    return ballot.verdict()


@pytest.mark.parametrize(
    ("voters", "yes", "verdict"),
    [
        (1, {1}, "adopted"),
        (2, {1}, "adopted"),
        (2, {2}, None),
        (2, {1, 2}, "adopted"),
        (3, {1}, None),
        (3, {2, 3}, "adopted"),
        (3, {1, 2}, "adopted"),
        (4, {1}, None),
        (4, {1, 2}, "adopted"),
        (4, {2, 3}, None),
        (4, {2, 3, 4}, "adopted"),
        (5, {1, 2}, None),
        (5, {2, 3, 4}, "adopted"),
        (6, {1, 2, 3}, "adopted"),
        (6, {2, 3, 4}, None),
    ],
)
def test_half_the_votes_are_enough_with_the_challenger_and_more_than_half_without(
    voters: int, yes: set[int], verdict: str | None
) -> None:
    """FM-ORDCHG-10, FM-ORDCHG-11."""
    assert count(voters, yes) == verdict
    assert count(voters, set(), yes) == (verdict and "rejected"), "a change falls as it rises"


def test_mages_count_and_not_the_votes_given() -> None:
    """FM-ORDCHG-10."""
    assert count(5, {2, 3}) is None
    assert count(5, {2, 3}, set()) is None


def test_in_an_authoritarian_challenge_only_the_challengers_vote_counts() -> None:
    """FM-ORDNEW-16, FM-ORDCHG-12."""
    assert count(4, {2, 3, 4}, authoritarian=True) is None
    assert count(4, {1}, {2, 3, 4}, authoritarian=True) == "adopted"
    assert count(4, {2, 3, 4}, {1}, authoritarian=True) == "rejected"


def test_accepting_everything_counts_as_yes_whatever_the_vote() -> None:
    ballot = Ballot(1, (1, 2, 3), {2: False}, frozenset({2, 3}))
    assert (ballot.in_favour, ballot.against, ballot.silent, ballot.verdict()) == ((2, 3), (), (1,), "adopted")


def test_the_vote_of_a_mage_who_left_does_not_count() -> None:
    assert Ballot(1, (1, 2), {3: True, 4: True, 5: True}, frozenset({6})).verdict() is None


@given(st.integers(1, 12), st.data())
def test_the_counting_is_a_majority_of_heads_with_the_challenger_as_tie_break(voters: int, data: st.DataObject) -> None:
    said = data.draw(st.dictionaries(st.integers(1, voters), st.booleans()))
    yes = {mage for mage, word in said.items() if word}
    no = set(said) - yes

    def wins(side: set[int]) -> bool:
        return 2 * len(side) > voters or (2 * len(side) == voters and 1 in side)

    assert count(voters, yes, no) == ("adopted" if wins(yes) else "rejected" if wins(no) else None)
    assert not (wins(yes) and wins(no))


@given(st.integers(1, 8), st.booleans(), st.booleans())
def test_no_vote_is_needed_if_the_proposers_own_is_enough(
    voters: int, is_challenger: bool, authoritarian: bool
) -> None:
    if not is_challenger and (authoritarian or voters == 1):
        return
    proposer = 1 if is_challenger else 2
    at_once = decides_at_once(
        proposer_id=proposer, challenger_id=1, joined=voters, authoritarian=authoritarian and is_challenger
    )
    assert at_once is (count(voters, {proposer}, authoritarian=authoritarian) == "adopted")
