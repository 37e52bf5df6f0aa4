"""`./run clauses [--list PATH] [--keep]`: which clauses of the documents no test and no ruling cites.

PATH is a list with one line per clause: "- `FM-TURN-4` [E] what it says". Without it the numbers and kinds in
tests/clauses.txt are used, which `--keep` rewrites from the list. A clause of kind E (the duel engine) needs a rule
case in tests/rules_engine/cases; a clause of another kind needs any test, or a ruling in docs/rulings.md. Withdrawn
clauses are not counted. If the site departs from a clause, the test that shows the departure cites it.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent
CASES = TESTS / "rules_engine" / "cases"
RULINGS = TESTS.parent / "docs" / "rulings.md"
KEPT = TESTS / "clauses.txt"
LISTED = re.compile(r"^- `(?P<id>(?P<document>[A-Z]+)-[A-Z]+-\d+)` \[(?P<kind>[A-Z])\] (?P<text>.*)$")
WITHDRAWN = "WITHDRAWN"
# FM-PARA-9, also FM-PARA-9, -10 and FM-CHARMP-7 to -11 and FM-PARA-4..7
CITED = re.compile(r"\b(?P<group>[A-Z]{2}-[A-Z]+)-(?P<first>\d+)(?P<more>(?:(?:, -| and -| to -|\.\.)\d+)*)")
MORE = re.compile(r"(?P<how>, -| and -| to -|\.\.)(?P<number>\d+)")


class NoList(Exception):
    """The list cannot be read; the message names the file."""


@dataclass(frozen=True)
class Clause:
    """One statement of a document. `kind`: E duel engine, O orders, S service, U screen."""

    id: str
    document: str
    kind: str
    text: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the clauses without citations, then a count for each document and kind.

    Returns 1 if a clause is missing or the kept numbers differ from the list, 2 if there is no list.
    """
    parser = argparse.ArgumentParser(prog="./run clauses", description="Print the clauses that nothing cites.")
    parser.add_argument("--list", type=Path, metavar="PATH", help="the list of clauses, with their text")
    parser.add_argument("--keep", action="store_true", help=f"write its numbers and kinds to {KEPT.name}")
    chosen = parser.parse_args(arguments)
    try:
        clauses = read_clauses(chosen.list) if chosen.list else read_kept()
    except NoList as problem:
        print(f"clauses: {problem}", file=sys.stderr)
        return 2
    if chosen.keep:
        KEPT.write_text("".join(f"{clause.id} {clause.kind}\n" for clause in clauses), encoding="utf-8")
    lines = list(report(clauses, in_cases=read_citations(CASES, "*.txt"), in_tests=read_all_citations()))
    kept = {(clause.id, clause.kind) for clause in read_kept()}
    lines += [f"not in {KEPT.name}: {one.id} {one.kind}" for one in clauses if (one.id, one.kind) not in kept]
    print("\n".join(lines))
    return int(any(line.startswith(("missing", "not in")) for line in lines))


def read_clauses(path: Path) -> list[Clause]:
    """The clauses of a list, without withdrawn ones. Raises NoList."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NoList(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise NoList(f"{path}: cannot be read ({problem})") from problem
    listed = (LISTED.match(line) for line in text.splitlines())
    found = [Clause(**one.groupdict()) for one in listed if one and not one["text"].startswith(WITHDRAWN)]
    if not found:
        raise NoList(f"{path}: lists no clause")
    return found


def read_kept() -> list[Clause]:
    """The clauses of tests/clauses.txt, without their text. Raises NoList."""
    try:
        lines = KEPT.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise NoList(f"{KEPT}: no such file") from None
    return [Clause(number, number.partition("-")[0], kind, "") for number, _, kind in (x.partition(" ") for x in lines)]


def report(clauses: Iterable[Clause], *, in_cases: set[str], in_tests: set[str]) -> Iterator[str]:
    """The lines to print: the missing by document and kind, then the counts."""
    groups: dict[tuple[str, str], list[Clause]] = {}
    for clause in clauses:
        groups.setdefault((clause.document, clause.kind), []).append(clause)
    counts = []
    for (document, kind), members in groups.items():
        cited = in_cases if kind == "E" else in_tests
        missing = [clause for clause in members if clause.id not in cited]
        yield from (f"missing {clause.id} [{kind}] {clause.text}".rstrip() for clause in missing)
        counts.append(f"{document} {kind} {len(members) - len(missing)}/{len(members)}")
    yield from counts


def read_citations(folder: Path, pattern: str) -> set[str]:
    """Every clause cited by the files with that pattern in the folder or below it."""
    return {clause for path in folder.rglob(pattern) for clause in find_citations(path.read_text(encoding="utf-8"))}


def find_citations(text: str) -> Iterator[str]:
    """All clauses cited in a text: `FM-PARA-4..6` is three of them."""
    for found in CITED.finditer(text):
        last = int(found["first"])
        yield f"{found['group']}-{last}"
        for more in MORE.finditer(found["more"]):
            number = int(more["number"])
            for one in range(last + 1 if more["how"] in (" to -", "..") else number, number + 1):
                yield f"{found['group']}-{one}"
            last = number


def read_all_citations() -> set[str]:
    """Every clause that a rule case, another test or a ruling cites."""
    tests = {path for path in TESTS.rglob("*.py") if path != Path(__file__).resolve()} | set(CASES.rglob("*.txt"))
    return {clause for path in (*tests, RULINGS) for clause in find_citations(path.read_text(encoding="utf-8"))}


if __name__ == "__main__":
    sys.exit(main())
