"""Every sentence of the general rules is played, or checked on the ladder; a sentence without a check fails."""

from collections.abc import Callable

import pytest

from ladder.scoring import battle_kind, penalize, settle
from rules_engine import RULESETS, new_duel
from rules_engine.beings import NO_MASTER, PERMANENT
from rules_engine.rulebook import write_sections
from rules_engine.rulesets import Ruleset
from tests.conformance.recorded_dice import StartingDice
from tests.conformance.replay import add_changes
from tests.rules_engine.staged_turns import AYLA, CROM, DARA, FIRE, GOBLIN, Stage

Check = Callable[[Ruleset], None]
CHECKS: dict[str, Check] = {}
TROLL = "BlueTroll"
EVE = "Eve"
SHOWN = [name for name, ruleset in RULESETS.items() if ruleset.offered] + ["firetop-server"]


def says(*sentences: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        assert not set(sentences) & set(CHECKS)
        CHECKS.update(dict.fromkeys(sentences, check))
        return check

    return register


@pytest.mark.parametrize("name", SHOWN)
def test_the_general_rules_say_what_the_engine_does(name: str) -> None:
    sentences = [text for section in write_sections(RULESETS[name]) for text in section.sentences]
    assert [text for text in sentences if text not in CHECKS] == [], "write a check that plays these"
    for text in sentences:
        try:
            CHECKS[text](RULESETS[name])
        except AssertionError as error:
            raise AssertionError(f"{name}: {text!r} is not what happens: {error}") from error


def test_every_check_belongs_to_a_sentence() -> None:
    printed = {text for name in SHOWN for section in write_sections(RULESETS[name]) for text in section.sentences}
    assert set(CHECKS) - printed == set()


@says(
    "Each turn, all mages choose a gesture for each hand, targets and victims in secret.",
    "Each turn, all mages choose a gesture for each hand in secret; once all are shown, they choose targets.",
)
def targets_in_secret(rules: Ruleset) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=AYLA)
    assert ("monster" not in stage.kinds_asked(AYLA)) == rules.rules.targets_are_decided
    assert stage.kinds_asked(AYLA) >= {"gesture"}


@says("All gestures are shown together, and a mage who dies this turn still casts what they completed.")
def dying_cast(rules: Ruleset) -> None:
    stage = Stage(rules, hp=5).turn((AYLA, "Lightning Bolt", CROM), (CROM, "Magic Missile", AYLA))
    assert not stage.is_there(CROM) and stage.hp(AYLA) == 4
    assert stage.sees(AYLA, "gestures", who=CROM) and stage.sees(CROM, "gestures", who=AYLA)


@says("Creatures attack after the spells have worked.")
def creatures_attack_last(rules: Ruleset) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    assert stage.turn((AYLA, "Blindness", TROLL)).hp(AYLA) == 10


@says(
    "A spell is a series of gestures that one hand plays turn after turn; its last gesture casts it.",
)
def series(rules: Ruleset) -> None:
    aim = {AYLA: ["TARGET LH Crom"]}
    assert Stage(rules).turn(gestures={AYLA: "S/-"}).turn(gestures={AYLA: "D/-"}, orders=aim).hp(CROM) == 9
    stage = Stage(rules).turn(gestures={AYLA: "S/-"}).turn(gestures={AYLA: "-/-"})
    assert stage.turn(gestures={AYLA: "D/-"}).hp(CROM) == 10
    assert Stage(rules).turn(gestures={AYLA: "S/-"}).turn(gestures={AYLA: "-/D"}).hp(CROM) == 10


@says("Some gestures of a series must be played by both hands in the same turn.")
def both_hands(rules: Ruleset) -> None:
    stage = Stage(rules).turn(gestures={AYLA: "C/C"}).turn(gestures={AYLA: "W/W"})
    assert stage.fate("Magic Mirror") == "DoSpell"
    assert Stage(rules).turn(gestures={AYLA: "C/C"}).turn(gestures={AYLA: "W/-"}).fate("Magic Mirror") == ""


