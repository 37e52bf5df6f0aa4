"""The effects of an adopted change of a challenge, and what the page shows."""

from typing import Any

import pytest

from accounts.models import Engagement, Mage
from accounts.services.mages import engage_mage
from challenges.changes import Change
from challenges.errors import ChallengeOver, ChallengeRefused, InvalidChallenge
from challenges.models import Seat
from challenges.selectors.lists import get_challenge_for_user
from challenges.services.answers import withdraw_challenge
from challenges.services.proposals import start_challenge
from challenges.words import describe_difference
from duels.models import Battle, Combatant
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.challenges.votes import LATER, accept, codes, make_full, notified, oppose, propose, refused, see, state_of
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db

pytestmark = pytest.mark.django_db


def test_only_the_challenger_changes_an_authoritarian_challenge(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-16, FM-ORDCHG-8, FM-ORDCHG-9, FM-ORDCHG-12."""
    challenge = make_full(froodal, bung, ayla, authoritarian=True)
    with pytest.raises(ChallengeRefused) as caught:
        propose(challenge, bung, {"limit": 4})
    assert str(caught.value) == f"Only Froodal can change challenge {challenge.number}."
    assert propose(challenge, froodal, {"limit": 4}).decided[0].result == "adopted"
    propose(challenge, froodal, {"authoritarian": False})
    assert propose(challenge, bung, {"limit": 5}).proposed == 1
    propose(challenge, bung, {"authoritarian": True})
    accept(challenge, ayla, changes=[2])
    challenge.refresh_from_db()
    assert (challenge.authoritarian, challenge.challenger) == (True, froodal), "it does not matter who proposed it"


def test_the_same_change_proposed_again_is_a_vote_for_it(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_full(froodal, bung, ayla)
    assert propose(challenge, bung, {"limit": 5}).proposed == propose(challenge, bung, {"limit": 5}).proposed == 1
    assert Notice.objects.filter(kind="change_proposed").count() == 2, "Froodal and Ayla hear of it once"
    oppose(challenge, ayla, 1)
    again = propose(challenge, ayla, {"limit": 5})
    assert [(each.number, each.result) for each in again.decided] == [(1, "adopted")] and again.proposed is None


def test_mages_who_have_not_joined_cannot_change_anything(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, bung)
    with pytest.raises(ChallengeRefused) as caught:
        propose(challenge, bung, {"limit": 2})
    assert caught.value.code == "not_joined"
    withdraw_challenge(number=challenge.number, mage=froodal, now=LATER)
    with pytest.raises(ChallengeOver):
        propose(challenge, froodal, {"limit": 2})


def test_more_mages_are_challenged_and_notified(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDCHG-2."""
    challenge = make_challenge(froodal, bung)
    Notice.objects.all().delete()
    propose(challenge, froodal, {"add": ["ayla"]})
    assert Seat.objects.get(challenge=challenge, mage=ayla).state == "invited"
    assert set(notified("challenged")) == {"Ayla_user"}
    assert set(notified("change_adopted")) == {"Bung_user"}, "who is newly challenged is not told of the change besides"


def test_mages_who_are_busy_meanwhile_are_skipped(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    challenge = make_full(froodal, bung)
    propose(challenge, bung, {"add": ["Ayla", "Crom"], "limit": 4})
    engage_mage(mage=ayla, kind="battle", number=99)
    accept(challenge, froodal, changes=[1])
    assert not Seat.objects.filter(mage=ayla).exists()
    assert Seat.objects.get(mage=crom).state == "invited"


def test_excluded_mages_cannot_join_until_they_are_challenged_again(froodal: Mage, bung: Mage) -> None:
    """FM-ORDCHG-3, FM-ORDNEW-8."""
    challenge = make_challenge(froodal)
    propose(challenge, froodal, {"exclude": ["Bung"]})
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, bung)
    assert caught.value.code == "excluded"
    assert see(challenge, bung).own.why_not == "You are excluded."
    assert not notified("challenge_uninvited"), "who was never asked is told nothing"
    assert refused(challenge, froodal, {"exclude": ["Bung"]}) == {("exclude", "excluded_already")}
    propose(challenge, froodal, {"add": ["Bung"]})
    accept(challenge, bung)


def test_excluding_the_last_one_invited_starts_the_battle_of_the_others(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDCHG-3; 3.10."""
    challenge = make_challenge(froodal, bung, ayla)
    accept(challenge, bung)
    assert refused(challenge, froodal, {"exclude": ["Bung"]}) == {("exclude", "exclude_too_late")}
    assert propose(challenge, froodal, {"exclude": ["Ayla"]}).status == "started"
    assert set(notified("challenge_uninvited")) == {"Ayla_user"}
    assert Combatant.objects.count() == 2


def test_excluding_everyone_leaves_no_battle_of_one(froodal: Mage, bung: Mage) -> None:
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
    assert accept(challenge, bung, changes=[1]).status == "started"


def test_start_begins_at_once_and_drops_pending_proposals(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    """FM-ORDCHG-4, FM-ORDCHG-5."""
    challenge = make_challenge(froodal, bung, ayla, crom)
    accept(challenge, bung)
    accept(challenge, ayla)
    propose(challenge, bung, {"stakes": "friendly"})
    assert start_challenge(number=challenge.number, mage=froodal, now=LATER).proposed == 2
    outcome = accept(challenge, ayla, changes=[2])
    assert outcome.status == "started"
    assert (state_of(challenge, 1), state_of(challenge, 2)) == ("abandoned", "adopted")
    assert Battle.objects.get().terms["stakes"] == "ladder"
    assert set(notified("challenge_excluded")) == {"Crom_user"}
    assert not notified("change_adopted"), "the battle's own notice is enough"


def test_all_challenges_everyone_who_is_free_and_opens_the_challenge(
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
        ("ruleset", "terms"),
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
        ({"limit": None, "stakes": "ladder"}, "no_difference"),
        ({"exclude": ["Ayla"]}, "not_challenged"),
        ({"colour": "red"}, "unknown_part"),
    ],
)
def test_a_change_without_effect_is_rejected(froodal: Mage, bung: Mage, ayla: Mage, change: Any, code: str) -> None:
    challenge = make_challenge(froodal, bung)
    assert {each for _, each in refused(challenge, froodal, change)} >= {code}


def test_a_challenge_for_nobody_cannot_be_made_by_closing_it(froodal: Mage) -> None:
    challenge = make_challenge(froodal)
    assert refused(challenge, froodal, {"mages_per_user": None}) == {("against", "nobody_invited")}


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
    assert see(challenge, ayla).own.actions.propose == ("Ayla",)
    assert see(challenge, ayla).own.actions.decides is False


def test_a_retired_mage_returns_by_joining_and_only_if_that_succeeds(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDUSR-10; section 10, item 23."""
    Mage.objects.filter(pk__in=[bung.pk, ayla.pk]).update(retired_at=NOW)
    closed = make_challenge(froodal, make_mage("Ulf"))
    with pytest.raises(ChallengeRefused) as caught:
        accept(closed, bung)
    assert caught.value.code == "not_invited"
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


def test_rules_that_are_not_offered_cannot_be_proposed(froodal: Mage) -> None:
    """The original server's defects are for conformance tests, not for play."""
    challenge = make_challenge(froodal)
    assert refused(challenge, froodal, {"ruleset": "firetop-server"}) == {("ruleset", "terms")}
    assert propose(challenge, froodal, {"ruleset": "spellcast"}).decided


@pytest.mark.parametrize(
    ("names", "said"),
    [((), "invite"), (("Ayla",), "invite Ayla"), (("Ayla", "Crom", "Ulf"), "invite Ayla, Crom and Ulf")],
)
def test_any_number_of_invited_mages_is_put_into_words(names: tuple[str, ...], said: str) -> None:
    assert describe_difference("add", (), names).sentence == said
