"""What others show of the site: icons, the previews of links with a drawn board, robots.txt and the site map."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from PIL import Image

from challenges.services.play_now import play_bot
from duels.models import Battle
from fm_site.management.commands.draw_icons import FOLDER
from studies.tasks import count_finished_battles
from tests.bots import bring_bots
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.django_db
PROPERTY = re.compile(r'<meta property="og:(\w+)" content="([^"]*)">')


def read_card(path: str) -> dict[str, str]:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return dict(PROPERTY.findall(answer.text))


def open_picture(address: str) -> Any:
    answer = Client().get(address.removeprefix(settings.FM_SITE_URL))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png"), address
    return Image.open(BytesIO(answer.content))


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/rules/", "/rules/warlocks/", "/ladder/", "/learn/", "/learn/hands/1/", "/puzzles/", "/classics/"),
        *("/classics/froodal-vs-bung/", "/classics/froodal-vs-bung/3/", "/mages/Froodal/", "/users/Froodal_user/"),
    ],
)
def test_a_link_to_a_page_shows_a_drawn_board(path: str) -> None:
    bring_bots(now=timezone.now())
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "W/S")
    fight.turn("D/P", "P/P")
    card = read_card(path)
    assert card["title"] and card["description"] and card["url"] == f"{settings.FM_SITE_URL}{path}"
    assert open_picture(card["image"]).size == (1200, 630)


def test_the_picture_of_a_user_is_the_board_of_their_latest_battle() -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "P/P")
    assert Battle.objects.get().is_over
    count_finished_battles()
    for path in ("/users/Froodal_user/", "/mages/Bung/"):
        assert f"/battles/{fight.number}/replay/1/position.png" in read_card(path)["image"]


def test_the_card_of_a_battle_shows_its_position_from_the_start() -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.order("Froodal", "S/W")
    before = open_picture(read_card(f"/battles/{fight.number}/")["image"])
    blank = open_picture("/cards/ladder.png")
    assert before.size == (1200, 630) and before.tobytes() != blank.tobytes()
    fight.order("Bung", "W/P")
    assert open_picture(read_card(f"/battles/{fight.number}/")["image"]).tobytes() != before.tobytes()


def test_the_card_of_a_battle_shows_no_orders_that_are_sealed() -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    address = read_card(f"/battles/{fight.number}/")["image"]
    before = open_picture(address).tobytes()
    fight.order("Froodal", "S/W")
    assert open_picture(address).tobytes() == before
    own = log_in(fight.user("Froodal")).get(address.removeprefix(settings.FM_SITE_URL))
    assert Image.open(BytesIO(own.content)).tobytes() == before


@pytest.mark.parametrize("path", ["/cards/nothing.png", "/learn/hands/99/card.png", "/puzzles/7/card.png"])
def test_there_is_no_picture_of_what_does_not_exist(path: str) -> None:
    assert Client().get(path).status_code == 404


def test_robots_are_kept_from_accounts_and_links_and_find_the_site_map() -> None:
    text = Client().get("/robots.txt").text
    assert "Disallow: /accounts/\n" in text and "Disallow: /challenges/\n" in text
    assert f"Sitemap: {settings.FM_SITE_URL}/sitemap.xml" in text


def test_every_page_of_the_site_map_is_open_to_strangers_and_none_names_a_user() -> None:
    bring_bots(now=timezone.now())
    fight = play_bot(mage=make_mage("Froodal"), strength="Apprentice", now=timezone.now())
    root = ElementTree.fromstring(Client().get("/sitemap.xml").content)
    paths = [re.sub(r"^https?://[^/]+", "", each.text or "") for each in root.iter() if each.tag.endswith("loc")]
    assert {"/", "/rules/", "/learn/hands/1/", "/classics/froodal-vs-bung/"} <= set(paths)
    assert [path for path in paths if Client().get(path).status_code != 200] == []
    closed = re.findall(r"Disallow: (/[\w-]+/)\n", Client().get("/robots.txt").text)
    assert not any(path.startswith(tuple(closed)) for path in paths if path != "/api/docs/")
    assert not any("Froodal_user" in path or str(fight.number) + "/proof" in path for path in paths)


def test_the_icons_are_those_that_the_command_draws(tmp_path: Path) -> None:
    call_command("draw_icons", to=tmp_path)
    drawn = sorted(tmp_path.iterdir())
    assert [each.name for each in drawn] == sorted(each.name for each in FOLDER.iterdir() if each.suffix != ".svg")
    for each in drawn:
        assert Image.open(each).tobytes() == Image.open(FOLDER / each.name).tobytes(), each.name


def test_the_manifest_and_pages_name_the_icons_and_colours() -> None:
    icons = Client().get("/manifest.webmanifest").json()["icons"]
    assert {(each["sizes"], each.get("purpose")) for each in icons} >= {
        *(("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"))
    }
    page = Client().get("/").text
    assert 'rel="apple-touch-icon"' in page
    assert re.findall(r'name="theme-color" content="(#\w+)" media="\(prefers-color-scheme: (\w+)\)"', page) == [
        *(("#EDF1EF", "light"), ("#0E1413", "dark"))
    ]
    user = make_mage("Froodal").user
    user.theme = "dark"
    user.save()
    assert re.findall(r'name="theme-color" content="(#\w+)">', log_in(user).get("/").text) == ["#0E1413"]
    icon = Client().get("/favicon.ico")
    assert icon.status_code == 302 and icon["Location"].endswith(".ico")
