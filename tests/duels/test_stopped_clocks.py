"""When clocks stop: vacation, lost email, pauses, outages (FM-SLOW-7, FM-ORDUSR-6)."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from accounts.models import User
from accounts.services.mages import touch_activity
from accounts.services.users import mark_email_failing, mark_email_working
from accounts.services.vacations import end_vacation, enter_vacation, start_vacation
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet
from duels.selectors.battle_view import NOTHING
from duels.selectors.viewer import get_battle_for_viewer, read_battle_clocks
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.extra_time import take_time
from duels.services.clocks.outages import give_back_outages
from duels.services.clocks.pauses import ask_pause, expire_wishes, meet_wishes, pause_battle, resume_battle
from duels.services.clocks.sweep import sweep_absences, sweep_deadlines
from duels.services.resolve import resolve_turn
from notifications.models import Delivery, Notice
from notifications.services.outbox import write_notice
from operations.models import Outage
from operations.services.outages import end_maintenance, record_heartbeat, start_maintenance
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import NOW, make_mage, make_user

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
        sweep_deadlines(now=NOW + 14 * DAY)
        assert deadline(duel, "Bung").forfeit_at == before + 10 * DAY

    def test_all_who_owe_orders_rest_with_the_absent_player(self, duel):
        """Otherwise the player who is present dies by a clock while the absent one's rests."""
        start_vacation(user=duel.user("Bung"), days=30, now=NOW + 2 * DAY)
        sweep_deadlines(now=NOW + 3 * DAY)
        assert (deadline(duel, "Froodal").is_stopped, deadline(duel, "Froodal").used) == (True, 2 * DAY)
        sweep_deadlines(now=NOW + 31 * DAY)
        assert status(duel) == Battle.Status.RUNNING
        sweep_deadlines(now=NOW + 33 * DAY)
        assert deadline(duel, "Froodal").forfeit_at == NOW + 51 * DAY

    def test_orders_are_accepted_meanwhile_and_those_of_the_absent_player_start_the_other_clocks(self, duel):
        start_vacation(user=duel.user("Bung"), days=30, now=NOW + DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        duel.order("Froodal", "LH W", ready=False, now=NOW + 3 * DAY)
        duel.order("Bung", "W/S", now=NOW + 4 * DAY)
        assert deadline(duel, "Froodal").forfeit_at == NOW + 24 * DAY
        assert not ClockStop.objects.filter(ended_at=None).exists()

    def test_a_player_who_owes_nothing_rests_no_clock(self, duel):
        duel.order("Bung", "W/S")
        start_vacation(user=duel.user("Bung"), days=30, now=NOW + DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        assert not deadline(duel, "Froodal").is_stopped

    def test_an_absent_player_who_takes_back_their_orders_is_back(self, duel):
        duel.order("Bung", "W/S")
        start_vacation(user=duel.user("Bung"), days=30, now=NOW + DAY)
        duel.order("Bung", "LH F", ready=False, now=NOW + 2 * DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        assert not Deadline.objects.filter(running_since=None).exists()
        assert deadline(duel, "Froodal").forfeit_at == NOW + 21 * DAY

    def test_a_past_vacation_that_nobody_processed_is_given_back_to_all(self, duel):
        start_vacation(user=duel.user("Bung"), days=9, now=NOW + DAY)
        end_vacation(user=duel.user("Bung"), now=NOW + 6 * DAY)
        sweep_deadlines(now=NOW + 7 * DAY)
        assert {row.forfeit_at for row in Deadline.objects.all()} == {NOW + 26 * DAY}

    @pytest.mark.parametrize("pace", ["live1", "live3", "live5", "live"])
    @pytest.mark.parametrize("stakes", ["ladder", "friendly"])
    def test_no_vacation_and_no_bounce_stops_a_live_clock(self, pace, stakes):
        """In a one-minute duel a player who owed orders took 35 days, and lived."""
        live = start_fight(make_mage("Ayla"), make_mage("Crom"), pace=pace, stakes=stakes)
        live.turn("W/S", "W/S")
        live.order("Ayla", "W/S")
        start_vacation(user=live.user("Crom"), days=35, now=NOW + timedelta(seconds=1))
        mark_email_failing(user=live.user("Crom"), now=NOW + timedelta(seconds=1))
        for minutes in (1, 11, 20):
            sweep_deadlines(now=NOW + timedelta(minutes=minutes))
        assert sweep_absences(now=NOW + HOUR) == 0
        assert status(live) == Battle.Status.FINISHED
        assert live.battle.result["winners"] == ["Ayla"]
        assert not ClockStop.objects.exclude(reason="presence").exists()

    @pytest.mark.parametrize(("stakes", "rests"), [("ladder", False), ("friendly", False), ("very-friendly", True)])
    def test_where_something_is_at_stake_a_vacation_after_the_alarm_comes_too_late(self, stakes, rests):
        """The alarm comes after four fifths of the 19 days before the grace period."""
        for days, expected in ((15, True), (16, rests), (20, rests)):
            fight = start_fight(make_mage(f"Ayla{days}"), make_mage(f"Crom{days}"), stakes=stakes)
            fight.order(f"Ayla{days}", "W/S")
            sweep_deadlines(now=NOW + days * DAY)
            start_vacation(user=fight.user(f"Crom{days}"), days=9, now=NOW + days * DAY)
            sweep_deadlines(now=NOW + days * DAY + HOUR)
            assert deadline(fight, f"Crom{days}").is_stopped == expected, days
        assert sweep_absences(now=NOW + 20 * DAY + HOUR) == 0

    def test_a_vacation_after_the_alarm_counts_from_the_next_stage_on(self, duel):
        duel.order("Froodal", "W/S")
        start_vacation(user=duel.user("Bung"), days=30, now=NOW + 18 * DAY)
        sweep_deadlines(now=NOW + 18 * DAY)
        assert not deadline(duel, "Bung").is_stopped
        OrderSheet.objects.filter(combatant=duel.combatant("Bung")).update(
            lines=["LH W", "RH S"], ready=True, submitted_at=NOW
        )
        resolve_turn(battle=duel.battle, now=NOW + 18 * DAY)
        assert deadline(duel, "Bung").is_stopped and deadline(duel, "Froodal").is_stopped

    def test_a_vacation_entered_by_a_janitor_stops_clocks_after_the_alarm_too(self, duel):
        duel.order("Froodal", "W/S")
        start_vacation(user=duel.user("Bung"), days=9, now=NOW + 18 * DAY)
        for day in (18, 20):
            sweep_deadlines(now=NOW + day * DAY)
            assert not deadline(duel, "Bung").is_stopped
        enter_vacation(user=duel.user("Bung"), days=60, most=365, now=NOW + 20 * DAY)
        sweep_deadlines(now=NOW + 21 * DAY)
        assert status(duel) == Battle.Status.RUNNING
        assert (deadline(duel, "Bung").is_stopped, deadline(duel, "Bung").used) == (True, 20 * DAY)

    def test_extra_time_taken_on_vacation_makes_nothing_of_the_past_undone(self, duel):
        """A longer deadline has its own alarm, and from then on the vacation counts."""
        duel.order("Froodal", "W/S")
        start_vacation(user=duel.user("Bung"), days=9, now=NOW + 16 * DAY)
        take_time(combatant=duel.combatant("Bung"), now=NOW + 17 * DAY)
        sweep_deadlines(now=NOW + 18 * DAY)
        assert (deadline(duel, "Bung").is_stopped, deadline(duel, "Bung").used) == (True, 17 * DAY)

    def test_the_clock_runs_again_after_an_early_return(self, duel):
        start_vacation(user=duel.user("Bung"), days=30, now=NOW)
        sweep_deadlines(now=NOW + HOUR)
        end_vacation(user=duel.user("Bung"), now=NOW + 4 * DAY)
        sweep_deadlines(now=NOW + 5 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 25 * DAY
        assert ClockStop.objects.get().ended_at == NOW + 4 * DAY

    def test_a_mage_whose_player_leaves_in_the_last_minute_dies_all_the_same(self, duel):
        duel.order("Froodal", "W/S")
        sweep_deadlines(now=NOW + 19 * DAY)
        start_vacation(user=duel.user("Bung"), days=5, now=NOW + 21 * DAY - HOUR)
        sweep_deadlines(now=NOW + 21 * DAY)
        assert status(duel) == Battle.Status.FINISHED

    def test_a_turn_that_opens_for_an_absent_player_starts_no_clock(self, duel):
        start_vacation(user=duel.user("Bung"), days=9, now=NOW)
        duel.order("Froodal", "W/S", now=NOW + DAY)
        OrderSheet.objects.filter(combatant=duel.combatant("Bung")).update(
            lines=["LH W", "RH S"], ready=True, submitted_at=NOW
        )
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

    def test_after_14_days_in_total_the_other_may_end_the_battle_or_wait(self, duel):
        """FM-SLOW-7: without score and without a death."""
        duel.turn("W/S", "W/S")
        duel.order("Froodal", "W/S")
        start_vacation(user=duel.user("Bung"), days=9, now=NOW)
        sweep_deadlines(now=NOW + HOUR)
        sweep_deadlines(now=NOW + 9 * DAY)
        start_vacation(user=duel.user("Bung"), days=20, now=NOW + 10 * DAY)
        sweep_deadlines(now=NOW + 10 * DAY)
        with refused("not_late_enough"):
            call_off_battle(combatant=duel.combatant("Froodal"), now=NOW + 15 * DAY - HOUR)
        for day in (14, 15, 16):
            sweep_deadlines(now=NOW + day * DAY)
            assert was_notified(duel, "Froodal", "absence_long") == (1 if day >= 15 else 0)
        with refused("not_late_enough"):
            call_off_battle(combatant=duel.combatant("Bung"), now=NOW + 17 * DAY)
        call_off_battle(combatant=duel.combatant("Froodal"), now=NOW + 17 * DAY)
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
        melee.turn("W/S", "W/S", "W/S")
        melee.order("Ayla", "W/S")
        start_vacation(user=melee.user("Borin"), days=13, now=NOW)
        sweep_deadlines(now=NOW + HOUR)
        mark_email_failing(user=melee.user("Borin"), now=NOW + 12 * DAY)
        sweep_deadlines(now=NOW + 12 * DAY)
        return melee

    def call_off(self, melee, name, day, **more):
        return call_off_battle(combatant=melee.combatant(name), now=NOW + day * DAY, **more)

    def test_it_ends_when_the_last_one_agrees_and_each_user_is_notified_once(self, melee):
        with refused("not_late_enough"):
            self.call_off(melee, "Ayla", 12)
        for _ in range(2):
            assert self.call_off(melee, "Ayla", 16).missing == ("Cormac",)
        assert [was_notified(melee, name, "call_off_wanted") for name in ("Ayla", "Borin", "Cormac")] == [0, 1, 1]
        assert status(melee) == Battle.Status.RUNNING
        assert self.call_off(melee, "Cormac", 17).agreed == ("Ayla",)
        assert (status(melee), melee.battle.result["reason"]) == (Battle.Status.FINISHED, "called_off")
        with refused("not_late_enough"):
            self.call_off(melee, "Cormac", 17)

    def test_a_wish_can_be_taken_back(self, melee):
        self.call_off(melee, "Ayla", 16)
        self.call_off(melee, "Ayla", 16, agrees=False)
        assert self.call_off(melee, "Cormac", 17).missing == ("Ayla",)
        assert status(melee) == Battle.Status.RUNNING

    def test_a_wish_ends_with_the_absence(self, melee):
        self.call_off(melee, "Ayla", 16)
        melee.order("Borin", "LH F", ready=None, now=NOW + 17 * DAY)
        with refused("not_late_enough"):
            self.call_off(melee, "Cormac", 17)
        start_vacation(user=melee.user("Borin"), days=9, now=NOW + 18 * DAY)
        sweep_deadlines(now=NOW + 19 * DAY)
        assert self.call_off(melee, "Cormac", 20).missing == ("Ayla",)


class TestLostMail:
    def test_it_stops_a_clock_for_seven_days_in_a_battle_and_no_longer(self, duel):
        """A bouncing address stopped a battle for 198 days."""
        duel.order("Froodal", "W/S")
        mark_email_failing(user=duel.user("Bung"), now=NOW + DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        touch_activity(user=duel.user("Bung"), now=NOW + 4 * DAY)
        sweep_deadlines(now=NOW + 5 * DAY)
        mark_email_working(user=duel.user("Bung"), now=NOW + 5 * DAY)
        mark_email_failing(user=duel.user("Bung"), now=NOW + 6 * DAY)
        for day in (6, 9, 12):
            sweep_deadlines(now=NOW + day * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 28 * DAY
        assert sweep_absences(now=NOW + 12 * DAY) == 0
        for day in (26, 28):
            sweep_deadlines(now=NOW + day * DAY)
        assert status(duel) == Battle.Status.FINISHED

    def test_it_stops_no_clock_but_its_own(self, duel):
        mark_email_failing(user=duel.user("Bung"), now=NOW + DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        assert deadline(duel, "Bung").is_stopped and not deadline(duel, "Froodal").is_stopped

    def test_it_counts_as_absence_and_the_other_player_is_notified_once(self, duel):
        """FM-SLOW-7."""
        duel.order("Froodal", "W/S")
        mark_email_failing(user=duel.user("Bung"), now=NOW + DAY)
        sweep_deadlines(now=NOW + 2 * DAY)
        start_vacation(user=duel.user("Bung"), days=20, now=NOW + 8 * DAY)
        for day in (8, 9, 14, 15, 16, 20):
            sweep_deadlines(now=NOW + day * DAY)
            assert was_notified(duel, "Froodal", "absence_long") == (1 if day >= 15 else 0)
        assert was_notified(duel, "Bung", "absence_long") == 0
        assert not ClockStop.objects.filter(long_at__isnull=False, ended_at=None).exists(), "nothing is due any more"

    def test_the_other_player_is_notified_of_a_second_long_absence_in_the_same_turn_too(self, duel):
        duel.order("Froodal", "W/S")
        start_vacation(user=duel.user("Bung"), days=30, now=NOW)
        for hours in (1, 2):
            sweep_deadlines(now=NOW + 14 * DAY + hours * HOUR)
        assert was_notified(duel, "Froodal", "absence_long") == 1
        end_vacation(user=duel.user("Bung"), now=NOW + 15 * DAY)
        sweep_deadlines(now=NOW + 15 * DAY)
        start_vacation(user=duel.user("Bung"), days=5, now=NOW + 16 * DAY)
        for hours in (1, 2):
            sweep_deadlines(now=NOW + 16 * DAY + hours * HOUR)
        assert was_notified(duel, "Froodal", "absence_long") == 2

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

    def test_a_suspended_player_who_cannot_answer_holds_up_neither_a_pause_nor_its_end(self, melee):
        User.objects.filter(pk=melee.user("Cormac").pk).update(is_held=True)
        ask_pause(combatant=melee.combatant("Ayla"), days=10, now=NOW)
        assert ask_pause(combatant=melee.combatant("Borin"), days=10, now=NOW)
        ask_pause(combatant=melee.combatant("Ayla"), days=0, now=NOW + DAY)
        assert ask_pause(combatant=melee.combatant("Borin"), days=0, now=NOW + DAY)

    def test_nobody_waits_for_the_consent_of_one_for_whom_a_bot_plays(self, melee):
        Combatant.objects.filter(pk=melee.combatant("Cormac").pk).update(stand_in="Warder")
        ask_pause(combatant=melee.combatant("Ayla"), days=10, now=NOW)
        assert ask_pause(combatant=melee.combatant("Borin"), days=10, now=NOW)
        ask_pause(combatant=melee.combatant("Ayla"), days=0, now=NOW + DAY)
        assert ask_pause(combatant=melee.combatant("Borin"), days=0, now=NOW + DAY)
        assert not ask_pause(combatant=melee.combatant("Cormac"), days=10, now=NOW + 2 * DAY), "not alone"

    @pytest.mark.parametrize("is_paused", [False, True])
    def test_when_the_only_one_against_it_leaves_the_others_have_agreed(self, melee, is_paused):
        if is_paused:
            for name in melee.names:
                ask_pause(combatant=melee.combatant(name), days=20, now=NOW)
        for name in ("Ayla", "Borin"):
            assert not ask_pause(combatant=melee.combatant(name), days=0 if is_paused else 3, now=NOW)
        assert meet_wishes(now=NOW) == 0
        melee.turn("W/S", "W/S", "P/P")
        assert meet_wishes(now=NOW + HOUR) == 1
        assert meet_wishes(now=NOW + HOUR) == 0
        pause = ClockStop.objects.get(reason=ClockStop.Reason.PAUSE)
        assert pause.ended_at == NOW + HOUR if is_paused else pause.until == NOW + HOUR + 3 * DAY
        kind = "battle_resumed" if is_paused else "battle_paused"
        assert was_notified(melee, "Ayla", kind) == 1

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
        with refused("wrong_pause"):
            ask_pause(combatant=duel.combatant("Bung"), days=days, now=NOW)

    def test_a_duel_of_a_knock_out_pauses_for_seven_days_altogether(self):
        duel = start_fight(make_mage("Ayla"), make_mage("Crom"), stakes="cup")
        with refused("wrong_pause_in_cup", "7 days more"):
            ask_pause(combatant=duel.combatant("Ayla"), days=8, now=NOW)
        for name in duel.names:
            ask_pause(combatant=duel.combatant(name), days=5, now=NOW)
        later = NOW + 5 * DAY
        sweep_deadlines(now=later)
        with refused("wrong_pause_in_cup", "2 days more"):
            ask_pause(combatant=duel.combatant("Ayla"), days=3, now=later)
        for name in duel.names:
            ask_pause(combatant=duel.combatant(name), days=1, minutes=60, now=later)
        assert ask_pause(combatant=duel.combatant("Ayla"), days=30, now=later), "a length keeps it paused"
        later += 2 * DAY
        sweep_deadlines(now=later)
        with refused("paused_enough"):
            ask_pause(combatant=duel.combatant("Ayla"), days=1, now=later)
        assert not ask_pause(combatant=duel.combatant("Ayla"), days=0, now=later)

    def test_a_janitor_pauses_and_resumes(self, duel):
        assert pause_battle(battle=duel.battle, now=NOW)
        assert not pause_battle(battle=duel.battle, now=NOW)
        assert sweep_deadlines(now=NOW + 29 * DAY) == 0
        assert resume_battle(battle=duel.battle, now=NOW + 29 * DAY)
        assert not resume_battle(battle=duel.battle, now=NOW + 29 * DAY)
        assert deadline(duel, "Bung").forfeit_at == NOW + 50 * DAY

    def test_players_cannot_end_a_janitors_pause(self, duel):
        ask_pause(combatant=duel.combatant("Bung"), days=5, now=NOW)
        pause_battle(battle=duel.battle, now=NOW)
        assert not ask_pause(combatant=duel.combatant("Bung"), days=0, now=NOW), "only takes back the request"
        with refused("janitors_pause"):
            ask_pause(combatant=duel.combatant("Bung"), days=0, now=NOW)

    def test_a_janitors_pause_ends_by_itself_after_thirty_days(self, duel):
        pause_battle(battle=duel.battle, now=NOW)
        bung = duel.user("Bung")
        view = get_battle_for_viewer(number=duel.number, user=bung, mage_name=None, draft="", window=NOTHING)
        assert read_battle_clocks(view, now=NOW).paused_until == NOW + 30 * DAY
        assert was_notified(duel, "Bung", "battle_paused") == 1
        for day in (29, 40, 41):
            sweep_deadlines(now=NOW + day * DAY)
            assert was_notified(duel, "Bung", "battle_resumed") == (1 if day >= 40 else 0)
        assert not ClockStop.objects.filter(ended_at=None).exists()
        assert deadline(duel, "Bung").forfeit_at == NOW + 51 * DAY
        assert pause_battle(battle=duel.battle, now=NOW + 40 * DAY), "a janitor can pause it again"

    def test_a_battle_resumes_when_the_last_of_its_pauses_is_over(self, duel):
        for name in duel.names:
            ask_pause(combatant=duel.combatant(name), days=5, now=NOW)
        pause_battle(battle=duel.battle, now=NOW)
        for day in (6, 31):
            sweep_deadlines(now=NOW + day * DAY)
            assert was_notified(duel, "Bung", "battle_resumed") == (1 if day == 31 else 0)

    def test_what_was_running_before_there_were_limits_gets_them(self, duel):
        pause_battle(battle=duel.battle, now=NOW)
        ClockStop.objects.update(until=None)
        Combatant.objects.filter(mage__name="Bung").update(pause_minutes=1440, pause_asked_at=None)
        import_module("duels.migrations.0020_limits_of_pauses").limit_what_is_running(apps, None)
        now = timezone.now()
        assert abs(ClockStop.objects.get().until - now - 30 * DAY) < HOUR
        assert duel.combatant("Bung").wish_at(now + 6 * DAY) == 1440
        assert duel.combatant("Bung").wish_at(now + 8 * DAY) is None
        assert duel.combatant("Froodal").pause_asked_at is None

    def test_a_clock_that_nothing_stops_any_more_runs_again(self, duel):
        pause_battle(battle=duel.battle, now=NOW)
        ClockStop.objects.all().delete()
        assert sweep_absences(now=NOW + DAY) == 1
        assert {row.running_since for row in Deadline.objects.all()} == {NOW + DAY}
        assert sweep_absences(now=NOW + DAY) == 0

    def test_a_request_that_nobody_meets_expires_after_seven_days(self, duel):
        assert not ask_pause(combatant=duel.combatant("Froodal"), days=10, now=NOW)
        assert expire_wishes(now=NOW + 7 * DAY - HOUR) == 0
        assert not ask_pause(combatant=duel.combatant("Bung"), days=10, now=NOW + 7 * DAY), "Froodal's is too old"
        assert expire_wishes(now=NOW + 7 * DAY) == 1
        wishes = dict(Combatant.objects.values_list("mage__name", "pause_minutes"))
        assert wishes == {"Froodal": None, "Bung": 10 * 1440}
        assert ask_pause(combatant=duel.combatant("Froodal"), days=10, now=NOW + 8 * DAY)

    def test_a_request_to_end_a_pause_expires_too(self, duel):
        for name in duel.names:
            ask_pause(combatant=duel.combatant(name), days=20, now=NOW)
        assert not ask_pause(combatant=duel.combatant("Froodal"), days=0, now=NOW + DAY)
        assert not ask_pause(combatant=duel.combatant("Bung"), days=0, now=NOW + 8 * DAY)
        assert expire_wishes(now=NOW + 8 * DAY) == 1
        assert ask_pause(combatant=duel.combatant("Froodal"), days=0, now=NOW + 9 * DAY)

    def test_a_finished_battle_cannot_be_paused(self, duel):
        duel.turn("P/P", "W/S")
        with refused("cannot_pause"):
            pause_battle(battle=duel.battle, now=NOW)
        with refused("cannot_pause"):
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
