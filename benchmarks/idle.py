"""The cost of an idle `./run`: python -m benchmarks.idle [--seconds N]

Starts its own stack twice. Prints how long the second start takes to the first page, and then, of all its
processes together: processor time, wake-ups (voluntary context switches) and memory (proportional set size).
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.rows import add_figure
from tests.services.stack import Stack

CORE_PERCENT, WAKE_UPS, MEGABYTES, START_SECONDS = 1.0, 10.0, 300, 2.0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.idle", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as name:
        stack = Stack(Path(name) / "data")
        stack.start()
        stack.wait_until_open()
        stack.interrupt()
        begin = time.perf_counter()
        stack.start()
        while not stack.is_answering():
            time.sleep(0.02)
        first_page = time.perf_counter() - begin
        try:
            stack.wait_until_open()
            time.sleep(10)
            before = {pid: read_process(pid) for pid in stack.list_processes()}
            time.sleep(options.seconds)
            after = {pid: read_process(pid) for pid in before}
        finally:
            stack.interrupt()
    print(f"load {os.getloadavg()[0]:.1f}")
    add_figure("second start of ./run to the first page", first_page, "s", most=START_SECONDS)
    total = [0.0, 0.0, 0.0]
    for pid, (command, cpu, wakes, memory) in after.items():
        figures = (cpu - before[pid][1], wakes - before[pid][2], memory)
        total = [total[0] + figures[0], total[1] + figures[1], total[2] + figures[2]]
        print(f"  {command:40.40} {describe(figures, options.seconds)}")
    print(f"  {'together':40} {describe(total, options.seconds)}")
    add_figure("idle ./run, processor time", 100 * total[0] / options.seconds, "%", most=CORE_PERCENT)
    add_figure("idle ./run, wake-ups", total[1] / options.seconds, "/s", most=WAKE_UPS)
    add_figure("idle ./run, memory", total[2], "MB", most=MEGABYTES)
    return 0


def describe(figures: "list[float] | tuple[float, float, float]", seconds: float) -> str:
    return f"{100 * figures[0] / seconds:5.2f} %  {figures[1] / seconds:5.1f}/s  {figures[2]:4.0f} MB"


def read_process(pid: int) -> tuple[str, float, float, float]:
    """Return a process's name, processor seconds, voluntary switches of all threads, and megabytes."""
    place = Path(f"/proc/{pid}")
    name = place.joinpath("comm").read_text().strip()
    stat = place.joinpath("stat").read_text().rpartition(")")[2].split()
    cpu = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    wakes = 0.0
    for task in place.joinpath("task").iterdir():
        for line in task.joinpath("status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                wakes += int(line.split()[1])
    memory = 0.0
    for line in place.joinpath("smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            memory = int(line.split()[1]) / 1024
    return name, cpu, wakes, memory


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
