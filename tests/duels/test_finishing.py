"""The end of a battle: scores count once, mages are free, users are notified."""

from dataclasses import asdict

import pytest

from accounts.models import Engagement, Mage
from duels.board.call import outcome_words
from duels.models import Battle, Combatant
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.finish import finish_battle
from ladder.models import Placing, ScoredBattle, ScoreEntry
from ladder.selectors.ratings import list_remembered
from notifications.models import Notice
from operations.models import SitePolicy
from operations.policy import PRESETS
from rules_engine import Outcome
from tests.duels.fights import changed_state, start_fight
from tests.ladder.scores import score_of
from tests.scenes import NOW, make_mage

FINGER_OF_DEATH = "PWPFSSSD"


def kill_the_second(fight):
    """The first mage points a Finger of Death at the other one, who lets it happen."""
    for gesture in FINGER_OF_DEATH:
        fight.turn(f"{gesture}/-", "-/-")
    fight.order(fight.names[0], "CHOOSE LH Finger of Death")


def standing_of(fight, name):
    return Combatant.objects.get(battle=fight.battle, mage__name=name).standing


def test_a_surrender_ends_a_duel(duel):
    duel.turn("F/F", "P/P")
    battle = duel.battle
    assert (battle.status, battle.finished_at) == ("finished", NOW)
    assert battle.result["winners"] == ["Froodal"]
    assert battle.result["surrendered"] == ["Bung"]
    assert (standing_of(duel, "Froodal"), standing_of(duel, "Bung")) == ("victorious", "surrendered")


def test_the_winner_gets_a_point_and_the_loser_has_none_to_lose(duel):
    duel.turn("F/F", "P/P")
    assert score_of(duel.mages["Froodal"], "duel") == 1
    assert score_of(duel.mages["Bung"], "duel") == 0


def test_mages_are_free_after_the_end(duel):
    duel.turn("F/F", "P/P")
    assert not Engagement.objects.exists()
    assert Mage.objects.filter(died_at=None).count() == 2


def test_a_killed_mage_is_dead_for_good(duel):
    kill_the_second(duel)
    assert duel.battle.result["dead"] == ["Bung"]
    assert duel.battle.result["winners"] == ["Froodal"]
    assert Mage.objects.get(name="Bung").died_at == NOW
    assert standing_of(duel, "Bung") == "dead"


def test_deaths_in_practice_are_not_real_and_cost_nothing(practice):
    kill_the_second(practice)
    assert practice.battle.result["dead"] == ["Righty"]
    assert Mage.objects.get(name="Righty").died_at is None
    assert not ScoreEntry.objects.exclude(change=0).exists()


def test_with_the_classic_servers_numbers_a_death_in_practice_is_real(practice):
    janitor = Mage.objects.get(name="Righty").user
    numbers = asdict(PRESETS["server"])
    SitePolicy.objects.create(**numbers, set_by=janitor, set_at=NOW, why="as it was")
    kill_the_second(practice)
    righty = Mage.objects.get(name="Righty")
    assert righty.died_at == NOW and not ScoreEntry.objects.exists()
    assert [(dead.mage, dead.kind, dead.score) for dead in list_remembered("duel")] == [(righty, "duel", 0)]


@pytest.mark.parametrize("stakes", ["friendly", "very-friendly"])
def test_in_a_friendly_battle_a_surrender_costs_nothing_and_a_death_is_not_real(db, stakes):
    fight = start_fight(make_mage("Ayla"), make_mage("Bung"), stakes=stakes)
    fight.turn("F/F", "P/P")
    deadly = start_fight(make_mage("Wart"), make_mage("Zeke"), stakes=stakes)
    kill_the_second(deadly)
    assert not ScoreEntry.objects.exists() and Mage.objects.get(name="Zeke").is_alive
    assert {battle.stakes for battle in ScoredBattle.objects.all()} == {stakes}
    assert list(Placing.objects.filter(died=True).values_list("mage__name", "is_real_death")) == [("Zeke", False)]


def test_users_are_notified_of_the_end_and_not_also_of_the_last_turn(duel):
    duel.turn("F/F", "P/P")
    assert Notice.objects.filter(kind="battle_finished").count() == 2
    assert not Notice.objects.filter(kind="turn_resolved").exists()


def test_finishing_twice_counts_once(duel):
    duel.turn("F/F", "P/P")
    outcome = Outcome("duel", winners=("Bung",), reason="kill", dead=(), surrendered=())
    finish_battle(duel.battle, outcome, duel.key(), "1", now=NOW)
    duel.battle.refresh_from_db()
    assert duel.battle.result["winners"] == ["Froodal"]
    assert score_of(duel.mages["Bung"], "duel") == 0


