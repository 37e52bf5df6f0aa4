"""The lobby: who looks for a duel, who is here and what is said about them, and its one page."""

import re
import time
from datetime import timedelta
from html import unescape

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Mage, User
from accounts.services.hosts import mark_host, offer_to_host
from accounts.services.ties import block_user
from accounts.services.users import create_guest
from challenges.models import Challenge, RoomLine
from challenges.selectors.lobby import MOST_HERE, describe_today, read_lobby
from challenges.services.create import create_challenge
from duels.models import Battle
from duels.terms import Terms
from moderation.services.reports import suspend_user
from notifications.selectors.notices import preferences_of
from notifications.services.preferences import set_preference
from operations import presence
from operations.presence import see_people
from operations.text.dates import UTC
from tests.challenges.test_room import make_writers
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.races import at_once
from tests.scenes import log_in, make_mage, make_user
from tests.site.test_hostile_requests import VALUES

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_here():
    cache.clear()
    presence._connect(presence.settings.REDIS_URL).flushdb()


def make_player(name, **row):
    """A user whose mage has fought lately, who has a page open."""
    player = make_mage(f"{name}m", name).user
    other = make_mage(f"{name}foe")
    start_fight(player.mages.get(), other)
    end_of_all_battles()
    Mage.objects.filter(user=player).update(last_active_at=timezone.now())
    User.objects.filter(pk=player.pk).update(**row)
    see_people([player.pk])
    return User.objects.get(pk=player.pk)


def end_of_all_battles():
    from accounts.models import Engagement

    Battle.objects.filter(finished_at=None).update(
        status=Battle.Status.FINISHED, finished_at=timezone.now(), result={"winners": []}
    )
    Engagement.objects.all().delete()


def seek(user, **terms):
    return create_challenge(
        challenger=user.mages.get(), terms=Terms(**terms), open_to_all=True, limit=2, now=timezone.now()
    )


def shown_to(user):
    return read_lobby(now=timezone.now()).show_to(user)


def names(shown):
    return [each.user.username for each in shown.here]


def read(user, address="/lobby/"):
    return told(log_in(user).get(address))


def told(answer):
    return unescape(flat(answer.content.decode()))


def test_people_who_played_lately_and_have_a_page_open_are_here_until_they_close_it(monkeypatch):
    anna, boris = make_player("Anna"), make_player("Boris")
    make_player("Longago")
    Mage.objects.filter(user__username="Longago").update(last_active_at=timezone.now() - timedelta(days=31))
    assert names(shown_to(anna)) == ["Boris"] and shown_to(anna).in_last_hour == 1
    assert "1 person, 1 in the last hour" in read(anna)
    now = time.time()
    monkeypatch.setattr(presence.time, "time", lambda: now + 61)
    assert names(shown_to(boris)) == [] and shown_to(boris).in_last_hour == 1
    monkeypatch.setattr(presence.time, "time", lambda: now + 3700)
    assert shown_to(boris).in_last_hour == 0


def test_onlookers_guests_bots_suspended_users_and_who_hides_are_never_here():
    anna = make_player("Anna")
    onlooker = make_mage("Onlooker", "Otto").user
    hidden, suspended, bot = make_player("Hidden"), make_player("Suspended"), make_player("Machine", is_bot=True)
    guest = make_player("Guestie", is_guest=True)
    set_preference(user=hidden, key="presence", value="no")
    suspend_user(user=suspended, by=make_janitor(), reason="Insults.", ends_at=None, now=timezone.now())
    see_people([each.pk for each in (onlooker, hidden, suspended, bot, guest)])
    assert names(shown_to(anna)) == [] and shown_to(anna).in_last_hour == 0
    # Who writes is no onlooker.
    RoomLine.objects.create(writer=onlooker, text="hello", once="1", written_at=timezone.now())
    assert names(shown_to(anna)) == ["Otto"]
    # Who hides sees the others.
    assert set(names(shown_to(hidden))) == {"Anna", "Otto"}


