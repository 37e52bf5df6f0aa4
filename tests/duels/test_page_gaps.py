"""Live battles while nobody can open a page: nobody forfeits, and every clock starts again (FM-SLOW-6, FM-SLOW-7)."""

from datetime import timedelta

import pytest

from duels.errors import TooLate
from duels.models import ClockStop, Deadline, MissedTurn
from duels.paces import PRESENCE_TIME
from duels.selectors.time_used import read_times_used
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.clocks.battle_clocks import record_presence
from duels.services.clocks.outages import note_served_page
from duels.services.clocks.pauses import pause_battle, resume_battle
from duels.services.clocks.sweep import sweep_deadlines
from email_gateway.compose.parts import write_time
from notifications.models import Notice
from operations.models import Outage, PageGap, PageStamp
from operations.services.outages import end_maintenance, start_maintenance
from tests.duels.fights import Fight, start_fight
from tests.races import at_once
from tests.scenes import NOW, make_mage, make_user
from tests.ui.rendering import client_of

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
# The pace live3: two and a half minutes, and half a minute of grace.
ENDS, FORFEITS = 150 * SECOND, 180 * SECOND
pytestmark = pytest.mark.django_db


def stamp(at):
    return note_served_page(served_at=at, now=at)


def serve(since, until):
    """A web process stamps every five seconds, and a worker sweeps."""
    at = since
    while at <= until:
        stamp(at)
        sweep_deadlines(now=at)
        at += 5 * SECOND


@pytest.fixture
def live(db) -> Fight:
    """Turn 2 of a live ladder duel: Swift is ready and Rapid owes orders, and the clocks run from NOW on."""
    fight = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="live3", stakes="ladder")
    for name in fight.names:
        record_presence(combatant=fight.combatant(name), now=NOW)
    fight.turn("F/S", "W/P")
    fight.order("Swift", "F/S")
    return fight


def clock(fight, name="Rapid"):
    return Deadline.objects.get(combatant=fight.combatant(name))


def is_over(fight):
    fight.battle.refresh_from_db()
    return fight.battle.is_over


def test_the_time_of_a_gap_and_of_the_stage_before_it_is_nobody_s(db):
    """In a live evening, where time is counted: the stage starts again, and so does the time that it takes."""
    fight = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="live3", stakes="evening")
    for name in fight.names:
        record_presence(combatant=fight.combatant(name), now=NOW)
    fight.order("Swift", "F/S", now=NOW + 30 * SECOND)
    serve(NOW, NOW + 60 * SECOND)
    back = NOW + 240 * SECOND
    stamp(back)
    serve(back, back + 20 * SECOND)
    assert read_times_used([fight.number], back + 20 * SECOND)[fight.number]["Rapid"] == 20 * SECOND
    fight.order("Rapid", "W/P", now=back + 25 * SECOND)
    assert read_times_used([fight.number], back + 25 * SECOND) == {
        fight.number: {"Swift": timedelta(0), "Rapid": 25 * SECOND}
    }


