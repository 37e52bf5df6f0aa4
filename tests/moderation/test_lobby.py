"""Janitors in the lobby's room: reports about lines, removing one, and muting a user there for a time."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.utils import timezone

from accounts.services.ties import block_user
from challenges.models import RoomLine, RoomMute
from challenges.selectors.room import read_room
from challenges.services.retire_mages import leave_site
from challenges.services.room import take_down_line, write_line
from fm_site.pages.export import export_user
from moderation.models import JournalEntry, Report
from moderation.services.lobby import mute_user, remove_room_line
from moderation.services.user_journal import undo_user_entry
from notifications.models import Notice
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.refusals import refused
from tests.scenes import log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
RUDE = "something <rude>"


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def people(db):
    """Anna and Boris, who may write in the room."""
    cache.clear()
    users = [make_user(name) for name in ("Anna", "Boris")]
    fight = start_fight(*(make_mage(f"{user.username}s", user) for user in users))
    fight.order("Annas", "P/P", confirmed=True)
    fight.order("Boriss", "D/W")
    for user in users:
        EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
    return users


def say(writer, text, now):
    once = str(RoomLine.objects.count())
    return write_line(writer=writer, text=text, via=RoomLine.Via.PAGE, once=once, now=now)


def texts(reader, now):
    return [line.text for line in read_room(reader=reader, now=now).lines]


def test_a_line_is_reported_with_its_words_by_those_who_see_it(people, now):
    anna, boris = people
    line = say(boris, RUDE, now)
    address = f"/reports/new/?room_line={line.pk}"
    assert log_in(None).get(address).status_code == 302
    client = log_in(anna)
    assert "something &lt;rude&gt;" in client.get(address).content.decode()
    client.post(address, {"about": "Boris", "text": "Not nice."})
    report = Report.objects.get()
    assert report.about_user == boris and RUDE in report.text and f"Line {line.pk} in the lobby" in report.text
    for hide in (
        lambda: block_user(user=anna, blocked=boris, now=now),
        lambda: take_down_line(line=line, by=boris, now=now),
    ):
        hide()
        assert "rude" not in client.get(address).content.decode()
    for wrong in ("0", "x", "-1", "99999999999999999999"):
        assert client.get(f"/reports/new/?room_line={wrong}").status_code == 200


def test_a_janitor_removes_a_line_with_a_reason_and_brings_it_back(people, now, monkeypatch):
    anna, boris = people
    line, jane = say(boris, RUDE, now), make_janitor()
    woken = []
    monkeypatch.setattr("moderation.services.user_journal.wake_lobby_on_commit", lambda: woken.append(True))
    with refused("no_permission"):
        remove_room_line(line=line, by=anna, reason=WHY, now=now)
    with refused("no_reason_for_user"):
        remove_room_line(line=line, by=jane, reason=" ", now=now)
    entry = remove_room_line(line=line, by=jane, reason=WHY, now=now)
    for reader in (anna, boris, None):
        assert texts(reader, now) == ["A janitor removed this line."]
    assert "rude" not in str(entry.facts)
    with refused("already_removed"):
        remove_room_line(line=line, by=jane, reason=WHY, now=now)
    assert Notice.objects.get(kind="user_act", user=boris).facts["reason"] == WHY
    undo_user_entry(entry=entry, by=jane, reason=WHY, now=now)
    assert texts(anna, now) == [RUDE] and woken, "open pages are told"


def test_a_muted_user_reads_but_does_not_write_until_it_ends_or_is_undone(people, now):
    anna, boris = people
    jane, until = make_janitor(), now + timedelta(days=3)
    say(boris, "before", now)
    entry = mute_user(user=boris, by=jane, reason="Shouting.", ends_at=until, now=now)
    with refused("muted", match="Shouting"):
        say(boris, "after", now)
    assert "Shouting." in read_room(reader=boris, now=now).refusal and texts(anna, now) == ["before"]
    say(anna, "others can", now)
    with refused("already_muted"):
        mute_user(user=boris, by=jane, reason=WHY, ends_at=until, now=now)
    with refused("past_end"):
        mute_user(user=anna, by=jane, reason=WHY, ends_at=now, now=now)
    with refused("no_permission"):
        mute_user(user=anna, by=boris, reason=WHY, ends_at=until, now=now)
    say(boris, "it is over", until)
    assert export_user(boris, now=now)["lobby_mutes"][0]["reason"] == "Shouting."
    undo_user_entry(entry=entry, by=jane, reason=WHY, now=now)
    say(boris, "it is undone", now)
    assert not RoomMute.objects.exists()


def test_the_desk_offers_both_with_a_reason(people, now, settings):
    anna, boris = people
    line = say(boris, RUDE, now)
    jane = log_in(make_janitor())
    act = f"/admin/accounts/user/{boris.pk}/act/"
    page = jane.get(f"{act}remove-line/").content.decode()
    assert "something &lt;rude&gt;" in page
    for slug, data in (("remove-line", {"line": line.pk}), ("mute", {"days": "2"})):
        assert jane.post(f"{act}{slug}/", {**data, "reason": ""}).status_code == 422
        assert jane.post(f"{act}{slug}/", {**data, "reason": "Rude."}).status_code == 302
        assert log_in(anna).get(f"{act}{slug}/").status_code in (302, 403, 404)
    assert {each.kind for each in JournalEntry.objects.all()} == {"taken_down", "muted"}
    assert RoomMute.objects.get().user == boris and texts(anna, now) == ["A janitor removed this line."]


def test_a_mute_goes_with_the_account(people, now):
    _anna, boris = people
    mute_user(user=boris, by=make_janitor(), reason=WHY, ends_at=now + timedelta(days=3), now=now)
    leave_site(user=boris, now=now)
    assert not RoomMute.objects.exists()
