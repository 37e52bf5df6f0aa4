"""The ruleset in docs/rulesets.md can be copied: it is read, and its spell does what the page says."""

import re
from pathlib import Path

import pytest

from rules_engine.rulesets import Ruleset
from tests.rules_engine.staged_turns import AYLA, CROM, Stage

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rulesets.md"


@pytest.fixture(scope="module")
def frost() -> Ruleset:
    [code] = re.findall(r'^```python\n(""".*?)^```', PAGE.read_text(encoding="utf-8"), re.M | re.S)
    module: dict[str, tuple[Ruleset, ...]] = {}
    exec(compile(code, PAGE.name, "exec", dont_inherit=True), module)
    [ruleset] = module["RULESETS"]
    return ruleset


def test_the_documented_ruleset_has_its_spell(frost):
    assert (frost.name, frost.title, frost.summary) == ("frost", "Frost", "the standard book and a ward of ice")
    assert frost.series["SSF"] == "Ice Ward"
    assert frost.order.index("Ice Ward") == frost.order.index("Protection") + 1


def test_the_documented_spell_shields_for_three_turns(frost):
    stage = Stage(frost).turn((AYLA, "Ice Ward", AYLA))
    for hit_points in (10, 10, 9):
        stage.turn((CROM, "Magic Missile", AYLA))
        assert stage.hp(AYLA) == hit_points
