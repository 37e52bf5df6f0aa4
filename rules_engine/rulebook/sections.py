"""The general rules of a ruleset: turns, gestures, targets, stabs, creatures, surrender, winning and scores.

`tests/rules_engine/test_general_rules.py` plays every sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules_engine.beings import WIZARD_HP
from rules_engine.rules import Ruleset
from rules_engine.steps.attacks import STAB_DAMAGE
from rules_engine.steps.taking_orders import name_holding_spells


@dataclass(frozen=True)
class Section:
    """A section of the general rules: its anchor (the section of document 000), title and sentences."""

    anchor: str
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole section as one paragraph."""
        return " ".join(self.sentences)


def write_sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """Return the general rules of a ruleset, in the order in which a beginner needs them."""
    sections = (
        Section("fm-turn", "A turn", _describe_turn(ruleset)),
        Section("fm-gest", "Gestures and spells", _describe_gestures(ruleset)),
        Section("fm-table", "Targets", _describe_targets(ruleset)),
        Section("fm-stab", "Stabs", _describe_stabs(ruleset)),
        Section("fm-mon", "Creatures", _describe_creatures(ruleset)),
        Section("fm-surr", "Surrender", _describe_surrender(ruleset)),
        Section("fm-win", "Winning and scores", _describe_winning(ruleset)),
    )
    return tuple(Section(s.anchor, s.title, tuple(filter(None, s.sentences))) for s in sections)


def _describe_turn(ruleset: Ruleset) -> tuple[str, ...]:
    if ruleset.rules.targets_are_decided:
        first = (
            "Each turn, all mages choose a gesture for each hand in secret; once all are shown, they choose targets."
        )
    else:
        first = "Each turn, all mages choose a gesture for each hand, targets and victims in secret."
    return (
        first,
        "All gestures are shown together, and a mage who dies this turn still casts what they completed.",
        "Creatures attack after the spells have worked.",
    )


def _describe_gestures(ruleset: Ruleset) -> tuple[str, ...]:
    return (
        "A spell is a series of gestures that one hand plays turn after turn; its last gesture casts it.",
        "Some gestures of a series must be played by both hands in the same turn.",
        "A gesture can belong to several series, but a hand casts at most one spell a turn.",
        (
            "If you complete several and do not choose, you cast the one that uses both hands, or else the longest."
            if ruleset.rules.choice_has_default
            else "If you complete several, you choose."
        ),
        "A completed spell is always cast, but you can aim any spell except storms and elementals at nobody.",
        "No series contains a stab, nothing, or a clap with one hand.",
        "Gestures from before the battle do not count.",
    )


def _describe_targets(ruleset: Ruleset) -> tuple[str, ...]:
    return (
        "Without a target, a spell goes to its usual one: yourself or your opponent.",
        (
            "With more than two mages left, a harmful spell without a target goes to an opponent chosen at random."
            if ruleset.rules.harm_strikes_at_random
            else "With more than two mages left, you must name the target of a harmful spell."
        ),
        "A spell aimed at something that is no longer there is lost.",
        "" if ruleset.rules.targets_are_decided else "You can aim at a creature that a hand is creating this turn.",
    )


def _describe_stabs(ruleset: Ruleset) -> tuple[str, ...]:
    return (
        f"A stab does {STAB_DAMAGE} damage, unless its target is shielded.",
        "Counter Spell and Dispel Magic stop it only as shields; Magic Mirror does not stop it.",
        "You have one dagger: if both hands stab, only the right hand does.",
        "" if ruleset.rules.stab_at_oneself else "You cannot stab yourself.",
    )


def _describe_creatures(ruleset: Ruleset) -> tuple[str, ...]:
    if "Summon Goblin" not in ruleset.order:
        return (
            "The only creatures are elementals, made of fire or ice.",
            "An elemental obeys nobody, and attacks everyone once a turn, from the turn in which it is summoned.",
            "Damage to creatures lasts from turn to turn.",
        )
    return (
        "Monsters are goblins, ogres, trolls and giants; elementals are made of fire or ice.",
        "A monster attacks once a turn, from the turn in which it is summoned to the turn in which it dies.",
        "It obeys its master, and keeps its victim until they name another.",
        _describe_masterless(ruleset),
        "Damage to creatures lasts from turn to turn.",
    )


def _describe_masterless(ruleset: Ruleset) -> str:
    if ruleset.rules.creatures_rest_without_master:
        return "When its master dies or surrenders, it attacks nobody until someone charms it."
    return "When its master dies, it keeps attacking its last victim until someone charms it."


def _describe_surrender(ruleset: Ruleset) -> tuple[str, ...]:
    rules = ruleset.rules
    return (
        "Two palms in the same turn are a surrender, whatever else they complete.",
        "The spells you complete this turn still work, and you leave at its end.",
        "If you are killed in that turn, you are dead.",
        (
            "If everyone else dies in that turn, you win."
            if rules.last_to_surrender_wins
            else "If everyone else dies in that turn, nobody wins, and the surrender costs you nothing."
        ),
        (
            "If the last mages left surrender together, it is a draw; in a melee, all of them win."
            if rules.common_surrender_is_won
            else "If the last mages left surrender together, it is a draw."
        ),
        _describe_suicide(ruleset),
    )


def _describe_suicide(ruleset: Ruleset) -> str:
    if not ruleset.rules.held_minds_may_end_life:
        return ""
    spells = name_holding_spells(ruleset.order)
    return f"Under a permanent {spells}, you may order SUICIDE: your spells still work, and you die at the turn's end."


def _describe_winning(ruleset: Ruleset) -> tuple[str, ...]:
    shared = ruleset.rules.common_surrender_is_shared
    return (
        f"A mage starts with {WIZARD_HP} hit points and dies when none are left.",
        "Damage is counted at the end of the turn, so mages can kill each other.",
        "You win when you are the only mage left; if nobody is left, it is a draw.",
        "Duels count for your duel score, battles of more than two mages for your melee score.",
        "The winner gains a point for each of the other mages.",
        "A surrender costs a point, but a score never falls below zero.",
        "A mage who dies is gone for good, and so is their score.",
        (
            "In a melee, the last mages share the points for the others if they surrender together, rounded down."
            if shared
            else "In a draw, nobody gains a point."
        ),
        "Friendly battles and practice change no score, and nobody dies for good.",
    )
