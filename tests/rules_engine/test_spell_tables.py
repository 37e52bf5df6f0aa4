"""Every spell answers the questions as its table says, in every ruleset that has a table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_engine import get_ruleset
from tests.rules_engine.spell_questions import QUESTIONS, ask

Answers = dict[str, str]
TABLES = sorted((Path(__file__).parent / "spell_tables").glob("*.txt"))


def read_table(text: str) -> dict[str, Answers]:
    """Spell -> question -> answer."""
    table: dict[str, Answers] = {}
    spell = ""
    for line in text.splitlines():
        if line.startswith("spell "):
            spell = line.removeprefix("spell ")
            table[spell] = {}
        elif line.startswith("  "):
            question, _, answer = line.strip().partition(":")
            table[spell][question] = answer.strip()
    return table


def all_answers() -> Iterator[tuple[str, str, Answers]]:
    for path in TABLES:
        for spell, answers in read_table(path.read_text()).items():
            yield path.stem, spell, answers


@pytest.mark.parametrize(("ruleset", "spell", "answers"), list(all_answers()), ids=lambda part: str(part)[:20])
def test_a_spell_does_what_its_table_says(ruleset: str, spell: str, answers: Answers) -> None:
    assert {question: ask(get_ruleset(ruleset), spell, question) for question in QUESTIONS} == answers


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_leaves_out_no_spell_of_its_book(path: Path) -> None:
    assert list(read_table(path.read_text())) == list(get_ruleset(path.stem).order)
