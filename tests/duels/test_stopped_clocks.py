"""When clocks stop: vacation, lost email, pauses, outages (FM-SLOW-7, FM-ORDUSR-6)."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services.mages import touch_activity
from accounts.services.users import mark_email_failing, mark_email_working
from accounts.services.vacations import end_vacation, start_vacation
from duels.errors import NothingToPause, NotLateEnough, WrongPause
from duels.models import Battle, ClockStop, Deadline, OrderSheet
from duels.services import (
    ask_pause,
    call_off_battle,
    give_back_outages,
    pause_battle,
    resume_battle,
    sweep_absences,
    sweep_deadlines,
)
from fm_site.notifications.models import Delivery, Notice
from fm_site.notifications.services.outbox import write_notice
from fm_site.operations.models import Outage
from fm_site.operations.services.outages import end_maintenance, record_heartbeat, start_maintenance
from tests.duels.fights import NOW, make_mage, make_user, start_fight

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
pytestmark = pytest.mark.django_db


def deadline(fight, name):
    return Deadline.objects.get(combatant=fight.combatant(name))


def status(fight):
    fight.battle.refresh_from_db()
    return fight.battle.status


def was_notified(fight, name, kind):
    return Notice.objects.filter(user=fight.user(name), kind=kind).count()


class TestVacation:
    def test_the_clock_of_an_absent_player_stops_for_the_whole_vacation(self, duel):
        """FM-SLOW-7: however late the sweep sees it."""
        before = deadline(duel, "Bung").forfeit_at
        start_vacation(user=duel.user("Bung"), days=10, now=NOW + 2 * DAY)
        sweep_deadlines(now=NOW + 3 * DAY)
        assert deadline(duel, "Bung").is_stopped
        assert deadline(duel, "Bung").used == 2 * DAY
        assert not deadline(duel, "Froodal").is_stopped
        sweep_deadlines(now=NOW + 14 * DAY)
        assert deadline(duel, "Bung").forfeit_at == before + 10 * DAY

    def test_the_clock_runs_again_after_an_early_return(self, duel):
        start_vacation(user=duel.user("Bung"), days=30, now=NOW)
        sweep_deadlines(now=NOW + HOUR)
        end_vacation(user=duel.user("Bung"), now=NOW + 4 * DAY)
        sweep_deadlines(now=NOW + 5 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 25 * DAY
        assert ClockStop.objects.get().ended_at == NOW + 4 * DAY

    def test_a_mage_whose_player_leaves_in_the_last_minute_does_not_die(self, duel):
        duel.order("Froodal", "W/S")
        sweep_deadlines(now=NOW + 19 * DAY)
        start_vacation(user=duel.user("Bung"), days=5, now=NOW + 21 * DAY - HOUR)
        sweep_deadlines(now=NOW + 21 * DAY)
        assert status(duel) == Battle.Status.RUNNING
        sweep_deadlines(now=NOW + 26 * DAY)
        assert status(duel) == Battle.Status.FINISHED

    def test_a_turn_that_opens_for_an_absent_player_starts_no_clock(self, duel):
        start_vacation(user=duel.user("Bung"), days=9, now=NOW)
        duel.order("Froodal", "W/S", now=NOW + DAY)
        OrderSheet.objects.filter(combatant=duel.combatant("Bung")).update(
            lines=["LH W", "RH S"], ready=True, submitted_at=NOW
        )
        from duels.services import resolve_turn  # Bung's orders had come before

        resolve_turn(battle=duel.battle, now=NOW + DAY)
        assert deadline(duel, "Bung").is_stopped

    def test_orders_end_the_vacation_and_the_next_turn_has_its_whole_time(self, duel):
        """FM-ORDUSR-7."""
        start_vacation(user=duel.user("Bung"), days=9, now=NOW)
        sweep_deadlines(now=NOW + HOUR)
        duel.order("Froodal", "W/S", now=NOW + DAY)
        duel.order("Bung", "W/S", now=NOW + 2 * DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 23 * DAY

    def test_after_35_days_in_total_the_other_may_end_the_battle_or_wait(self, duel):
        """FM-SLOW-7: without score and without a death."""
        duel.order("Froodal", "W/S")
        start_vacation(user=duel.user("Bung"), days=35, now=NOW)
        sweep_deadlines(now=NOW + HOUR)
        with pytest.raises(NotLateEnough):
            call_off_battle(combatant=duel.combatant("Froodal"), now=NOW + 34 * DAY)
        sweep_deadlines(now=NOW + 35 * DAY)
        start_vacation(user=duel.user("Bung"), days=20, now=NOW + 35 * DAY + HOUR)
        sweep_deadlines(now=NOW + 36 * DAY)
        sweep_deadlines(now=NOW + 37 * DAY)
        assert was_notified(duel, "Froodal", "absence_long") == 1
        with pytest.raises(NotLateEnough):
            call_off_battle(combatant=duel.combatant("Bung"), now=NOW + 37 * DAY)
        call_off_battle(combatant=duel.combatant("Froodal"), now=NOW + 37 * DAY)
        assert status(duel) == Battle.Status.FINISHED
        assert (duel.battle.result["reason"], duel.battle.result["winners"]) == ("called_off", [])
        for mage in duel.mages.values():
            mage.refresh_from_db()
            assert mage.died_at is None
            assert not mage.score_entries.exists()
        assert not Deadline.objects.exists()


class TestCallingOffAMelee:
    """FM-SLOW-7: the players who are here end it together."""

    @pytest.fixture
    def melee(self):
        melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))
        melee.order("Ayla", "W/S")
        start_vacation(user=melee.user("Borin"), days=35, now=NOW)
        sweep_deadlines(now=NOW + HOUR)
        mark_email_failing(user=melee.user("Borin"), now=NOW + 34 * DAY)
        sweep_deadlines(now=NOW + 34 * DAY)
        return melee

    def call_off(self, melee, name, day, **more):
        return call_off_battle(combatant=melee.combatant(name), now=NOW + day * DAY, **more)

    def test_it_ends_when_the_last_one_agrees_and_each_user_is_notified_once(self, melee):
        with pytest.raises(NotLateEnough):
            self.call_off(melee, "Ayla", 34)
        for _ in range(2):
            assert self.call_off(melee, "Ayla", 36).missing == ("Cormac",)
        assert [was_notified(melee, name, "call_off_wanted") for name in ("Ayla", "Borin", "Cormac")] == [0, 1, 1]
        assert status(melee) == Battle.Status.RUNNING
        assert self.call_off(melee, "Cormac", 37).agreed == ("Ayla",)
        assert (status(melee), melee.battle.result["reason"]) == (Battle.Status.FINISHED, "called_off")
        with pytest.raises(NotLateEnough):
            self.call_off(melee, "Cormac", 37)

    def test_a_wish_can_be_taken_back(self, melee):
        self.call_off(melee, "Ayla", 36)
        self.call_off(melee, "Ayla", 36, agrees=False)
        assert self.call_off(melee, "Cormac", 37).missing == ("Ayla",)
        assert status(melee) == Battle.Status.RUNNING

    def test_a_wish_ends_with_the_absence(self, melee):
        self.call_off(melee, "Ayla", 36)
        melee.order("Borin", "LH F", ready=None, now=NOW + 37 * DAY)
        with pytest.raises(NotLateEnough):
            self.call_off(melee, "Cormac", 37)
        start_vacation(user=melee.user("Borin"), days=35, now=NOW + 38 * DAY)
        sweep_deadlines(now=NOW + 39 * DAY)
        assert self.call_off(melee, "Cormac", 40).missing == ("Ayla",)


class TestLostMail:
    def test_the_other_player_is_notified_once_of_a_continuing_absence(self, duel):
        """FM-SLOW-7."""
        duel.order("Froodal", "W/S")
        mark_email_failing(user=duel.user("Bung"), now=NOW + DAY)
        for day in (2, 30, 35, 36, 38, 60):
            sweep_deadlines(now=NOW + day * DAY)
            assert was_notified(duel, "Froodal", "absence_long") == (1 if day >= 36 else 0)
        assert was_notified(duel, "Bung", "absence_long") == 0
        assert not ClockStop.objects.filter(long_at__isnull=False).exists(), "nothing is due any more"

    def test_a_missed_absence_is_found_by_checking_everyone(self, duel):
        User.objects.filter(pk=duel.user("Bung").pk).update(mail_fails_since=NOW, last_active_at=NOW)
        sweep_deadlines(now=NOW + DAY)
        assert not deadline(duel, "Bung").is_stopped
        assert sweep_absences(now=NOW + DAY) == 1
        assert deadline(duel, "Bung").is_stopped
        assert sweep_absences(now=NOW + DAY) == 0

    def test_the_clock_of_a_player_without_email_stops_until_they_return(self, duel):
        mark_email_failing(user=duel.user("Bung"), now=NOW + DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        assert deadline(duel, "Bung").used == DAY
        assert duel.user("Bung").mail_fails_since is None, "the caller has handled this before"
        touch_activity(user=duel.user("Bung"), now=NOW + 5 * DAY)
        sweep_deadlines(now=NOW + 6 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 25 * DAY

    def test_two_reasons_at_once_count_once(self, duel):
        mark_email_failing(user=duel.user("Bung"), now=NOW)
        start_vacation(user=duel.user("Bung"), days=3, now=NOW)
        sweep_deadlines(now=NOW + DAY)
        sweep_deadlines(now=NOW + 4 * DAY)
        assert deadline(duel, "Bung").is_stopped, "Bung's email still fails"
        mark_email_working(user=duel.user("Bung"), now=NOW + 5 * DAY)
        sweep_deadlines(now=NOW + 5 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 26 * DAY


class TestPauses:
    def test_a_pause_begins_when_all_want_it_and_lasts_as_long_as_the_shortest_wish(self, melee):
        assert not ask_pause(combatant=melee.combatant("Ayla"), days=10, now=NOW)
        assert was_notified(melee, "Borin", "pause_wanted") == 1
        assert was_notified(melee, "Ayla", "pause_wanted") == 0
        assert not ask_pause(combatant=melee.combatant("Borin"), days=4, now=NOW)
        assert not Deadline.objects.filter(running_since=None).exists()
        assert ask_pause(combatant=melee.combatant("Cormac"), days=30, now=NOW + DAY)
        assert Deadline.objects.filter(running_since=None).count() == 3
        sweep_deadlines(now=NOW + 6 * DAY)
        assert deadline(melee, "Ayla").forfeit_at == NOW + 25 * DAY

    def test_a_pause_ends_early_when_all_want_that(self, duel):
        for name in duel.names:
            ask_pause(combatant=duel.combatant(name), days=20, now=NOW)
        assert not ask_pause(combatant=duel.combatant("Froodal"), days=0, now=NOW + 2 * DAY)
        assert ask_pause(combatant=duel.combatant("Bung"), days=0, now=NOW + 3 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 24 * DAY

    def test_a_wish_can_be_taken_back(self, duel):
        ask_pause(combatant=duel.combatant("Froodal"), days=5, now=NOW)
        ask_pause(combatant=duel.combatant("Froodal"), days=0, now=NOW)
        assert not ask_pause(combatant=duel.combatant("Bung"), days=5, now=NOW)

    def test_orders_may_be_given_in_a_pause_and_the_next_turn_waits_too(self, duel):
        for name in duel.names:
            ask_pause(combatant=duel.combatant(name), days=5, now=NOW)
        duel.turn("W/S", "W/S")
        assert duel.battle.seq == 2
        assert Deadline.objects.filter(running_since=None).count() == 2

    @pytest.mark.parametrize("days", [-1, 31])
    def test_nobody_pauses_for_longer_than_a_month(self, duel, days):
        with pytest.raises(WrongPause):
            ask_pause(combatant=duel.combatant("Bung"), days=days, now=NOW)

    def test_a_janitor_pauses_and_resumes(self, duel):
        assert pause_battle(battle=duel.battle, now=NOW)
        assert not pause_battle(battle=duel.battle, now=NOW)
        assert sweep_deadlines(now=NOW + 100 * DAY) == 0
        assert resume_battle(battle=duel.battle, now=NOW + 100 * DAY)
        assert not resume_battle(battle=duel.battle, now=NOW + 100 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 121 * DAY

    def test_a_finished_battle_cannot_be_paused(self, duel):
        duel.turn("P/P", "W/S")
        with pytest.raises(NothingToPause):
            pause_battle(battle=duel.battle, now=NOW)
        with pytest.raises(NothingToPause):
            ask_pause(combatant=duel.combatant("Bung"), days=3, now=NOW)


class TestOutages:
    def outage(self, start, end):
        return Outage.objects.create(part="beat", started_at=start, ended_at=end)

    def test_the_time_of_an_outage_is_given_back_once(self, duel):
        self.outage(NOW + DAY, NOW + 3 * DAY)
        assert give_back_outages(now=NOW + 4 * DAY) == 1
        assert give_back_outages(now=NOW + 5 * DAY) == 0
        sweep_deadlines(now=NOW + 6 * DAY)
        assert {row.forfeit_at for row in Deadline.objects.all()} == {NOW + 23 * DAY}

    def test_a_mage_asked_during_an_outage_gets_the_rest_of_it_back(self, duel):
        duel.turn("W/S", "W/S")
        Deadline.objects.update(running_since=NOW + DAY, settled_at=NOW + DAY)
        self.outage(NOW, NOW + 3 * DAY)
        give_back_outages(now=NOW + 4 * DAY)
        assert {row.forfeit_at for row in Deadline.objects.all()} == {NOW + 24 * DAY}

    def test_weekends_in_an_outage_are_not_given_back_twice(self):
        fight = start_fight(make_mage("Ayla"), make_mage("Crom"), weekends=True)
        before = deadline(fight, "Ayla").forfeit_at
        saturday = NOW + 6 * DAY - 12 * HOUR
        assert saturday.weekday() == 5
        self.outage(saturday - DAY, saturday + 2 * DAY)
        give_back_outages(now=saturday + 2 * DAY)
        assert deadline(fight, "Ayla").used == saturday - DAY - NOW - 12 * HOUR
        assert deadline(fight, "Ayla").forfeit_at >= before + DAY

    def test_orders_taken_back_after_an_outage_lose_none_of_the_time(self, duel):
        self.outage(NOW + DAY, NOW + 3 * DAY)
        duel.order("Bung", "W/S", now=NOW + 3 * DAY)
        duel.order("Bung", "LH F", ready=False, now=NOW + 3 * DAY)
        give_back_outages(now=NOW + 3 * DAY)
        assert deadline(duel, "Bung").used == DAY

    def test_nobody_forfeits_during_maintenance_and_everyone_gets_the_time_back(self, duel):
        jane = make_user("Jane")
        duel.order("Froodal", "W/S")
        sweep_deadlines(now=NOW + 19 * DAY)
        start_maintenance(by=jane, reason="New roof.", now=NOW + 20 * DAY)
        assert sweep_deadlines(now=NOW + 30 * DAY) == 0
        end_maintenance(by=jane, now=NOW + 30 * DAY)
        assert sweep_deadlines(now=NOW + 30 * DAY) == 0
        assert deadline(duel, "Bung").forfeit_at == NOW + 31 * DAY
        assert sweep_deadlines(now=NOW + 31 * DAY) == 1

    @pytest.mark.parametrize("jump", [DAY, -DAY])
    def test_nobody_forfeits_when_the_system_clock_jumps(self, duel, jump):
        duel.order("Froodal", "W/S")
        record_heartbeat(part="beat", now=NOW + 19 * DAY)
        sweep_deadlines(now=NOW + 19 * DAY)
        record_heartbeat(part="beat", now=NOW + 20 * DAY + HOUR)
        give_back_outages(now=NOW + 20 * DAY + HOUR)
        before = deadline(duel, "Bung").forfeit_at
        sweep_deadlines(now=NOW + 20 * DAY + HOUR + jump)
        assert status(duel) == Battle.Status.RUNNING
        record_heartbeat(part="beat", now=NOW + 20 * DAY + HOUR)
        sweep_deadlines(now=NOW + 20 * DAY + HOUR)
        assert status(duel) == Battle.Status.RUNNING
        assert deadline(duel, "Bung").forfeit_at >= before

    def test_nobody_forfeits_while_email_is_stuck(self, duel):
        duel.order("Froodal", "W/S")
        sweep_deadlines(now=NOW + 19 * DAY)
        notice = write_notice(key="x", user=duel.user("Bung"), kind="message", facts={}, now=NOW + 19 * DAY)
        Delivery.objects.create(notice=notice, channel="mail", message_id="x", due_at=NOW + 19 * DAY)
        assert sweep_deadlines(now=NOW + 22 * DAY) == 0
        Delivery.objects.all().delete()
        assert sweep_deadlines(now=NOW + 22 * DAY) == 1
