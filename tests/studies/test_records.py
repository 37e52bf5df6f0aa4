"""A battle as text: SHOW and DESCRIBE for everyone, the record once the battle is over, and never a secret before."""

import json
import re

import pytest
from django.db import transaction
from django.test import Client
from django.utils.html import escape

from duels.errors import NothingRecorded, RecordSealed
from duels.models import Battle
from rules_engine.records import parse_record, verify_record
from studies.selectors.records import get_record_after_end, get_story_for_anyone, get_table_for_anyone
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
BLIND = [(f"{left}/{right}", "-/-") for left, right in ("D-", "W-", "F-", "F-", "DD")]
ADDRESSES = ("/battles/{}/table/?plain=1", "/battles/{}/story/?plain=1", "/battles/{}/record.txt")
API = ("/api/battles/{}/table/", "/api/battles/{}/story/", "/api/battles/{}/record/")


def readers(fight):
    """Everyone who may ask: both players, a user without a mage in it, and nobody known."""
    found = {"nobody": Client()}
    for name, user in (("stranger", make_user("Stranger")), *((name, fight.user(name)) for name in fight.names)):
        found[name] = Client()
        found[name].force_login(user)
    return found


def fetch(fight, addresses=ADDRESSES + API):
    return {
        (name, address): (answer.status_code, answer.content)
        for name, client in readers(fight).items()
        for address in addresses
        for answer in [client.get(address.format(fight.number))]
    }


class TestWhileItGoesOn:
    def test_the_table_and_the_story_are_the_same_for_every_reader(self, duel):
        duel.turns(BLIND)
        duel.turn("S/-", "F/P")
        told = fetch(duel)
        for address in (*ADDRESSES[:2], *API[:2]):
            answers = {told[name, address] for name in ("nobody", "stranger", "Froodal", "Bung")}
            assert len(answers) == 1, address
            assert answers.pop()[0] == 200

    def test_a_mages_actions_while_the_other_was_blind_are_in_neither(self, duel):
        duel.turns(BLIND)
        duel.turn("W/-\nSAY Here I am", "P/S")
        table, story = get_table_for_anyone(number=duel.number), get_story_for_anyone(number=duel.number)
        assert [row.startswith("  6 :") and "?? ??" in row for row in table.splitlines()[-2:]] == [False, True]
        assert "Bung" in story.split("In Round 6:")[1]
        assert "Froodal waves" not in story.split("In Round 6:")[1]

    def test_the_record_is_for_nobody_not_even_for_those_who_fight(self, duel):
        duel.turn("S/-", "P/-")
        told = fetch(duel)
        for name in ("nobody", "stranger", "Froodal", "Bung"):
            status, text = told[name, ADDRESSES[2]]
            assert status == 409 and b"opens after the end" in text
            status, text = told[name, API[2]]
            assert status == 409 and json.loads(text)["code"] == "not_over"
        with pytest.raises(RecordSealed):
            get_record_after_end(number=duel.number)

    def test_pending_orders_change_no_byte(self, duel):
        duel.turns([("S/-", "P/-"), ("D/W", "W/-")])
        before = fetch(duel)
        duel.order("Froodal", "LH F\nRH S\nSAY Soon")
        assert {key[1:]: value for key, value in before.items()} == {
            (address,): (answer.status_code, answer.content)
            for client in [Client()]
            for address in ADDRESSES + API
            for answer in [client.get(address.format(duel.number))]
        }

    def test_unseen_actions_change_no_byte_of_anything(self):
        told = []
        for unseen in ("F/S", "W/F"):
            with transaction.atomic():
                fight = start_fight(make_mage("Ayla"), make_mage("Crom"))
                fight.turns(BLIND)
                fight.turn(unseen, "D/-")
                texts = (get_table_for_anyone(number=fight.number), get_story_for_anyone(number=fight.number))
                told.append([text.replace(f"Battle {fight.number}", "Battle N") for text in texts])
                transaction.set_rollback(True)
        assert told[0] == told[1]
        assert "In Round 6:" in told[0][1]

    def test_before_the_first_turn_there_is_a_heading_and_no_row(self, duel):
        assert "In Round" not in get_story_for_anyone(number=duel.number)
        assert get_table_for_anyone(number=duel.number).startswith(f"Battle {duel.number} between Froodal(")

    def test_a_turn_that_waits_for_answers_is_not_shown_yet(self):
        fight = start_fight(make_mage("Ayla"), make_mage("Crom"), ruleset="warlocks")
        fight.turn("S/-", "P/-")
        Battle.objects.filter(pk=fight.battle.pk).update(stage=1)
        assert "In Round 2" not in get_story_for_anyone(number=fight.number)


class TestAfterTheEnd:
    def test_everyone_gets_everything(self, duel):
        duel.turns(BLIND)
        duel.turn("W/-", "P/S")
        duel.turn("P/P", "F/F")
        told = fetch(duel)
        for address in ADDRESSES:
            answers = {told[name, address] for name in ("nobody", "stranger", "Froodal", "Bung")}
            assert len(answers) == 1 and answers.pop()[0] == 200
        assert "?? ??" not in get_table_for_anyone(number=duel.number)
        assert "Winner: Bung" in get_story_for_anyone(number=duel.number)

    def test_the_record_plays_the_battle_again(self, duel, client):
        duel.turns([("S/W", "P/-"), ("D/-", "W/W"), ("P/P", "F/F")])
        answer = client.get(f"/battles/{duel.number}/record.txt")
        assert answer["Content-Disposition"] == f'attachment; filename="battle-{duel.number}.txt"'
        record = parse_record(answer.content.decode())
        assert verify_record(record) == ()
        assert (record.number, record.outcome.winners, len(record.turns)) == (duel.number, ("Bung",), 3)
        assert (
            json.loads(client.get(f"/api/battles/{duel.number}/record/").content)["record"] == answer.content.decode()
        )

    def test_a_battle_that_ended_before_its_first_turn_has_no_record(self, duel, client):
        Battle.objects.filter(pk=duel.battle.pk).update(status="annulled", finished_at=NOW)
        with pytest.raises(NothingRecorded):
            get_record_after_end(number=duel.number)
        assert client.get(f"/battles/{duel.number}/record.txt").status_code == 409
        assert client.get(f"/api/battles/{duel.number}/record/").json()["code"] == "not_played"

    def test_the_page_leads_to_the_texts_and_to_the_record_at_the_end_alone(self, duel, client):
        record = f'href="/battles/{duel.number}/record.txt"'
        duel.turn("S/-", "P/-")
        page = client.get(f"/battles/{duel.number}/").content.decode()
        for name in ("table", "story", "transcript"):
            assert f'href="/battles/{duel.number}/{name}/"' in page
            shown = client.get(f"/battles/{duel.number}/{name}/").content.decode()
            plain = client.get(f"/battles/{duel.number}/{name}/?plain=1").content.decode()
            assert f">{escape(plain)}</pre>" in re.sub(r"<span class=.dashes.>(-+)</span>", r"\1", shown)
            assert f'href="/battles/{duel.number}/"' in shown
        assert record not in page
        duel.turn("P/P", "F/F")
        assert record in client.get(f"/battles/{duel.number}/").content.decode()


@pytest.mark.parametrize("address", ADDRESSES + API)
def test_a_missing_battle_is_not_found(client, address):
    assert client.get(address.format(4711)).status_code == 404


@pytest.mark.parametrize("address", ADDRESSES)
def test_texts_are_never_stored_on_the_way_to_a_player(duel, client, address):
    client.force_login(duel.user("Froodal"))
    assert "no-store" in client.get(address.format(duel.number))["Cache-Control"]
