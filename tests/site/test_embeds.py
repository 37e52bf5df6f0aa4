"""Replays and posters in the frames of other sites: pages that know no visitor. Everything else cannot be framed."""

import re
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from tests.duels.fights import start_fight
from tests.html import flat
from tests.scenes import log_in, make_mage
from tests.site.test_addresses import TO_ALL, TO_USERS, list_plain_pages
from tests.site.test_hostile_requests import VALUES, as_bytes

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TURNS = [("S/W", "P/F"), ("D/-", "-/-"), ("P/P", "-/-")]


@pytest.fixture
def over():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(TURNS)
    assert fight.battle.is_over
    return fight


def list_embeds(fight):
    n, seq = fight.number, fight.battle.turns.order_by("seq").first().seq
    return [f"/embed/battles/{n}/", f"/embed/battles/{n}/{seq}/", f"/embed/battles/{n}/poster/"]


def may_be_framed(answer):
    policy = answer.headers.get("Content-Security-Policy", "")
    return "X-Frame-Options" not in answer.headers or "frame-ancestors 'none'" not in policy


def test_embeds_may_be_framed_by_anyone_and_have_no_scripts_and_forms(over):
    for place in list_embeds(over):
        answer = Client().get(place)
        assert answer.status_code == 200, place
        assert "X-Frame-Options" not in answer.headers
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors *" in policy and "default-src 'none'" in policy and "form-action 'none'" in policy
        assert "script-src" not in policy
        page = answer.content.decode()
        assert "<script" not in page and "<form" not in page and "style=" not in page
        assert "public" in answer.headers["Cache-Control"]
        # Links leave the frame, except those to other turns.
        for tag in re.findall("<a [^>]+>", page):
            assert 'target="_blank" rel="noopener"' in tag or 'href="/embed/' in tag, tag


def test_a_page_is_the_same_for_everyone_and_no_cookie_is_read_or_set(over):
    """Two worlds: logged in and not, with a language and a theme of one's own and without."""
    froodal = over.user("Froodal")
    User.objects.filter(pk=froodal.pk).update(theme="dark", language="de")
    mine, odd = log_in(froodal), Client()
    for name in (settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_NAME):
        odd.cookies[name] = "de"
    for place in [*list_embeds(over), f"{list_embeds(over)[1]}position.svg", oembed(f"/battles/{over.number}/")]:
        answers = [client.get(place) for client in (Client(), mine, odd)]
        assert {answer.content for answer in answers} == {answers[0].content}, place
        for answer in answers:
            assert not answer.cookies and "Cookie" not in answer.headers.get("Vary", ""), place
            assert answer.headers["Content-Language"] == "en"
    # It logs nobody out.
    assert mine.get("/accounts/mages/").status_code == 200


def test_nothing_else_may_be_framed(over):
    n = over.number
    places = [*list_plain_pages(TO_ALL), "/nothing/", "/embed/battles/4711/", "/embed/", f"/embed/battles/{n}/999/"]
    places += [f"/battles/{n}/", f"/battles/{n}/poster/", f"/battles/{n}/replay/1/", "/users/Froodal_user/"]
    mine = log_in(over.user("Froodal"))
    found = {place for place in places if may_be_framed(Client().get(place))}
    found |= {place for place in list_plain_pages(TO_USERS) if may_be_framed(mine.get(place))}
    assert {place for place in found if not place.startswith("/api/v1/events/")} == set()


def test_a_replay_shows_what_pictures_show_with_links_to_other_turns(over):
    first, last = (
        flat(Client().get(list_embeds(over)[1]).content.decode()),
        flat(Client().get(list_embeds(over)[0]).content.decode()),
    )
    assert f"Duel {over.number}: Froodal against Bung" in last and "Turn 3 of 3." in last
    assert "<span>Next</span>" in last and ">Back</a>" in last
    assert "Turn 1 of 3." in first and "<span>Back</span>" in first and ">Next</a>" in first
    picture = re.search(r'<img src="([^"]+)"', last)
    assert picture and picture[1].startswith(f"/embed/battles/{over.number}/")
    drawn = Client().get(picture[1])
    assert drawn.status_code == 200 and drawn.headers["Content-Type"] == "image/svg+xml"
    poster = Client().get(list_embeds(over)[2]).content.decode()
    assert poster.count("<img") == 3


