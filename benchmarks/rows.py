"""The joint table of `./run bench`: each part adds its rows, and the first process prints them all at the end."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "FM_BENCH_ROWS"
HEAD = f"{'work':44} {'ours':>12} {'floor':>12} {'x':>6} {'target':>9}"


@dataclass(frozen=True)
class Measured:
    """One row. `x` is ours over the floor, or over the same work at another size; `target` is what it is compared with.

    `is_met` is None where there is no target.
    """

    work: str
    ours: str
    floor: str = ""
    x: float | None = None
    target: str = ""
    is_met: bool | None = None

    def write(self) -> str:
        x = "" if self.x is None else f"{self.x:.2f}"
        mark = {None: "", True: "  met", False: "  MISSED"}[self.is_met]
        return f"{self.work:44} {self.ours:>12} {self.floor:>12} {x:>6} {self.target:>9}{mark}"


def add_quotient(work: str, ours: float, floor: float, unit: str, most: float | None = None) -> None:
    """Add a row that is judged by a quotient: at most `most`, if that is given."""
    x = ours / floor
    target = "" if most is None else f"≤ {most:g} x"
    add(Measured(work, f"{ours:.1f} {unit}", f"{floor:.1f} {unit}", x, target, None if most is None else x <= most))


def add_figure(work: str, ours: float, unit: str, *, most: float | None = None, least: float | None = None) -> None:
    """Add a row that is judged by the figure itself."""
    target = f"≤ {most:g}" if most is not None else f"≥ {least:g}" if least is not None else ""
    is_met = ours <= most if most is not None else ours >= least if least is not None else None
    add(Measured(work, f"{ours:.3g} {unit}", target=target, is_met=is_met))


def add(row: Measured) -> None:
    """Print a row, and keep it for the joint table if there is one."""
    print(row.write(), flush=True)
    if FILE in os.environ:
        with Path(os.environ[FILE]).open("a") as rows:
            rows.write(f"{json.dumps(asdict(row))}\n")


def read_rows(path: Path) -> list[Measured]:
    return [Measured(**json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []
