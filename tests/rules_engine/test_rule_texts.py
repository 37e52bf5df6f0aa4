"""Every sentence of every spell's text is played: a number changed in the engine or in a text makes this fail.

A check belongs to sentences as they are printed. A text with an unknown sentence fails.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import pytest

from rules_engine import RULESETS, effects, summoning
from rules_engine.beings import NO_MASTER, NOBODY, PERMANENT
from rules_engine.minds import MIND_SPELLS
from rules_engine.rulebook import write_sentences
from rules_engine.rulebook.words import WORDS
from rules_engine.rulesets import Ruleset
from rules_engine.steps import results
from tests.rules_engine.staged_turns import AYLA, CROM, DARA, FIRE, GOBLIN, ICE, Stage

Check = Callable[[Ruleset, str], None]
CHECKS: dict[tuple[str, str], Check] = {}
TROLL, GIANT, OGRE = "BlueTroll", "BlueGiant", "BlueOgre"
SHOWN = [name for name, ruleset in RULESETS.items() if ruleset.offered] + ["firetop-server"]
TEXTS = [(name, spell) for name in SHOWN for spell in RULESETS[name].order]
GOBLINS = {"Goblin": 1, "Ogre": 2, "Troll": 3, "Giant": 4}


def says(spells: str, *sentences: str) -> Callable[[Check], Check]:
    """The check plays what these sentences say in the texts of these spells (separated by " | ")."""

    def register(check: Check) -> Check:
        for spell in spells.split(" | "):
            for sentence in sentences:
                assert (spell, sentence) not in CHECKS, (spell, sentence)
                CHECKS[spell, sentence] = check
        return check

    return register


@pytest.mark.parametrize(("name", "spell"), TEXTS)
def test_a_spells_text_says_what_the_engine_does(name: str, spell: str) -> None:
    sentences = write_sentences(RULESETS[name], spell)
    assert sentences
    assert [text for text in sentences if (spell, text) not in CHECKS] == [], "write a check that plays these"
    # One check may play several sentences.
    for check, text in {CHECKS[spell, text]: text for text in sentences}.items():
        try:
            check(RULESETS[name], spell)
        except AssertionError as error:
            raise AssertionError(f"{name}, {spell}: {text!r} is not what the engine does: {error}") from error


def test_every_check_belongs_to_a_text() -> None:
    printed = {(spell, text) for name, spell in TEXTS for text in write_sentences(RULESETS[name], spell)}
    assert set(CHECKS) - printed == set()


def judge(name: str, spell: str) -> None:
    """Play one text as the test above does."""
    test_a_spells_text_says_what_the_engine_does(name, spell)


@pytest.mark.parametrize(
    ("number", "spell"),
    [("FIREBALL_DAMAGE", "Fireball"), ("STORM_DAMAGE", "Ice Storm"), ("LIGHT_CURE", "Cure Light Wounds")],
)
def test_a_number_changed_in_a_table_is_noticed(number: str, spell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, number, getattr(results, number) + 1)
    with pytest.raises(AssertionError):
        judge("firetop-standard", spell)


@pytest.mark.parametrize(
    ("spell", "change"),
    [
        ("Protection", {"effect": effects.set_mark(5)}),
        ("Disease", {"effect": effects.sicken(7)}),
        ("Haste", {"effect": effects.set_mark(4)}),
        ("Magic Missile", {"effect": effects.hit_with("light")}),
        ("Summon Troll", {"effect": summoning.summon("Ogre")}),
    ],
)
def test_a_spell_changed_in_the_engine_is_noticed(
    spell: str, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RULESETS["firetop-standard"]
    spells = {**rules.spells, spell: replace(rules.spells[spell], **change)}  # type: ignore[arg-type]
    monkeypatch.setitem(RULESETS, "firetop-standard", replace(rules, spells=spells))
    with pytest.raises(AssertionError):
        judge("firetop-standard", spell)


@pytest.mark.parametrize(
    ("point", "value", "spell"),
    [
        ("spells_miss_the_invisible", False, "Invisibility"),
        ("cures_come_first", True, "Cure Light Wounds"),
        ("hit_point_surplus", 1, "Cure Heavy Wounds"),
        ("resist_destroys_elemental", False, "Resist Cold"),
    ],
)
def test_a_point_of_difference_changes_both_text_and_play(
    point: str, value: object, spell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the text of another ruleset would be printed for this one."""
    rules = RULESETS["firetop-standard"]
    changed = replace(rules, rules=replace(rules.rules, **{point: value}))  # type: ignore[arg-type]
    monkeypatch.setitem(RULESETS, "firetop-standard", changed)
    assert write_sentences(changed, spell) != write_sentences(rules, spell) or point == "cures_come_first"
    judge("firetop-standard", spell)


@pytest.mark.parametrize(
    ("spell", "was", "now"),
    [
        ("Blindness", "for three turns", "for four turns"),
        ("Poison", "Cure Heavy Wounds does not", "Cure Heavy Wounds does"),
        ("Magic Missile", "A Shield stops it.", "A Shield does not stop it."),
        ("Counter Spell", "and Finger Of Death", "and Fireball"),
    ],
)
def test_a_changed_text_is_noticed(spell: str, was: str, now: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = tuple(text.replace(was, now) if isinstance(text, str) else text for text in WORDS[spell])
    assert texts != WORDS[spell]
    monkeypatch.setitem(WORDS, spell, texts)  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        judge("firetop-standard", spell)


# -- damage and healing -----------------------------------------------------------------------------------------------


def hurts(points: int) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules).turn((AYLA, spell, CROM))
        assert (stage.hp(CROM), stage.hp(AYLA)) == (10 - points, 10)

    return check


for each, points in (
    ("Cause Heavy Wounds", 3),
    ("Cause Light Wounds", 2),
    ("Lightning Bolt | Clap of Lightning", 5),
    ("Magic Missile", 1),
):
    says(each, f"{points} damage.")(hurts(points))


@says(
    "Cause Heavy Wounds | Cause Light Wounds | Lightning Bolt | Clap of Lightning",
    "Shields and resistances do not stop it.",
)
def passes_shields_and_resistances(rules: Ruleset, spell: str) -> None:
    bare = Stage(rules).turn((AYLA, spell, CROM)).hp(CROM)
    stage = Stage(rules)
    stage.mark(CROM, heat_resistant=PERMANENT, cold_resistant=PERMANENT)
    stage.turn((AYLA, spell, CROM), (CROM, "Shield", CROM))
    assert stage.hp(CROM) == bare < 10


@says("Magic Missile", "A Shield stops it.")
def stopped_by_shield(rules: Ruleset, spell: str) -> None:
    assert Stage(rules).turn((AYLA, spell, CROM), (CROM, "Shield", CROM)).hp(CROM) == 10


@says("Fireball", "5 damage, or none if the target resists heat.")
def fireball(rules: Ruleset, spell: str) -> None:
    hurts(5)(rules, spell)
    stage = Stage(rules)
    stage.mark(CROM, heat_resistant=PERMANENT)
    assert stage.turn((AYLA, spell, CROM)).hp(CROM) == 10


@says("Fireball", "Shields do not stop it.")
def fireball_passes_shields(rules: Ruleset, spell: str) -> None:
    assert Stage(rules).turn((AYLA, spell, CROM), (CROM, "Shield", CROM)).hp(CROM) == 5


@says("Fireball", "An ice elemental is destroyed before it attacks; a fire elemental is unharmed.")
@says("Summon Fire Elemental", "A Fireball does not hurt it.")
def fireball_at_elementals(rules: Ruleset, spell: str) -> None:
    icy, fiery = Stage(rules), Stage(rules)
    icy.creature(ICE)
    icy.turn((AYLA, "Fireball", ICE))
    assert not icy.is_there(ICE) and icy.hp(CROM) == 10
    fiery.creature(FIRE)
    fiery.turn((AYLA, "Fireball", FIRE))
    assert fiery.hp(FIRE) == 3 and fiery.hp(CROM) == 7


@says("Fireball", "In an Ice Storm, the target is hurt by neither.")
@says("Ice Storm", "The target of a Fireball in the same turn is hurt by neither.")
def fireball_in_an_ice_storm(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, "Fireball", CROM), (CROM, "Ice Storm", ""))
    assert (stage.hp(CROM), stage.hp(AYLA)) == (10, 5)


def storm(own: str, resistance: str) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules, mages=(AYLA, CROM, DARA))
        stage.creature(TROLL)
        stage.mark(DARA, **{resistance: PERMANENT})
        stage.turn((AYLA, own, ""))
        assert [stage.hp(mage) for mage in (AYLA, CROM, DARA)] == [5, 5, 10] and not stage.is_there(TROLL)
        guarded = Stage(rules).turn((AYLA, own, ""), (CROM, "Counter Spell", CROM))
        assert (guarded.hp(AYLA), guarded.hp(CROM)) == (5, 10)

    return check


says(
    "Fire Storm",
    "5 damage to every being, yourself included, unless it resists heat or has a Counter Spell this turn.",
)(storm("Fire Storm", "heat_resistant"))
says(
    "Ice Storm",
    "5 damage to every being, yourself included, unless it resists cold or has a Counter Spell this turn.",
)(storm("Ice Storm", "cold_resistant"))


@says("Fire Storm | Ice Storm", "Shields do not stop it.")
def storms_pass_shields(rules: Ruleset, spell: str) -> None:
    assert Stage(rules).turn((AYLA, spell, ""), (CROM, "Shield", CROM)).hp(CROM) == 5


@says("Fire Storm", "It and an Ice Storm in the same turn cancel each other.")
@says("Ice Storm", "It and a Fire Storm in the same turn cancel each other.")
def storms_cancel(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, "Fire Storm", ""), (CROM, "Ice Storm", ""))
    assert (stage.hp(AYLA), stage.hp(CROM)) == (10, 10)


@says("Fire Storm", "It and an ice elemental destroy each other, and nobody is hurt.")
@says("Ice Storm", "It and a fire elemental destroy each other, and nobody is hurt.")
@says("Fire Storm | Ice Storm", "An elemental destroyed by a storm does not attack.")
def storm_meets_the_other_elemental(rules: Ruleset, spell: str) -> None:
    other = ICE if spell == "Fire Storm" else FIRE
    stage = Stage(rules)
    stage.creature(other)
    stage.turn((AYLA, spell, ""))
    assert not stage.is_there(other) and (stage.hp(AYLA), stage.hp(CROM)) == (10, 10)


@says("Fire Storm", "It destroys a fire elemental and still rages.")
@says("Ice Storm", "It destroys an ice elemental and still rages.")
def storm_meets_its_own_elemental(rules: Ruleset, spell: str) -> None:
    own = FIRE if spell == "Fire Storm" else ICE
    stage = Stage(rules)
    stage.creature(own)
    stage.turn((AYLA, spell, ""))
    assert not stage.is_there(own) and (stage.hp(AYLA), stage.hp(CROM)) == (5, 5)


