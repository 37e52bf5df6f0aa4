"""Proposing changes, voting on them, and recounting."""

from datetime import timedelta

import pytest

from accounts.models import Mage
from challenges.changes import Change
from challenges.errors import ChallengeRefused
from challenges.models import Proposal, Seat, Vote
from challenges.services.answers import decline_challenge
from challenges.services.expire import expire_proposals
from challenges.services.proposals import MOST_PENDING, PROPOSAL_LIFE, take_back_change
from duels.models import Battle
from duels.terms import Terms
from operations.models import Outage
from tests.challenges.conftest import make_challenge
from tests.challenges.votes import LATER, accept, make_full, notified, oppose, propose, see, state_of
from tests.refusals import refused
from tests.scenes import make_mage

pytestmark = pytest.mark.django_db

pytestmark = pytest.mark.django_db


def test_a_lone_challenger_changes_the_challenge_at_once(froodal: Mage) -> None:
    """FM-ORDCHG-1, FM-ORDCHG-6, FM-ORDCHG-14: every option that sets a value."""
    challenge = make_challenge(froodal, limit=4)
    change: Change = {
        "ruleset": "firetop-classic",
        "stakes": "friendly",
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
    assert Terms.from_json(challenge.terms) == Terms(
        "firetop-classic", stakes="friendly", orders_final=True, chat=False
    )
    assert (challenge.mages_per_user, challenge.limit, challenge.authoritarian) == (0, None, True)
    assert challenge.comment == "Quick please"
    assert not Proposal.objects.exists()


def test_the_challenger_of_two_decides_at_once_and_the_other_proposes(froodal: Mage, bung: Mage) -> None:
    """FM-ORDCHG-11."""
    challenge = make_full(froodal, bung, limit=4)
    assert propose(challenge, froodal, {"limit": 3}).proposed is None
    assert notified("change_adopted")["Bung_user"]["differences"] == [{"what": "limit", "before": 4, "after": 3}]

    outcome = propose(challenge, bung, {"limit": 5})
    assert (outcome.proposed, outcome.decided) == (1, ())
    challenge.refresh_from_db()
    assert challenge.limit == 3
    proposed = notified("change_proposed")
    assert set(proposed) == {"Froodal_user"}
    facts = proposed["Froodal_user"]
    assert (facts["change"], facts["proposer"], facts["mages"]) == (1, "Bung", ["Froodal"])
    assert facts["lapses_at"] == (LATER + PROPOSAL_LIFE).isoformat()


def test_three_vote_and_the_second_yes_decides(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-17, FM-ORDACC-2, FM-ORDCHG-10, FM-ORDCHG-13."""
    challenge = make_full(froodal, bung, ayla)
    stranger = make_mage("Ulf")
    assert propose(challenge, froodal, {"limit": 4}).proposed == 1
    assert set(notified("change_proposed")) == {"Bung_user", "Ayla_user"}, "those who have joined are asked"
    with pytest.raises(ChallengeRefused) as caught:
        oppose(challenge, stranger, 1)
    assert caught.value.code == "not_joined"

    outcome = accept(challenge, bung, changes=[1])
    assert [(each.number, each.result) for each in outcome.decided] == [(1, "adopted")]
    challenge.refresh_from_db()
    assert challenge.limit == 4
    assert set(notified("change_adopted")) == {"Froodal_user", "Ayla_user"}


def test_the_same_change_can_be_voted_down_and_the_right_proposer_is_named(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    """FM-ORDACC-6; with another change pending the old server named the wrong one (section 10, item 22)."""
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    propose(challenge, ayla, {"stakes": "friendly"})
    oppose(challenge, froodal, 1)
    assert state_of(challenge, 1) == "pending"
    outcome = oppose(challenge, ayla, 1)
    assert [(each.number, each.proposer, each.result) for each in outcome.decided] == [(1, "Bung", "rejected")]
    rejected = notified("change_rejected")
    assert set(rejected) == {"Froodal_user", "Bung_user"}
    assert rejected["Bung_user"]["proposer"] == "Bung"
    assert (state_of(challenge, 1), state_of(challenge, 2)) == ("rejected", "pending")


def test_a_vote_can_be_changed_while_the_change_is_pending(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    challenge = make_full(froodal, bung, ayla, crom)
    propose(challenge, bung, {"limit": 5})
    oppose(challenge, ayla, 1)
    oppose(challenge, bung, 1)
    accept(challenge, ayla, changes=[1])
    assert {vote.mage.name: vote.in_favour for vote in Vote.objects.all()} == {"Bung": False, "Ayla": True}
    assert state_of(challenge, 1) == "pending"


def test_everything_accepts_pending_and_later_changes(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDACC-3."""
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    propose(challenge, bung, {"stakes": "friendly"})
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
    propose(challenge, bung, {"stakes": "friendly"})
    outcome = accept(challenge, ayla, changes=[1])
    assert (outcome.status, outcome.decided[0].result) == ("started", "adopted")
    assert Battle.objects.get().terms["stakes"] == "friendly"


def test_a_vote_that_raises_the_limit_keeps_the_battle_from_starting(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, limit=3)
    propose(challenge, bung, {"limit": 4})
    assert accept(challenge, ayla, everything=True).status == "open"
    assert set(notified("challenge_accepted")) == {"Froodal_user", "Bung_user"}


def test_a_vote_on_an_unknown_change_rejects_the_whole_order(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung)
    propose(challenge, bung, {"limit": 3})
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, ayla, changes=[7])
    assert str(caught.value) == f"Challenge {challenge.number} has no change 7 to vote on. Pending: 1."
    assert not Seat.objects.filter(mage=ayla).exists()


def test_numbers_of_changes_are_never_used_again(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    take_back_change(number=challenge.number, mage=bung, change=1, now=LATER)
    assert propose(challenge, bung, {"limit": 5}).proposed == 2
    with pytest.raises(ChallengeRefused) as caught:
        oppose(challenge, ayla, 1)
    assert caught.value.code == "change_taken_back"


def test_only_the_proposer_takes_a_proposal_back(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    with pytest.raises(ChallengeRefused) as caught:
        take_back_change(number=challenge.number, mage=froodal, change=1, now=LATER)
    assert caught.value.code == "not_the_proposer"
    take_back_change(number=challenge.number, mage=bung, change=1, now=LATER)
    assert state_of(challenge, 1) == "taken_back"
    assert set(notified("change_taken_back")) == {"Froodal_user", "Ayla_user"}
    with refused("change_taken_back"):
        take_back_change(number=challenge.number, mage=bung, change=1, now=LATER)


def test_a_challenge_holds_only_so_many_open_proposals(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    for number in range(MOST_PENDING):
        propose(challenge, bung, {"comment": f"number {number}"})
    with pytest.raises(ChallengeRefused) as caught:
        propose(challenge, ayla, {"limit": 9})
    assert caught.value.code == "too_many_changes"


def test_the_votes_are_recounted_when_someone_leaves(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    """Section 10, item 22: the old server waited for the next vote."""
    challenge = make_full(froodal, bung, ayla, crom)
    propose(challenge, bung, {"limit": 5})
    accept(challenge, ayla, changes=[1])
    assert state_of(challenge, 1) == "pending"
    outcome = decline_challenge(number=challenge.number, mage=crom, now=LATER)
    assert [(each.number, each.result) for each in outcome.decided] == [(1, "adopted")]


def test_leaving_removes_the_vote_and_returning_does_not_restore_it(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 5})
    decline_challenge(number=challenge.number, mage=bung, now=LATER)
    assert (state_of(challenge, 1), Vote.objects.count()) == ("pending", 0)
    accept(challenge, bung)
    assert [vote.stance for vote in see(challenge, bung).proposals[0].votes] == ["", "", ""]


def test_the_votes_are_recounted_when_the_challenge_becomes_authoritarian(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, froodal, {"limit": 5})
    propose(challenge, bung, {"chat": False})
    propose(challenge, bung, {"authoritarian": True})
    outcome = accept(challenge, ayla, changes=[3])
    assert [(each.number, each.result) for each in outcome.decided] == [(3, "adopted"), (1, "adopted")]
    assert state_of(challenge, 2) == "pending", "the challenger has said nothing on it"
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, ayla, changes=[2])
    assert caught.value.code == "authoritarian"
    assert oppose(challenge, froodal, 2).decided[0].result == "rejected"


def test_a_proposal_survives_another_change_and_shows_the_current_difference(
    froodal: Mage, bung: Mage, ayla: Mage
) -> None:
    challenge = make_full(froodal, bung, ayla, limit=4)
    propose(challenge, bung, {"limit": 6, "chat": False})
    propose(challenge, froodal, {"limit": 5})
    assert see(challenge, ayla).proposals[0].sentence == "talk allowed → not allowed, limit 4 → 6"
    accept(challenge, ayla, changes=[2])
    assert see(challenge, ayla).proposals[0].sentence == "talk allowed → not allowed, limit 5 → 6"


def test_a_proposal_with_nothing_left_to_change_is_moot(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla, limit=5)
    propose(challenge, bung, {"limit": 4})
    propose(challenge, froodal, {"limit": 4, "stakes": "friendly"})
    outcome = accept(challenge, ayla, changes=[2])
    assert [(each.number, each.result) for each in outcome.decided] == [(2, "adopted"), (1, "moot")]
    assert notified("change_lapsed")["Bung_user"]["reason"] == "moot"


def test_a_proposal_expires_after_its_time_and_only_once(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """Section 10, item 22: on the old server, no vote ended by itself."""
    challenge = make_full(froodal, bung, ayla)
    propose(challenge, bung, {"limit": 4})
    end = LATER + PROPOSAL_LIFE
    outage = Outage.objects.create(part="site", started_at=LATER)
    assert expire_proposals(now=end) == 0, "the site is in doubt"
    Outage.objects.filter(pk=outage.pk).update(ended_at=LATER + timedelta(days=2), given_back_at=end)
    end += timedelta(days=2)
    assert expire_proposals(now=end - timedelta(seconds=1)) == 0, "nobody could vote in these days"
    assert expire_proposals(now=end) == 1
    assert expire_proposals(now=end) == 0
    assert state_of(challenge, 1) == "lapsed"
    assert {name: facts["reason"] for name, facts in notified("change_lapsed").items()} == dict.fromkeys(
        ("Froodal_user", "Bung_user", "Ayla_user"), "time"
    )
