"""The first weeks: all lessons, a puzzle, a friend who comes by a link, and a mage who dies."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from studies.lesson_tasks import LESSONS
from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.page_list import PASSWORD, send_orders, settle
from tests.journeys.secrets_used import Secrets
from tests.services.axe import list_faults
from tests.services.plugin import LONG
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
PUZZLES = Path(__file__).parents[2] / "studies" / "puzzles.jsonl"
# Finger of Death: it takes eight turns, and nothing but the right spell stops it.
FINGER_OF_DEATH = "PWPFSSSD"


def order(page: Any, lines: list[str], *, scripted: bool) -> None:
    """Give these orders by clicking: gestures first, then the choices that the page offers for them."""
    hands = dict(line.split(" ", 1) for line in lines if line[:2] in ("LH", "RH"))
    for hand, gesture in sorted(hands.items(), key=lambda pair: pair[1] != "C"):
        page.locator(f"label.key:has(input[name={hand}][value='{gesture}'])").click()
    others = [line for line in lines if line[:2] not in ("LH", "RH")]
    if others and not scripted:
        page.get_by_role("button", name="Preview").click()
    for line in others:
        words = line.split(" ")
        # Which hand an enchantment takes is asked of its victim; everything else is asked of a hand.
        slot = f"{words[0]} {words[2]}" if words[0] == "PARALYZE" else " ".join(words[:2])
        choice = page.locator(f"[data-slot='{slot}']")
        choice.wait_for(state="attached")
        if not choice.is_visible():
            # On a phone the keys make room for the choices.
            page.locator("[data-switch]").click()
        answer(choice, line)
    page.locator("#ready").click(force=True)


def answer(choice: Any, line: str) -> None:
    """Choose the card with this order line, or the option of a list."""
    card = choice.locator(f"input[value='{line}']")
    if card.count():
        card.check()
    else:
        (choice.locator("select") if choice.evaluate("each => each.matches('.cards')") else choice).select_option(line)


def list_lines(solution: str) -> list[str]:
    first, *others = solution.splitlines()
    left, right = first.split("/")
    return [f"LH {left}", f"RH {right}", *others]


@pytest.mark.parametrize(("size", "scripted"), [(PHONE, True), (DESKTOP, False)], ids=["phone", "desktop-no-scripts"])
def test_a_stranger_solves_all_lessons(stack: Stack, browser: Any, size: dict[str, int], scripted: bool):
    context = browser.new_context(viewport=size, java_script_enabled=scripted)
    page = context.new_page()
    page.goto(f"{stack.url}/learn/")
    page.get_by_role("link", name="Start lesson 1").click()
    # The short count solves the lessons up to the one about creatures, and the first without scripts;
    # tests/studies/test_lessons.py solves them all without a browser.
    lessons = LESSONS if LONG else LESSONS[: 6 if scripted else 1]
    for lesson in lessons:
        for step, task in enumerate(lesson.tasks, 1):
            page.wait_for_url(
                re.compile(rf"/learn/{lesson.slug}/{step}/" if step > 1 else rf"/learn/{lesson.slug}/(1/)?$")
            )
            order(page, list_lines(task.solution), scripted=scripted)
            solved = page.get_by_role("heading", name="Solved")
            if task.solution == "P/P":
                # Two palms are a surrender, which the page asks about once more.
                page.locator("input[name=confirmed]").wait_for(state="attached")
                page.locator("#ready").click(force=True)
            solved.wait_for()
            page.get_by_role("link", name="Continue").click()
        page.wait_for_url(re.compile(rf"/learn/{lesson.slug}/done/"))
        if lesson is not LESSONS[-1]:
            page.get_by_role("link", name=re.compile("^Start lesson")).click()
    if lessons == LESSONS:
        page.get_by_role("link", name="Play a duel").wait_for()
        page.goto(f"{stack.url}/learn/")
        page.get_by_text("You have solved them all.").wait_for()
    context.close()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(PHONE, "dark", id="phone"),
        pytest.param(DESKTOP, "light", id="desktop", marks=pytest.mark.slow),
    ],
)
def test_a_stranger_solves_a_puzzle(stack: Stack, browser: Any, size: dict[str, int], scheme: str):
    written = [json.loads(line) for line in PUZZLES.read_text(encoding="utf-8").splitlines()]
    number, puzzle = next((n, each) for n, each in enumerate(written, 1) if each["kind"] == "win")
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{stack.url}/learn/")
    page.get_by_role("link", name="All puzzles").click()
    page.get_by_role("link", name=re.compile(rf"puzzle\s+{number}\b")).click()
    page.wait_for_url(re.compile(rf"/puzzles/{number}/"))
    order(page, ["LH -", "RH -"], scripted=True)
    page.get_by_text("This answer defeats it:").wait_for()
    assert list_faults(page, of_any_severity=True) == []
    order(page, puzzle["solutions"][0].splitlines(), scripted=True)
    page.get_by_role("heading", name="Solved").wait_for()
    assert list_faults(page, of_any_severity=True) == []
    page.get_by_role("link", name="Solve another").click()
    page.wait_for_url(lambda address: f"/puzzles/{number}/" not in address)
    context.close()


def test_a_friend_follows_the_link_and_both_are_in_a_live_battle(stack: Stack, secrets_used: Secrets, browser: Any):
    contexts = [browser.new_context(viewport=size) for size in (DESKTOP, PHONE)]
    host, friend = (BrowserPlayer(context.new_page(), stack.url, secrets_used) for context in contexts)
    host.sign_up("Reader_host", email="reader.host@example.org", password=PASSWORD)
    host.register_mage("Hostmage")
    host.open("/play/")
    assert list_faults(host.page, of_any_severity=True) == []
    host.page.get_by_role("button", name="Create link").click()
    address = host.page.locator("#link").input_value()
    secrets_used.note("link", address.rstrip("/").rpartition("/")[2])
    friend.page.goto(address)
    friend.page.get_by_text("Or sign up and join").click()
    friend.page.get_by_label("Your name").fill("Reader_friend")
    friend.page.get_by_label("Mage's name").fill("Friendmage")
    friend.page.get_by_label("Email").fill("reader.friend@example.org")
    friend.page.get_by_label("Password").fill(secrets_used.note("password", PASSWORD))
    friend.page.get_by_role("button", name="Sign up and join").click()
    # Both are there without doing anything more: the host's page of the link has become the battle.
    for player in (friend, host):
        player.page.wait_for_url(re.compile(r"/battles/\d+/"))
        player.page.wait_for_selector("#state", state="attached")
    assert friend.page.url == host.page.url
    assert host.faults == [] and friend.faults == []
    for context in contexts:
        context.close()


def test_a_user_who_loses_a_mage_sees_why_and_begins_again(stack: Stack, browser: Any):
    killer, victim = (settle(stack, f"Reader_{mage}", mage) for mage in ("Slayer", "Doomed"))
    number = killer.make_challenge("Slayer", against="Doomed", stakes="ladder")
    victim.answer(number, "accept")
    for turn, gesture in enumerate(FINGER_OF_DEATH, 1):
        last = turn == len(FINGER_OF_DEATH)
        # The victim has ordered already when the turn is played, and sees its end later.
        send_orders(victim, number, line="-/-")
        send_orders(killer, number, line=f"{gesture}/-" + ("; CHOOSE LH Finger Of Death" if last else ""))
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(f"{stack.url}/accounts/login/")
    page.locator("[name=login]").fill("Reader_Doomed")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(lambda address: "/login/" not in address)
    page.get_by_role("link", name=re.compile("See what happened")).click()
    page.wait_for_url(re.compile(r"/mages/Doomed/end/"))
    assert "Finger Of Death" in page.locator("main").inner_text()
    for size, scheme in ((PHONE, "light"), (DESKTOP, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert list_faults(page, of_any_severity=True) == []
    page.locator("input[name=name]").fill("Undoomed")
    page.get_by_role("button", name="Begin again").click()
    page.wait_for_url(lambda address: "/end/" not in address)
    assert "Undoomed" in page.goto(f"{stack.url}/accounts/mages/").text()
    context.close()