class TestAGap:
    def test_nobody_forfeits_while_only_the_web_is_down_and_then_the_clock_starts_again(self, live):
        """It is down for three minutes; the worker sweeps on."""
        serve(NOW, NOW + 60 * SECOND)
        for second in range(65, 240, 5):
            assert sweep_deadlines(now=NOW + second * SECOND) == 0
        back = NOW + 240 * SECOND
        gap = stamp(back)
        assert (gap.started_at, gap.ended_at) == (NOW + MINUTE, back)
        row = clock(live)
        assert (row.used, row.running_since, row.step) == (timedelta(0), back, Deadline.Step.ALARM)
        assert (row.ends_at, row.forfeit_at) == (back + ENDS, back + FORFEITS)
        serve(back, back + 175 * SECOND)
        assert not is_over(live)
        assert live.order("Rapid", "W/P", now=back + 179 * SECOND).outcome == "resolved"

    def test_the_mage_forfeits_after_their_new_time_if_they_still_do_not_move(self, live):
        serve(NOW, NOW + MINUTE)
        serve(NOW + 4 * MINUTE, NOW + 4 * MINUTE + FORFEITS + 5 * SECOND)
        assert is_over(live) and live.battle.result["dead"] == ["Rapid"]
        assert Notice.objects.filter(kind="deadline_final", user=live.user("Rapid")).count() == 1

    def test_web_and_worker_down_together_are_found_from_the_last_stamp(self, live):
        """The player would have had 30 seconds. Before a page is served, the worker does nothing."""
        serve(NOW, NOW + 10 * SECOND)
        back = NOW + 280 * SECOND
        assert sweep_deadlines(now=back) == 0
        stamp(back + 3 * SECOND)
        assert clock(live).forfeit_at == back + 3 * SECOND + FORFEITS

    def test_it_is_found_when_the_final_notice_was_sent_before_anyone_could_know(self, live):
        """The web dies just before the deadline. The notice goes out, as the last stamp is new enough, and a missed
        turn is noted; neither counts afterwards."""
        serve(NOW, NOW + 145 * SECOND)
        assert sweep_deadlines(now=NOW + ENDS) == 1
        assert MissedTurn.objects.count() == 1
        assert sweep_deadlines(now=NOW + FORFEITS) == 0
        back = NOW + 10 * MINUTE
        stamp(back)
        assert (clock(live).step, clock(live).forfeit_at) == (Deadline.Step.ALARM, back + FORFEITS)
        assert not MissedTurn.objects.exists()
        serve(back, back + ENDS)
        assert Notice.objects.filter(kind="deadline_final", user=live.user("Rapid")).count() == 2

    def test_nobody_forfeits_before_a_page_was_served_after_their_moment(self, live):
        """The web may have died seconds before it, which nobody knows yet."""
        serve(NOW, NOW + 176 * SECOND)
        assert clock(live).step == Deadline.Step.FORFEIT
        assert sweep_deadlines(now=NOW + 185 * SECOND) == 0
        stamp(NOW + 183 * SECOND)
        assert sweep_deadlines(now=NOW + 185 * SECOND) == 1
        assert is_over(live)

    def test_a_silence_of_fifteen_seconds_is_no_gap(self, live):
        serve(NOW, NOW + MINUTE)
        assert stamp(NOW + 75 * SECOND) is None
        assert clock(live).running_since == NOW and not PageGap.objects.exists()
        assert stamp(NOW + 91 * SECOND) is not None

    def test_two_gaps_in_one_stage_start_the_clock_again_twice(self, live):
        serve(NOW, NOW + MINUTE)
        stamp(NOW + 2 * MINUTE)
        stamp(NOW + 4 * MINUTE)
        assert clock(live).running_since == NOW + 4 * MINUTE
        assert ClockStop.objects.filter(reason="outage").count() == 2

    def test_a_short_outage_of_one_web_machine_of_several_is_none(self, live):
        """Both stamp the same row."""
        for second in range(0, 60, 5):
            stamp(NOW + second * SECOND)
            if second < 20:
                stamp(NOW + (second + 2) * SECOND)
        assert not PageGap.objects.exists() and clock(live).running_since == NOW

    def test_before_the_first_live_battle_nobody_stamps_and_that_is_no_gap(self, live):
        PageStamp.objects.create(stamped_at=NOW - 90 * MINUTE)
        assert stamp(NOW + 4 * SECOND) is None
        assert not PageGap.objects.exists()

    def test_without_a_live_battle_there_is_nothing_to_stamp(self, duel):
        assert stamp(NOW) is None
        assert not PageStamp.objects.exists()

    def test_a_clock_that_was_ahead_hides_no_gap(self, live):
        stamp(NOW + 60 * MINUTE)
        stamp(NOW + MINUTE)
        assert PageStamp.objects.get().stamped_at == NOW + MINUTE
        assert stamp(NOW + 3 * MINUTE) is not None

    @pytest.mark.postgres
    @pytest.mark.django_db(transaction=True)
    def test_two_processes_that_come_back_together_record_one_gap_and_start_the_clock_again_once(self, live):
        stamp(NOW)
        back = NOW + 5 * MINUTE
        results = at_once(*[lambda: stamp(back) for _ in range(4)])
        assert not [each for each in results if isinstance(each, Exception)]
        assert (PageGap.objects.count(), ClockStop.objects.filter(reason="outage").count()) == (1, 1)
        assert clock(live).extensions == 1