def test_it_says_who_looks_for_a_duel_and_only_the_numbers_of_public_live_battles():
    anna, boris, clara, daria = (make_player(name) for name in ("Anna", "Boris", "Clara", "Daria"))
    seek(boris)
    live = start_fight(clara.mages.get(), make_mage("Rival"), pace="live3")
    start_fight(daria.mages.get(), make_mage("Slowfoe"), pace="day")
    assert [(each.user.username, each.words) for each in shown_to(anna).here] == [
        ("Boris", "looks for a duel"),
        ("Clara", f"in Duel {live.number}"),
        ("Daria", ""),
    ]
    page = read(anna)
    assert "looks for a duel" in page and f'href="/battles/{live.number}/"' in page
    Battle.objects.filter(number=live.number).update(practice=True)
    assert [each.words for each in shown_to(anna).here] == ["looks for a duel", "", ""]


def test_it_says_who_is_a_host_once_a_janitor_has_marked_them():
    anna, boris = make_player("Anna"), make_player("Boris")
    offer_to_host(user=boris, now=timezone.now())
    assert [each.words for each in shown_to(anna).here] == [""]
    mark_host(user=boris, now=timezone.now())
    assert [each.words for each in shown_to(anna).here] == ["host"]


def without_tokens(page):
    return re.sub(r'value="[^"]{16,}"|nonce-[^ ]+', "", page)


@pytest.mark.parametrize("who_blocks", ["the one here", "the reader"])
def test_the_page_is_the_same_whether_or_not_someone_behind_a_block_is_here(who_blocks):
    """Two worlds: in one they are here, look for a duel and write; in the other they don't."""
    anna, boris = make_player("Anna"), make_player("Boris")
    pair = (boris, anna) if who_blocks == "the one here" else (anna, boris)
    block_user(user=pair[0], blocked=pair[1], now=timezone.now())
    client = log_in(anna)

    def look():
        return without_tokens(client.get("/lobby/").content.decode()), client.get("/api/v1/lobby/").json()

    presence._connect(presence.settings.REDIS_URL).flushdb()
    see_people([anna.pk])
    without = look()
    see_people([boris.pk])
    assert look() == without
    seek(boris)
    assert look() == without
    assert describe_today(reader=anna, zone=UTC, now=timezone.now()) is None


def test_visitors_and_guests_learn_nothing_of_who_is_here():
    make_player("Anna")
    for reader in (None, create_guest(now=timezone.now())):
        shown = shown_to(reader)
        assert (shown.here, shown.more_here, shown.in_last_hour) == ((), 0, 0)
        page = read(reader)
        assert "Anna" not in page and "in the last hour" not in page and "People with an account see here" in page


def test_nobody_here_leads_to_who_was_here_today(monkeypatch):
    anna, boris = make_player("Anna"), make_player("Boris")
    at_six = timezone.now().replace(hour=6, minute=30)
    presence._connect(presence.settings.REDIS_URL).flushdb()
    monkeypatch.setattr(presence.time, "time", at_six.timestamp)
    see_people([boris.pk])
    later = at_six.replace(hour=20)
    monkeypatch.setattr(presence.time, "time", later.timestamp)
    assert describe_today(reader=anna, zone=UTC, now=later) == (1, 4, 7)
    assert describe_today(reader=boris, zone=UTC, now=later) is None


def test_one_press_joins_and_who_comes_too_late_is_told():
    anna, boris, clara = make_player("Anna"), make_player("Boris"), make_player("Clara")
    challenge = seek(boris)
    assert f'name="seek" value="{challenge.number}.{challenge.terms_key}"' in read(anna)
    press = {"seek": f"{challenge.number}.{challenge.terms_key}", "mage": "Annam"}
    late = log_in(clara)
    assert "Borism" in told(late.get("/lobby/"))
    assert log_in(anna).post("/lobby/join/", press)["Location"] == f"/battles/{challenge.number}/"
    answer = late.post("/lobby/join/", {**press, "mage": "Claram"}, follow=True)
    assert "Borism's duel is taken. Someone joined a moment before you." in told(answer)
    # The other refusals are those of every page that joins.
    again = seek(clara)
    answer = log_in(anna).post("/lobby/join/", {"seek": f"{again.number}.{again.terms_key}"}, follow=True)
    assert "Annam is in battle" in flat(answer.content.decode())
    for wrong in ({}, {"seek": "x"}, {"seek": "9" * 30}, {"seek": "4711."}, {"stop": "4711"}):
        assert log_in(anna).post("/lobby/join/", wrong).status_code == 404


