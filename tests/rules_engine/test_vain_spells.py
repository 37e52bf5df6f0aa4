"""Spells that do nothing as things stand: the words, and that it is true if the others do nothing."""

import random

import pytest

from rules_engine import Asks, KeyedDice, Sheet, Viewer, Warning, advance, find_warnings, look, open_questions, preview
from rules_engine.beings import PERMANENT
from rules_engine.positions import set_up
from rules_engine.rulesets import EDITIONS
from rules_engine.state import State
from tests.rules_engine.random_play import choose_sheet
from tests.rules_engine.test_dangers import random_position


def warn(text: str, *lines: str) -> list[Warning]:
    return [each for each in find_warnings(set_up(text), "Ayla", Sheet.from_lines(lines)) if each.idle]


def position(*, me: str = "15", left: str, right: str, foe: str = "15", rules: str = "firetop-standard") -> str:
    made = "-" * len(left)
    hands = f"left {left}\nright {right}"
    return f"ruleset {rules}\nmage Ayla {me}\n{hands}\nmage Crom {foe}\nleft {made}\nright {made}\n"


def test_a_cure_at_full_hit_points_is_said_to_cure_only_what_is_lost_this_turn():
    (cure,) = warn(position(left="-DF", right="---"), "LH W", "RH -")
    assert cure.message == (
        "As things stand, Cure Light Wounds does nothing: you have all 15. It cures only what you lose this turn."
    )
    assert (cure.code, cure.about, cure.hand, cure.severe, cure.odd) == (
        "does_nothing",
        "Cure Light Wounds",
        "LH",
        False,
        False,
    )
    assert not warn(position(me="14", left="-DF", right="---"), "LH W", "RH -")


def test_warlocks_cure_one_point_more_and_before_harm():
    text = position(me="15", left="-DF", right="---", rules="warlocks")
    assert not warn(text, "LH W", "RH -")
    (cure,) = warn(text.replace("Ayla 15", "Ayla 16"), "LH W", "RH -")
    assert cure.message == "As things stand, Cure Light Wounds does nothing: you have all 16. Cures come before harm."


def test_a_heavy_cure_heals_a_disease_even_at_full_hit_points():
    text = position(left="-DFP", right="----")
    assert warn(text, "LH W", "RH -")
    state = set_up(text)
    state.wizards["Ayla"].marks["sick"] = 3
    assert not find_warnings(state, "Ayla", Sheet({"LH": "W", "RH": "-"}))


def test_there_is_no_creature_to_charm():
    (charm,) = warn(position(left="PSD", right="---"), "LH D", "RH -")
    assert charm.message == "Charm Monster will do nothing: there’s no creature here."
    with_goblin = position(left="PSD", right="---") + "creature Goblin 1 of Crom at Ayla\n"
    (charm,) = warn(with_goblin, "LH D", "RH -", "TARGET LH Crom")
    assert charm.message == "Charm Monster will do nothing: Crom isn’t a creature."
    (goblin,) = set_up(with_goblin).monsters
    assert not warn(with_goblin, "LH D", "RH -", f"TARGET LH {goblin}")
    assert not warn(with_goblin, "LH D", "RH -", "TARGET LH LH:Crom")


@pytest.mark.parametrize(
    ("turns", "why"),
    [("1", "Crom is shielded."), ("3", "Crom is protected for 3 more turns."), ("permanent", "Crom is protected.")],
)
def test_a_missile_and_a_dagger_meet_a_protection(turns, why):
    text = position(left="-S", right="--", foe=f"15\nhas shielded {turns}")
    missile, stab = warn(text, "LH D", "RH >")
    assert missile.message == f"As things stand, Magic Missile does nothing: {why}"
    assert (stab.hand, stab.about) == ("RH", "Stab")
    assert not warn(text, "LH -", "RH -")


def test_a_counter_spell_stops_a_summons_of_the_same_mage():
    text = position(left="-SF", right="-WW")
    (goblin,) = warn(text, "LH W", "RH S")
    assert goblin.message == "Your Counter Spell will stop your own Summon Goblin."
    assert not warn(text, "LH W", "RH S", "TARGET RH Crom")


def test_a_dispel_magic_stops_every_other_spell_of_the_same_turn():
    text = position(left="CDP", right="CSF")
    (goblin,) = warn(text, "LH W", "RH W")
    assert goblin.message == "Your Dispel Magic will stop your own Summon Goblin."


@pytest.mark.parametrize("rules", ["firetop-standard", "waving-hands", "spellcast", "warlocks"])
def test_two_different_mind_spells_on_one_mage_undo_each_other(rules):
    text = position(left="-DP", right="-SW", rules=rules)
    found = warn(text, "LH P", "RH D", "CHOOSE LH Amnesia")
    if rules == "spellcast":  # targets are chosen later
        assert not found
        return
    assert [each.message for each in found] == [
        "Your Amnesia will do nothing: your Fear on the same being undoes it.",
        "Your Fear will do nothing: your Amnesia on the same being undoes it.",
    ]


def test_a_paralysis_gives_way_to_another_mind_spell_in_firetop_alone():
    text = position(left="-FF", right="-SW")
    (paralysis,) = warn(text, "LH F", "RH D")
    assert paralysis.message == "Your Paralysis will do nothing: it gives way to your Fear."
    assert len(warn(text.replace("firetop-standard", "waving-hands"), "LH F", "RH D")) == 2


