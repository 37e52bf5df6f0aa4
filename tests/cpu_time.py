"""Processor time in loops: how often a loop of Python runs in the time that something takes. Both are measured in the
same process, one after the other, so that a limit holds on slow machines too."""

import time
from collections.abc import Callable

STEPS = 300_000


def count_loops(work: Callable[[], object]) -> float:
    """Return how many loops `work` takes. One is about a fortieth of a second."""
    before = measure(run_loop)
    seconds = measure(work)
    return 2 * seconds / (before + measure(run_loop))


def measure(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def run_loop() -> int:
    total = 0
    for number in range(STEPS):
        total += number % 7
    return total
