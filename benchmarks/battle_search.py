"""The search over finished battles, and the openings: python -m benchmarks.battle_search [--battles N] [--rounds N]

Fills the records of its own PostgreSQL with N battles (a million by default): two mages each, with openings and
spells of which some are common and some rare. Then it asks for one page of each kind of search, each time with other
values, and for the page of openings as a visitor and as a user with many or few duels, and prints the median and p95,
and what the tables and their indexes take on disk. Nothing is asserted.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.own_site import run_own_site

MAGES = 5_000
# With the share of the sides that cast it.
SPELLS = {
    "Shield": 0.8,
    "Missile": 0.5,
    "Summon Goblin": 0.3,
    "Fireball": 0.05,
    "Finger of Death": 0.01,
    "Time Stop": 1e-4,
}
GESTURES = ("SW", "SP", "WP", "WF", "DS", "PD", "FF", "CC")
TABLES = (
    *("ladder_countedbattle", "ladder_battleside", "ladder_spelluse", "ladder_feat"),
    *("ladder_opening", "ladder_openingreply"),
)
BATTLES = """
INSERT INTO ladder_countedbattle (number, kind, counts, ruleset, edition, turns, ending, started_at, finished_at)
SELECT n, CASE WHEN n %% 10 = 0 THEN 'melee' ELSE 'duel' END, true,
 CASE WHEN n %% 1000 = 0 THEN 'spellcast' WHEN n %% 7 = 0 THEN 'warlocks' ELSE 'firetop-standard' END, 1,
 3 + floor(60 * power(random(), 2))::int,
 CASE WHEN n %% 5000 = 0 THEN 'called_off' WHEN n %% 3 = 0 THEN 'surrender' ELSE 'kill' END, now(), now()
FROM generate_series(1, %s) n
"""
# A few mages fight most of the battles; pairs of gestures at the front of the list are the usual ones.
SIDES = """
INSERT INTO ladder_battleside
 (battle_id, mage_id, user_id, number, kind, counts, ruleset, finished_at, result, "end", hit_points, opening)
SELECT b.id, m.id, m.user_id, b.number, b.kind, true, b.ruleset, b.finished_at,
 CASE WHEN s.side = 0 THEN 'won' ELSE 'lost' END, CASE WHEN s.side = 0 THEN 'lived' ELSE 'died' END, 5, o.opening
FROM ladder_countedbattle b CROSS JOIN (VALUES (0), (1)) s (side)
CROSS JOIN LATERAL (SELECT 2 * floor(%s * power(random(), 3) / 2)::int + s.side + 1 AS place, b.id AS once) p
JOIN bench_mage m ON m.place = p.place
CROSS JOIN LATERAL (
 SELECT string_agg((%s::text[])[1 + floor(8 * power(random(), 2))::int], '') AS opening FROM generate_series(1, 6)
 WHERE b.id + s.side IS NOT NULL
) o
"""
USES = """
INSERT INTO ladder_spelluse (side_id, number, spell, "cast", worked, countered, reflected, shielded, failed)
SELECT id, number, %s, 2, 1, 1, 0, 0, 0 FROM ladder_battleside WHERE random() < %s
"""
OPENINGS = """
INSERT INTO ladder_opening (ruleset, kind, line, parent, played, won, lost, drew)
SELECT ruleset, kind, left(opening, n), left(opening, n - 2), count(*), count(*), 0, 0
FROM ladder_battleside CROSS JOIN generate_series(2, 12, 2) n GROUP BY 1, 2, 3, 4
"""
# Every reply to the first pairs of both sides, by users of four bands.
REPLIES = """
INSERT INTO ladder_openingreply (ruleset, mine, theirs, pair, band, played, won, lost, drew)
SELECT s.ruleset, left(s.opening, n), left(o.opening, n), substr(s.opening, n + 1, 2),
 ('{"", low, middle, high}'::text[])[1 + s.user_id %% 4], count(*), count(*), 0, 0
