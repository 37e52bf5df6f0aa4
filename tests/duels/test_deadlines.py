"""Deadlines: when they begin and end, their notices, and forfeits."""

from datetime import timedelta

import pytest

from accounts.models import Mage
from duels.errors import StaleOrders, TimeIsOver
from duels.models import Battle, Combatant, Deadline, MissedTurn, OrderSheet, Turn
from duels.services.clocks.deadlines import process_deadlines
from duels.services.clocks.extra_time import extend_deadline, give_time, take_time
from duels.services.clocks.sweep import start_missing_clocks, sweep_deadlines
from fm_site.schedule import BEAT_SCHEDULE
from ladder.models import Placing, ScoreEntry
from notifications.models import Notice
from operations.services.policy import set_policy
from rules_engine.records import parse_record, verify_record
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import NOW, make_mage, make_user

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
pytestmark = pytest.mark.django_db


def deadline(fight, name):
    return Deadline.objects.get(combatant=fight.combatant(name))


def run_clock_to(fight, now):
    steps = process_deadlines(battle_id=fight.battle.pk, now=now)
    fight.battle.refresh_from_db()
    return steps


def notified(fight, name):
    kinds = ("deadline_", "opponent_late", "mage_forfeited")
    rows = Notice.objects.filter(user=fight.user(name)).order_by("pk").values_list("kind", flat=True)
    return [kind for kind in rows if kind.startswith(kinds)]


def test_everyone_who_is_asked_has_their_own_clock(duel):
    assert Deadline.objects.count() == 2
    row = deadline(duel, "Bung")
    assert (row.remind_at, row.forfeit_at) == (NOW + 7 * DAY, NOW + 21 * DAY)
    assert row.due_at == row.remind_at
    assert row.alarm_at == NOW + (row.ends_at - NOW) * 0.8


def test_a_late_mage_is_reminded_warned_and_dies_after_three_weeks(duel):
    """FM-SLOW-2, FM-SLOW-3, FM-SLOW-4, FM-SLOW-5, FM-SLOW-6."""
    duel.stir()
    duel.order("Froodal", "W/S")
    steps = []
    for day in range(22):
        steps += [(day, step) for step in run_clock_to(duel, NOW + day * DAY)]
    assert steps == [(7, "remind"), (11, "remind"), (14, "remind"), (16, "alarm"), (19, "final"), (21, "forfeit")]
    assert notified(duel, "Bung") == [*["deadline_reminder"] * 3, "deadline_alarm", "deadline_final", "mage_forfeited"]
    assert notified(duel, "Froodal") == [*["opponent_late"] * 4, "mage_forfeited"]
    assert duel.battle.status == Battle.Status.FINISHED
    assert duel.battle.result["winners"] == ["Froodal"]
    assert duel.battle.result["reason"] == "forfeit"
    bung, froodal = duel.mages["Bung"], duel.mages["Froodal"]
    bung.refresh_from_db()
    assert bung.died_at is not None
    assert list(ScoreEntry.objects.filter(mage=froodal).values_list("change", flat=True)) == [1]
    assert Turn.objects.get(battle=duel.battle).closed_by == "clock"
    assert not Deadline.objects.exists()


def test_saved_orders_of_a_mage_who_ran_out_of_time_were_not_played(duel):
    key = duel.key()
    duel.order("Froodal", "W/S")
    duel.order("Bung", "P/D", ready=False)
    for day in range(22):
        run_clock_to(duel, NOW + day * DAY)
    assert duel.battle.is_over
    with pytest.raises(StaleOrders):
        duel.order("Bung", "P/D", stage=key)


def test_every_battle_is_checked_far_more_often_than_twice_a_week(duel):
    """FM-SLOW-1: one sweep finds every battle in which someone is late, and the next is seconds away."""
    other = start_fight(make_mage("Ayla"), make_mage("Crom"))
    assert BEAT_SCHEDULE["duels.tasks.sweep_deadlines"]["schedule"].run_every < 3.5 * DAY
    assert sweep_deadlines(now=NOW + 7 * DAY - HOUR) == 0
    assert sweep_deadlines(now=NOW + 7 * DAY) == 4
    for fight, name in ((duel, "Bung"), (duel, "Froodal"), (other, "Ayla"), (other, "Crom")):
        assert "deadline_reminder" in notified(fight, name)


