"""The start of a battle."""

import pytest
from django.db import IntegrityError, transaction

from accounts.errors import MageBusy
from accounts.models import Engagement
from duels.models import Battle, Number, OrderSheet, Turn
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from notifications.models import Notice
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage


def test_numbers_are_never_given_out_twice(db):
    given = [take_number() for _ in range(5)]
    Number.objects.all().delete()
    given.append(take_number())
    assert len(set(given)) == 6
    assert given == sorted(given)


def test_two_mages_make_a_duel_and_three_a_melee(duel, melee):
    assert (duel.battle.kind, melee.battle.kind) == ("duel", "melee")


def test_a_battle_begins_with_its_first_turn_and_waits_for_everyone(duel):
    turn = Turn.objects.get(battle=duel.battle)
    assert (turn.seq, turn.attempt, turn.resolved_at) == (1, 0, None)
    assert turn.label == duel.battle.label
    assert OrderSheet.objects.filter(stage__battle=duel.battle, ready=False).count() == 2


def test_mages_of_a_battle_are_engaged_in_it(duel):
    engagements = Engagement.objects.filter(kind="battle", number=duel.number)
    assert sorted(engagements.values_list("mage__name", flat=True)) == ["Bung", "Froodal"]


def test_a_mage_who_is_busy_elsewhere_starts_nothing(duel):
    ayla = make_mage("Ayla")
    with pytest.raises(MageBusy):
        start_battle(number=take_number(), terms=Terms(), mages=[ayla, duel.mages["Bung"]], now=NOW)
    assert Battle.objects.count() == 1
    assert not Engagement.objects.filter(mage=ayla).exists()


def test_a_number_makes_one_battle(duel):
    with pytest.raises(IntegrityError), transaction.atomic():
        start_battle(number=duel.number, terms=Terms(), mages=[make_mage("Ayla"), make_mage("Cormac")], now=NOW)
    assert Battle.objects.count() == 1


@pytest.mark.parametrize("count", [0, 1])
def test_a_battle_needs_two_mages(db, count):
    with pytest.raises(ValueError, match="two mages"):
        start_battle(number=1, terms=Terms(), mages=[make_mage("Ayla")][:count], now=NOW)


def test_a_battle_of_one_users_mages_is_practice(practice, duel):
    assert practice.battle.practice
    assert not duel.battle.practice


def test_a_friendly_battle_of_two_users_is_not_practice(db):
    assert not start_fight(make_mage("Ayla"), make_mage("Cormac"), stakes="friendly").battle.practice


def test_each_user_is_notified_once_that_the_battle_has_started(duel, practice):
    told = Notice.objects.filter(kind="battle_started")
    assert sorted(told.values_list("user__username", flat=True)) == ["Ambidexter", "Bung_user", "Froodal_user"]
    facts = told.get(user__username="Ambidexter").facts
    assert facts["battle"] == practice.number
    assert facts["mages"] == ["Lefty", "Righty"]


def test_no_two_battles_have_the_same_dice(duel, melee):
    assert duel.battle.seed != melee.battle.seed
    assert len(duel.battle.seed) == 64
