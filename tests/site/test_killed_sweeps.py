"""Sweeps that are killed anywhere and run again, or run three at once: everything happens, and nothing twice."""

import os
import random

import pytest

from tests.races import at_once, count_statements, run_until_killed
from tests.site.sweep_scenes import TRIALS, Trial

KILLS = 50 if os.environ.get("FM_TEST_LONG") == "1" else 1
WORKERS = 3

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_a_killed_or_concurrent_sweep_does_the_same_as_a_single_one(trial: Trial):
    """FM-SLOW-1: nobody is notified or forfeits twice, nobody is forgotten, scores count once."""
    alone = trial.prepare()
    before = alone.read()
    statements = count_statements(trial.run)
    wanted = alone.read()
    assert wanted != before, "there was nothing to do"
    chance = random.Random(trial.name)
    for _ in range(KILLS):
        scene = trial.prepare()
        at = chance.randint(1, statements)
        killed = run_until_killed(trial.run, at=at)
        trial.run()
        assert scene.read() == wanted, (at, killed)
    together = trial.prepare()
    results = at_once(*[trial.run] * WORKERS)
    assert not [result for result in results if isinstance(result, Exception)], results
    # A sweep that finds a locked row may leave it to the next one.
    trial.run()
    assert together.read() == wanted
    trial.run()
    assert [scene.read() for scene in (alone, together)] == [wanted] * 2


def test_a_process_is_killed_at_the_right_statement():
    trial = TRIALS[-2]
    trial.prepare()
    assert run_until_killed(trial.run, at=1)
    assert not run_until_killed(trial.run, at=100_000)