@says(
    "A gesture can belong to several series, but a hand casts at most one spell a turn.",
    "If you complete several, you choose.",
    "If you complete several and do not choose, you cast the one that uses both hands, or else the longest.",
)
def one_spell_a_hand(rules: Ruleset) -> None:
    stage = Stage(rules).turn(gestures={AYLA: "W/-"}).turn(gestures={AYLA: "F/-"})
    asks = stage.choices(AYLA, {"LH": "P", "RH": "-"})
    assert asks == {"Shield", "Cause Light Wounds"}
    if rules.rules.choice_has_default:
        stage.turn(gestures={AYLA: "P/-"}, orders={AYLA: ["TARGET LH Crom"]})
        assert stage.hp(CROM) == 8 and not stage.fate("Shield")
    else:
        stage.turn(gestures={AYLA: "P/-"}, orders={AYLA: ["CHOOSE LH Shield"]})
        assert stage.fate("Shield") and not stage.fate("Cause Light Wounds")


@says("A completed spell is always cast, but you can aim any spell except storms and elementals at nobody.")
def cast_at_nobody(rules: Ruleset) -> None:
    stage = Stage(rules).turn((AYLA, "Magic Missile", "nobody"))
    assert stage.fate("Magic Missile") == "NoOne" and stage.hp(CROM) == 10
    assert Stage(rules).turn((AYLA, "Fire Storm", "")).hp(CROM) == 5
    elemental = "Summon Elemental" if "Summon Elemental" in rules.order else "Summon Ice Elemental"
    assert Stage(rules).turn((AYLA, elemental, "")).hp(CROM) == 7


@says("No series contains a stab, nothing, or a clap with one hand.")
def no_spell_has_them(rules: Ruleset) -> None:
    assert not any(set(text) & set(">-C") for text in rules.series)


@says("Gestures from before the battle do not count.")
def nothing_from_before(rules: Ruleset) -> None:
    assert not any("B" in text.upper() for text in rules.series)


@says("Without a target, a spell goes to its usual one: yourself or your opponent.")
def usual_targets(rules: Ruleset) -> None:
    stage = Stage(rules).turn((AYLA, "Cure Light Wounds", ""), (CROM, "Cause Heavy Wounds", ""))
    assert (stage.hp(AYLA), stage.hp(CROM)) == (8, 10)


@says(
    "With more than two mages left, a harmful spell without a target goes to an opponent chosen at random.",
    "With more than two mages left, you must name the target of a harmful spell.",
)
def usual_targets_in_melees(rules: Ruleset) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA)).turn((AYLA, "Cause Heavy Wounds", ""))
    assert ("target" in stage.demanded) != rules.rules.harm_strikes_at_random
    hurt = [name for name in (AYLA, CROM, DARA) if stage.hp(name) < 10]
    assert AYLA not in hurt or not rules.rules.harm_strikes_at_random


@says("A spell aimed at something that is no longer there is lost.")
def lost_spells(rules: Ruleset) -> None:
    stage = Stage(rules)
    stage.creature(TROLL)
    stage.turn((AYLA, "Fear", TROLL), (CROM, "Blindness", TROLL)).turn((AYLA, "Magic Missile", TROLL))
    assert stage.fate("Magic Missile") in ("DeadTarget", "")


@says("You can aim at a creature that a hand is creating this turn.")
def at_the_unborn(rules: Ruleset) -> None:
    if "Summon Goblin" in rules.order:
        stage = Stage(rules).turn((CROM, "Summon Goblin", CROM), (AYLA, "Magic Missile", "LH:Crom"))
        assert not stage.is_there(GOBLIN)


STAB = {AYLA: ["TARGET LH Crom"]}


@says("A stab does 1 damage, unless its target is shielded.")
def stabs(rules: Ruleset) -> None:
    assert Stage(rules).turn(gestures={AYLA: ">/-"}, orders=STAB).hp(CROM) == 9
    assert Stage(rules).turn((CROM, "Shield", CROM), gestures={AYLA: ">/-"}, orders=STAB).hp(CROM) == 10


@says("Counter Spell and Dispel Magic stop it only as shields; Magic Mirror does not stop it.")
def stabs_and_spells(rules: Ruleset) -> None:
    for spell, target, left in (
        ("Counter Spell", CROM, 10),
        ("Counter Spell", AYLA, 9),
        ("Dispel Magic", CROM, 10),
        ("Dispel Magic", AYLA, 9),
        ("Magic Mirror", CROM, 9),
    ):
        stage = Stage(rules).turn((CROM, spell, target), gestures={AYLA: ">/-"}, orders=STAB)
        assert (stage.hp(CROM), stage.hp(AYLA)) == (left, 10), spell


