"""The annotated battles: the rules still lead to them, and everyone can read them and guess."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from rules_engine.records import write_record
from studies.classic_words import REMARKS, THEMES
from studies.management.commands.make_classics import SCORES
from studies.models import Study
from studies.selectors.classics import FOLDER, list_classics, read_classic, read_turns
from studies.services.analyses import analyse_next_turn
from tests.scenes import NOW, log_in, make_user
from tests.studies.fights import fields

DOCUMENTS = {
    # Hit points at the end of each turn, as the documents print them.
    "black-vs-white": ("White", 22, "surrender"),
    "froodal-vs-bung": ("Froodal", 11, "kill"),
}


def test_every_theme_has_its_battle_and_nothing_else_is_there():
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(THEMES)
    assert set(THEMES) == {*SCORES, *DOCUMENTS} and len(SCORES) == 10
    assert max(path.stat().st_size for path in FOLDER.glob("*.json")) < 60_000
    seen = {
        tuple(stage["Ayla"] for stage in turn.stages if "Ayla" in stage)
        for slug in SCORES
        for turn in read_classic(slug).record.turns[:1]
    }
    assert len(seen) > 1


@pytest.mark.parametrize("slug", THEMES)
def test_the_rules_still_lead_to_the_end_of_each_battle(slug):
    played = read_classic(slug)
    end = played.chronicle.outcome
    assert end is not None and len(end.winners) == 1
    assert played.chronicle.turns[-1].after.outcome == end
    assert write_record(played.record) == json.loads((FOLDER / f"{slug}.json").read_text())["record"]
    assert played.decided in {turn.seq for turn in played.chronicle.turns}
    turns = read_turns(slug)
    assert all(turn.story and turn.chances for turn in turns)
    # There is something to say about most battles in at least three turns.
    assert sum(bool(turn.comments) for turn in turns) >= 3
    assert set(REMARKS.get(slug, {})) <= {turn.seq for turn in turns}


@pytest.mark.parametrize(("slug", "winner", "turns", "reason"), [(slug, *each) for slug, each in DOCUMENTS.items()])
def test_the_documents_examples_end_as_printed(slug, winner, turns, reason):
    played = read_classic(slug)
    assert (played.chronicle.outcome.winners, played.chronicle.outcome.reason) == ((winner,), reason)
    assert len(played.chronicle.turns) == turns


def test_the_remarks_match_the_battle():
    black = {turn.seq: " ".join(line.text for line in turn.story.lines) for turn in read_turns("black-vs-white")}
    assert "Resist Heat" in black[4] and "repeats" in black[7] and "Confusion" in black[9]
    assert "Black stabs RedGoblin" in black[11] and "Anti Spell on Black" in black[16] and "Fire Storm" in black[17]
    froodal = {turn.seq: " ".join(line.text for line in turn.story.lines) for turn in read_turns("froodal-vs-bung")}
    assert "stops Bung's dagger" in froodal[4] and "Ice Storm" in froodal[5] and "Bung's right hand" in froodal[6]
    assert "Dispel Magic" in froodal[8] and "mirror reflects Lightning Bolt" in froodal[11]


@pytest.mark.django_db
def test_anyone_reads_and_guesses():
    client = Client()
    learn = client.get(reverse("studies:lessons")).content.decode()
    assert 'href="/classics/"' in learn
    listed = client.get("/classics/").content.decode()
    assert all(f'href="/classics/{row.slug}/"' in listed for row in list_classics())
    shown = client.get("/classics/froodal-vs-bung/").content.decode()
    assert "it kills its caster" in shown and 'id="turn-11"' in shown and "Chances before" in shown
    board = client.get("/classics/froodal-vs-bung/11/").content.decode()
    assert "See what was played" in board and 'href="/classics/froodal-vs-bung/10/"' in board
    assert 'rel="next"' not in board and 'id="pad-LH"' not in board
    german = Client(headers={"accept-language": "de"}).get("/classics/froodal-vs-bung/").content.decode()
    assert "it kills its caster" not in german
    for path in (
        "/classics/none/",
        "/classics/none/1/",
        "/classics/froodal-vs-bung/99/",
        "/classics/froodal-vs-bung/0/",
    ):
        assert client.get(path).status_code == 404


@pytest.mark.django_db
def test_a_lost_battle_is_played_another_way_from_the_turn_that_was_open():
    assert Client().post("/classics/froodal-vs-bung/study/", {"seq": "11"}).status_code == 302
    assert not Study.objects.exists()
    client = log_in(make_user("Pat"))
    assert client.get("/classics/froodal-vs-bung/study/").status_code == 405
    assert client.post("/classics/none/study/").status_code == 404
    answer = client.post("/classics/froodal-vs-bung/study/", {"seq": "11"})
    study = Study.objects.get()
    assert answer["Location"] == f"/studies/{study.slug}/10/" and study.title == "Froodal against Bung"
    # Bung does not throw the bolt into the mirror.
    page = f"/studies/{study.slug}/10/?mage=Bung"
    assert 'id="pad-LH"' in client.get(page).content.decode()
    client.post(f"/studies/{study.slug}/10/change/", {"act": "answers", "for:Bung": "hand", "for:Froodal": "record"})
    answer = client.post(f"/studies/{study.slug}/10/", fields("W/P", "Bung"))
    after = client.get(answer["Location"]).content.decode()
    assert "In the imported battle" in after and "Bung is dead" in after and "The battle is over" not in after
    assert not analyse_next_turn(now=NOW)
    for seq in ("", "x", "0", "999999999", "-1"):
        assert client.post("/classics/froodal-vs-bung/study/", {"seq": seq}).status_code == 302
