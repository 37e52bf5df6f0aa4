"""Links, quick matches, and users who block each other."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.errors import NameTaken
from accounts.models import Engagement, Mage
from accounts.selectors.ties import find_users_apart_from, list_blocked_by
from accounts.services.mages import engage_mage
from accounts.services.ties import block_user, unblock_user
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.models import Challenge, InviteLink, Seat
from challenges.selectors.links import find_live_link
from challenges.selectors.lists import ChallengeFilter, get_challenge_for_user, list_open_challenges
from challenges.services.answers import accept_challenge
from challenges.services.expire import expire_links, part_blocked_users
from challenges.services.invite_links import (
    LINK_LIFE,
    MOST_LINKS,
    join_by_link,
    make_invite_link,
    register_mage_by_link,
    revoke_invite_link,
)
from challenges.services.proposals import propose_change
from challenges.services.quick_match import find_quick_match
from challenges.validation import MOST_OPEN_CHALLENGES
from duels.models import Battle
from duels.terms import Terms
from notifications.models import Notice
from operations.services.policy import set_policy
from tests.challenges.conftest import make_challenge
from tests.refusals import refused
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


def accept(challenge: Challenge, mage: Mage) -> Any:
    return accept_challenge(number=challenge.number, mage=mage, now=LATER)


def link_to(challenge: Challenge, mage: Mage) -> tuple[InviteLink, str]:
    return make_invite_link(number=challenge.number, mage=mage, now=NOW)


def make_for_friend(challenger: Mage, **asked: Any) -> Challenge:
    """A closed challenge with an invite link."""
    return make_challenge(challenger, open_to_all=False, by_link=True, **asked)


# -- links


def test_a_friend_signs_up_and_joins_in_one_step(froodal: Mage) -> None:
    challenge = make_for_friend(froodal, limit=2)
    link, token = link_to(challenge, froodal)
    found = find_live_link(token=token, now=LATER)
    assert found is not None and found.challenge == challenge
    assert token not in str(vars(link)), "only a hash of it is kept"
    outcome = register_mage_by_link(token=token, user=make_user("Rinn"), name="Pip", now=LATER)
    assert (outcome.number, outcome.status) == (challenge.number, "started")
    assert {fighter.mage.name for fighter in Battle.objects.get().combatants.all()} == {"Froodal", "Pip"}


def test_a_step_that_fails_registers_nobody(froodal: Mage, bung: Mage) -> None:
    challenge = make_for_friend(froodal, limit=2)
    _, token = link_to(challenge, froodal)
    user = make_user("Rinn")
    with pytest.raises(NameTaken):
        register_mage_by_link(token=token, user=user, name="Bung", now=LATER)
    with refused("link_over"):
        register_mage_by_link(token="nothing like it", user=user, name="Pip", now=LATER)
    assert not Mage.objects.filter(user=user).exists()
    assert Seat.objects.filter(challenge=challenge).count() == 1


def test_a_link_works_until_it_expires(froodal: Mage, bung: Mage) -> None:
    challenge = make_for_friend(froodal, limit=2)
    _, token = link_to(challenge, froodal)
    with refused("link_over"):
        join_by_link(token=token, mage=bung, now=NOW + LINK_LIFE)
    assert not Engagement.objects.filter(mage=bung).exists()
    assert join_by_link(token=token, mage=bung, now=NOW + LINK_LIFE - timedelta(seconds=1)).status == "started"


def test_a_link_works_until_its_maker_revokes_it(froodal: Mage, bung: Mage) -> None:
    challenge = make_for_friend(froodal)
    link, token = link_to(challenge, froodal)
    assert revoke_invite_link(number=challenge.number, user=bung.user, link_id=link.pk, now=LATER) is None
    assert revoke_invite_link(number=challenge.number, user=froodal.user, link_id=link.pk, now=LATER).status == "open"
    assert revoke_invite_link(number=challenge.number, user=froodal.user, link_id=link.pk, now=LATER) is None
    with refused("link_over"):
        join_by_link(token=token, mage=bung, now=LATER)


def test_a_closed_challenge_waits_while_a_link_is_live(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_for_friend(froodal)
    _, token = link_to(challenge, froodal)
    assert join_by_link(token=token, mage=bung, now=LATER).status == "open"
    assert join_by_link(token=token, mage=ayla, now=LATER).status == "open"
    assert expire_links(now=LATER) == 0
    assert expire_links(now=NOW + LINK_LIFE) == 1
    assert expire_links(now=NOW + LINK_LIFE) == 0
    challenge.refresh_from_db()
    assert (challenge.status, challenge.seats_taken) == ("started", 3)


def test_revoking_the_last_link_starts_what_waited_for_it(froodal: Mage, bung: Mage) -> None:
    challenge = make_for_friend(froodal)
    link, token = link_to(challenge, froodal)
    join_by_link(token=token, mage=bung, now=LATER)
    revoke_invite_link(number=challenge.number, user=froodal.user, link_id=link.pk, now=LATER)
    challenge.refresh_from_db()
    assert challenge.status == "started"


def test_a_link_opens_no_seat_that_is_excluded_or_busy(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, excluded=[bung], limit=3)
    _, token = link_to(challenge, froodal)
    engage_mage(mage=ayla, kind="battle", number=99)
    for mage, code in ((bung, "excluded"), (ayla, "busy_battle"), (froodal, "joined_already")):
        with pytest.raises(ChallengeRefused) as caught:
            join_by_link(token=token, mage=mage, now=LATER)
        assert caught.value.code == code


def test_only_the_challenger_hands_out_links_and_only_so_many(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, bung, ayla)
    with pytest.raises(ChallengeRefused) as caught:
        link_to(challenge, bung)
    assert caught.value.code == "not_the_challenger"
    for _ in range(MOST_LINKS):
        link_to(challenge, froodal)
    with pytest.raises(ChallengeRefused) as caught:
        link_to(challenge, froodal)
    assert caught.value.code == "too_many_links"


def test_with_three_voters_no_link_bypasses_their_vote(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, bung, ayla, make_mage("Crom"))
    accept(challenge, bung)
    accept(challenge, ayla)
    with pytest.raises(ChallengeRefused) as caught:
        link_to(challenge, froodal)
    assert caught.value.code == "link_needs_a_vote"
    assert get_challenge_for_user(number=challenge.number, user=froodal.user).own.actions.link == ""


def test_links_stop_working_when_the_battle_begins(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_for_friend(froodal, limit=2)
    _, token = link_to(challenge, froodal)
    join_by_link(token=token, mage=bung, now=LATER)
    with pytest.raises(ChallengeRefused):
        join_by_link(token=token, mage=ayla, now=LATER)


# -- quick matches


def test_two_quick_matches_meet(froodal: Mage, bung: Mage) -> None:
    first = find_quick_match(mage=froodal, now=NOW)
    assert first.status == "open"
    assert find_quick_match(mage=froodal, now=NOW) == first, "asking again is waiting on"
    second = find_quick_match(mage=bung, now=NOW)
    assert (second.number, second.status) == (first.number, "started")


def test_a_quick_match_joins_the_duel_that_has_waited_longest(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    make_challenge(make_mage("Ulf"), limit=3)
    make_challenge(make_mage("Fritha"), limit=2, terms=Terms(stakes="friendly"))
    older = make_challenge(froodal, limit=2, now=NOW)
    make_challenge(bung, limit=2, now=LATER)
    assert find_quick_match(mage=ayla, now=LATER).number == older.number


def test_a_quick_match_never_pairs_users_with_themselves_or_blocked_users(froodal: Mage, bung: Mage) -> None:
    own = make_mage("Fritha", froodal.user)
    block_user(user=bung.user, blocked=froodal.user, now=NOW)
    waiting = find_quick_match(mage=froodal, now=NOW)
    for mage in (own, bung):
        made = find_quick_match(mage=mage, now=NOW)
        assert made.status == "open" and made.number != waiting.number


def test_a_quick_match_of_a_busy_mage_is_rejected(froodal: Mage, bung: Mage) -> None:
    make_challenge(froodal, limit=2)
    engage_mage(mage=bung, kind="battle", number=99)
    with pytest.raises((ChallengeRefused, InvalidChallenge)) as caught:
        find_quick_match(mage=bung, now=NOW)
    assert "Bung is in battle 99." in str(caught.value)


# -- blocked users


@pytest.mark.parametrize("who", ["challenger", "joiner"])
def test_blocked_users_do_not_meet_in_either_direction(froodal: Mage, bung: Mage, who: str) -> None:
    one, other = (froodal.user, bung.user) if who == "challenger" else (bung.user, froodal.user)
    assert block_user(user=one, blocked=other, now=NOW) is True
    assert block_user(user=one, blocked=other, now=NOW) is False
    challenge = make_challenge(froodal)
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, bung)
    assert caught.value.code == "apart"
    row = get_challenge_for_user(number=challenge.number, user=bung.user)
    assert (row.own.may_join, row.own.why_not_code) == (False, "apart")
    assert Seat.objects.count() == 1


def test_blocked_users_cannot_be_challenged_nor_added(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    block_user(user=bung.user, blocked=froodal.user, now=NOW)
    with pytest.raises(InvalidChallenge) as caught:
        make_challenge(froodal, bung)
    assert [(problem.place, problem.code) for problem in caught.value.problems] == [("against", "apart")]
    challenge = make_challenge(froodal, ayla)
    with pytest.raises(InvalidChallenge) as caught:
        propose_change(number=challenge.number, mage=froodal, change={"add": ["Bung"]}, now=NOW)
    assert [(problem.place, problem.code) for problem in caught.value.problems] == [("add", "apart")]
    propose_change(number=challenge.number, mage=froodal, change={}, everyone=True, now=NOW)
    assert not Seat.objects.filter(mage=bung).exists()


def test_a_removed_block_has_no_effect(froodal: Mage, bung: Mage) -> None:
    block_user(user=froodal.user, blocked=bung.user, now=NOW)
    assert list(list_blocked_by(froodal.user)) == [bung.user]
    assert find_users_apart_from([bung.user_id]) == {froodal.user_id}
    assert unblock_user(user=bung.user, blocked=froodal.user) is False, "Bung cannot remove Froodal's block"
    assert unblock_user(user=froodal.user, blocked=bung.user) is True
    accept(make_challenge(froodal, limit=3), bung)


def test_users_cannot_block_themselves(froodal: Mage) -> None:
    with refused("blocks_self"):
        block_user(user=froodal.user, blocked=froodal.user, now=NOW)


def test_blocking_a_user_in_the_same_challenge_separates_them(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, limit=4)
    accept(challenge, bung)
    accept(challenge, ayla)
    assert part_blocked_users(now=LATER) == 0
    block_user(user=bung.user, blocked=ayla.user, now=LATER)
    assert part_blocked_users(now=LATER) == 1
    assert part_blocked_users(now=LATER) == 0
    assert Seat.objects.get(mage=ayla).state == "excluded"
    assert not Engagement.objects.filter(mage=ayla).exists()
    assert Notice.objects.get(kind="challenge_uninvited").user == ayla.user
    challenge.refresh_from_db()
    assert challenge.seats_taken == 2


def test_a_battle_never_begins_with_users_who_do_not_meet(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, limit=3)
    accept(challenge, bung)
    block_user(user=froodal.user, blocked=bung.user, now=LATER)
    assert accept(challenge, ayla).status == "open", "before any sweep has come by"
    assert Seat.objects.get(mage=bung).state == "excluded"


# -- making


def test_a_user_has_only_so_many_open_challenges(db: None) -> None:
    user = make_user("Rinn")
    set_policy(by=user, why="a test", numbers={"new_mages_a_day": 6}, now=NOW)
    mages = [make_mage(f"Mage{letter}", user) for letter in "abcdef"]
    for mage in mages[:MOST_OPEN_CHALLENGES]:
        make_challenge(mage)
    with pytest.raises(InvalidChallenge) as caught:
        make_challenge(mages[-1])
    [problem] = caught.value.problems
    assert (problem.place, problem.code) == ("mage", "too_many_challenges")
    assert str(MOST_OPEN_CHALLENGES) in problem.message


def test_all_in_a_new_challenge_invites_everyone_who_is_free(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-9."""
    engage_mage(mage=ayla, kind="battle", number=99)
    own = make_mage("Fritha", froodal.user)
    challenge = make_challenge(froodal, everyone=True, open_to_all=True)
    assert list(challenge.seats.filter(state="invited").values_list("mage__name", flat=True)) == ["Bung"]
    assert not Seat.objects.filter(mage=own).exists(), "a second mage of the same user could not join"
    assert Notice.objects.get(kind="challenged").facts["everyone"] is True