def test_the_servers_periods_are_four_and_fourteen_days(db):
    numbers = {"classic_reminder_days": 4, "classic_forfeit_days": 14}
    set_policy(by=make_user("Jane"), why="as it was", numbers=numbers, now=NOW)
    row = deadline(start_fight(make_mage("Ayla"), make_mage("Crom")), "Ayla")
    assert (row.remind_at, row.forfeit_at) == (NOW + 4 * DAY, NOW + 14 * DAY)


def test_two_who_are_late_together_both_die_and_nobody_wins(duel):
    duel.stir()
    for day in range(22):
        run_clock_to(duel, NOW + day * DAY)
    assert (duel.battle.result["winners"], set(duel.battle.result["dead"])) == ([], {"Froodal", "Bung"})
    assert duel.battle.result["reason"] == "all_forfeit"


def test_the_opponent_wins_even_without_orders_if_their_time_is_not_over(duel):
    duel.stir()
    extend_deadline(combatant=duel.combatant("Froodal"), length=3 * DAY, now=NOW)
    for day in range(22):
        run_clock_to(duel, NOW + day * DAY)
    assert duel.battle.result["winners"] == ["Froodal"]


def test_in_a_melee_the_others_continue(melee):
    """FM-SLOW-6: the late mage is out; what the others ordered is played at once when they are ready."""
    melee.stir()
    melee.order("Ayla", "W/S")
    extend_deadline(combatant=melee.combatant("Borin"), length=5 * DAY, now=NOW)
    for day in range(22):
        run_clock_to(melee, NOW + day * DAY)
    assert melee.battle.status == Battle.Status.RUNNING
    assert melee.battle.seq == 1, "Borin still has time"
    with pytest.raises(TimeIsOver):
        melee.order("Cormac", "P/P", now=NOW + 22 * DAY)
    melee.order("Borin", "F/S", now=NOW + 22 * DAY)
    assert melee.battle.seq == 2
    assert melee.battle.combatants.get(mage__name="Cormac").standing == "dead"
    assert {row.combatant.mage.name for row in Deadline.objects.all()} == {"Ayla", "Borin"}
    melee.mages["Cormac"].refresh_from_db()
    assert melee.mages["Cormac"].died_at is None, "who died is told by the score at the end"


def test_the_last_two_of_a_melee_who_are_late_together_both_die_and_nobody_wins(melee, client):
    """FM-SLOW-6, FM-WIN-5: on the page, in the record, on the ladder and in what the dump publishes."""
    melee.turn("P/P", "F/F", "W/W")
    for day in range(22):
        run_clock_to(melee, NOW + day * DAY)
    result = melee.battle.result
    assert (result["winners"], result["sharing"], result["reason"]) == ([], [], "all_forfeit")
    assert (result["dead"], result["surrendered"]) == (["Borin", "Cormac"], ["Ayla"])
    page = client.get(f"/battles/{melee.number}/").content.decode()
    assert "Nobody wins" in page and "Borin and Cormac are dead. Ayla surrendered." in page and "Victory" not in page
    record = client.get(f"/battles/{melee.number}/record.txt").content.decode()
    assert verify_record(parse_record(record)) == () and "all_forfeit" in record and "\nwinner " not in record
    assert {mage.name for mage in Mage.objects.exclude(died_at=None)} == {"Borin", "Cormac"}
    rows = ScoreEntry.objects.values_list("mage__name", "change", "reason")
    assert sorted(rows) == [
        ("Ayla", 0, "drew"),
        ("Ayla", 0, "surrendered"),
        ("Borin", 0, "died"),
        ("Cormac", 0, "died"),
    ]
    assert set(Placing.objects.values_list("mage__name", "won", "died")) == {
        ("Ayla", False, False),
        ("Borin", False, True),
        ("Cormac", False, True),
    }


def test_the_only_mage_in_time_wins_a_melee_of_three(melee, client):
    melee.stir()
    extend_deadline(combatant=melee.combatant("Borin"), length=5 * DAY, now=NOW)
    for day in range(22):
        run_clock_to(melee, NOW + day * DAY)
    assert (melee.battle.result["winners"], melee.battle.result["dead"]) == (["Borin"], ["Ayla", "Cormac"])
    assert "Victory to Borin" in client.get(f"/battles/{melee.number}/").content.decode()
    assert dict(ScoreEntry.objects.values_list("mage__name", "change")) == {"Ayla": 0, "Borin": 2, "Cormac": 0}