@says("You have one dagger: if both hands stab, only the right hand does.")
def one_dagger(rules: Ruleset) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA))
    stage.turn(gestures={AYLA: ">/>"}, orders={AYLA: ["TARGET LH Crom", "TARGET RH Dara"]})
    assert (stage.hp(CROM), stage.hp(DARA)) == (10, 9)


@says("You cannot stab yourself.")
def not_oneself(rules: Ruleset) -> None:
    assert Stage(rules).turn(gestures={AYLA: ">/-"}, orders={AYLA: ["TARGET LH Ayla"]}).hp(AYLA) == 10


@says("Monsters are goblins, ogres, trolls and giants; elementals are made of fire or ice.")
def kinds(rules: Ruleset) -> None:
    stage = Stage(rules)
    for name in ("RedGoblin", "RedOgre", "RedTroll", "RedGiant", "FireElemental"):
        stage.creature(name)
        assert stage.state.monsters[name].is_elemental == (name == FIRE)


@says(
    "The only creatures are elementals, made of fire or ice.",
    "An elemental obeys nobody, and attacks everyone once a turn, from the turn in which it is summoned.",
)
def only_elementals(rules: Ruleset) -> None:
    assert {spell for spell in rules.order if spell.startswith("Summon")} == {
        "Summon Fire Elemental",
        "Summon Ice Elemental",
    }
    stage = Stage(rules).turn((AYLA, "Summon Ice Elemental", ""))
    assert (stage.hp(AYLA), stage.hp(CROM)) == (7, 7)
    assert stage.being("IceElemental").controller == NO_MASTER
    stage.turn()
    assert (stage.hp(AYLA), stage.hp(CROM)) == (4, 4)


@says("A monster attacks once a turn, from the turn in which it is summoned to the turn in which it dies.")
def monsters_attack(rules: Ruleset) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    assert stage.turn((AYLA, "Fireball", TROLL)).hp(AYLA) == 7 and not stage.is_there(TROLL)
    if "Summon Goblin" in rules.order:
        assert Stage(rules).turn((AYLA, "Summon Goblin", AYLA)).hp(CROM) == 9


@says("It obeys its master, and keeps its victim until they name another.")
def monsters_obey(rules: Ruleset) -> None:
    stage = Stage(rules)
    stage.creature(TROLL, of=CROM, after=AYLA)
    assert stage.turn().turn().hp(AYLA) == 4
    assert stage.turn(orders={CROM: ["TARGET BlueTroll nobody"]}).turn().hp(AYLA) == 4
    assert stage.turn(orders={AYLA: ["TARGET BlueTroll Crom"]}).hp(CROM) == 10


@says("When its master dies, it keeps attacking its last victim until someone charms it.")
def orphans(rules: Ruleset) -> None:
    stage = Stage(rules, hp=15, mages=(AYLA, CROM, DARA))
    stage.creature(TROLL, of=CROM, after=AYLA)
    stage.turn((DARA, "Finger Of Death", CROM)).turn()
    assert stage.hp(AYLA) == 9
    stage.turn((AYLA, "Charm Monster", TROLL), orders={AYLA: ["TARGET BlueTroll Dara"]})
    assert stage.hp(DARA) == 12


@says("When its master dies or surrenders, it attacks nobody until someone charms it.")
def orphans_rest(rules: Ruleset) -> None:
    for leave in ("dies", "surrenders"):
        stage = Stage(rules, hp=15, mages=(AYLA, CROM, DARA))
        stage.creature(TROLL, of=CROM, after=AYLA)
        if leave == "dies":
            stage.turn((DARA, "Finger Of Death", CROM))
        else:
            stage.turn(gestures={CROM: "P/P"})
        assert stage.hp(AYLA) == 12 and stage.turn().hp(AYLA) == 12
        stage.turn((AYLA, "Charm Monster", TROLL), orders={AYLA: ["TARGET BlueTroll Dara"]})
        assert stage.hp(DARA) == 12


