"""A battle keeps the edition it began with: a change of the rules is a new edition, and never changes a battle."""

import json
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Engagement
from duels.errors import InvalidTerms, UnreadableBattle
from duels.models import Battle, OrderSheet
from duels.tasks import sweep_unresolved_battles
from duels.terms import Terms, list_rulesets
from rules_engine import Difference, get_ruleset
from rules_engine.rulesets import EDITIONS, RULESETS
from studies.selectors.records import get_story_for_anyone
from studies.services.replay_checks import replay_battle
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.django_db
NAME = "firetop-standard"
NOW_EDITION = RULESETS[NAME].edition
NEXT_EDITION = NOW_EDITION + 1
MISSILE = [("S/-", "-/-"), ("D/-", "-/-")]


def make_next_edition():
    """The standard rules with one difference: the missile is made otherwise."""
    latest = get_ruleset(NAME, NOW_EDITION)
    series = {text: spell for text, spell in latest.series.items() if spell != "Magic Missile"}
    return replace(
        latest,
        edition=NEXT_EDITION,
        series={**series, "SW": "Magic Missile"},
        differences=(*latest.differences, Difference("Magic Missile is S W.", "FM-MISSILE-1")),
    )


@pytest.fixture
def release(monkeypatch):
    """Bring a release with another edition."""

    def come():
        coming = make_next_edition()
        monkeypatch.setitem(EDITIONS, (NAME, NEXT_EDITION), coming)
        monkeypatch.setitem(RULESETS, NAME, coming)

    return come


def hit_points(fight):
    return fight.battle.state["wizards"][1]["hp"]


def test_a_battle_keeps_its_edition_and_a_new_one_gets_the_newest(duel, release):
    duel.turn(*MISSILE[0])
    release()
    duel.turn(*MISSILE[1])
    assert (duel.battle.edition, duel.battle.state["edition"], hit_points(duel)) == (NOW_EDITION, NOW_EDITION, 14)

    later = start_fight(make_mage("Ayla"), make_mage("Crom"))
    later.turns(MISSILE)
    assert (later.battle.edition, later.battle.state["edition"], hit_points(later)) == (NEXT_EDITION, NEXT_EDITION, 15)
    later.turns([("S/-", "-/-"), ("W/-", "-/-")])
    assert hit_points(later) == 14


def test_a_challenge_that_was_made_before_keeps_what_was_agreed(release):
    terms = Terms()
    release()
    assert Terms.from_json(terms.to_json()).edition == NOW_EDITION
    assert Terms().edition == NEXT_EDITION
    assert [name for name, _ in list_rulesets()].count(NAME) == 1


def test_hints_and_the_replay_are_of_the_battles_own_edition(duel, release, client):
    duel.turn(*MISSILE[0])
    release()
    client.force_login(duel.user("Froodal"))
    draft = {"stage": str(duel.key()), "mage": "Froodal", "act": "preview", "LH": "D", "RH": "-"}
    assert "Magic Missile" in client.post(f"/battles/{duel.number}/draft/", draft).content.decode()
    duel.turn(*MISSILE[1])
    assert replay_battle(battle=duel.battle, now=NOW) == ()


def test_an_unknown_edition_cannot_be_a_term_of_a_battle():
    with pytest.raises(InvalidTerms, match=rf"has no edition {NEXT_EDITION}\. The newest is {NOW_EDITION}\."):
        Terms(edition=NEXT_EDITION)


class TestAnEditionThatIsNotHere:
    """Say, a database that was restored beside an older release."""

    @pytest.fixture
    def lost(self, duel, release, monkeypatch):
        release()
        fight = start_fight(make_mage("Ayla"), make_mage("Crom"))
        fight.turn(*MISSILE[0])
        self.bring_back = lambda: monkeypatch.setitem(EDITIONS, (NAME, NEXT_EDITION), make_next_edition())
        monkeypatch.delitem(EDITIONS, (NAME, NEXT_EDITION))
        monkeypatch.setitem(RULESETS, NAME, EDITIONS[NAME, NOW_EDITION])
        return fight

    def test_every_entry_point_says_so_and_nothing_changes(self, lost):
        ayla = log_in(lost.user("Ayla"))
        page = ayla.get(f"/battles/{lost.number}/")
        assert page.status_code == 503
        assert f"Battle {lost.number} uses edition {NEXT_EDITION} of {NAME}" in page.content.decode()
        for address in ("", "table/", "story/"):
            assert ayla.get(f"/battles/{lost.number}/{address}").status_code == 503
            assert ayla.get(f"/api/battles/{lost.number}/{address}").json()["code"] == "unreadable"
        sent = ayla.post(
            f"/api/battles/{lost.number}/orders/", json.dumps({"orders": "W/-"}), content_type="application/json"
        )
        assert (sent.status_code, sent.json()["code"]) == (503, "unreadable")
        assert ayla.post(f"/battles/{lost.number}/", {"LH": "W", "RH": "-", "act": "ready"}).status_code == 503
        assert ayla.get("/").status_code == 200
        assert Client().get("/battles/").status_code == 200
        with pytest.raises(UnreadableBattle):
            get_story_for_anyone(number=lost.number)
        assert not OrderSheet.objects.filter(stage__battle=lost.battle, stage__number=0, ready=True, lines=["LH W"])
        assert Battle.objects.get(pk=lost.battle.pk).state == lost.battle.state

    def test_a_turn_that_is_complete_waits_as_stuck_and_is_played_once_the_edition_is_back(self, lost):
        OrderSheet.objects.filter(stage__battle=lost.battle, stage__closed_at=None).update(
            lines=["LH W", "RH -"], ready=True, submitted_at=NOW
        )
        assert sweep_unresolved_battles() == 0
        assert Battle.objects.get(pk=lost.battle.pk).status == "stuck"
        self.bring_back()
        lost.order("Ayla", "END")
        assert (lost.battle.status, lost.battle.seq) == ("running", 3)
        assert hit_points(lost) == 14

    def test_a_janitor_can_void_it_at_the_desk_if_the_edition_never_comes_back(self, lost):
        OrderSheet.objects.filter(stage__battle=lost.battle, stage__closed_at=None).update(ready=True, submitted_at=NOW)
        sweep_unresolved_battles()
        desk = log_in(make_janitor())
        page = reverse("admin:duels_battle_change", args=[lost.battle.pk])
        assert "Void the battle" in desk.get(page).content.decode()
        sent = desk.post(reverse("admin:duels_battle_act", args=[lost.battle.pk, "void"]), {"reason": WHY})
        assert sent.status_code == 302
        lost.battle.refresh_from_db()
        assert (lost.battle.status, lost.battle.result["reason"]) == ("finished", "called_off")
        assert not Engagement.objects.filter(mage__in=lost.mages.values()).exists()
        count_finished_battles()  # which counts no battle that it can't read, and is not stopped by one
