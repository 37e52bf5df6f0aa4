"""The rules that players read and the rulings name the same things."""

import re
from pathlib import Path

from league.rule_texts import CHAPTERS

RULINGS = Path(__file__).resolve().parents[2] / "docs" / "rulings.md"
ANCHORS = [rule.anchor for chapter in CHAPTERS for rule in chapter.rules]


def test_every_ruling_about_leagues_and_cups_stands_on_the_page_for_players():
    ruled = re.findall(r"^\| `((?:league|cup|draw|streak|fair|call)-[a-z-]+)`", RULINGS.read_text(), re.MULTILINE)
    assert len(ruled) == len(set(ruled)) >= 14
    assert set(ruled) == set(ANCHORS)


def test_each_rule_has_an_anchor_of_its_own(client, db):
    page = client.get("/league/rules/").content.decode()
    found = re.findall(r'class="rule" id="([a-z-]+)"', page)
    assert [each for each in found if "-" in each] == ANCHORS and len(found) == len(set(found))
