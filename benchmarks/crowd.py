"""How many players a site carries: ./run bench --crowd [--long] [--sockets N] [--webs N] [--workers N]

Duels are played on the site of docs/hosting.md: on the web with a socket, by programs and by email, a turn every four
seconds each. In steps of some seconds there are more and more, until something gives: an error, more than LIMIT seconds
for an answer, emails that wait, or fewer turns than were wanted. Then a minute (ten with --long) at 80 % of the last
step that went well, with memory at both ends; then N sockets of spectators on one battle, and on 500.
"""

import argparse
import asyncio
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.crowd_players import PATIENCE, Notes, Table, make_duels
from benchmarks.crowd_site import HOST, CrowdSite, read_machine
from benchmarks.rows import add_figure
from benchmarks.viewers import PageSocket, settle_down

PACE, STEP_SECONDS = 4.0, 12.0
RATES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32)
LIMIT, WAITING_SECONDS, LEAST_SHARE = 1.5, 5.0, 0.85
SHARE = 0.8
ONE, MANY = 1, 500
ANSWERS = (
    "page",
    "fragment",
    "order by form",
    "battle by API",
    "order by API",
    "order by email, accepted",
    "order to push",
)
OTHERS = ("email to resolved turn", "order to turn email", "orders refused")


def main(arguments: list[str]) -> int:
    """Print the figures. An error at 80 % is a fault."""
    parser = argparse.ArgumentParser(prog="./run bench --crowd", description=__doc__)
    parser.add_argument("--long", action="store_true", help="ten minutes at 80 %%")
    parser.add_argument("--sockets", type=int, default=5000)
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="turns a second of each step")
    parser.add_argument("--seconds", type=float, help="at 80 %%")
    parser.add_argument("--duels", type=int, default=MANY, help="that are begun")
    parser.add_argument("--webs", type=int, default=1, help="web processes")
    parser.add_argument("--workers", type=int, default=1, help="workers beside the bots' one")
    options = parser.parse_args(arguments)
    seconds = options.seconds or (600.0 if options.long else 60.0)
    with tempfile.TemporaryDirectory(prefix="fm-crowd-") as name:
        # PostgreSQL runs as another user and reads its programs there.
        Path(name).chmod(0o711)
        with CrowdSite(Path(name), webs=options.webs, workers=options.workers) as site:
            duels = make_duels(site, 0, options.duels)
            print(
                f"{len(duels)} duels; {options.webs} web, {options.workers} workers; {name_machine(site)}", flush=True
            )
            return asyncio.run(measure(site, duels, tuple(options.rates), seconds, options.sockets))


async def measure(
    site: CrowdSite, duels: list[dict[str, Any]], rates: tuple[float, ...], seconds: float, sockets: int
) -> int:
    crowd = Crowd(site, duels)
    best = 0.0
    for rate in rates:
        gave = await crowd.run_step(rate, STEP_SECONDS)
        if gave:
            print(f"gave at {rate:g} turns a second: {'; '.join(gave)}", flush=True)
            break
        best = rate
    if not best:
        print("the first step was too much: begin with less (--rates)")
        return 1
    await crowd.rest()
    steady = SHARE * best
    print(f"\n{seconds:.0f} s at {steady:.1f} turns a second", flush=True)
    before = site.read_processes()
    gave = await crowd.run_step(steady, seconds, is_steady=True)
    after = site.read_processes()
    for name, (_, memory) in after.items():
        print(f"  {name:12} {before[name][1]:5.0f} MB at the start, {memory:5.0f} MB at the end")
    add_figure("turns a second, the last step that went well", best, "/s")
    add_figure("errors at 80 % of that", sum(crowd.notes.errors.values()), "", most=0)
    grown = sum(memory for _, memory in after.values()) - sum(memory for _, memory in before.values())
    add_figure("memory gained during the run, all processes", grown, "MB")
    crowd.leave()
    for battles, begun in ((ONE, 0), (len(duels), crowd.begun)):
        await watch(site, duels[-battles:], begun, sockets)
    print(f"exceptions in the services' logs: {site.count_faults()}")
    return int(bool(crowd.notes.errors))


