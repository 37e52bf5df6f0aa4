"""Emails about deadlines: what is missing, what follows, when, and four ways out (FM-SLOW-2 to 6)."""

import itertools
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.utils.html import escape

from accounts.services.vacations import start_vacation
from duels.models import Combatant
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.deadlines import process_deadlines
from duels.services.clocks.extra_time import give_time
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.seat_offers import offer_seat
from email_gateway.compose.notices import compose_notice
from email_gateway.errors import NothingToSend
from ladder.stakes import LEAGUE
from notifications.models import Delivery, Notice
from notifications.services.preferences import set_preference
from operations.encryption import unseal
from tests.duels.fights import start_fight
from tests.scenes import DAY, NOW, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel():
    return start_fight(make_mage("Froodal"), make_mage("Bung"))


def mail(fight, name, kind):
    notice = Notice.objects.filter(user=fight.user(name), kind=kind).last()
    return compose_notice(kind=kind, facts=notice.facts, user=fight.user(name))


def written(fight, name, kind):
    """Return the email as it was written with its notice, for a user with an address."""
    delivery = Delivery.objects.get(notice__user=fight.user(name), notice__kind=kind, channel=Delivery.Channel.MAIL)
    return unseal(delivery.sealed_mail)["mail"]


def run_clock_to(fight, day):
    process_deadlines(battle_id=fight.battle.pk, now=NOW + day * DAY)


def test_the_late_player_reads_what_is_missing_what_follows_and_four_ways_out(duel):
    duel.stir()
    set_preference(user=duel.user("Bung"), key="time_zone", value="Asia/Tokyo")
    duel.order("Froodal", "W/S")
    run_clock_to(duel, 7)
    text = mail(duel, "Bung", "deadline_reminder").text
    told = " ".join(text.split())
    assert "We have no orders from Bung for turn 1." in told
    assert "The deadline is Friday 23 May 2031, 21:00 (Asia/Tokyo)." in told
    assert "Without orders, Bung dies on Sunday 25 May 2031, 21:00 (Asia/Tokyo), and the battle ends." in told
    assert "Classic pace, 21 days a turn." in told
    for way in ("Play: ", "Take more time: ", "Go on vacation: ", "Surrender: "):
        assert way in text
    assert "GAME" in text and "LH ?" in text


def test_a_mage_without_extra_time_asks_the_others():
    melee = start_fight(*(make_mage(name) for name in ("Froodal", "Bung", "Ulf", "Dorn")))
    Combatant.objects.filter(pk=melee.combatant("Dorn").pk).update(standing="dead")
    Combatant.objects.filter(pk=melee.combatant("Bung").pk).update(extensions_taken=2)
    run_clock_to(melee, 7)
    text = mail(melee, "Bung", "deadline_reminder").text
    assert "Take more time" not in text
    assert "  MESSAGE Bung Froodal Ulf\n(to agree, they send: GIVE 1 Bung)" in text.replace(
        f"GIVE {melee.number}", "GIVE 1"
    )
    assert "Take more time: " in mail(melee, "Ulf", "deadline_reminder").text


def test_four_links_work_from_both_parts_of_the_email(duel):
    duel.stir()
    duel.order("Froodal", "W/S")
    run_clock_to(duel, 7)
    page = f"{settings.FM_SITE_URL}/battles/{duel.number}/"
    for name, kind in (("Bung", "deadline_reminder"), ("Froodal", "opponent_late")):
        both = mail(duel, name, kind)
        resign = f"{page}?mage={name}&resign=1"
        for link in (page, f"{page}#time", f"{settings.FM_SITE_URL}/accounts/vacation/", resign):
            assert link in both.text, (kind, link)
            assert f'href="{escape(link)}"' in both.html, (kind, link)
        assert "The deadline is Friday 23 May 2031" in " ".join(both.text.split())
        assert "The deadline is Friday 23 May 2031, 12:00 (UTC). Without orders, Bung dies" in both.html
        assert f"Standard Duel Status for {name} (game {duel.number}, turn 1):\n\n Bung" in both.html
    assert "GIVE" in both.text and "MESSAGE Froodal Bung" in both.text


def test_the_email_says_how_much_absence_stops_the_clock(duel):
    duel.order("Froodal", "W/S")
    for days, at in ((9, 0), (20, 10)):
        start_vacation(user=duel.user("Bung"), days=days, now=NOW + at * DAY)
        run_clock_to(duel, at)
        run_clock_to(duel, min(at + 9, 11))
    told = " ".join(mail(duel, "Froodal", "battle_started").text.split())
    assert "A battle allows 14 days of absence in all; 9 had been used before." in told
    assert "The limit is reached on Monday 19 May 2031, 12:00 (UTC). After that, the others choose together" in told
    run_clock_to(duel, 15)
    long = mail(duel, "Froodal", "absence_long")
    assert "away from this battle for 14 days. You can wait, call the battle off, claim it, or let a bot" in " ".join(
        long.text.split()
    )
    assert all(f"(by email: {order} {duel.number})" in long.text for order in ("CALLOFF", "CLAIM", "STANDIN"))
    assert f'href="{settings.FM_SITE_URL}/battles/{duel.number}/#time"' in long.html


