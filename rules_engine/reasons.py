"""Reasons for failures: data for `explanations` and `uncast_spells`. A pair is (someone else's, your own)."""

from __future__ import annotations

from rules_engine.sentences import Forms
from rules_engine.text import mark_text

# The reason, after a heading. "You" is the mage that the spell or attack was aimed at, or met.
NOTHING: dict[tuple[str, str], Forms] = {
    ("spell", "countered"): (
        mark_text("a Counter Spell surrounded {target}"),
        mark_text("a Counter Spell surrounded you"),
    ),
    ("spell", "caster_blind"): mark_text("its caster could not see"),
    ("spell", "target_unseen"): (mark_text("{target} could not be seen"), mark_text("you could not be seen")),
    ("spell", "target_gone"): (
        mark_text("{target} was no longer in the circle"),
        mark_text("you were no longer in the circle"),
    ),
    ("spell", "shattered"): mark_text("it shattered between two mirrors"),
    ("spell", "not_raised"): mark_text("there was nothing left of {target} to raise"),
    ("spell", "not_dead"): (mark_text("{target} was not dead"), mark_text("you were not dead")),
    ("spell", "no_creature"): mark_text("its target never became a creature"),
    ("spell", "no_effect_on_monster"): mark_text("it does not work on a creature such as {target}"),
    ("spell", "no_effect_on_kind"): (mark_text("it does not work on {target}"), mark_text("it does not work on you")),
    ("spell", "no_effect_on_elemental"): mark_text("an elemental cannot have companions"),
    ("spell", "minds_clash"): (
        mark_text("two spells met in the mind of {target}, and both failed"),
        mark_text("two spells met in your mind, and both failed"),
    ),
    ("spell", "already"): (
        mark_text("the same effect was already on {target}"),
        mark_text("the same effect was already on you"),
    ),
    ("mind spell", "already"): (
        mark_text("a permanent spell held the mind of {target}"),
        mark_text("a permanent spell held your mind"),
    ),
    ("spell", "dies_on_arrival"): mark_text("fire and ice had met just before"),
    ("spell", "clash"): mark_text("fire and ice met, and both elementals were destroyed"),
    ("spell", "fades"): mark_text("two storms, or a storm and an elemental, had cancelled each other just before"),
    ("spell", "consumed"): mark_text("it was lost where the elementals met"),
    ("spell", "cancels"): mark_text("fire and ice met, and both storms were gone"),
    ("spell", "spent_on_elemental"): mark_text("it spent itself on {creature}"),
    ("unharmed", "FM-FIREBALL-3"): mark_text("the Ice Storm took its heat"),
    ("unharmed", "FM-FIREBALL-5"): mark_text("fire does not harm {who}"),
    ("unharmed", "FM-RHEAT-2"): (mark_text("heat did not harm {who}"), mark_text("heat did not harm you")),
    ("unharmed", "FM-FSTORM-2"): mark_text("none of its heat got through"),
    ("unharmed", "FM-ISTORM-2"): mark_text("none of its cold got through"),
    ("absorbed", ""): (mark_text("a shield surrounded {who}"), mark_text("a shield surrounded you")),
    ("unhealed", ""): (mark_text("{who} kept no hit points from it"), mark_text("you kept no hit points from it")),
    ("saved_from_death", ""): (mark_text("life met death over {who}"), mark_text("life met death over you")),
    ("attack_missed", "no_target"): mark_text("it had nobody to attack"),
    ("attack_missed", "gone"): (mark_text("{target} was not there"), mark_text("you were not there")),
    ("attack_missed", "invisible"): (mark_text("{target} could not be seen"), mark_text("you could not be seen")),
    ("attack_missed", "shielded"): (mark_text("a shield surrounded {target}"), mark_text("a shield surrounded you")),
    ("attack_missed", "resisted"): (mark_text("it could not harm {target}"), mark_text("it could not harm you")),
    ("attack_missed", "paralysed"): mark_text("it was paralysed"),
    ("attack_missed", "amnesia"): mark_text("it had forgotten everything"),
    ("attack_missed", "afraid"): mark_text("it was afraid"),
    ("attack_missed", "maladroit"): mark_text("it was clumsy"),
    ("attack_missed", "stunned"): mark_text("it was stunned"),
    ("stab_missed", "no_target"): mark_text("it was aimed at nobody"),
    ("stab_missed", "gone"): (mark_text("{target} was not there"), mark_text("you were not there")),
    ("stab_missed", "unseen"): mark_text("the target could not be seen"),
    ("stab_missed", "shielded"): (mark_text("a shield surrounded {target}"), mark_text("a shield surrounded you")),
    ("cast", "nobody"): mark_text("it was aimed at nobody"),
    ("cast", "dispelled"): mark_text("a Dispel Magic stopped every other spell"),
    ("reflected", ""): (mark_text("a mirror stood before {mirror}"), mark_text("a mirror stood before you")),
    # What took hold and was undone in the same turn (`undone_spells`).
    ("undone", "gives_way"): mark_text("it gave way to another mind spell"),
    ("undone", "removed"): mark_text("it was removed in the same turn"),
    ("undone", "cured"): mark_text("it was cured in the same turn"),
    ("undone", "destroyed"): mark_text("{target} was destroyed first"),
    ("undone", "held_back"): mark_text("{target} did not attack"),
    ("undone", "out_of_turn"): mark_text("creatures do not attack in an extra turn"),
}

