"""When emails go out: at once, once a day, or not at all after a visit to the page; and their subjects."""

import html
import re
from datetime import UTC, datetime

import pytest

from email_gateway.compose.outbox import deliver_due
from email_gateway.models import LocalMail
from notifications.models import Delivery, SkipReason
from notifications.selectors.notices import find_next_digest
from notifications.services.preferences import set_preference
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import MailWorld, body, reply_address


def choose(duel: MailedDuel, **chosen: str) -> None:
    for key, value in chosen.items():
        set_preference(user=duel.froodal.user, key=key, value=value)


def play(duel: MailedDuel, left: str = "W/P", right: str = "P/S") -> None:
    duel.world.order(duel.battle, duel.froodal, left)
    duel.world.order(duel.battle, duel.bung, right)


def mails_to(duel: MailedDuel, name: str = "frode") -> list:
    return [mail for mail in duel.world.new_mails() if mail["To"] == f"{name}@example.org"]


@pytest.mark.parametrize(
    ("zone", "hour", "now", "due"),
    [
        ("UTC", "7", "2031-05-04T06:59", "2031-05-04T07:00"),
        ("UTC", "7", "2031-05-04T07:00", "2031-05-05T07:00"),
        ("Europe/Oslo", "18", "2031-05-04T15:59", "2031-05-04T16:00"),
        ("America/New_York", "7", "2031-05-04T12:00", "2031-05-05T11:00"),
        # The night in which the clocks go forward.
        ("Europe/Oslo", "7", "2031-03-29T12:00", "2031-03-30T05:00"),
    ],
)
def test_the_daily_email_is_due_at_its_readers_hour(world: MailWorld, zone, hour, now, due):
    user = world.user("Wil")
    set_preference(user=user, key="time_zone", value=zone)
    set_preference(user=user, key="digest_hour", value=hour)
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert find_next_digest(user, now=at) == datetime.fromisoformat(due).replace(tzinfo=UTC)


def test_a_day_of_news_is_one_email(duel: MailedDuel):
    choose(duel, mail_turns="digest")
    play(duel)
    play(duel, "S/S", "D/D")
    assert mails_to(duel) == []
    duel.world.wait(days=1)
    [mail] = mails_to(duel)
    text = body(mail)
    assert text.index("Turn 1. ") < text.index("Turn 2. ") and text.count("[FM ") == 1
    assert text.count("Duel Status for Froodal") == 1 and "turn 3):" in text, "how it stands comes once"
    assert "2 updates" in mail["Subject"]
    assert text.count("Email settings") == 1 and "several things" not in text, "it is about one battle: just answer it"
    page = body(mail, "html")
    state = page[page.index("Duel Status for Froodal") : page.index("Classic pace")]
    assert "Left:" in state and "<pre" not in state, "the state of the battle is one block"
    begun = page[page.index("Spells you have begun") :]
    assert begun.index("<pre") < begun.index("Magic Missile (D)"), "and so are the spells begun"
    assert set(Delivery.objects.values_list("state", flat=True)) == {"sent"}
    duel.world.wait(days=1)
    assert mails_to(duel) == []


def test_a_daily_email_shows_its_subjects_in_a_list_and_has_the_buttons_of_its_emails(duel: MailedDuel):
    choose(duel, mail_turns="digest", mail_challenges="digest")
    play(duel)
    duel.world.wait(days=1)
    [mail] = mails_to(duel)
    page = html.unescape(body(mail, "html"))
    hidden = re.search(r'<div style="display:none[^>]*>([^<]*)<', page)
    assert hidden is not None and hidden[1] == f"[FM {duel.number}] Froodal v Bung"
    assert ">Open Firetop Mountain</a>" in page
    [begins] = re.findall(r'href="(mailto:[^"]*)"[^>]*>Reply with orders</a>', page)
    assert begins.startswith(f"mailto:{reply_address(mail)}?subject=") and "LH" in begins


def test_a_daily_email_that_is_sent_again_is_the_same_email(duel: MailedDuel):
    choose(duel, mail_turns="digest")
    play(duel)
    duel.world.wait(days=1)
    mails_to(duel)
    before = LocalMail.objects.count()
    Delivery.objects.filter(channel="digest").update(state="claimed")  # its worker died before it could note it
    duel.world.wait(minutes=10)
    while deliver_due(now=duel.world.now):
        pass
    assert LocalMail.objects.count() == before


def test_the_next_days_news_is_in_the_next_daily_email(duel: MailedDuel):
    choose(duel, mail_turns="digest")
    play(duel)
    duel.world.wait(days=1)
    assert "Turn 1. " in body(*mails_to(duel))
    play(duel, "S/S", "D/D")
    duel.world.wait(days=1)
    text = body(*mails_to(duel))
    assert "Turn 2. " in text and "Turn 1. " not in text


def open_page(duel: MailedDuel, client, monkeypatch, **headers: str) -> None:
    monkeypatch.setattr("duels.views.battle.timezone.now", lambda: duel.world.now)
    client.force_login(duel.froodal.user)
    assert client.get(f"/battles/{duel.number}/", headers=headers).status_code == 200


def test_no_email_about_a_turn_seen_on_the_page(duel: MailedDuel, client, monkeypatch):
    open_page(duel, client, monkeypatch)
    duel.world.wait(seconds=30)
    play(duel)
    assert mails_to(duel) == [], "the page is open: the player may see it there"
    open_page(duel, client, monkeypatch)
    duel.world.wait(minutes=2)
    assert mails_to(duel) == []
    skipped = Delivery.objects.get(notice__kind="turn_resolved", user=duel.froodal.user)
    assert (skipped.state, skipped.reason) == ("skipped", SkipReason.SEEN)


def test_an_open_page_without_activity_delays_the_email_by_a_minute(duel: MailedDuel, client, monkeypatch):
    open_page(duel, client, monkeypatch)
    duel.world.wait(seconds=30)
    play(duel)
    assert mails_to(duel) == []
    open_page(duel, client, monkeypatch, X_Page="hidden")
    duel.world.wait(minutes=2)
    assert len(mails_to(duel)) == 1


def test_users_who_want_every_email_still_get_it(duel: MailedDuel, client, monkeypatch):
    choose(duel, mail_quiet="no")
    open_page(duel, client, monkeypatch)
    duel.world.wait(seconds=30)
    play(duel)
    duel.world.wait(seconds=30)
    open_page(duel, client, monkeypatch)
    duel.world.wait(minutes=2)
    assert len(mails_to(duel)) == 1


def test_one_players_visit_does_not_stop_emails_to_another(duel: MailedDuel, client, monkeypatch):
    open_page(duel, client, monkeypatch)
    duel.world.wait(seconds=30)
    play(duel)
    assert len(mails_to(duel, "bill")) == 1


def test_classic_subjects_name_the_turn(duel: MailedDuel):
    choose(duel, mail_subjects="classic")
    play(duel)
    subjects = {str(mail["To"]): str(mail["Subject"]) for mail in duel.world.new_mails()}
    assert subjects["frode@example.org"] == f"Duel {duel.number}, turn 2: your move"
    assert subjects["bill@example.org"] == f"[FM {duel.number}] Froodal v Bung"
