"""Secrets in the rules: two worlds that differ only in what a mage may not know look the same to that mage.

Some things are public by ruling and therefore the same: who owes orders, who moves in an extra turn, what is banked,
and which creatures obey a mage (docs/rulings.md).
"""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from rules_engine import (
    Asks,
    Done,
    KeyedDice,
    Sheet,
    Viewer,
    advance,
    known_beings,
    look,
    open_questions,
    visible_events,
)
from rules_engine.beings import HELD, PERMANENT, SEEN_HELD, Monster
from rules_engine.state import State
from tests.rules_engine.knowledge import Knowledge, everything_for, everything_for_a_spectator, shown_to
from tests.rules_engine.random_play import NAMES, choose_sheet, choose_sheets, new_battle, play_battle, stir

seeds = st.integers(0, 2**32)
RULESETS_TRIED = ("firetop-standard", "firetop-server", "waving-hands", "spellcast", "warlocks", "warlocks-maladroit")


def differences(one: dict[str, object], other: dict[str, object]) -> list[object]:
    return [key for key in one if one[key] != other[key]]


# -- (a) orders that wait with the turn ------------------------------------------------------------------------------


@given(seeds)
def test_pending_orders_are_secret_while_a_turn_waits_for_answers(seed):
    """The secretive mage's sheets differ in everything; another mage still has to answer."""
    rng = random.Random(seed)
    secretive, state, one, other = waiting_worlds(rng)
    event(f"waits for {len(one.state.owing)}")
    assert one.state.owing == other.state.owing
    for mage in state.mages:
        if mage != secretive:
            assert differences(everything_for(one.state, mage), everything_for(other.state, mage)) == []
            assert shown_to(one, mage) == shown_to(other, mage)
    assert everything_for_a_spectator(one.state) == everything_for_a_spectator(other.state)
    assert shown_to(one, None) == shown_to(other, None)
    assert [q for q in one.questions if q.mage != secretive] == [q for q in other.questions if q.mage != secretive]


def waiting_worlds(rng: random.Random) -> tuple[str, State, Asks, Asks]:
    """Two versions of a stopped turn, which differ in one mage's orders."""
    for _ in range(200):
        state = stir(new_battle(rng.randrange(2**32)), rng)
        for wizard in state.wizards.values():
            wizard.marks["permanency"] = wizard.marks["delay"] = 2
            wizard.bank = ("Fireball", rng.choice(state.mages))
        sheets = choose_sheets(state, rng, purpose=1)
        unsaid = {name: without_choices(state, name, sheet) for name, sheet in sheets.items()}
        slow = [name for name in sheets if unsaid[name] != sheets[name]]
        if not slow:
            continue
        secretive = rng.choice([name for name in state.mages if name != slow[0]])
        worlds = []
        for _ in range(2):
            mine = choose_sheet(state, secretive, rng, purpose=0.5)
            worlds.append(advance(state, {**sheets, slow[0]: unsaid[slow[0]], secretive: mine}, KeyedDice("secret")))
        one, other = worlds
        if isinstance(one, Asks) and isinstance(other, Asks) and one.state.owing == other.state.owing:
            return secretive, state, one, other
    raise AssertionError("no turn stops")


def without_choices(state: State, mage: str, sheet: Sheet) -> Sheet:
    """The sheet without its required choices of spell."""
    needed = {q.id for q in open_questions(state, mage, sheet) if q.kind == "choose"}
    for slot in needed:
        sheet = sheet.without(slot)
    return sheet


# -- (b) gestures that nobody saw ------------------------------------------------------------------------------------

HIDING = ("invisible", "outside time", "others blind")
IDLE = Sheet({"LH": "-", "RH": "-"})


def hide(state: State, how: str) -> State:
    """Hide Ayla's gestures from everyone else for some turns."""
    state = state.copy()
    if how == "invisible":
        state.wizards["Ayla"].marks["invisible"] = 5
    elif how == "outside time":
        state.wizards["Ayla"].marks["time_stopped"] = 1
    else:
        for name in state.mages[1:]:
            state.wizards[name].marks["blind"] = 5
    return state