@says("Fire Storm", "Two Fire Storms act as one.")
@says("Ice Storm", "Two Ice Storms act as one.")
def storms_join(rules: Ruleset, spell: str) -> None:
    assert Stage(rules).turn((AYLA, spell, ""), (CROM, spell, "")).hp(CROM) == 5


def heals(points: int, most: int) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        assert Stage(rules).turn((AYLA, spell, CROM)).hp(CROM) == 10 + points
        assert Stage(rules, hp=14).turn((AYLA, spell, CROM)).hp(CROM) == min(14 + points, most)
        assert Stage(rules, hp=15).turn((AYLA, spell, CROM)).hp(CROM) == most
        assert Stage(rules, hp=most).turn((AYLA, spell, CROM)).hp(CROM) == most

    return check


for most in (15, 16):
    says("Cure Light Wounds", f"Heals 1 hit point, up to {most} for a mage.")(heals(1, most))
    says("Cure Heavy Wounds", f"Heals 2 hit points, up to {most} for a mage.")(heals(2, most))


@says("Cure Heavy Wounds", "It cures Disease, but not Poison.")
def cures_disease(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(CROM, sick=4, poisoned=4)
    stage.turn((CROM, spell, CROM))
    assert not stage.has(CROM, "sick") and stage.has(CROM, "poisoned")


@says("Cure Light Wounds | Cure Heavy Wounds", "It counts together with this turn's damage, so it can save a life.")
def cure_saves(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, hp=5).turn((AYLA, "Lightning Bolt", CROM), (CROM, spell, CROM))
    assert stage.is_there(CROM) and stage.hp(CROM) > 0


@says(
    "Cure Light Wounds | Cure Heavy Wounds",
    "A creature, too, can rise one hit point above what it started with.",
)
def cure_lifts_creatures(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL)
    assert stage.turn((AYLA, spell, TROLL)).hp(TROLL) == 4
    assert stage.turn((AYLA, spell, TROLL)).hp(TROLL) == 4


@says("Finger Of Death", "Kills the target.")
def finger_kills(rules: Ruleset, spell: str) -> None:
    assert not Stage(rules, hp=15).turn((AYLA, spell, CROM)).is_there(CROM)


@says("Finger Of Death", "Counter Spell does not stop it.")
def finger_passes_counter(rules: Ruleset, spell: str) -> None:
    assert not Stage(rules).turn((AYLA, spell, CROM), (CROM, "Counter Spell", CROM)).is_there(CROM)


@says("Finger Of Death", "Dispel Magic stops it, and a Magic Mirror turns it back.")
def finger_dispelled_or_mirrored(rules: Ruleset, spell: str) -> None:
    assert Stage(rules).turn((AYLA, spell, CROM), (CROM, "Dispel Magic", CROM)).is_there(CROM)
    stage = Stage(rules).turn((AYLA, spell, CROM), (CROM, "Magic Mirror", CROM))
    assert stage.is_there(CROM) and not stage.is_there(AYLA)


@says("Finger Of Death", "It and a Raise Dead on the same target cancel each other.")
@says("Raise Dead", "It and a Finger Of Death on the same target cancel each other.")
def finger_and_raise(rules: Ruleset, spell: str) -> None:
    assert Stage(rules).turn((AYLA, "Finger Of Death", CROM), (CROM, "Raise Dead", CROM)).hp(CROM) == 10


@says("Lightning Bolt | Clap of Lightning", "Each mage can use W D D c once in a battle.")
def once(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    for letters in ("W/-", "D/-", "D/-", "C/C", "W/-", "D/-", "D/-", "C/C"):
        stage.turn(gestures={AYLA: letters}, orders={AYLA: ["TARGET BH Crom"]} if letters == "C/C" else None)
        if letters == "C/C":
            assert stage.hp(CROM) == 5
    assert stage.turn((CROM, "Shield", CROM)).hp(CROM) == 5


@says("Clap of Lightning", "A Counter Spell uses it up; a Dispel Magic does not.")
def clap_is_used_up(rules: Ruleset, spell: str) -> None:
    for stopper, used in (("Counter Spell", True), ("Dispel Magic", False)):
        stage = Stage(rules).turn((AYLA, spell, CROM), (CROM, stopper, CROM))
        assert stage.hp(CROM) == 10 and stage.wizard(AYLA).short_bolt_used == used


# -- protections ------------------------------------------------------------------------------------------------------


def guarded(rules: Ruleset, *casts: tuple[str, ...]) -> Stage:
    """Crom, attacked with a stab, a missile, a troll and an elemental in one turn."""
    stage = Stage(rules)
    stage.creature(TROLL, of=AYLA, after=CROM)
    stage.creature(FIRE)
    stage.mark(AYLA, heat_resistant=PERMANENT)
    stage.mark(TROLL, heat_resistant=PERMANENT)
    return stage.turn(
        (AYLA, "Magic Missile", CROM), *casts, gestures={AYLA: "D/>"}, orders={AYLA: ["RH >", "TARGET RH Crom"]}
    )


@says(
    "Shield",
    "This turn, Magic Missiles, stabs and the attacks of creatures, elementals included, do not hurt the target.",
)
@says("Counter Spell", "It also works as a Shield.")
def shields(rules: Ruleset, spell: str) -> None:
    assert guarded(rules).hp(CROM) == 10 - 1 - 1 - 3 - 3
    stage = guarded(rules, (CROM, spell, CROM))
    assert stage.hp(CROM) == 10
    assert stage.turn().hp(CROM) == 10 - 3 - 3


@says("Shield", "It does not stop other spells.")
def others_pass(rules: Ruleset, spell: str) -> None:
    for other in rules.order:
        if rules.spells[other].default == "foe" and other != "Magic Missile":
            stage = Stage(rules).turn((AYLA, other, CROM), (CROM, spell, CROM))
            assert stage.fate(other) == "DoSpell"


def protection(more: int) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules)
        stage.creature(TROLL, of=AYLA, after=CROM)
        stage.turn((CROM, spell, CROM))
        for _ in range(more):
            assert stage.hp(CROM) == 10
            stage.turn()
        assert stage.hp(CROM) == 10 and stage.turn().hp(CROM) == 7

    return check


for more, word in ((3, "three"), (2, "two")):
    says("Protection", f"Shields the target this turn and for the next {word}, with both hands free.")(protection(more))


@says("Protection", "Casting it again only restarts the count.")
def protection_again(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((CROM, spell, CROM))
    whole = stage.being(CROM).marks["shielded"]
    assert stage.turn().being(CROM).marks["shielded"] == whole - 1
    assert stage.turn((CROM, spell, CROM)).being(CROM).marks["shielded"] == whole


@says("Counter Spell", "Every other spell on the target fails this turn, except Dispel Magic and Finger Of Death.")
def counters(rules: Ruleset, spell: str) -> None:
    for other in rules.order:
        entry = rules.spells[other]
        if not (entry.targeted or entry.may_be_aimed) or other == spell or entry.category == "summons":
            continue
        stage = Stage(rules).turn((AYLA, other, CROM), (CROM, spell, CROM))
        hurt = not stage.is_there(CROM) or stage.hp(CROM) < 10 or bool(set(stage.being(CROM).marks) - {"shielded"})
        assert hurt == (other == "Finger Of Death"), other


@says("Counter Spell", "Storms do not hurt the target.")
def counter_against_storms(rules: Ruleset, spell: str) -> None:
    for each in ("Fire Storm", "Ice Storm"):
        assert Stage(rules).turn((AYLA, each, ""), (CROM, spell, CROM)).hp(CROM) == 10


def counter_at_newborn(*, works: bool) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        summons, name = ("Summon Goblin", GOBLIN) if "Summon Goblin" in rules.order else ("Summon Fire Elemental", FIRE)
        stage = Stage(rules).turn(
            (CROM, summons, CROM), (CROM, spell, "LH:Crom", "RH"), (AYLA, "Lightning Bolt", "LH:Crom")
        )
        assert stage.is_there(name) == works

    return check


AT_NEWBORN = "It {} be cast on a creature that is still being created this turn."
says("Counter Spell", AT_NEWBORN.format("can"))(counter_at_newborn(works=True))
says("Counter Spell", AT_NEWBORN.format("cannot"))(counter_at_newborn(works=False))


@says("Dispel Magic", "No other spell cast this turn works.")
def dispels_all(rules: Ruleset, spell: str) -> None:
    for other in rules.order:
        if other != spell and other != "Clap of Lightning":
            stage = Stage(rules).turn((AYLA, other, CROM), (CROM, spell, CROM))
            assert stage.fate(other) == "Dispelled", other


@says("Dispel Magic", "Every enchantment on every mage ends before it takes effect.")
def dispel_ends_enchantments(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    marks = dict.fromkeys(("sick", "poisoned", "heat_resistant", "shielded", "fast"), 3)
    stage.mark(AYLA, **marks, permanency=3, delay=3)
    stage.mark(CROM, **marks)
    stage.turn((CROM, spell, CROM))
    assert set(stage.being(AYLA).marks) == set() and set(stage.being(CROM).marks) <= {"shielded"}
    assert not stage.state.extra


@says(
    "Dispel Magic",
    "Enchantments on creatures end too: a creature that was held attacks before it is destroyed.",
    "A creature that is held does not attack before it is destroyed.",
)
def dispel_frees_creatures(rules: Ruleset, spell: str) -> None:
    for mark in ("paralysed", "afraid"):
        if mark == "afraid" and rules.rules.amnesia_keeps_victim:
            continue  # Fear does not affect creatures there
        held = Stage(rules)
        held.creature(TROLL, of=CROM, after=AYLA)
        held.mark(TROLL, **{mark: PERMANENT})
        held.turn((CROM, spell, CROM))
        assert not held.is_there(TROLL)
        assert held.hp(AYLA) == (7 if rules.rules.dispel_frees_monsters else 10), mark


@says("Dispel Magic", "Every creature is destroyed, but attacks first.")
def dispel_destroys(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    stage.creature(ICE)
    stage.turn((CROM, spell, CROM))
    assert not stage.state.monsters and (stage.hp(AYLA), stage.hp(CROM)) == (4, 10)


@says("Dispel Magic", "Neither Counter Spell nor Magic Mirror stops it.")
def dispel_is_not_stopped(rules: Ruleset, spell: str) -> None:
    for other in ("Counter Spell", "Magic Mirror"):
        stage = Stage(rules).turn((AYLA, spell, CROM), (CROM, other, CROM))
        assert stage.fate(spell) == "DoSpell" and stage.fate(other, CROM) == "Dispelled"


@says("Dispel Magic", "Stabs and surrenders still count, but its target is shielded.")
def dispel_shields(rules: Ruleset, spell: str) -> None:
    aim = {AYLA: ["TARGET LH Crom"]}
    assert Stage(rules).turn((CROM, spell, AYLA), gestures={AYLA: ">/-"}, orders=aim).hp(CROM) == 9
    assert Stage(rules).turn((CROM, spell, CROM), gestures={AYLA: ">/-"}, orders=aim).hp(CROM) == 10
    assert Stage(rules).turn((CROM, spell, CROM), gestures={AYLA: "P/P"}).state.over


@says(
    "Magic Mirror",
    "This turn, spells that others cast on the target go back to their casters, as if the target had cast them.",
)
def mirror(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, "Lightning Bolt", CROM), (CROM, spell, CROM))
    assert (stage.hp(AYLA), stage.hp(CROM)) == (5, 10)
    assert stage.turn((AYLA, "Lightning Bolt", CROM)).hp(CROM) == 5
    charmed = Stage(rules).turn((AYLA, "Charm Person", CROM), (CROM, spell, CROM))
    assert charmed.being(AYLA).controller == CROM


@says("Magic Mirror", "It does not reflect storms or summoned elementals.")
@says(
    "Magic Mirror", "It does not reflect spells that mages usually cast on themselves, storms or summoned elementals."
)
def mirror_spares(rules: Ruleset, spell: str) -> None:
    assert Stage(rules).turn((AYLA, "Fire Storm", ""), (CROM, spell, CROM)).hp(CROM) == 5
    elemental = "Summon Elemental" if "Summon Elemental" in rules.order else "Summon Fire Elemental"
    assert Stage(rules).turn((AYLA, elemental, CROM), (CROM, spell, CROM)).hp(CROM) == 7
    for other in rules.order:
        entry = rules.spells[other]
        if entry.targeted and other not in ("Dispel Magic", "Counter Spell", spell):
            stage = Stage(rules).turn((AYLA, other, CROM), (CROM, spell, CROM))
            passes = rules.rules.mirror_returns_harm_only and entry.default == "self"
            assert ("Reflecting" in stage.fate(other)) != passes, other


@says("Magic Mirror", "It does not stop stabs or the attacks of creatures.")
def mirror_does_not_shield(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=AYLA, after=CROM)
    stage.turn((CROM, spell, CROM), gestures={AYLA: ">/-"}, orders={AYLA: ["TARGET LH Crom"]})
    assert (stage.hp(CROM), stage.hp(AYLA)) == (6, 10)


@says("Magic Mirror", "Counter Spell and Dispel Magic cancel it.")
def mirror_is_cancelled(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA))
    stage.turn((AYLA, "Lightning Bolt", CROM), (CROM, spell, CROM), (DARA, "Counter Spell", CROM))
    assert (stage.hp(AYLA), stage.hp(CROM)) == (10, 10) and stage.fate(spell, CROM) == "Countering"
    stage = Stage(rules).turn((AYLA, "Dispel Magic", AYLA), (CROM, spell, CROM))
    assert stage.fate(spell, CROM) == "Dispelled"


def two_mirrors(hurt: int) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules)
        stage.mark(AYLA, reflecting=2)
        stage.turn((AYLA, "Lightning Bolt", CROM), (CROM, spell, CROM))
        assert (stage.hp(AYLA), stage.hp(CROM)) == (10 - hurt, 10)

    return check


says("Magic Mirror", "A spell is turned back only once, even if its caster has a mirror too.")(two_mirrors(5))
says("Magic Mirror", "A spell between two mirrors is lost.")(two_mirrors(0))


@says("Remove Enchantment", "Ends every enchantment on the target, even one cast this turn.")
@says(
    "Remove Enchantment",
    "Ends every enchantment on the target, even one cast this turn, except a Charm Monster of this turn.",
)
def removes(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(CROM, sick=4, shielded=3, heat_resistant=PERMANENT, afraid=PERMANENT)
    assert not stage.turn((AYLA, spell, CROM)).being(CROM).marks
    for other in rules.order:
        if rules.spells[other].category != "enchantment" or other == "Charm Monster":
            continue
        stage = Stage(rules).turn((CROM, other, CROM), (AYLA, spell, CROM))
        left = bool(set(stage.being(CROM).marks)) or "#" in stage.wizard(CROM).left or bool(stage.state.extra)
        assert not left, other
    if "Charm Monster" in rules.order:
        stage = Stage(rules)
        stage.creature(TROLL, of=AYLA)
        stage.turn((CROM, "Charm Monster", TROLL), (AYLA, spell, TROLL))
        assert rules.rules.removal_spares_new_charm == stage.sees(AYLA, "looks_to", who=TROLL)


@says("Remove Enchantment", "A creature is destroyed, but attacks first.")
def removal_destroys(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    stage.turn((AYLA, spell, TROLL))
    assert not stage.is_there(TROLL) and stage.hp(AYLA) == 7


@says("Remove Enchantment", "A monster that the target is creating this turn is destroyed too, but attacks first.")
def removal_undoes_creation(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((CROM, "Summon Goblin", CROM), (AYLA, spell, CROM))
    assert not stage.is_there(GOBLIN) and stage.hp(AYLA) == 9


@says("Raise Dead", "Brings a dead mage or creature back with full hit points and without enchantments.")
def raises(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA))
    stage.creature(TROLL)
    stage.mark(TROLL, cold_resistant=PERMANENT)
    stage.mark(CROM, sick=3)
    stage.turn((AYLA, "Finger Of Death", CROM), (DARA, "Fireball", TROLL))
    assert not stage.is_there(CROM) and not stage.is_there(TROLL)
    stage.turn((AYLA, spell, CROM), (DARA, spell, TROLL))
    assert (stage.hp(CROM), stage.hp(TROLL)) == (15, 3)
    assert not stage.being(CROM).marks and not stage.being(TROLL).marks


@says("Raise Dead", "A creature raised this way obeys you and can attack this turn; a mage plays from next turn.")
def raised_obeys(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL)
    stage.turn((AYLA, "Fireball", TROLL))
    stage.turn((AYLA, spell, TROLL))
    assert stage.being(TROLL).controller == AYLA and stage.hp(CROM) == 7
    melee = Stage(rules, mages=(AYLA, CROM, DARA)).turn((AYLA, "Finger Of Death", CROM))
    assert CROM not in melee.state.owing
    assert CROM in melee.turn((AYLA, spell, CROM)).state.owing


@says("Raise Dead", "On the living, it heals up to 5 hit points but cures no illness.")
def raise_the_living(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, hp=7)
    stage.mark(CROM, sick=4, poisoned=4)
    stage.turn((AYLA, spell, CROM))
    assert stage.hp(CROM) == 12 and stage.has(CROM, "sick") and stage.has(CROM, "poisoned")
    assert Stage(rules, hp=12).turn((AYLA, spell, CROM)).hp(CROM) == 15


@says("Raise Dead", "A Counter Spell does not stop it if the target is dead.")
def raise_is_not_countered(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA)).turn((AYLA, "Finger Of Death", CROM))
    assert stage.turn((AYLA, spell, CROM), (DARA, "Counter Spell", CROM)).is_there(CROM)


@says("Raise Dead", "A mage who surrendered does not return.")
def surrendered_stay_away(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA)).turn(gestures={CROM: "P/P"})
    assert not stage.turn((AYLA, spell, CROM)).is_there(CROM)


@says("Raise Dead", "A raised elemental obeys nobody.")
def elementals_rise(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(ICE)
    stage.turn((AYLA, "Fireball", ICE)).turn((AYLA, spell, ICE))
    assert stage.being(ICE).controller == NO_MASTER and (stage.hp(AYLA), stage.hp(CROM)) == (7, 7)


@says("Raise Dead", "Elementals cannot be raised.")
def elementals_stay_dead(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(ICE)
    stage.turn((AYLA, "Fireball", ICE))
    assert not stage.turn((AYLA, spell, ICE)).is_there(ICE)


# -- resistances and elementals ---------------------------------------------------------------------------------------


def resists(mark: str, storm: str, elemental: str, ball: str = "") -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules).turn((CROM, spell, CROM))
        stage.creature(elemental)
        assert stage.turn().hp(CROM) == 10
        assert stage.turn((AYLA, storm, "")).hp(CROM) == 10
        if ball:
            assert stage.turn((AYLA, ball, CROM)).hp(CROM) == 10

    return check


says("Resist Heat", "Fireballs, Fire Storms and fire elementals do not hurt the target.")(
    resists("heat_resistant", "Fire Storm", FIRE, "Fireball")
)
says("Resist Cold", "Ice Storms and ice elementals do not hurt the target.")(
    resists("cold_resistant", "Ice Storm", ICE)
)


@says("Resist Heat | Resist Cold", "It lasts until Dispel Magic or Remove Enchantment ends it.")
def resistance_lasts(rules: Ruleset, spell: str) -> None:
    mark = "heat_resistant" if spell == "Resist Heat" else "cold_resistant"
    assert Stage(rules).turn((CROM, spell, CROM)).turns(12).has(CROM, mark)
    for ender in ("Dispel Magic", "Remove Enchantment"):
        assert not Stage(rules).turn((CROM, spell, CROM)).turn((AYLA, ender, CROM)).has(CROM, mark)


@says("Resist Heat", "Cast on a fire elemental, it destroys it before it attacks.")
@says("Resist Cold", "Cast on an ice elemental, it destroys it before it attacks.")
def resistance_destroys(rules: Ruleset, spell: str) -> None:
    own, other = (FIRE, ICE) if spell == "Resist Heat" else (ICE, FIRE)
    stage = Stage(rules)
    stage.creature(own)
    stage.turn((AYLA, spell, own))
    assert not stage.is_there(own) and stage.hp(CROM) == 10
    unmoved = Stage(rules)
    unmoved.creature(other)
    assert unmoved.turn((AYLA, spell, other)).is_there(other)


def call(rules: Ruleset, spell: str, kind: str, *others: tuple[str, ...], stage: Stage | None = None) -> Stage:
    """Ayla summons an elemental of this kind."""
    word = {FIRE: "fire", ICE: "ice"}[kind]
    orders = {AYLA: [f"ELEMENTAL {word} Ayla"]} if spell == "Summon Elemental" else None
    return (stage or Stage(rules)).turn((AYLA, spell, ""), *others, orders=orders)


def kinds(spell: str) -> Iterator[str]:
    yield from ((FIRE, ICE) if spell == "Summon Elemental" else (FIRE if "Fire" in spell else ICE,))


ELEMENTAL = "Summon Elemental | Summon Fire Elemental | Summon Ice Elemental"


@says("Summon Elemental", "Creates a fire or an ice elemental with 3 hit points.")
@says("Summon Fire Elemental", "Creates a fire elemental with 3 hit points, even without a target.")
@says("Summon Ice Elemental", "Creates an ice elemental with 3 hit points, even without a target.")
@says("Summon Elemental", "Without a target, the choice is yours.")
@says(
    ELEMENTAL,
    "From this turn on, it does 3 damage a turn to everyone, yourself included; it obeys nobody.",
)
def elemental_comes(rules: Ruleset, spell: str) -> None:
    for kind in kinds(spell):
        stage = call(rules, spell, kind)
        assert [stage.hp(name) for name in (kind, AYLA, CROM)] == [3, 7, 7]
        assert stage.being(kind).controller == "none"
        assert stage.turn().hp(AYLA) == 4


@says("Summon Elemental", "Name a target: they choose the kind once all gestures are shown.")
def target_chooses_kind(rules: Ruleset, spell: str) -> None:
    for word, kind in (("fire", FIRE), ("ice", ICE)):
        stage = Stage(rules).turn((AYLA, spell, CROM), orders={CROM: [f"ELEMENTAL {word} Ayla"]})
        assert stage.is_there(kind)


@says("Summon Fire Elemental", "A Shield or Resist Heat protects against it.")
@says("Summon Ice Elemental", "A Shield or Resist Cold protects against it.")
@says("Summon Elemental", "A Shield or the Resist of its kind protects against it.")
def elemental_is_kept_off(rules: Ruleset, spell: str) -> None:
    for kind in kinds(spell):
        assert call(rules, spell, kind, (CROM, "Shield", CROM)).hp(CROM) == 10
        resist = "Resist Heat" if kind == FIRE else "Resist Cold"
        assert call(rules, spell, kind, (CROM, resist, CROM)).hp(CROM) == 10


@says(
    ELEMENTAL,
    "It and an elemental of the other kind destroy each other before attacking; two of a kind merge at full strength.",
)
def elementals_meet(rules: Ruleset, spell: str) -> None:
    for kind in kinds(spell):
        other = ICE if kind == FIRE else FIRE
        stage = Stage(rules)
        stage.creature(other)
        call(rules, spell, kind, stage=stage)
        assert not stage.state.monsters and stage.hp(CROM) == 10
        stage = Stage(rules)
        stage.creature(kind, hp=1)
        call(rules, spell, kind, stage=stage)
        assert stage.hp(kind) == 3 and stage.hp(CROM) == 7


@says("Summon Fire Elemental", "A Fire Storm destroys it; an Ice Storm and it destroy each other.")
@says(
    "Summon Ice Elemental",
    "An Ice Storm or a Fireball at it destroys it; a Fire Storm and it destroy each other.",
)
@says("Summon Fire Elemental", "A Resist Heat cast on it destroys it.")
@says("Summon Ice Elemental", "A Resist Cold cast on it destroys it.")
@says(
    "Summon Elemental",
    "A storm or a Resist of its own kind, and for an ice elemental a Fireball, destroys it before it attacks.",
    "It and a storm of the other kind destroy each other.",
)
def elemental_is_destroyed(rules: Ruleset, spell: str) -> None:
    for kind in kinds(spell):
        own = ("Fire Storm", "Resist Heat") if kind == FIRE else ("Ice Storm", "Resist Cold", "Fireball")
        other = "Ice Storm" if kind == FIRE else "Fire Storm"
        for ender in (*own, other):
            if ender.startswith("Resist") and not rules.rules.resist_destroys_elemental:
                continue
            stage = Stage(rules)
            stage.creature(kind)
            stage.turn((AYLA, ender, kind))
            assert not stage.is_there(kind), ender
            assert stage.hp(CROM) == (5 if ender == own[0] else 10), ender


@says("Summon Fire Elemental | Summon Ice Elemental", "No Counter Spell stops it.")
def elemental_is_not_countered(rules: Ruleset, spell: str) -> None:
    (kind,) = kinds(spell)
    assert call(rules, spell, kind, (CROM, "Counter Spell", CROM)).is_there(kind)
    assert call(rules, spell, kind, (CROM, "Counter Spell", AYLA)).is_there(kind)


@says("Summon Fire Elemental | Summon Ice Elemental", "If you aim it at someone, a Counter Spell on them stops it.")
@says("Summon Elemental", "A Counter Spell on the target stops it.")
def elemental_is_countered(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM), (CROM, "Counter Spell", CROM))
    assert not stage.state.monsters
    stage = Stage(rules).turn((AYLA, spell, AYLA), (CROM, "Counter Spell", CROM))
    assert stage.state.monsters


# -- monsters ---------------------------------------------------------------------------------------------------------

MONSTERS = "Summon Goblin | Summon Ogre | Summon Troll | Summon Giant"


def monster_of(points: int) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules).turn((AYLA, spell, AYLA))
        name = f"Red{spell.removeprefix('Summon ')}"
        assert (stage.hp(name), stage.hp(CROM)) == (points, 10 - points)
        assert stage.turn().hp(CROM) == 10 - 2 * points
        assert not stage.turn((CROM, "Lightning Bolt", name)).is_there(name)

    return check


