"""Players read the janitors' journal on the page of their battle, and answer questions there."""

import pytest
from django.test import Client

from moderation.models import Consent
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.ask_for_consent import ask_for_consent
from moderation.services.reports import suspend_user
from tests.duels.janitors import WHY, make_janitor
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(duel):
    duel.turn("S/W", "P/-")
    return ask_for_consent(battle=duel.battle, seq=1, by=make_janitor(), reason=WHY, now=NOW)


def answer(client, fight, entry, agrees):
    form = {"entry": entry, "agrees": agrees}
    return client.post(f"/battles/{fight.number}/consent/", form, follow=True).content.decode()


def test_a_player_is_asked_agrees_and_revokes_it(duel, asked):
    client = log_in(duel.user("Bung"))
    page = client.get(f"/battles/{duel.number}/").content.decode()
    assert "Replay turn 1?" in page and WHY in page
    assert "You agreed." in answer(client, duel, asked.number, "yes")
    assert "You refused." in answer(client, duel, asked.number, "no")
    assert Consent.objects.get(user=duel.user("Bung")).agrees is False
    assert Consent.objects.get(user=duel.user("Froodal")).agrees is None


def test_a_suspended_player_can_answer(duel, asked):
    suspend_user(user=duel.user("Bung"), by=make_janitor("Jack"), reason=WHY, ends_at=None, now=NOW)
    assert "You agreed." in answer(log_in(duel.user("Bung")), duel, asked.number, "yes")


@pytest.mark.parametrize(
    ("entry", "agrees"), [("99", "yes"), ("1", "perhaps"), ("one", "yes"), ("", "no"), ("٣", "no")]
)
def test_an_answer_without_a_question_is_rejected(duel, asked, entry, agrees):
    assert "No janitor is asking you about battle" in answer(log_in(duel.user("Bung")), duel, entry, agrees)
    assert not Consent.objects.exclude(agrees=None).exists()


def test_strangers_read_the_book_and_are_not_asked(duel, asked):
    page = log_in(make_mage("Cormac").user).get(f"/battles/{duel.number}/").content.decode()
    assert "Janitors' journal" in page and "Replay turn 1?" not in page
    told = Client().get(f"/api/battles/{duel.number}/").json()
    assert [(entry["kind"], entry["by"], entry["undone"]) for entry in told["book"]] == [("asked", "Jane", None)]
    assert told["question"] is None


def test_the_api_names_the_question_to_the_player_who_is_asked(duel, asked):
    told = log_in(duel.user("Bung")).get(f"/api/battles/{duel.number}/").json()
    assert told["question"] == asked.number


def test_an_annulled_battle_says_so_on_its_page(duel):
    annul_battle(battle=duel.battle, by=make_janitor(), reason=WHY, now=NOW)
    page = Client().get(f"/battles/{duel.number}/").content.decode()
    assert "The battle is annulled" in page and WHY in page
