"""Atom feeds: valid, bounded, the same for everyone, and without anything hidden."""

import xml.etree.ElementTree as ET
from datetime import datetime, timedelta

import feedparser
import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from challenges.services.retire_mages import leave_site
from operations.models import Announcement
from studies.tasks import count_finished_battles
from tests.duels.fights import changed_state, start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import log_in, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ATOM = "{http://www.w3.org/2005/Atom}"
SITE, PLAYER, BATTLES, NEWS = "/feeds/", "/feeds/users/Anna.atom", "/feeds/battles.atom", "/feeds/announcements.atom"
TURNS = [("S/-", "P/-"), ("D/-", "-/-"), ("-/-", "P/P")]


@pytest.fixture
def site():
    froodal, bung = make_mage("Froodal", "Anna"), make_mage("Bung", "Boris")
    fights = [start_fight(froodal, bung) for _ in range(0)]
    for _ in range(2):
        fight = start_fight(froodal, bung)
        fight.turns(TURNS)
        fights.append(fight)
    fights.append(start_fight(froodal, bung))
    fights[-1].turn("W/-", "W/-")
    count_finished_battles()
    cache.clear()
    return fights


def read(address, client=None, **headers):
    return (client or Client()).get(address, headers=headers)


def parse(answer):
    """Return the feed, after the checks of RFC 4287 (sections 4.1.1 and 4.1.2), and those of a parser of feeds."""
    as_readers_have_it(answer)
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("application/atom+xml")
    root = ET.fromstring(answer.content)
    assert root.tag == f"{ATOM}feed" and root.find(f"{ATOM}author/{ATOM}name").text
    for part in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            (found,) = part.findall(f"{ATOM}{name}")
            assert found.text and found.text.strip(), name
        assert datetime.fromisoformat(part.find(f"{ATOM}updated").text).tzinfo is not None
        assert part.find(f"{ATOM}id").text.startswith("http")
        links = part.findall(f"{ATOM}link")
        assert [each for each in links if each.get("rel", "alternate") == "alternate" and each.get("href")]
    assert [each for each in root.findall(f"{ATOM}link") if each.get("rel") == "self"]
    ids = [each.find(f"{ATOM}id").text for each in root.findall(f"{ATOM}entry")]
    assert len(ids) == len(set(ids))
    return root


def as_readers_have_it(answer):
    """Return the feed as programs that read feeds have it, if they find nothing wrong with it."""
    sent = {name.lower(): value for name, value in answer.headers.items()}
    read = feedparser.parse(answer.content, response_headers={**sent, "content-location": "https://site.example/"})
    assert not read.bozo and read.version == "atom10" and read.encoding == "utf-8", read.get("bozo_exception")
    assert read.feed.updated_parsed and read.feed.title and read.feed.link and read.feed.author
    for entry in read.entries:
        assert entry.updated_parsed and entry.title and entry.link and entry.id, entry
        assert entry.updated_parsed <= read.feed.updated_parsed
    return read


def titles(answer):
    return [entry.find(f"{ATOM}title").text for entry in parse(answer).findall(f"{ATOM}entry")]


def test_the_feeds_of_a_player_and_of_the_site_list_finished_battles(site):
    first, second, running = (fight.number for fight in site)
    expected = [f"Duel {second}: Froodal beat Bung", f"Duel {first}: Froodal beat Bung"]
    assert titles(read(PLAYER)) == expected and titles(read("/feeds/users/Boris.atom")) == expected
    assert titles(read(BATTLES)) == expected
    for address in (PLAYER, BATTLES):
        text = read(address).content.decode()
        assert str(running) not in "".join(titles(read(address))) and f"/battles/{running}/" not in text
        assert f"/battles/{first}/" in text and "It ended after 3 turns." in text
    assert titles(read("/feeds/users/anna.atom")) == expected
    for nobody in ("Nobody", "Froodal", "x" * 50):
        assert read(f"/feeds/users/{nobody}.atom").status_code == 404


