"""The cost of a ladder page at 100 mages and at 100,000, and of the statistics of 1,000 battles and of 100,000: python
-m benchmarks.ladder_pages [--mages N] [--rounds N]

On its own PostgreSQL. The first page, one far down, a search, and the first page for a user whose mage stands far
down are asked for in turn, first on the short ladder, then on the long one; and the page of statistics. Every page is
drawn anew. Measured is processor time, of Python and PostgreSQL together. Ends with 1 when a page on the large site
asks the database more often. Putting the ladder in order is timed too.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.own_site import run_own_site
from benchmarks.rows import add_quotient
from benchmarks.table import find_database_clock, time_it

SHORT = 100
MOST = 1.3
# Battles that the statistics count, for as many mages.
BATTLES = {SHORT: 1_000}
MOST_BATTLES = 100_000
AT_A_TIME = 1000


def main(arguments: list[str]) -> int:
    """Print the figures; the exit code says whether the long ladder is as good as the short one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder_pages", description=__doc__)
    parser.add_argument("--mages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args(arguments)
    with run_own_site():
        return measure(options.mages, options.rounds)


def measure(mages: int, rounds: int) -> int:
    from django.utils import timezone

    from ladder.services.refresh_ladders import refresh_ladders

    fill(SHORT)
    refresh_ladders(now=timezone.now())
    short = time_pages(SHORT, rounds)
    fill(mages, SHORT)
    begin = time.perf_counter()
    changed = refresh_ladders(now=timezone.now())
    print(f"ladder put in order: {changed} places of {mages} mages in {time.perf_counter() - begin:.1f} s")
    begin = time.perf_counter()
    refresh_ladders(now=timezone.now())
    print(f"ladder put in order again, nothing changed: {time.perf_counter() - begin:.1f} s")
    long = time_pages(mages, rounds)
    worst = 0
    for page, (queries, seconds) in short.items():
        more, longer = long[page]
        worst = max(worst, more - queries)
        print(f"{page}: {queries} queries at {SHORT} mages, {more} at {mages}; load {os.getloadavg()[0]:.1f}")
        add_quotient(f"{page}, large over small", longer, seconds, "ms", MOST)
    return 0 if worst <= 0 else 1


def fill(mages: int, start: int = 0) -> None:
    """Make users with a mage each, and a score row for most of them."""
    from django.db import connection

    from accounts.models import Mage, Name, User
    from ladder.models import ScoreEntry

    chance = random.Random(start)
    for begin in range(start, mages, AT_A_TIME):
        numbers = range(begin, min(begin + AT_A_TIME, mages))
        users = User.objects.bulk_create(User(username=f"User_{number}") for number in numbers)
        own = Mage.objects.bulk_create(
            Mage(user=user, name=f"Mage_{number}") for user, number in zip(users, numbers, strict=True)
        )
        given = [("user", user.username, user) for user in users] + [("mage", mage.name, mage.user) for mage in own]
        Name.objects.bulk_create(
            Name(key=name.lower(), written=name, kind=kind, owner=owner) for kind, name, owner in given
        )
        points = [(mage, min(400, int(chance.expovariate(0.05)))) for mage in own]
        ScoreEntry.objects.bulk_create(
            ScoreEntry(mage=mage, kind="duel", battle=mage.pk, due=won, before=0, change=won, after=won, reason="won")
            for mage, won in points
        )
    count_battles(BATTLES.get(mages, MOST_BATTLES))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def count_battles(battles: int) -> None:
    """Store the sums of this many battles: by ruleset, kind, length and ending, and of spells."""
    from duels.terms import list_rulesets
    from ladder.models import EndingFigure, SpellFigure
    from studies.tasks import store_numbers_of_site

    chance = random.Random(battles)
    names = [name for name, _ in list_rulesets()]
    kinds, endings = ("duel", "melee"), ("kill", "surrender", "all_dead", "forfeit")
    sums = Counter(
        (chance.choice(names), chance.choice(kinds), 1 + int(chance.expovariate(0.1)), chance.choice(endings))
        for _ in range(battles)
    )
    EndingFigure.objects.all().delete()
    SpellFigure.objects.all().delete()
    EndingFigure.objects.bulk_create(
        EndingFigure(ruleset=name, kind=kind, turns=turns, ending=ending, battles=count)
        for (name, kind, turns, ending), count in sums.items()
    )
    SpellFigure.objects.bulk_create(
        SpellFigure(ruleset=name, spell=f"Spell {spell}", cast=battles // 10, worked=battles // 10)
        for name in names
        for spell in range(40)
    )
    store_numbers_of_site()


def time_pages(mages: int, rounds: int) -> dict[str, tuple[int, float]]:
    """Return for each page how often it asks the database, and the milliseconds of processor time that nine of ten
    times are above: what else the machine does makes pages slower, and never faster."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    pages = list_pages(mages)
    found = {}
    for name, ask in pages.items():
        ask()
        ask()
        with CaptureQueriesContext(connection) as asked:
            ask()
        clocks = (time.CLOCK_PROCESS_CPUTIME_ID, find_database_clock())
        found[name] = len(asked), statistics.quantiles((time_it(ask, clocks) for _ in range(rounds)), n=10)[0]
    return found


def list_pages(mages: int) -> dict[str, Callable[[], Any]]:
    from django.test import Client

    from ladder.models import LadderPlace

    visitor, player = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    middle = LadderPlace.objects.get(ladder__kind="duel", ladder__retired=False, place=3 * mages // 4)
    player.force_login(middle.mage.user)
    return {
        "ladder from the top": lambda: read(visitor, "/ladder/"),
        "ladder far down": lambda: read(visitor, f"/ladder/?after={mages // 2}"),
        "ladder searched": lambda: read(visitor, "/ladder/?q=mage_"),
        "ladder for a player far down": lambda: read(player, "/ladder/"),
        "statistics": lambda: read(visitor, "/statistics/"),
    }


def read(client: Any, address: str) -> None:
    from fm_site.serving.page_cache import cached_pages

    cached_pages.clear()
    answer = client.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address}: {answer.status_code}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
