"""A seat that a player has left is offered to a bot, by consent of the others."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from duels.models import Battle, Combatant, OrderSheet
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.selectors.viewer import get_combatant_for_user
from duels.services.bot_orders import give_bot_orders
from duels.services.clocks.seat_offers import offer_seat
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from notifications.models import Notice
from tests.bots import bring_bots
from tests.refusals import refused
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
# A fast turn is three days, and then the grace of one day begins.
LATE = NOW + timedelta(days=3, hours=1)


def begin(*names, stakes="friendly"):
    mages = [make_mage(name) for name in names]
    battle = start_battle(number=take_number(), terms=Terms(stakes=stakes, pace="fast"), mages=mages, now=NOW)
    return battle, [hand(battle, mage) for mage in mages]


def hand(battle, mage):
    return get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name)


def order(combatant, text="LH W\nRH P\nEND", now=NOW):
    return submit_orders(combatant=combatant, text=text, via="web", now=now)


def answer(now):
    return sum(give_bot_orders(sheet=sheet, now=now) for sheet in list_sheets_due_from_bots(now=now))


def test_in_a_duel_the_present_player_decides_and_a_bot_plays_until_the_other_is_back():
    battle, (ayla, bung) = begin("Ayla", "Bung")
    order(ayla)
    with refused("no_seat_to_offer"):
        offer_seat(combatant=ayla, now=NOW)
    sweep_deadlines(now=LATE)
    assert offer_seat(combatant=ayla, now=LATE).absent == ("Bung",)
    battle.refresh_from_db()
    assert battle.practice and answer(LATE) == 1
    battle.refresh_from_db()
    assert battle.seq == 2 and OrderSheet.objects.get(combatant=bung, stage__turn__seq=1).via == "bot"
    # The bot plays on, and nobody forfeits.
    assert answer(LATE) == 1
    sweep_deadlines(now=LATE + timedelta(days=2))
    bung.refresh_from_db()
    assert bung.standing == "in" and bung.stand_in == "Warder"
    # Bung is back: their orders count, and the bot gives no more.
    order(bung, now=LATE)
    bung.refresh_from_db()
    assert bung.stand_in == "" and OrderSheet.objects.get(combatant=bung, stage__turn__seq=2).via == "web"
    order(ayla, now=LATE)
    assert answer(LATE) == 0
    battle.refresh_from_db()
    assert battle.seq == 3


def test_orders_that_were_on_their_way_when_the_bot_took_over_end_that_too():
    _battle, (ayla, bung) = begin("Ayla", "Bung")
    order(ayla)
    sweep_deadlines(now=LATE)
    offer_seat(combatant=ayla, now=LATE)
    order(bung, now=LATE)  # read before
    bung.refresh_from_db()
    assert bung.stand_in == ""


def test_in_a_melee_everyone_present_must_agree_and_may_take_it_back():
    battle, (ayla, bung, crom) = begin("Ayla", "Bung", "Crom")
    order(ayla), order(bung)
    sweep_deadlines(now=LATE)
    assert offer_seat(combatant=ayla, now=LATE).missing == ("Bung",)
    assert offer_seat(combatant=ayla, now=LATE).has_agreed
    assert Notice.objects.filter(kind="seat_offer_wanted").count() == 2
    offer_seat(combatant=ayla, now=LATE, agrees=False)
    assert offer_seat(combatant=bung, now=LATE).missing == ("Ayla",)
    assert answer(LATE) == 0 and not Battle.objects.get().practice
    assert offer_seat(combatant=ayla, now=LATE).missing == ()
    assert answer(LATE) == 1 and answer(LATE) == 1
    crom.refresh_from_db()
    assert crom.stand_in == "Warder"
    # The same click again finds nobody who has left.
    with refused("no_seat_to_offer"):
        offer_seat(combatant=bung, now=LATE)
    assert Battle.objects.get(pk=battle.pk).practice


def test_a_bot_never_plays_for_anyone_where_scores_are_at_stake():
    _battle, (ayla, _bung) = begin("Ayla", "Bung", stakes="ladder")
    order(ayla)
    sweep_deadlines(now=LATE)
    with refused("no_seat_to_offer"):
        offer_seat(combatant=ayla, now=LATE)
    assert not Combatant.objects.exclude(stand_in="").exists()


def test_orders_that_come_while_the_bot_thinks_count(monkeypatch):
    battle, (ayla, bung) = begin("Ayla", "Bung")
    sweep_deadlines(now=LATE)
    # Both are late, so each may ask; Ayla is back first.
    order(ayla, now=LATE)
    offer_seat(combatant=ayla, now=LATE)
    bung.refresh_from_db()
    (sheet,) = list_sheets_due_from_bots(now=LATE)
    from duels.services import bot_orders

    think = bot_orders._think

    def come_back(*given):
        submit_orders(combatant=bung, text="LH S", via="web", now=LATE)
        return think(*given)

    monkeypatch.setattr(bot_orders, "_think", come_back)
    assert not give_bot_orders(sheet=sheet, now=LATE)
    sheet.refresh_from_db()
    assert sheet.lines == ["LH S"] and not sheet.ready and Battle.objects.get(pk=battle.pk).seq == 1


def test_the_page_offers_it_to_those_who_play_and_to_nobody_else():
    bring_bots(now=NOW)
    battle, (ayla, bung) = begin("Ayla", "Bung")
    order(ayla)
    page = f"/battles/{battle.number}/"
    players = {name: Client() for name in ("Ayla", "Bung", "Crom")}
    make_mage("Crom")
    for name, client in players.items():
        client.force_login(User.objects.get(username=f"{name}_user"))
    assert "Let a bot play" not in players["Ayla"].get(page).content.decode()
    sweep_deadlines(now=LATE)
    assert "Let a bot play" in players["Ayla"].get(page).content.decode()
    for name in ("Bung", "Crom"):
        assert "Let a bot play" not in players[name].get(page).content.decode()
    for wrong in (players["Crom"], Client()):
        assert wrong.post(f"{page}time/", {"act": "offer_seat", "mage": "Ayla"}).status_code in (302, 403)
        assert Combatant.objects.get(pk=bung.pk).stand_in == ""
    User.objects.filter(username="Ayla_user").update(is_active=False)
    players["Ayla"].post(f"{page}time/", {"act": "offer_seat", "mage": "Ayla"})
    assert Combatant.objects.get(pk=bung.pk).stand_in == ""
    User.objects.filter(username="Ayla_user").update(is_active=True)
    players["Ayla"].force_login(User.objects.get(username="Ayla_user"))
    assert players["Ayla"].post(f"{page}time/", {"act": "offer_seat", "mage": "Ayla"}).status_code == 302
    assert Combatant.objects.get(pk=bung.pk).stand_in == "Warder"
    assert "A computer opponent" in players["Ayla"].get(page).content.decode()
