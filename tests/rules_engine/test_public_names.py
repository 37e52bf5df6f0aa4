"""The promises of `import rules_engine`."""

import ast
import doctest
from pathlib import Path

import pytest

import rules_engine
from rules_engine import (
    RULESETS,
    KeyedDice,
    UnknownRuleset,
    Viewer,
    get_ruleset,
    look,
    new_duel,
    read_state,
    write_state,
)

PACKAGE = Path(rules_engine.__file__).parent


def test_the_example_in_the_package_docstring_is_true():
    result = doctest.testmod(rules_engine)
    assert result.attempted > 8
    assert result.failed == 0


def test_everything_in_all_exists_and_has_a_docstring():
    for name in rules_engine.__all__:
        thing = getattr(rules_engine, name)
        assert not callable(thing) or thing.__doc__, name


def test_rulesets_are_pinned_by_name_and_edition():
    for name, ruleset in RULESETS.items():
        assert get_ruleset(name) is get_ruleset(name, ruleset.edition) is ruleset


def test_an_unknown_ruleset_names_the_nearest():
    with pytest.raises(UnknownRuleset, match="did you mean firetop-standard"):
        get_ruleset("firetop-standart")
    with pytest.raises(UnknownRuleset, match="edition 99"):
        get_ruleset("firetop-standard", 99)


@pytest.mark.parametrize(
    ("name", "spells", "series"),
    [("firetop-standard", 40, 43), ("firetop-classic", 40, 42), ("firetop-nomonsters", 35, 38)],
)
def test_the_books_have_the_right_spells(name, spells, series):
    ruleset = get_ruleset(name)
    assert (len(ruleset.order), len(ruleset.series)) == (spells, series)


def test_no_module_asks_a_ruleset_for_its_name():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
                assert not texts & set(RULESETS), path


def test_a_handicap_sets_the_starting_hit_points():
    duel = new_duel("firetop-standard", ["Ayla", "Crom", "Ulf"], dice=KeyedDice("x"), hit_points=(15, 3))
    assert [look(duel, Viewer.spectator()).mage(name).hp for name in ("Ayla", "Crom", "Ulf")] == [15, 3, 15]
    assert read_state(write_state(duel)).wizards["Crom"].hp == 3


@pytest.mark.parametrize("points", [0, -1, 16])
def test_no_mage_starts_dead_or_above_the_maximum(points):
    with pytest.raises(ValueError, match="1 to 15"):
        new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("x"), hit_points=(15, points))