def test_practice_has_clocks_and_costs_nothing(practice):
    for day in range(22):
        run_clock_to(practice, NOW + day * DAY)
    assert practice.battle.status == Battle.Status.FINISHED
    practice.mages["Lefty"].refresh_from_db()
    assert practice.mages["Lefty"].died_at is None
    assert not ScoreEntry.objects.exists()


def test_chat_and_incomplete_orders_do_not_affect_a_clock(duel):
    before = deadline(duel, "Bung").forfeit_at
    duel.order("Bung", "SAY soon", ready=None, now=NOW + 5 * DAY)
    duel.order("Bung", "LH F", ready=None, now=NOW + 6 * DAY)
    duel.order("Froodal", "W/S", now=NOW + 6 * DAY)
    assert deadline(duel, "Bung").forfeit_at == before


def test_ready_orders_stop_the_clock_and_taking_them_back_brings_only_what_was_left(duel):
    before = deadline(duel, "Bung")
    duel.order("Bung", "W/S", now=NOW + 5 * DAY)
    assert not Deadline.objects.filter(combatant__mage__name="Bung").exists()
    duel.order("Bung", "LH F", ready=False, now=NOW + 6 * DAY)
    row = deadline(duel, "Bung")
    assert row.used == 5 * DAY
    assert row.forfeit_at == before.forfeit_at + DAY
    for _ in range(3):
        duel.order("Bung", "W/S", now=NOW + 7 * DAY)
        duel.order("Bung", "LH F", ready=False, now=NOW + 7 * DAY)
    assert deadline(duel, "Bung").used == 6 * DAY


def test_nobody_is_notified_twice_of_one_deadline_however_often_it_is_swept(duel):
    for hour in (0, 1, 2):
        run_clock_to(duel, NOW + 7 * DAY + hour * HOUR)
    assert sorted(notified(duel, "Bung")) == ["deadline_reminder", "opponent_late"], "both are late"


def test_a_late_sweep_sends_one_notice_and_leaves_the_whole_grace_period(duel):
    duel.order("Froodal", "W/S")
    assert run_clock_to(duel, NOW + 40 * DAY) == ["final"]
    row = deadline(duel, "Bung")
    assert row.forfeit_at == NOW + 42 * DAY
    assert run_clock_to(duel, NOW + 41 * DAY) == []
    assert run_clock_to(duel, NOW + 42 * DAY) == ["forfeit"]


def test_no_time_is_lost_when_the_system_clock_jumps_back(duel):
    duel.order("Froodal", "W/S")
    run_clock_to(duel, NOW + 7 * DAY)
    before = deadline(duel, "Bung").forfeit_at
    run_clock_to(duel, NOW + 6 * DAY)
    assert deadline(duel, "Bung").forfeit_at == before


def test_extra_time_can_be_taken_twice_and_only_while_orders_are_owed(duel):
    before = deadline(duel, "Bung").forfeit_at
    take_time(combatant=duel.combatant("Bung"), now=NOW)
    assert deadline(duel, "Bung").forfeit_at == before + 3 * DAY
    duel.order("Bung", "W/S")
    with refused("nothing_to_extend"):
        take_time(combatant=duel.combatant("Bung"), now=NOW)
    assert duel.combatant("Bung").extensions_taken == 1, "nothing is used up where nothing is owed"
    duel.order("Bung", "LH F", ready=False)
    take_time(combatant=duel.combatant("Bung"), now=NOW)
    with refused("no_more_extensions"):
        take_time(combatant=duel.combatant("Bung"), now=NOW)
    assert deadline(duel, "Bung").forfeit_at == before + 6 * DAY


def test_time_given_in_the_grace_period_begins_then_and_sends_a_new_notice(duel):
    duel.order("Froodal", "W/S")
    run_clock_to(duel, NOW + 19 * DAY)
    row, length = give_time(giver=duel.combatant("Froodal"), mage_name="bung", days=1, now=NOW + 20 * DAY)
    assert (row.ends_at, length) == (NOW + 21 * DAY, DAY)
    assert row.forfeit_at == NOW + 23 * DAY
    assert run_clock_to(duel, NOW + 21 * DAY) == ["final"]
    assert notified(duel, "Bung").count("deadline_final") == 2
    assert MissedTurn.objects.count() == 1