def test_an_absence_in_a_league_offers_only_what_is_possible_there():
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"), stakes=LEAGUE)
    duel.order("Froodal", "W/S")
    start_vacation(user=duel.user("Bung"), days=30, now=NOW)
    run_clock_to(duel, 0)
    run_clock_to(duel, 14)
    told = " ".join(mail(duel, "Froodal", "absence_long").text.split())
    assert "You can wait or claim the duel. A claim counts as Bung's surrender: they live." in told
    assert "After that, the other player can claim the duel." in told
    assert f"CLAIM {duel.number}" in told and "call the battle off" not in told and "let a bot play" not in told


def test_players_are_notified_of_extra_time_once_a_day(duel):
    run_clock_to(duel, 19)
    for hours in (1, 2):
        details = {"giver": duel.combatant("Froodal"), "mage_name": "Bung", "days": 1}
        give_time(**details, now=NOW + 19 * DAY + timedelta(hours=hours))
    told = mail(duel, "Bung", "time_given")
    assert "Froodal gives Bung more time" in told.text
    assert "The deadline is Sunday 25 May 2031, 13:00 (UTC)." in " ".join(told.text.split())
    assert Notice.objects.filter(kind="time_given").count() == 1 and told.unsubscribe
    duel.order("Bung", "W/S", now=NOW + 20 * DAY)
    with pytest.raises(NothingToSend):
        mail(duel, "Bung", "time_given")


def test_in_a_melee_all_who_are_here_may_end_it_for_the_absence_of_one():
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac", "Dorn")))
    Combatant.objects.filter(pk=melee.combatant("Dorn").pk).update(standing="dead")
    start_vacation(user=melee.user("Borin"), days=35, now=NOW)
    run_clock_to(melee, 0)
    run_clock_to(melee, 14)
    long = mail(melee, "Ayla", "absence_long")
    assert "Once everyone present agrees" in " ".join(long.text.split())
    call_off_battle(combatant=melee.combatant("Ayla"), now=NOW + 14 * DAY)
    wanted = mail(melee, "Cormac", "call_off_wanted")
    assert "Ayla would rather end this battle than keep waiting for Borin." in " ".join(wanted.text.split())
    assert f"(by email: CALLOFF {melee.number})" in wanted.text
    with pytest.raises(NothingToSend):
        mail(melee, "Dorn", "call_off_wanted")
    assert not Notice.objects.filter(user=melee.user("Dorn"), kind="absence_long").exists()


def test_only_those_still_in_read_who_is_late():
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))
    melee.order("Ayla", "W/S")
    melee.order("Cormac", "W/S")
    run_clock_to(melee, 7)
    assert "is late" in mail(melee, "Ayla", "opponent_late").text
    Combatant.objects.filter(pk=melee.combatant("Cormac").pk).update(standing="dead")
    with pytest.raises(NothingToSend):
        mail(melee, "Cormac", "opponent_late")
    run_clock_to(melee, 11)
    told = Notice.objects.filter(kind="opponent_late").order_by("pk").values_list("user__username", flat=True)
    assert list(told) == [melee.user("Ayla").username, melee.user("Cormac").username, melee.user("Ayla").username]


def test_the_absent_player_reads_what_threatens_and_how_to_play():
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))
    melee.turn("W/S", "W/S", "W/S")
    start_vacation(user=melee.user("Borin"), days=35, now=NOW)
    run_clock_to(melee, 0)
    run_clock_to(melee, 14)
    claim_battle(combatant=melee.combatant("Ayla"), now=NOW + 14 * DAY)
    absent, present = mail(melee, "Borin", "claim_wanted").text, mail(melee, "Cormac", "claim_wanted").text
    assert "You can prevent that: send orders." in " ".join(absent.split())
    assert "Play: " in absent and "LH ?" in absent and "CLAIM" not in absent
    assert "You can prevent that" not in present and f"CLAIM {melee.number}" in present and "LH ?" not in present
    EmailAddress.objects.create(user=melee.user("Ayla"), email="ayla@example.org", primary=True, verified=True)
    claim_battle(combatant=melee.combatant("Cormac"), now=NOW + 14 * DAY)
    assert "stopped" not in written(melee, "Ayla", "mage_claimed")