# What did not happen.
HEADINGS: dict[str, Forms] = {
    "spell": (mark_text("{who}'s {spell} did nothing"), mark_text("your {spell} did nothing")),
    "spell of somebody": mark_text("{spell} did nothing"),
    "turned": (mark_text("{who}'s {spell} came back at {at}"), mark_text("your {spell} came back at {at}")),
    "turned of somebody": mark_text("{spell} came back at {at}"),
    "lost": (mark_text("{who}'s {spell} was lost"), mark_text("your {spell} was lost")),
    "lost of somebody": mark_text("{spell} was lost"),
    "storm": (mark_text("{who}'s {spell} did not harm {target}"), mark_text("your {spell} did not harm {target}")),
    "storm of somebody": mark_text("{spell} did not harm {target}"),
    "attack_missed": mark_text("{who} did not attack"),
    "stab_missed": (mark_text("{who}'s stab did nothing"), mark_text("your stab did nothing")),
    "not cast": (
        mark_text("{who} did not cast {spell} on turn {turn}"),
        mark_text("you did not cast {spell} on turn {turn}"),
    ),
}

# The rest of an answer.
REASONS: dict[str, Forms] = {
    "because": mark_text("{what}: {why} ({clause})."),
    "because of": mark_text("{what}: {why} ({clause}), because of {origin}."),
    "worked": (mark_text("{who}'s {spell} worked."), mark_text("your {spell} worked.")),
    "silence": (
        mark_text("you saw no effect of {who}'s {spell} ({clause})."),
        mark_text("you saw no effect of your {spell} ({clause})."),
    ),
    "cast": (
        mark_text("the {spell} that {who} cast on turn {turn}"),
        mark_text("the {spell} that you cast on turn {turn}"),
    ),
    "cast on": (
        mark_text("the {spell} that {who} cast on {at} on turn {turn}"),
        mark_text("the {spell} that you cast on {at} on turn {turn}"),
    ),
    "cast at": (
        mark_text("the {spell} that {who} cast at {at} on turn {turn}"),
        mark_text("the {spell} that you cast at {at} on turn {turn}"),
    ),
    "cast unseen": mark_text("a {spell} on turn {turn}, whose caster you could not see"),
    "unseen": mark_text("something you could not see"),
    "only unseen": mark_text("something you could not see."),
    "then": mark_text("Turn {turn}: {sentence}"),
    "other spell": (
        mark_text("the {hand} completed it, but cast {other} instead"),
        mark_text("your {hand} completed it, but cast {other} instead"),
    ),
    "kept": (
        mark_text("the {hand} completed it, but cast nothing"),
        mark_text("your {hand} completed it, but cast nothing"),
    ),
    "used up": mark_text("{series} works once in a battle and had already been used"),
    "cut": (mark_text("{who}'s strings of gestures had been cut"), mark_text("your strings of gestures had been cut")),
    "disturbed": (
        mark_text("an enchantment had changed {who}'s gestures"),
        mark_text("an enchantment had changed your gestures"),
    ),
    "not made": (
        mark_text("neither hand of {who} had completed {series}"),
        mark_text("neither of your hands had completed {series}"),
    ),
    "not there": (mark_text("{who} played no gestures in it"), mark_text("you played no gestures in it")),
    "no turn": mark_text("You don't know of a turn {turn}."),
    "no spell": mark_text("{ruleset} has no spell called {spell}."),
}