for kind, points in GOBLINS.items():
    article, s = ("an" if kind == "Ogre" else "a"), ("" if points == 1 else "s")
    says(
        f"Summon {kind}",
        f"Creates {article} {kind.lower()} with {points} hit point{s}, which does {points} damage a turn, starting "
        "this turn.",
    )(monster_of(points))


@says(
    MONSTERS,
    "It obeys the target or, if that is a monster, the target's master.",
    "Its first victim is its master's opponent, or one of several at random.",
    "Its first victim is its master's opponent; if there are several, it attacks nobody until its master names a "
    "victim.",
)
def monster_obeys(rules: Ruleset, spell: str) -> None:
    name = f"Red{spell.removeprefix('Summon ')}"
    stage = Stage(rules).turn((AYLA, spell, CROM))
    assert stage.being(name).controller == CROM and stage.hp(AYLA) < 10 == stage.hp(CROM)
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM)
    stage.turn((AYLA, spell, TROLL))
    monster = next(m for m in stage.state.monsters.values() if m.name != TROLL)
    assert monster.controller == CROM
    melee = Stage(rules, mages=(AYLA, CROM, DARA)).turn((AYLA, spell, AYLA))
    assert (melee.hp(CROM) + melee.hp(DARA) < 20) == rules.rules.harm_strikes_at_random