class TestInAMelee:
    def test_a_mage_who_surrenders_pays_at_once_and_stays_engaged_to_the_end(self, melee):
        earlier = start_fight(make_mage("Dorn"), make_mage("Eel"), make_mage("Fay"))
        earlier.turn("F/F", "P/P", "P/P")
        fallen = earlier.mages["Dorn"]
        assert score_of(fallen, "melee") == 2
        fight = start_fight(fallen, make_mage("Gil"), make_mage("Hob"))
        fight.turn("P/P", "F/F", "W/W")
        assert score_of(fallen, "melee") == 1
        assert not fight.battle.is_over
        assert Engagement.objects.get(mage=fallen).number == fight.number
        fight.order("Gil", "P/P")
        fight.order("Hob", "D/D")
        assert fight.battle.is_over
        assert not Engagement.objects.filter(mage=fallen).exists()
        assert score_of(fallen, "melee") == 1
        assert score_of(fight.mages["Hob"], "melee") == 2

    def test_the_last_who_surrender_together_draw_and_share_the_points(self, db):
        """FM-SURR-7: one fell out before, so two points are divided by two."""
        fight = start_fight(*(make_mage(name) for name in ("Mea", "Meb", "Mec", "Med")))
        fight.turn("P/P", "P/P", "W/W", "F/F")
        fight.order("Mec", "P/P")
        fight.order("Med", "P/P")
        fight.battle.refresh_from_db()
        result = fight.battle.result
        assert (result["winners"], result["reason"], result["sharing"]) == ([], "all_surrendered", ["Mec", "Med"])
        assert [score_of(fight.mages[name], "melee") for name in ("Mea", "Meb", "Mec", "Med")] == [0, 0, 1, 1]
        assert not Placing.objects.filter(won=True).exists()
        assert outcome_words(result) == "A draw between Mec and Med"

    def test_the_last_who_surrender_together_as_another_dies_draw_and_the_dead_gets_nothing(self, db, client):
        """FM-SURR-7, FM-WIN-9: on the page, in the record and on the ladder."""
        fight = start_fight(*(make_mage(name) for name in ("Mea", "Meb", "Mec", "Med")))
        fight.turn("P/P", "F/F", "W/W", "F/F")
        with changed_state(fight.battle) as state:
            state.wizards["Meb"].hp = 1
        fight.order("Meb", ">/-\nTARGET LH Meb")
        fight.order("Mec", "P/P")
        fight.order("Med", "P/P")
        result = fight.battle.result
        assert (result["reason"], result["sharing"], result["dead"]) == ("all_surrendered", ["Mec", "Med"], ["Meb"])
        page = client.get(f"/battles/{fight.number}/").content.decode()
        assert "A draw between Mec and Med" in page and "Meb is dead. Mea, Mec and Med surrendered." in page
        record = client.get(f"/battles/{fight.number}/record.txt").content.decode()
        assert "\nsharing Mec\nsharing Med\n" in record and "\nwinner " not in record
        assert [score_of(fight.mages[name], "melee") for name in ("Mea", "Mec", "Med")] == [0, 1, 1]
        assert [placing.mage.name for placing in Placing.objects.filter(died=True)] == ["Meb"]
        assert not Placing.objects.filter(won=True).exists()

    def test_surrendering_as_the_last_other_dies_neither_wins_nor_costs(self, db, client):
        """FM-SURR-6, FM-SURR-8: two of the last three die, one of them surrendering."""
        fight = start_fight(*(make_mage(name) for name in ("Mea", "Meb", "Mec")))
        with changed_state(fight.battle) as state:
            state.wizards["Mea"].hp = state.wizards["Meb"].hp = 1
            state.wizards["Mea"].marks["sick"] = 1
        fight.order("Mea", "P/P")
        fight.order("Meb", ">/-\nTARGET LH Meb")
        fight.order("Mec", "P/P")
        result = fight.battle.result
        assert (result["winners"], result["sharing"], result["dead"]) == ([], [], ["Mea", "Meb"])
        assert result["reason"] == "surrendered_as_last_enemy_died"
        page = client.get(f"/battles/{fight.number}/").content.decode()
        assert "Nobody wins" in page and "Mea and Meb are dead. Mec surrendered." in page
        assert not ScoreEntry.objects.exclude(change=0).exists() and not Placing.objects.filter(won=True).exists()
        assert set(Placing.objects.filter(died=True).values_list("mage__name", flat=True)) == {"Mea", "Meb"}

    def test_the_others_continue_without_the_fallen(self, melee):
        melee.turn("P/P", "F/F", "W/W")
        melee.order("Borin", "F/F")
        assert melee.order("Cormac", "W/W").outcome == "resolved"
        assert melee.battle.seq == 3


def test_after_the_end_everything_is_shown(duel):
    kill_the_second(duel)
    view = get_battle_for_viewer(number=duel.number, user=None)
    assert view.over
    assert view.viewer.sees_all
    assert all(mage.hp is not None for mage in view.view.mages)
    assert view.questions == ()


@pytest.mark.parametrize("status", ["finished", "annulled"])
def test_an_ended_battle_must_have_its_time(duel, status):
    from django.db import IntegrityError, transaction

    with pytest.raises(IntegrityError), transaction.atomic():
        Battle.objects.update(status=status)
