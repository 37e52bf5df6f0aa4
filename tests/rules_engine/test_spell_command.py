"""python -m rules_engine spell: the short way from a question about a spell to its rule, its code and its check."""

import re
from pathlib import Path

import pytest

import rules_engine
from rules_engine import RULESETS
from rules_engine.__main__ import main

HOME = Path(rules_engine.__file__).parents[1]


def ask(capsys, *words):
    assert main(["spell", *words]) == 0
    return capsys.readouterr().out


def test_it_says_what_charm_monster_does_in_warlocks_and_by_what_code(capsys):
    output = ask(capsys, "charm monster", "warlocks")
    assert output.startswith("Charm Monster in Warlocks (warlocks, edition 3)\n  series   P S D D\n")
    assert "Remove Enchantment spares a Charm Monster of the same turn, which works at once." in output
    assert "rule     WL-ENCH-1" in output and "apply_charm_monster" in output


@pytest.mark.parametrize("ruleset", ["firetop-standard", "warlocks", "waving-hands", "spellcast"])
def test_every_place_it_names_is_there(capsys, ruleset):
    for spell in RULESETS[ruleset].order:
        output = ask(capsys, spell, ruleset)
        places = re.findall(r"([\w/]+\.py):(\d+) (\w+)", output)
        assert places, spell
        for path, line, name in places:
            text = (HOME / path).read_text()
            assert f"def {name}(" in text and int(line) <= text.count("\n"), output
        table, _, heading = output.partition("checked  ")[2].strip().partition(", ")
        assert f"\n{heading}\n" in (HOME / table).read_text()


def test_without_a_ruleset_every_family_answers(capsys):
    output = ask(capsys, "Raise Dead")
    assert "Raise Dead in Warlocks (warlocks, edition 3)\n  cannot be made" in output
    assert "Raise Dead in Firetop Mountain, Standard" in output and "parafdf" not in output


@pytest.mark.parametrize(("words", "nearest"), [(["raise ded"], "Raise Dead"), (["Haste", "warlokcs"], "warlocks")])
def test_an_unknown_spell_suggests_the_nearest(capsys, words, nearest):
    assert main(["spell", *words]) == 2
    assert f"did you mean {nearest}?" in capsys.readouterr().err
