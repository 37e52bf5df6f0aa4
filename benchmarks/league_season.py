"""The start of a league season: python -m benchmarks.league_season [--players N]

On its own PostgreSQL. Everyone has signed up; one worker draws the groups, and then begins round 1 and all its duels.
Ends with 1 if that takes a minute or longer.
"""

import argparse
import sys
import time
from datetime import timedelta

from benchmarks.own_site import run_own_site
from benchmarks.rows import add_figure

PLAYERS = 400
MOST_SECONDS = 60


def main(arguments: list[str]) -> int:
    """Print the figures; the exit code says whether the season began in time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.league_season", description=__doc__)
    parser.add_argument("--players", type=int, default=PLAYERS)
    options = parser.parse_args(arguments)
    with run_own_site():
        return measure(options.players)


def measure(players: int) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from league.models import Pairing
    from league.selectors.seasons import find_open_season
    from league.services.run import process_league
    from tests.league.world import League

    league = League()
    league.enter(*(f"Mage{_spell(number)}" for number in range(players)))
    league.run()
    season = find_open_season()
    assert season is not None
    begin = time.perf_counter()
    process_league(now=season.draws_at)
    drawn = time.perf_counter() - begin
    begin = time.perf_counter()
    with CaptureQueriesContext(connection) as queries:
        process_league(now=season.begins_at)
    began = time.perf_counter() - begin
    duels = Pairing.objects.filter(battle__isnull=False).count()
    begin = time.perf_counter()
    process_league(now=season.begins_at + timedelta(minutes=1))
    idle = time.perf_counter() - begin
    add_figure(f"groups of {players} players are drawn", drawn, "s")
    add_figure(f"a season of {players} players begins", drawn + began, "s", most=MOST_SECONDS)
    add_figure(f"statements for each of {duels} duels", len(queries) / duels, "")
    add_figure("a sweep with nothing to do", 1000 * idle, "ms")
    return int(drawn + began >= MOST_SECONDS)


def _spell(number: int) -> str:
    """Return a number in letters: names of mages have no digits."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
