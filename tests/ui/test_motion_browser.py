"""The reveal of a turn: what moves and sounds, in which order, and that both can be off."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage
from tests.services.saved_scenes import SavedScene
from tests.ui.test_browser import SELDOM, battle, choose, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]
DESK = {"viewport": {"width": 1280, "height": 800}}
# What moves (selector → begin and end in milliseconds), as the reveal begins; then it stands still to be looked at.
WATCH = """() => document.getElementById('battle').addEventListener('turn:revealed', () => {
  window.moving = {};
  for (const each of document.getAnimations()) {
    const { delay, duration } = each.effect.getTiming();
    (moving[each.animationName] ??= []).push([delay, delay + duration, each.effect.target.className || 'i']);
  }
  window.points = [...document.querySelectorAll('.hp b')].map((each) => each.textContent);
})"""
# Notes each sound: the milliseconds after the reveal, and the pitch.
HEAR = """
  window.heard = [];
  window.AudioContext = class {
    currentTime = 0;
    destination = {};
    resume() { return Promise.resolve(); }
    createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} }; }
    createOscillator() {
      const note = { frequency: { setValueAtTime(pitch) { note.pitch = pitch; }, exponentialRampToValueAtTime() {} } };
      return Object.assign(note, {
        connect: (other) => other,
        start: (at) => heard.push([performance.now() - window.begun, note.pitch, at]),
        stop: (at) => { window.longest = Math.max(window.longest ?? 0, at); },
      });
    }
  };
