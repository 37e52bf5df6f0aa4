"""What players choose together about one who is absent for too long: wait, let a bot play, call off, or claim."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.selectors.absence import find_vacation
from accounts.services.mages import touch_activity
from accounts.services.vacations import start_vacation
from duels.models import Battle, ClockStop, Combatant, Deadline, MissedTurn
from duels.selectors.result_news import list_unseen_results
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.pauses import ask_pause, pause_battle, resume_battle
from duels.services.clocks.seat_offers import offer_seat
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.finish import mark_results_seen
from ladder.models import ScoreEntry
from notifications.models import Notice
from tests.challenges.test_idle_mages import give_score
from tests.duels.fights import Fight, start_fight
from tests.refusals import refused
from tests.scenes import NOW, make_mage

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
pytestmark = pytest.mark.django_db


def begin(*names: str, absent: str, **terms: object) -> Fight:
    """Everyone has moved, and then this player goes away while the battle waits for them."""
    fight = start_fight(*map(make_mage, names), **terms)
    fight.turn(*["W/S"] * len(names))
    start_vacation(user=fight.user(absent), days=35, now=NOW)
    sweep_deadlines(now=NOW + HOUR)
    return fight


def claim(fight: Fight, name: str, *, day: int = 14, **more: bool):
    return claim_battle(combatant=fight.combatant(name), now=NOW + day * DAY, **more)


def status(fight: Fight) -> str:
    fight.battle.refresh_from_db()
    return fight.battle.status


def test_a_claimed_duel_is_won_and_the_absent_mage_loses_a_point_and_lives():
    duel = begin("Ayla", "Crom", absent="Crom")
    crom = duel.mages["Crom"]
    give_score(crom, 3)
    with refused("not_late_enough"):
        claim(duel, "Ayla", day=13)
    assert claim(duel, "Ayla").missing == ()
    assert status(duel) == Battle.Status.FINISHED
    assert (duel.battle.result["winners"], duel.battle.result["surrendered"]) == (["Ayla"], ["Crom"])
    crom.refresh_from_db()
    assert crom.died_at is None
    won = ScoreEntry.objects.get(mage=duel.mages["Ayla"])
    lost = ScoreEntry.objects.get(mage=crom, reason=ScoreEntry.Reason.SURRENDERED)
    assert won.change > 0 and lost.change == -1
    assert not ClockStop.objects.filter(ended_at=None).exists() and not MissedTurn.objects.exists()
    assert Notice.objects.filter(kind="mage_claimed").count() == 2
    with refused("not_late_enough"):
        claim(duel, "Ayla", day=15)


@pytest.mark.parametrize("is_by_janitor", [True, False])
def test_nobody_is_absent_from_a_battle_that_is_paused(is_by_janitor):
    duel = begin("Ayla", "Crom", absent="Crom")
    if is_by_janitor:
        pause_battle(battle=duel.battle, now=NOW + 4 * DAY)
    else:
        for name in ("Crom", "Ayla"):
            ask_pause(combatant=duel.combatant(name), days=20, now=NOW + 4 * DAY)
    sweep_deadlines(now=NOW + 15 * DAY)
    acts = {claim_battle: "not_late_enough", call_off_battle: "not_late_enough", offer_seat: "no_seat_to_offer"}
    for act, refusal in acts.items():
        with refused(refusal):
            act(combatant=duel.combatant("Ayla"), now=NOW + 15 * DAY)
    resume_battle(battle=duel.battle, now=NOW + 16 * DAY)
    sweep_deadlines(now=NOW + 25 * DAY)
    with refused("not_late_enough"):
        claim(duel, "Ayla", day=25)
    assert not Notice.objects.filter(kind="absence_long").exists()
    sweep_deadlines(now=NOW + 26 * DAY)
    assert Notice.objects.get(kind="absence_long").user == duel.user("Ayla")
    assert claim(duel, "Ayla", day=26).missing == ()


def test_a_melee_continues_without_the_claimed_mage_once_all_who_are_present_agree():
    melee = begin("Ayla", "Borin", "Cormac", absent="Borin")
    for _ in range(2):
        assert claim(melee, "Ayla").missing == ("Cormac",)
    assert Notice.objects.filter(kind="claim_wanted").count() == 2
    assert claim(melee, "Cormac").agreed == ("Ayla",)
    assert status(melee) == Battle.Status.RUNNING
    with refused("claimed"):
        melee.order("Borin", "F/F", now=NOW + 15 * DAY)
    assert not Deadline.objects.filter(running_since=None).exists(), "the others' clocks run again"
    melee.order("Ayla", "W/S", now=NOW + 15 * DAY)
    melee.order("Cormac", "W/S", now=NOW + 15 * DAY)
    assert melee.battle.seq == 3
    assert Combatant.objects.get(mage=melee.mages["Borin"]).standing == "surrendered"
    [fall] = list_unseen_results(melee.user("Borin"))
    assert (fall.was_claimed, fall.ended_at) == (True, None)
    assert mark_results_seen(user=melee.user("Borin"), numbers=[melee.number]) == 1
    assert list_unseen_results(melee.user("Borin")) == []
    assert ScoreEntry.objects.get().mage == melee.mages["Borin"]


def test_a_player_has_one_wish_at_a_time_and_can_take_it_back():
    melee = begin("Ayla", "Borin", "Cormac", absent="Borin")
    claim(melee, "Ayla")
    call_off_battle(combatant=melee.combatant("Ayla"), now=NOW + 14 * DAY)
    assert claim(melee, "Cormac").missing == ("Ayla",)
    claim(melee, "Cormac", agrees=False)
    assert call_off_battle(combatant=melee.combatant("Cormac"), now=NOW + 14 * DAY).missing == ()
    assert status(melee) == Battle.Status.FINISHED
    assert not ScoreEntry.objects.exclude(change=0).exists()


def test_nobody_waits_for_a_player_who_cannot_agree():
    """One on a short vacation whose orders are in, or a suspended one, does not bind the others."""
    melee = begin("Ayla", "Borin", "Cormac", "Dara", absent="Borin")
    melee.order("Cormac", "W/S", now=NOW + 12 * DAY)
    start_vacation(user=melee.user("Cormac"), days=9, now=NOW + 12 * DAY)
    User.objects.filter(pk=melee.user("Dara").pk).update(is_held=True)
    assert claim(melee, "Ayla").missing == ()


def test_nobody_waits_longer_than_a_week_for_a_player_who_does_nothing():
    melee = begin("Ayla", "Borin", "Cormac", absent="Borin")
    assert claim(melee, "Ayla", day=20).missing == ("Cormac",)
    assert claim(melee, "Ayla", day=21).missing == ()
    assert Combatant.objects.get(mage=melee.mages["Borin"]).stand_in == ""


def test_a_player_who_is_here_and_would_rather_wait_decides_too():
    melee = begin("Ayla", "Borin", "Cormac", absent="Borin")
    touch_activity(user=melee.user("Cormac"), now=NOW + 15 * DAY)
    assert claim(melee, "Ayla", day=30).missing == ("Cormac",)


def test_choosing_ends_the_player_s_own_vacation():
    melee = begin("Ayla", "Borin", "Cormac", absent="Borin")
    start_vacation(user=melee.user("Ayla"), days=9, now=NOW + 13 * DAY)
    claim(melee, "Ayla")
    assert find_vacation(melee.user("Ayla"), now=NOW + 14 * DAY) is None


def test_where_scores_are_at_stake_a_bot_can_play_for_an_absent_player_too():
    duel = begin("Ayla", "Crom", absent="Crom")
    offer_seat(combatant=duel.combatant("Ayla"), now=NOW + 14 * DAY)
    duel.battle.refresh_from_db()
    assert duel.battle.practice
    assert not Deadline.objects.filter(running_since=None).exists()
    assert not ClockStop.objects.filter(ended_at=None).exists()
    duel.order("Ayla", "W/S", now=NOW + 15 * DAY)
    sweep_deadlines(now=NOW + 16 * DAY)
    assert not ClockStop.objects.filter(ended_at=None).exists(), "a bot plays, so nobody waits"


def test_a_claimed_mage_who_never_moved_loses_nothing_the_first_time():
    duel = start_fight(make_mage("Ayla"), make_mage("Crom"))
    duel.order("Ayla", "W/S")
    start_vacation(user=duel.user("Crom"), days=35, now=NOW)
    sweep_deadlines(now=NOW + HOUR)
    claim(duel, "Ayla")
    assert (status(duel), duel.battle.result["reason"]) == (Battle.Status.FINISHED, "called_off")
    assert MissedTurn.objects.get().never_moved