@says(MONSTERS, "It cannot be cast on an elemental.")
def no_monster_for_elementals(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(FIRE)
    assert list(stage.turn((AYLA, spell, FIRE)).state.monsters) == [FIRE]


# -- mind spells ------------------------------------------------------------------------------------------------------

ALL_MINDS = " | ".join(MIND_SPELLS)
WIZARDS_MARKS = {
    "Amnesia": "forgetful", "Charm Person": "charmed", "Confusion": "confused", "Fear": "afraid",
    "Maladroitness": "maladroit", "Paralysis": "paralysed",
}  # fmt: skip


def meet(rules: Ruleset, one: str, other: str) -> set[str]:
    """The marks left on Crom by two mind spells of one turn, from one mage or two, in either order of seats."""
    stages = [Stage(rules, mages=mages) for mages in ((AYLA, CROM, DARA), (DARA, CROM, AYLA), (AYLA, CROM))]
    for stage in stages[:2]:
        stage.turn((AYLA, one, CROM), (DARA, other, CROM))
    stages[2].turn((AYLA, one, CROM), (AYLA, other, CROM, "RH"))
    left = [set(stage.being(CROM).marks) & set(WIZARDS_MARKS.values()) for stage in stages]
    assert left[0] == left[1] == left[2], (one, other)
    return left[0]


def minds_cancel(*, alike: Collection[str], paralysis_yields: bool) -> Check:
    """`alike` are the spells that cancel a second one of their kind."""

    def check(rules: Ruleset, spell: str) -> None:
        laying = [name for name in MIND_SPELLS if name in rules.order and name != "Charm Monster"]
        for other in laying:  # Charm Monster leaves no mark on a mage, but cancels
            if other == spell:
                left = set() if spell in alike else {WIZARDS_MARKS[spell]}
            elif paralysis_yields and "Paralysis" in (spell, other):
                survivor = other if spell == "Paralysis" else spell
                left = {WIZARDS_MARKS[survivor]} if survivor in WIZARDS_MARKS else set()
            else:
                left = set()
            assert meet(rules, spell, other) == left, other
        if spell == "Charm Monster":
            stage = Stage(rules, mages=(AYLA, CROM, DARA))
            stage.creature(TROLL, of=CROM)
            stage.turn((AYLA, spell, TROLL), (DARA, spell, TROLL)).turn()
            assert (stage.being(TROLL).controller == CROM) == (spell in alike)

    return check


def list_minds(*missing: str) -> str:
    *most, last = [name for name in MIND_SPELLS if name not in missing]
    return f"Mind spells are {', '.join(most)} and {last}: two"


EVERY_KIND = "of them on one target in a turn cancel each other, even two of a kind"
for missing in (("Maladroitness",), ("Confusion",), ("Maladroitness", "Charm Monster")):
    shown = " | ".join(name for name in MIND_SPELLS if name not in missing)
    if "Confusion" not in missing:
        says(
            shown,
            f"{list_minds(*missing)} {EVERY_KIND}, but when a Paralysis meets another of them only the Paralysis "
            "fails.",
        )(minds_cancel(alike=MIND_SPELLS, paralysis_yields=True))
    if "Charm Monster" not in missing:
        says(shown, f"{list_minds(*missing)} {EVERY_KIND}.")(minds_cancel(alike=MIND_SPELLS, paralysis_yields=False))
ALL_BUT_MALADROITNESS = " | ".join(name for name in MIND_SPELLS if name != "Maladroitness")
says(
    ALL_BUT_MALADROITNESS,
    f"{list_minds('Maladroitness')} different ones on one target in a turn cancel each other, but two of a kind work as"
    " one.",
)(minds_cancel(alike=(), paralysis_yields=False))


@says(
    ALL_BUT_MALADROITNESS,
    f"{list_minds('Maladroitness')} of them on one target in a turn cancel each other, but two Amnesias, Confusions or "
    "Fears work as one, and so do two Paralyses at a mage who is still paralysed.",
)
def directed_minds_cancel(rules: Ruleset, spell: str) -> None:
    minds_cancel(alike=("Charm Monster", "Charm Person", "Paralysis"), paralysis_yields=False)(rules, spell)
    held = Stage(rules, mages=(AYLA, CROM, DARA)).turn((AYLA, "Paralysis", CROM), orders=HOLD_LEFT)
    held.turn((AYLA, "Paralysis", CROM), (DARA, "Paralysis", CROM), gestures={CROM: "S/S"})
    assert held.turn(gestures={CROM: "W/W"}).wizard(CROM).gestures[1] == "W" and held.wizard(CROM).gestures[0] != "W"
    troll = Stage(rules, mages=(AYLA, CROM, DARA))
    troll.creature(TROLL, of=CROM, after=AYLA)
    troll.turn((DARA, "Paralysis", TROLL), (AYLA, "Paralysis", TROLL)).turn()
    assert troll.hp(AYLA) == 4


HOLD_LEFT = {AYLA: ["PARALYZE LH Crom"]}


@says(
    "Charm Person | Paralysis",
    "If several mages cast it on one mage, chance picks which of them chooses, but never the target.",
)
def one_of_several_chooses(rules: Ruleset, spell: str) -> None:
    verb = "CHARM" if spell == "Charm Person" else "PARALYZE"
    others = (AYLA, DARA)
    for chosen, casters in ((AYLA, others), (DARA, others), (AYLA, (AYLA, CROM)), (DARA, (AYLA, DARA, CROM))):
        stage = Stage(rules, mages=(AYLA, CROM, DARA))
        hands = {AYLA: "LH", DARA: "RH", CROM: "RH"}
        orders = {mage: [f"{verb} {hands[mage]} Crom"] for mage in casters}
        rolls = {"whose word": chosen}
        stage.turn(*((mage, spell, CROM) for mage in casters), orders=orders, rolls=rolls)
        assert CROM not in stage.dice.offered.get("whose word", ())
        assert ("whose word" in stage.dice.offered) == (set(others) <= set(casters))
        wizard = stage.wizard(CROM)
        assert (wizard.controller if spell == "Charm Person" else wizard.paralyser) == chosen
        assert set(wizard.directed if spell == "Charm Person" else wizard.stuck) == {hands[chosen]}


@says("Charm Monster", "If several mages cast it on one creature, chance picks its new master.")
def one_of_several_masters(rules: Ruleset, spell: str) -> None:
    for chosen in (AYLA, DARA):
        stage = Stage(rules, mages=(AYLA, CROM, DARA))
        stage.creature(TROLL, of=CROM)
        stage.turn((AYLA, spell, TROLL), (DARA, spell, TROLL), rolls={"whose word": chosen}).turn()
        assert stage.being(TROLL).controller == chosen


@says(ALL_MINDS, "Against a permanent mind spell, a later one does nothing.")
def permanent_mind_holds(rules: Ruleset, spell: str) -> None:
    lasting = "Fear" if spell != "Fear" else "Amnesia"
    stage = Stage(rules)
    stage.mark(CROM, **{WIZARDS_MARKS[lasting]: PERMANENT})
    stage.turn((AYLA, spell, CROM))
    assert set(stage.being(CROM).marks) == {WIZARDS_MARKS[lasting]}


@says(
    "Amnesia",
    "Next turn the target plays the same two gestures again, stabs included, and chooses only their targets.",
)
def amnesia_repeats(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM), gestures={CROM: ">/F"}, orders={CROM: ["TARGET LH Ayla"]})
    assert stage.hp(AYLA) == 9
    stage.turn(orders={CROM: ["TARGET LH Crom" if rules.rules.stab_at_oneself else "TARGET LH Ayla"]})
    assert stage.wizard(CROM).left[PAST_AT:].startswith(">>") and stage.wizard(CROM).right[PAST_AT:].startswith("FF")
    assert stage.hp(CROM if rules.rules.stab_at_oneself else AYLA) == (9 if rules.rules.stab_at_oneself else 8)


