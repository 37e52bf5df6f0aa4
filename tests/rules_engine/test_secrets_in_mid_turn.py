"""A turn that stops for answers holds the others' orders: they must stay secret."""

import random

import pytest

from rules_engine import (
    Asks,
    Done,
    KeyedDice,
    Sheet,
    Viewer,
    advance,
    look,
    new_duel,
    read_orders,
    read_state,
    visible_events,
    write_state,
)
from rules_engine.state import State


def play(state: State, *orders: str) -> Asks | Done:
    sheets = {mage: read_orders(state, mage, text).sheet for mage, text in zip(state.owing, orders, strict=True)}
    return advance(state, sheets, KeyedDice("secret", state.seq))


def play_all(turns: str) -> State:
    """Play one turn for each line, with Ayla's orders before the bar."""
    state = new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("secret"))
    for turn in turns.strip().splitlines():
        state = play(state, *(orders.replace(";", "\n") for orders in turn.split("|"))).state
    return state


# Ayla learns Delay Effect (left) and charms Crom (right); the next turn will stop for Crom's answer.
BEGINNING = """
D/- | -/-
W/- | -/-
S/P | -/-
S/S | -/-
S/D; TARGET RH nobody | -/-
P/F; CHOOSE LH Delay Effect | -/-
"""


@pytest.mark.parametrize("secret", ["S/S", "D/S\nDELAY LH", "S/P\nDELAY RH\nTARGET RH Crom", "P/W\nDELAY BH"])
def test_nobody_sees_in_mid_turn_what_another_has_ordered(secret: str) -> None:
    state = play_all(BEGINNING)
    plain = play(state, "-/-\nDIRECT LH P Crom", "D/-")
    told = play(state, f"{secret}\nDIRECT LH P Crom", "D/-")
    assert isinstance(plain, Asks)
    assert isinstance(told, Asks)
    for viewer in (Viewer.of("Crom"), Viewer.spectator()):
        assert look(told.state, viewer) == look(plain.state, viewer)
        assert look(told.state, viewer) == look(read_state(write_state(told.state)), viewer)
        assert visible_events(told.events, viewer) == visible_events(plain.events, viewer)
    assert told.questions == plain.questions


def test_an_order_to_fire_is_secret_in_mid_turn() -> None:
    state = play_all(BEGINNING)
    banked = play(state, "P/-\nDELAY LH", "-/-").state
    for gesture in "-PSDF":
        banked = play(banked, f"-/{gesture}\nTARGET RH nobody", "-/-").state if gesture != "F" else banked
    charmed = play(banked, "-/F", "-/-").state
    plain = play(charmed, "-/-\nDIRECT LH P Crom", "D/-")
    fired = play(charmed, "-/-\nFIRE\nDIRECT LH P Crom", "D/-")
    assert isinstance(fired, Asks)
    assert look(fired.state, Viewer.of("Crom")) == look(plain.state, Viewer.of("Crom"))
    assert look(fired.state, Viewer.of("Crom")).mage("Ayla").banked == ("Shield", "Ayla")
    done = advance(fired.state, {"Crom": Sheet()}, KeyedDice("secret", fired.state.seq))
    assert look(done.state, Viewer.of("Crom")).mage("Ayla").banked is None


def test_a_spent_power_is_gone_when_the_turn_is_over() -> None:
    state = play_all(BEGINNING)
    done = play(state, "-/-\nDELAY LH", "-/-")
    assert isinstance(done, Done)
    marks = {enchantment.mark for enchantment in look(done.state, Viewer.of("Crom")).mage("Ayla").enchantments}
    assert "delay" not in marks


def test_random_orders_leave_no_trace_in_mid_turn() -> None:
    state = play_all(BEGINNING)
    rng = random.Random(5)
    views = set()
    for _ in range(60):
        left, right = rng.choice("FPSWD>-"), rng.choice("FSWD>-")
        orders = f"{left}/{right}\nDIRECT LH P Crom\n" + rng.choice(["", "DELAY LH", "DELAY RH", "SAY boo"])
        result = play(state, orders, "D/-")
        assert isinstance(result, Asks)
        views.add(repr((look(result.state, Viewer.of("Crom")), visible_events(result.events, Viewer.of("Crom")))))
    assert len(views) == 1