def test_a_feed_reader_has_the_titles_words_and_links_of_battles(site):
    for address in (PLAYER, BATTLES):
        read_by_program = as_readers_have_it(read(address))
        entries = [(entry.title, entry.summary, entry.link) for entry in read_by_program.entries]
        link = "/battles/{}/".format
        assert [entry[0] for entry in entries] == [f"Duel {n}: Froodal beat Bung" for n in numbers_of(site)]
        assert all("It ended after 3 turns." in entry[1] for entry in entries)
        assert all(entry[2].endswith(link(n)) for entry, n in zip(entries, numbers_of(site), strict=True))


def numbers_of(site):
    """The finished battles, the newest first."""
    return [fight.number for fight in reversed(site[:-1])]


def test_an_unchanged_feed_is_not_sent_again(site):
    for address in (PLAYER, BATTLES, NEWS):
        first = read(address)
        assert "public" in first.headers["Cache-Control"] and "max-age" in first.headers["Cache-Control"]
        again = read(address, **{"if-none-match": first.headers["ETag"]})
        assert again.status_code == 304 and not again.content, address
        cache.clear()
        assert read(address).headers["ETag"] == first.headers["ETag"], "drawn again, it is the same"
        assert read(address, **{"if-none-match": '"old"'}).status_code == 200


def test_a_feed_is_the_same_for_everyone_and_knows_no_cookie(site):
    mine = log_in(User.objects.get(username="Anna"))
    for address in (PLAYER, BATTLES, NEWS):
        answers = [read(address), read(address, mine), read(address)]
        assert len({answer.content for answer in answers}) == 1
        assert not any(answer.cookies for answer in answers)
        assert "Cookie" not in answers[1].headers.get("Vary", "")


def test_entries_are_bounded_and_their_queries_too(site, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr("fm_site.pages.feeds.MOST_ENTRIES", 1)
    for address in (PLAYER, BATTLES):
        with django_assert_max_num_queries(6):
            assert len(titles(read(address))) == 1


def test_pending_orders_and_words_change_no_feed(site):
    before = {address: read(address).content for address in (PLAYER, BATTLES, NEWS)}
    site[-1].order("Froodal", "D/F\nSAY secret")
    cache.clear()
    assert {address: read(address).content for address in before} == before


def test_no_user_who_left_is_named(site):
    with changed_state(site[-1].battle) as state:
        state.wizards["Bung"].hp = 1
    site[-1].turns([("S/-", "-/-"), ("D/-", "-/-")])
    boris = User.objects.get(username="Boris")
    leave_site(user=boris, now=timezone.now())
    cache.clear()
    count_finished_battles()
    assert read("/feeds/users/Boris.atom").status_code == 404
    boris.refresh_from_db()
    for address in (PLAYER, BATTLES):
        text = read(address).content.decode()
        assert "Boris" not in text and boris.username not in text and "Bung" in text


def test_announcements_are_listed_once_they_begin_unless_withdrawn():
    now, jane = timezone.now(), make_janitor("Jane")
    for text, starts, withdrawn in (
        ("A cup begins & <b>ends</b> \u202enext week.\nSign up.", now - timedelta(hours=2), None),
        ("Over long ago", now - timedelta(days=40), None),
        ("Not yet", now + timedelta(hours=2), None),
        ("A mistake", now - timedelta(hours=1), now),
    ):
        Announcement.objects.create(
            text=text, written_by=jane, starts_at=starts, until=starts + timedelta(days=3), withdrawn_at=withdrawn
        )
    cache.clear()
    answer = read(NEWS)
    assert titles(answer) == ["A cup begins & <b>ends</b> [U+202E]next week. Sign up.", "Over long ago"]
    assert "Jane" not in answer.content.decode()
    parse(answer)
    (first, *_rest) = as_readers_have_it(answer).entries
    assert (first.title, first.title_detail.type) == (titles(answer)[0], "text/plain"), "tags are text to a reader"


def test_pages_lead_to_their_feeds(site):
    for page, address in (("/users/Anna/", PLAYER), ("/battles/", BATTLES), ("/status/", NEWS)):
        text = Client().get(page).content.decode()
        assert f'<link rel="alternate" type="application/atom+xml" href="{address}"' in text, page
    assert "atom+xml" not in Client().get("/users/Nobody/").content.decode()
    make_user("Carl")
    assert titles(read("/feeds/users/Carl.atom")) == [] and titles(read(NEWS)) == []