@pytest.mark.parametrize("how", HIDING)
@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(seed=seeds, gestures=st.lists(st.tuples(*[st.sampled_from("FPSWDC-")] * 4), min_size=1, max_size=4))
def test_unseen_gestures_stay_secret_over_several_turns(how, seed, gestures):
    rng = random.Random(seed)
    one = new_battle(seed, rng.choice(RULESETS_TRIED), 2 + seed % 3)
    one = hide(one, how)
    if how == "outside time":
        one = advance(one, dict.fromkeys(one.mages, IDLE), KeyedDice("hidden", one.seq)).state
        assert one.extra == "T"
        gestures = gestures[:1]
    other = one
    heard = [Knowledge(one), Knowledge(other)]
    for left, right, left_too, right_too in gestures:
        sheets = {name: Sheet({**QUIET[rng.randrange(3)]}) for name in one.owing}
        results = [
            advance(world, {**sheets, "Ayla": Sheet({"LH": a, "RH": b})}, KeyedDice("hidden", one.seq))
            for world, a, b in ((one, left, right), (other, left_too, right_too))
        ]
        # Spells and surrenders may be noticed even if unseen; these worlds differ only in gestures.
        assume(all(isinstance(result, Done) and not by_ayla(result) for result in results))
        for mage in one.mages[1:]:
            assert shown_to(results[0], mage) == shown_to(results[1], mage)
        assert shown_to(results[0], None) == shown_to(results[1], None)
        for listeners, before, result in zip(heard, (one, other), results, strict=True):
            listeners.learn(before, result)
        for mage in (None, *one.mages[1:]):
            assert heard[0].explained(mage) == heard[1].explained(mage)
        one, other = results[0].state, results[1].state
        for mage in one.mages[1:]:
            assert differences(everything_for(one, mage), everything_for(other, mage)) == []
        assert everything_for_a_spectator(one) == everything_for_a_spectator(other)


QUIET = ({"LH": "S", "RH": "-"}, {"LH": "-", "RH": "C"}, {"LH": "D", "RH": "F"})


def by_ayla(result: Done) -> bool:
    surrendered = any(told.kind == "surrenders" for told in result.events)
    return surrendered or any(cast.summoner == "Ayla" for cast in result.record.casts)


@pytest.mark.parametrize("how", HIDING)
def test_hidden_gestures_are_seen_only_by_their_mage(how):
    state = hide(new_battle(1, mages=2), how)
    if how == "outside time":
        state = advance(state, dict.fromkeys(state.mages, IDLE), KeyedDice("x")).state
    sheets = {name: Sheet({"LH": "S", "RH": "W"}) for name in state.owing}
    after = advance(state, sheets, KeyedDice("x", state.seq)).state
    assert look(after, Viewer.of("Crom")).mage("Ayla").left[-1] == "?"
    assert look(after, Viewer.spectator()).mage("Ayla").right[-1] == "?"
    assert look(after, Viewer.of("Ayla")).mage("Ayla").left[-1] == "S"


# -- (c) what a view hides -------------------------------------------------------------------------------------------


@given(seeds, st.sampled_from(RULESETS_TRIED))
def test_fields_that_a_view_hides_change_nothing_for_its_viewer(seed, ruleset):
    rng = random.Random(seed)
    for _, stage in play_battle(seed, ruleset, turns=3):
        state = stage.state
        if state.over:
            return
        for mage in state.mages:
            twisted = twist_what_is_hidden(state, mage, random.Random(rng.random()))
            assert differences(everything_for(state, mage), everything_for(twisted, mage)) == []


def twist_what_is_hidden(state: State, viewer: str, rng: random.Random) -> State:
    """Another state that looks the same to this viewer: everything hidden from them is replaced."""
    twisted = state.copy()
    blind = "blind" in state.wizards[viewer].marks
    twisted.created += 3
    twisted.colours = twisted.colours[1:] + twisted.colours[:1]
    for wizard in twisted.wizards.values():
        if wizard.name != viewer:
            twist_orders(twisted, wizard, viewer, rng)
            twist_strings(state, wizard, viewer, blind, rng)
            if blind:
                twist_condition(wizard, viewer, rng)
    if blind:
        twist_creatures(twisted, viewer, rng)
    return twisted


def twist_orders(state: State, wizard, viewer: str, rng: random.Random) -> None:
    others = [name for name in state.mages if name != viewer]
    if wizard.paralyser != viewer:
        wizard.paralyser = rng.choice(others)
        if SEEN_HELD not in wizard.stuck.values():
            wizard.stuck = {rng.choice(("LH", "RH")): HELD}
    if wizard.controller != viewer:
        wizard.controller = rng.choice(others)
        wizard.directed = {rng.choice(("LH", "RH")): rng.choice("FPSWD>")}
    wizard.saving, wizard.permanent = (rng.choice(("LH", "RH", "BH")),), (rng.choice(("LH", "RH")),)
    wizard.says = f"secret {rng.random()}"
    wizard.monster_orders = {f"LH:{viewer}": viewer}
    wizard.targets = {**wizard.targets, rng.choice(("LH", "RH", "BH")): rng.choice(state.mages)}
    wizard.spells = {**wizard.spells, rng.choice(("LH", "RH")): rng.choice(state.ruleset.order)}
    wizard.offers = {"LH": ("Shield", "Amnesia"), "RH": (), "BH": ()}
    wizard.forced = {"LH": ["paralysed", False]}
    wizard.short_bolt_used = not wizard.short_bolt_used
    wizard.surrendered = not wizard.surrendered


