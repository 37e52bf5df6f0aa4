"""The recorded games: FM_SHARED names the folder that contains conformance/."""

import copy
import os
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.__main__ import write_verdict
from tests.conformance.comparison import Tally
from tests.conformance.files import Record, read_records
from tests.conformance.formats import replay_record
from tests.conformance.replay import Verdict

SHARED = Path(os.environ.get("FM_SHARED", "")) / "conformance" if os.environ.get("FM_SHARED") else None


def recorded(pattern: str) -> list[Path]:
    """The files of recorded games; without the folder, the test is skipped with a message."""
    if SHARED is None or not SHARED.is_dir():
        warnings.warn(
            "recorded games were NOT replayed: FM_SHARED names no folder with conformance/ in it", stacklevel=2
        )
        pytest.skip("FM_SHARED is not set to the folder of the recorded games")
    return sorted(SHARED.glob(pattern))


def replay_all(path: Path, ruleset: str | None = None) -> list[Verdict]:
    return [replay_record(record, ruleset) for record in read_records(path)]


@pytest.mark.parametrize(
    ("pattern", "ruleset", "at_least"),
    [("seeds/*.json", None, 2), ("firetop/*.jsonl.gz", "firetop-server", 485), ("ravenblack/*.jsonl.gz", None, 6)],
)
def test_every_recorded_game_is_replayed_exactly(pattern: str, ruleset: str | None, at_least: int) -> None:
    verdicts = [(path, verdict) for path in recorded(pattern) for verdict in replay_all(path, ruleset)]
    assert [write_verdict(path, verdict) for path, verdict in verdicts if not verdict.passed] == []
    assert len(verdicts) >= at_least


# Every game of that engine that differs does so because of its defects or our rulings (docs/rulings.md).
SHARE_OF_SPELLWEAVERS = 0.99
SHARE_OF_ITS_FACTS = 0.98


def test_nearly_every_game_of_the_open_engine_is_replayed_exactly() -> None:
    verdicts = [verdict for path in recorded("spellweavers/*.jsonl.gz") for verdict in replay_all(path)]
    assert len(verdicts) >= 372
    assert sum(verdict.passed for verdict in verdicts) >= SHARE_OF_SPELLWEAVERS * len(verdicts)
    assert sum((verdict.tally for verdict in verdicts), Tally()).share > SHARE_OF_ITS_FACTS


def hide(record: dict[str, Any], at: int, mage: str) -> dict[str, Any]:
    """The same game as its page would show it if this mage had been unseen in one turn."""
    hidden = copy.deepcopy(record)
    told = hidden["turns"][at]
    left, right = told["gestures"].pop(mage)
    told["orders"].pop(mage, None)
    told["spells"] = [cast for cast in told["spells"] if cast["caster"] != mage]
    return {**hidden, "turns": [*hidden["turns"][:at], _unseen(told, mage, left, right), *hidden["turns"][at + 1 :]]}


def _unseen(told: dict[str, Any], mage: str, left: str, right: str) -> dict[str, Any]:
    deduced = [None if gesture == "-" else gesture for gesture in (left, right)]
    return {**told, "hidden": [mage], "deduced": {mage: deduced}}


def test_a_game_still_passes_if_one_of_its_mages_had_been_unseen_for_a_turn() -> None:
    failed, tried = [], 0
    for path in recorded("ravenblack/*.jsonl.gz"):
        for record in read_records(path):
            for at in range(0, len(record.data["turns"]), 5):
                mage = record.data["wizards"][at % 2]["name"]
                if mage not in record.data["turns"][at]["gestures"] or "hidden" in record.data["turns"][at]:
                    continue
                tried += 1
                verdict = replay_record(Record(record.place, hide(record.data, at, mage)), None)
                if not verdict.passed:
                    failed.append(f"{verdict.game} without {mage} in {at + 1}: {verdict.difference}")
    assert tried >= 20
    assert failed == []
