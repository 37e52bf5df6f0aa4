"""A mage in several battles at once: its own one and duels of leagues and cups. An email that names no battle acts only
if there is no doubt which one it means."""

import pytest

from accounts.services.mages import kill_mage
from duels.models import Battle
from duels.services.end_for_event import end_for_event
from email_gateway.addresses import make_turn_address
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.test_battles import BILL, bill, sheet_of
from tests.email_gateway.world import body
from tests.scenes import NOW, log_in


@pytest.fixture
def league(duel: MailedDuel) -> Battle:
    """The same two in the league, beside their duel."""
    return duel.world.duel(duel.froodal, duel.bung, stakes="league", pace="day")


def test_mage_means_the_only_battle_that_waits(duel, league):
    duel.world.order(league, duel.bung, "W/S")
    answer = duel.world.ask(bill("MAGE Bung\nP/D"))
    assert f"(game {duel.number}, turn 1)" in answer
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"]
    assert sheet_of(league, duel.bung).lines == ["LH W", "RH S"]


def test_with_several_waiting_it_does_nothing_and_names_them(duel, league):
    answer = duel.world.ask(bill("MAGE Bung\nP/D")).replace("\n > ", " ")
    assert f"Several battles wait for Bung: {duel.number} and {league.number}. Name one of them." in answer
    assert f"GAME {duel.number} Bung" in answer
    assert all(sheet_of(battle, duel.bung).lines == [] for battle in (duel.battle, league))


def test_with_none_waiting_it_does_nothing_and_names_them(duel, league):
    for battle in (duel.battle, league):
        duel.world.order(battle, duel.bung, "W/S")
    answer = duel.world.ask(bill("MAGE Bung\nP/D")).replace("\n > ", " ")
    assert f"Bung is in several battles, and none waits for orders: {duel.number} and {league.number}." in answer
    assert sheet_of(league, duel.bung).lines == ["LH W", "RH S"]


def test_a_battle_by_number_is_always_clear(duel, league):
    duel.world.ask(bill(f"GAME {league.number} Bung\nP/D"))
    assert sheet_of(league, duel.bung).lines == ["LH P", "RH D"]


@pytest.mark.parametrize("text", ["P/D", "MAGE Bung\nP/D"])
def test_the_reply_address_says_which_battle(duel, league, text):
    to = make_turn_address(user_id=duel.bung.user_id, battle=league.number, seq=1, attempt=0)
    duel.world.ask(text, sender=BILL, to=to)
    assert sheet_of(league, duel.bung).lines == ["LH P", "RH D"]
    assert sheet_of(duel.battle, duel.bung).lines == []


def test_orders_without_a_mage_name_the_battles_that_wait(duel, league):
    answer = duel.world.ask(bill("P/D")).replace("\n > ", " ")
    assert f"These battles wait for you: {duel.number} (Bung) and {league.number} (Bung)." in answer
    assert f"GAME {duel.number} Bung" in answer


@pytest.mark.parametrize("order", ["MAGE Bung", "GAME {n} Bung"])
def test_a_dead_mage_s_league_duel_takes_orders_by_email(duel, league, order):
    Battle.objects.filter(pk=duel.battle.pk).delete()
    kill_mage(mage=duel.bung, now=NOW)
    duel.world.ask(bill(f"{order.format(n=league.number)}\nP/D"))
    assert sheet_of(league, duel.bung).lines == ["LH P", "RH D"]


def test_an_account_with_a_league_duel_is_not_closed_by_email(duel, league):
    Battle.objects.filter(pk=duel.battle.pk).delete()
    kill_mage(mage=duel.bung, now=NOW)
    answer = duel.world.ask(bill("QUIT")).replace("\n > ", " ")
    assert f"You still play in battle {league.number}." in answer


def test_the_first_email_and_the_page_say_what_is_at_stake_and_whether_there_is_talk(duel):
    silent = duel.world.begin(duel.froodal, duel.bung, stakes="league", pace="day", chat=False)
    said = "its result in the table. There is no talking in this duel, neither now nor when it is over."
    mail = next(mail for mail in duel.world.new_mails() if mail["To"] == BILL)
    assert said in " ".join(body(mail).split())
    assert said in log_in(duel.bung.user).get(f"/battles/{silent.number}/").content.decode()


@pytest.mark.parametrize(("stakes", "who"), [("league", "The league"), ("cup", "The cup"), ("evening", "The cup")])
def test_page_email_news_and_home_say_who_has_ended_a_duel(duel, stakes, who):
    ended = duel.world.duel(duel.froodal, duel.bung, stakes=stakes, pace="day")
    duel.world.order(ended, duel.bung, "W/S")
    duel.world.pass_over_mails()
    assert end_for_event(battle_number=ended.number, now=duel.world.now)
    mails = {str(mail["To"]): body(mail) for mail in duel.world.new_mails()}
    assert f"{who} has ended the duel: its time is up." in " ".join(mails[BILL].split())
    assert f"The end: {who.lower()} has ended the duel" in mails[BILL]
    browser = log_in(duel.bung.user)
    assert f"{who} has ended it: its time was up." in browser.get("/").content.decode()
    page = browser.get(f"/battles/{ended.number}/").content.decode()
    assert f"{who} has ended the duel" in page and "data-settling" not in page
    news = browser.get("/news/").content.decode()
    assert f"{who} has ended Duel {ended.number} against Froodal: its time was up." in news
