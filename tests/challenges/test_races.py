"""Two things at the same time, with real threads on PostgreSQL: one outcome, and never a deadlock."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from accounts.errors import AccountsError
from accounts.models import Engagement, Mage
from accounts.services.mages import register_mage
from challenges.errors import ChallengeError
from challenges.models import Challenge, Proposal, Seat
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.services.create import create_challenge
from challenges.services.expire import expire_links, expire_proposals
from challenges.services.invite_links import join_by_link, make_invite_link
from challenges.services.proposals import propose_change, start_challenge, take_back_change
from challenges.services.quick_match import find_quick_match
from challenges.services.retire_mages import quit_mage
from challenges.services.votes import oppose_changes
from duels.models import Battle, Combatant
from duels.terms import Terms
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
ROUNDS = 200 if os.environ.get("FM_TEST_LONG") else 2
NAMES = ("Froodal", "Bung", "Ayla", "Crom")

Action = Callable[[], Any]


def at_once(*actions: Action) -> list[Any]:
    """Run the actions in threads that start together: what each returned, or its rejection. Raises any other error."""
    together = Barrier(len(actions))

    def run(action: Action) -> Any:
        try:
            together.wait(timeout=10)
            return action()
        except (ChallengeError, AccountsError) as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def refusals(results: list[Any]) -> list[str]:
    return [getattr(result, "code", type(result).__name__) for result in results if isinstance(result, ChallengeError)]


def each_round(count: int) -> Iterator[list[Mage]]:
    """New mages with different users for every round; after each, everything must be consistent."""
    for turn in range(ROUNDS):
        mages = [make_mage(f"{name}{turn}") for name in NAMES[:count]]
        yield mages
        check_that_all_fits(mages)


def check_that_all_fits(mages: list[Mage]) -> None:
    for challenge in Challenge.objects.filter(challenger__in=mages):
        joined = {seat.mage_id for seat in challenge.seats.filter(state=Seat.State.JOINED)}
        assert challenge.seats_taken == len(joined)
        kind = {"open": "challenge", "started": "battle"}.get(challenge.status)
        engaged = set(Engagement.objects.filter(kind=kind, number=challenge.number).values_list("mage", flat=True))
        assert engaged == (joined if kind else set())
        fighters = set(Combatant.objects.filter(battle__number=challenge.number).values_list("mage", flat=True))
        assert fighters == (joined if challenge.status == "started" else set())
        assert len(fighters) != 1


def accepting(challenge: Challenge, mage: Mage) -> Action:
    return partial(accept_challenge, number=challenge.number, mage=mage, now=NOW)


def declining(challenge: Challenge, mage: Mage) -> Action:
    return partial(decline_challenge, number=challenge.number, mage=mage, now=NOW)


def test_two_mages_cannot_both_take_the_last_seat() -> None:
    for froodal, bung, ayla in each_round(3):
        challenge = make_challenge(froodal, limit=2)
        results = at_once(accepting(challenge, bung), accepting(challenge, ayla))
        assert refusals(results) == ["started"]


def test_accepting_against_withdrawing_is_a_battle_or_none() -> None:
    outcomes = set()
    for froodal, bung in each_round(2):
        challenge = make_challenge(froodal, bung)
        results = at_once(
            accepting(challenge, bung), partial(withdraw_challenge, number=challenge.number, mage=froodal, now=NOW)
        )
        challenge.refresh_from_db()
        assert refusals(results) == [challenge.status]
        assert Battle.objects.filter(number=challenge.number).exists() is (challenge.status == "started")
        outcomes.add(challenge.status)
    assert outcomes <= {"started", "withdrawn"}


def test_a_mage_that_accepts_two_challenges_is_in_one() -> None:
    for froodal, bung, ayla in each_round(3):
        first, second = make_challenge(froodal, limit=3), make_challenge(bung, limit=2)
        results = at_once(accepting(first, ayla), accepting(second, ayla))
        assert len(refusals(results)) == 1
        assert refusals(results)[0] in ("busy", "busy_challenge", "busy_battle")
        assert Seat.objects.filter(mage=ayla, state=Seat.State.JOINED).count() == 1


def test_a_mage_that_makes_two_challenges_makes_one() -> None:
    for [froodal] in each_round(1):
        make = partial(create_challenge, challenger=froodal, terms=Terms(), open_to_all=True, limit=2, now=NOW)
        assert len(refusals(at_once(make, make))) == 1
        assert Challenge.objects.filter(challenger=froodal).count() == 1


def test_the_last_two_answers_together_start_one_battle() -> None:
    for froodal, bung, ayla in each_round(3):
        challenge = make_challenge(froodal, bung, ayla)
        assert refusals(at_once(accepting(challenge, bung), declining(challenge, ayla))) == []
        assert Combatant.objects.filter(battle__number=challenge.number).count() == 2


def test_two_mages_named_in_each_others_challenge_accept_without_a_deadlock() -> None:
    """Each declines the challenge that the other is just joining."""
    for froodal, bung, ayla, crom in each_round(4):
        first, second = make_challenge(froodal, ayla, crom), make_challenge(bung, ayla, crom)
        assert refusals(at_once(accepting(first, ayla), accepting(second, crom))) == []
        assert Seat.objects.get(challenge=first, mage=crom).state == "declined"
        assert Seat.objects.get(challenge=second, mage=ayla).state == "declined"
        assert Battle.objects.filter(number__in=[first.number, second.number]).count() == 2


def test_starting_against_leaving_is_a_battle_of_two_or_none() -> None:
    for froodal, bung in each_round(2):
        challenge = make_challenge(froodal, limit=4)
        accepting(challenge, bung)()
        results = at_once(
            partial(start_challenge, number=challenge.number, mage=froodal, now=NOW), declining(challenge, bung)
        )
        refused = [result for result in results if isinstance(result, ChallengeError)]
        assert len(refused) == 1
        challenge.refresh_from_db()
        assert (challenge.status == "open") is (getattr(refused[0], "code", "") == "too_few")


def test_the_same_click_four_times_at_once_seats_once() -> None:
    for froodal, bung in each_round(2):
        challenge = make_challenge(froodal, limit=3)
        assert refusals(at_once(*[accepting(challenge, bung)] * 4)) == ["joined_already"] * 3


def test_two_votes_that_each_decide_adopt_once() -> None:
    for froodal, bung, ayla, crom in each_round(4):
        challenge = make_challenge(froodal)
        for mage in (bung, ayla, crom):
            accepting(challenge, mage)()
        propose_change(number=challenge.number, mage=bung, change={"limit": 6}, now=NOW)
        vote = partial(accept_challenge, number=challenge.number, changes=[1], now=NOW)
        accepting_it = [partial(vote, mage=froodal), partial(vote, mage=ayla), partial(vote, mage=crom)]
        results = at_once(*accepting_it)
        decided = [decision for result in results for decision in getattr(result, "decided", ())]
        assert [decision.result for decision in decided] == ["adopted"]
        assert set(refusals(results)) <= {"change_adopted"}
        assert Proposal.objects.get(challenge=challenge).state == "adopted"
        notices = Notice.objects.filter(kind="change_adopted", facts__number=challenge.number)
        assert notices.count() == 3


def test_the_last_yes_against_the_last_no_decides_one_way() -> None:
    for froodal, bung, ayla, crom in each_round(4):
        challenge = make_challenge(froodal)
        for mage in (bung, ayla, crom):
            accepting(challenge, mage)()
        propose_change(number=challenge.number, mage=bung, change={"limit": 6}, now=NOW)
        oppose_changes(number=challenge.number, mage=ayla, changes=[1], now=NOW)
        accept_challenge(number=challenge.number, mage=crom, changes=[1], now=NOW)
        results = at_once(
            partial(accept_challenge, number=challenge.number, mage=froodal, changes=[1], now=NOW),
            partial(take_back_change, number=challenge.number, mage=bung, change=1, now=NOW),
        )
        state = Proposal.objects.get(challenge=challenge).state
        challenge.refresh_from_db()
        assert len(refusals(results)) == 1
        assert (state, challenge.limit) in (("adopted", 6), ("taken_back", None))


def test_the_deciding_vote_against_the_end_of_its_time_has_one_result() -> None:
    for froodal, bung, ayla in each_round(3):
        challenge = make_challenge(froodal)
        for mage in (bung, ayla):
            accepting(challenge, mage)()
        propose_change(number=challenge.number, mage=bung, change={"limit": 6}, now=NOW)
        at_once(
            partial(accept_challenge, number=challenge.number, mage=ayla, changes=[1], now=NOW),
            partial(expire_proposals, now=NOW + timedelta(days=30)),
            partial(expire_proposals, now=NOW + timedelta(days=30)),
        )
        state = Proposal.objects.get(challenge=challenge).state
        challenge.refresh_from_db()
        assert (state, challenge.limit) in (("adopted", 6), ("lapsed", None))
        expired = Notice.objects.filter(kind="change_lapsed", facts__number=challenge.number).count()
        assert expired == (3 if state == "lapsed" else 0)


def test_two_quick_matches_at_one_instant_meet() -> None:
    for froodal, bung in each_round(2):
        results = at_once(
            partial(find_quick_match, mage=froodal, now=NOW), partial(find_quick_match, mage=bung, now=NOW)
        )
        assert refusals(results) == []
        assert len({result.number for result in results}) == 1
        assert sorted(result.status for result in results) == ["open", "started"]


def test_three_quick_matches_leave_one_waiting() -> None:
    for froodal, bung, ayla in each_round(3):
        asking = [partial(find_quick_match, mage=mage, now=NOW) for mage in (froodal, bung, ayla)]
        results = at_once(*asking, partial(find_quick_match, mage=froodal, now=NOW))
        assert set(refusals(results)) <= {"busy_battle", "busy", "InvalidChallenge"}
        made = Challenge.objects.filter(challenger__in=(froodal, bung, ayla))
        assert sorted(made.values_list("status", flat=True)) == ["open", "started"]
        waiting = made.get(status="open")
        withdraw_challenge(number=waiting.number, mage=waiting.challenger, now=NOW)


def test_two_friends_with_one_expiring_link_make_one_battle_of_two() -> None:
    for froodal, bung, ayla in each_round(3):
        challenge = make_challenge(froodal, open_to_all=False, by_link=True, limit=2)
        _, token = make_invite_link(number=challenge.number, mage=froodal, now=NOW)
        results = at_once(
            partial(join_by_link, token=token, mage=bung, now=NOW),
            partial(join_by_link, token=token, mage=ayla, now=NOW),
            partial(expire_links, now=NOW + timedelta(days=30)),
        )
        assert set(refusals(results)) <= {"link_over", "started"}
        challenge.refresh_from_db()
        assert challenge.seats_taken == (2 if challenge.status == "started" else 1)


def test_a_user_who_makes_challenges_with_all_mages_at_once_keeps_to_the_limit() -> None:
    for [froodal] in each_round(1):
        # Over three days: nobody registers eight mages in one.
        days = [NOW + timedelta(days=2 * (place // 4)) for place in range(7)]
        names = [f"{froodal.name}_{letter}" for letter in "abcdefg"]
        others = [register_mage(user=froodal.user, name=name, now=day) for name, day in zip(names, days, strict=True)]
        mages = [froodal, *others]
        make = partial(create_challenge, terms=Terms(), open_to_all=True, now=NOW)
        results = at_once(*[partial(make, challenger=mage) for mage in mages])
        assert refusals(results) == ["InvalidChallenge"] * 3
        assert Challenge.objects.filter(challenger__in=mages).count() == 5


def test_a_mage_that_accepts_and_leaves_at_the_same_time_does_only_one() -> None:
    for mages in each_round(2):
        challenge = make_challenge(mages[0], mages[1])
        at_once(accepting(challenge, mages[1]), partial(quit_mage, mage=mages[1], now=NOW))
        fights = Engagement.objects.filter(mage=mages[1], kind="battle").exists()
        assert (
            fights
            == Mage.objects.get(pk=mages[1].pk).is_alive
            == Battle.objects.filter(number=challenge.number).exists()
        )
