"""A mage that never moved: a duel is called off, a melee continues without them, and the second time is a forfeit."""

from datetime import timedelta

import pytest

from duels.errors import TimeIsOver
from duels.models import Battle, MissedTurn
from duels.selectors.first_moves import find_fate
from duels.selectors.reliability import read_reliability
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.clocks.deadlines import excuse_missed_turn, process_deadlines
from duels.services.clocks.extra_time import extend_deadline
from ladder.models import BattleSide, Feat, Opening, Placing, RatingEntry, ScoreEntry
from ladder.services.rate_battles import rate_battles
from notifications.models import Notice
from studies.selectors.ladder_facts import read_battle_facts
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.duels.test_results_seen import open_pages
from tests.html import flat
from tests.scenes import DAY, NOW, make_mage

pytestmark = pytest.mark.django_db


def run_out(fight, since=0):
    for day in range(since, since + 22):
        process_deadlines(battle_id=fight.battle.pk, now=NOW + day * DAY)
    fight.battle.refresh_from_db()
    for mage in fight.mages.values():
        mage.refresh_from_db()
    return fight.battle


def test_a_duel_with_a_mage_who_never_moved_is_called_off_without_rating_score_or_death(duel, client):
    duel.order("Froodal", "W/S")
    battle = run_out(duel)
    assert (battle.status, battle.result["reason"], battle.result["winners"]) == ("finished", "called_off", [])
    assert battle.result["absent"] == ["Bung"]
    assert all(mage.is_alive and mage.busy_with is None for mage in duel.mages.values())
    rate_battles(kind="duel")
    assert not ScoreEntry.objects.exists() and not RatingEntry.objects.exists()
    page = client.get(f"/battles/{duel.number}/").content.decode()
    assert "The battle is called off" in page and "Bung never moved." in page


def test_it_counts_as_a_missed_deadline(duel):
    duel.order("Froodal", "W/S")
    run_out(duel)
    missed = MissedTurn.objects.get()
    assert (missed.user, missed.never_moved) == (duel.user("Bung"), True)
    assert read_reliability([duel.user("Bung").pk])[duel.user("Bung").pk].missed == 1


def test_a_sheet_that_was_accepted_but_is_not_ready_is_a_move(duel):
    duel.order("Froodal", "W/S")
    duel.order("Bung", "LH F", ready=False)
    duel.order("Bung", "CLEAR", ready=False)
    assert run_out(duel).result["reason"] == "forfeit"
    assert not duel.mages["Bung"].is_alive


def test_a_mage_who_moved_in_the_first_turn_forfeits_as_ever(duel):
    duel.turn("W/S", "P/D")
    duel.order("Froodal", "W/S")
    assert run_out(duel).result["reason"] == "forfeit"
    assert not MissedTurn.objects.get().never_moved


def test_two_who_never_moved_are_both_spared_and_both_have_missed_a_deadline(duel):
    battle = run_out(duel)
    assert (battle.result["reason"], battle.result["absent"]) == ("called_off", ["Froodal", "Bung"])
    assert all(mage.is_alive for mage in duel.mages.values())
    assert MissedTurn.objects.filter(never_moved=True).count() == 2


def begin_again(fight):
    mages = [make_mage(f"{name}x", user=fight.user(name)) for name in fight.names]
    again = start_fight(*mages)
    again.order(again.names[0], "W/S")
    return again


def test_the_second_time_in_a_year_the_mage_forfeits(duel):
    duel.order("Froodal", "W/S")
    run_out(duel)
    again = begin_again(duel)
    battle = run_out(again)
    assert (battle.result["reason"], battle.result["dead"]) == ("forfeit", ["Bungx"])
    assert ScoreEntry.objects.get(mage=again.mages["Froodalx"]).change == 1


@pytest.mark.parametrize("how", ["a year ago", "excused", "in practice"])
def test_the_first_time_does_not_count_for_ever(duel, how):
    duel.order("Froodal", "W/S")
    run_out(duel)
    missed = MissedTurn.objects.get()
    if how == "a year ago":
        MissedTurn.objects.update(missed_at=NOW - timedelta(days=366))
    elif how == "excused":
        excuse_missed_turn(missed=missed, reason="ill", now=NOW)
    else:
        Battle.objects.update(practice=True)
    assert run_out(begin_again(duel)).result["reason"] == "called_off"


def test_an_opponent_who_forfeits_for_the_second_time_does_not_die_if_the_other_never_moved_either(duel):
    duel.order("Froodal", "W/S")
    run_out(duel)
    again = start_fight(make_mage("Frox", user=duel.user("Froodal")), make_mage("Box", user=duel.user("Bung")))
    battle = run_out(again)
    assert (battle.result["reason"], battle.result["dead"]) == ("called_off", [])


