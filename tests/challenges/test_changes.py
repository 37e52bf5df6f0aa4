"""Proposing changes, voting on them, and what comes of it."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Engagement, Mage, Notice
from accounts.services import engage_mage
from challenges.changes import Change
from challenges.errors import CannotJoin, CannotPropose, CannotTakeBack, CannotVote, ChallengeOver, InvalidChallenge
from challenges.models import Challenge, Proposal, Seat, Vote
from challenges.outcomes import Outcome
from challenges.selectors import get_challenge_for_user
from challenges.services import (
    accept_challenge,
    decline_challenge,
    lapse_proposals,
    oppose_change,
    propose_change,
    start_challenge,
    take_back_change,
    withdraw_challenge,
)
from challenges.services.voting import MOST_PENDING, PROPOSAL_LIFE
from duels.models import Battle, Combatant
from duels.terms import Terms
from tests.challenges.conftest import NOW, make_challenge, make_mage, make_user

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def crom(db: None) -> Mage:
    return make_mage("Crom")


def accept(challenge: Challenge, mage: Mage, **asked: Any) -> Outcome:
    return accept_challenge(number=challenge.number, mage=mage, now=LATER, **asked)


def propose(challenge: Challenge, mage: Mage, change: Change, **asked: Any) -> Outcome:
    return propose_change(number=challenge.number, mage=mage, change=change, now=LATER, **asked)


def oppose(challenge: Challenge, mage: Mage, change: int) -> Outcome:
    return oppose_change(number=challenge.number, mage=mage, change=change, now=LATER)


def state_of(challenge: Challenge, number: int) -> str:
    return Proposal.objects.get(challenge=challenge, number=number).state


def told(kind: str) -> dict[str, dict[str, Any]]:
    return {notice.user.username: notice.facts for notice in Notice.objects.filter(kind=kind)}


def codes(error: InvalidChallenge) -> set[tuple[str, str]]:
    return {(problem.place, problem.code) for problem in error.problems}


def refused(challenge: Challenge, mage: Mage, change: Change, **asked: Any) -> set[tuple[str, str]]:
    with pytest.raises(InvalidChallenge) as caught:
        propose(challenge, mage, change, **asked)
    return codes(caught.value)


def make_full(challenger: Mage, *others: Mage, **asked: Any) -> Challenge:
    """An open challenge that these have joined."""
    challenge = make_challenge(challenger, **asked)
    for mage in others:
        accept(challenge, mage)
    Notice.objects.all().delete()
    return Challenge.objects.get(pk=challenge.pk)


def see(challenge: Challenge, mage: Mage) -> Any:
    return get_challenge_for_user(number=challenge.number, user=mage.user)


# -- proposing


def test_a_lone_challenger_changes_the_challenge_at_once(froodal: Mage) -> None:
    """FM-ORDCHG-1, FM-ORDCHG-6, FM-ORDCHG-14: every option that sets a value."""
    challenge = make_challenge(froodal, limit=4)
    change: Change = {
        "ruleset": "firetop-classic",
        "rated": False,
        "orders_final": True,
        "chat": False,
        "mages_per_user": 0,
        "limit": None,
        "authoritarian": True,
        "comment": " Quick \n please",
    }
    outcome = propose(challenge, froodal, change)
    [decision] = outcome.decided
    assert (decision.number, decision.result, outcome.proposed) == (None, "adopted", None)
    challenge.refresh_from_db()
    assert Terms.from_json(challenge.terms) == Terms("firetop-classic", rated=False, orders_final=True, chat=False)
    assert (challenge.mages_per_user, challenge.limit, challenge.authoritarian) == (0, None, True)
    assert challenge.comment == "Quick please"
    assert not Proposal.objects.exists()


def test_the_challenger_of_two_decides_at_once_and_the_other_proposes(froodal: Mage, bung: Mage) -> None:
    """FM-ORDCHG-11."""
    challenge = make_full(froodal, bung, limit=4)
    assert propose(challenge, froodal, {"limit": 3}).proposed is None
    assert told("change_adopted")["Bung_user"]["differences"] == [{"what": "limit", "before": 4, "after": 3}]

    outcome = propose(challenge, bung, {"limit": 5})
    assert (outcome.proposed, outcome.decided) == (1, ())
    challenge.refresh_from_db()
    assert challenge.limit == 3
    proposed = told("change_proposed")
    assert set(proposed) == {"Froodal_user"}
    facts = proposed["Froodal_user"]
    assert (facts["change"], facts["proposer"], facts["mages"]) == (1, "Bung", ["Froodal"])
    assert facts["lapses_at"] == (LATER + PROPOSAL_LIFE).isoformat()


def test_three_vote_and_the_second_yes_decides(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-17, FM-ORDACC-2, FM-ORDCHG-10, FM-ORDCHG-13."""
    challenge = make_full(froodal, bung, ayla)
    stranger = make_mage("Ulf")
    assert propose(challenge, froodal, {"limit": 4}).proposed == 1
    assert set(told("change_proposed")) == {"Bung_user", "Ayla_user"}, "those who have joined are asked"
    with pytest.raises(CannotVote) as caught:
        oppose(challenge, stranger, 1)
    assert caught.value.code == "not_joined"

    outcome = accept(challenge, bung, change=1)
    assert [(each.number, each.result) for each in outcome.decided] == [(1, "adopted")]
    challenge.refresh_from_db()
    assert challenge.limit == 4
    assert set(told("change_adopted")) == {"Froodal_user", "Ayla_user"}