PAST_AT = 13  # the first played column, after the bow and twelve more


def attacks_of(rules: Ruleset, spell: str, creature: str, *, turns: int = 1, **options: object) -> list[int]:
    """How much Ayla lost, turn by turn, to Crom's creature after casting her spell at it in the first turn."""
    stage = Stage(rules, hp=15)
    stage.creature(creature, of=CROM, after=AYLA)
    lost = []
    for turn in range(turns):
        before = stage.hp(AYLA)
        stage.turn(*([(AYLA, spell, creature)] if turn == 0 else []), **options)  # type: ignore[arg-type]
        lost.append(before - stage.hp(AYLA))
    return lost


@says("Amnesia | Paralysis", "A creature, even an elemental, does not attack this turn.")
def creature_is_stunned(rules: Ruleset, spell: str) -> None:
    assert attacks_of(rules, spell, TROLL, turns=2) == attacks_of(rules, spell, FIRE, turns=2) == [0, 3]


@says("Fear", "A monster does not attack this turn; elementals are unaffected.")
@says("Maladroitness", "A monster does not attack this turn.")
def monster_is_stunned(rules: Ruleset, spell: str) -> None:
    assert attacks_of(rules, spell, TROLL, turns=2) == [0, 3]
    assert attacks_of(rules, spell, FIRE, turns=2) == [3, 3]


@says("Paralysis", "A monster does not attack next turn.")
def monster_stops_next(rules: Ruleset, spell: str) -> None:
    assert attacks_of(rules, spell, TROLL, turns=3) == [3, 0, 3]


@says("Amnesia | Confusion | Maladroitness | Paralysis", "Elementals are unaffected.")
@says("Fear", "Creatures are unaffected.")
def elementals_attack_anyway(rules: Ruleset, spell: str) -> None:
    assert attacks_of(rules, spell, FIRE, turns=3) == [3, 3, 3]
    if spell == "Fear":
        assert attacks_of(rules, spell, TROLL, turns=3) == [3, 3, 3]


@says(
    "Amnesia",
    "Next turn a monster attacks the one it is ordered to attack this turn, whatever its master says then.",
)
def monster_repeats(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    stage.turn((AYLA, spell, TROLL))
    assert stage.hp(AYLA) == 7
    assert stage.turn(orders={CROM: ["TARGET BlueTroll nobody"]}).hp(AYLA) == 4
    assert stage.turn(orders={CROM: ["TARGET BlueTroll nobody"]}).hp(AYLA) == 4


@says("Amnesia", "After an Anti Spell the target repeats nothing instead.")
def amnesia_after_anti_spell(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA))
    stage.turn((AYLA, spell, CROM), (DARA, "Anti Spell", CROM), gestures={CROM: "F/W"})
    assert stage.wizard(CROM).left.endswith("-") and stage.wizard(CROM).right.endswith("-")


@says("Charm Monster", "From this turn on, you are the master of the target creature.")
def charm_makes_master(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    assert stage.turn((AYLA, spell, TROLL)).turns(4).being(TROLL).controller == AYLA


def charmed_attacks(victim: str) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules)
        stage.creature(TROLL, of=CROM, after=AYLA)
        stage.turn((AYLA, spell, TROLL))
        assert (stage.hp(AYLA), stage.hp(CROM)) == (7 if victim == AYLA else 10, 7 if victim == CROM else 10)
        stage = Stage(rules)
        stage.creature(TROLL, of=CROM, after=AYLA)
        stage.creature(GIANT, of=CROM)
        stage.turn((AYLA, spell, TROLL), orders={AYLA: ["TARGET BlueTroll BlueGiant"]})
        assert stage.hp(GIANT) == 1
        if victim == CROM:
            stage = Stage(rules, mages=(AYLA, CROM, DARA))
            stage.creature(TROLL, of=CROM, after=AYLA)
            stage.turn((AYLA, spell, TROLL))
            assert stage.hp(AYLA) == stage.hp(CROM) == stage.hp(DARA) == 10

    return check


says("Charm Monster", "This turn it attacks the being you name, or nobody.")(charmed_attacks(""))
says("Charm Monster", "It keeps its victim until you name another.")(charmed_attacks(AYLA))
says("Charm Monster", "Until you name a victim, it attacks your opponent, or nobody if you have several.")(
    charmed_attacks(CROM)
)


@says(
    "Charm Monster",
    "An elemental breaks free as it attacks.",
    "An elemental can be charmed too, but still attacks everyone.",
)
def charm_at_elementals(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(FIRE)
    stage.turn((AYLA, spell, FIRE))
    assert (stage.being(FIRE).controller == AYLA) == rules.rules.elementals_can_be_charmed
    assert stage.sees(CROM, "shrugs_off") != rules.rules.elementals_can_be_charmed
    assert (stage.hp(AYLA), stage.hp(CROM)) == (7, 7)


@says("Charm Monster", "Name the creature: cast on a mage, it can only cancel another mind spell.")
def charm_at_mages(rules: Ruleset, spell: str) -> None:
    assert not Stage(rules).turn((AYLA, spell, CROM)).being(CROM).marks
    assert meet(rules, spell, "Fear") == set()


@says("Charm Person", "On a creature it can only cancel another mind spell.")
def charm_person_at_creatures(rules: Ruleset, spell: str) -> None:
    assert attacks_of(rules, spell, TROLL, turns=2) == [3, 3]
    stage = Stage(rules, mages=(AYLA, CROM, DARA))
    stage.creature(TROLL, of=CROM, after=AYLA)
    stage.turn((AYLA, "Charm Person", TROLL), (DARA, "Confusion" if "Confusion" in rules.order else "Fear", TROLL))
    assert not stage.being(TROLL).marks


@says("Charm Person", "Next turn you choose one of the target's hands and its gesture.")
@says("Charm Person", "The target still chooses where a spell of that hand goes.")
def charm_directs(rules: Ruleset, spell: str) -> None:
    hand = {AYLA: ["CHARM LH Crom"]} if rules.spells[spell].decision else None
    stage = Stage(rules).turn((AYLA, spell, CROM), orders=hand, gestures={CROM: "S/-"})
    stage.turn(gestures={CROM: "F/F"}, orders={AYLA: ["DIRECT LH D Crom"], CROM: ["TARGET LH Ayla"]})
    assert stage.wizard(CROM).left.endswith("SD") and stage.wizard(CROM).right.endswith("F")
    assert stage.hp(AYLA) == 9 and not stage.has(CROM, "charmed")


@says(
    "Charm Person",
    "Once this turn's gestures are shown you choose one of the target's hands, and next turn its gesture.",
)
def charm_is_decided(rules: Ruleset, spell: str) -> None:
    for hand in ("LH", "RH"):
        stage = Stage(rules).turn((AYLA, spell, CROM), orders={AYLA: [f"CHARM {hand} Crom"]})
        assert set(stage.wizard(CROM).directed) == {hand}


@says("Charm Person", "If you choose no gesture, the target plays their own.")
def charm_undirected(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM)).turn(gestures={CROM: "F/W"})
    assert stage.wizard(CROM).gestures == ("F", "W")


@says("Charm Person", "You cannot choose that the hand does nothing.")
def charm_is_active(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM), orders={AYLA: ["CHARM LH Crom"]})
    offered = stage.question(AYLA, "DIRECT Crom").options
    assert not any(option.value.endswith("-") and option.allowed for option in offered), offered
    stage.turn(gestures={CROM: "F/W"}, orders={AYLA: ["DIRECT LH - Crom"]})
    assert stage.wizard(CROM).gestures == ("F", "W")