class Crowd:
    """The tables that play, and the duels that nobody has begun."""

    def __init__(self, site: CrowdSite, duels: list[dict[str, Any]]) -> None:
        self.site, self.duels, self.begun = site, duels, 0
        self.tables: list[Table] = []
        self.notes = Notes()

    async def run_step(self, rate: float, seconds: float, *, is_steady: bool = False) -> list[str]:
        """Play so many turns a second for so long; print what was measured and return what gave."""
        self.tables = [table for table in self.tables if not table.is_over]
        count = max(1, round(rate * PACE))
        self.tables += [self.begin_duel() for _ in range(count - len(self.tables)) if self.begun < len(self.duels)]
        playing = self.tables[:count]
        self.notes, mails = Notes(), len(self.site.mailbox.times)
        processes, machine, own = self.site.read_processes(), read_machine(), time.process_time()
        begin = time.perf_counter()
        end = begin + seconds
        await asyncio.gather(*(self.play_on(table, end, PACE * place / count) for place, table in enumerate(playing)))
        took = time.perf_counter() - begin
        waiting = self.site.count_waiting()
        turns = len([moment for moment in self.notes.times["resolution"] if moment <= end])
        now = self.site.read_processes()
        used = {name: 100 * (cpu - processes[name][0]) / took for name, (cpu, _) in now.items()}
        used["the crowd itself"] = 100 * (time.process_time() - own) / took
        busy, idle = (end - begun for end, begun in zip(read_machine(), machine, strict=True))
        share = 100 * busy / (busy + idle)
        sent = len(self.site.mailbox.times) - mails
        errors = sum(self.notes.errors.values())
        print(f"\n{rate:g} turns a second wanted, {turns / seconds:.1f} played by {count} duels", end="; ")
        print(
            f"{sent / took:.1f} emails a second; {errors} errors; {waiting[0]} emails unread, {waiting[1]} unsent late"
        )
        if is_steady:
            await self.rest()
        self.print_times(took)
        print("  " + ", ".join(f"{name} {cpu:.0f} %" for name, cpu in used.items()) + f"; machine {share:.0f} % busy")
        if turns:
            cost = sum(cpu for name, cpu in used.items() if name != "the crowd itself") / 100 * took / turns
            print(f"  {1000 * cost:.0f} ms of processor time for a turn, all services")
        for error, times in self.notes.errors.most_common(5):
            print(f"  {times} x {error}")
        gave = [f"{name} p95 {p95:.1f} s" for name in ANSWERS if (p95 := self.find(name, 0.95)) > LIMIT]
        gave += [f"{sum(self.notes.errors.values())} errors"] if self.notes.errors else []
        gave += [f"{sum(waiting)} emails wait"] if sum(waiting) > WAITING_SECONDS * max(rate, 2) else []
        gave += [f"only {turns / seconds:.1f} turns"] if turns < LEAST_SHARE * rate * (seconds - 1) else []
        if gave:
            name = max(list(used)[:-1], key=lambda one: used[one])
            gave.append(f"busiest is {name} with {used[name]:.0f} % of a core, the machine is {share:.0f} % busy")
        return gave

    def begin_duel(self) -> Table:
        self.begun += 1
        return Table(self.site, self.duels[self.begun - 1])

    async def play_on(self, table: Table, end: float, first: float) -> None:
        """Play a duel, and the next one whenever it is over, until `end`."""
        await table.play(self.notes, PACE, end, first)
        while table.is_over and time.perf_counter() < end and self.begun < len(self.duels):
            table.leave()
            table = self.begin_duel()
            self.tables.append(table)
            await table.play(self.notes, PACE, end, 0.0)

    def find(self, name: str, part: float) -> float:
        times = sorted(self.notes.times[name])
        return times[min(len(times) - 1, int(part * len(times)))] if times else 0.0

    def print_times(self, seconds: float) -> None:
        for name in (*ANSWERS, *OTHERS):
            if self.notes.times[name]:
                parts = (0.5, 0.95, 0.99)
                figures = "  ".join(f"p{100 * part:.0f} {1000 * self.find(name, part):5.0f}" for part in parts)
                print(f"  {name:26} {len(self.notes.times[name]) / seconds:6.1f}/s  {figures} ms", flush=True)

    async def rest(self, seconds: float = 30.0) -> None:
        """Wait until every email is processed and sent, and the last ones are counted."""
        end = time.perf_counter() + seconds
        while any(self.site.count_waiting()) and time.perf_counter() < end:
            await asyncio.sleep(0.5)

    def leave(self) -> None:
        for table in self.tables:
            table.leave()


