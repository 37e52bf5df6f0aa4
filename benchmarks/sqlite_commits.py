"""The cost of commits that survive a power cut, on SQLite: python -m benchmarks.sqlite_commits [--rounds N]

The site's own connection, in turn with `synchronous` FULL, which it uses, and NORMAL. Prints the median and the 95th
percentile, in milliseconds by the clock, of one order, of the order that resolves a turn, and of an accepted email.
Nothing here runs beside it, so this is what waiting for the disk adds. Choose the disk with TMPDIR.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.own_site import prepare_environment, run_valkey, set_up_django

KINDS = ("order", "order that resolves", "accepted email")
MODES = ("FULL", "NORMAL")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=300)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as name:
        folder = Path(name)
        prepare_environment(folder)
        with run_valkey(folder):
            set_up_django()
            print_table(measure(rounds))


def measure(rounds: int) -> dict[tuple[str, str], list[float]]:
    """Return the milliseconds by kind and mode. Each round plays one turn of a duel in each mode."""
    from django.db import connection
    from django.utils import timezone

    from email_gateway.receive.intake import ingest_mail
    from tests.duels.fights import start_fight
    from tests.scenes import make_mage

    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    times: dict[tuple[str, str], list[float]] = {(kind, mode): [] for kind in KINDS for mode in MODES}

    def note(kind: str, mode: str, act: Callable[[], object]) -> None:
        began = time.perf_counter()
        act()
        times[kind, mode].append(1000 * (time.perf_counter() - began))

    def take_mail(text: str) -> None:
        raw = f"Subject: {text}\n\nHELP\n".encode()
        ingest_mail(raw=raw, mail_from="anna@example.org", rcpt_tos=["fm@localhost"], now=timezone.now())

    for number in range(rounds):
        for mode in MODES:
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA synchronous={mode}")
            note("order", mode, lambda: fight.order("Froodal", "-/-"))
            note("order that resolves", mode, lambda: fight.order("Bung", "-/-"))
            subject = f"{mode} {number}"
            note("accepted email", mode, lambda: take_mail(subject))  # noqa: B023
    return times


def print_table(times: dict[tuple[str, str], list[float]]) -> None:
    print(f"{'ms: median, 95 %':24}", *(f"{mode:>14}" for mode in MODES))
    for kind in KINDS:
        told = []
        for mode in MODES:
            found = sorted(times[kind, mode])
            told.append(f"{statistics.median(found):.1f}, {found[int(0.95 * len(found))]:.1f}")
        print(f"{kind:24}", *(f"{each:>14}" for each in told))


if __name__ == "__main__":
    main()
