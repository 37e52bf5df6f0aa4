"""How many rows and bytes a battle leaves in each table: python -m benchmarks.stored_sizes [--duels N] [--melees N]

Plays whole battles with random legal orders on its own PostgreSQL, as the site plays them, with the notices of
people who read email. Bytes are those of the tables with their indexes, after a VACUUM FULL, so without dead rows. The
figures are those of docs/scale.md.
"""

import argparse
import random
import sys
from typing import Any

from benchmarks.own_site import run_own_site

MOST_TURNS = 60
MELEE = 4
# Tables whose rows come with battles. Users and mages are counted apart.
APPS = ("duels", "ladder", "notifications", "email_gateway")


def main(arguments: list[str]) -> int:
    """Print the figures for duels and for melees of four."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stored_sizes", description=__doc__)
    parser.add_argument("--duels", type=int, default=60)
    parser.add_argument("--melees", type=int, default=20)
    options = parser.parse_args(arguments)
    with run_own_site():
        for kind, mages, battles in (("duel", 2, options.duels), ("melee of four", MELEE, options.melees)):
            report(kind, mages, battles)
    return 0


def report(kind: str, mages: int, battles: int) -> None:
    """Play battles and print what each added to the tables."""
    before = read_sizes()
    turns = sum(play(f"{kind[0]}{number}", mages, random.Random(number)) for number in range(battles))
    after = read_sizes()
    print(f"\n{battles} battles ({kind}), {turns / battles:.1f} turns each")
    print(f"{'table':36} {'rows':>8} {'bytes':>9}  for each battle")
    rows_of_all = bytes_of_all = 0.0
    for table, (rows, size) in sorted(after.items()):
        more, larger = (rows - before[table][0]) / battles, (size - before[table][1]) / battles
        if more:
            print(f"{table:36} {more:8.1f} {larger:9.0f}")
            rows_of_all, bytes_of_all = rows_of_all + more, bytes_of_all + larger
    print(f"{'together':36} {rows_of_all:8.1f} {bytes_of_all:9.0f}")
    print(f"{'for each turn':36} {rows_of_all * battles / turns:8.1f} {bytes_of_all * battles / turns:9.0f}")


def play(name: str, mages: int, rng: random.Random) -> int:
    """Play one battle to its end, or for MOST_TURNS turns; return how many turns it had."""
    from duels.models import Turn
    from ladder.tasks import sweep_unrated_battles
    from operations.workers import gather_wake_ups
    from tests.duels.fights import start_fight
    from tests.scenes import make_mage

    with gather_wake_ups():
        fight = start_fight(*(make_mage(f"{name}x{place}") for place in range(mages)))
        while not fight.battle.is_over and fight.battle.seq <= MOST_TURNS:
            order_at_random(fight, rng)
    sweep_unrated_battles()
    return Turn.objects.filter(battle=fight.battle, resolved_at__isnull=False).count()


def order_at_random(fight: Any, rng: random.Random) -> None:
    """Give legal orders for every mage that owes some; the last ones resolve the stage."""
    from duels.selectors.stage_keys import names_waited_for
    from rules_engine import read_state
    from tests.rules_engine.random_play import choose_sheets  # type: ignore[import-not-found]

    sheets = choose_sheets(read_state(fight.battle.state), rng)
    for name in names_waited_for(fight.battle):
        fight.order(name, "\n".join(sheets[name].lines()))


def read_sizes() -> dict[str, tuple[int, int]]:
    """Return the rows and the bytes with indexes of every table that battles write to."""
    from django.apps import apps
    from django.db import connection

    found = {}
    for app in APPS:
        for model in apps.get_app_config(app).get_models():
            table = model._meta.db_table
            with connection.cursor() as cursor:
                cursor.execute(f"VACUUM FULL {table}")
                cursor.execute("SELECT pg_total_relation_size(%s)", [table])
                found[table] = (model._default_manager.count(), cursor.fetchone()[0])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
