"""A battle that began under a first edition is played to its end by it; a new one gets the second."""

from pathlib import Path

import pytest

from rules_engine import RULESETS
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
PLAYED = [(title, file, ruleset) for title, (file, rulesets) in SECOND.items() for ruleset in rulesets]


@pytest.mark.parametrize(("title", "file", "ruleset"), PLAYED)
def test_only_the_second_edition_plays_so(title, file, ruleset):
    (case,) = [case for case in read_cases(CASES / f"{file}.txt") if case.title == title]
    play_case(case, ruleset)
    with pytest.raises(CaseFailed):
        play_case(case, ruleset, edition=1)


@pytest.mark.parametrize("name", sorted(name for name, edition in EDITIONS if edition == 2))
def test_the_second_edition_says_what_it_changes(name):
    first, second = get_ruleset(name, 1), RULESETS[name]
    assert second.edition == 2 and second.chosen == first.chosen
    assert second.differences[: len(first.differences)] == first.differences
    assert len(second.differences) > len(first.differences)