@says("Charm Person", "A permanent one repeats the first gesture you chose.")
@says("Charm Person", "While it is permanent you choose again every turn.")
def charm_for_good(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(AYLA, permanency=3)
    orders = ["PERMANENT LH"] + (["CHARM LH Crom"] if rules.spells[spell].decision else [])
    stage.turn((AYLA, spell, CROM), orders={AYLA: orders})
    stage.turn(gestures={CROM: "W/W"}, orders={AYLA: ["DIRECT LH D Crom"]})
    assert stage.wizard(CROM).gestures == ("D", "W")
    stage.turn(gestures={CROM: "W/W"})
    assert stage.wizard(CROM).gestures == ("W" if rules.rules.charm_is_directed_anew else "D", "W")


CHANCE = (
    "Next turn, when the orders are in, chance picks one of the target's hands and its gesture: C, D, F, P, S{} or {}."
)


def confusion(gestures: str) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules).turn((AYLA, spell, CROM))
        stage.turn(rolls={"confused hand": "RH", "confused gesture": "D"}, gestures={CROM: "F/F"})
        assert stage.wizard(CROM).gestures == ("F", "D")
        assert sorted(stage.dice.offered["confused gesture"]) == sorted(gestures)
        assert sorted(stage.dice.offered["confused hand"]) == ["LH", "RH"]

    return check


says("Confusion", CHANCE.format("", "W"))(confusion("CDFPSW"))
says("Confusion", CHANCE.format(", W, >", "-"))(confusion("CDFPSW>-"))


@says("Confusion", "Two palms played this way are a surrender.")
def confusion_surrenders(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM))
    stage.turn(rolls={"confused hand": "RH", "confused gesture": "P"}, gestures={CROM: "P/F"})
    assert stage.state.over and not stage.is_there(CROM)


@says("Confusion", "This turn a monster attacks any other being, chosen at random.")
def confused_monster(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    stage.creature(GIANT, of=CROM)
    stage.turn((AYLA, spell, TROLL), rolls={"confused monster": CROM})
    assert stage.hp(CROM) == 7 and sorted(stage.dice.offered["confused monster"]) == [AYLA, GIANT, CROM]
    assert stage.turn().hp(AYLA) == 7


@says(
    "Confusion",
    "A permanent one repeats the first hand and gesture that were picked; on a monster, the first victim.",
    "A permanent one picks again every turn.",
)
def confusion_for_good(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(AYLA, permanency=3)
    stage.turn((AYLA, spell, CROM), orders={AYLA: ["PERMANENT LH"]})
    stage.turn(rolls={"confused hand": "RH", "confused gesture": "D"}, gestures={CROM: "W/W"})
    assert stage.wizard(CROM).gestures == ("W", "D")
    stage.turn(rolls={"confused hand": "LH", "confused gesture": "S"}, gestures={CROM: "W/W"})
    keeps = rules.rules.confusion_keeps_its_first
    assert stage.wizard(CROM).gestures == (("W", "D") if keeps else ("S", "W"))
    crowd = Stage(rules, mages=(AYLA, CROM, DARA))
    crowd.creature(TROLL, of=CROM, after=NOBODY)
    crowd.mark(AYLA, permanency=3)
    crowd.turn((AYLA, spell, TROLL), orders={AYLA: ["PERMANENT LH"]}, rolls={"confused monster": DARA})
    assert crowd.hp(DARA) == 7
    crowd.turn(rolls={"confused monster": CROM})
    assert (crowd.hp(DARA), crowd.hp(CROM)) == ((4, 10) if keeps else (7, 7))


@says("Fear", "Next turn the target cannot play C, D, F or S.")
def fear_forbids(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM))
    allowed = {option.value for option in stage.question(CROM, "LH").options if option.allowed}
    assert allowed == {"P", "W", ">", "-"}
    stage.turn()
    assert len([o for o in stage.question(CROM, "LH").options if o.allowed]) == 8


@says("Fear", "Next turn, if the target plays C, D, F or S, the hand does nothing instead.")
def fear_blanks(rules: Ruleset, spell: str) -> None:
    for letter in "CDFSPW":
        stage = Stage(rules).turn((AYLA, spell, CROM)).turn(gestures={CROM: f"{letter}/-"})
        assert stage.wizard(CROM).gestures[0] == ("-" if letter in "CDFS" else letter)
        assert stage.turn(gestures={CROM: "F/-"}).wizard(CROM).gestures[0] == "F"


@says("Fear", "A hand that an enchantment moves may still play them.")
def fear_binds_only_its_mage(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(CROM, charmed=PERMANENT)
    stage.wizard(CROM).controller, stage.wizard(CROM).directed = AYLA, {"LH": "D"}
    stage.turn((AYLA, spell, CROM)).turn(gestures={CROM: "W/W"})
    assert (stage.wizard(CROM).left[-1], stage.wizard(CROM).right[-1]) == ("D", "W")


@says("Fear", "A stab is still possible.")
def fear_allows_stabs(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM))
    assert stage.turn(gestures={CROM: ">/-"}, orders={CROM: ["TARGET LH Ayla"]}).hp(AYLA) == 9


@says(
    "Maladroitness",
    "Next turn the target's left hand plays whatever the right hand plays, so P is a surrender.",
)
def maladroit_hands(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM)).turn(gestures={CROM: "F/W"})
    assert stage.wizard(CROM).gestures == ("W", "W")
    assert Stage(rules).turn((AYLA, spell, CROM)).turn(gestures={CROM: "F/P"}).state.over


@says(
    "Paralysis",
    "Next turn you choose one of the target's hands, or chance does; it repeats the gesture of the turn before.",
)
@says("Paralysis", "Stabs and other gestures are repeated unchanged.")
@says(
    "Paralysis",
    "Once this turn's gestures are shown you choose one of the target's hands; next turn it repeats this turn's "
    "gesture.",
)
def paralysis_holds(rules: Ruleset, spell: str) -> None:
    now = bool(rules.spells[spell].decision)
    chosen = {AYLA: ["PARALYZE RH Crom"]}
    same = [letter for letter in "FPDWSC>-" if rules.rules.paralysis.get(letter, letter) == letter]
    assert ">" in same and "-" in same and len(same) > 3
    for letter in same:
        stage = Stage(rules).turn((AYLA, spell, CROM), gestures={CROM: f"-/{letter}"}, orders=chosen if now else None)
        stage.turn(gestures={CROM: "W/W"}, orders=None if now else chosen)
        assert stage.wizard(CROM).gestures == ("W", letter), letter
        assert stage.turn(gestures={CROM: "W/W"}).wizard(CROM).gestures == ("W", "W")
    if not now:
        stage = Stage(rules).turn((AYLA, spell, CROM), gestures={CROM: "D/D"})
        stage.turn(gestures={CROM: "W/W"}, rolls={"paralysed hand": "RH"})
        assert stage.wizard(CROM).gestures == ("W", "D")


def held_becomes(**pairs: str) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        now = bool(rules.spells[spell].decision)
        chosen = {AYLA: ["PARALYZE RH Crom"]}
        for was in "CDFPSW>-":
            stage = Stage(rules).turn((AYLA, spell, CROM), gestures={CROM: f"-/{was}"}, orders=chosen if now else None)
            stage.turn(gestures={CROM: "W/W"}, orders=None if now else chosen)
            assert stage.wizard(CROM).gestures[1] == pairs.get(was, was), was

    return check


says("Paralysis", "Held still, C becomes F, S becomes D and W becomes P.")(held_becomes(C="F", S="D", W="P"))
says("Paralysis", "Held still, F becomes C, S becomes D and W becomes P.")(held_becomes(F="C", S="D", W="P"))


@says("Paralysis", "A mage who is still paralysed has the same hand held again.")
@says("Paralysis", "If you paralyse the same mage again, you hold the same hand.")
def same_hand(rules: Ruleset, spell: str) -> None:
    now = bool(rules.spells[spell].decision)
    chosen = ["PARALYZE RH Crom"]
    stage = Stage(rules).turn((AYLA, spell, CROM), orders={AYLA: chosen} if now else None, gestures={CROM: "D/D"})
    stage.turn((AYLA, spell, CROM), orders=None if now else {AYLA: chosen}, gestures={CROM: "W/W"})
    stage.turn(gestures={CROM: "W/W"}, rolls={"paralysed hand": "LH"})
    assert stage.wizard(CROM).gestures == ("W", "D")


# -- sight ------------------------------------------------------------------------------------------------------------


@says("Blindness", "From next turn, for three turns, the target does not see the gestures of other mages.")
def blind_for_three(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM))
    seen = [stage.sees(CROM, "gestures", who=AYLA)]
    for _ in range(4):
        seen.append(stage.turn(gestures={AYLA: "F/-"}).sees(CROM, "gestures", who=AYLA))
    assert seen == [True, False, False, False, True]


@says("Blindness", "They still sense which spells are cast.")
def blind_sense(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM)).turn((AYLA, "Shield", AYLA))
    assert stage.sees(CROM, "casts", spell="Shield")


@says(
    "Blindness",
    "They learn what spells do to them, but not what their own spells do to others.",
    "They still learn what spells do.",
)
def blind_learn(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA)).turn((AYLA, spell, CROM))
    stage.turn((AYLA, "Cause Light Wounds", CROM), (DARA, "Cause Light Wounds", AYLA))
    assert stage.sees(CROM, "hurt", who=CROM)
    assert stage.sees(CROM, "spell", target=AYLA) == rules.rules.effects_are_told_to_all


@says("Blindness", "Any spell they cast on someone else misses, and so does any stab.")
def blind_miss(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM)).turn((CROM, "Lightning Bolt", AYLA))
    assert stage.hp(AYLA) == 10
    assert stage.turn(gestures={CROM: ">/-"}, orders={CROM: ["TARGET LH Ayla"]}).hp(AYLA) == 10


@says("Blindness", "Any spell they cast on someone else misses, and so does any stab at someone else.")
def blind_miss_others(rules: Ruleset, spell: str) -> None:
    blind_miss(rules, spell)
    stage = Stage(rules).turn((AYLA, spell, CROM))
    assert stage.turn(gestures={CROM: ">/-"}, orders={CROM: ["TARGET LH Crom"]}).hp(CROM) == 9


@says("Blindness", "Spells they cast on themselves still work, and they can still order their creatures.")
def blind_still_can(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM)
    stage.turn((AYLA, spell, CROM)).turn((CROM, "Cure Light Wounds", CROM), orders={CROM: ["TARGET BlueTroll Ayla"]})
    assert (stage.hp(CROM), stage.hp(AYLA)) == (11, 7)


