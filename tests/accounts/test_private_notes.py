"""Private notes on users and battles: for their writer alone, in every place and for every role."""

import json
import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import PrivateNote
from accounts.selectors.private_notes import find_private_note
from accounts.services.private_notes import write_private_note
from accounts.services.ties import block_user
from accounts.services.users import create_guest
from challenges.services.retire_mages import leave_site
from fm_site.pages.export import export_user
from moderation.services.merge_users import merge_users, undo_merge
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.site.test_hostile_requests import VALUES

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SECRET = "Bluffs-with-a-Paralysis-and-never-shields"
CHANGING = re.compile(rb'name="(csrfmiddlewaretoken|once)" value="[^"]+"|datetime="[^"]+"|last_login[^\n]*')


@pytest.fixture
def fight():
    return start_fight(make_mage("Froodal", "Frode"), make_mage("Bung", "Bill"))


def list_places(fight):
    """Where a note could show: pages of its subjects and its own, lists, calls, and the desk."""
    n, frode, bill = fight.number, fight.user("Froodal"), fight.user("Bung")
    return [
        *("/", "/users/Bill/", "/users/Frode/", "/mages/Bung/", "/mages/Froodal/", "/users/Bill/note/"),
        *("/users/Frode/note/", f"/battles/{n}/note/", f"/battles/{n}/", f"/battles/{n}/notes/", "/accounts/blocks/"),
        *(f"/battles/{n}/chat/", f"/battles/{n}/story/", "/following/", "/reports/", "/reports/new/?about=Bill"),
        *(f"/api/v1/battles/{n}/", f"/api/v1/battles/{n}/events/", "/api/v1/me/", "/dump/", "/admin/desk/"),
        *(f"/admin/accounts/user/{pk}/change/" for pk in (frode.pk, bill.pk)),
        *("/admin/", "/admin/accounts/", "/admin/accounts/privatenote/", "/admin/accounts/user/?q=Bluffs"),
        f"/admin/duels/battle/{fight.battle.pk}/change/",
    ]


def read_everything(fight, roles):
    return {
        (role, place): (answer.status_code, CHANGING.sub(b"", answer.content))
        for role, client in roles.items()
        for place in list_places(fight)
        for answer in [client.get(place)]
    }


def test_nobody_but_the_writer_sees_a_trace_of_a_note(fight):
    """Two worlds, one with notes, are the same for the user they are about, strangers, visitors and janitors."""
    janitor = make_janitor("Jane")
    roles = {
        "subject": log_in(fight.user("Bung")),
        "stranger": log_in(make_user("Olga")),
        "visitor": Client(),
        "janitor": log_in(janitor),
        "superuser": log_in(type(janitor).objects.create_superuser("Keeper", "keeper@example.org", "not so secret")),
    }
    read_everything(fight, roles)  # the first visit of a page may keep something
    before = read_everything(fight, roles)
    writer = log_in(fight.user("Froodal"))
    for place in ("/users/Bill/note/", f"/battles/{fight.number}/note/"):
        assert writer.post(place, {"text": SECRET}).status_code == 302
    after = read_everything(fight, roles)
    assert {key for key in before if before[key] != after[key]} == set()
    assert not [key for key, (_status, body) in after.items() if SECRET.encode() in body]
    shown = [place for place in list_places(fight) if SECRET in writer.get(place).content.decode()]
    assert shown == ["/users/Bill/", "/mages/Bung/", "/users/Bill/note/", f"/battles/{fight.number}/note/"]
    assert SECRET not in json.dumps(export_user(fight.user("Bung"), now=NOW), default=str)
    assert not admin.site.is_registered(PrivateNote)


def test_no_other_model_has_a_copy(fight):
    write_private_note(writer=fight.user("Froodal"), text=SECRET, about_user=fight.user("Bung"), now=NOW)
    copies = [
        model._meta.label
        for model in apps.get_models()
        if SECRET in json.dumps(list(model._default_manager.values()), default=str)
    ]
    assert copies == ["accounts.PrivateNote"]


def test_a_note_is_written_changed_and_deleted(fight):
    frode, bill = fight.user("Froodal"), fight.user("Bung")
    writer = log_in(frode)
    assert "Only you can read it." in writer.get("/users/Bill/").content.decode()
    writer.post("/users/Bill/note/", {"text": "  One <b>bold</b> line\r\nand another\u202e  "})
    assert find_private_note(frode, about_user=bill) == "One <b>bold</b> line\nand another[U+202E]"
    page = flat(writer.get("/users/bill/", follow=True).content.decode())
    assert "<p>One &lt;b&gt;bold&lt;/b&gt; line<br>and another[U+202E]</p>" in page
    writer.post("/users/Bill/note/", {"text": "Another"})
    assert PrivateNote.objects.get().text == "Another"
    writer.post("/users/Bill/note/", {"text": "  \n "})
    assert not PrivateNote.objects.exists()


