"""The hooks of the site: made by janitors, with entries in the journal, and only what everyone may know."""

import json

import pytest
from django.contrib.admin.models import LogEntry

from email_gateway.compose.account_mail import compose_failing_hook
from fm_site.notices.news_lines import describe_news
from moderation.models import JournalEntry
from notifications.models import Hook, Notice
from notifications.services.announcements import announce, withdraw_announcement
from notifications.services.hooks import record_hook_answer
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.duels.test_hooks import chat, hook_to, lines, post_all, receive, receiver
from tests.hook_receivers import Discord
from tests.scenes import DAY, NOW, log_in, make_mage, make_user

__all__ = ["chat", "receive", "receiver"]
pytestmark = pytest.mark.django_db
PAGE = "/admin/hooks/"
ALL = ["starts", "ends", "lines"]


@pytest.fixture
def jane():
    return make_janitor()


def site_hook_to(receiver, janitor, events=ALL):
    return hook_to(receiver, janitor, events, scope="site")


def test_battles_of_people_and_announcements_as_the_sites_hook_tells_them(chat, jane):
    site_hook_to(chat, jane)
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    post_all()
    title = f"Duel {fight.number}: Froodal against Bung"
    assert lines(chat) == [[title, "It has begun.", "Waiting for Froodal and Bung."]]
    fight.turn("F/F", "W/W")
    fight.turn("W/W", "P/P")
    post_all()
    assert lines(chat)[1:] == [[title, "It is over. Won by Froodal."]]
    text = "Hello @everyone, see <!channel> [here](https://evil.example) **now**\u202e"
    said = announce(by=jane, text=text, until=NOW + DAY, is_mailed=False, now=NOW)
    withdrawn = announce(by=jane, text="Never mind", until=NOW + DAY, is_mailed=False, now=NOW)
    withdraw_announcement(announcement=withdrawn, now=NOW)
    post_all()
    assert [line[0] for line in lines(chat)[2:]] == ["Firetop Mountain, announcement:"] and not chat.refused
    assert "@" not in chat.shown[-1] and "://" not in chat.shown[-1] and "[U+202E]" in chat.shown[-1] and said.pk


def test_practice_and_battles_of_bots_are_not_told(receive, jane):
    discord, owner = receive(Discord), make_user("Solo")
    site_hook_to(discord, jane)
    start_fight(make_mage("Lefty", owner), make_mage("Righty", owner)).turn("F/F", "P/P")
    post_all()
    assert discord.calls == [] and not Notice.objects.filter(kind__startswith="open_").exists()


def test_janitors_add_change_and_remove_them_with_a_reason_and_an_entry(receive, jane):
    discord, client = receive(Discord), log_in(jane)
    form = {"format": "discord", "name": "#news", "url": discord.url, "events": ALL}
    assert client.post(PAGE, form).status_code == 422 and not Hook.objects.exists()
    assert client.post(PAGE, form | {"reason": "for the club"}).status_code == 200
    hook = Hook.objects.get()
    row = f"{PAGE}{hook.pk}/"
    assert (
        client.post(row, {"act": "save", "name": "#news", "events": ["ends"], "reason": "quieter"}).status_code == 302
    )
    assert client.post(row, {"act": "test"}).status_code == 302
    assert client.post(row, {"act": "remove"}).status_code == 302 and Hook.objects.exists()
    other = log_in(make_janitor("Judy"))
    assert other.post(row, {"act": "remove", "reason": "moved"}).status_code == 302 and not Hook.objects.exists()
    entries = list(JournalEntry.objects.order_by("pk").values_list("kind", "by__username", "reason"))
    assert entries == [
        ("hook_added", "Jane", "for the club"),
        ("hook_changed", "Jane", "quieter"),
        ("hook_removed", "Judy", "moved"),
    ]
    written = json.dumps(list(JournalEntry.objects.values("facts", "before", "after"))) + "".join(
        LogEntry.objects.values_list("change_message", flat=True)
    )
    assert "#news" in written and discord.url not in written and discord.site not in written


def test_only_janitors_who_act_come_near_them(receive, jane):
    hook = site_hook_to(receive(Discord), jane)
    reader = log_in(make_janitor("Rita", reads_only=True))
    player = log_in(make_user("Eve"))
    for address in (PAGE, f"{PAGE}{hook.pk}/"):
        assert reader.get(address).status_code == reader.post(address, {"act": "remove"}).status_code == 403
        assert player.get(address).status_code == player.post(address, {"act": "remove"}).status_code == 302
    assert log_in(jane).get(f"/accounts/hooks/{hook.pk}/").status_code == 404
    assert Hook.objects.exists() and not JournalEntry.objects.exists()


@pytest.mark.parametrize(("scope", "page"), [("site", PAGE), ("battle", "/battles/{number}/hooks/")])
def test_the_notice_of_a_hook_that_fails_leads_to_its_own_page(receive, jane, scope, page):
    discord, fight = receive(Discord), start_fight(make_mage("Froodal"), make_mage("Bung"))
    battle = fight.number if scope == "battle" else None
    hook = hook_to(discord, jane, ["ends"], scope=scope, battle=battle)
    Hook.objects.update(failing_since=NOW, failures=4, failed_events=2)
    hook.refresh_from_db()
    record_hook_answer(hook=hook, error="answered 500", is_new_failure=True, now=NOW)
    (notice,) = Notice.objects.filter(kind="hook_paused", user=jane)
    page = page.format(number=fight.number)
    assert page in compose_failing_hook(notice.kind, notice.facts, jane).text
    assert [line.url for line in describe_news([notice], jane, now=NOW)] == [page]
