"""What users say about themselves: plain text on their page, reported, taken down, exported, and gone with them."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.ties import block_user
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_guest, set_about
from challenges.services.retire_mages import leave_site
from fm_site.pages.export import export_user
from moderation.models import JournalEntry, Report
from moderation.services.reports import lift_sanction, suspend_user, warn_user
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_user
from tests.site.test_hostile_requests import VALUES

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WORDS = "Clockmaker from Graz. I play against Trolls."
WHERE = "/accounts/about/"


@pytest.fixture
def otto():
    user = make_user("Otto")
    set_about(user=user, text=WORDS)
    return user


def read(client, address="/users/Otto/"):
    return client.get(address).content.decode()


def test_the_words_are_on_the_page_as_one_paragraph_of_plain_text():
    otto = log_in(make_user("Otto"))
    assert "Say something about yourself" in read(otto) and "Say something" not in read(Client())
    sent = "  I am <b>bold</b>.\r\n\r\n See https://evil.example/ and /rules/ \u202egnp"
    answer = otto.post(WHERE, {"text": sent})
    assert (answer.status_code, answer["Location"]) == (302, "/users/Otto/")
    page = read(Client())
    assert (
        '<p class="about">I am &lt;b&gt;bold&lt;/b&gt;. See https://evil.example/ and /rules/ [U+202E]gnp</p>' in page
    )
    assert 'href="https://evil.example' not in page
    assert "I am &lt;b&gt;bold" in read(otto, WHERE) and "Change what you say about yourself" in read(otto)
    otto.post(WHERE, {"text": "   "})
    assert 'class="about"' not in read(Client())


def test_280_characters_fit_and_281_do_not(otto):
    client = log_in(otto)
    assert client.post(WHERE, {"text": "x" * 280}).status_code == 302
    answer = client.post(WHERE, {"text": "y" * 281})
    assert answer.status_code == 422 and "281 characters. Shorten it to 280." in flat(answer.content.decode())
    # Marked characters take more room than they came with.
    assert client.post(WHERE, {"text": "\u200b" * 100}).status_code == 422
    assert User.objects.get(pk=otto.pk).about == "x" * 280


def test_no_hostile_text_breaks_the_page(otto):
    client = log_in(otto)
    for value in (*VALUES, "</p><script>alert(1)</script>", "{% load x %}"):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        # Only a character that cannot be stored is refused before the form.
        assert client.post(WHERE, {"text": text}).status_code in ((400,) if "\0" in text else (302, 422)), text[:40]
        page = Client().get("/users/Otto/")
        assert page.status_code == 200 and "<script>alert" not in page.content.decode(), text[:40]


def test_guests_and_suspended_users_do_not_write_and_are_not_quoted(otto):
    guest = create_guest(now=NOW)
    with refused("guest_about"):
        set_about(user=guest, text="Hello")
    janitor = make_janitor("Jane")
    sanction = suspend_user(user=otto, by=janitor, reason="Spam.", ends_at=None, now=timezone.now())
    for client in (Client(), log_in(make_user("Anna")), log_in(otto)):
        assert WORDS not in read(client)
    assert log_in(otto).post(WHERE, {"text": "More spam"}).status_code == 403
    assert log_in(make_user("Boris")).get("/reports/new/?words_of=Otto").status_code == 200
    lift_sanction(sanction=sanction, by=janitor, why="Enough.", now=timezone.now())
    assert WORDS in read(Client())
    # A warning takes nothing from the page.
    warn_user(user=otto, by=janitor, text="Be kind.", now=timezone.now())
    assert WORDS in read(Client())


def test_someone_who_blocks_the_writer_does_not_read_them(otto):
    anna = make_user("Anna")
    block_user(user=anna, blocked=otto, now=NOW)
    assert WORDS not in read(log_in(anna)) and WORDS in read(Client())


def test_a_report_quotes_the_words_as_they_were(otto):
    anna = log_in(make_user("Anna"))
    assert "/reports/new/?words_of=Otto" in read(anna)
    page = read(anna, "/reports/new/?words_of=Otto")
    assert WORDS in page and 'value="Otto"' in page
    assert anna.post("/reports/new/?words_of=Otto", {"about": "Otto", "text": "Rude."}).status_code == 302
    report = Report.objects.get()
    assert report.about_user == otto and report.text == f"Words about themselves: “{WORDS}”\n\nRude."
    for nobody in ("Nobody", "Anna", "", "\0", "x" * 5000):
        assert "blockquote" not in read(anna, "/reports/new/?words_of=" + nobody.replace("\0", "%00"))


def test_a_janitor_takes_them_down_with_an_entry_in_the_journal_and_can_undo_it(otto):
    jane = log_in(make_janitor("Jane"))
    act = f"/admin/accounts/user/{otto.pk}/act/"
    where = "https://site.example/users/otto/"
    assert jane.post(f"{act}take-down/", {"address": where, "reason": ""}).status_code == 422
    assert jane.post(f"{act}take-down/", {"address": where, "reason": "Rude."}).status_code == 302
    assert WORDS not in read(Client())
    entry = JournalEntry.objects.get(user=otto)
    assert entry.kind == JournalEntry.Kind.TAKEN_DOWN and WORDS not in json.dumps(entry.facts)
    assert "What Otto wrote about themselves is taken down." in read(jane, f"/admin/accounts/user/{otto.pk}/change/")
    assert otto.notices.filter(kind="user_act").exists()
    assert jane.post(f"{act}take-down/", {"address": where, "reason": "Rude."}).status_code == 422
    assert jane.post(f"{act}undo/", {"entry": entry.pk, "reason": "A mistake."}).status_code == 302
    assert WORDS in read(Client())
    # After a new text, the old one does not come back.
    assert jane.post(f"{act}take-down/", {"address": where, "reason": "Rude."}).status_code == 302
    set_about(user=User.objects.get(pk=otto.pk), text="Better.")
    last = JournalEntry.objects.latest("pk")
    assert jane.post(f"{act}undo/", {"entry": last.pk, "reason": "A mistake."}).status_code == 422
    assert "Better." in read(Client())


def test_they_are_exported_and_go_with_the_account(otto):
    assert export_user(otto, now=NOW)["user"]["about"] == WORDS
    leave_site(user=otto, now=NOW)
    assert User.objects.get(pk=otto.pk).about == ""


def test_programs_read_and_write_their_own(otto):
    def call(scopes, **body):
        _row, text = issue_api_token(user=otto, name="x", scopes=scopes, now=timezone.now())
        headers = {"authorization": f"Bearer {text}"}
        if not body:
            return Client().get("/api/v1/me/", headers=headers)
        return Client().put("/api/v1/me/", json.dumps(body), content_type="application/json", headers=headers)

    assert call(["read"]).json()["about"] == WORDS
    assert call(["read"], about="No").status_code == 403
    assert call(["read", "play"], about="Plays at\nnight.").json()["about"] == "Plays at night."
    long = call(["read", "play"], about="x" * 281)
    assert long.status_code in (409, 422) and "281 characters" in long.content.decode()
    assert Client().put("/api/v1/me/", "{}", content_type="application/json").status_code == 401
    assert "Plays at night." in read(Client())
