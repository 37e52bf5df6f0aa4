"""Users who have left: their name is nowhere, their mages keep theirs."""

import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.cache import cache
from django.test import Client

from accounts.errors import InvalidName
from accounts.models import Name
from accounts.services.rename import rename_user
from accounts.services.ties import follow_user
from challenges.services import leave_site
from duels.services import write_chat_line
from duels.tasks import count_finished_battles
from fm_site.moderation.services import make_report, warn_user
from fm_site.notifications.services.outbox import write_notice
from ladder.tasks import refresh_places, sweep_unrated_battles
from tests.duels.fights import NOW, make_mage, make_user, start_fight
from tests.duels.janitors import make_janitor
from tests.email_gateway.world import MailWorld

pytestmark = pytest.mark.django_db
NAMES = ("Zelmira", "Quondam")
LEFT = "a user who has left"


def log_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def left():
    """A user with a past, who has had two names and has left; and another one, who was there."""
    zelmira, carl, janitor = make_user(NAMES[1]), make_user("Carl"), make_janitor("Jane")
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
    leave_site(user=zelmira, now=NOW + timedelta(days=1))
    return fight, carl, janitor


def test_the_name_of_a_user_who_has_left_is_in_no_row_but_the_one_that_reserves_it(left):
    found = []
    for model in apps.get_models():
        for row in model._default_manager.values():
            text = json.dumps(row, default=str).lower()
            found += [(model._meta.label, text) for name in NAMES if name.lower() in text]
    assert [each for each in found if each[0] != "accounts.Name"] == []
    assert set(Name.objects.filter(kind="user").values_list("written", flat=True)) >= set(NAMES)


def test_pages_emails_and_calls_say_that_a_user_has_left_and_name_the_mage(left, settings):
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    world = MailWorld()
    fight, carl, janitor = left
    cache.clear()
    pages = ("/ladder/", "/battles/", f"/battles/{fight.number}/", f"/battles/{fight.number}/chat/", "/mages/Froodal/",
             "/mages/Bung/", "/users/Carl/", "/statistics/", "/following/", "/accounts/blocks/", "/")  # fmt: skip
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