def test_who_waits_sees_that_and_stops():
    anna = make_player("Anna")
    challenge = seek(anna)
    page = read(anna)
    assert "Annam is looking for a duel." in page and 'name="seek"' not in page
    log_in(anna).post("/lobby/join/", {"stop": str(challenge.number)})
    assert Challenge.objects.get(pk=challenge.pk).status == "withdrawn"
    assert "Nobody is looking for a duel right now." in read(anna)


def test_bots_and_suspended_users_are_not_among_the_seeks_and_visitors_read_them():
    anna, boris = make_player("Anna"), make_player("Boris")
    seek(anna)
    seek(boris)
    suspend_user(user=boris, by=make_janitor(), reason="Insults.", ends_at=None, now=timezone.now())
    page = flat(Client().get("/lobby/").content.decode())
    assert "Annam" in page and "Borism" not in page and "Sign up to play" in page


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_who_press_join_together_one_fights_and_one_is_told():
    players = [make_player(name) for name in ("Anna", "Boris", "Clara")]
    challenge = seek(players[2])
    clients = [log_in(player) for player in players[:2]]

    def press(client, mage):
        return client.post("/lobby/join/", {"seek": f"{challenge.number}.{challenge.terms_key}", "mage": mage})[
            "Location"
        ]

    answers = at_once(lambda: press(clients[0], "Annam"), lambda: press(clients[1], "Borism"))
    assert sorted(map(str, answers)) == [f"/battles/{challenge.number}/", "/lobby/"]
    pages = [told(client.get("/lobby/")) for client in clients]
    assert sum("Claram's duel is taken. Someone joined a moment before you." in page for page in pages) == 1


def test_a_line_is_written_from_the_page_and_by_its_script(people):
    client = log_in(people[0])
    form = {"text": "Look: http://testserver/battles/7/?turn=3 or https://evil.example/", "once": "0123456789abcdef"}
    assert client.post("/lobby/", form)["Location"] == "/lobby/#end"
    assert client.post("/lobby/", {**form, "at_once": "1"}).json() == {"problem": ""}
    assert RoomLine.objects.count() == 1
    refused = client.post("/lobby/", {**form, "text": "x" * 281, "at_once": "1"})
    assert refused.status_code == 422 and "280" in refused.json()["problem"]
    plain = client.post("/lobby/", {**form, "text": "y" * 281})
    assert plain.status_code == 422 and "y" * 281 in plain.content.decode()
    assert Client().post("/lobby/", form)["Location"].startswith("/accounts/login/")
    # A stranger who is logged in reads why they cannot write.
    assert "Confirm your email address to write here." in read(make_player("Newcomer"))


def test_only_addresses_of_this_site_are_links(people, settings):
    settings.FM_SITE_URL = "https://fire.example"
    from challenges.templatetags.room import link_own_pages

    shown = link_own_pages(
        "See https://fire.example/battles/7/?turn=3, (https://fire.example/rules/). <b> https://fire.example.evil/ "
        "https://fire.example@evil.example/ https://evil.example/https://fire.example/ javascript:alert(1) "
        'https://fire.example/"onmouseover="x'
    )
    assert re.findall(r'<a href="([^"]*)">([^<]*)</a>', shown) == [
        ("/battles/7/?turn=3", "Battle 7, turn 3"),
        ("/rules/", "fire.example/rules/"),
        ("/", "fire.example/"),
    ]
    assert "<b>" not in shown and "&lt;b&gt;" in shown and shown.count("<a ") == 3


