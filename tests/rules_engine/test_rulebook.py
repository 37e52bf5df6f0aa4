"""docs/rules says what the engine does: it is generated from the engine's data, and must be up to date."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import rules_engine
from rules_engine import RULESETS
from rules_engine.__main__ import main
from rules_engine.rulebook import describe_spell, write_page, write_pages

FOLDER = Path(rules_engine.__file__).parents[1] / "docs" / "rules"
OFFERED = sorted(name for name, ruleset in RULESETS.items() if ruleset.offered)


def test_the_committed_pages_are_up_to_date():
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert kept == write_pages(), "run: python -m rules_engine rules docs/rules"


def test_every_ruleset_on_offer_has_a_page_and_is_in_the_list():
    pages = write_pages()
    assert OFFERED and sorted(pages) == sorted([*(f"{name}.md" for name in OFFERED), "README.md"])
    assert all(f"]({name}.md)" in pages["README.md"] for name in OFFERED)


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_each_order_has_every_series_once_and_is_sorted(name):
    ruleset, page = RULESETS[name], write_page(RULESETS[name])
    forward, backward = (
        re.findall(r"^\| `([A-Za-z ]+)` \|", page.split(f"## {title}\n")[1].split("\n## ")[0], re.M)
        for title in ("By gestures", "By gestures, last to first")
    )
    texts = sorted(series.text for series in ruleset.book.series)
    assert sorted(line.replace(" ", "") for line in forward) == texts
    assert sorted(line.replace(" ", "")[::-1] for line in backward) == texts
    for lines in (forward, backward):
        assert [line.upper() for line in lines] == sorted(line.upper() for line in lines)


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_the_page_names_every_spell_every_difference_and_their_clauses(name):
    ruleset, page = RULESETS[name], write_page(RULESETS[name])
    by_name = page.split("## By name\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| ([A-Z][^|]+?) \|", by_name, re.M) == sorted(ruleset.order)
    assert all(ruleset.spells[spell].clause in by_name for spell in ruleset.order)
    differences = page.split("## Differences\n")[1].split("\n## ")[0]
    assert all(f"| {d.text} | {d.clause} |" in differences for d in ruleset.differences)


def test_texts_follow_the_data_of_their_ruleset():
    standard = RULESETS["firetop-standard"]
    assert "Held still, C becomes F, S becomes D and W becomes P." in describe_spell(standard, "Paralysis")
    other = replace(standard, rules=replace(standard.rules, paralysis={"F": "C", "S": "S"}), once=frozenset())
    assert "Held still, F becomes C." in describe_spell(other, "Paralysis")
    assert "can use W D D c once" in describe_spell(standard, "Lightning Bolt")
    assert "once" not in describe_spell(other, "Lightning Bolt")


def test_the_command_writes_the_pages_and_removes_old_ones(tmp_path, capsys):
    (tmp_path / "old-ruleset.md").write_text("gone")
    (tmp_path / "notes.txt").write_text("kept")
    assert main(["rules", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {*write_pages(), "notes.txt"}
    assert f"{len(write_pages())} pages in {tmp_path}" in capsys.readouterr().out