def test_a_pause_tells_only_those_still_in_that_they_can_send_orders():
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))
    Combatant.objects.filter(pk=melee.combatant("Cormac").pk).update(standing="dead")
    for name in ("Ayla", "Borin"):
        ask_pause(combatant=melee.combatant(name), days=2, now=NOW)
    assert "You can still send orders." in " ".join(mail(melee, "Ayla", "battle_paused").text.split())
    fallen = " ".join(mail(melee, "Cormac", "battle_paused").text.split())
    assert "send orders" not in fallen and "because Cormac fought in Melee" in fallen


def test_those_present_are_asked_to_let_a_bot_play():
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")), stakes="friendly")
    for name in ("Ayla", "Cormac"):
        melee.order(name, "W/S")
    start_vacation(user=melee.user("Borin"), days=35, now=NOW)
    run_clock_to(melee, 0)
    run_clock_to(melee, 14)
    offer_seat(combatant=melee.combatant("Ayla"), now=NOW + 14 * DAY)
    wanted = mail(melee, "Cormac", "seat_offer_wanted")
    assert "Ayla wants to let a bot play for Borin" in " ".join(wanted.text.split())
    assert f"(by email: STANDIN {melee.number})" in wanted.text


def test_unfinished_orders_are_not_called_missing_and_the_opponent_learns_nothing(duel):
    duel.order("Froodal", "W/S")
    duel.order("Bung", "LH F", ready=None)
    run_clock_to(duel, 7)
    assert "are not ready: END is" in mail(duel, "Bung", "deadline_reminder").text
    other = mail(duel, "Froodal", "opponent_late").text
    assert "waiting for Bung's orders" in other
    assert "not ready" not in other and "GIVE" in other


def test_the_final_notice_says_when_the_mage_dies_and_cannot_be_turned_off(duel):
    duel.stir()
    set_preference(user=duel.user("Bung"), key="mail_turns", value="no")
    duel.order("Froodal", "W/S")
    run_clock_to(duel, 19)
    final = mail(duel, "Bung", "deadline_final")
    assert "Bung dies on Sunday 25 May 2031, 12:00 (UTC)" in " ".join(final.text.split())
    assert final.unsubscribe == ""


def test_a_player_who_has_played_gets_no_reminder(duel):
    duel.order("Froodal", "W/S")
    run_clock_to(duel, 7)
    duel.order("Bung", "W/S", now=NOW + 7 * DAY)
    with pytest.raises(NothingToSend):
        mail(duel, "Bung", "deadline_reminder")
    with pytest.raises(NothingToSend):
        mail(duel, "Froodal", "opponent_late")


def test_both_players_are_notified_of_the_forfeit(duel):
    duel.stir()
    for name in duel.names:
        EmailAddress.objects.create(user=duel.user(name), email=f"{name}@example.org", primary=True, verified=True)
    duel.order("Froodal", "W/S")
    run_clock_to(duel, 19)
    run_clock_to(duel, 21)
    for name in duel.names:
        assert "Bung did not send orders in time and dies (FM-SLOW-6)" in " ".join(
            mail(duel, name, "mage_forfeited").text.split()
        )
        assert "The battle is over." in " ".join(written(duel, name, "mage_forfeited").split())
    assert "The end: Froodal won" in mail(duel, "Froodal", "battle_finished").text


def test_a_player_who_never_moved_reads_that_the_duel_will_be_called_off_and_the_opponent_only_the_rule(duel):
    duel.order("Froodal", "W/S")
    run_clock_to(duel, 19)
    final = " ".join(mail(duel, "Bung", "deadline_final").text.split())
    assert "Without orders, the battle is called off on Sunday 25 May 2031, 12:00 (UTC)." in final
    assert "The second time in a year, the mage dies." in final and "Bung dies" not in final
    other = " ".join(mail(duel, "Froodal", "opponent_late").text.split())
    assert "Bung dies on Sunday 25 May 2031, 12:00 (UTC)" in other
    assert "A mage whose player never sends any orders lives: a duel is called off" in other
    duel.order("Bung", "LH F", ready=False, now=NOW + 20 * DAY)
    assert " ".join(mail(duel, "Froodal", "opponent_late").text.split()) == other
    assert "Bung dies" in " ".join(mail(duel, "Bung", "deadline_final").text.split())


def test_both_players_are_notified_that_a_mage_never_moved(duel):
    duel.order("Froodal", "W/S")
    for day in (19, 21):
        run_clock_to(duel, day)
    for name in duel.names:
        assert "Bung never sent any orders and leaves alive." in " ".join(
            mail(duel, name, "mage_forfeited").text.split()
        )
        assert "Bung has not moved once and leaves the circle." in mail(duel, "Froodal", "battle_finished").text