@says("Damage to creatures lasts from turn to turn.")
def damage_stays(rules: Ruleset) -> None:
    stage = Stage(rules)
    stage.creature(TROLL)
    assert stage.turn((AYLA, "Magic Missile", TROLL)).turn((AYLA, "Magic Missile", TROLL)).hp(TROLL) == 1


@says("Two palms in the same turn are a surrender, whatever else they complete.")
@says("The spells you complete this turn still work, and you leave at its end.")
def surrender(rules: Ruleset) -> None:
    stage = Stage(rules).turn(gestures={AYLA: "W/-"}).turn(gestures={AYLA: "F/-"})
    stage.turn(gestures={AYLA: "P/P"}, orders={AYLA: ["CHOOSE LH Cause Light Wounds", "TARGET LH Crom"]})
    assert stage.hp(CROM) == 8 and not stage.is_there(AYLA) and stage.state.outcome.winners == (CROM,)


@says("If you are killed in that turn, you are dead.")
def killed_in_surrender(rules: Ruleset) -> None:
    stage = Stage(rules, hp=5).turn((AYLA, "Lightning Bolt", CROM), gestures={CROM: "P/P"})
    assert stage.state.outcome.dead == (CROM,)


@says(
    "If everyone else dies in that turn, you win.",
    "If everyone else dies in that turn, nobody wins, and the surrender costs you nothing.",
)
def last_to_surrender(rules: Ruleset) -> None:
    stage = Stage(rules, hp=2).turn(gestures={AYLA: "W/-"}).turn(gestures={AYLA: "F/-"})
    stage.turn(gestures={AYLA: "P/P"}, orders={AYLA: ["CHOOSE LH Cause Light Wounds", "TARGET LH Crom"]})
    assert stage.state.over and not stage.done.penalties
    assert stage.state.outcome.winners == ((AYLA,) if rules.rules.last_to_surrender_wins else ())


@says(
    "If the last mages left surrender together, it is a draw.",
    "If the last mages left surrender together, it is a draw; in a melee, all of them win.",
)
def common_surrender(rules: Ruleset) -> None:
    stage = Stage(rules).turn(gestures={AYLA: "P/P", CROM: "P/P"})
    assert stage.state.over and stage.state.outcome.winners == ()
    stage = Stage(rules, mages=(AYLA, CROM, DARA, EVE)).turn(gestures={EVE: "P/P"})
    stage.turn((AYLA, "Finger Of Death", DARA))
    stage.turn(gestures={AYLA: "P/P", CROM: "P/P"})
    outcome = stage.state.outcome
    assert (outcome.reason, outcome.dead, stage.done.penalties) == ("all_surrendered", (DARA,), ())
    assert outcome.winners == ((AYLA, CROM) if rules.rules.common_surrender_is_won else ())


def hold(mark: str, rules: Ruleset) -> Stage:
    """Crom under a permanent mind spell of Ayla's, about to complete Magic Missile."""
    stage = Stage(rules)
    stage.mark(CROM, **{mark: PERMANENT})
    stage.wizard(CROM).controller = stage.wizard(CROM).paralyser = AYLA
    return stage


@says(
    "Under a permanent Amnesia, Charm Person, Confusion or Paralysis, you may order SUICIDE: your spells still work, "
    "and you die at the turn's end.",
    "Under a permanent Amnesia, Charm Person or Paralysis, you may order SUICIDE: your spells still work, and you die "
    "at the turn's end.",
)
def suicide(rules: Ruleset) -> None:
    marks = {"Amnesia": "forgetful", "Charm Person": "charmed", "Confusion": "confused", "Paralysis": "paralysed"}
    for mark in (mark for spell, mark in marks.items() if spell in rules.order):
        stage = hold(mark, rules)
        assert "suicide" in stage.kinds_asked(CROM) and "suicide" not in stage.kinds_asked(AYLA)
        stage.turn(orders={CROM: ["SUICIDE"]})
        assert (stage.state.outcome.dead, stage.state.outcome.winners) == ((CROM,), (AYLA,)), mark
    for mark in ("afraid", "blind", "maladroit"):
        assert "suicide" not in hold(mark, rules).kinds_asked(CROM), mark
    stage = hold("charmed", rules).turn((CROM, "Magic Missile", AYLA), orders={CROM: ["SUICIDE"]})
    assert stage.hp(AYLA) == 9 and stage.state.outcome.dead == (CROM,)


