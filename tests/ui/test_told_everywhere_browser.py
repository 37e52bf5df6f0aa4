"""What a turn did to its reader is told everywhere in the same words: on the page, by speech, in the first lines of the
email, on devices and to programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from email_gateway.compose.notices import compose_notice
from notifications.models import Notice
from notifications.push_texts import make_push
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.ui.rendering import client_of
from tests.ui.test_browser import PHONE, battle, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]

REST = "-/-"
# What Froodal and Bung play, turn by turn, and what the site then tells Froodal, whose orders end the last turn.
TURNS: dict[str, tuple[list[str], list[str], str]] = {
    "paralysis": (
        [REST] * 3,
        ["F/-"] * 3,
        "You are paralysed: in turn 4, one of your hands repeats its gesture.",
    ),
    "charm": (
        [REST] * 4,
        ["P/-", "S/-", "D/-", "F/-"],
        "You are charmed: in turn 5, someone else chooses the gesture of one of your hands.",
    ),
    "blindness": ([REST] * 5, ["D/-", "W/-", "F/-", "F/-", "D/D"], "You are blind from turn 6 on."),
    "fizzled spell": (["S/-", "D/-"], [REST, "P/-"], "Your Magic Missile does nothing: Bung's shield stops it."),
    "shield": ([REST, "P/-"], ["S/-", "D/-"], "Your Shield stops Bung's Magic Missile."),
    "creature": (["S/-", "F/-", "W/-"], [REST] * 3, r"\w+Goblin obeys you and strikes Bung."),
}


# What is forced on me, what I do in vain, and what obeys me; the others only in the long run.
OFTEN = ("charm", "fizzled spell", "creature")


@pytest.mark.parametrize(
    "name", [name if name in OFTEN else pytest.param(name, marks=pytest.mark.slow) for name in TURNS]
)
def test_what_happens_to_me_is_told_by_every_road(name: str, visit: Callable[..., Any], transactional_db: None) -> None:
    mine, theirs, sentence = TURNS[name]
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(zip(mine[:-1], theirs[:-1], strict=True))
    froodal = fight.user("Froodal")
    page = visit(battle(fight), froodal, **PHONE)
    fight.order("Bung", theirs[-1])
    page.reload()
    page.fill("#line", mine[-1])
    page.click("#ready")
    page.wait_for_selector(f"#call >> text=Turn {len(mine) + 1}")

    assert page.locator("#call .played").inner_text() == f"Turn {len(mine)} is played"
    assert "Your move." in page.locator(".call-more").inner_text()
    wanted = re.compile(rf"(^|\. |\n){sentence}")
    opened = page.locator("#story > .sums > .sum > span").all_text_contents()
    assert wanted.search("\n".join(" ".join(each.split()) for each in opened))
    assert "Nobody is hurt" not in page.content()
    announced = page.locator("#announcer").text_content()
    assert wanted.search(announced), announced
    assert page.locator("[data-result] .sum").first.is_visible(), "on a phone it stands in the place of the keys"

    notice = Notice.objects.filter(user=froodal, kind="turn_resolved").latest("pk")
    mail = compose_notice(kind=notice.kind, facts=notice.facts, user=froodal)
    first = " ".join(mail.text.split("\n\n")[1].split())
    assert wanted.search(first), first
    preheader = re.search(r'<div style="display:none;[^"]*">([^<]*)</div>', mail.html)[1].replace("&#x27;", "'")
    assert wanted.search(preheader), preheader
    assert wanted.search(make_push(notice).text)

    summary = client_of(froodal).get(f"/api/v1/battles/{fight.number}/").json()["summary"]
    assert wanted.search(summary["text"])
    told = [line for line in summary["lines"] if re.match(sentence, f"{line['bold']} {line['rest']}".strip())]
    assert [(line["open"], line["works"]) for line in told] == [(True, name != "fizzled spell")]


def test_a_player_who_comes_back_reads_first_what_the_turn_did(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    page = visit(battle(fight), fight.user("Froodal"), **PHONE)
    assert page.locator(".pads").is_visible()
    fight.turn("W/W", ">/-")
    page.goto("/rules/")
    page.goto(battle(fight))
    assert page.inner_text("[data-result] .sum >> nth=0 >> span >> nth=0") == "You lose 1: Bung stabs you. You have 14."
    assert not page.locator(".pads").is_visible()
    page.click("text=Play turn 2")
    assert page.locator(".pads").is_visible()
    page.reload()
    assert page.locator(".pads").is_visible()


def test_without_scripts_the_story_of_the_last_turn_stands_above_the_keys_of_a_phone(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("F/P", "S/S"), ("F/S", "F/D"), ("F/W", "W/W")])
    page = visit(battle(fight), fight.user("Froodal"), **PHONE, java_script_enabled=False)
    told, keys = (page.locator(each).first.bounding_box() for each in ("#story > .sums", ".pads"))
    assert told["y"] + told["height"] <= keys["y"]
    assert page.locator("#story > .sums > .sum").count() == 3
