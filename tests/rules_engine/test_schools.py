"""Each spell belongs to one school of magic, which gives it its colour and sign."""

import pytest

from rules_engine.rulesets import EDITIONS, Ruleset
from rules_engine.schools import STAB, School, find_school, name_sign


@pytest.mark.parametrize("ruleset", EDITIONS.values(), ids=lambda each: f"{each.name}-{each.edition}")
def test_every_spell_of_every_ruleset_has_a_school(ruleset: Ruleset) -> None:
    names = {*ruleset.spells, *(spell.name for spell in ruleset.spells.values()), *ruleset.series.values()}
    assert {name for name in names if not isinstance(find_school(name), School)} == set()


@pytest.mark.parametrize("ruleset", EDITIONS.values(), ids=lambda each: f"{each.name}-{each.edition}")
def test_spells_that_do_damage_or_summon_are_in_those_schools(ruleset: Ruleset) -> None:
    school_of = {"damage": School.HARM, "summons": School.SUMMON}
    for spell in ruleset.spells.values():
        if spell.category in school_of:
            assert find_school(spell.name) is school_of[spell.category]


def test_a_stab_is_harm() -> None:
    assert find_school(STAB) is School.HARM


def test_only_cures_have_a_sign_other_than_their_school() -> None:
    assert name_sign("Cure Light Wounds") == "cure"
    assert find_school("Cure Light Wounds") is School.WARD
    assert name_sign("Shield") == "ward"


def test_a_name_that_is_no_spell_has_no_school() -> None:
    with pytest.raises(KeyError):
        find_school("Custard")
