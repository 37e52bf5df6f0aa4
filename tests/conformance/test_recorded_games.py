"""The recorded games, where they lie: FM_SHARED names the folder that holds conformance/."""

import os
import warnings
from pathlib import Path

import pytest

from tests.conformance.__main__ import write_verdict
from tests.conformance.comparing import Tally
from tests.conformance.formats import replay_file

SHARED = Path(os.environ.get("FM_SHARED", "")) / "conformance" if os.environ.get("FM_SHARED") else None


def recorded(pattern: str) -> list[Path]:
    """The files of recorded games; without the folder the test is skipped, and says so."""
    if SHARED is None or not SHARED.is_dir():
        warnings.warn(
            "recorded games were NOT replayed: FM_SHARED names no folder with conformance/ in it", stacklevel=2
        )
        pytest.skip("FM_SHARED is not set to the folder of the recorded games")
    return sorted(SHARED.glob(pattern))


@pytest.mark.parametrize(
    ("pattern", "ruleset", "at_least"),
    [("seeds/*.json", None, 2), ("firetop/*.jsonl.gz", "firetop-server", 485), ("ravenblack/*.jsonl.gz", None, 6)],
)
def test_every_recorded_game_is_replayed_exactly(pattern: str, ruleset: str | None, at_least: int) -> None:
    verdicts = [(path, verdict) for path in recorded(pattern) for verdict in replay_file(path, ruleset)]
    assert [write_verdict(path, verdict) for path, verdict in verdicts if not verdict.passed] == []
    assert len(verdicts) >= at_least


# Every game of that engine that differs does so by a defect of it or by a ruling of ours (docs/rulings.md).
SHARE_OF_SPELLWEAVERS = 0.99
SHARE_OF_ITS_FACTS = 0.98


def test_nearly_every_game_of_the_open_engine_is_replayed_exactly() -> None:
    verdicts = [verdict for path in recorded("spellweavers/*.jsonl.gz") for verdict in replay_file(path, None)]
    assert len(verdicts) >= 372
    assert sum(verdict.passed for verdict in verdicts) >= SHARE_OF_SPELLWEAVERS * len(verdicts)
    assert sum((verdict.tally for verdict in verdicts), Tally()).share > SHARE_OF_ITS_FACTS