def twist_strings(state: State, wizard, viewer: str, blind: bool, rng: random.Random) -> None:
    """Gestures in columns shown as `?`, and the column of a turn that is not yet played."""
    seen = look(state, Viewer.of(viewer)).mage(wizard.name)
    for side in ("left", "right"):
        letters = [rng.choice("FPSWDC>-") if shown == "?" else shown for shown in getattr(seen, side)]
        pending = getattr(wizard, side)[len(state.columns) :]
        setattr(wizard, side, "".join(letters) + "".join(rng.choice("FPSWDC") for _ in pending))
        if wizard.again is not None:
            made = getattr(wizard.again, side)[len(state.columns) :]
            setattr(wizard.again, side, "".join(letters) + "".join(rng.choice("FPSWDC") for _ in made))
    wizard.begun = state.ruleset.book.states_of(wizard.left, wizard.right)


def twist_condition(wizard, viewer: str, rng: random.Random) -> None:
    wizard.hp = rng.randint(1, 15)
    powers_of_viewer = {
        mark for mark, holder in (("paralysed", wizard.paralyser), ("charmed", wizard.controller)) if holder == viewer
    }
    kept = {mark: count for mark, count in wizard.marks.items() if mark in powers_of_viewer}
    for mark in rng.sample(("shielded", "afraid", "fast", "sick", "reflecting", "delay", "confused", "invisible"), 3):
        kept[mark] = rng.choice((1, 2, PERMANENT))
    wizard.marks, wizard.spent = kept, {}


def twist_creatures(state: State, viewer: str, rng: random.Random) -> None:
    """Change creatures in the circle and on the tombstone, and the victims of those that obey the viewer."""
    seen = known_beings(state, viewer, with_dead=True)
    state.monsters = {name: monster for name, monster in state.monsters.items() if monster.controller == viewer}
    state.monsters["MauveGiant"] = Monster("MauveGiant", "Giant", rng.choice([n for n in NAMES if n != viewer]), viewer)
    state.tombstone = ["RedGoblin", "OrangeTroll"]
    for monster in state.monsters.values():
        if monster.controller == viewer:
            monster.hp = rng.randint(1, monster.max_hp)
            monster.marks = {"fast": 2}
            if monster.target not in (*seen, *state.mages):
                monster.target = "MauveGiant"


def find_a_twist(changes: Callable[[State, State], bool]) -> bool:
    for seed in range(60):
        for _, stage in play_battle(seed, turns=3):
            for mage in () if stage.state.over else stage.state.mages:
                if changes(stage.state, twist_what_is_hidden(stage.state, mage, random.Random(seed))):
                    return True
    return False


@pytest.mark.parametrize(
    "changes",
    [
        lambda one, other: one.wizards["Ayla"].hp != other.wizards["Ayla"].hp,
        lambda one, other: set(one.monsters) != set(other.monsters),
        lambda one, other: one.wizards["Crom"].left != other.wizards["Crom"].left,
        lambda one, other: one.wizards["Crom"].paralyser != other.wizards["Crom"].paralyser,
    ],
    ids=["hit points", "creatures", "gestures", "who paralyses"],
)
def test_the_altered_states_do_differ(changes):
    assert find_a_twist(changes)


# -- events ----------------------------------------------------------------------------------------------------------

# The blind learn of a creature that touches them.
FELT = {"strikes", "spell", "reflected", "attack_missed"}


@given(seeds)
def test_the_blind_learn_only_of_creatures_that_obey_or_touch_them(seed):
    for before, stage in play_battle(seed, turns=6):
        for mage in before.mages:
            if "blind" not in before.wizards[mage].marks or "T" in before.extra:
                continue
            known = {*known_beings(before, mage), *known_beings(stage.state, mage)}
            told = stage.events if isinstance(stage, Asks) else before_sight_returns(stage)
            for each in visible_events(told, Viewer.of(mage)):
                named = {value for value in each.facts.values() if isinstance(value, str)}
                strange = (named & (set(before.monsters) | set(stage.state.monsters))) - known
                assert not strange or each.kind in FELT, each


def before_sight_returns(done: Done) -> list:
    """The events before the first spell that may end blindness within the turn."""
    told = list(done.events)
    cures = ("Remove Enchantment", "Dispel Magic")
    ends = [n for n, each in enumerate(told) if each.facts.get("spell") in cures or each.kind == "mage_dies"]
    return told[: ends[0]] if ends else told


@given(seeds)
def test_acts_of_an_invisible_mage_are_never_attributed_to_them(seed):
    for before, stage in play_battle(seed, turns=6):
        for name, wizard in before.wizards.items():
            if "invisible" not in wizard.marks or isinstance(stage, Asks):
                continue
            others = Viewer.of(*[mage for mage in before.mages if mage != name])
            for each in visible_events(before_sight_returns(stage), others):
                if each.facts.get("who") == name:
                    assert each.kind in {"says", "stabs", "sneaks_in", "mage_dies", "mage_leaves", "slips_outside_time"}