@pytest.mark.parametrize("days", [0, 15, -1])
def test_nobody_gives_less_than_a_day_or_more_than_two_weeks(duel, days):
    with refused("wrong_days"):
        give_time(giver=duel.combatant("Froodal"), mage_name="Bung", days=days, now=NOW)


def test_two_players_cannot_give_each_other_time_forever_while_others_wait(melee):
    ayla, borin = melee.combatant("Ayla"), melee.combatant("Borin")
    before = deadline(melee, "Borin").allowed
    for days in (9, 5):
        give_time(giver=ayla, mage_name="Borin", days=days, now=NOW)
    with refused("others_wait_too", match="Others are waiting for Borin too"):
        give_time(giver=ayla, mage_name="Borin", days=1, now=NOW)
    assert deadline(melee, "Borin").allowed == before + 14 * DAY
    Mage.objects.filter(pk=melee.mages["Cormac"].pk).update(user=ayla.mage.user)
    with refused("nothing_to_extend"):
        give_time(giver=ayla, mage_name="Cormac", days=1, now=NOW)
    Combatant.objects.filter(pk=borin.pk).update(standing="dead")
    with refused("dead", match="Borin is dead"):
        give_time(giver=melee.combatant("Borin"), mage_name="Ayla", days=1, now=NOW)


def test_the_only_waiting_player_can_give_any_amount_of_time(duel):
    for _ in range(3):
        give_time(giver=duel.combatant("Froodal"), mage_name="Bung", days=14, now=NOW)
    assert deadline(duel, "Bung").extensions == 3


def test_players_cannot_give_themselves_time_this_way(duel):
    with refused("nothing_to_extend"):
        give_time(giver=duel.combatant("Froodal"), mage_name="Froodal", days=1, now=NOW)


def test_a_time_bank_pays_for_each_turn_and_refills_up_to_its_maximum():
    fight = start_fight(make_mage("Ayla"), make_mage("Crom"), pace="bank")
    assert deadline(fight, "Ayla").allowed == 240 * HOUR
    fight.order("Ayla", "W/S", now=NOW + 100 * HOUR)
    fight.order("Crom", "W/S", now=NOW + 101 * HOUR)
    assert deadline(fight, "Ayla").allowed == 176 * HOUR
    fight.order("Ayla", "F/D", now=NOW + 102 * HOUR)
    fight.order("Crom", "F/D", now=NOW + 102 * HOUR)
    assert deadline(fight, "Ayla").allowed == 211 * HOUR
    for hour in (103, 104):
        fight.order("Ayla", "W/S", now=NOW + hour * HOUR)
        fight.order("Crom", "W/S", now=NOW + hour * HOUR)
    assert deadline(fight, "Ayla").allowed == 240 * HOUR


def test_time_used_before_readiness_was_withdrawn_is_no_time_given():
    fight = start_fight(make_mage("Ayla"), make_mage("Crom"), make_mage("Dara"), pace="bank")
    fight.order("Crom", "W/S", now=NOW + 3 * DAY)
    fight.order("Crom", "LH W", ready=False, now=NOW + 3 * DAY)
    details = {"giver": fight.combatant("Ayla"), "mage_name": "Crom", "now": NOW + 3 * DAY}
    give_time(days=13, **details)
    fight.order("Crom", "W/S", now=NOW + 4 * DAY)
    fight.order("Crom", "LH W", ready=False, now=NOW + 4 * DAY)
    with refused("others_wait_too"):
        give_time(days=2, **details)
    give_time(days=1, **details)
    assert deadline(fight, "Crom").allowed == 24 * DAY


def test_a_battle_that_began_without_clocks_gets_them(duel):
    Deadline.objects.all().delete()
    OrderSheet.objects.filter(combatant=duel.combatant("Froodal")).update(ready=True, submitted_at=NOW)
    assert start_missing_clocks(now=NOW + DAY) == 1
    assert deadline(duel, "Bung").forfeit_at == NOW + 22 * DAY
    assert Deadline.objects.count() == 1
    assert start_missing_clocks(now=NOW + DAY) == 0
