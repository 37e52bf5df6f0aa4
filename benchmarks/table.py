"""Our pages and orders beside the floor: python -m benchmarks.table [--quick] [--counts]

On a PostgreSQL and a Valkey of its own. Each page is asked for in turn with a bare Django view that makes as many
queries and returns as many bytes; an order is sent in turn with a bare UPDATE. Prints milliseconds per request, the
quotient and its target. `--counts` only counts queries and bytes, which do not depend on what else the machine does,
and ends with 1 if one is over its limit.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.mail_intake import prepare_environment, run_valkey, set_up_django
from tests.services.postgres import PostgresServer

EARLY, LATE = 10, 120
# Nobody does anything: a battle without an end.
NOTHING = "LH -\nRH -"
ORDERS = {"LH": "-", "RH": "-"}


@dataclass
class Row:
    """One line of the table: how to ask, what it may cost, and what comes before it without being counted."""

    name: str
    ask: Callable[[], Any]
    target: float
    most_queries: int
    prepare: Callable[[], Any] = lambda: None
    is_order: bool = False
    queries: int = 0
    size: int = 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few rounds, and no battle of 120 turns")
    parser.add_argument("--counts", action="store_true", help="count, and measure no times")
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
        rows = list_rows(3 * EARLY if options.quick or options.counts else LATE)
        code = count(rows)
        if not options.counts:
            measure(rows, rounds=10 if options.quick else 60)
    return code


def list_rows(late: int) -> list[Row]:
    """Return the rows, with two battles for them: one of EARLY turns, and one of `late`."""
    from django.test import Client

    from accounts.models import Mage, User
    from tests.duels.fights import make_mage, start_fight

    early = start_fight(make_mage("Froodal"), make_mage("Bung"))
    long = start_fight(make_mage("Ayla"), make_mage("Crom"))
    for fight, turns in ((early, EARLY), (long, late)):
        for _ in range(turns):
            for name in fight.names:
                order(fight, name)
    past = datetime.now(UTC) - timedelta(hours=1)
    User.objects.update(last_active_at=past)
    Mage.objects.update(last_active_at=past)

    def let_in(fight: Any, name: str) -> Client:
        client = Client()
        client.force_login(fight.user(name))
        client.get("/")
        return client

    nobody, player, late_player = Client(), let_in(early, "Froodal"), let_in(long, "Ayla")
    at, later = f"/battles/{early.number}/", f"/battles/{long.number}/"
    pages = (
        ("front", nobody, "/", 6),
        ("challenges", player, "/challenges/", 15),
        ("ladder", nobody, "/ladder/", 12),
        ("battles", nobody, "/battles/", 15),
        ("home", player, "/", 15),
        (f"player's page, turn {EARLY}", player, at, 15),
        (f"player's page, turn {late}", late_player, later, 15),
        ("spectator's page", nobody, at, 15),
        ("spectator's fragment", nobody, f"{at}?fragment=board", 1),
        (f"API status, turn {EARLY}", nobody, f"/api{at}", 15),
        (f"API status, turn {late}", nobody, f"/api{later}", 15),
    )
    rows = [Row(name, partial(client.get, path), 1.5, most) for name, client, path, most in pages]
    fragment = next(row for row in rows if row.most_queries == 1)
    fragment.prepare = fragment.ask  # drawn for another spectator a moment ago
    first, last = early.names
    send = partial(send_by_api, Client(), early, let_in_programs(early))
    rows.append(Row("API submit, not resolving", partial(send, first), 4, 10, partial(settle, early, first), True))
    rows.append(Row("API submit that resolves", partial(send, last), 8, 22, partial(settle, early, last), True))
    form = partial(send_form, late_player, long)
    rows.append(Row("form submit with its fragment", form, 10, 30, partial(settle, long, "Ayla"), True))
    return rows


def order(fight: Any, name: str) -> None:
    fight.order(name, NOTHING, now=datetime.now(UTC))


def settle(fight: Any, name: str) -> None:
    """Bring the battle to where it waits for this mage: the first of the two begins a turn, the last ends it."""
    from duels.models import OrderSheet

    first, last = fight.names
    waiting = OrderSheet.objects.filter(stage__battle=fight.battle, stage__closed_at=None, ready=False)
    names = set(waiting.values_list("combatant__mage__name", flat=True))
    if name == first and names == {last}:
        order(fight, last)
    elif name == last and names == {first, last}:
        order(fight, first)


def let_in_programs(fight: Any) -> dict[str, str]:
    from accounts.services import issue_api_token

    now = datetime.now(UTC)
    return {name: issue_api_token(user=fight.user(name), name="bench", now=now)[1] for name in fight.names}


def send_by_api(client: Any, fight: Any, tokens: dict[str, str], name: str) -> Any:
    body = json.dumps({"orders": NOTHING, "ready": True})
    head = {"Authorization": f"Bearer {tokens[name]}"}
    return client.post(f"/api/battles/{fight.number}/orders/", body, content_type="application/json", headers=head)


def send_form(client: Any, fight: Any) -> Any:
    fields = {"act": "ready", "mage": fight.names[0], "stage": str(fight.key()), **ORDERS}
    return client.post(f"/battles/{fight.number}/?fragment=board", fields)


def count(rows: list[Row]) -> int:
    """Count the queries and bytes of every row, print those that are over their limit, and return the exit code."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    code = 0
    for row in rows:
        for _ in range(2):  # the first may fill a cache
            row.prepare()
            with CaptureQueriesContext(connection) as queries:
                answer = row.ask()
            assert answer.status_code == 200, (row.name, answer.status_code, answer.content[:300])
        row.queries, row.size = len(queries), len(answer.content)
        over = row.queries > row.most_queries
        code = code or int(over)
        print(
            f"{row.name:32} {row.queries:3} queries (at most {row.most_queries}), {row.size:7} bytes"
            f"{'  TOO MANY' if over else ''}"
        )
    return code


def measure(rows: list[Row], rounds: int) -> None:
    """Ask for every row and its floor in turn, and print the lower quartiles: other processes only ever add time."""
    from django.test import Client, override_settings

    with override_settings(ROOT_URLCONF="benchmarks.floor.urls", MIDDLEWARE=[]):
        bare = Client()
        bare.get("/read/0/1/")  # loads the middleware, of which there is none
    ours: dict[str, list[float]] = {row.name: [] for row in rows}
    floor: dict[str, list[float]] = {row.name: [] for row in rows}
    for _ in range(rounds):
        for row in rows:
            row.prepare()
            ours[row.name].append(time_it(row.ask))
            path = "/update/" if row.is_order else f"/read/{row.queries}/{row.size}/"
            with override_settings(ROOT_URLCONF="benchmarks.floor.urls"):
                floor[row.name].append(time_it(partial(bare.get, path)))
    print(f"{rounds} rounds, load {os.getloadavg()[0]:.1f}")
    print(f"{'work':32} {'ours':>8} {'floor':>8} {'x':>6} {'target':>6}")
    for row in rows:
        mine, bottom = (statistics.quantiles(times[row.name], n=4)[0] for times in (ours, floor))
        print(f"{row.name:32} {mine:6.1f}ms {bottom:6.1f}ms {mine / bottom:6.1f} {row.target:6.1f}")


def time_it(act: Callable[[], Any]) -> float:
    """Return how many milliseconds this takes."""
    begin = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - begin)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
