"""docs/orders.md is true: its examples read as it says, and it names every order, problem and warning."""

import ast
import re
from pathlib import Path

import pytest

import rules_engine
from rules_engine import read_orders
from rules_engine.keywords import KEYWORDS
from tests.rules_engine.test_reading_orders import SCENE

ROOT = Path(rules_engine.__file__).parent
TEXT = (ROOT.parent / "docs" / "orders.md").read_text()
EXAMPLES = re.findall(r"^\| `([^`]+)` \| (`[^|]+`) \|$", TEXT.split("### Examples")[1].split("## Names")[0], re.M)


@pytest.mark.parametrize(("written", "lines"), EXAMPLES, ids=[written for written, _ in EXAMPLES])
def test_examples_are_read_as_the_document_says(written, lines):
    read = read_orders(SCENE, "Ayla", written)
    assert read.problems == ()
    assert read.sheet.lines() == [line.strip("` ") for line in lines.split(" · ")]


def test_there_are_examples():
    assert len(EXAMPLES) > 8


def test_every_order_is_in_the_document():
    orders = TEXT.split("## The orders")[1].split("### Examples")[0]
    assert {keyword for keyword in KEYWORDS if f"`{keyword}`" not in orders} == set()


def first_arguments(module: str, function: str) -> set[str]:
    """The codes of a module's problems or warnings."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / module).read_text())):
        if isinstance(node, ast.Call) and function in ast.unparse(node.func) and node.args:
            first = node.args[0]
            found |= {first.value} if isinstance(first, ast.Constant) else set()
    return found


def test_every_problem_and_warning_is_in_the_document():
    problems, warnings = {"words_missing"}, first_arguments("hints.py", "Warning")
    for module in ("notation.py", "order_reader.py", "power_orders.py"):
        problems |= first_arguments(module, "reject")
    assert len(problems) > 8 and len(warnings) > 7
    documented = set(re.findall(r"`([a-z_]+)`", TEXT.split("## Problems and warnings")[1].split("## For programs")[0]))
    assert problems | warnings <= documented
    assert documented - problems - warnings <= {
        "line",
        "text",
        "code",
        "message",
        "nearest",
        "not_allowed",
        "hand_missing",
        "no_chat",
        "guest_says",
    }