def test_players_are_notified_of_a_pause_request_and_of_the_pause(duel):
    ask_pause(combatant=duel.combatant("Bung"), days=1, now=NOW)
    assert "this battle for 1 day." in " ".join(mail(duel, "Froodal", "pause_wanted").text.split())
    ask_pause(combatant=duel.combatant("Froodal"), days=3, now=NOW)
    assert "until Monday 5 May 2031" in " ".join(mail(duel, "Bung", "battle_paused").text.split())
    ask_pause(combatant=duel.combatant("Bung"), days=0, now=NOW)
    ask_pause(combatant=duel.combatant("Froodal"), days=0, now=NOW)
    assert "running again" in mail(duel, "Bung", "battle_resumed").text


def test_after_a_pause_clocks_that_something_else_stops_are_not_said_to_run(duel):
    for name in duel.names:
        ask_pause(combatant=duel.combatant(name), days=2, now=NOW)
    start_vacation(user=duel.user("Bung"), days=9, now=NOW)
    run_clock_to(duel, 3)
    told = " ".join(mail(duel, "Froodal", "battle_resumed").text.split())
    assert "The pause of this battle is over." in told and "Bung's vacation" in told and "running again" not in told
    duel.turn("P/P", "W/S")
    for kind in ("battle_paused", "battle_resumed"):
        with pytest.raises(NothingToSend):
            mail(duel, "Froodal", kind)


def test_a_fallen_mage_is_notified_of_the_request_but_not_asked():
    melee = start_fight(make_mage("Froodal"), make_mage("Bung"), make_mage("Ulf"))
    melee.turn("W/W", "W/W", "P/P")
    ask_pause(combatant=melee.combatant("Bung"), days=2, now=NOW)
    assert "(by email: PAUSE" in mail(melee, "Froodal", "pause_wanted").text
    assert "(by email: PAUSE" not in mail(melee, "Ulf", "pause_wanted").text


class TestUnconfirmedAddress:
    """A user with an unconfirmed address is reminded there, three times at most."""

    @pytest.fixture
    def late(self, duel):
        EmailAddress.objects.create(user=duel.user("Bung"), email="bung@example.org", primary=True, verified=False)
        duel.order("Froodal", "W/S")
        return duel

    def sent(self, fight, name="Bung"):
        return Notice.objects.filter(user=fight.user(name), kind="unconfirmed_reminder").count()

    def test_the_reminder_goes_there_with_the_link_that_confirms_it_and_one_that_stops_it(self, late):
        run_clock_to(late, 7)
        delivery = Delivery.objects.get(notice__kind="unconfirmed_reminder")
        assert delivery.address == "bung@example.org"
        text = mail(late, "Bung", "unconfirmed_reminder").text
        for page in (f"/battles/{late.number}/", "/accounts/confirm-email/", "/stop/"):
            assert page in text
        assert "Froodal" not in text, "a stranger's address learns nothing of others"

    def test_three_reminders_are_sent_at_most_and_never_two_a_day(self, late):
        for day in range(21):
            for _ in range(2):
                run_clock_to(late, day)
        assert self.sent(late) == 3
        reminders = Notice.objects.filter(kind="unconfirmed_reminder").order_by("created_at")
        times = list(reminders.values_list("created_at", flat=True))
        assert all(later - earlier >= DAY for earlier, later in itertools.pairwise(times))

    def test_users_who_stop_it_or_confirm_get_none(self, late):
        set_preference(user=late.user("Bung"), key="mail_unconfirmed", value="no")
        run_clock_to(late, 7)
        assert self.sent(late) == 0
        set_preference(user=late.user("Bung"), key="mail_unconfirmed", value="yes")
        run_clock_to(late, 11)
        assert self.sent(late) == 1
        EmailAddress.objects.update(verified=True)
        with pytest.raises(NothingToSend):
            mail(late, "Bung", "unconfirmed_reminder")
        run_clock_to(late, 14)
        assert self.sent(late) == 1

    def test_nothing_is_sent_once_the_battle_stops_waiting_or_without_an_address(self, late):
        run_clock_to(late, 7)
        late.order("Bung", "P/P")
        with pytest.raises(NothingToSend):
            mail(late, "Bung", "unconfirmed_reminder")
        run_clock_to(late, 30)
        assert self.sent(late, "Froodal") == 0

    def test_home_says_that_no_email_can_come(self, late, client):
        for name, words in (("Bung", "Your address isn't confirmed"), ("Froodal", "Add an address")):
            client.force_login(late.user(name))
            assert words in client.get("/").content.decode()
        EmailAddress.objects.update(verified=True)
        client.force_login(late.user("Bung"))
        assert "We can't email you" not in client.get("/").content.decode()