def test_one_removes_ones_own_line_and_blocks_the_writer_of_another(people):
    anna, boris = people
    now = timezone.now()
    mine, other = (RoomLine.objects.create(writer=each, text=f"by {each}", once="1", written_at=now) for each in people)
    client = log_in(anna)
    client.post("/lobby/line/", {"remove": str(other.pk)})
    client.post("/lobby/line/", {"remove": str(mine.pk)})
    assert "by Anna" not in read(boris) and "by Boris" in read(anna)
    client.post("/lobby/line/", {"block": "Boris"})
    page = read(anna)
    assert "by Boris" not in page and "Lines of users you block are hidden." in page
    assert client.post("/lobby/line/", {"block": "Anna"}).status_code == 404


@pytest.fixture
def people():
    return make_writers("Anna", "Boris")


def test_the_number_of_queries_does_not_depend_on_how_much_there_is():
    anna = make_player("Anna")
    client = log_in(anna)

    def count():
        client.get("/lobby/")
        with CaptureQueriesContext(
            connection,
        ) as seen:
            client.get("/lobby/")
        return len(seen)

    for name in ("Boris", "Clara"):
        seek(make_player(name))
        RoomLine.objects.create(writer=User.objects.get(username=name), text="x", once="1", written_at=timezone.now())
    few = count()
    for number in range(12):
        user = make_player(f"Player{number}")
        seek(user)
        RoomLine.objects.create(writer=user, text="x", once="1", written_at=timezone.now())
    assert count() == few <= 30


def test_a_crowd_is_counted_and_its_first_are_listed():
    anna = make_player("Anna")
    since = timezone.now()
    crowd = User.objects.bulk_create(
        User(username=f"crowd{number:03}", created_at=since, last_active_at=since) for number in range(MOST_HERE + 10)
    )
    RoomLine.objects.bulk_create(RoomLine(writer=each, text="x", once="1", written_at=since) for each in crowd)
    see_people([each.pk for each in crowd])
    shown = shown_to(anna)
    assert len(shown.here) == MOST_HERE and shown.number_here == MOST_HERE + 10
    assert "58 people, 58 in the last hour" in read(anna)


def test_the_talk_by_email_is_chosen_in_the_lobby_too():
    anna = make_user("Anna")
    client = log_in(anna)
    assert '<option value="no" selected>' in client.get("/lobby/").text
    assert client.post("/lobby/by-email/", {"how": "digest"})["Location"] == "/lobby/"
    assert preferences_of(anna)["mail_talk"] == "digest"
    assert '<option value="digest" selected>' in client.get("/lobby/").text
    assert client.post("/lobby/by-email/", {"how": "hourly"}).status_code == 404
    assert 'name="how"' not in log_in(None).get("/lobby/").text
    assert client.get("/lobby/by-email/").status_code == 405


def test_a_flood_of_lines_stops_at_the_door(people):
    client = log_in(people[0])
    form = {"text": "spam", "at_once": "1"}
    answers = [client.post("/lobby/", {**form, "once": f"{number:016x}"}) for number in range(60)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [422] * 50
    assert RoomLine.objects.count() == 10
    with CaptureQueriesContext(connection) as seen:
        client.post("/lobby/", {**form, "once": "f" * 16})
    # The session, its user, and whether the line is written already.
    assert len(seen) == 3


def test_whatever_is_written_is_shown_as_text(people):
    anna, boris = people
    client, reader = log_in(anna), log_in(boris)
    for number, value in enumerate((*VALUES, "</p><script>alert(1)</script>", "{% load x %}", "http://testserver/<b>")):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        status = client.post("/lobby/", {"text": text, "once": f"{number:016x}"}).status_code
        assert status in ((400,) if "\0" in text else (302, 422)), text[:40]
        page = reader.get("/lobby/")
        assert page.status_code == 200 and "<script>alert" not in page.content.decode()
        assert "<b>" not in page.content.decode()
        RoomLine.objects.all().delete()
        cache.clear()


def test_who_waits_for_anyone_sees_their_mage_against_the_next_player():
    anna = make_player("Anna")
    challenge = seek(anna)
    page = read(anna, f"/challenges/{challenge.number}/")
    for words in ("Waiting for an opponent", "You have waited less than a minute.", "the next player"):
        assert words in page
    assert "Waiting for an opponent" not in read(make_player("Boris"), f"/challenges/{challenge.number}/")
