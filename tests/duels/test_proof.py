"""Commitments: published while a battle runs, opened when it ends, and never before."""

import json
import re

import pytest
from django.test import Client

from duels.models import Battle, Combatant, OrderSheet
from duels.selectors.proof import get_proof_for_anyone
from duels.services.orders import submit_orders
from duels.services.rename_mage import rename_in_battles
from fm_site.pages.export import export_user
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.undo import undo_battle_entry
from rules_engine.records import list_commitments, parse_record, verify_record
from studies.selectors.records import get_record_after_end
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db
END = [("P/-", "P/P")]


def open_salts():
    """Every salt and seed in the rows."""
    salts = [battle.seed for battle in Battle.objects.all()]
    for sealed in OrderSheet.objects.exclude(commitments=None).values_list("commitments", flat=True):
        salts += [sealed["closing"], sealed["salt"]]
    return [salt for salt in salts if salt]


def finish(fight):
    fight.turns([("S/D", "W/F"), *END])
    assert fight.battle.status == "finished"
    return parse_record(get_record_after_end(number=fight.number))


def shown(fight):
    return [each for each in get_proof_for_anyone(number=fight.number).orders if not each.closed]


def test_the_record_of_a_finished_battle_opens_every_commitment(duel):
    started = get_proof_for_anyone(number=duel.number)
    assert re.fullmatch("[0-9a-f]{64}", started.commitment) and started.seed == ""
    record = finish(duel)
    assert verify_record(record) == ()
    published = {each.value for each in get_proof_for_anyone(number=duel.number).orders}
    assert len(published) == 4
    assert {started.commitment} | published <= set(list_commitments(record))
    assert get_proof_for_anyone(number=duel.number).seed == record.seed == duel.battle.seed


def test_replaced_orders_leave_no_trace_until_the_end(duel):
    receipt = duel.order("Froodal", "S/D")
    before = get_proof_for_anyone(number=duel.number)
    assert [each.value for each in before.orders] == [receipt.commitment]
    second = duel.order("Froodal", "S/W")
    assert second.commitment != receipt.commitment
    assert get_proof_for_anyone(number=duel.number) == before
    duel.order("Bung", "W/F")
    duel.turns(END)
    record = parse_record(get_record_after_end(number=duel.number))
    assert record.turns[0].seals[0]["Froodal"].sets == (receipt.commitment, second.commitment)
    assert verify_record(record) == ()


def test_orders_that_are_not_ready_have_no_public_commitment(duel):
    kept = duel.order("Froodal", "S/D", ready=None)
    assert kept.commitment and shown(duel) == []
    sealed = duel.order("Froodal", "", ready=True)
    assert [each.value for each in shown(duel)] == [sealed.commitment] != [kept.commitment]
    duel.order("Froodal", "", ready=False)
    assert shown(duel) == []


def test_the_same_orders_again_get_no_new_commitment(duel):
    assert duel.order("Froodal", "S/D").commitment == duel.order("Froodal", "S/D").commitment


@pytest.mark.parametrize("meanwhile", [(), ("S/W",)], ids=["withdrawn", "changed and changed back"])
def test_orders_sealed_again_do_not_show_that_they_are_the_same_as_before(duel, meanwhile):
    published = []
    for _ in range(3):
        receipt = duel.order("Froodal", "S/D")
        (each,) = shown(duel)
        assert each.value == receipt.commitment
        published.append(each.value)
        duel.order("Froodal", "", ready=False)
        for text in meanwhile:
            duel.order("Froodal", text, ready=False)
    assert len(set(published)) == 3
    record = finish(duel)
    assert record.turns[0].seals[0]["Froodal"].sets[:1] == (published[0],) and verify_record(record) == ()


def test_the_same_orders_of_two_mages_have_different_hashes(duel):
    assert duel.order("Froodal", "S/D").commitment != duel.order("Bung", "S/D").commitment


def test_no_seed_and_no_salt_leaves_before_the_end(duel):
    duel.turn("S/D", "W/F")
    duel.order("Froodal", "S/W")
    salts = open_salts()
    assert len(salts) >= 8 and all(len(salt) >= 32 for salt in salts)
    readers = [Client(), Client(), Client()]
    readers[1].force_login(duel.user("Froodal"))
    readers[2].force_login(make_user("Stranger"))
    n = duel.number
    paths = [f"/battles/{n}/{page}" for page in ("", "proof/", "replay/1/", "table/", "story/", "record.txt", "chat/")]
    paths += [f"/api/v1/battles/{n}/{call}" for call in ("", "proof/", "events/", "record/", "table/")]
    bodies = [reader.get(path).content.decode() for reader in readers for path in paths]
    bodies.append(json.dumps(export_user(duel.user("Froodal"), now=NOW), default=str))
    assert [salt for salt in salts for body in bodies if salt in body] == []