class TestWhatStartsAgain:
    def test_the_worker_starts_clocks_that_the_web_process_left_behind(self, live):
        """It died after it had recorded the gap."""
        stamp(NOW)
        PageStamp.objects.update(stamped_at=NOW + 5 * MINUTE)
        PageGap.objects.create(started_at=NOW, ended_at=NOW + 5 * MINUTE)
        assert sweep_deadlines(now=NOW + 5 * MINUTE + 10 * SECOND) == 0
        assert clock(live).running_since == NOW + 5 * MINUTE
        assert PageGap.objects.get().made_good_at is not None

    def test_orders_that_come_before_the_worker_see_the_new_clock(self, live):
        serve(NOW, NOW + 175 * SECOND)
        PageGap.objects.create(started_at=NOW + 175 * SECOND, ended_at=NOW + 5 * MINUTE)
        PageStamp.objects.update(stamped_at=NOW + 5 * MINUTE)
        assert live.order("Rapid", "W/P", now=NOW + 5 * MINUTE + SECOND).outcome == "resolved"

    def test_a_mage_who_was_ready_and_changes_their_mind_has_the_full_time_too(self, live):
        stamp(NOW)
        stamp(NOW + 5 * MINUTE)
        live.order("Swift", "", ready=False, now=NOW + 6 * MINUTE)
        assert clock(live, "Swift").ends_at == NOW + 6 * MINUTE + ENDS

    def test_a_paused_battle_stays_paused_and_has_its_full_time_afterwards(self, live):
        serve(NOW, NOW + 2 * MINUTE)
        pause_battle(battle=live.battle, now=NOW + 2 * MINUTE)
        stamp(NOW + 9 * MINUTE)
        assert clock(live).is_stopped
        resume_battle(battle=live.battle, now=NOW + 20 * MINUTE)
        assert clock(live).forfeit_at == NOW + 20 * MINUTE + FORFEITS

    def test_waiting_for_the_players_starts_again_and_is_not_called_off(self):
        fight = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="live1")
        stamp(NOW)
        assert sweep_deadlines(now=NOW + PRESENCE_TIME + MINUTE) == 0
        back = NOW + PRESENCE_TIME + 2 * MINUTE
        stamp(back)
        serve(back, back + PRESENCE_TIME - 5 * SECOND)
        assert not is_over(fight)
        serve(back + PRESENCE_TIME, back + PRESENCE_TIME + 5 * SECOND)
        assert is_over(fight) and fight.battle.result["reason"] == "called_off"

    def test_an_outage_of_everything_is_not_given_back_on_top(self, live):
        """It was long enough to be an outage too, which the worker records a little later than the web the gap."""
        serve(NOW, NOW + MINUTE)
        back = NOW + 20 * MINUTE
        stamp(back)
        Outage.objects.create(part="beat", started_at=NOW + MINUTE, ended_at=back + 8 * SECOND)
        sweep_deadlines(now=back + 10 * SECOND)
        row = clock(live)
        assert row.forfeit_at == back + 8 * SECOND + FORFEITS

    def test_a_battle_without_minutes_goes_on(self, duel):
        """Other battles count outages from ten minutes on."""
        live = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="live3")
        stamp(NOW)
        before = clock(duel, "Bung").forfeit_at
        assert stamp(NOW + 5 * MINUTE) is not None
        assert clock(duel, "Bung").forfeit_at == before
        assert not ClockStop.objects.filter(battle=duel.battle).exists() and live.battle.is_over is False

    def test_maintenance_counts_as_a_gap_so_a_deploy_behind_it_starts_the_clocks_again(self, live):
        keeper = make_user("Keeper")
        serve(NOW, NOW + 2 * MINUTE)
        start_maintenance(by=keeper, reason="New release.", now=NOW + 2 * MINUTE)
        for second in range(125, 300, 5):
            assert stamp(NOW + second * SECOND) is None
        end_maintenance(by=keeper, now=NOW + 300 * SECOND)
        stamp(NOW + 301 * SECOND)
        sweep_deadlines(now=NOW + 301 * SECOND)
        assert clock(live).forfeit_at == NOW + 301 * SECOND + FORFEITS


class TestOrdersInDoubt:
    def test_nothing_is_too_late_while_no_page_is_served(self, live):
        """A page process that hung for a minute takes what waited at its door."""
        serve(NOW, NOW + 175 * SECOND)
        assert live.order("Rapid", "W/P", now=NOW + 230 * SECOND).outcome == "resolved"

    def test_they_are_refused_while_pages_are_served(self, live):
        serve(NOW, NOW + 180 * SECOND)
        with pytest.raises(TooLate):
            live.order("Rapid", "W/P", now=NOW + 183 * SECOND)
        assert not is_over(live)


class TestThePage:
    def test_it_says_why_the_clocks_started_again_until_the_turn_is_over(self, live):
        stamp(NOW)
        stamp(NOW + 5 * MINUTE)
        page = client_of(live.user("Rapid")).get(f"/battles/{live.number}/").content.decode()
        assert "The site could not be reached for 5 minutes, until Sunday 4 May, 12:05 UTC." in page
        assert "All clocks of this turn started again then" in page
        live.order("Rapid", "W/P", now=NOW + 6 * MINUTE)
        page = client_of(live.user("Rapid")).get(f"/battles/{live.number}/").content.decode()
        assert "could not be reached" not in page

    def test_programs_and_emails_say_it_too(self, live):
        stamp(NOW)
        stamp(NOW + 5 * MINUTE)
        told = client_of(live.user("Rapid")).get(f"/api/v1/battles/{live.number}/").json()["restarted"]
        assert (told["since"], told["until"]) == (NOW.isoformat(), (NOW + 5 * MINUTE).isoformat())
        assert told["text"].startswith("The site could not be reached for 5 minutes")
        view = get_battle_for_viewer(number=live.number, user=live.user("Rapid"), mage_name="Rapid", draft="")
        assert "All clocks of this turn started again then" in " ".join(write_time(view).split())
        live.order("Rapid", "W/P", now=NOW + 6 * MINUTE)
        assert client_of(live.user("Rapid")).get(f"/api/v1/battles/{live.number}/").json()["restarted"] is None

    def test_the_status_page_lists_it(self, live, client, monkeypatch):
        stamp(NOW)
        stamp(NOW + 5 * MINUTE)
        monkeypatch.setattr("fm_site.upkeep.status_page.timezone.now", lambda: NOW + 6 * MINUTE)
        assert "Pages, during a live battle" in client.get("/status/").content.decode()