def test_the_same_change_can_be_voted_down_and_the_right_proposer_is_named(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    """FM-ORDACC-6; with another change pending the old server named the wrong one (section 10, item 22)."""
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    propose(challenge, ayla, {"rated": False})
    oppose(challenge, froodal, 1)
    assert state_of(challenge, 1) == "pending"
    outcome = oppose(challenge, ayla, 1)
    assert [(each.number, each.proposer, each.result) for each in outcome.decided] == [(1, "Bung", "rejected")]
    rejected = told("change_rejected")
    assert set(rejected) == {"Froodal_user", "Bung_user"}
    assert rejected["Bung_user"]["proposer"] == "Bung"
    assert (state_of(challenge, 1), state_of(challenge, 2)) == ("rejected", "pending")


def test_a_vote_can_be_changed_while_the_change_is_pending(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    challenge = make_full(froodal, bung, ayla, crom)
    propose(challenge, bung, {"limit": 5})
    oppose(challenge, ayla, 1)
    oppose(challenge, bung, 1)
    accept(challenge, ayla, change=1)
    assert {vote.mage.name: vote.in_favour for vote in Vote.objects.all()} == {"Bung": False, "Ayla": True}
    assert state_of(challenge, 1) == "pending"


def test_everything_accepts_what_is_pending_and_what_comes(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDACC-3."""
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    propose(challenge, bung, {"rated": False})
    outcome = accept(challenge, ayla, everything=True)
    assert [each.number for each in outcome.decided] == [1, 2]
    outcome = propose(challenge, bung, {"limit": 5})
    assert [(each.number, each.result) for each in outcome.decided] == [(3, "adopted")], "by Ayla's standing yes"
    assert outcome.proposed is None


def test_opposing_ends_the_yes_to_everything_also_when_it_decides(
    froodal: Mage, bung: Mage, ayla: Mage, crom: Mage
) -> None:
    """The old server kept the flag when that vote rejected the change (3.7)."""
    challenge = make_full(froodal, bung, ayla, crom)
    propose(challenge, froodal, {"limit": 6})
    oppose(challenge, bung, 1)
    oppose(challenge, crom, 1)
    Seat.objects.filter(mage=ayla).update(accepts_everything=True)
    assert oppose(challenge, ayla, 1).decided[0].result == "rejected"
    assert not Seat.objects.get(challenge=challenge, mage=ayla).accepts_everything


def test_joining_and_voting_in_one_order_counts_the_vote_before_the_battle_starts(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    """The old server dropped the vote when the acceptance started the battle (3.5)."""
    challenge = make_full(froodal, bung, limit=3)
    propose(challenge, bung, {"rated": False})
    outcome = accept(challenge, ayla, change=1)
    assert (outcome.status, outcome.decided[0].result) == ("started", "adopted")
    assert Battle.objects.get().terms["rated"] is False


def test_a_vote_that_raises_the_limit_keeps_the_battle_from_starting(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, limit=3)
    propose(challenge, bung, {"limit": 4})
    assert accept(challenge, ayla, everything=True).status == "open"
    assert set(told("challenge_accepted")) == {"Froodal_user", "Bung_user"}


def test_a_vote_on_no_such_change_refuses_the_whole_order(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung)
    propose(challenge, bung, {"limit": 3})
    with pytest.raises(CannotVote) as caught:
        accept(challenge, ayla, change=7)
    assert caught.value.message == f"Challenge {challenge.number} has no change 7 to vote on. Pending: 1."
    assert not Seat.objects.filter(mage=ayla).exists()


def test_numbers_of_changes_are_never_used_again(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    take_back_change(number=challenge.number, mage=bung, change=1, now=LATER)
    assert propose(challenge, bung, {"limit": 5}).proposed == 2
    with pytest.raises(CannotVote) as caught:
        oppose(challenge, ayla, 1)
    assert caught.value.code == "change_over"


def test_only_the_proposer_takes_a_proposal_back(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    with pytest.raises(CannotTakeBack) as caught:
        take_back_change(number=challenge.number, mage=froodal, change=1, now=LATER)
    assert caught.value.code == "not_the_proposer"
    take_back_change(number=challenge.number, mage=bung, change=1, now=LATER)
    assert state_of(challenge, 1) == "taken_back"
    assert set(told("change_taken_back")) == {"Froodal_user", "Ayla_user"}
    with pytest.raises(CannotTakeBack):
        take_back_change(number=challenge.number, mage=bung, change=1, now=LATER)


def test_a_challenge_holds_only_so_many_open_proposals(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    for number in range(MOST_PENDING):
        propose(challenge, bung, {"comment": f"number {number}"})
    with pytest.raises(CannotPropose) as caught:
        propose(challenge, ayla, {"limit": 9})
    assert caught.value.code == "too_many_changes"


# -- counting anew


def test_the_votes_are_counted_anew_when_somebody_leaves(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    """Section 10, item 22: the old server waited for the next vote."""
    challenge = make_full(froodal, bung, ayla, crom)
    propose(challenge, bung, {"limit": 5})
    accept(challenge, ayla, change=1)
    assert state_of(challenge, 1) == "pending"
    outcome = decline_challenge(number=challenge.number, mage=crom, now=LATER)
    assert [(each.number, each.result) for each in outcome.decided] == [(1, "adopted")]


def test_who_leaves_takes_the_vote_along_and_comes_back_without_it(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 5})
    decline_challenge(number=challenge.number, mage=bung, now=LATER)
    assert (state_of(challenge, 1), Vote.objects.count()) == ("pending", 0)
    accept(challenge, bung)
    assert [vote.stance for vote in see(challenge, bung).proposals[0].votes] == ["", "", ""]


def test_the_votes_are_counted_anew_when_the_challenge_becomes_authoritarian(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, froodal, {"limit": 5})
    propose(challenge, bung, {"chat": False})
    propose(challenge, bung, {"authoritarian": True})
    outcome = accept(challenge, ayla, change=3)
    assert [(each.number, each.result) for each in outcome.decided] == [(3, "adopted"), (1, "adopted")]
    assert state_of(challenge, 2) == "pending", "the challenger has said nothing on it"
    with pytest.raises(CannotVote) as caught:
        accept(challenge, ayla, change=2)
    assert caught.value.code == "authoritarian"
    assert oppose(challenge, froodal, 2).decided[0].result == "rejected"


def test_a_proposal_outlives_a_change_of_something_else_and_shows_the_difference_as_it_is_now(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    challenge = make_full(froodal, bung, ayla, limit=4)
    propose(challenge, bung, {"limit": 6, "chat": False})
    propose(challenge, froodal, {"limit": 5})
    assert see(challenge, ayla).proposals[0].sentence == "talk allowed → not allowed, limit 4 → 6"
    accept(challenge, ayla, change=2)
    assert see(challenge, ayla).proposals[0].sentence == "talk allowed → not allowed, limit 5 → 6"


def test_a_proposal_with_nothing_left_to_change_is_moot(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla, limit=5)
    propose(challenge, bung, {"limit": 4})
    propose(challenge, froodal, {"limit": 4, "rated": False})
    outcome = accept(challenge, ayla, change=2)
    assert [(each.number, each.result) for each in outcome.decided] == [(2, "adopted"), (1, "moot")]
    assert told("change_lapsed")["Bung_user"]["reason"] == "moot"


def test_a_proposal_lapses_after_its_time_and_only_once(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """Section 10, item 22: no vote ever ended by itself."""
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    assert lapse_proposals(now=LATER + PROPOSAL_LIFE - timedelta(seconds=1)) == 0
    assert lapse_proposals(now=LATER + PROPOSAL_LIFE) == 1
    assert lapse_proposals(now=LATER + PROPOSAL_LIFE) == 0
    assert state_of(challenge, 1) == "lapsed"
    assert {name: facts["reason"] for name, facts in told("change_lapsed").items()} == dict.fromkeys(
        ("Froodal_user", "Bung_user", "Ayla_user"), "time"
    )


# -- what changes do


def test_only_the_challenger_changes_an_authoritarian_challenge(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-16, FM-ORDCHG-8, FM-ORDCHG-9, FM-ORDCHG-12."""
    challenge = make_full(froodal, bung, ayla, authoritarian=True)
    with pytest.raises(CannotPropose) as caught:
        propose(challenge, bung, {"limit": 4})
    assert caught.value.message == f"Froodal alone decides what changes in challenge {challenge.number}."
    assert propose(challenge, froodal, {"limit": 4}).decided[0].result == "adopted"
    propose(challenge, froodal, {"authoritarian": False})
    assert propose(challenge, bung, {"limit": 5}).proposed == 1
    propose(challenge, bung, {"authoritarian": True})
    accept(challenge, ayla, change=2)
    challenge.refresh_from_db()
    assert (challenge.authoritarian, challenge.challenger) == (True, froodal), "whoever proposed it"


def test_who_has_not_joined_changes_nothing(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, bung)
    with pytest.raises(CannotPropose) as caught:
        propose(challenge, bung, {"limit": 2})
    assert caught.value.code == "not_joined"
    withdraw_challenge(number=challenge.number, mage=froodal, now=LATER)
    with pytest.raises(ChallengeOver):
        propose(challenge, froodal, {"limit": 2})


def test_further_mages_are_challenged_and_told(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDCHG-2."""
    challenge = make_challenge(froodal, bung)
    Notice.objects.all().delete()
    propose(challenge, froodal, {"add": ["ayla"]})
    assert Seat.objects.get(challenge=challenge, mage=ayla).state == "invited"
    assert set(told("challenged")) == {"Ayla_user"}
    assert set(told("change_adopted")) == {"Bung_user"}, "who is newly challenged is not told of the change besides"


def test_mages_taken_meanwhile_are_passed_over(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    challenge = make_full(froodal, bung)
    propose(challenge, bung, {"add": ["Ayla", "Crom"], "limit": 4})
    engage_mage(mage=ayla, kind="battle", number=99)
    accept(challenge, froodal, change=1)
    assert not Seat.objects.filter(mage=ayla).exists()
    assert Seat.objects.get(mage=crom).state == "invited"


def test_exclusion_keeps_out_of_an_open_challenge_until_challenged_again(froodal: Mage, bung: Mage) -> None:
    """FM-ORDCHG-3, FM-ORDNEW-8."""
    challenge = make_challenge(froodal)
    propose(challenge, froodal, {"exclude": ["Bung"]})
    with pytest.raises(CannotJoin) as caught:
        accept(challenge, bung)
    assert caught.value.code == "excluded"
    assert see(challenge, bung).why_not == "You are excluded."
    assert not told("challenge_uninvited"), "who was never asked is told nothing"
    assert refused(challenge, froodal, {"exclude": ["Bung"]}) == {("exclude", "excluded_already")}
    propose(challenge, froodal, {"add": ["Bung"]})
    accept(challenge, bung)


def test_excluding_the_last_one_invited_starts_the_battle_of_the_others(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDCHG-3; 3.10."""
    challenge = make_challenge(froodal, bung, ayla)
    accept(challenge, bung)
    assert refused(challenge, froodal, {"exclude": ["Bung"]}) == {("exclude", "exclude_too_late")}
    assert propose(challenge, froodal, {"exclude": ["Ayla"]}).status == "started"
    assert set(told("challenge_uninvited")) == {"Ayla_user"}
    assert Combatant.objects.count() == 2


def test_excluding_everybody_leaves_no_battle_of_one(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, bung)
    assert propose(challenge, froodal, {"exclude": ["Bung"]}).status == "open"
    assert not Battle.objects.exists()


def test_closing_with_nobody_left_to_wait_for_starts_the_battle(froodal: Mage, bung: Mage) -> None:
    """3.7."""
    challenge = make_full(froodal, bung)
    assert propose(challenge, froodal, {"mages_per_user": None}).status == "started"


def test_a_limit_that_is_reached_starts_the_battle(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDCHG-7."""
    challenge = make_full(froodal, bung, ayla)
    assert refused(challenge, froodal, {"limit": 2}) == {("limit", "limit_below_joined")}
    assert refused(challenge, froodal, {"limit": 1}) == {("limit", "limit_too_low")}
    propose(challenge, froodal, {"limit": 3})
    assert accept(challenge, bung, change=1).status == "started"


def test_start_begins_at_once_and_abandons_what_is_pending(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    """FM-ORDCHG-4, FM-ORDCHG-5."""
    challenge = make_challenge(froodal, bung, ayla, crom)
    accept(challenge, bung)
    accept(challenge, ayla)
    propose(challenge, bung, {"rated": False})
    assert start_challenge(number=challenge.number, mage=froodal, now=LATER).proposed == 2
    outcome = accept(challenge, ayla, change=2)
    assert outcome.status == "started"
    assert (state_of(challenge, 1), state_of(challenge, 2)) == ("abandoned", "adopted")
    assert Battle.objects.get().terms["rated"] is True
    assert set(told("challenge_excluded")) == {"Crom_user"}
    assert not told("change_adopted"), "the battle's own notice is enough"


def test_all_challenges_everybody_who_is_free_and_opens_the_challenge(
    froodal: Mage, bung: Mage, ayla: Mage, crom: Mage
) -> None:
    """FM-ORDNEW-9, FM-ORDCHG-6."""
    engage_mage(mage=ayla, kind="battle", number=99)
    make_mage("Fritha", froodal.user)
    challenge = make_challenge(froodal, bung)
    propose(challenge, froodal, {}, everyone=True)
    challenge.refresh_from_db()
    assert challenge.mages_per_user == 1
    assert set(challenge.seats.filter(state="invited").values_list("mage__name", flat=True)) >= {"Bung", "Crom"}
    assert not Seat.objects.filter(mage=ayla).exists()


def test_every_problem_of_a_change_is_named_at_once_and_nothing_changes(
    froodal: Mage, bung: Mage, ayla: Mage, crom: Mage
) -> None:
    challenge = make_challenge(froodal, bung)
    Mage.objects.filter(pk=crom.pk).update(retired_at=NOW)
    engage_mage(mage=ayla, kind="battle", number=99)
    change: Change = {
        "limit": 1,
        "mages_per_user": 99,
        "comment": "x" * 301,
        "ruleset": "chess",
        "add": ["Froodal", "Bung", "Ayla", "Crom", "Nobody", "Ayla"],
        "exclude": ["Froodal", "Bung", "Bung"],
        "start": True,
    }
    assert refused(challenge, froodal, change) == {
        ("limit", "limit_too_low"),
        ("mages_per_user", "mages_per_user"),
        ("comment", "comment_too_long"),
        ("terms", "terms"),
        ("add", "already_joined"),
        ("add", "already_invited"),
        ("add", "busy_battle"),
        ("add", "retired"),
        ("add", "unknown"),
        ("add", "twice"),
        ("exclude", "exclude_too_late"),
        ("exclude", "invited_and_excluded"),
        ("exclude", "twice"),
        ("start", "start_too_few"),
    }
    challenge.refresh_from_db()
    assert (challenge.revision, challenge.limit, challenge.comment) == (0, None, "")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, "nothing_to_change"),
        ({"limit": None, "rated": True}, "no_difference"),
        ({"exclude": ["Ayla"]}, "not_challenged"),
        ({"colour": "red"}, "unknown_part"),
    ],
)
def test_a_change_that_changes_nothing_is_refused(
    froodal: Mage, bung: Mage, ayla: Mage, change: Any, code: str
) -> None:
    challenge = make_challenge(froodal, bung)
    assert {each for _, each in refused(challenge, froodal, change)} >= {code}


def test_a_challenge_for_nobody_cannot_be_made_by_closing_it(froodal: Mage) -> None:
    challenge = make_challenge(froodal)
    assert refused(challenge, froodal, {"mages_per_user": None}) == {("against", "nobody_invited")}


# -- what the page shows


def test_the_page_shows_who_voted_what_and_what_the_viewer_may_do(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla, limit=5)
    propose(challenge, bung, {"limit": 4})
    oppose(challenge, froodal, 1)
    [poll] = see(challenge, ayla).proposals
    assert [(vote.name, vote.stance, vote.points) for vote in poll.votes] == [
        ("Froodal", "against", 3),
        ("Bung", "for", 2),
        ("Ayla", "", 2),
    ]
    assert (poll.points_for, poll.points_against, poll.needed) == (2, 3, 4)
    assert (poll.accept, poll.oppose, poll.take_back, poll.sentence) == (("Ayla",), ("Ayla",), "", "limit 5 → 4")
    [own] = see(challenge, bung).proposals
    assert (own.accept, own.oppose, own.take_back) == ((), ("Bung",), "Bung")
    [other] = get_challenge_for_user(number=challenge.number, user=make_user("Rinn")).proposals
    assert (other.accept, other.oppose, other.take_back) == ((), (), "")
    assert see(challenge, ayla).actions.propose == ("Ayla",)
    assert see(challenge, ayla).actions.decides is False


def test_a_retired_mage_comes_back_by_taking_part_and_only_if_that_succeeds(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    """FM-ORDUSR-10; section 10, item 23."""
    Mage.objects.filter(pk__in=[bung.pk, ayla.pk]).update(retired_at=NOW)
    closed = make_challenge(froodal, make_mage("Ulf"))
    with pytest.raises(CannotJoin):
        accept(closed, bung)
    bung.refresh_from_db()
    assert bung.is_retired
    opened = make_challenge(ayla, limit=3)
    accept(opened, bung)
    for mage in (bung, ayla):
        mage.refresh_from_db()
        assert not mage.is_retired
    assert set(Engagement.objects.filter(number=opened.number).values_list("mage__name", flat=True)) == {"Bung", "Ayla"}


def test_a_change_to_rules_with_room_for_fewer_lowers_the_limit_first(froodal: Mage) -> None:
    challenge = make_challenge(froodal, open_to_all=True, limit=9)
    with pytest.raises(InvalidChallenge) as refused:
        propose(challenge, froodal, {"ruleset": "spellcast"})
    assert codes(refused.value) == {("limit", "limit_too_high")}
    propose(challenge, froodal, {"ruleset": "spellcast", "limit": 8})
    challenge.refresh_from_db()
    assert (challenge.terms["ruleset"], challenge.limit) == ("spellcast", 8)