FROM ladder_battleside s JOIN ladder_battleside o ON o.battle_id = s.battle_id AND o.id <> s.id
CROSS JOIN generate_series(0, 6, 2) n WHERE s.kind = 'duel' GROUP BY 1, 2, 3, 4, 5
"""
FEATS = """
INSERT INTO ladder_feat (battle_id, mage_id, kind, turn)
SELECT battle_id, mage_id, %s, '5' FROM ladder_battleside WHERE random() < %s
"""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.battle_search", description=__doc__)
    parser.add_argument("--battles", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args(arguments)
    with run_own_site():
        return measure(options.battles, options.rounds)


def measure(battles: int, rounds: int) -> int:
    from ladder.selectors.search import search_battles

    fill(battles)
    print(f"{battles} battles; load {os.getloadavg()[0]:.1f}\n{'search':<34}{'median':>10}{'p95':>10}")
    for name, draw in list_searches(battles).items():
        times = []
        for number in range(rounds):
            wanted, older_than = draw(random.Random(number)), None if number % 2 else battles // 2
            begin = time.perf_counter()
            search_battles(wanted, older_than=older_than)
            times.append(1000 * (time.perf_counter() - begin))
        print_times(name, times)
    for name, ask in list_opening_pages().items():
        ask(random.Random(rounds))
        times = []
        for number in range(rounds):
            begin = time.perf_counter()
            assert ask(random.Random(number)).status_code == 200
            times.append(1000 * (time.perf_counter() - begin))
        print_times(name, times)
    print_sizes()
    return 0


def print_times(name: str, times: list[float]) -> None:
    p95 = statistics.quantiles(times, n=20)[-1]
    print(f"{name:<34}{statistics.median(times):>7.1f} ms{p95:>7.1f} ms", flush=True)


def fill(battles: int) -> None:
    """Write the mages, and by SQL everything about their battles."""
    from django.db import connection

    from accounts.models import Mage, User

    users = User.objects.bulk_create((User(username=f"User{n}") for n in range(MAGES)), batch_size=1000)
    Mage.objects.bulk_create((Mage(user=user, name=f"Mage{user.pk}") for user in users), batch_size=1000)
    with connection.cursor() as rows:
        rows.execute(
            "CREATE TEMP TABLE bench_mage AS SELECT id, user_id, row_number() OVER (ORDER BY id) AS place"
            " FROM accounts_mage"
        )
        rows.execute(BATTLES, [battles])
        rows.execute(SIDES, [MAGES, list(GESTURES)])
        rows.execute(OPENINGS)
        rows.execute(REPLIES, [])
        for spell, share in SPELLS.items():
            rows.execute(USES, [spell, share])
        for feat, share in {"unhurt": 0.1, "finger_of_death": 0.005}.items():
            rows.execute(FEATS, [feat, share])
        for table in TABLES:
            rows.execute(f"VACUUM ANALYZE {table}")


def list_searches(battles: int) -> "dict[str, Callable[[random.Random], Any]]":
    """Return each kind of search, with values drawn from dice."""
    from accounts.models import Mage
    from ladder.selectors.search import BattleSearch, Person

    mages = list(Mage.objects.order_by("pk").values_list("pk", "user_id"))

    def mage(dice: random.Random) -> Person:
        return Person(mage_id=mages[int(MAGES * dice.random() ** 3)][0])

    def user(dice: random.Random) -> Person:
        return Person(user_id=mages[int(MAGES * dice.random() ** 3)][1])

    def opening(dice: random.Random) -> str:
        return "".join(dice.choice(GESTURES) for _ in range(dice.randint(1, 5)))

    def spell(dice: random.Random) -> str:
        return dice.choice([*SPELLS, "never cast"])

    return {
        "everything": lambda dice: BattleSearch(),
        "mage": lambda dice: BattleSearch(who=mage(dice)),
        "user": lambda dice: BattleSearch(who=user(dice)),
        "mage against user": lambda dice: BattleSearch(who=mage(dice), against=user(dice)),
        "opening": lambda dice: BattleSearch(opening=opening(dice)),
        "opening and ruleset": lambda dice: BattleSearch(opening=opening(dice), ruleset="spellcast"),
        "spell": lambda dice: BattleSearch(spell=spell(dice)),
        "spell that worked": lambda dice: BattleSearch(spell=spell(dice), worked=True),
        "spell and ruleset": lambda dice: BattleSearch(
            spell=spell(dice), ruleset=dice.choice(["spellcast", "warlocks"])
        ),
        "mage and spell": lambda dice: BattleSearch(who=mage(dice), spell=spell(dice)),
        "opening and spell": lambda dice: BattleSearch(opening=opening(dice), spell=spell(dice)),
        "feat": lambda dice: BattleSearch(feat=dice.choice(["unhurt", "finger_of_death", "giant"])),
        "ending": lambda dice: BattleSearch(ending=dice.choice(["kill", "called_off", "all_dead"])),
        "length": lambda dice: BattleSearch(shortest=dice.randint(1, 62), longest=62),
        "ruleset, ending and length": lambda dice: BattleSearch(
            ruleset=dice.choice(["spellcast", "warlocks"]), ending="called_off", shortest=dice.randint(1, 62)
        ),
    }


def list_opening_pages() -> "dict[str, Callable[[random.Random], Any]]":
    """Return the requests for a page of openings, by who asks: whole pages, with their HTML."""
    from django.test import Client

    from accounts.models import User

    users = list(User.objects.order_by("pk"))
    visitor, busiest, latest = (Client(SERVER_NAME="127.0.0.1") for _ in range(3))
    busiest.force_login(users[0])
    latest.force_login(users[-1])

    def ask(client: Client, dice: random.Random) -> Any:
        pairs = dice.randint(0, 3)
        line, against = ("".join(dice.choice(GESTURES) for _ in range(pairs)) for _ in range(2))
        asked = {"ruleset": dice.choice(["firetop-standard", "spellcast"]), "line": line, "against": against}
        return client.get("/openings/", {**asked, "band": dice.choice(["", "low", "high"])})

    return {
        "openings, a visitor": lambda dice: ask(visitor, dice),
        "openings, a user of many duels": lambda dice: ask(busiest, dice),
        "openings, a user of few duels": lambda dice: ask(latest, dice),
    }


def print_sizes() -> None:
    from django.db import connection

    with connection.cursor() as rows:
        for table in TABLES:
            rows.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [table, table])
            heap, indexes = rows.fetchone()
            rows.execute(f"SELECT count(*) FROM {table}")
            (number,) = rows.fetchone()
            print(f"{table}: {number} rows, {heap / 1e6:.0f} MB, indexes {indexes / 1e6:.0f} MB")
        rows.execute(
            "SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes"
            " WHERE relname = ANY(%s) ORDER BY 2 DESC",
            [list(TABLES)],
        )
        for name, size in rows.fetchall():
            print(f"    {name}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