def test_a_running_battle_shows_finished_turns_only_and_nothing_pending():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    n = fight.number
    assert Client().get(f"/embed/battles/{n}/").status_code == 404
    fight.turn("S/W", "P/F")
    before = Client().get(f"/embed/battles/{n}/").content
    fight.order("Froodal", "D/F")
    # Two worlds: with and without pending orders.
    assert Client().get(f"/embed/battles/{n}/").content == before
    assert log_in(fight.user("Froodal")).get(f"/embed/battles/{n}/").content == before
    for place in (f"/embed/battles/{n}/poster/", f"/embed/battles/{n}/{fight.battle.seq}/"):
        assert Client().get(place).status_code == 404


def oembed(path, **more):
    query = "".join(f"&{key}={value}" for key, value in more.items())
    return f"/oembed/?url={quote(settings.FM_SITE_URL + path, safe='')}{query}"


def test_oembed_says_how_to_embed_our_own_addresses(over):
    n = over.number
    seq = over.battle.turns.order_by("seq").first().seq
    for path, frame in (
        (f"/battles/{n}/", f"/embed/battles/{n}/"),
        (f"/battles/{n}/replay/", f"/embed/battles/{n}/"),
        (f"/battles/{n}/replay/{seq}/", f"/embed/battles/{n}/{seq}/"),
        (f"/battles/{n}/poster/", f"/embed/battles/{n}/poster/"),
        (f"/embed/battles/{n}/{seq}/", f"/embed/battles/{n}/{seq}/"),
    ):
        answer = Client().get(oembed(path))
        told = answer.json()
        assert (told["version"], told["type"], told["provider_name"]) == ("1.0", "rich", "Firetop Mountain")
        assert f'<iframe src="{settings.FM_SITE_URL}{frame}" ' in told["html"], path
        assert told["title"] == f"Duel {n}: Froodal against Bung"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Content-Type"] == "application/json"
        assert Client().get(frame).status_code == 200
    small = Client().get(oembed(f"/battles/{n}/", maxwidth=300, maxheight=250)).json()
    assert (small["width"], small["height"]) == (300, 250) and 'width="300" height="250"' in small["html"]


def test_oembed_knows_no_other_address(over):
    n = over.number
    for url in (
        f"https://evil.example/battles/{n}/",
        f"{settings.FM_SITE_URL}@evil.example/battles/{n}/",
        f"{settings.FM_SITE_URL}.evil.example/battles/{n}/",
        f"javascript:/battles/{n}/",
        f"{settings.FM_SITE_URL}/battles/4711/",
        f"{settings.FM_SITE_URL}/battles/{n}/replay/999/",
        f"{settings.FM_SITE_URL}/users/Froodal_user/",
        f"{settings.FM_SITE_URL}/battles/{n}/chat/",
        f"/battles/{n}/",
        "http://[",
        "",
    ):
        assert Client().get(f"/oembed/?url={quote(url, safe='')}").status_code == 404, url
    for value in VALUES:
        assert Client().get(f"/oembed/?url={quote(as_bytes(value))[:3000]}").status_code in (400, 404)
        answer = Client().get(oembed(f"/battles/{n}/") + f"&maxwidth={quote(as_bytes(value))[:3000]}")
        assert answer.status_code in (200, 400) and "evil" not in answer.content.decode()
    assert Client().get(oembed(f"/battles/{n}/", format="xml")).status_code == 501
    assert Client().get("/oembed/").status_code == 404


def test_pages_of_battles_lead_to_it(over):
    n = over.number
    for path in (f"/battles/{n}/", f"/battles/{n}/replay/1/", f"/battles/{n}/poster/"):
        page = Client().get(path, follow=True).content.decode()
        found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page)
        assert found, path
        assert Client().get(found[1]).status_code == 200
    quiet = start_fight(make_mage("Ayla"), make_mage("Crom"))
    assert "oembed" not in Client().get(f"/battles/{quiet.number}/").content.decode()