"""
BEGIN = (
    "document.getElementById('battle').addEventListener('turn:revealed', () => { begun = performance.now(); }, true)"
)


@pytest.fixture
def duel(transactional_db: None, saved_duel: SavedScene[Fight]) -> Fight:
    fight = saved_duel.begin()
    fight.turns([("S/-", "F/S")])
    return fight


def reveal(page: Any, duel: Fight, froodal: str = "D/-", bung: str = "-/D") -> None:
    """Play a turn in which a missile hits each mage."""
    duel.order("Bung", bung)
    choose(page, *froodal.split("/"))
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")
    page.wait_for_selector("#state[data-stage^='3.']", state="attached")


def test_beads_turn_and_fill_then_ticks_empty_strings_move_and_sentences_appear(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.evaluate(WATCH)
    reveal(page, duel)
    moving = page.evaluate("moving")
    assert {tuple(each[:2]) for each in moving["turn-over"]} == {(300, 540)} and len(moving["turn-over"]) == 4
    assert {tuple(each[:2]) for each in moving["fill-in"]} == {(540, 660)}
    assert {tuple(each[:2]) for each in moving["empty"]} == {(660, 700)} and len(moving["empty"]) == 2
    assert {tuple(each[:2]) for each in moving["move-in"]} == {(900, 1140)}
    faded = {each[2].split()[0]: each[:2] for each in moving["fade-in"]}
    assert faded["under"] == [540, 660]
    assert faded["story-lines"] == faded["did"] == [1140, 1260]
    assert page.evaluate("points") == ["15", "15"]
    assert page.evaluate("document.activeElement.id") == "call"
    page.wait_for_selector("#battle:not(.revealing)")
    assert page.locator(".hp b").all_inner_texts() == ["14", "14"]


@pytest.mark.parametrize("how", ["tap", pytest.param("key", marks=SELDOM)])
def test_any_key_or_tap_shows_the_end_at_once(visit: Callable[..., Any], duel: Fight, how: str) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.evaluate(
        """(how) => document.getElementById('battle').addEventListener('turn:revealed', () => setTimeout(() => {
          const key = new KeyboardEvent('keydown', { key: 'Shift', bubbles: true });
          document.body.dispatchEvent(how === 'key' ? key : new PointerEvent('pointerdown', { bubbles: true }));
          window.left = [document.querySelectorAll('.revealing').length, document.querySelector('.hp b').textContent];
        }))""",
        how,
    )
    reveal(page, duel)
    page.wait_for_timeout(100)
    assert page.evaluate("left") == [0, "14"]


@pytest.mark.parametrize("by", ["device", "account"])
def test_with_little_motion_everything_is_there_at_once(visit: Callable[..., Any], duel: Fight, by: str) -> None:
    options = {"reduced_motion": "reduce"} if by == "device" else {}
    page = visit(battle(duel), duel.user("Froodal"), **DESK, **options)
    if by == "account":
        page.evaluate("document.getElementById('battle').dataset.motion = 'no'")
    page.evaluate(WATCH)
    reveal(page, duel)
    assert page.evaluate("moving") == {}
    assert page.evaluate("points") == ["14", "14"]


def test_until_the_next_choice_the_cell_beside_each_hand_says_what_its_spell_did(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    reveal(page, duel)
    mine, theirs = page.locator("#mage-Froodal-LH .did"), page.locator("#mage-Bung-RH .did")
    assert " ".join(mine.inner_text().split()) == "Magic Missile on Bung"
    assert " ".join(theirs.inner_text().split()) == "Magic Missile on you"
    assert not page.locator("#mage-Froodal-LH .hint").is_visible()
    choose(page, "S", "W")
    mine.wait_for(state="hidden")
    assert page.locator("#mage-Froodal-LH .hint").is_visible()


@pytest.mark.parametrize(
    ("rounds", "last", "told"),
    [
        ([("-/-", "S/-")], ("P/-", "D/-"), ["Shield stops 1 attack", "Magic Missile is stopped"]),
        ([("S/-", "-/-"), ("F/-", "-/-")], ("W/-", "-/-"), [r"\w+Goblin obeys you"]),
        ([("-/-", "F/-"), ("-/-", "F/-")], ("-/-", "F/-"), ["Paralysis on you"]),
    ],
)
def test_the_cell_says_in_words_what_came_of_the_spell(
    visit: Callable[..., Any], transactional_db: None, rounds: Any, last: tuple[str, str], told: list[str]
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([*rounds, last])
    page = visit(battle(fight), fight.user("Froodal"), **DESK)
    cells = " | ".join(" ".join(each.split()) for each in page.locator(".did").all_text_contents())
    assert all(re.search(each, cells) for each in told), cells


def test_a_turn_knocks_and_then_sounds_like_its_first_sentence(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit("/rules/", duel.user("Froodal"), **DESK)
    page.add_init_script(HEAR)
    page.goto(battle(duel))
    page.evaluate("document.getElementById('battle').dataset.sounds = 'all'")
    page.evaluate(BEGIN)
    reveal(page, duel)
    page.wait_for_timeout(1500)
    heard = page.evaluate("heard")
    assert [pitch for _, pitch, _ in heard][:1] == [180]
    assert 500 < heard[0][0] < 900
    assert len(heard) <= 3
    assert page.evaluate("longest") < 0.3


@pytest.mark.parametrize("sounds", ["turn", pytest.param("off", marks=SELDOM)])
def test_a_turn_is_silent_unless_all_sounds_are_wanted(visit: Callable[..., Any], duel: Fight, sounds: str) -> None:
    page = visit("/rules/", duel.user("Froodal"), **DESK)
    page.add_init_script(HEAR)
    page.goto(battle(duel))
    page.evaluate("sounds => { document.getElementById('battle').dataset.sounds = sounds; }", sounds)
    reveal(page, duel)
    page.wait_for_timeout(1500)
    assert page.evaluate("heard") == []


def test_my_turn_sounds_if_another_mage_resolved_it(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit("/rules/", duel.user("Froodal"), **DESK)
    page.add_init_script(HEAR)
    page.goto(battle(duel))
    page.evaluate("document.getElementById('battle').dataset.sounds = 'turn'")
    duel.turn("D/-", "-/D")
    page.wait_for_selector("#state[data-stage^='3.']", state="attached")
    page.wait_for_timeout(300)
    assert [pitch for _, pitch, _ in page.evaluate("heard")] == [523, 784]
