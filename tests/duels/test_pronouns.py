"""Sentences refer to a mage as its player chose (SC-START-7), from the next battle on."""

import pytest
from django.test import Client

from accounts.models import Mage
from accounts.names import split_pronoun
from accounts.services.mages import register_mage, set_pronoun
from duels.models import Combatant
from duels.selectors.events import events_after
from rules_engine.glossary import PRONOUNS
from studies.selectors.explanations import explain_turn_to_owner
from studies.selectors.records import get_transcript_for_anyone
from tests.duels.fights import charm_for_good, start_fight
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


def texts(fight, user=None):
    return " ".join(event.text for event in events_after(battle=fight.battle, user=user))


def fight_as(pronoun, name):
    mage = make_mage(name)
    set_pronoun(user=mage.user, mage_id=mage.pk, pronoun=Mage.Pronoun(pronoun))
    mage.refresh_from_db()
    return start_fight(mage, make_mage(f"{name}_foe"))


def test_every_pronoun_of_a_mage_has_its_words():
    assert set(Mage.Pronoun.values) == set(PRONOUNS)


@pytest.mark.parametrize(("pronoun", "word"), [(each, words.self) for each, words in PRONOUNS.items()])
def test_a_mage_who_shields_themself_is_spoken_of_as_chosen(pronoun, word):
    fight = fight_as(pronoun, "Circe")
    fight.turns([("D/-", "-/-"), ("F/-", "-/-"), ("W/-\nTARGET LH Circe", "-/-")])
    assert f"on {word}" in texts(fight), texts(fight)
    assert "on yourself" in texts(fight, fight.user("Circe"))
    page = Client().get(f"/battles/{fight.number}/").content.decode()
    assert f"on {word}" in page
    transcript = get_transcript_for_anyone(number=fight.number)
    assert f"on {word}" in " ".join(transcript.split()), transcript
    foe = Combatant.objects.get(battle=fight.battle, mage__name="Circe_foe")
    answers = explain_turn_to_owner(combatant=foe, about="Circe").answers
    told = " ".join(str(reason) for answer in answers for reason in answer)
    assert word in told, told


def test_her_own_heart():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), ruleset="warlocks")
    fight.battle.pronouns = {"Froodal": "she"}
    fight.battle.save(update_fields=["pronouns"])
    charm_for_good(fight.battle, "Froodal", by="Bung")
    fight.order("Froodal", "LH W\nRH -\nSUICIDE")
    fight.order("Bung", "LH -\nRH -")
    assert "Froodal stops her own heart." in texts(fight)


def test_a_later_choice_changes_no_battle_that_has_begun():
    fight = fight_as("she", "Circe")
    set_pronoun(user=fight.user("Circe"), mage_id=Mage.objects.get(name="Circe").pk, pronoun=Mage.Pronoun.HE)
    fight.turns([("D/-", "-/-"), ("F/-", "-/-"), ("W/-\nTARGET LH Circe", "-/-")])
    assert "on herself" in texts(fight) and "himself" not in texts(fight)


@pytest.mark.parametrize(
    ("written", "name", "pronoun"),
    [("Circe:f", "Circe", "she"), ("Osse:M", "Osse", "he"), ("Puck :n", "Puck", "they"), ("Golem:x", "Golem", "it")],
)
def test_a_name_may_end_with_a_pronoun_suffix(written, name, pronoun):
    assert split_pronoun(written) == (name, pronoun)
    assert split_pronoun(name) == (name, "they")


def test_the_form_registers_with_a_pronoun_or_a_suffix():
    user = make_user("Anna")
    client = log_in(user)
    client.post("/accounts/mages/new/", {"name": "Circe:f"})
    client.post("/accounts/mages/new/", {"name": "Oberon", "pronoun": "he"})
    client.post("/accounts/mages/new/", {"name": "Puck"})
    assert dict(user.mages.values_list("name", "pronoun")) == {"Circe": "she", "Oberon": "he", "Puck": "they"}
    assert client.get("/api/v1/me/").json()["mages"][0]["pronoun"] == "she"
    assert "Pronoun: she." in Client().get("/mages/Circe/").content.decode()
    assert "Pronoun" not in Client().get("/mages/Puck/").content.decode()


def test_only_the_player_of_a_living_mage_chooses():
    mage = register_mage(user=make_user("Anna"), name="Circe", now=NOW)
    address = f"/accounts/mages/{mage.pk}/pronoun/"
    assert Client().post(address, {"pronoun": "she"}).status_code == 302
    other, owner = Client(), Client()
    other.force_login(make_user("Boris"))
    owner.force_login(mage.user)
    assert other.post(address, {"pronoun": "she"}).status_code == 404
    assert owner.post(address, {"pronoun": "xe"}).status_code == 400
    mage.refresh_from_db()
    assert mage.pronoun == "they"
    assert owner.get(address).status_code == 405
    assert owner.post(address, {"pronoun": "she"}).status_code == 302
    mage.refresh_from_db()
    assert mage.pronoun == "she"
    Mage.objects.filter(pk=mage.pk).update(died_at=NOW)
    assert owner.post(address, {"pronoun": "it"}).status_code == 404
