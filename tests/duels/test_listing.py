"""Lists of battles."""

from datetime import timedelta

from duels.models import Battle
from duels.selectors.battle_lists import (
    list_battles_of,
    list_battles_waiting_for,
    list_finished_battles,
    list_own_battles,
    list_running_battles,
)
from duels.services.clocks.extra_time import extend_deadline
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage, make_user


def test_battles_wait_for_those_whose_orders_are_missing(duel):
    duel.order("Froodal", "P/D")
    assert list_battles_waiting_for(duel.user("Froodal")) == []
    assert [row.number for row in list_battles_waiting_for(duel.user("Bung"))] == [duel.number]


def test_the_battle_with_the_least_time_left_comes_first(db):
    user = make_user("Busy")
    fights = [start_fight(make_mage(mine, user), make_mage(foe)) for mine, foe in (("Aa", "Xa"), ("Bb", "Xb"))]
    extend_deadline(combatant=fights[0].combatant("Aa"), length=timedelta(hours=1), now=NOW)
    assert [row.number for row in list_battles_waiting_for(user)] == [fights[1].number, fights[0].number]
    fights[1].order("Bb", "P/D")
    assert [row.number for row in list_battles_of(user)] == [fights[0].number, fights[1].number]


def test_a_row_lists_the_mages_and_those_who_owe_orders(melee):
    melee.order("Borin", "P/D")
    row = list_battles_of(melee.user("Ayla"))[0]
    assert (row.mages, row.mine, row.others) == (("Ayla", "Borin", "Cormac"), ("Ayla",), ("Borin", "Cormac"))
    assert (row.waiting_for, row.owes) == (("Ayla", "Cormac"), ("Ayla",))


def test_nothing_is_said_of_the_orders_of_a_mage_who_left(melee):
    melee.order("Borin", "S/W")
    assert list_battles_of(melee.user("Borin"))[0].sent == ("Borin",)
    melee.turn("P/P", "S/W", "F/F")
    row = list_battles_of(melee.user("Ayla"))[0]
    assert (row.asked, row.owes, row.sent) == (("Borin", "Cormac"), (), ())


def test_battles_that_are_over_are_listed_apart(duel):
    assert [row.number for row in list_running_battles()] == [duel.number]
    duel.turn("P/P", "F/F")
    assert list_running_battles() == []
    assert list_battles_of(duel.user("Bung")) == []
    assert [row.number for row in list_finished_battles()] == [duel.number]


def test_a_users_last_battles_are_found_however_many_others_ended_since(duel, db):
    duel.turn("P/P", "F/F")
    for number in range(3):
        start_fight(make_mage(f"Aa{number}"), make_mage(f"Bb{number}")).turn("P/P", "F/F")
    Battle.objects.exclude(pk=duel.battle.pk).update(finished_at=NOW + timedelta(days=1))
    assert duel.number not in [row.number for row in list_finished_battles(limit=3)]
    assert [row.number for row in list_own_battles(duel.user("Bung"), finished=3).finished] == [duel.number]


def test_a_list_can_be_truncated(db):
    fights = [start_fight(make_mage(f"Aa{number}"), make_mage(f"Bb{number}")) for number in range(3)]
    assert [row.number for row in list_running_battles(limit=2)] == [fights[2].number, fights[1].number]


def test_lists_take_a_few_queries_however_many_battles_there_are(django_assert_max_num_queries, db):
    for n in range(6):
        start_fight(make_mage(f"Left{n}"), make_mage(f"Right{n}"))
    with django_assert_max_num_queries(5):
        assert len(list_running_battles()) == 6
