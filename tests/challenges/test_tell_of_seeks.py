"""Users who asked for it are told that someone looks for a duel: whom, when, how often, and once."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress

from accounts.post_events import post_due_event
from accounts.push_messages import push_due_notice
from accounts.services.ties import block_user
from accounts.services.vacations import start_vacation
from challenges.models import SeekAlert
from challenges.services import tell_of_seeks as telling
from challenges.services.answers import accept_challenge
from challenges.services.tell_of_seeks import tell_of_seeks
from challenges.tasks import tell_of_seeks as run_sweep
from duels.terms import Terms
from email_gateway.compose.outbox import deliver_due
from ladder.models import UserRating
from moderation.services.reports import suspend_user
from notifications.models import Delivery, Notice
from notifications.selectors.notices import preferences_of
from notifications.services.hooks import set_webhook
from notifications.services.preferences import set_preference
from tests.challenges.conftest import make_challenge
from tests.duels.janitors import make_janitor
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LATER = NOW + 2 * MINUTE


@pytest.fixture
def anna():
    """A user with a free mage who wants to be told by email."""
    user = make_user("Anna")
    EmailAddress.objects.create(user=user, email="anna@wizards.example", verified=True, primary=True)
    make_mage("Emberlin", user)
    set_preference(user=user, key="mail_seeks", value="yes")
    return user


def seek(name="Kestrel", *, at=NOW, **terms):
    return make_challenge(make_mage(name), limit=2, terms=Terms(**terms), now=at)


def told(user):
    return [each.facts["challenger"] for each in Notice.objects.filter(user=user, kind="seek_opened").order_by("pk")]


def rate(user, rating):
    figures = {"rating": rating, "deviation": 60, "volatility": 0.06, "battles": 20, "day": NOW.date()}
    UserRating.objects.create(user=user, kind="duel", **figures)


def test_nobody_is_told_before_two_minutes_nor_after_a_day(anna):
    seek()
    assert tell_of_seeks(now=LATER - timedelta(seconds=1)) == 0
    assert tell_of_seeks(now=NOW + DAY) == 0
    assert tell_of_seeks(now=LATER) == 1
    assert told(anna) == ["Kestrel"]


def test_a_sweep_that_runs_twice_or_dies_tells_once(anna, monkeypatch):
    seek()

    def die(**facts):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(telling, "write_notice", die)
        with pytest.raises(RuntimeError):
            tell_of_seeks(now=LATER)
    assert not SeekAlert.objects.exists(), "the claim went with the sweep that died"
    found = telling.list_listeners(telling.list_seeks(now=LATER), now=LATER)
    assert tell_of_seeks(now=LATER) == 1
    with monkeypatch.context() as patch:  # a second sweep that had found the same listener
        patch.setattr(telling, "list_listeners", lambda seeks, now: found)
        assert tell_of_seeks(now=LATER) == tell_of_seeks(now=LATER + MINUTE) == 0
    assert run_sweep() == 0
    assert told(anna) == ["Kestrel"]


def test_a_duel_that_is_taken_in_the_meantime_tells_nobody(anna, monkeypatch):
    challenge = seek()
    found = telling.list_listeners(telling.list_seeks(now=LATER), now=LATER)
    accept_challenge(number=challenge.number, mage=make_mage("Wanda"), now=LATER)
    monkeypatch.setattr(telling, "list_listeners", lambda seeks, now: found)
    assert tell_of_seeks(now=LATER) == 0
    seek("Sorrel", at=LATER)
    monkeypatch.undo()
    assert tell_of_seeks(now=LATER + 2 * MINUTE) == 1, "and nobody has to wait because of it"


def test_what_waits_to_be_sent_is_not_sent_once_the_duel_is_taken(anna, monkeypatch, mailoutbox):
    for channel in ("push", "hook"):
        set_preference(user=anna, key=f"{channel}_seeks", value="yes")
    set_webhook(user=anna, url="https://bot.example/events", now=NOW)
    anna.has_push = True
    anna.save()
    challenge = seek()
    assert tell_of_seeks(now=LATER) == 1
    accept_challenge(number=challenge.number, mage=make_mage("Wanda"), now=LATER)
    push_due_notice(now=LATER)
    post_due_event(now=LATER)
    deliver_due(now=LATER)
    rows = Delivery.objects.filter(notice__kind="seek_opened")
    assert {(row.channel, row.reason) for row in rows} == {(c, "settled") for c in ("mail", "push", "webhook")}
    assert not mailoutbox


def test_the_email_names_the_duel_and_a_reply_joins_it(anna, mailoutbox):
    challenge = seek(pace="live3")
    tell_of_seeks(now=LATER)
    deliver_due(now=LATER)
    (mail,) = [each for each in mailoutbox if "looks for a duel" in each.subject]
    assert f"Challenge {challenge.number}: Kestrel looks for a duel" in mail.subject
    assert "ACCEPT" in mail.body


def test_at_most_one_an_hour_and_three_a_day(anna):
    names = ["Kestrel", "Sorrel", "Crom", "Tamsin", "Odo"]
    for name in names:
        seek(name)
    moments = [LATER + n * 10 * MINUTE for n in range(6 * 23)]
    counts = {moment: tell_of_seeks(now=moment) for moment in moments}
    hits = [moment for moment, count in counts.items() if count]
    assert hits == [LATER, LATER + HOUR, LATER + 2 * HOUR]
    seek("Late", at=LATER + 23 * HOUR)
    assert tell_of_seeks(now=LATER + DAY - MINUTE) == 0
    assert tell_of_seeks(now=LATER + DAY) == 1


def test_once_for_each_seeker_and_day(anna):
    kestrel = make_mage("Kestrel")
    twin = make_mage("Twin", kestrel.user)
    make_challenge(kestrel, limit=2)
    assert tell_of_seeks(now=LATER) == 1
    make_challenge(twin, limit=2, now=NOW + 2 * HOUR)
    assert tell_of_seeks(now=NOW + 3 * HOUR) == 0
    assert tell_of_seeks(now=LATER + DAY) == 1


def test_the_nearest_in_rating_is_told_first_and_pace_and_band_are_heeded(anna):
    rate(anna, 1500)
    for name, rating, pace in (
        ("Far", 1695, "day"),
        ("Near", 1420, "day"),
        ("Live", 1500, "live3"),
        ("Out", 1900, "slow"),
    ):
        rate(seek(name, pace=pace).challenger.user, rating)
    set_preference(user=anna, key="seek_live", value="no")
    tell_of_seeks(now=LATER)
    tell_of_seeks(now=LATER + HOUR)
    assert tell_of_seeks(now=LATER + 2 * HOUR) == 0
    assert told(anna) == ["Near", "Far"]
    set_preference(user=anna, key="seek_slow", value="any")
    tell_of_seeks(now=LATER + 3 * HOUR)
    assert told(anna) == ["Near", "Far", "Out"]


def test_quiet_hours_hold_for_every_channel_and_the_duel_is_told_afterwards(anna):
    local = LATER.astimezone(ZoneInfo("UTC"))
    for key, value in (
        ("quiet_hours", "yes"),
        ("quiet_from", f"{local.hour:02}:00"),
        ("quiet_until", f"{(local.hour + 2) % 24:02}:00"),
    ):
        set_preference(user=anna, key=key, value=value)
    seek()
    assert tell_of_seeks(now=LATER) == 0
    assert tell_of_seeks(now=local.replace(minute=0, second=0, microsecond=0) + 2 * HOUR) == 1


@pytest.mark.parametrize("by_listener", [True, False], ids=["the listener blocks", "the seeker blocks"])
def test_a_block_silences_both_ways(anna, by_listener):
    other = seek().challenger.user
    block_user(user=anna if by_listener else other, blocked=other if by_listener else anna, now=NOW)
    assert tell_of_seeks(now=LATER) == 0


@pytest.mark.parametrize("who", ["the seeker", "the listener"])
def test_suspended_users_neither_tell_nor_are_told(anna, who):
    other = seek().challenger.user
    suspend_user(user=other if who == "the seeker" else anna, by=make_janitor(), reason="Rude.", ends_at=None, now=NOW)
    assert tell_of_seeks(now=LATER) == 0


def _retire(anna, now):
    anna.mages.update(retired_at=now)


def _die(anna, now):
    anna.mages.update(died_at=now)


def _engage(anna, now):
    make_challenge(anna.mages.get(), limit=4)


def _leave_for_a_vacation(anna, now):
    start_vacation(user=anna, days=7, now=now)


def _change_their_mind(anna, now):
    set_preference(user=anna, key="mail_seeks", value="no")


@pytest.mark.parametrize("happens", [_retire, _die, _engage, _leave_for_a_vacation, _change_their_mind])
def test_who_cannot_play_is_not_told(anna, happens):
    happens(anna, NOW)
    seek()
    assert tell_of_seeks(now=LATER) == 0


def test_melees_invitations_and_bots_are_no_seeks(anna):
    make_challenge(make_mage("Kestrel"), limit=4)
    make_challenge(make_mage("Sorrel"), make_mage("Wanda"))
    bot = make_mage("Golem")
    bot.user.is_bot = True
    bot.user.save()
    make_challenge(bot, limit=2, terms=Terms(stakes="friendly"))
    assert tell_of_seeks(now=LATER) == 0


def test_who_is_told_does_not_depend_on_who_is_online(anna):
    """The seeker learns nothing, and a listener who was last seen long ago is told as one who is here."""
    anna.last_active_at = NOW - 20 * DAY
    anna.save()
    kestrel = seek().challenger.user
    assert tell_of_seeks(now=LATER) == 1
    assert not Notice.objects.filter(user=kestrel).exists()


def test_one_press_turns_it_on_where_it_reaches_the_user_and_off_everywhere():
    boris = make_user("Boris")
    make_mage("Bung", boris)
    client = log_in(boris)
    assert 'role="switch" name="switch" value="on" aria-checked="false"' in client.get("/play/").text
    press = {"switch": "on", "next": "/play/"}
    answer = client.post("/challenges/tell-me/", press, follow=True)
    assert "Nothing reaches you yet" in answer.text, "they have no confirmed address"
    assert preferences_of(boris)["mail_seeks"] == "yes" and preferences_of(boris)["push_seeks"] == "no"
    page = client.get("/play/").text
    assert 'value="off" aria-checked="true"' in page and "By email. At most one an hour and 3 a day." in page
    boris.has_push = True
    boris.save()
    client.post("/challenges/tell-me/", press)
    assert preferences_of(boris)["push_seeks"] == "yes"
    set_preference(user=boris, key="quiet_hours", value="yes")
    assert "never from 22:00 to 08:00" in client.get("/play/").text
    client.post("/challenges/tell-me/", {**press, "switch": "off"})
    assert {preferences_of(boris)[key] for key in ("mail_seeks", "push_seeks", "hook_seeks")} == {"no"}
    away = client.post("/challenges/tell-me/", {**press, "next": "https://evil.example/"})
    assert away["Location"] == "/challenges/tell-me/"
    assert 'role="switch"' not in log_in(None).get("/play/").text
