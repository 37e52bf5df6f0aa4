"""A user's deadlines in their calendar program: by a secret link, theirs alone, in iCalendar as RFC 5545 wants it."""

import json
import re
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from accounts.models import CalendarLink, User
from accounts.services.calendar_links import find_calendar_user, renew_calendar_link
from accounts.services.credentials import revoke_credentials
from accounts.services.users import create_guest
from challenges.services.retire_mages import leave_site
from duels.models import Deadline
from fm_site.pages.export import export_user
from moderation.services.reports import suspend_user
from operations.text.icalendar import Moment, fold, write_calendar
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
PAGE = "/accounts/calendar/"
LINK = re.compile(r'<code class="secret-link">http[^<]*?(/calendar/[\w-]{43}\.ics)</code>')


@pytest.fixture
def fight():
    return start_fight(make_mage("Froodal", "Anna"), make_mage("Bung", "Boris"))


def make_link(user):
    return LINK.search(log_in(user).post(PAGE).content.decode())[1]


def unfold(answer):
    """Return the content lines of a calendar, after the checks of section 3.1."""
    text = answer.content.decode()
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return text.replace("\r\n ", "").split("\r\n")[:-1]


def test_a_calendar_has_the_deadlines_of_its_user_alone(fight):
    anna, boris = fight.user("Froodal"), fight.user("Bung")
    answer = Client().get(make_link(anna))
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/calendar")
    assert "private" in answer.headers["Cache-Control"] and "public" not in answer.headers["Cache-Control"]
    lines = unfold(answer)
    assert lines[:2] == ["BEGIN:VCALENDAR", "VERSION:2.0"] and lines[-1] == "END:VCALENDAR"
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 1
    ends = Deadline.objects.get(combatant__mage__name="Froodal").ends_at
    assert f"DTSTART:{ends.astimezone(UTC):%Y%m%dT%H%M%SZ}" in lines
    assert f"SUMMARY:Duel {fight.number}: orders for Froodal are due" in lines
    assert any(line.startswith("URL:") and line.endswith(f"/battles/{fight.number}/") for line in lines)
    assert "Bung" not in answer.content.decode()
    # Once the orders are ready, nothing is due; the other one still has to choose.
    fight.order("Froodal", "P/P")
    assert "BEGIN:VEVENT" not in unfold(Client().get(make_link(anna)))
    assert f"SUMMARY:Duel {fight.number}: orders for Bung are due" in unfold(Client().get(make_link(boris)))


def test_what_the_opponent_does_changes_nothing_in_it(fight):
    """Two worlds: with and without the other's orders."""
    link = make_link(fight.user("Froodal"))
    before = Client().get(link).content
    fight.order("Bung", "D/F\nSAY secret")
    assert Client().get(link).content == before


def test_a_stopped_clock_has_no_deadline(fight):
    link = make_link(fight.user("Froodal"))
    Deadline.objects.update(
        running_since=None, due_at=None, remind_at=None, alarm_at=None, ends_at=None, forfeit_at=None
    )
    assert "BEGIN:VEVENT" not in unfold(Client().get(link))


def test_the_secret_is_shown_once_stored_as_a_hash_and_renewable(fight):
    anna = fight.user("Froodal")
    first = make_link(anna)
    secret = first.split("/")[-1].removesuffix(".ics")
    assert secret not in log_in(anna).get(PAGE).content.decode()
    rows = json.dumps([list(model._default_manager.values()) for model in apps.get_models()], default=str)
    assert secret not in rows and secret not in json.dumps(export_user(anna, now=NOW), default=str)
    assert export_user(anna, now=NOW)["calendar_links"]
    second = make_link(anna)
    assert Client().get(first).status_code == 404 and Client().get(second).status_code == 200
    assert CalendarLink.objects.count() == 1
    log_in(anna).post(PAGE, {"act": "end"})
    assert Client().get(second).status_code == 404 and not CalendarLink.objects.exists()


def test_a_new_password_and_a_closed_account_end_the_link(fight):
    anna, olga = fight.user("Froodal"), make_user("Olga")
    links = {user: renew_calendar_link(user=user, now=NOW) for user in (anna, olga)}
    revoke_credentials(user=anna)
    assert find_calendar_user(secret=links[anna]) is None and find_calendar_user(secret=links[olga]) == olga
    leave_site(user=olga, now=NOW)
    assert find_calendar_user(secret=links[olga]) is None and not CalendarLink.objects.exists()


def test_it_knows_no_visitor_and_guesses_lead_nowhere(fight):
    anna = fight.user("Froodal")
    link = make_link(anna)
    mine = log_in(fight.user("Bung")).get(link)
    assert mine.content == Client().get(link).content and not mine.cookies and "Cookie" not in mine.get("Vary", "")
    assert mine.headers["X-Frame-Options"] == "DENY" and mine.headers["Referrer-Policy"] == "no-referrer"
    for guess in ("x", "x" * 43, link[10:-5], anna.username, str(anna.pk)):
        assert Client().get(f"/calendar/{guess}.ics").status_code == 404
    User.objects.filter(pk=anna.pk).update(language="de")
    assert Client().get(link, headers={"accept-language": "en"}).status_code == 200


def test_guests_have_none_and_suspended_users_can_end_theirs(fight):
    assert log_in(create_guest(now=NOW)).post(PAGE)["Location"].startswith("/keep/")
    anna = fight.user("Froodal")
    link = make_link(anna)
    suspend_user(user=anna, by=make_janitor("Jane"), reason="Spam.", ends_at=None, now=timezone.now())
    assert Client().get(link).status_code == 200, "the clocks of suspended users run"
    assert log_in(anna).post(PAGE, {"act": "end"}).status_code == 302 and Client().get(link).status_code == 404


def test_several_battles_come_in_one_query(fight, django_assert_num_queries):
    anna = fight.user("Froodal")
    for name in ("Ayla", "Crom"):
        start_fight(make_mage(name, anna), make_mage(f"{name}x"))
    link = make_link(anna)
    with django_assert_num_queries(2):
        lines = unfold(Client().get(link))
    uids = [line for line in lines if line.startswith("UID:")]
    assert len(uids) == len(set(uids)) == 3


def test_long_lines_are_folded_between_letters_and_texts_are_escaped():
    at = datetime(2031, 5, 4, 12, 30, tzinfo=UTC)
    hostile = "a;b,c\\d\r\nBEGIN:VALARM\n" + "ö" * 60 + "😀" * 30
    text = write_calendar(name=hostile, moments=[Moment("1@x", at, hostile, "https://x/")], stamp=at)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    whole = text.replace("\r\n ", "")
    assert "SUMMARY:a\\;b\\,c\\\\d\\nBEGIN:VALARM\\n" + "ö" * 60 + "😀" * 30 + "\r\n" in whole
    assert "\r\nBEGIN:VALARM" not in text and "DTSTART:20310504T123000Z\r\n" in text
    assert fold("x" * 75) == "x" * 75 and fold("x" * 76) == "x" * 75 + "\r\n x"
    assert fold("x" * 74 + "ö") == "x" * 74 + "\r\n ö"
    assert fold("x" * 149) == "x" * 75 + "\r\n " + "x" * 74
