"""The cost of the sweep over clocks among 10,000, 100,000 and a million battles: python -m benchmarks.late_orders

On its own PostgreSQL (--sizes N N …). One battle of five is running and waits for a mage; at each size a thousand
clocks are due, and the sweep takes their steps, a hundred at a time. The verdict uses only what neighbours on the
machine cannot move: the queries that it makes, the rows and the blocks that the database touches for them, and the
processor time of this process, over that of simple questions at the same moment. Ends with 1 when a greater size takes
more than 1.5 times as much of one of them, when the process grows by more than a quarter, when making the rows of the
greatest size kept this process or the database (which work at once) busy for three minutes or more, or when a query of
the sweep would read a table that grows as a whole.
"""

import argparse
import os
import re
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.own_site import run_own_site

SIZES = (10_000, 100_000, 1_000_000)
DUE = 1000
AT_A_TIME = 100
MOST = 1.5
MOST_MEMORY = 1.25
MOST_SECONDS = 180
# The planner rightly reads smaller tables as a whole.
GROWN = 10_000
# More rows than this in one step of a plan cannot all be due.
MOST_ROWS = 5_000
# The compared quantities, with their names.
JUDGED = {
    "quotient": "processor time over that of simple questions",
    "queries": "queries",
    "rows": "rows",
    "blocks": "blocks",
}


@dataclass(frozen=True)
class Cost:
    """The cost of a hundred due clocks. `seconds` and `processor` (that of this process) are medians of the batches,
    `quotient` the median of the same processor time over what simple questions took at that moment; `queries`, `rows`
    and `blocks` are means."""

    seconds: float
    processor: float
    quotient: float
    queries: float
    rows: float
    blocks: float


@dataclass(frozen=True)
class Measured:
    """The measurements at one size. `making` is the seconds that its rows took, `busy` for how many of them the busier
    of this process and the database's ran, both with the sizes before. `reading` is the seconds that finding out what
    is due took, once in each batch; `memory` is in MiB."""

    size: int
    making: float
    busy: float
    cost: Cost
    reading: float
    steps: int
    memory: float
    faults: tuple[str, ...]


def main(arguments: list[str]) -> int:
    """Print the figures; the exit code says whether the sweep stays as fast and as small."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.late_orders", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--plans", action="store_true", help="print every plan at the greatest size")
    options = parser.parse_args(arguments)
    with run_own_site():
        keep_vacuum_out()
        return report([*measure(sorted(options.sizes), options.plans)])


def keep_vacuum_out() -> None:
    """Keep the server's clean-up after so many new rows out of the measurement."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET autovacuum = off")
        cursor.execute("SELECT pg_reload_conf()")


def measure(sizes: list[int], show: bool) -> Iterator[Measured]:
    """Let the site grow to each size in turn, and sweep."""
    from benchmarks.many_battles import NOW, Part
    from duels.models import Deadline

    before, making, ran = 0, 0.0, (0.0, 0.0)
    for size in sizes:
        begin, (here, there) = time.perf_counter(), read_processor()
        # One more is due than is timed: its plans are looked at.
        Part(before, size, DUE + 1).copy()
        making += time.perf_counter() - begin
        here_now, there_now = read_processor()
        ran = (ran[0] + here_now - here, ran[1] + there_now - there)
        before = size
        plans = read_plans()
        if show and size == sizes[-1]:
            print(*plans, sep="\n\n")
        faults, reading = tuple(find_faults(plans)), time_reading()
        steps, cost = sweep_in_batches()
        if steps != DUE or Deadline.objects.filter(due_at__lte=NOW).exists():
            faults += (f"{steps} steps were taken of {DUE}",)
        found = Measured(size, making, max(ran), cost, reading, steps, read_memory(), faults)
        print(describe(found), flush=True)
        yield found


def sweep_in_batches() -> tuple[int, Cost]:
    """Let the sweep take every step that is due; return how many it took, and the cost of a hundred of them."""
    from benchmarks.many_battles import NOW
    from duels.services.clocks.sweep import sweep_deadlines

    rounds = DUE // AT_A_TIME
    steps, queries, seconds, processor, quotients = 0, 0, [], [], []
    rows, blocks = read_touched()
    for _ in range(rounds):
        with count_queries() as asked:
            begin, ran = time.perf_counter(), time.process_time()
            steps += sweep_deadlines(now=NOW, limit=AT_A_TIME)
            seconds.append(time.perf_counter() - begin)
            processor.append(time.process_time() - ran)
        queries += len(asked)
        quotients.append(processor[-1] / time_questions())
    rows_after, blocks_after = read_touched()
    middle = statistics.median
    # Simple queries touch the same rows at every size.
    touched = (rows_after - rows) / rounds, (blocks_after - blocks) / rounds
    return steps, Cost(middle(seconds), middle(processor), middle(quotients), queries / rounds, *touched)


