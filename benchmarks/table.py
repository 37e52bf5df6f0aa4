"""Our pages and orders compared with the minimum: python -m benchmarks.table [--quick] [--counts]

Uses its own PostgreSQL and Valkey. Requests for a page alternate with requests for a bare Django view that makes as
many queries with the ORM and renders as many bytes with a template, behind the middleware of a new project; orders
alternate with a bare UPDATE. Prints milliseconds of processor time per request, of Python and PostgreSQL together, the
quotient and its target. `--counts` only counts queries and bytes, which do not depend on the machine's load, and exits
with 1 if one is over its limit.

Pages for strangers are measured twice: from the cache, and rendered again because a row has changed.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from benchmarks.own_site import run_own_site
from benchmarks.rows import HEAD, add_quotient

EARLY, LATE = 10, 120
# Orders that do nothing, for a battle without an end.
NOTHING = "LH -\nRH -"
ORDERS = {"LH": "-", "RH": "-"}


@dataclass
class Row:
    """One line of the table: the request, its limits, and a preparation that is not counted."""

    name: str
    ask: Callable[[], Any]
    target: float | None
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
    with run_own_site(ALLOWED_HOSTS="testserver"):
        rows = list_rows(3 * EARLY if options.quick or options.counts else LATE)
        code = count(rows)
        if not options.counts:
            measure(rows, rounds=10 if options.quick else 60)
    return code


def list_rows(late: int) -> list[Row]:
    """Return the rows, with two battles for them: one of EARLY turns, and one of `late`."""
    from django.test import Client

    from accounts.models import Mage, User
    from tests.duels.fights import start_fight
    from tests.scenes import make_mage

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
    for_strangers = (
        ("front", "/", 7),
        ("challenges", "/challenges/", 15),
        ("ladder", "/ladder/", 12),
        ("battles", "/battles/", 15),
        ("featured board", "/battles/featured/", 12),
        ("spectator's page", at, 15),
        ("spectator's fragment", f"{at}?fragment=board", 20),
        (f"API status, turn {EARLY}", f"/api{at}", 15),
        (f"API status, turn {late}", f"/api{later}", 15),
    )
    own = (
        ("home", player, "/", 15),
        ("lobby", player, "/lobby/", 26),
        ("player's challenges", player, "/challenges/", 15),
        (f"player's page, turn {EARLY}", player, at, 15),
        (f"player's page, turn {late}", late_player, later, 15),
    )
    # From the cache, as rendered for another stranger a moment ago.
    rows = [Row(name, (ask := partial(nobody.get, path)), 1.5, 1, ask) for name, path, _ in for_strangers]
    rows += [
        Row(f"{name}, drawn anew", partial(nobody.get, path), None, most, forget_pages)
        for name, path, most in for_strangers
    ]
    # Every page that shows it asks for it after each turn, and the first one has it drawn.
    rows.append(Row("featured board, after a turn", partial(nobody.get, "/battles/featured/"), None, 20, forget_boards))
    rows += [Row(name, partial(client.get, path), 1.5, most) for name, client, path, most in own]
    first, last = early.names
    send = partial(send_by_api, Client(), early, issue_tokens(early))
    rows.append(Row("API submit, not resolving", partial(send, first), 4, 8, partial(settle, early, first), True))
    rows.append(Row("API submit that resolves", partial(send, last), 8, 21, partial(settle, early, last), True))
    form = Form(late_player, long)
    rows.append(Row("form submit with its fragment", form.send, 10, 19, form.open, True))
    rows.append(Row("form submit, page from another process", form.send, None, 22, form.find, True))
    return rows


def forget_pages() -> None:
    """Have every page for strangers rendered again, as after a change of any row."""
    from duels.live.fragments import fragment_cache
    from fm_site.serving.page_cache import cached_pages

    cached_pages.clear()
    fragment_cache.__init__()  # type: ignore[misc]


def forget_boards() -> None:
    """Have the featured board drawn again, as after a turn."""
    from django.core.cache import cache

    from duels.selectors.stories import narrated

    forget_pages()
    cache.clear()
    narrated.memory.clear()


def order(fight: Any, name: str) -> None:
    fight.order(name, NOTHING, now=datetime.now(UTC))


def settle(fight: Any, name: str) -> None:
    """Play until the battle is waiting for this mage: the first of the two begins a turn, the last ends it."""
    from duels.models import OrderSheet

    first, last = fight.names
    waiting = OrderSheet.objects.filter(stage__battle=fight.battle, stage__closed_at=None, ready=False)
    names = set(waiting.values_list("combatant__mage__name", flat=True))
    if name == first and names == {last}:
        order(fight, last)
    elif name == last and names == {first, last}:
        order(fight, first)


def issue_tokens(fight: Any) -> dict[str, str]:
    from accounts.services.tokens import issue_api_token

    now = datetime.now(UTC)
    return {name: issue_api_token(user=fight.user(name), name="bench", now=now)[1] for name in fight.names}


def send_by_api(client: Any, fight: Any, tokens: dict[str, str], name: str) -> Any:
    body = json.dumps({"orders": NOTHING, "ready": True})
    head = {"Authorization": f"Bearer {tokens[name]}"}
    return client.post(f"/api/battles/{fight.number}/orders/", body, content_type="application/json", headers=head)


class Form:
    """The order form of the first mage, as their browser sends it."""

    def __init__(self, client: Any, fight: Any) -> None:
        self.client, self.fight, self.stage = client, fight, ""

    def find(self) -> None:
        """Begin a turn whose page another process has drawn."""
        from duels.selectors.stories import narrated
        from operations.templatetags.keep import kept_pieces

        settle(self.fight, self.fight.names[0])
        narrated.memory.clear()
        kept_pieces.clear()
        self.stage = str(self.fight.key())

    def open(self) -> None:
        """Begin a turn and open its page, as everyone does before sending the form."""
        self.find()
        self.client.get(f"/battles/{self.fight.number}/")

    def send(self) -> Any:
        fields = {"act": "ready", "mage": self.fight.names[0], "stage": self.stage, **ORDERS}
        return self.client.post(f"/battles/{self.fight.number}/?fragment=board", fields)


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

    from benchmarks.floor.urls import MIDDLEWARE

    with override_settings(MIDDLEWARE=MIDDLEWARE):
        bare = Client()
        bare.get("/read/0/1/")  # loads the middleware
    clocks = (time.CLOCK_PROCESS_CPUTIME_ID, find_database_clock())
    ours: dict[str, list[float]] = {row.name: [] for row in rows}
    floor: dict[str, list[float]] = {row.name: [] for row in rows}
    for _ in range(rounds):
        for row in rows:
            row.prepare()
            ours[row.name].append(time_it(row.ask, clocks))
            path = "/update/" if row.is_order else f"/read/{row.queries}/{row.size}/"
            floor[row.name].append(time_it(partial(bare.get, path), clocks))
    print(f"{rounds} rounds, load {os.getloadavg()[0]:.1f}")
    print(HEAD)
    found = {}
    for row in rows:
        found[row.name], bottom = (statistics.quantiles(times[row.name], n=4)[0] for times in (ours, floor))
        add_quotient(row.name, found[row.name], bottom, "ms", row.target)
    late = next(name for name in found if name.startswith("player's page") and f"turn {EARLY}" not in name)
    turn = late.rpartition(" ")[2]
    for name, most in (("player's page, turn {}", 1.3), ("API status, turn {}, drawn anew", 1.2)):
        add_quotient(
            f"{name.format(turn)} over {EARLY}", found[name.format(turn)], found[name.format(EARLY)], "ms", most
        )


def find_database_clock() -> int:
    """Return the clock of the processor time of the PostgreSQL process that serves this one."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid: int = cursor.fetchone()[0]
    return (~pid << 3) | 2  # as clock_getcpuclockid makes it


def time_it(act: Callable[[], Any], clocks: tuple[int, ...]) -> float:
    """Return how many milliseconds of processor time this takes by these clocks together."""
    begin = sum(map(time.clock_gettime, clocks))
    act()
    return 1000 * (sum(map(time.clock_gettime, clocks)) - begin)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