def test_a_second_paralysis_in_the_next_turn_is_not_warned_of():
    text = position(left="-FF", right="---", foe="15\nhas paralysed by Ayla")
    assert not warn(text, "LH F", "RH -")


def test_there_is_nothing_to_remove():
    lines = ("LH P", "RH -", "CHOOSE LH Remove Enchantment")
    (removal,) = warn(position(left="PDW", right="---"), *lines)
    assert removal.message == (
        "As things stand, Remove Enchantment does nothing: Crom is under no enchantment. It removes only what comes"
        " this turn."
    )
    assert not warn(
        position(left="PDW", right="---", foe="15\nhas shielded 2"), "LH P", "RH -", "CHOOSE LH Remove Enchantment"
    )


def test_a_creature_without_a_victim_is_named():
    text = position(left="---", right="---") + "creature Goblin 1 of Ayla\n"
    (idle,) = warn(text, "LH -", "RH -")
    assert (idle.code, idle.hand) == ("idle_creature", "")
    assert idle.message.endswith("attacks nobody. It stands idle this turn unless you choose a victim.")
    (goblin,) = set_up(text).monsters
    assert not warn(text, "LH -", "RH -", f"TARGET {goblin} Crom")


def test_a_creature_whose_last_victim_died_is_named_with_the_reason():
    state = set_up(
        position(left="---", right="---") + "mage Vale 5\nleft ---\nright ---\ncreature Ogre 2 of Ayla at Vale"
    )
    state.wizards["Vale"].phase, state.out = "dead", ["Vale"]
    (idle,) = [each for each in find_warnings(state, "Ayla", Sheet({"LH": "-", "RH": "-"})) if each.idle]
    assert idle.follows == "Its last target, Vale, is dead. It stands idle this turn unless you choose a victim."


def test_the_preview_of_a_page_and_the_receipt_of_an_order_say_the_same():
    state = set_up(position(left="-DF", right="---"))
    sheet = Sheet({"LH": "W", "RH": "-"})
    assert preview(state, "Ayla", sheet).warnings == find_warnings(state, "Ayla", sheet)


def test_what_a_mage_may_not_know_changes_no_warning():
    """An opponent's orders, and the enchantments and creatures that a blind mage does not see."""
    state = set_up(position(me="15\nhas blind 2", left="-S", right="DF", foe="15"))
    other = state.copy()
    other.wizards["Crom"].hp = 4
    other.wizards["Crom"].marks["shielded"] = PERMANENT
    sheet = Sheet({"LH": "D", "RH": "W"})
    assert look(state, Viewer.of("Ayla")) == look(other, Viewer.of("Ayla"))
    assert find_warnings(state, "Ayla", sheet) == find_warnings(other, "Ayla", sheet)


# -- played out -------------------------------------------------------------------------------------------------------


def fates(state: State) -> object:
    mages = {name: (wizard.hp, wizard.marks, wizard.phase, wizard.bank) for name, wizard in state.wizards.items()}
    monsters = {name: (each.hp, each.marks, each.controller) for name, each in state.monsters.items()}
    return mages, monsters


def play(state: State, sheet: Sheet) -> State:
    """Play a turn in which only Ayla does anything; the first answer counts for what is asked later."""
    nothing = Sheet({"LH": "-", "RH": "-"})
    sheets = {name: sheet if name == "Ayla" else nothing for name in state.owing}
    for _ in range(8):
        result = advance(state, sheets, KeyedDice("test"))
        state = result.state
        if not isinstance(result, Asks):
            return state
        sheets = {name: Sheet() for name in state.owing}
        for name in sheets:
            for question in open_questions(state, name, sheets[name]):
                options = [option.value for option in question.options if option.allowed]
                if question.required or question.kind in ("paralyze", "charm"):
                    sheets[name] = sheets[name].merged(Sheet({question.id: options[0]}))
    raise AssertionError("never stops asking")


@pytest.mark.parametrize(("name", "edition"), EDITIONS)
def test_what_is_said_to_do_nothing_does_nothing_if_the_others_do_nothing(name, edition):
    found = 0
    for seed in range(150):
        rng = random.Random(seed)
        state = random_position(seed, name, edition)
        for wizard in state.wizards.values():
            wizard.hp = rng.choice((3, wizard.max_hp + state.ruleset.rules.hit_point_surplus))
            for mark in rng.sample(("sick", "poisoned", "invisible", "shielded"), 2):
                if rng.random() < 0.3:
                    wizard.marks[mark] = rng.choice((2, 3, 4))
        sheet = choose_sheet(state, "Ayla", rng, purpose=1.0)
        hands = {each.hand for each in find_warnings(state, "Ayla", sheet) if each.code == "does_nothing"}
        if not hands:
            continue
        found += 1
        without = Sheet({slot: value for slot, value in sheet.slots.items() if slot.split()[-1] not in hands})
        idle = {"LH": "-", "RH": "-"} if "BH" in hands else dict.fromkeys(hands, "-")
        lacking = Sheet({"LH": sheet.left, "RH": sheet.right, **without.slots, **idle})
        assert fates(play(state, sheet)) == fates(play(state, lacking)), (seed, sheet, hands)
    assert found, "nothing was warned of"