@contextmanager
def count_queries() -> Iterator[list[None]]:
    """Collect something for every query that is made inside."""
    from django.db import connection

    asked: list[None] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(None)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield asked


def read_processor() -> tuple[float, float]:
    """Return for how many seconds this process has run on a processor, and the one that serves it in the database."""
    from django.db import connection

    connection.ensure_connection()
    server = connection.connection.info.backend_pid
    fields = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()
    return time.process_time(), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_touched() -> tuple[int, int]:
    """Return how many rows and blocks of tables and indexes the database has touched so far."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables")
        (rows,) = cursor.fetchone()
        kinds = ("heap", "idx", "toast", "tidx")
        parts = " + ".join(f"coalesce({kind}_blks_{way}, 0)" for kind in kinds for way in ("read", "hit"))
        cursor.execute(f"SELECT sum({parts}) FROM pg_statio_user_tables")
        (blocks,) = cursor.fetchone()
    return int(rows), int(blocks)


def describe(found: Measured) -> str:
    cost = found.cost
    return (
        f"late orders, {found.size} battles ({found.size // 5} mages waited for, made in {found.making:.0f} s, "
        f"{found.busy:.0f} of them busy): "
        f"{found.steps} steps, each {1000 * cost.seconds / AT_A_TIME:.2f} ms, of which the process ran "
        f"{1000 * cost.processor / AT_A_TIME:.2f} ms (medians of ten batches), {cost.queries / AT_A_TIME:.1f} queries, "
        f"{cost.rows / AT_A_TIME:.0f} rows, {cost.blocks / AT_A_TIME:.0f} blocks; "
        f"what is due is found in {1000 * found.reading:.1f} ms; {found.memory:.0f} MiB"
    )


def report(all_found: list[Measured]) -> int:
    """Print how the sizes compare; return the exit code."""
    first, last = all_found[0], all_found[-1]
    worst = 0.0
    for each in all_found[1:]:
        shares = {name: getattr(each.cost, name) / getattr(first.cost, name) for name in JUDGED}
        worst = max(worst, *shares.values())
        message = ", ".join(f"{share:.2f} of the {JUDGED[name]}" for name, share in shares.items())
        print(
            f"late orders, {each.size} over {first.size} battles: {message} (at most {MOST}), "
            f"{each.memory / first.memory:.2f} of the memory (at most {MOST_MEMORY}); "
            f"not judged: {each.cost.seconds / first.cost.seconds:.2f} of the time"
        )
    # Of small tables the planner is free to read all.
    faults = list(last.faults)
    print(*(f"late orders: {fault}" for fault in faults or ["every table that grows is read by an index"]), sep="\n")
    grown = max(each.memory / first.memory for each in all_found)
    return int(bool(faults) or worst > MOST or grown > MOST_MEMORY or last.busy >= MOST_SECONDS)


def read_plans() -> list[str]:
    """Return the plans of all that one sweep asks for one due clock."""
    from benchmarks.many_battles import NOW
    from duels.services.clocks.sweep import sweep_deadlines
    from tests.query_plans import explain

    return explain(lambda: sweep_deadlines(now=NOW, limit=1))


def find_faults(plans: list[str]) -> Iterator[str]:
    """Name the parts of the plans that grow with the site and not with the number of due clocks."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", [GROWN])
        grown = {name for (name,) in cursor.fetchall()}
    for plan in plans:
        tables = set(re.findall(r"Seq Scan on (\w+)", plan)) & grown
        rows = max(map(int, re.findall(r"rows=(\d+)", plan)), default=0)
        if tables or rows > MOST_ROWS:
            yield f"{', '.join(sorted(tables)) or 'no table'} read as a whole, {rows} rows expected:\n{plan}"


def time_reading() -> float:
    """Return the seconds that it takes to find out which battles to look at, the best of five."""
    from benchmarks.many_battles import NOW
    from duels.selectors import due

    taken = []
    for _ in range(5):
        begin = time.perf_counter()
        due.list_clock_updates_due(now=NOW, limit=AT_A_TIME)
        due.list_battles_in_trouble()
        due.list_battles_with_stops_due(now=NOW, limit=AT_A_TIME)
        due.list_battles_due(now=NOW, limit=AT_A_TIME)
        taken.append(time.perf_counter() - begin)
    return min(taken)


def time_questions() -> float:
    """Return the processor time that two hundred questions for one row take, the same two at every size."""
    from accounts.models import Mage, User

    begin = time.process_time()
    for _ in range(100):
        Mage.objects.filter(pk=1).first()
        User.objects.filter(pk=1).first()
    return time.process_time() - begin


def read_memory() -> float:
    """Return how much memory this process holds, in MiB."""
    status = Path("/proc/self/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
