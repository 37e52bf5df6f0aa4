"""Two things at the same instant, with real threads on PostgreSQL: one outcome, and never a deadlock."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from accounts.models import Engagement, Mage
from challenges.errors import CannotStart, ChallengeError
from challenges.models import Challenge, Seat
from challenges.services import (
    accept_challenge,
    create_challenge,
    decline_challenge,
    start_challenge,
    withdraw_challenge,
)
from duels.models import Battle, Combatant
from duels.terms import Terms
from tests.challenges.conftest import NOW, make_challenge, make_mage

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
ROUNDS = 200 if os.environ.get("FM_TEST_LONG") else 6
NAMES = ("Froodal", "Bung", "Ayla", "Crom")

Action = Callable[[], Challenge]


def at_once(*actions: Action) -> list[Challenge | ChallengeError]:
    """Run the actions in threads that start together: what each returned, or its refusal. Any other error is raised."""
    together = Barrier(len(actions))

    def run(action: Action) -> Challenge | ChallengeError:
        try:
            together.wait(timeout=10)
            return action()
        except ChallengeError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def refusals(results: list[Challenge | ChallengeError]) -> list[str]:
    return [getattr(result, "code", type(result).__name__) for result in results if isinstance(result, ChallengeError)]


def each_round(count: int) -> Iterator[list[Mage]]:
    """New mages, each of another user, round after round; after each, everything must fit together."""
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


def test_of_two_who_take_the_last_seat_one_gets_it() -> None:
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
    """Each declines, on its own time, the challenge that the other is just joining."""
    for froodal, bung, ayla, crom in each_round(4):
        first, second = make_challenge(froodal, ayla, crom, limit=3), make_challenge(bung, ayla, crom, limit=3)
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
        assert (challenge.status == "open") is isinstance(refused[0], CannotStart)


def test_the_same_click_four_times_at_once_seats_once() -> None:
    for froodal, bung in each_round(2):
        challenge = make_challenge(froodal, limit=3)
        assert refusals(at_once(*[accepting(challenge, bung)] * 4)) == ["joined_already"] * 3
