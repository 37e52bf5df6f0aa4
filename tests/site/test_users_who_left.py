"""Users who have left: their name is nowhere, their mages keep theirs."""

import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.cache import cache
from django.urls import reverse

from accounts.errors import InvalidName, MageBusy
from accounts.models import Name
from accounts.services.rename import rename_user
from accounts.services.ties import follow_user
from challenges.services.retire_mages import leave_site
from duels.services.chat import write_chat_line
from ladder.tasks import refresh_places, sweep_unrated_battles
from moderation.models import JournalEntry
from moderation.services.reports import make_report, warn_user
from moderation.services.user_actions import close_account_for_janitor, rename_for_janitor
from moderation.services.user_journal import undo_user_entry
from notifications.services.outbox import write_notice
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.email_gateway.world import MailWorld, body
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
NAMES = ("Zelmira", "Quondam", "Tertia")
LEFT = "a user who has left"


@pytest.fixture
def janitor():
    return make_janitor("Jane")


@pytest.fixture
def world(settings):
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    return MailWorld()


@pytest.fixture(params=["user", "janitor"])
def left(request, janitor):
    """A user with a past, who has had three names and has left; and another one, who was there."""
    zelmira, carl = make_user(NAMES[1]), make_user("Carl")
    rename_user(user=zelmira, name=NAMES[0], now=NOW)
    zelmira.refresh_from_db()
    fight = start_fight(make_mage("Froodal", zelmira), make_mage("Bung", carl))
    fight.turns([("S/D", "W/F"), ("P/-", "-/-")])
    write_chat_line(battle=fight.battle, user=zelmira, text="hello", once="0" * 16, now=NOW)
    fight.turn("P/P", "-/-")
    assert fight.battle.is_over
    for sweep in (count_finished_battles, sweep_unrated_battles, refresh_places):
        sweep()
    follow_user(user=carl, followed=zelmira, now=NOW)
    make_report(reporter=carl, text="Slow.", about_user=zelmira, now=NOW)
    warn_user(user=zelmira, by=janitor, text="Be quick.", now=NOW)
    facts = {"user": zelmira.username, "battles": [fight.number], "text": "hello all"}
    write_notice(key="x", user=carl, kind="announcement", facts=facts, now=NOW)
    rename_for_janitor(user=zelmira, name=NAMES[2], by=janitor, reason="It was asked for.", now=NOW)
    zelmira.refresh_from_db()
    if request.param == "user":
        leave_site(user=zelmira, now=NOW + timedelta(days=1))
    else:
        close_account_for_janitor(user=zelmira, by=janitor, reason="asked by email", now=NOW + timedelta(days=1))
    return fight, carl, janitor


def test_the_name_of_a_user_who_has_left_is_in_no_row_but_the_one_that_reserves_it(left):
    found = []
    for model in apps.get_models():
        for row in model._default_manager.values():
            text = json.dumps(row, default=str).lower()
            found += [(model._meta.label, text) for name in NAMES if name.lower() in text]
    assert [each for each in found if each[0] != "accounts.Name"] == []
    assert set(Name.objects.filter(kind="user").values_list("written", flat=True)) >= set(NAMES)


def test_pages_emails_and_calls_say_that_a_user_has_left_and_name_the_mage(left, world):
    fight, carl, janitor = left
    cache.clear()
    pages = ("/ladder/", "/battles/", f"/battles/{fight.number}/", f"/battles/{fight.number}/chat/", "/mages/Froodal/",
             "/mages/Bung/", "/users/Carl/", "/statistics/", "/following/", "/accounts/blocks/", "/",
             "/news/")  # fmt: skip
    api = (f"/api/v1/battles/{fight.number}/", f"/api/v1/battles/{fight.number}/record/", "/api/v1/ladder/")
    desk = ("/admin/desk/", "/admin/accounts/user/", "/admin/moderation/journalentry/", "/admin/moderation/report/",
            "/admin/notifications/notice/", "/admin/accounts/mage/", "/admin/admin/logentry/")  # fmt: skip
    texts = {page: log_in(carl).get(page).content.decode() for page in (*pages, *api)}
    texts |= {page: log_in(janitor).get(page).content.decode() for page in desk}
    texts["INFO"] = world.ask("INFO Froodal\nSCORES ALL")
    told = {page for page, text in texts.items() for name in NAMES if name.lower() in text.lower()}
    assert told == set()
    for page in ("/mages/Froodal/", "/users/Carl/", f"/api/v1/battles/{fight.number}/", "INFO", "/admin/desk/"):
        assert LEFT in texts[page], page
    told = {page for page, text in texts.items() if "former_user" in text and not page.startswith(("/api", "/admin"))}
    assert told == set()
    for name in NAMES:
        assert log_in(carl).get(f"/users/{name}/").status_code == 404


def test_nobody_can_look_like_a_user_who_has_left_or_take_their_name():
    for name in ("former_user_7", "Former_User_x"):
        with pytest.raises(InvalidName):
            make_user(name)


def test_a_janitor_closes_an_account_on_request_with_an_entry_and_an_email(janitor, world):
    wil = world.user("Wil")
    mage = world.mage("Merlyn", wil)
    page = reverse("admin:accounts_user_act", args=[wil.pk, "close"])
    browser = log_in(janitor)
    assert browser.post(page, {"reason": ""}).status_code == 422
    assert browser.post(page, {"reason": "They wrote to us.", "name": "Will"}).status_code == 422
    assert browser.post(page, {"reason": "They wrote to us.", "name": "Wil"}).status_code == 302
    wil.refresh_from_db()
    mage.refresh_from_db()
    assert not wil.is_active and not mage.is_alive and str(wil) == LEFT
    entry = JournalEntry.objects.get(user=wil)
    assert (entry.kind, entry.by, entry.reason) == ("closed", janitor, "They wrote to us.")
    (mail,) = world.new_mails()
    assert mail["To"] == "wil@example.org" and mail["Subject"] == "Your account Wil is closed"
    assert "They wrote to us." in " ".join(body(mail).split())
    for again in (page, reverse("admin:accounts_user_act", args=[wil.pk, "undo"])):
        assert browser.post(again, {"reason": "x", "entry": entry.pk}).status_code in (403, 404, 422)
    with refused("closed_for_good", match="cannot be opened again"):
        undo_user_entry(entry=entry, by=janitor, reason="x", now=NOW)


def test_no_account_is_closed_with_a_mage_in_a_battle_or_of_a_janitor(janitor):
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    with pytest.raises(MageBusy):
        close_account_for_janitor(user=duel.user("Froodal"), by=janitor, reason="asked", now=NOW)
    with refused("is_janitor", match="is a janitor"):
        close_account_for_janitor(user=make_janitor("Jack"), by=janitor, reason="asked", now=NOW)
    assert not JournalEntry.objects.exists()
