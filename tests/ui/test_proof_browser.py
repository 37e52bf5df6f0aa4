"""The proof page checks a record in a real browser, without the server: the true one, and forgeries of every kind."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from duels.selectors.proof import get_proof_for_anyone
from rules_engine.records import list_commitments, parse_record
from studies.selectors.records import get_record_after_end
from tests.duels.fights import start_fight
from tests.rules_engine.forgeries import write_true_record
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import BY_PHONE, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]


@pytest.fixture
def ended(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.order("Froodal", "S/D")
    fight.turns([("S/W\nSAY \"Größe\" \\ 'x'", "W/F"), ("P/-", "P/P")])
    return fight


@pytest.mark.parametrize("options", BY_PHONE)
def test_a_record_is_checked_in_the_browser_alone(
    visit: Callable[..., Any], ended: Any, options: Any, tmp_path: Path
) -> None:
    page = visit(f"/battles/{ended.number}/proof/", **options)
    found, width = list_faults(page), overflow(page)
    page.context.set_offline(True)
    noted = get_proof_for_anyone(number=ended.number).commitment

    def check(text: str, noted: str = "") -> str:
        path = tmp_path / "record.txt"
        path.write_text(text, encoding="utf-8")
        page.set_input_files("#proof-file", str(path))
        page.fill("#proof-noted", noted)
        page.evaluate("document.getElementById('proof-result').replaceChildren()")
        page.click("#proof button")
        page.wait_for_selector("#proof-result p")
        return str(page.inner_text("#proof-result"))

    true = get_record_after_end(number=ended.number)
    known = len(list(list_commitments(parse_record(true))))
    assert check(true, noted) == f"All commitments hold. Checked: {known}"
    assert "You noted this hash" in check(true, "0" * 64)
    # Random lines and salts, several stages and mages: the same hashes as in Python.
    for seed in range(6):
        assert check(write_true_record(random.Random(seed), proven=True)).startswith("All commitments hold.")
    for line in (r"  RH ", r"salt ", r"commit ", r"closed ", r"commitment ", r"terms ", r"seed "):
        was = next(each for each in true.split("\n") if re.match(line, each))
        now = was[:-1] + ("0" if was[-1] not in '0"}' else " 0" + was[-1])
        assert "This record differs" in check(true.replace(was, now, 1)), line
    bare = re.sub(r"^(terms|commitment|seed|commit|salt|closed) .*\n", "", true, flags=re.M)
    assert check(bare) == "This record has no commitments."
    assert (found, width) == ([], 0)
