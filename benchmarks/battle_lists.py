"""What lists of battles cost when the site is full: python -m benchmarks.battle_lists [--running N] [--rounds N]

On a PostgreSQL of its own: /battles/ and the home page, for a visitor and for a player, with 60 running battles, and
then with 100,000 of half a million. Milliseconds of processor time of Python and PostgreSQL together; every page is
drawn anew.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchmarks.mail_intake import prepare_environment, run_valkey, set_up_django
from benchmarks.rows import HEAD, add_quotient
from benchmarks.table import find_database_clock, forget_pages, time_it
from tests.services.postgres import PostgresServer

# Both fill a page of the list.
FEW, MANY = 60, 100_000
PAGES = (("/battles/", False), ("/battles/", True), ("/", False), ("/", True))
MOST = 1.3


def main(arguments: list[str]) -> int:
    """Print the quotients; more queries on the full site are a fault."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.battle_lists", description=__doc__)
    parser.add_argument("--running", type=int, default=MANY)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as name, ExitStack() as leaving:
        folder = Path(name)
        # The server runs as a user of its own, who has to get through.
        folder.chmod(0o711)
        server = PostgresServer(folder)
        server.start()
        leaving.callback(server.stop)
        os.environ.update(DATABASE_URL=server.url, FM_HASHED_FILES="0", ALLOWED_HOSTS="testserver")
        prepare_environment(folder)
        leaving.enter_context(run_valkey(folder))
        set_up_django()
        return measure(options.running, options.rounds)


def measure(running: int, rounds: int) -> int:
    from benchmarks.many_battles import RUNNING, Part

    Part(0, FEW * RUNNING, 1).copy()
    few = time_pages(rounds)
    Part(FEW * RUNNING, running * RUNNING, 1).copy()
    many = time_pages(rounds)
    print(f"{running * RUNNING} battles, {running} of them running; load {os.getloadavg()[0]:.1f}\n{HEAD}")
    for page, (queries, ours) in many.items():
        add_quotient(f"{page}, {running} running over {FEW}", ours, few[page][1], "ms", MOST)
        print(f"    {few[page][0]} queries, and {queries}")
    return int(any(queries > few[page][0] for page, (queries, _) in many.items()))


def time_pages(rounds: int) -> dict[str, tuple[int, float]]:
    """Return how many queries each page takes, and the lower quartile of its processor time."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from accounts.models import User
    from duels.tasks import store_numbers_of_site

    store_numbers_of_site()
    player = Client()
    player.force_login(User.objects.earliest("pk"))
    clocks = (time.CLOCK_PROCESS_CPUTIME_ID, find_database_clock())
    found = {}
    for path, is_player in PAGES:
        ask = partial((player if is_player else Client()).get, path)
        for _ in range(2):
            forget_pages()
            with CaptureQueriesContext(connection) as queries:
                answer = ask()
            assert answer.status_code == 200, (path, answer.status_code)
            count = len(queries)
        times = []
        for _ in range(rounds):
            forget_pages()
            times.append(time_it(ask, clocks))
        page = f"{path} for a {'player' if is_player else 'visitor'}"
        found[page] = count, statistics.quantiles(times, n=4)[0]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