def test_a_new_open_challenge_keeps_mages_out(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-8."""
    challenge = make_challenge(froodal, excluded=[bung])
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, bung)
    assert caught.value.code == "excluded"
    with pytest.raises(InvalidChallenge) as failed:
        make_challenge(ayla, bung, excluded=[bung, ayla])
    assert {problem.code for problem in failed.value.problems} == {
        "exclude_needs_open",
        "invited_and_excluded",
        "excludes_yourself",
    }


# -- the list


def test_the_list_shows_what_the_filter_says(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    duel = make_challenge(froodal, limit=2, terms=Terms("firetop-classic"))
    melee = make_challenge(bung, limit=4, terms=Terms(stakes="friendly"))

    def listed(**asked: Any) -> list[int]:
        return [row.number for row in list_open_challenges(viewer=ayla.user, wanted=ChallengeFilter(**asked))]

    assert listed() == [duel.number, melee.number]
    assert (
        listed(is_duel=True) == listed(has_scores_at_stake=True) == listed(ruleset="firetop-classic") == [duel.number]
    )
    assert listed(is_duel=False) == listed(has_scores_at_stake=False) == [melee.number]
    block_user(user=froodal.user, blocked=ayla.user, now=NOW)
    assert listed(joinable=True) == [melee.number]
