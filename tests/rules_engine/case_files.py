"""Reads rule cases in the format of `cases/README.md`. Every error names its file and line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_RULESETS = ("firetop-server", "firetop-standard")
DEFAULT_MAGES = ("Ayla", "Crom")
GESTURE_PAIR = re.compile(r"([FPSWDC>-])/([FPSWDC>-])$")


class CaseError(Exception):
    """A malformed case file; the message begins with file and line."""


@dataclass(frozen=True)
class Line:
    """One line of a case file, without its comment."""

    place: str
    indented: bool
    text: str

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def complain(self, problem: str) -> CaseError:
        return CaseError(f"{self.place}: {problem}: {self.text!r}")


@dataclass
class TurnStep:
    """One turn to play. Orders are lines of the order grammar, separated by newlines."""

    line: Line
    label: str | None = None
    orders: dict[str, str] = field(default_factory=dict)
    answers: list[tuple[str, str]] = field(default_factory=list)
    refusals: list[tuple[Line, str, str]] = field(default_factory=list)
    confused: dict[str, tuple[str, str]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    monster_targets: dict[str, str] = field(default_factory=dict)
    foes: dict[str, str] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)


@dataclass
class ThenStep:
    """Facts that must be true now; if a ruleset is named, only in that one."""

    line: Line
    ruleset: str | None
    facts: list[Line] = field(default_factory=list)


@dataclass
class Case:
    line: Line
    title: str
    cites: list[str] = field(default_factory=list)
    rulesets: tuple[str, ...] = DEFAULT_RULESETS
    mages: tuple[str, ...] = DEFAULT_MAGES
    before: dict[str, tuple[str, str]] = field(default_factory=dict)
    hit_points: dict[str, int] = field(default_factory=dict)
    steps: list[TurnStep | ThenStep] = field(default_factory=list)


def read_cases(path: Path) -> list[Case]:
    """All cases of one file. Raises CaseError."""
    return _Reader().read(_split(path.name, path.read_text()))


def _split(name: str, text: str) -> Iterator[Line]:
    for number, raw in enumerate(text.splitlines(), start=1):
        # A '#' also marks an Anti Spell in a history, so only one with spaces around it starts a comment.
        body = re.sub(r"(^|\s)#\s.*$", "", raw).rstrip()
        if body.strip():
            yield Line(f"{name}:{number}", body[0].isspace(), body.strip())


class _Reader:
    def __init__(self) -> None:
        self.cases: list[Case] = []
        self.block: TurnStep | ThenStep | str | None = None

    def read(self, lines: Iterator[Line]) -> list[Case]:
        for line in lines:
            if line.indented:
                self._read_inside(line)
            else:
                self._open(line)
        for case in self.cases:
            if not case.cites:
                raise case.line.complain("this case cites nothing")
            if not any(isinstance(step, ThenStep) and step.facts for step in case.steps):
                raise case.line.complain("this case claims nothing")
        return self.cases

    def _open(self, line: Line) -> None:
        word, _, rest = line.text.partition(" ")
        rest = rest.strip()
        if word == "case":
            self.cases.append(Case(line, rest))
            self.block = None
            return
        if not self.cases:
            raise line.complain("a file begins with 'case TITLE'")
        opener = getattr(self, f"_open_{word}", None)
        if opener is None:
            raise line.complain("not a word of the case format")
        opener(line, rest)

    def _open_cites(self, line: Line, rest: str) -> None:
        self.cases[-1].cites += _list(rest)

    def _open_rulesets(self, line: Line, rest: str) -> None:
        self.cases[-1].rulesets = tuple(_list(rest))

    def _open_mages(self, line: Line, rest: str) -> None:
        self.cases[-1].mages = tuple(rest.split())

    def _open_before(self, line: Line, rest: str) -> None:
        self.block = "before"

    def _open_given(self, line: Line, rest: str) -> None:
        self.block = "given"
        if rest:
            self._read_given(line, rest.split())

    def _open_turn(self, line: Line, rest: str) -> None:
        self.block = TurnStep(line, label=rest or None)
        self.cases[-1].steps.append(self.block)

    def _open_turns(self, line: Line, rest: str) -> None:
        if not rest.isdigit():
            raise line.complain("how many turns?")
        self.cases[-1].steps += [TurnStep(line) for _ in range(int(rest))]
        self.block = None

    def _open_then(self, line: Line, rest: str) -> None:
        self.block = ThenStep(line, ruleset=rest or None)
        if rest and rest not in self.cases[-1].rulesets:
            raise line.complain("this case is not played under that ruleset")
        self.cases[-1].steps.append(self.block)

    def _read_inside(self, line: Line) -> None:
        if isinstance(self.block, ThenStep):
            self.block.facts.append(line)
        elif isinstance(self.block, TurnStep):
            self._read_turn(line, self.block)
        elif self.block == "before":
            self._read_before(line)
        elif self.block == "given":
            self._read_given(line, line.words)
        else:
            raise line.complain("this line belongs to nothing")

    def _read_before(self, line: Line) -> None:
        name, _, hands = line.text.partition(" ")
        left, slash, right = (part.strip() for part in hands.partition("/"))
        if not slash or set(left + right) - set("FPSWDC>-"):
            raise line.complain("gestures are written NAME LEFT / RIGHT")
        self.cases[-1].before[self._mage(line, name)] = (left, right)

    def _read_given(self, line: Line, words: Sequence[str]) -> None:
        match words:
            case [name, "hp", points] if points.lstrip("-").isdigit():
                self.cases[-1].hit_points[self._mage(line, name)] = int(points)
            case _:
                raise line.complain("only 'NAME hp N' can be given")

    def _read_turn(self, line: Line, turn: TurnStep) -> None:
        match line.words:
            case ["chance", mage, "confused", ("LH" | "RH") as hand, gesture]:
                turn.confused[mage] = (hand, gesture)
            case ["chance", mage, "held", ("LH" | "RH") as hand]:
                turn.held[mage] = hand
            case ["chance", mage, ("LH" | "RH" | "BH") as hand, "strikes", victim]:
                turn.foes[f"{self._mage(line, mage)} {hand}"] = victim
            case ["chance", monster, "confused", victim]:
                turn.monster_targets[monster] = victim
            case ["answer", name, *_]:
                turn.answers.append((self._mage(line, name), _orders(line.text.split(None, 2)[2:])))
            case ["refused", name, *_]:
                turn.refusals.append((line, self._mage(line, name), _orders(line.text.split(None, 2)[2:])))
            case ["late", *names] if names:
                turn.late += [self._mage(line, name) for name in names]
            case ["chance", *_]:
                raise line.complain(
                    "chance is 'NAME confused HAND GESTURE', 'NAME held HAND', 'NAME HAND strikes WHOM' or "
                    "'MONSTER confused WHOM'"
                )
            case [name, *_]:
                mage = self._mage(line, name)
                if mage in turn.orders:
                    raise line.complain("a second line for the same mage")
                turn.orders[mage] = _orders(line.text.split(None, 1)[1:])

    def _mage(self, line: Line, name: str) -> str:
        if name not in self.cases[-1].mages:
            raise line.complain(f"no mage of this case is called {name}")
        return name


def _list(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _orders(rest: list[str]) -> str:
    """`D/P; TARGET LH Crom` as order lines. A pair of gestures may be followed by an order without a semicolon."""
    lines: list[str] = []
    for order in (part.strip() for part in "".join(rest).split(";")):
        first, _, more = order.partition(" ")
        pair = GESTURE_PAIR.match(first)
        if pair:
            lines += [f"LH {pair[1]}", f"RH {pair[2]}"]
            order = more.strip()
        if order:
            lines.append(order)
    return "\n".join(lines)
