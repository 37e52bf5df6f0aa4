"""Imports: a battle from elsewhere becomes a study: replayed, analysed, played another way, shared and copied."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rules_engine import read_state
from rules_engine.records import import_battle, play_record, show_battle
from studies.models import AnalysedTurn, Analysis, Import, Study
from studies.services.analyses import analyse_next_turn
from studies.services.begin import MOST_STUDIES
from studies.services.edit_study import remove_branch
from tests.duels.fights import start_fight
from tests.rules_engine.warlocks_pages import play_bots, write_page
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.studies.fights import fields, fight_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def page():
    return write_page(play_bots("warlocks", "Ayla", "Crom", seed="w9"))


def send(user, text, **more):
    return log_in(user).post("/studies/import/", {"text": text, **more})


@pytest.mark.usefixtures("shallow")
def test_a_warlocks_page_is_pasted_replayed_and_analysed(page, pat):
    answer = send(pat, page, title="The long one")
    study = Study.objects.get()
    assert answer["Location"] == f"/studies/{study.slug}/"
    assert study.battle is None and study.recorded == study.last_branch == study.branches.count() - 1 >= 14
    client = log_in(pat)
    root = client.get(f"/studies/{study.slug}/").content.decode()
    assert "The long one" in root and "Imported by Pat. This battle was not played on this site." in root
    assert 'rel="next"' in root and 'id="pad-LH"' in root
    third = client.get(f"/studies/{study.slug}/3/").content.decode()
    assert "This battle was not played on this site" in third and "In the imported battle" not in third
    last = client.get(f"/studies/{study.slug}/{study.recorded}/").content.decode()
    assert "The battle is over" in last
    assert 'rel="next"' not in last
    assert client.post(f"/studies/{study.slug}/analysis/").status_code == 302
    for _turn in range(60):
        if not analyse_next_turn(now=NOW):
            break
    report = client.get(f"/studies/{study.slug}/analysis/").content.decode()
    assert "Accuracy" in report and "decides it." in report


def test_the_replay_of_an_import_is_that_of_a_battle(page, pat):
    send(pat, page, title="The long one", access="private")
    study, client = Study.objects.get(), log_in(pat)
    about = client.get(f"/studies/{study.slug}/").content.decode()
    replay = f"/studies/{study.slug}/replay/"
    assert f'href="{replay}"' in about
    first = client.get(replay).content.decode()
    assert client.get(f"{replay}?fragment=turn").content == client.get(f"{replay}1/?fragment=turn").content
    assert "The long one" in first and 'id="go-next"' in first and f'href="{replay}2/"' in first
    assert f'href="/studies/{study.slug}/0/"' in first and f"/studies/{study.slug}/analysis/?turn=1" in first
    third = client.get(f"{replay}3/").content.decode()
    orders = study.branches.get(number=3).orders
    for mage in ("Ayla", "Crom"):
        left, right = (line[3:] for line in orders[mage][:2])
        assert f"{left}/{right}" in third and f'href="{replay}3/?eyes={mage}"' in third
        eyes = client.get(f"{replay}3/?eyes={mage}").content.decode()
        assert eyes.count("<code>") == 1 and f'href="{replay}4/?eyes={mage}"' in eyes
    assert "You cannot see these orders." in client.get(f"{replay}3/?eyes=looking-on").content.decode()
    last = client.get(f"{replay}{study.branches.get(number=study.recorded).seq}/").content.decode()
    assert "Outright victory to " in last and 'id="go-next"' not in last
    assert client.get(f"{replay}99/").status_code == 404
    assert Client().get(replay).status_code == 404
    fragment = client.get(f"{replay}3/?fragment=turn").content.decode()
    assert "<html" not in fragment and 'data-url="' + replay + '3/"' in fragment


def test_an_import_is_played_another_way_beside_what_it_says(page, pat):
    send(pat, page)
    study = Study.objects.get()
    client = log_in(pat)
    answer = client.post(f"/studies/{study.slug}/2/", fields("W/S", "Ayla"))
    number = study.recorded + 1
    assert answer["Location"] == f"/studies/{study.slug}/{number}/"
    other = study.branches.get(number=number)
    # The other mage does as in the import.
    assert other.orders["Crom"] == study.branches.get(number=3).orders["Crom"]
    shown = client.get(answer["Location"]).content.decode()
    assert "In the imported battle" in shown
    # Imported turns stay; the branch is removed.
    for each in (2, number):
        remove_branch(study=study, user=pat, number=each)
    assert study.branches.count() == study.recorded + 1


def test_every_form_is_read_and_exported(pat):
    ended = fight_to_the_end()
    client = log_in(pat)
    text = client.get(f"/battles/{ended.number}/record.txt").content.decode()
    as_json = client.get(f"/battles/{ended.number}/record.json").content.decode()
    assert f"/battles/{ended.number}/record.json" in client.get(f"/battles/{ended.number}/").content.decode()
    table = show_battle(play_record(import_battle(text).record))
    for form, sent in (("text", text), ("json", as_json), ("table", table)):
        answer = client.post("/studies/import/", {"file": SimpleUploadedFile("battle.txt", sent.encode())})
        study = Study.objects.get(slug=answer["Location"].split("/")[2])
        assert study.source.form == form
        again = client.get(f"/studies/{study.slug}/record.txt").content.decode()
        assert [turn.stages for turn in import_battle(again).record.turns] == [
            turn.stages for turn in import_battle(text).record.turns
        ]
        data = json.loads(client.get(f"/studies/{study.slug}/record.json").content)
        assert "battle" not in data and all("user" not in mage for mage in data["mages"])
    assert f"battle {ended.number}" in text and "Froodal" in text


def test_bad_text_names_each_problem_with_its_line_and_the_nearest_form(page, pat):
    bad = page.replace("casts Shield", "casts Sheild", 1).replace(
        "Turn 5\n", "Turn 5\n\n     Ayla casts Firebal at Crom.\n", 1
    )
    answer = send(pat, bad)
    shown = answer.content.decode()
    assert answer.status_code == 422 and not Study.objects.exists()
    assert "There is no spell called Sheild." in shown and "<code>Shield</code>" in shown
    assert "There is no spell called Firebal." in shown and "<code>Fireball</code>" in shown
    # The pasted text is still there, and harmless.
    answer = send(pat, "<script>alert(1)</script>")
    assert answer.status_code == 422 and b"<script>alert(1)" not in answer.content
    assert b"&lt;script&gt;alert(1)" in answer.content
    for sent in (b"\xff\xfe\x00", b"x" * 400_001):
        answer = log_in(pat).post("/studies/import/", {"file": SimpleUploadedFile("battle.txt", sent)})
        assert answer.status_code == 422


def test_limits(page, pat, settings):
    Study.objects.bulk_create(Study(slug=f"old-{n}", owner=pat, seed="s", created_at=NOW) for n in range(MOST_STUDIES))
    answer = send(pat, page)
    assert answer.status_code == 409 and Study.objects.count() == MOST_STUDIES
    for _again in range(20):
        answer = send(pat, "nothing")
    assert answer.status_code == 429


def test_the_wrong_person(page, pat):
    for method in ("get", "post"):
        answer = getattr(Client(), method)("/studies/import/", {"text": page})
        assert answer.status_code == 302 and "/login" in answer["Location"]
    send(pat, page)
    study = Study.objects.get()
    stranger = make_user("Sam")
    paths = ["", "3/", "record.txt", "record.json", "analysis/"]
    for client in (Client(), log_in(stranger)):
        assert {client.get(f"/studies/{study.slug}/{path}").status_code for path in paths} == {404}
    assert log_in(stranger).post(f"/studies/{study.slug}/copy/").status_code == 404
    assert log_in(stranger).post(f"/studies/{study.slug}/analysis/").status_code == 404
    log_in(pat).post(f"/studies/{study.slug}/0/change/", {"act": "share", "access": "link", "title": "x"})
    for client in (Client(), log_in(stranger)):
        assert {client.get(f"/studies/{study.slug}/{path}").status_code for path in paths} == {200}
        assert client.post(f"/studies/{study.slug}/3/", fields("W/S", "Ayla")).status_code in (302, 403)
    assert Client().post(f"/studies/{study.slug}/analysis/").status_code == 302
    assert not Analysis.objects.exists() and study.branches.count() == study.recorded + 1


def test_a_shared_study_is_copied_with_its_tree_and_stays_as_it_was(page, pat):
    send(pat, page)
    study = Study.objects.get()
    client = log_in(pat)
    client.post(f"/studies/{study.slug}/2/", fields("W/S", "Ayla"))
    client.post(f"/studies/{study.slug}/0/change/", {"act": "share", "access": "link", "title": "Mine"})
    assert Client().post(f"/studies/{study.slug}/copy/").status_code == 302 and Study.objects.count() == 1
    sam = make_user("Sam")
    shown = log_in(sam).get(f"/studies/{study.slug}/").content.decode()
    assert f"/studies/{study.slug}/copy/" in shown
    answer = log_in(sam).post(f"/studies/{study.slug}/copy/")
    copied = Study.objects.get(owner=sam)
    assert answer["Location"] == f"/studies/{copied.slug}/" and copied.access == "private" and copied.title == "Mine"
    trees = [
        [(each.number, each.parent and each.parent.number, each.orders, each.state) for each in of.branches.all()]
        for of in (study, copied)
    ]
    assert trees[0] == trees[1] and Import.objects.filter(study=copied).exists()
    sam_client = log_in(sam)
    assert sam_client.post(f"/studies/{copied.slug}/0/", fields("S/S", "Ayla")).status_code == 302
    assert study.branches.count() + 1 == copied.branches.count()
    # A copy of a private study of someone else, or by nobody, is not made.
    assert log_in(pat).post(f"/studies/{copied.slug}/copy/").status_code == 404


def play_running():
    """Three turns of a running battle, and a record of it as its player could write it down."""
    made = start_fight(make_mage("Froodal"), make_mage("Bung"))
    turns = [("S/W", "P/S"), ("D/W", "W/S"), ("F/F", "D/F")]
    for mine, theirs in turns:
        made.order("Froodal", mine)
        made.order("Bung", theirs)
    lines = ["record 1", "ruleset firetop-standard", "mage Ash", "mage Birch", 'seed "x"']
    for number, (mine, theirs) in enumerate([*turns, ("W/S", "W/W")], start=1):
        lines += [f"turn {number}", "orders Ash", f"  {mine}", "orders Birch", f"  {theirs}"]
    return made, lines


def test_a_running_battle_pasted_in_by_its_player_is_not_analysed_and_no_bot_helps():
    made, lines = play_running()
    assert not made.battle.is_over
    froodal, other = made.user("Froodal"), make_user("Pat")
    for back in (0, 5, 10):  # the position after it, the present one, and the one before
        text = "\n".join(lines[: len(lines) - back])
        study = Study.objects.get(slug=send(froodal, text)["Location"].split("/")[2])
        answer = log_in(froodal).post(f"/studies/{study.slug}/analysis/")
        assert answer.status_code == 409 and f"battle {made.number}" in answer.content.decode()
        client = log_in(froodal)
        client.post(f"/studies/{study.slug}/{study.recorded}/change/", {"act": "answers", "for:Birch": "Magus"})
        answer = client.post(f"/studies/{study.slug}/{study.recorded}/", fields("S/S", "Ash"))
        assert answer.status_code == 409 and str(made.number) in answer.content.decode()
    assert not Analysis.objects.exists()
    # Someone else, who does not play it, may.
    shared = Study.objects.get(slug=send(other, "\n".join(lines))["Location"].split("/")[2])
    client = log_in(other)
    assert client.post(f"/studies/{shared.slug}/analysis/").status_code == 302
    while analyse_next_turn(now=NOW):
        pass
    client.post(f"/studies/{shared.slug}/0/change/", {"act": "share", "access": "public", "title": ""})
    # But what it found near the running battle is not shown to its player.
    for reader, hides in ((log_in(froodal), True), (client, False)):
        pages = [
            reader.get(f"/studies/{shared.slug}/analysis/", {"turn": seq}).content.decode()
            for seq in AnalysedTurn.objects.values_list("seq", flat=True)
        ]
        assert any("is hidden because it is too similar" in page for page in pages) == hides


def test_a_record_of_a_running_battle_is_not_exported():
    made, _lines = play_running()
    for name in ("Froodal", "Bung"):
        for form in ("txt", "json"):
            assert log_in(made.user(name)).get(f"/battles/{made.number}/record.{form}").status_code == 409


def test_states_are_those_of_the_record(page, pat):
    send(pat, page)
    study = Study.objects.get()
    states = [read_state(each.state) for each in study.branches.filter(number__gt=0)]
    played = [turn.after for turn in play_record(import_battle(page).record).turns]
    assert [state.wizards["Ayla"].hp for state in states if not state.stage][-1] == played[-1].wizards["Ayla"].hp
