"""docs/game-record.md is true: its examples are records, and it names every line and command."""

import re
from pathlib import Path

import rules_engine
from rules_engine.records import complete_record, parse_record, verify_record, write_record
from rules_engine.records.parse import KEYS

TEXT = (Path(rules_engine.__file__).parents[1] / "docs" / "game-record.md").read_text(encoding="utf-8")
RECORD, DRAFT = re.findall(r"```\n(.*?)```", TEXT, re.S)


def test_the_example_record_is_canonical_and_matches_the_rules():
    record = parse_record(RECORD)
    assert write_record(record) == RECORD
    assert verify_record(record) == ()


def test_the_draft_can_be_completed():
    assert verify_record(complete_record(parse_record(DRAFT, free_orders=True))) == ()


def test_every_keyword_is_in_the_table_of_lines():
    table = TEXT.split("## Lines")[1].split("## ")[0]
    assert [key for key in KEYS if f"`{key}`" not in table and f"`{key} " not in table] == []


def test_everything_in_the_records_package_has_a_docstring():
    assert all(getattr(rules_engine.records, name).__doc__ for name in rules_engine.records.__all__)
