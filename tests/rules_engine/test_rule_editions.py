"""A battle that began under an older edition is played to its end by it; a new one gets the newest."""

from pathlib import Path

import pytest

from rules_engine.rulesets import EDITIONS, get_ruleset
from tests.rules_engine.case_files import read_cases
from tests.rules_engine.case_play import CaseFailed, play_case

CASES = Path(__file__).parent / "cases"
SECOND = {
    "A storm's harm to an invisible mage is told to all who can see": ("visibility", ("warlocks", "spellcast")),
    "The blind are told what spells do to hit points, but not what daggers do": ("visibility", ("warlocks",)),
    "A reflected spell misses an invisible caster": ("mirrors_and_counters", ("warlocks", "spellcast")),
    "A Permanency named for an idle hand waits": ("permanency_and_delay", ("waving-hands", "spellcast")),
    "A Delay Effect named for an idle hand waits": ("permanency_and_delay", ("waving-hands", "spellcast")),
}
CORRECTED = {
    "A long Lightning Bolt fired with a clap leaves the short one": ("permanency_and_delay", ("firetop-standard",)),
    "A long Lightning Bolt fired with a clap leaves the short one where powers take the next spell": (
        "permanency_and_delay",
        ("waving-hands", "spellcast"),
    ),
    "A Delay Effect from another mage banks a spell of its own turn": ("permanency_and_delay", ("waving-hands",)),
    "A Permanency from another mage catches a spell of its own turn": ("permanency_and_delay", ("waving-hands",)),
    "A permanent Paralysis holds an elemental in every turn": (
        "permanency_and_delay",
        ("firetop-standard", "warlocks"),
    ),
    "A permanent Amnesia holds an elemental in every turn": ("permanency_and_delay", ("firetop-standard", "warlocks")),
    "A permanent Charm Person outlasts the victim's own": ("permanency_and_delay", ("firetop-standard",)),
    "Resist Heat does nothing to an ice elemental": ("storms_and_elementals", ("firetop-standard", "warlocks")),
    "Resist Cold does nothing to a fire elemental": ("storms_and_elementals", ("firetop-standard", "warlocks")),
    "A cure of the same turn does not save a goblin from Poison": ("illness", ("warlocks",)),
    "A Raise Dead does not save a living ogre from Remove Enchantment": (
        "dispel_and_raise",
        ("firetop-standard", "waving-hands"),
    ),
    "Raise Dead and Finger Of Death at a dead goblin leave it dead": (
        "dispel_and_raise",
        ("firetop-standard", "waving-hands"),
    ),
    "A resistance protects the mage who acts in stopped time": ("extra_turns", ("waving-hands",)),
    "A goblin paralysed in stopped time stands still in the turn that follows": ("extra_turns", ("waving-hands",)),
    "A goblin whose master is dead attacks nobody": ("spellcast", ("spellcast",)),
    "A goblin summoned for one whose master is dead attacks nobody": ("spellcast", ("spellcast",)),
    "A mage who surrenders wins if the spells of those gestures kill the opponent": ("spellcast", ("spellcast",)),
    "The blind can stab themselves": ("spellcast", ("spellcast",)),
}
FIRST_CORRECTED = {name: 2 if name.startswith("firetop") else 3 for name, edition in EDITIONS if edition > 1}
PLAYED = [(title, file, ruleset, 2) for title, (file, rulesets) in SECOND.items() for ruleset in rulesets] + [
    (title, file, ruleset, FIRST_CORRECTED[ruleset])
    for title, (file, rulesets) in CORRECTED.items()
    for ruleset in rulesets
]


@pytest.mark.parametrize(("title", "file", "ruleset", "edition"), PLAYED)
def test_only_that_edition_and_later_ones_play_so(title, file, ruleset, edition):
    (case,) = [case for case in read_cases(CASES / f"{file}.txt") if case.title == title]
    play_case(case, ruleset, edition=edition)
    with pytest.raises(CaseFailed):
        play_case(case, ruleset, edition=edition - 1)


@pytest.mark.parametrize(("name", "edition"), sorted(each for each in EDITIONS if each[1] > 1))
def test_a_later_edition_says_what_it_changes(name, edition):
    before, after = get_ruleset(name, edition - 1), get_ruleset(name, edition)
    assert after.edition == edition and after.chosen == before.chosen
    assert after.differences[: len(before.differences)] == before.differences
    assert len(after.differences) > len(before.differences)