def test_in_a_melee_the_mage_leaves_alive_and_the_rest_play_on(melee, client):
    melee.order("Ayla", "W/S")
    extend_deadline(combatant=melee.combatant("Borin"), length=5 * DAY, now=NOW)
    run_out(melee)
    assert melee.battle.status == "running"
    with pytest.raises(TimeIsOver, match="never moved"):
        melee.order("Cormac", "P/P", now=NOW + 22 * DAY)
    melee.order("Borin", "F/S", now=NOW + 22 * DAY)
    assert melee.battle.seq == 2
    assert melee.combatant("Cormac").standing == "absent"
    assert "never moved" in client.get(f"/battles/{melee.number}/").content.decode()
    for name, orders in (("Ayla", "F/F"), ("Borin", "P/P")):
        melee.order(name, orders, now=NOW + 23 * DAY)
    melee.battle.refresh_from_db()
    result = melee.battle.result
    assert (result["winners"], result["surrendered"], result["absent"]) == (["Ayla"], ["Borin"], ["Cormac"])
    assert dict(ScoreEntry.objects.filter(reason="won").values_list("mage__name", "change")) == {"Ayla": 1}
    assert set(Placing.objects.values_list("mage__name", flat=True)) == {"Ayla", "Borin"}
    for mage in melee.mages.values():
        mage.refresh_from_db()
        assert mage.is_alive and mage.busy_with is None
    rate_battles(kind="melee")
    assert not RatingEntry.objects.filter(user=melee.user("Cormac")).exists()
    assert {side.mage_id for side in read_battle_facts(melee.battle).sides} == {
        melee.mages["Ayla"].pk,
        melee.mages["Borin"].pk,
    }


def test_a_melee_in_which_only_one_mage_ever_moved_is_called_off(melee):
    melee.order("Ayla", "W/S")
    battle = run_out(melee)
    assert (battle.result["reason"], battle.result["absent"]) == ("called_off", ["Borin", "Cormac"])
    assert not ScoreEntry.objects.exists() and all(mage.is_alive for mage in melee.mages.values())


@pytest.mark.parametrize("times", [1, 2])
def test_such_a_battle_is_no_opening_and_no_trophy(duel, times):
    fight = duel
    duel.order("Froodal", "W/S")
    run_out(duel)
    if times == 2:
        fight = begin_again(duel)
        run_out(fight)
    count_finished_battles()
    assert set(BattleSide.objects.values_list("opening", flat=True)) == {""}
    assert not Opening.objects.exists() and not Feat.objects.exists()
    assert BattleSide.objects.filter(number=fight.number).count() == 2


def test_the_late_player_reads_what_happens_and_the_opponent_learns_nothing_of_their_orders(duel):
    duel.order("Froodal", "W/S")

    def look(name):
        view = get_battle_for_viewer(number=duel.number, user=duel.user(name), mage_name=name)
        return find_fate(view, "Bung")

    assert (look("Bung"), look("Froodal")) == ("lives", "unknown")
    duel.order("Bung", "LH F", ready=False)
    assert (look("Bung"), look("Froodal")) == ("dies", "unknown")
    duel.order("Bung", "RH F")
    duel.order("Froodal", "W/S")
    assert (look("Bung"), look("Froodal")) == ("dies", "dies")


def test_everyone_is_notified_that_the_mage_lives(duel):
    duel.order("Froodal", "W/S")
    run_out(duel)
    assert Notice.objects.filter(kind="mage_forfeited", facts__lives="yes").count() == 2


def test_home_tells_both_players_why_the_duel_was_called_off(duel):
    duel.order("Froodal", "W/S")
    run_out(duel)
    late, other = (flat(open_pages(duel, name).get("/")) for name in ("Bung", "Froodal"))
    assert "Bung never moved, which counts as a missed deadline." in late
    assert "Bung lives, and no score or rating changes." in late
    assert "It was called off because Bung never moved." in other


def test_home_tells_the_player_at_once_that_their_mage_left_a_melee(melee):
    melee.order("Ayla", "W/S")
    melee.order("Borin", "W/S")
    run_out(melee)
    page = flat(open_pages(melee, "Cormac").get("/"))
    assert f"Cormac left Melee {melee.number} without moving" in page
    assert "The battle continues." in page


def test_the_page_says_in_the_grace_period_what_will_happen(duel):
    duel.order("Froodal", "W/S")
    process_deadlines(battle_id=duel.battle.pk, now=NOW + 19 * DAY)
    late, other = (flat(open_pages(duel, name).get(f"/battles/{duel.number}/")) for name in ("Bung", "Froodal"))
    assert "This is your last chance: without orders, the duel is called off." in late
    assert "out of time. Bung is out in" in late and "out of time. Bung is out in" in other
    assert "A mage whose player never sends any orders lives" in other
