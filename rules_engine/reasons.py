"""Why something came to nothing: data for `explaining` and `unmade`. A pair is (somebody else's, your own)."""

from __future__ import annotations

from rules_engine.sentences import Forms
from rules_engine.text import mark

# The reason, after a heading. The second person is the one it was aimed at, or met.
NOTHING: dict[tuple[str, str], Forms] = {
    ("spell", "countered"): (mark("a Counter Spell surrounded {target}"), mark("a Counter Spell surrounded you")),
    ("spell", "caster_blind"): mark("its caster could not see"),
    ("spell", "target_unseen"): (mark("{target} could not be seen"), mark("you could not be seen")),
    ("spell", "target_gone"): (mark("{target} was no longer in the circle"), mark("you were no longer in the circle")),
    ("spell", "shattered"): mark("it shattered between two mirrors"),
    ("spell", "not_raised"): mark("nothing is left of {target} that could rise"),
    ("spell", "not_dead"): (mark("{target} was not dead"), mark("you were not dead")),
    ("spell", "no_creature"): mark("its target never became a creature"),
    ("spell", "no_effect_on_monster"): mark("it does not work on a creature such as {target}"),
    ("spell", "no_effect_on_kind"): (mark("it does not work on {target}"), mark("it does not work on you")),
    ("spell", "no_effect_on_elemental"): mark("an elemental gets no companions"),
    ("spell", "minds_clash"): (
        mark("two spells met in the mind of {target}, and both failed"),
        mark("two spells met in your mind, and both failed"),
    ),
    ("spell", "already"): (mark("the same effect was already on {target}"), mark("the same effect was already on you")),
    ("spell", "same_hand"): (mark("{target}'s hand was already paralysed"), mark("your hand was already paralysed")),
    ("spell", "dies_on_arrival"): mark("fire and ice had met just before"),
    ("spell", "clash"): mark("fire and ice met, and both elementals were destroyed"),
    ("spell", "fades"): mark("two storms, or a storm and an elemental, had cancelled each other just before"),
    ("spell", "consumed"): mark("it was lost where the elementals met"),
    ("spell", "cancels"): mark("fire and ice met, and both storms were gone"),
    ("spell", "spent_on_elemental"): mark("it spent itself on {creature}"),
    ("unharmed", "FM-FIREBALL-3"): mark("the Ice Storm took its heat"),
    ("unharmed", "FM-FIREBALL-5"): mark("fire does not harm {who}"),
    ("unharmed", "FM-RHEAT-2"): (mark("heat did not harm {who}"), mark("heat did not harm you")),
    ("unharmed", "FM-FSTORM-2"): mark("none of its heat got through"),
    ("unharmed", "FM-ISTORM-2"): mark("none of its cold got through"),
    ("absorbed", ""): (mark("a shield surrounded {who}"), mark("a shield surrounded you")),
    ("unhealed", ""): (mark("{who} kept no hit points from it"), mark("you kept no hit points from it")),
    ("saved_from_death", ""): (mark("life met death over {who}"), mark("life met death over you")),
    ("attack_missed", "no_target"): mark("it had nobody to attack"),
    ("attack_missed", "gone"): (mark("{target} was not there"), mark("you were not there")),
    ("attack_missed", "invisible"): (mark("{target} could not be seen"), mark("you could not be seen")),
    ("attack_missed", "shielded"): (mark("a shield surrounded {target}"), mark("a shield surrounded you")),
    ("attack_missed", "resisted"): (mark("it could not harm {target}"), mark("it could not harm you")),
    ("attack_missed", "paralysed"): mark("it was paralysed"),
    ("attack_missed", "amnesia"): mark("it had forgotten everything"),
    ("attack_missed", "afraid"): mark("it was afraid"),
    ("attack_missed", "maladroit"): mark("it was clumsy"),
    ("attack_missed", "stunned"): mark("it was stunned"),
    ("stab_missed", "no_target"): mark("it was aimed at nobody"),
    ("stab_missed", "gone"): (mark("{target} was not there"), mark("you were not there")),
    ("stab_missed", "unseen"): mark("the target could not be seen"),
    ("stab_missed", "shielded"): (mark("a shield surrounded {target}"), mark("a shield surrounded you")),
    ("cast", "nobody"): mark("it was aimed at nobody"),
    ("cast", "dispelled"): mark("a Dispel Magic stopped every other spell"),
    ("reflected", ""): (mark("a mirror stood before {mirror}"), mark("a mirror stood before you")),
}

# What did not happen.
HEADINGS: dict[str, Forms] = {
    "spell": (mark("{who}'s {spell} did nothing"), mark("your {spell} did nothing")),
    "spell of somebody": mark("{spell} did nothing"),
    "turned": (mark("{who}'s {spell} came back at {at}"), mark("your {spell} came back at {at}")),
    "turned of somebody": mark("{spell} came back at {at}"),
    "storm": (mark("{who}'s {spell} did not harm {target}"), mark("your {spell} did not harm {target}")),
    "storm of somebody": mark("{spell} did not harm {target}"),
    "attack_missed": mark("{who} did not attack"),
    "stab_missed": (mark("{who}'s stab did nothing"), mark("your stab did nothing")),
    "not cast": (mark("{who} did not cast {spell} on turn {turn}"), mark("you did not cast {spell} on turn {turn}")),
}

# The rest of an answer.
REASONS: dict[str, Forms] = {
    "because": mark("{what}: {why} ({clause})."),
    "because of": mark("{what}: {why} ({clause}), because of {origin}."),
    "worked": (mark("{who}'s {spell} worked."), mark("your {spell} worked.")),
    "silence": (
        mark("you saw no effect of {who}'s {spell} ({clause})."),
        mark("you saw no effect of your {spell} ({clause})."),
    ),
    "cast": (mark("the {spell} that {who} cast on turn {turn}"), mark("the {spell} that you cast on turn {turn}")),
    "cast on": (
        mark("the {spell} that {who} cast on {at} on turn {turn}"),
        mark("the {spell} that you cast on {at} on turn {turn}"),
    ),
    "cast at": (
        mark("the {spell} that {who} cast at {at} on turn {turn}"),
        mark("the {spell} that you cast at {at} on turn {turn}"),
    ),
    "cast unseen": mark("a {spell} on turn {turn}, whose caster you could not see"),
    "unseen": mark("something you could not see"),
    "only unseen": mark("something you could not see."),
    "then": mark("Turn {turn}: {sentence}"),
    "other spell": (
        mark("the {hand} completed it, but cast {other} instead"),
        mark("your {hand} completed it, but cast {other} instead"),
    ),
    "kept": (mark("the {hand} completed it, but cast nothing"), mark("your {hand} completed it, but cast nothing")),
    "used up": mark("{series} works once in a battle, and had been used"),
    "cut": (mark("{who}'s strings of gestures had been cut"), mark("your strings of gestures had been cut")),
    "disturbed": (
        mark("an enchantment had changed {who}'s gestures"),
        mark("an enchantment had changed your gestures"),
    ),
    "not made": (
        mark("neither hand of {who} had completed {series}"),
        mark("neither of your hands had completed {series}"),
    ),
    "not there": (mark("{who} played no gestures in it"), mark("you played no gestures in it")),
    "no turn": mark("You don't know of a turn {turn}."),
    "no spell": mark("{ruleset} has no spell {spell}."),
}
