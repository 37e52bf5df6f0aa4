"""Workers of the bots at the same time: real threads on a real PostgreSQL."""

import random
from functools import partial

import pytest
from django.db import connection

from accounts.models import Engagement, User
from accounts.services.bots import ensure_bots
from challenges.models import Challenge
from challenges.services.answers import accept_challenge
from challenges.services.bot_challenges import offer_bot_challenges, seat_bots_in_open_challenges
from challenges.services.create import create_challenge
from challenges.services.play_now import play_bot
from duels.models import Battle, OrderSheet, Turn
from duels.paces import PACES
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.services.bot_orders import LEASE, give_bot_orders
from duels.terms import Terms
from tests.challenges.test_play_bot import play_person
from tests.races import at_once, count_statements, run_until_killed
from tests.scenes import NOW, make_mage
from tests.services.plugin import LONG

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TURNS = 4


def test_orders_of_a_bot_are_given_once_by_five_workers_at_once():
    ensure_bots(now=NOW)
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Apprentice", now=NOW)
    given = 0
    for _ in range(TURNS):
        due = list_sheets_due_from_bots(now=NOW)
        results = at_once(*[partial(give_bot_orders, sheet=sheet, now=NOW) for sheet in due * 5])
        assert sorted(results) == [False] * 4 * len(due) + [True] * len(due), results
        given += len(due)
        play_person(battle, mage)
        battle.refresh_from_db()
    ordered = OrderSheet.objects.filter(via="bot", ready=True).count()
    assert ordered == given
    assert Turn.objects.filter(battle=battle, resolved_at__isnull=False).count() == battle.seq - 1


def test_the_last_orders_of_a_person_and_of_the_bot_play_the_turn_once():
    ensure_bots(now=NOW)
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Apprentice", now=NOW)
    for _ in range(TURNS):
        seq = battle.seq
        (sheet,) = list_sheets_due_from_bots(now=NOW) or [None]
        if sheet is None:
            break
        results = at_once(partial(give_bot_orders, sheet=sheet, now=NOW), partial(play_person, battle, mage))
        assert not any(isinstance(each, Exception) for each in results), results
        battle.refresh_from_db()
        assert Turn.objects.filter(battle=battle, seq=seq).count() == 1


def test_two_processes_that_make_the_bots_at_once_make_each_once():
    results = at_once(*[partial(ensure_bots, now=NOW)] * 3)
    assert not any(isinstance(each, Exception) for each in results), results
    assert sum(results) == 20
    assert User.objects.filter(is_bot=True).count() == 5


def test_five_simultaneous_workers_keep_one_challenge_of_each_kind_for_bots():
    ensure_bots(now=NOW)
    results = at_once(*[partial(offer_bot_challenges, now=NOW)] * 5)
    assert not any(isinstance(each, Exception) for each in results), results
    assert sum(results) == Challenge.objects.exclude(bot_pace="").count() == len(PACES) + 1


def test_a_seat_is_taken_once_by_a_person_and_three_workers_at_once():
    ensure_bots(now=NOW)
    terms = Terms(stakes="friendly", bots_may_join=True)
    challenge = create_challenge(challenger=make_mage("Froodal"), terms=terms, open_to_all=True, limit=2, now=NOW)
    bung = make_mage("Bung")
    join = partial(accept_challenge, number=challenge.number, mage=bung, now=NOW)
    results = at_once(join, *[partial(seat_bots_in_open_challenges, now=NOW)] * 3)
    assert not [each for each in results[1:] if isinstance(each, Exception)], results
    battle = Battle.objects.get()
    assert battle.combatants.count() == 2
    is_bungs = battle.combatants.filter(mage=bung).exists()
    assert sum(results[1:]) == (0 if is_bungs else 1)
    assert Engagement.objects.filter(mage=bung).exists() == is_bungs


def test_a_worker_killed_anywhere_gives_each_order_once():
    """SIGKILL at a statement; then the lease expires, and another worker does the rest."""
    ensure_bots(now=NOW)
    act = partial(give_due_orders, NOW)
    then = NOW + 2 * LEASE

    def prepare(name):
        OrderSheet.objects.filter(ready=False).update(bot_due_at=None)
        mage = make_mage(name)
        battle = play_bot(mage=mage, strength="Apprentice", now=NOW)
        play_person(battle, mage)
        return battle

    first = prepare("Froodal")
    statements = count_statements(act)
    chance = random.Random("bots")
    places = range(1, statements + 1) if LONG else chance.sample(range(1, statements + 1), 3)
    battles = [first]
    for place in places:
        battles.append(prepare(f"Froodal{place}"))
        assert run_until_killed(act, at=place)
        connection.close()
        give_due_orders(then)
        assert give_due_orders(then) == 0
    for battle in battles:
        turns = Turn.objects.filter(battle=battle, resolved_at__isnull=False)
        assert [turn.seq for turn in turns] == [1] and not turns.filter(attempt__gt=0).exists()
        assert OrderSheet.objects.filter(stage__turn__in=turns, via="bot", stage__number=0, ready=True).count() == 1


def give_due_orders(now):
    """Answer for bots until the person is asked again."""
    due = [sheet for sheet in list_sheets_due_from_bots(now=now) if sheet.stage.turn.seq == 1]
    return sum(give_bot_orders(sheet=sheet, now=now) for sheet in due)