@pytest.mark.parametrize("path", ["/battles/{}/proof/", "/api/v1/battles/{}/proof/"])
def test_everyone_reads_the_same_commitments(duel, path):
    duel.turn("S/D", "W/F")
    duel.order("Froodal", "S/W")
    expected = [each.value for each in get_proof_for_anyone(number=duel.number).orders]
    for user in (None, duel.user("Froodal"), duel.user("Bung"), make_user("Stranger")):
        client = Client()
        if user:
            client.force_login(user)
        body = client.get(path.format(duel.number)).content.decode()
        assert [value for value in re.findall("[0-9a-f]{64}", body) if value in expected] == expected
    assert Client().get(path.format(999999)).status_code == 404


def test_a_battle_without_commitments_is_still_recorded_and_says_so(duel):
    Battle.objects.update(commitment="")
    OrderSheet.objects.update(commitments=None)
    duel.battle.refresh_from_db()
    assert duel.order("Froodal", "S/D").commitment == ""
    duel.order("Bung", "W/F")
    duel.turns(END)
    record = parse_record(get_record_after_end(number=duel.number))
    assert record.proof is None and record.seed is None and verify_record(record) == ()
    assert "before the site published commitments" in Client().get(f"/battles/{duel.number}/proof/").content.decode()


def test_a_mage_who_ran_out_of_time_has_a_commitment_to_no_orders(duel):
    from datetime import timedelta

    from duels.services.clocks.deadlines import process_deadlines

    duel.order("Bung", "W/F")
    now = NOW
    while not duel.battle.is_over:
        now += timedelta(days=20)
        process_deadlines(battle_id=duel.battle.pk, now=now)
        duel.battle.refresh_from_db()
        assert now < NOW + timedelta(days=400)
    record = parse_record(get_record_after_end(number=duel.number))
    assert record.turns[0].seals[0]["Froodal"].sets == ()
    assert verify_record(record) == ()


def test_a_bot_or_janitor_commits_like_a_player(duel):
    for via in ("bot", "janitor"):
        name = "Froodal" if via == "bot" else "Bung"
        assert submit_orders(combatant=duel.combatant(name), text="S/D", via=via, now=NOW, ready=True).commitment
    duel.turns(END)
    assert verify_record(parse_record(get_record_after_end(number=duel.number))) == ()


class TestReopening:
    def test_a_rewound_turn_is_void_and_the_record_still_holds(self, duel):
        duel.turn("S/D", "W/F")
        void = {each.value for each in get_proof_for_anyone(number=duel.number).orders}
        rewind_battle(
            battle=duel.battle, seq=1, by=make_janitor(), reason="slip", now=NOW, without_consent="asked by email"
        )
        duel.battle.refresh_from_db()
        record = finish(duel)
        assert void and void <= set(list_commitments(record))
        assert record.turns[0].attempt == 1 and verify_record(record) == ()

    def test_a_battle_reopened_after_its_end_gets_a_new_seed(self, duel):
        first = finish(duel)
        rewind_battle(
            battle=duel.battle, seq=2, by=make_janitor(), reason="slip", now=NOW, without_consent="asked by email"
        )
        duel.battle.refresh_from_db()
        running = get_proof_for_anyone(number=duel.number)
        assert duel.battle.seed != first.seed and running.seed == ""
        assert running.commitment != first.proof.commitment
        duel.turns(END)
        record = parse_record(get_record_after_end(number=duel.number))
        assert record.proof.earlier == ((first.seed, first.proof.commitment),)
        assert verify_record(record) == ()

    def test_an_annulled_battle_stays_sealed_because_it_can_continue(self, duel):
        duel.turn("S/D", "W/F")
        entry = annul_battle(battle=duel.battle, by=make_janitor(), reason="slip", now=NOW)
        text = get_record_after_end(number=duel.number)
        assert [salt for salt in open_salts() if salt in text] == []
        assert get_proof_for_anyone(number=duel.number).seed == ""
        undo_battle_entry(entry=entry, by=entry.by, reason="wrong one", now=NOW)
        duel.battle.refresh_from_db()
        duel.turns(END)
        assert verify_record(parse_record(get_record_after_end(number=duel.number))) == ()


def test_a_mage_renamed_after_rolls_and_orders_is_proved_by_the_old_name(db):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/D", "W/F\nSAY Froodal, hello")
    mage = fight.mages["Froodal"]
    mage.name = "Newname"
    mage.save()
    rename_in_battles(mage, "Froodal")
    assert Combatant.objects.get(mage=mage).former_name == "Froodal"
    fight.mages = {"Newname": mage, "Bung": fight.mages["Bung"]}
    fight.battle.refresh_from_db()
    fight.turns(END)
    record = parse_record(get_record_after_end(number=fight.number))
    assert record.proof.former_names == {"Newname": "Froodal"} and verify_record(record) == ()
