"""The cost of pages and turns on a full site: python -m benchmarks.battle_lists [--sizes N N ...] [--rounds N]

On its own PostgreSQL: lists, the home page, a player's battle, searches and a turn, with 1,000 stored battles and
with 500,000 (--sizes: 1,000,000, too), one of five running. Milliseconds of processor time of Python and PostgreSQL
together; every page is drawn anew.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils import timezone

from benchmarks.own_site import run_own_site
from benchmarks.rows import HEAD, add_quotient
from benchmarks.table import find_database_clock, forget_pages, time_it

# All fill a page of the list.
SIZES = (1_000, 500_000)
# The first number of the battles that are played: a new one at each size, because a battle's own length counts, too.
OWN = 10**9 + 7
BATTLE = "a battle's page"
PAGES = (
    *(("/battles/", False), ("/battles/", True), ("/", False), ("/", True)),
    *((BATTLE, True), ("/ladder/?q=User_12", True), ("/ladder/?q=User_12", False)),
)
MOST = 1.3


def main(arguments: list[str]) -> int:
    """Print the quotients; more queries on the full site are a fault."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.battle_lists", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args(arguments)
    with run_own_site(ALLOWED_HOSTS="testserver"):
        return measure(sorted(options.sizes), options.rounds)


def measure(sizes: list[int], rounds: int) -> int:
    from benchmarks.many_battles import Part

    first: dict[str, tuple[int, float]] = {}
    before = code = 0
    for size in sizes:
        Part(before, size, 1).copy()
        before = size
        found = time_works(rounds, start_own_battle())
        first = first or found
        print(f"{size} battles; load {os.getloadavg()[0]:.1f}\n{HEAD}", flush=True)
        for work, (queries, ours) in found.items():
            add_quotient(f"{work}, {size} battles over {sizes[0]}", ours, first[work][1], "ms", MOST)
            print(f"    {first[work][0]} queries, and {queries}", flush=True)
            code = max(code, int(queries > first[work][0]))
    return code


def start_own_battle() -> int:
    """Start a battle of the first user and return its number. Those that are copied have no state to play with."""
    from accounts.models import User
    from accounts.services.mages import register_mage
    from duels.models import Battle
    from duels.services.start import start_battle
    from duels.terms import Terms

    now = timezone.now()
    number = OWN + Battle.objects.filter(number__gte=OWN).count()
    users = User.objects.order_by("pk")[:2]
    mages = [
        register_mage(user=user, name=f"Own{number}{side}", now=now) for user, side in zip(users, "ab", strict=True)
    ]
    return start_battle(number=number, terms=Terms(), mages=mages, now=now).number


def play_turn(number: int) -> None:
    from duels.models import Combatant
    from duels.services.orders import submit_orders

    for combatant in Combatant.objects.filter(battle__number=number).order_by("position"):
        submit_orders(combatant=combatant, text="LH F\nRH -", via="web", now=timezone.now(), ready=True)


def time_works(rounds: int, own: int) -> dict[str, tuple[int, float]]:
    """Return the number of queries of each page and of a turn, and the lower quartile of its processor time."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from accounts.models import User
    from studies.tasks import store_numbers_of_site

    store_numbers_of_site()
    player = Client()
    player.force_login(User.objects.earliest("pk"))
    works: dict[str, Callable[[], object]] = {"a turn, both orders": partial(play_turn, own)}
    for path, is_player in PAGES:
        client = player if is_player else Client()
        address = path.replace(BATTLE, f"/battles/{own}/")
        works[f"{path} for a {'player' if is_player else 'visitor'}"] = partial(ask, client, address)
    clocks = (time.CLOCK_PROCESS_CPUTIME_ID, find_database_clock())
    found = {}
    for name, work in works.items():
        for _ in range(2):
            forget_pages()
            with CaptureQueriesContext(connection) as queries:
                work()
            count = len(queries)
        times = []
        for _ in range(rounds):
            forget_pages()
            times.append(time_it(work, clocks))
        found[name] = count, statistics.quantiles(times, n=4)[0]
    return found


def ask(client: Any, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
