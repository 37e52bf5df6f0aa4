"""Nothing that computes helps in a running battle, also not in practice that mirrors it."""

import pytest

from accounts.models import User
from duels.models import Battle, OrderSheet
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.services.bot_orders import give_bot_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from tests.bots import bring_bots
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.django_db
PLAYED = [("S/W", "P/S"), ("W/F", "W/S")]
OTHERS = [("W/P", "F/F"), ("F/S", "C/C")]


@pytest.fixture
def duel():
    """A ladder duel of two users, after two turns."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(PLAYED)
    return fight


def practise(user, turns):
    """Begin a practice melee of two mages of a user and a bot, which plays as it likes."""
    bring_bots(now=NOW)
    bot = User.objects.get(bot_strength="Apprentice").mages.first()
    mages = [make_mage("Mirror", user), make_mage("Image", user), bot]
    melee = start_battle(number=take_number(), terms=Terms(stakes="friendly"), mages=mages, now=NOW)
    assert melee.practice
    fight = Fight(melee, {mage.name: mage for mage in mages})
    for orders in turns:
        for name, text in zip(("Mirror", "Image"), orders, strict=True):
            fight.order(name, text, confirmed=True)
        let_bots_play(fight)
    return fight


def let_bots_play(fight):
    for sheet in list_sheets_due_from_bots(now=NOW, battle=fight.battle):
        assert give_bot_orders(sheet=sheet, now=NOW)
    fight.battle.refresh_from_db()


def end(fight):
    Battle.objects.filter(pk=fight.battle.pk).update(
        finished_at=NOW, status="finished", result={"reason": "called_off"}
    )


def browse(user):
    browser = log_in(user)
    return browser


def ask_hint(fight, user):
    return browse(user).post(f"/battles/{fight.number}/hint/", {"mage": "Mirror"})


def ask_reasons(fight, user):
    return browse(user).get(f"/battles/{fight.number}/bots/")


def test_no_hint_and_no_reason_in_practice_that_mirrors_a_running_duel(duel):
    user = duel.user("Froodal")
    melee = practise(user, PLAYED)
    for answer in (ask_hint(melee, user), ask_reasons(melee, user)):
        assert answer.status_code == 409
        assert f"too similar to your battle {duel.number}" in answer.content.decode()


def test_practice_that_is_no_mirror_gets_hints_and_reasons(duel):
    user = duel.user("Froodal")
    melee = practise(user, OTHERS)
    assert ask_hint(melee, user).status_code == 200
    assert ask_reasons(melee, user).status_code == 200


def test_once_the_duel_is_over_hints_are_given_again(duel):
    user = duel.user("Froodal")
    melee = practise(user, PLAYED)
    end(duel)
    assert ask_hint(melee, user).status_code == 200


def test_the_reasons_of_a_finished_battle_like_a_running_one_wait_too(duel):
    user = duel.user("Froodal")
    melee = practise(user, PLAYED)
    end(melee)
    assert ask_reasons(melee, user).status_code == 409
    assert ask_reasons(melee, duel.user("Bung")).status_code == 409
    assert ask_reasons(melee, make_mage("Crom").user).status_code == 200


def test_a_bot_plays_nothing_where_its_opponent_mirrors_a_running_duel(duel):
    user = duel.user("Froodal")
    melee = practise(user, PLAYED)
    [sheet] = list_sheets_due_from_bots(now=NOW, battle=melee.battle)
    assert give_bot_orders(sheet=sheet, now=NOW)
    lines = str(OrderSheet.objects.get(pk=sheet.pk).lines)
    assert "LH -" in lines and "RH -" in lines
    for name in ("Mirror", "Image"):
        melee.order(name, "W/W", confirmed=True)
    assert melee.key().seq == 4, "the battle continues"


def test_a_bot_plays_as_ever_in_other_practice(duel):
    melee = practise(duel.user("Froodal"), OTHERS)
    [sheet] = list_sheets_due_from_bots(now=NOW, battle=melee.battle)
    assert give_bot_orders(sheet=sheet, now=NOW)
    assert not {"LH -", "RH -"} <= set(OrderSheet.objects.get(pk=sheet.pk).lines)