@says("Blindness | Invisibility", "A creature, even an elemental, is destroyed at once and does not attack.")
def sight_destroys(rules: Ruleset, spell: str) -> None:
    for creature in (TROLL, FIRE):
        stage = Stage(rules)
        stage.creature(creature, of=CROM, after=AYLA)
        stage.turn((AYLA, spell, creature))
        assert not stage.is_there(creature) and stage.hp(AYLA) == 10


@says("Invisibility", "From next turn, for three turns, nobody else sees the target's gestures.")
def unseen_for_three(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((CROM, spell, CROM))
    seen = [stage.sees(AYLA, "gestures", who=CROM)]
    for _ in range(4):
        seen.append(stage.turn(gestures={CROM: "F/-"}).sees(AYLA, "gestures", who=CROM))
    assert seen == [True, False, False, False, True]


def unseen(rules: Ruleset) -> Stage:
    stage = Stage(rules)
    stage.creature(TROLL, of=AYLA, after=CROM)
    stage.mark(CROM, invisible=2)
    return stage


@says("Invisibility", "Spells that others aim at the target miss, and so do stabs and monsters.")
@says("Invisibility", "Spells that others aim at the target still hit, but stabs and monsters miss.")
def missed(rules: Ruleset, spell: str) -> None:
    stab = {AYLA: ["TARGET LH Crom"]}
    assert unseen(rules).turn(gestures={AYLA: ">/-"}, orders=stab).hp(CROM) == 10
    hits = unseen(rules).turn((AYLA, "Cause Light Wounds", CROM)).hp(CROM) == 8
    assert hits != rules.rules.spells_miss_the_invisible


@says("Invisibility", "Elementals still hit the target.", "Elementals miss too.")
def elementals_and_the_unseen(rules: Ruleset, spell: str) -> None:
    stage = unseen(rules)
    stage.creature(FIRE)
    assert (stage.turn().hp(CROM) == 7) == rules.rules.elementals_find_the_invisible


@says("Invisibility", "Everyone still sees which spells the target casts.")
def castings_are_seen(rules: Ruleset, spell: str) -> None:
    assert unseen(rules).turn((CROM, "Shield", CROM)).sees(AYLA, "casts", spell="Shield")


@says("Invisibility", "A spell that the target casts is seen only if it affects someone visible.")
def work_is_hidden(rules: Ruleset, spell: str) -> None:
    stage = unseen(rules).turn((CROM, "Shield", CROM))
    assert not stage.sees(AYLA, "casts", spell="Shield") and not stage.sees(AYLA, "spell", spell="Shield")
    assert unseen(rules).turn((CROM, "Cause Light Wounds", AYLA)).sees(AYLA, "hurt", who=AYLA)


@says("Invisibility", "Cast again while it lasts, it does nothing.")
def unseen_again(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((CROM, spell, CROM)).turn()
    stage.turn((CROM, spell, CROM)).turn().turn()
    assert not stage.has(CROM, "invisible")


# -- strings, illness, time -------------------------------------------------------------------------------------------


@says(
    "Anti Spell",
    "From next turn, no gesture that the target has played up to and including this turn counts towards a spell.",
    "Spells that the target completes this turn still work.",
)
def cuts(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, CROM), (CROM, "Magic Missile", AYLA))
    assert stage.hp(AYLA) == 9
    stage = Stage(rules).turn((AYLA, spell, CROM), gestures={CROM: "S/-"}).turn(gestures={CROM: "D/-"})
    assert stage.hp(AYLA) == 10 and stage.fate("Magic Missile", CROM) == ""
    assert Stage(rules).turn(gestures={CROM: "S/-"}).turn(gestures={CROM: "D/-"}).hp(AYLA) == 9


@says("Anti Spell", "Creatures are unaffected.")
def creatures_have_no_strings(rules: Ruleset, spell: str) -> None:
    assert attacks_of(rules, spell, TROLL, turns=2) == [3, 3]


def dies_after(turns: int) -> Check:
    """The target dies at the end of that many turns after the turn of the spell."""

    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules, hp=15).turn((AYLA, spell, CROM))
        for _ in range(turns):
            assert stage.is_there(CROM)
            stage.turn()
        assert not stage.is_there(CROM)
        stage = Stage(rules)
        stage.creature(TROLL, of=CROM, after=AYLA)
        stage.turn((AYLA, spell, TROLL))
        assert stage.hp(AYLA) == 7 and stage.is_there(TROLL) == (turns == 5)
        if turns == 5:
            stage.turn(orders={CROM: ["TARGET BlueTroll nobody"]}).turns(3)
            assert stage.is_there(TROLL) and not stage.turn().is_there(TROLL)

    return check


says("Disease | Poison", "The target, mage or creature, dies at the end of the sixth turn, counting this one.")(
    dies_after(5)
)
says(
    "Disease | Poison",
    "A mage dies at the end of the sixth turn after this one; a creature dies this turn, once it has attacked.",
)(dies_after(6))


@says("Disease", "Cure Heavy Wounds, Remove Enchantment and Dispel Magic cure it.")
@says("Poison", "Remove Enchantment and Dispel Magic cure it; Cure Heavy Wounds does not.")
def illness_is_cured(rules: Ruleset, spell: str) -> None:
    mark = "sick" if spell == "Disease" else "poisoned"
    cures = {
        cure
        for cure in ("Cure Heavy Wounds", "Cure Light Wounds", "Remove Enchantment", "Dispel Magic", "Counter Spell")
        if not Stage(rules).turn((AYLA, spell, CROM)).turn((CROM, cure, CROM)).has(CROM, mark)
    }
    assert cures == {"Remove Enchantment", "Dispel Magic"} | ({"Cure Heavy Wounds"} if spell == "Disease" else set())


@says(
    "Disease | Poison",
    "Hastened and stopped turns do not count.",
    "Hastened and stopped turns do not count, except the one in which it is cast.",
)
def illness_counts_normal_turns(rules: Ruleset, spell: str) -> None:
    plain, hurried = Stage(rules).turn((AYLA, spell, CROM)), Stage(rules)
    hurried.mark(AYLA, fast=20, time_stopped=1)
    hurried.turn((AYLA, spell, CROM))
    mark = "sick" if spell == "Disease" else "poisoned"
    while hurried.state.extra:
        hurried.turn()
    assert hurried.being(CROM).marks[mark] == plain.being(CROM).marks[mark]
    for marks in ({"time_stopped": 1}, {} if rules.rules.haste_begins_next_turn else {"fast": 3}):
        extra = Stage(rules)
        extra.mark(AYLA, **marks)
        extra.turn()
        if extra.state.extra:
            extra.turn((AYLA, spell, CROM))
            counted = rules.rules.illness_counts_extra_turn
            assert extra.being(CROM).marks[mark] == plain.being(CROM).marks[mark] + (not counted)


@says("Disease | Poison", "Casting it again on the same target changes nothing.")
def illness_again(rules: Ruleset, spell: str) -> None:
    mark = "sick" if spell == "Disease" else "poisoned"
    once, twice = Stage(rules).turn((AYLA, spell, CROM)), Stage(rules).turn((AYLA, spell, CROM))
    assert twice.turn((AYLA, spell, CROM)).being(CROM).marks[mark] == once.turn().being(CROM).marks[mark]


@says(
    "Haste",
    "After this turn and after each of the next two, the target alone plays an extra turn, which everyone sees.",
)
def haste_follows(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, AYLA))
    for _ in range(3):
        assert stage.state.extra == "H" and stage.state.owing == (AYLA,)
        assert stage.turn(gestures={AYLA: "F/-"}).sees(CROM, "gestures", who=AYLA, left="F")
        assert not stage.state.extra
        stage.turn()
    assert not stage.state.extra


@says(
    "Haste",
    "In each of the next three turns the target plays two pairs of gestures, which everyone sees and which take effect "
    "together.",
)
def haste_doubles(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, AYLA))
    for _ in range(3):
        assert stage.state.doubled
        stage.turn(gestures={AYLA: "S/- D/-"}, orders={AYLA: ["TARGET LH2 Crom"]})
        assert stage.sees(CROM, "gestures_again", who=AYLA, left="D")
    assert stage.hp(CROM) == 7 and not stage.state.doubled


@says("Haste", "Spells that shield others this turn still shield them in its extra turn.")
def shields_outlast_haste(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, AYLA), (CROM, "Shield", CROM))
    assert stage.state.extra == "H" and stage.turn((AYLA, "Magic Missile", CROM)).hp(CROM) == 10


@says("Haste", "A hastened mage's creatures are no faster.")
def haste_is_not_for_creatures(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=AYLA, after=CROM)
    stage.turn((AYLA, spell, AYLA)).turn()
    assert stage.hp(CROM) == (4 if rules.rules.haste_begins_next_turn else 7)


def hastened_creature(lost: list[int]) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        stage = Stage(rules, hp=40)
        stage.creature(TROLL, of=CROM, after=AYLA)
        for turn, points in enumerate(lost):
            before = stage.hp(AYLA)
            stage.turn(*([(AYLA, spell, TROLL)] if turn == 0 else []))
            assert before - stage.hp(AYLA) == points
        if rules.rules.haste_begins_next_turn:
            again = Stage(rules, hp=40)
            again.creature(TROLL, of=CROM, after=AYLA)
            again.creature(GIANT, of=CROM)
            again.turn((AYLA, spell, TROLL)).turn(orders={CROM: ["RETARGET BlueTroll BlueGiant"]})
            assert again.hp(AYLA) == 34 and again.hp(GIANT) == 1

    return check


says("Haste", "A hastened creature attacks twice, this turn and in the next two.")(hastened_creature([6, 6, 6, 3]))
says(
    "Haste",
    "A hastened creature attacks twice in each of these turns; its master may name another victim for the second "
    "attack.",
)(hastened_creature([3, 6, 6, 6, 3]))


@says("Haste", "Elementals are unaffected.")
def haste_leaves_elementals(rules: Ruleset, spell: str) -> None:
    assert attacks_of(rules, spell, FIRE, turns=3) == [3, 3, 3]
    stage = Stage(rules)
    stage.creature(FIRE)
    stage.turn((AYLA, spell, FIRE))
    assert not stage.has(FIRE, "fast") and stage.sees(CROM, "spell", spell=spell, outcome="no_effect_on_kind")


@says(
    "Haste",
    "Mind spells on the target do not work in the extra turns.",
    "Mind spells on the target work in the extra turns too.",
    "Mind spells hold both pairs of gestures.",
)
def minds_in_haste(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    if rules.rules.haste_begins_next_turn:
        stage.turn((AYLA, "Fear", CROM), (CROM, spell, CROM))
        stage.turn(gestures={CROM: "P/- W/-"})
        stage = Stage(rules).turn((AYLA, "Amnesia", CROM), (CROM, spell, CROM)).turn()
        assert stage.wizard(CROM).left.endswith("CC")
        return
    stage.mark(CROM, fast=3)
    stage.turn((AYLA, "Amnesia", CROM), gestures={CROM: "W/P"})
    stage.turn(gestures={CROM: "F/F"})
    assert stage.wizard(CROM).left[PAST_AT:][:2] == ("WF" if rules.rules.minds_sleep_in_haste else "WW")


@says("Time Stop", "After this turn the target alone plays an extra turn.")
def time_stops(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, AYLA))
    assert stage.state.extra == "T" and stage.state.owing == (AYLA,)
    assert not stage.turn().state.extra