@says("A mage starts with 15 hit points and dies when none are left.")
def fifteen(rules: Ruleset) -> None:
    for hp, alive in ((6, True), (5, False)):
        assert Stage(rules, hp=hp).turn((AYLA, "Lightning Bolt", CROM)).is_there(CROM) == alive
    fresh = new_duel(rules, (AYLA, CROM), dice=StartingDice(0))
    assert fresh.wizards[AYLA].hp == 15


@says("Damage is counted at the end of the turn, so mages can kill each other.")
def both_die(rules: Ruleset) -> None:
    stage = Stage(rules, hp=5).turn((AYLA, "Lightning Bolt", CROM), (CROM, "Lightning Bolt", AYLA))
    assert stage.state.outcome.winners == () and len(stage.state.outcome.dead) == 2


@says("You win when you are the only mage left; if nobody is left, it is a draw.")
def winning(rules: Ruleset) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA)).turn(gestures={CROM: "P/P"})
    assert not stage.state.over
    assert stage.turn((AYLA, "Finger Of Death", DARA)).state.outcome.winners == (AYLA,)
    both_die(rules)


@says("Duels count for your duel score, battles of more than two mages for your melee score.")
def two_scores(_: Ruleset) -> None:
    assert battle_kind([AYLA, CROM]) == "duel" and battle_kind([AYLA, CROM, DARA]) == "melee"


def scores_after(
    *players: str, winners: tuple[str, ...], dead: tuple[str, ...] = (), **options: object
) -> dict[str, int]:
    before = dict.fromkeys(players, 5)
    settlement = settle(players=players, winners=winners, dead=dead, scores=before, **options)  # type: ignore[arg-type]
    return add_changes(before, settlement)


@says("The winner gains a point for each of the other mages.")
def winners_points(_: Ruleset) -> None:
    assert scores_after(AYLA, CROM, winners=(AYLA,)) == {AYLA: 6, CROM: 5}
    assert scores_after(AYLA, CROM, DARA, winners=(AYLA,), dead=(CROM,)) == {AYLA: 7, DARA: 5}


@says("A surrender costs a point, but a score never falls below zero.")
def penalties(rules: Ruleset) -> None:
    assert (penalize(AYLA, 3).after, penalize(AYLA, 0).after) == (2, 0)
    assert Stage(rules).turn(gestures={AYLA: "P/P"}).done.penalties == (AYLA,)


@says("A mage who dies is gone for good, and so is their score.")
def death(_: Ruleset) -> None:
    assert scores_after(AYLA, CROM, winners=(AYLA,), dead=(CROM,)) == {AYLA: 6}


@says(
    "In a melee, the last mages share the points for the others if they surrender together, rounded down.",
    "In a draw, nobody gains a point.",
)
def sharing(rules: Ruleset) -> None:
    stage = Stage(rules, mages=(AYLA, CROM, DARA, EVE, "Finn")).turn(gestures={EVE: "P/P"})
    stage.turn((AYLA, "Finger Of Death", DARA), gestures={"Finn": "P/P"})
    outcome = stage.turn(gestures={AYLA: "P/P", CROM: "P/P"}).state.outcome
    ends = {"winners": outcome.winners, "dead": outcome.dead, "sharing": outcome.sharing}
    after = scores_after(*stage.state.mages, **ends)
    shared = rules.rules.common_surrender_is_shared
    assert after == {AYLA: 6 if shared else 5, CROM: 6 if shared else 5, EVE: 5, "Finn": 5}
    assert scores_after(AYLA, CROM, DARA, winners=())[AYLA] == 5


@says("Friendly battles and practice change no score, and nobody dies for good.")
def friendly(_: Ruleset) -> None:
    for options in ({"stakes": "friendly"}, {"stakes": "very-friendly"}, {"practice": True}):
        assert scores_after(AYLA, CROM, winners=(AYLA,), dead=(CROM,), **options) == {AYLA: 5, CROM: 5}
