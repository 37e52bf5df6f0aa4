"""Workers of the bots at the same instant: real threads on a real PostgreSQL."""

from functools import partial

import pytest

from accounts.models import User
from accounts.services import ensure_bots
from challenges.services import play_bot
from duels.models import OrderSheet, Turn
from duels.selectors import list_sheets_due_from_bots
from duels.services import give_bot_orders
from tests.challenges.test_play_bot import play_person
from tests.duels.fights import NOW, make_mage
from tests.racing import at_once

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