@says(
    "Time Stop",
    "Everyone learns of it, but nobody else sees its gestures.",
    "Nobody else sees which gestures it plays and which spells it casts there.",
)
def time_stop_is_secret(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, AYLA))
    told = stage.sees(CROM, "slips_outside_time", who=AYLA)
    stage.turn((AYLA, "Cause Light Wounds", CROM))
    assert stage.hp(CROM) == 8 and stage.sees(AYLA, "casts", who=AYLA)
    assert told == rules.rules.stopped_turn_is_announced and not stage.sees(CROM, "gestures", who=AYLA)
    assert not stage.sees(CROM, "casts", who=AYLA)


@says("Time Stop", "Its own still protect it.", "Its own from before do not protect it, either.")
def own_defences_in_stopped_time(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(AYLA, heat_resistant=PERMANENT)
    stage.turn((AYLA, spell, AYLA)).turn((AYLA, "Fire Storm", ""))
    assert stage.hp(AYLA) == (10 if rules.rules.stopped_keep_their_defences else 5)


@says(
    "Time Stop",
    "In it, the shields, resistances, mirrors and invisibility of others do not protect them from the target.",
)
def nothing_helps(rules: Ruleset, spell: str) -> None:
    marks = {"shielded": 3, "heat_resistant": PERMANENT, "reflecting": 3, "invisible": 3}
    for harm, points in (("Magic Missile", 1), ("Fireball", 5), ("Lightning Bolt", 5)):
        stage = Stage(rules)
        stage.turn((AYLA, spell, AYLA))
        stage.mark(CROM, **marks)
        assert stage.turn((AYLA, harm, CROM)).hp(CROM) == 10 - points, harm


@says(
    "Time Stop", "Mind spells on the target have no effect in the extra turn; they take effect in the next normal turn."
)
def minds_wait(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, AYLA), (CROM, "Fear", AYLA))
    assert stage.turn(gestures={AYLA: "F/-"}).wizard(AYLA).gestures[0] == "F"
    assert stage.has(AYLA, "afraid")


@says("Time Stop", "A creature attacks a second time this turn, and nothing protects against that attack.")
def stopped_creature(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    stage.mark(AYLA, shielded=5)
    assert stage.turn((CROM, spell, TROLL)).hp(AYLA) == 7
    assert stage.turn().hp(AYLA) == 7


# -- powers -----------------------------------------------------------------------------------------------------------


@says("Delay Effect", "In one of the next three turns, the target may bank a spell that they complete.")
def delay_by_order(rules: Ruleset, spell: str) -> None:
    for later in range(5):
        stage = Stage(rules).turn((AYLA, spell, AYLA))
        assert stage.wizard(AYLA).bank is None
        stage.turns(later)
        can = any(question == "delay" for question in stage.kinds_asked(AYLA))
        assert can == (later < 3)
        if can:
            stage.turn((AYLA, "Magic Missile", CROM), orders={AYLA: ["DELAY LH"]})
            assert stage.wizard(AYLA).bank == ("Magic Missile", CROM) and stage.hp(CROM) == 10


@says(
    "Delay Effect",
    "The next spell that the target completes, this turn or in the next three, is banked.",
    "The next spell that the target completes, in the next three turns, is banked.",
)
def delay_takes_next(rules: Ruleset, spell: str) -> None:
    for later in range(4):
        stage = Stage(rules).turn((AYLA, spell, AYLA)).turns(later).turn((AYLA, "Magic Missile", CROM))
        assert (stage.wizard(AYLA).bank is not None) == (later < 3), later
    stage = Stage(rules).turn((AYLA, spell, AYLA), (AYLA, "Magic Missile", CROM, "RH"))
    assert (stage.wizard(AYLA).bank is not None) == rules.rules.powers_catch_their_own_turn


def banked(rules: Ruleset, spell: str = "Magic Missile", stage: Stage | None = None) -> Stage:
    stage = stage or Stage(rules)
    stage.mark(AYLA, delay=3)
    return stage.turn((AYLA, spell, CROM), orders={AYLA: ["DELAY LH"]})


@says(
    "Delay Effect",
    "The spell keeps its target, and works in the turn in which the target of Delay Effect releases it.",
)
def bank_is_fired(rules: Ruleset, spell: str) -> None:
    stage = banked(rules).turns(5)
    assert stage.hp(CROM) == 10
    assert stage.turn(orders={AYLA: ["FIRE YES"]}).hp(CROM) == 9
    assert stage.wizard(AYLA).bank is None


@says("Delay Effect", "Only one spell can be banked: a new one replaces it.")
def bank_holds_one(rules: Ruleset, spell: str) -> None:
    assert banked(rules, "Fear", banked(rules)).wizard(AYLA).bank == ("Fear", CROM)


@says("Delay Effect", "A second Delay Effect starts the count again.")
@says("Delay Effect", "A second Delay Effect does nothing while the first one lasts.")
def delay_again(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules).turn((AYLA, spell, AYLA)).turns(1)
    left = stage.being(AYLA).marks["delay"]
    stage.turn((AYLA, spell, AYLA))
    assert stage.being(AYLA).marks["delay"] == (left + 1 if rules.rules.delay_is_renewed else left - 1)
    assert stage.wizard(AYLA).bank is None, "the running one does not bank the second"


@says("Delay Effect", "Dispel Magic and Remove Enchantment empty the bank.")
@says("Delay Effect", "Neither Dispel Magic nor Remove Enchantment empties the bank.")
def bank_is_emptied(rules: Ruleset, spell: str) -> None:
    for ender in ("Dispel Magic", "Remove Enchantment"):
        stage = banked(rules).turn((CROM, ender, AYLA))
        assert (stage.wizard(AYLA).bank is not None) == rules.rules.bank_outlives_removal


@says("Delay Effect | Permanency", "Creatures are unaffected.")
def powers_are_for_mages(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.creature(TROLL)
    assert not stage.turn((AYLA, spell, TROLL)).being(TROLL).marks


@says(
    "Permanency",
    "In one of the next three turns, the target may make an enchantment that they complete permanent.",
)
def permanency_by_order(rules: Ruleset, spell: str) -> None:
    for later in range(5):
        stage = Stage(rules).turn((AYLA, spell, AYLA)).turns(later)
        can = any(question == "permanent" for question in stage.kinds_asked(AYLA))
        assert can == (later < 3)
        if can:
            stage.turn((AYLA, "Protection", AYLA), orders={AYLA: ["PERMANENT LH"]}).turns(8)
            assert stage.has(AYLA, "shielded")


@says(
    "Permanency",
    "The next enchantment that the target completes and that can last, this turn or in the next three, is permanent.",
    "The next enchantment that the target completes and that can last, in the next three turns, is permanent.",
)
def permanency_takes_next(rules: Ruleset, spell: str) -> None:
    for later in range(4):
        stage = Stage(rules).turn((AYLA, spell, AYLA)).turns(later).turn((AYLA, "Protection", AYLA)).turns(8)
        assert stage.has(AYLA, "shielded") == (later < 3)
    stage = Stage(rules).turn((AYLA, spell, AYLA), (AYLA, "Fear", CROM, "RH")).turns(3)
    assert stage.has(CROM, "afraid") == rules.rules.powers_catch_their_own_turn


def can_hold(names: str) -> Check:
    def check(rules: Ruleset, spell: str) -> None:
        listed = set(names.replace(" and ", ", ").split(", "))
        for other in rules.order:
            if rules.spells[other].category != "enchantment":
                continue
            stage = Stage(rules)
            stage.mark(AYLA, permanency=3)
            hand = "BH" if min(t for t, s in rules.series.items() if s == other)[-1].islower() else "LH"
            stage.turn((AYLA, other, CROM), orders={AYLA: [f"PERMANENT {hand}"]})
            marks = stage.being(CROM).marks
            held = any(n in (PERMANENT, 999) for mark, n in marks.items() if "resistant" not in mark)
            assert held == (other in listed), other

    return check


for names in (
    "Amnesia, Blindness, Charm Person, Confusion, Delay Effect, Fear, Haste, Invisibility, Paralysis and Protection",
    "Amnesia, Blindness, Charm Person, Confusion, Fear, Haste, Invisibility, Paralysis and Protection",
    "Amnesia, Blindness, Charm Person, Confusion, Delay Effect, Fear, Haste, Invisibility, Paralysis, Permanency and "
    "Protection",
    "Amnesia, Blindness, Charm Person, Delay Effect, Fear, Haste, Invisibility, Maladroitness, Paralysis, Permanency "
    "and Protection",
):
    says("Permanency", f"It works on {names}.")(can_hold(names))


@says("Permanency", "An enchantment that fails still uses it up.")
def failed_permanency(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(AYLA, permanency=3)
    stage.turn((AYLA, "Fear", CROM), (CROM, "Counter Spell", CROM), orders={AYLA: ["PERMANENT LH"]})
    assert not stage.has(AYLA, "permanency") and not stage.has(CROM, "afraid")


@says("Permanency", "A spell that is banked cannot be made permanent.")
def banked_is_not_permanent(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(AYLA, permanency=3, delay=3)
    stage.turn((AYLA, "Fear", CROM), orders={AYLA: ["DELAY LH", "PERMANENT LH"]})
    if stage.wizard(AYLA).bank is not None:
        stage.turn(orders={AYLA: ["FIRE YES"]})
        assert stage.being(CROM).marks.get("afraid") == 1
    else:  # the order gives it to one power, and the other waits for the next spell
        assert rules.rules.powers_take_the_next and stage.has(CROM, "afraid")


MARKS = {
    **WIZARDS_MARKS, "Blindness": "blind", "Delay Effect": "delay", "Haste": "fast", "Invisibility": "invisible",
    "Permanency": "permanency", "Protection": "shielded",
}  # fmt: skip


@says(" | ".join(MARKS), "Permanency can make it permanent.")
def can_be_permanent(rules: Ruleset, spell: str) -> None:
    stage = Stage(rules)
    stage.mark(AYLA, permanency=3)
    hand = "BH" if min(t for t, s in rules.series.items() if s == spell)[-1].islower() else "LH"
    stage.turn((AYLA, spell, CROM), orders={AYLA: [f"PERMANENT {hand}"]})
    while stage.state.turn < 20:
        stage.turn()
    assert stage.being(CROM).marks[MARKS[spell]] == PERMANENT