def test_500_characters_fit_a_thousand_notes_fit_and_no_more(fight, monkeypatch):
    writer = log_in(fight.user("Froodal"))
    place = f"/battles/{fight.number}/note/"
    # A browser counts a line end as one character and sends two.
    assert writer.post(place, {"text": "x" * 249 + "\r\n" + "y" * 250}).status_code == 302
    answer = writer.post(place, {"text": "z" * 501})
    assert answer.status_code == 422 and "Shorten it to 500." in answer.content.decode()
    monkeypatch.setattr("accounts.services.private_notes.MOST_NOTES", 1)
    assert writer.post("/users/Bill/note/", {"text": "One more"}).status_code == 422
    assert writer.post(place, {"text": "Changed"}).status_code == 302
    assert PrivateNote.objects.get().text == "Changed"


def test_no_hostile_text_breaks_a_page(fight):
    writer = log_in(fight.user("Froodal"))
    for value in (*VALUES, "</p><script>alert(1)</script>", "{% load x %}"):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        sent = writer.post("/users/Bill/note/", {"text": text})
        assert sent.status_code in ((400,) if "\0" in text else (302, 422)), text[:40]
        page = writer.get("/users/Bill/")
        assert page.status_code == 200 and "<script>alert" not in page.content.decode(), text[:40]


def test_there_are_none_on_oneself_on_guests_or_on_nobody_and_guests_write_none(fight):
    guest = create_guest(now=NOW)
    writer = log_in(fight.user("Froodal"))
    for name in ("Frode", guest.username, "Nobody"):
        for answer in (writer.get(f"/users/{name}/note/"), writer.post(f"/users/{name}/note/", {"text": "x"})):
            assert answer.status_code == 404, name
    assert writer.post("/battles/4711/note/", {"text": "x"}).status_code == 404
    for answer in (log_in(guest).get("/users/Bill/note/"), log_in(guest).post("/users/Bill/note/", {"text": "x"})):
        assert answer.status_code == 302 and answer["Location"].startswith("/keep/")
    assert not PrivateNote.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        frode = fight.user("Froodal")
        write_private_note(writer=frode, text="x", about_user=frode, now=NOW)


def test_a_block_changes_nothing_about_notes(fight):
    frode, bill = fight.user("Froodal"), fight.user("Bung")
    block_user(user=bill, blocked=frode, now=NOW)
    block_user(user=frode, blocked=bill, now=NOW)
    assert log_in(frode).post("/users/Bill/note/", {"text": SECRET}).status_code == 302
    assert SECRET in log_in(frode).get("/users/Bill/").content.decode()


def test_the_writer_downloads_them_and_they_go_with_either_account():
    anna, boris = make_user("Anna"), make_user("Boris")
    fight = start_fight(make_mage("Ayla", "Carl"), make_mage("Crom", "Dora"))
    write_private_note(writer=anna, text="On him", about_user=boris, now=NOW)
    write_private_note(writer=anna, text="On that", about_battle=fight.number, now=NOW)
    write_private_note(writer=boris, text="On her", about_user=anna, now=NOW)
    write_private_note(writer=boris, text="On Carl", about_user=fight.user("Ayla"), now=NOW)
    assert export_user(anna, now=NOW)["private_notes"] == [
        {"user": "Boris", "battle": None, "text": "On him", "written_at": NOW},
        {"user": None, "battle": fight.number, "text": "On that", "written_at": NOW},
    ]
    leave_site(user=anna, now=NOW)
    assert [note.text for note in PrivateNote.objects.all()] == ["On Carl"]


def test_they_follow_their_writer_when_accounts_are_merged_and_come_back():
    janitor, anna, anne, boris = make_janitor("Jane"), make_user("Anna"), make_user("Anne"), make_user("Boris")
    write_private_note(writer=anne, text="On him", about_user=boris, now=NOW)
    write_private_note(writer=anne, text="On myself", about_user=anna, now=NOW)
    before = list(PrivateNote.objects.order_by("pk").values())
    merge = merge_users(kept=anna, merged=anne, by=janitor, reason="One person.", now=NOW)
    assert find_private_note(anna, about_user=boris) == "On him"
    undo_merge(merge=merge, by=janitor, reason="Two after all.", now=NOW)
    assert list(PrivateNote.objects.order_by("pk").values()) == before


def test_a_second_note_on_the_same_subject_replaces_the_first():
    anna, boris = make_user("Anna"), make_user("Boris")
    for text in ("First", "Second", "Second"):
        write_private_note(writer=anna, text=text, about_user=boris, now=NOW)
    assert PrivateNote.objects.get().text == "Second"
    with refused("text_too_long"):
        write_private_note(writer=anna, text="x" * 501, about_user=boris, now=NOW)
