"""Pictures: positions as SVG and PNG, battles as GIF, cards for links. They show what anyone may see."""

import io
import re
from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image

from tests.challenges.conftest import make_challenge
from tests.duels.fights import start_fight
from tests.duels.long_fights import lengthen
from tests.scenes import log_in, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]

BLIND = [("D/-", "-/-"), ("W/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-"), ("D/D", "-/-")]


def fetch(path, user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer


def position(fight, seq, kind="svg"):
    return f"/battles/{fight.number}/replay/{seq}/position.{kind}"


def open_image(answer):
    return Image.open(io.BytesIO(answer.content))


@pytest.fixture
def blinded(db):
    """Bung is blind in turn 6, in which Froodal snaps and waves; turn 7 is played, and turn 8 is open."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([*BLIND, ("S/W", "-/-"), ("D/F", "F/S")])
    return fight


def test_a_position_is_one_svg_that_needs_nothing_else_and_says_what_it_shows(duel):
    duel.turns([("S/W", "-/-"), ("D/W\nTARGET LH Bung", "-/F")])
    answer = fetch(position(duel, 2))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.content)
    title = drawing.find("{http://www.w3.org/2000/svg}title").text
    assert "Bung: 14 of 15 hit points" in title and "after turn 2" in title
    words = [each.text for each in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Froodal", "Bung", "14 of 15 hit points", "Magic Missile"} <= set(words)
    assert "href" not in answer.content.decode()


def test_a_position_is_a_png_of_the_size_that_links_show(duel):
    duel.turn("S/W", "-/-")
    drawn = open_image(fetch(position(duel, 1, "png")))
    assert (drawn.format, drawn.size) == ("PNG", (1200, 630))
    assert len(drawn.convert("RGB").getcolors()) > 10


def test_pictures_of_a_running_battle_show_what_every_mage_sees_no_matter_who_asks(blinded):
    for kind in ("svg", "png"):
        seen = {
            name: fetch(position(blinded, 6, kind), blinded.user(name) if name else None).content
            for name in ("Froodal", "Bung", None)
        }
        assert len(set(seen.values())) == 1
    drawing = fetch(position(blinded, 6), blinded.user("Froodal")).content.decode()
    assert ">S</text>" not in drawing and drawing.count(">?</text>") == 2


def test_after_the_end_pictures_show_everything_and_not_what_was_cached_before(blinded):
    before = fetch(position(blinded, 6, "png")).content
    blinded.turn("P/P", "-/-")
    assert blinded.battle.is_over
    after = fetch(position(blinded, 6)).content.decode()
    assert ">S</text>" in after and ">?</text>" not in after
    assert fetch(position(blinded, 6, "png")).content != before


def test_a_finished_battle_is_animated(blinded):
    gif = f"/battles/{blinded.number}/battle.gif"
    assert Client().get(gif).status_code == 404
    blinded.turn("P/P", "-/-")
    moving = open_image(fetch(gif))
    assert (moving.format, moving.n_frames, moving.size) == ("GIF", 8, (600, 315))


def test_a_battle_that_is_over_has_a_poster_with_every_turn_in_words_too(blinded):
    poster = f"/battles/{blinded.number}/poster/"
    assert Client().get(poster).status_code == 404
    blinded.turn("P/P", "-/-")
    page = fetch(poster).content.decode()
    for seq in range(1, 9):
        assert f'src="{position(blinded, seq)}"' in page and f"after turn {seq}. Froodal: 15 of 15 hit points" in page


def test_a_picture_of_the_whole_battle_takes_the_same_queries_at_any_length(db):
    counts = []
    for turns in (10, 40):
        fight = lengthen(start_fight(make_mage(f"Froodal{turns}"), make_mage(f"Bung{turns}")), turns)
        fight.turn("P/P", "P/-")
        gif = f"/battles/{fight.number}/battle.gif"
        fetch(gif)
        with CaptureQueriesContext(connection) as asked:
            fetch(gif)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 8


def test_pictures_are_the_same_from_the_cache(duel):
    duel.turn("S/W", "-/-")
    cache.clear()
    drawn, kept = fetch(position(duel, 1, "png")).content, fetch(position(duel, 1, "png")).content
    assert drawn == kept and drawn.startswith(b"\x89PNG")


def test_missing_turns_battles_and_mages_have_no_pictures(duel):
    duel.turn("S/W", "-/-")
    missing = (position(duel, 2), position(duel, 2, "png"), "/battles/98765/replay/1/position.svg")
    missing += ("/battles/98765/card.png", "/battles/98765/battle.gif", "/mages/Nobody/card.png")
    assert {Client().get(path).status_code for path in missing} == {404}


def card_of(page):
    found = re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page)
    return dict(found)


def test_a_players_home_has_no_card(duel):
    client = log_in(duel.user("Froodal"))
    page = client.get("/").content.decode()
    assert f'href="/battles/{duel.number}/"' in page and not card_of(page)


def test_every_battle_turn_mage_and_challenge_has_a_card_with_a_picture_that_is_there(duel, settings):
    fresh = card_of(fetch(f"/battles/{duel.number}/").content.decode())
    duel.turns([("S/W", "-/-"), ("D/W", "-/F")])
    challenge = make_challenge(make_mage("Crom"))
    cards = {
        path: card_of(fetch(path).content.decode())
        for path in (
            f"/battles/{duel.number}/",
            f"/battles/{duel.number}/replay/1/",
            "/mages/Froodal/",
            f"/challenges/{challenge.number}/",
        )
    }
    for path, card in [(f"/battles/{duel.number}/", fresh), *cards.items()]:
        assert card["url"] == f"{settings.FM_SITE_URL}{path}"
        assert card["title"] and card["description"] and card["image:alt"]
        assert card["image"].startswith(settings.FM_SITE_URL)
        drawn = open_image(fetch(card["image"].removeprefix(settings.FM_SITE_URL)))
        assert (drawn.format, drawn.size) == ("PNG", (1200, 630))
    assert fresh["image"].endswith("card.png")
    assert cards[f"/battles/{duel.number}/"]["image"].endswith("/replay/2/position.png")


def test_the_card_of_a_running_battle_is_the_same_for_its_players_and_for_strangers(blinded):
    for path in (f"/battles/{blinded.number}/", f"/battles/{blinded.number}/replay/6/"):
        cards = [
            card_of(fetch(path, blinded.user(name) if name else None).content.decode())
            for name in ("Froodal", "Bung", None)
        ]
        assert cards[0] == cards[1] == cards[2] and cards[0]
