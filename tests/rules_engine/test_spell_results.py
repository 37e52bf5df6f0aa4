"""What came of a spell, in one answer for each viewer: whether it did anything, and the sentence that says so."""

from hypothesis import given
from hypothesis import strategies as st

from rules_engine import (
    KeyedDice,
    Learnt,
    Memory,
    Result,
    State,
    Viewer,
    advance,
    get_ruleset,
    look,
    read_orders,
    sum_up_spell,
)
from rules_engine.records import judge_casts
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.records.fates import COUNTERED, FAILED, SHIELDED
from tests.rules_engine.random_play import new_battle, play_battle
from tests.rules_engine.staged_turns import AYLA, CROM, Stage

ROUNDS = {
    "missile": (("S/-", "-/-"), ("D/-", "-/-")),
    "missile on a shield": (("S/-", "-/-"), ("D/-", "P/-")),
    "missile at a mirror": (("S/-", "C/C"), ("D/-", "w/w")),
    "cure for nobody": (("D/-", "-/-"), ("F/-", "-/-"), ("W/-", "-/-")),
}


def recall(
    rounds: tuple[tuple[str, str], ...], viewer: Viewer, state: State | None = None
) -> tuple[Memory, list[Learnt]]:
    """Play these rounds of Ayla and Crom; return a viewer's memory of it, and the spells that they saw leave a hand."""
    state, memory = state or new_battle(1, mages=2), Memory(viewer)
    for place, orders in enumerate(rounds):
        sheets = {
            mage: read_orders(state, mage, text.upper()).sheet for mage, text in zip(state.mages, orders, strict=True)
        }
        done = advance(state, sheets, KeyedDice("results", place))
        memory.learn(state.seq, state.label, done.events)
        state = done.state
    return memory, [each for each in memory if each.event.kind == "casts"]


def result_of(spell: str, rounds: str, me: str = "Ayla") -> Result:
    memory, casts = recall(ROUNDS[rounds], Viewer.of(me))
    return sum_up_spell(memory, next(each for each in casts if each.event.facts["spell"] == spell), me)


def test_a_spell_that_hits_is_told_by_what_it_cost() -> None:
    assert result_of("Magic Missile", "missile") == Result(
        True, "Crom loses 1 hit point to Magic Missile.", "FM-MISSILE-2", "Crom"
    )
    assert result_of("Magic Missile", "missile", "Crom").text == "You lose 1 hit point to Magic Missile."


def test_a_spell_that_a_shield_stops_did_nothing_and_says_why() -> None:
    result = result_of("Magic Missile", "missile on a shield")
    assert not result.worked
    assert result.text.startswith("Your Magic Missile did nothing: a shield surrounded Crom (FM-MISSILE-3)")
    assert result.clause == "FM-MISSILE-3"
    assert result_of("Shield", "missile on a shield").worked


def test_a_mirror_worked_although_the_spell_that_it_sent_back_met_another_one() -> None:
    """FM-CHARMM-3: the Fear and the Charm Monster are lost in Crom's mind; the mirror is not."""
    stage = Stage(get_ruleset("firetop-standard"))
    before = stage.state
    stage.turn((AYLA, "Magic Mirror", AYLA), (CROM, "Fear", AYLA, "LH"), (CROM, "Charm Monster", CROM, "RH"))
    memory = Memory(Viewer.of(AYLA))
    memory.learn(before.seq, before.label, stage.events)
    casts = {str(each.event.facts["spell"]): each for each in memory if each.event.kind == "casts"}
    mirror = sum_up_spell(memory, casts["Magic Mirror"], AYLA)
    assert mirror.worked
    assert "mirror" in mirror.text
    assert not any(sum_up_spell(memory, casts[lost], AYLA).worked for lost in ("Fear", "Charm Monster"))


def test_a_cure_for_someone_unhurt_did_nothing() -> None:
    result = result_of("Cure Light Wounds", "cure for nobody")
    assert not result.worked
    assert "did nothing" in result.text


def test_a_spell_that_a_mirror_turns_back_did_something() -> None:
    result = result_of("Magic Missile", "missile at a mirror")
    assert result.worked
    assert "You lose 1 hit point" in result.text


def test_a_viewer_who_sees_no_effect_is_not_told_that_there_was_none() -> None:
    state = new_battle(1, mages=2)
    state.wizards["Crom"].marks["blind"] = 3
    rounds = (("-/-", "S/-"), ("-/-", "D/-"))
    memory, casts = recall(rounds, Viewer.of("Crom"), state)
    assert look(state, Viewer.of("Crom")).mage("Ayla").hp is None
    assert [sum_up_spell(memory, each, "Crom") for each in casts] == [Result(True, "", "FM-MISSILE-2", "Ayla")]


@given(st.integers(0, 2**32), st.sampled_from(("firetop-standard", "waving-hands", "spellcast", "warlocks")))
def test_a_spell_that_did_nothing_is_one_that_the_statistics_count_as_lost(seed: int, ruleset: str) -> None:
    memory, turns = Memory(Viewer.all_seeing()), dict[int, PlayedTurn]()
    for before, stage in play_battle(seed, ruleset):
        memory.learn(before.seq, before.label, stage.events)
        told = turns[before.seq].stage_events if before.seq in turns else ()
        turns[before.seq] = PlayedTurn(before.label, before.seq, before, stage.state, (*told, stage.events))
    judged = judge_casts(Chronicle((), tuple(turns.values())))
    casts = (each for each in memory if each.event.kind == "casts")
    for cast, found in zip(casts, judged, strict=True):
        assert sum_up_spell(memory, cast).worked or found.fate in (COUNTERED, FAILED, SHIELDED)


def test_a_shield_counts_what_it_stops_and_the_missile_says_that_it_is_stopped() -> None:
    shield = result_of("Shield", "missile on a shield")
    assert (shield.stops, shield.is_stopped) == (1, False)
    missile = result_of("Magic Missile", "missile on a shield")
    assert (missile.stops, missile.is_stopped) == (0, True)
    assert not result_of("Cure Light Wounds", "cure for nobody").is_stopped
    assert result_of("Magic Mirror", "missile at a mirror").stops == 1


def test_a_shield_counts_a_stab_and_a_strike_too() -> None:
    memory, casts = recall((("S/-", "S/-"), ("F/-", "F/-"), ("W/-", "D/-"), ("D/>", "P/-")), Viewer.of("Ayla"))
    shield = next(each for each in casts if each.event.facts["spell"] == "Shield")
    # The goblin, and the dagger.
    assert sum_up_spell(memory, shield, "Ayla").stops == 2


def test_a_summons_names_its_creature_and_whom_it_obeys() -> None:
    memory, casts = recall((("S/-", "-/-"), ("F/-", "-/-"), ("W/-", "-/-")), Viewer.of("Ayla"))
    found = sum_up_spell(memory, casts[0], "Ayla")
    assert found.creature.endswith("Goblin") and found.master == "Ayla"