async def watch(site: CrowdSite, duels: list[dict[str, Any]], begun: int, count: int, turns: int = 3) -> None:
    """Let `count` spectators watch these battles, play some turns in one of them, or one turn in each of twenty, and
    print when they knew. The first `begun` battles may be over."""
    viewers = [PageSocket() for _ in range(count)]
    battles = len(duels)

    async def sit_down(place: int) -> None:
        client = f"172.{16 + place // 25000}.{place // 100 % 250}.1"
        head = f"Host: {HOST}\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: {client}\r\nOrigin: https://{HOST}\r\n"
        await viewers[place].open(site.choose_port(place), f"/ws/battles/{duels[place % battles]['number']}/", head)

    begin = time.perf_counter()
    for at in range(0, count, 50):
        await asyncio.gather(*(sit_down(place) for place in range(at, min(count, at + 50))))
    opening = time.perf_counter() - begin
    hints: list[float] = []
    costs, lasts = [], []
    played = [*range(begun, battles, max(1, (battles - begun) // 20))] if battles > 1 else [0] * turns
    played = [place for place in played if place < count]  # where somebody watches
    before = site.read_web()
    for place in played:
        mine = [viewer for at, viewer in enumerate(viewers) if at % battles == place]
        table, notes = Table(site, {**duels[place], "place": 0}), Notes()
        cpu = site.read_web()[0]
        await order_quietly(table, notes)
        for viewer in mine:
            viewer.hints.clear()
            viewer.pages.clear()
        begin = time.perf_counter()
        await table.order_by_program(notes)
        while time.perf_counter() < begin + PATIENCE and not all(viewer.pages for viewer in mine):
            await asyncio.sleep(0.05)
        await settle_down(mine, 0.5)
        lasts.append(max(max([*viewer.hints, *viewer.pages], default=0) for viewer in mine) - begin)
        costs.append(site.read_web()[0] - cpu)
        hints += [min([*viewer.hints, *viewer.pages]) - begin for viewer in mine if viewer.hints or viewer.pages]
        table.leave()
    expected = sum(len(range(place, count, battles)) for place in played)
    print(f"{count} sockets, opened in {opening:.0f} s, on {battles} battles: {len(hints)} of {expected} pushes came")
    if hints:
        hints.sort()
        memory = site.read_web()[1]
        print(
            f"p50 {1000 * hints[len(hints) // 2]:.0f}, p95 {1000 * hints[len(hints) * 95 // 100]:.0f}, p99"
            f" {1000 * hints[len(hints) * 99 // 100]:.0f} ms; the last page of a turn after"
            f" {statistics.median(lasts):.2f} s; {statistics.median(costs):.2f} s of the web processes for a turn; they"
            f" have {memory:.0f} MB, and had {before[1]:.0f} MB",
            flush=True,
        )
    for viewer in viewers:
        viewer.reading.cancel()
        viewer.writer.close()
    await asyncio.sleep(3)


async def order_quietly(table: Table, notes: Notes) -> None:
    """Give the first player's orders, which tell spectators nothing."""
    html = await table.ask(notes, "page", table.web, table.path, table.cookies)
    await table.order_on_page(notes, html)
    await asyncio.sleep(0.3)


def name_machine(site: CrowdSite) -> str:
    with psycopg.connect(site.postgres.url) as rows:
        version = rows.info.server_version // 10000
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} cores, CPython {platform.python_version()}, PostgreSQL {version} with fsync, load {load:.1f}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
