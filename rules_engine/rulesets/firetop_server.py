"""Firetop Mountain as its original server played it, defects included: the overlay that conformance tests use.

B1..B13 number the server's known defects; docs/rulings.md lists them with our reading.
"""

from __future__ import annotations

from dataclasses import replace

from rules_engine.rules import CreatureOwner, Difference, Rules, Ruleset
from rules_engine.rulesets import firetop

SERVER_RULES = Rules(
    invisible_work_is_hidden=False,
    stopped_turn_is_announced=True,
    stopped_turn_uses_up_its_own=False,
    resist_destroys_elemental=False,
    broken_pair_frees_hands=False,
    delay_order_expires=False,
    raised_starts_afresh=False,
    stunned_monsters_lose_second_strike=False,
    paralyses_cancel_alone=False,
    newborn_of_reflected=CreatureOwner.MIRROR,
    joined_elemental_is_each_hands=False,
    elementals_can_be_given_monsters=True,
    powers_work_on_wizards_only=False,
    dispel_needs_no_target=False,
    dispel_is_irresistible=False,
    dispel_frees_monsters=False,
    permanent_outlasts_its_like=False,
    delay_is_renewed=False,
    mirrors_turn_mirrors_back=True,
    common_surrender_is_won=True,
    illness_counts_extra_turn=False,
)

_DIFFERENCES = (
    Difference(
        "A Resist cast on an elemental of its kind makes it resistant instead of destroying it.", "B1 FM-RHEAT-5"
    ),
    Difference("If an enchantment breaks a two-handed spell, the unchanged hand casts nothing.", "B4 FM-GEST-16"),
    Difference("A DELAY order waits for the hand's next spell, even for many turns.", "B6 FM-DELAY-3"),
    Difference("A raised mage who had surrendered leaves again immediately.", "B7 FM-RAISE-5"),
    Difference("An enchantment cast in a stopped turn lasts a turn longer.", "B8 FM-SHIELD-6"),
    Difference("A hastened monster attacks a second time even if it is stunned.", "B9 FM-PARA-8"),
    Difference("Two cancelled Paralyses suppress a third mind spell.", "B11 FM-PARA-9"),
    Difference("After a mirror, the creature counts as made by the mirror's owner.", "B13 FM-ORDMOVE-13"),
    Difference("Permanency and Delay Effect can be cast on a monster, but it cannot use them.", "FM-PERM-2 FM-DELAY-2"),
    Difference("A summons may be cast on an elemental; the creature obeys nobody.", "FM-GOBLIN-7"),
    Difference("A Dispel Magic aimed at nobody does nothing; counters and mirrors stop its shield.", "FM-DISPEL-7"),
    Difference("A Magic Mirror turns back another mage's mirror.", "FM-MIRROR-13"),
    Difference("Dispel Magic leaves monsters their enchantments for their last attack.", "FM-DISPEL-4"),
    Difference("A second Delay Effect does not extend the first.", "FM-DELAY-3"),
    Difference("Everyone sees every effect of an invisible mage's spells.", "FM-INVIS-5"),
    Difference("Everyone learns who plays in stopped time.", "FM-TIMESTOP-3"),
    Difference("A Disease or Poison cast in an extra turn kills a turn later.", "FM-DISEASE-2 FM-POISON-2"),
    Difference("In a melee, the last mages win together if they surrender together.", "FM-SURR-7"),
)


def _as_played(ruleset: Ruleset, name: str) -> Ruleset:
    return replace(
        ruleset,
        name=name,
        as_played=True,
        rules=SERVER_RULES,
        differences=ruleset.differences + _DIFFERENCES,
        offered=False,
    )


RULESETS = (
    _as_played(firetop.STANDARD, "firetop-server"),
    _as_played(firetop.CLASSIC, "firetop-server-classic"),
    _as_played(firetop.NOMONSTERS, "firetop-server-nomonsters"),
)
