"""The graph of a mage's chances over the turns of a battle: it is also the slider that leads from turn to turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from duels.names import listed
from rules_engine.bots.findings import percent
from studies.selectors.chances import Chances, MarkedMove

MOST_LABELS, LABELS_APART = 13, 0.06
"""How many turns are named below the graph, and how far apart in its width at least."""
AT_THE_EDGE = 0.97
MOST_WIDE_MARKS = 14
"""With more turns than this, the marks of two turns side by side would overlap on a phone."""


@dataclass(frozen=True)
class GraphLine:
    """A mage's line: `points` in a box that is as wide as there are turns, and 100 high."""

    mage: str
    points: str
    place: int


@dataclass(frozen=True)
class GraphMark:
    """A mark: `look` is its class, `x` and `y` its place in percent. Those of other mages are at the upper edge."""

    text: str
    look: str
    x: str
    y: str
    is_above: bool
    is_at_edge: bool
    has_point: bool


@dataclass(frozen=True)
class GraphTurn:
    """The part of the graph that leads to a turn, in percent of its width, and the turn in words."""

    seq: int
    label: str
    x: str
    begin: str
    width: str
    url: str
    words: str
    is_current: bool
    is_named: bool


@dataclass(frozen=True)
class ChanceBar:
    """A mage's chance against the other's, in percent: `kept` stays, `changed` is what the turn cost or gave."""

    name: str
    other: str
    is_mine: bool
    after: str
    rest: str
    kept: str
    changed: str
    fell: bool
    # Measured from the top, for the bar that stands.
    top: str
    changed_top: str


@dataclass(frozen=True)
class Graph:
    """The graph of a battle with one turn chosen. `value` counts turns from 1; `words` say the chosen turn."""

    turns: tuple[GraphTurn, ...]
    count: int
    lines: tuple[GraphLine, ...]
    area: str
    marks: tuple[GraphMark, ...]
    value: int
    x: str
    words: str
    change: str
    key: str
    is_mine: bool
    is_dense: bool
    previous_mistake: str
    next_mistake: str
    bar: ChanceBar | None


def draw_graph(chances: Chances, seq: int, link_turn: Callable[[int], str]) -> Graph | None:
    """Return the graph with turn `seq` chosen; None if the analysis does not know that turn."""
    if seq not in chances.seqs:
        return None
    at, count = chances.seqs.index(seq), len(chances.seqs)
    others = [mage for mage in chances.curves if mage != chances.mage]
    lines = [GraphLine(mage, _write_points(chances.curves[mage]), place) for place, mage in enumerate(others, 2)]
    lines = [] if len(others) == 1 else lines  # in a duel the other line is the mirror image
    known = [(place, chance) for place, chance in enumerate(chances.own) if chance is not None]
    points = _write_points(chances.own)
    mistakes = chances.mistakes
    before = next((each for each in reversed(mistakes) if each < seq), None)
    following = next((each for each in mistakes if each > seq), None)
    return Graph(
        turns=tuple(_list_turns(chances, at, link_turn)),
        count=count,
        lines=(*lines, GraphLine(chances.mage, points, 1)),
        area=f"{known[0][0]},100 {points} {known[-1][0]},100" if known else "",
        marks=tuple(_place_marks(chances)),
        value=at + 1,
        x=_percent(at + 1, count),
        words=_describe_turn(chances, seq),
        change=describe_change(*chances.around(seq)),
        key=_describe_marks(chances, others),
        is_mine=chances.is_mine,
        is_dense=count > MOST_WIDE_MARKS,
        previous_mistake=link_turn(before) if before is not None else "",
        next_mistake=link_turn(following) if following is not None else "",
        bar=_draw_bar(chances, seq, others[0]) if len(others) == 1 else None,
    )


def _write_points(chances: Sequence[float | None]) -> str:
    return " ".join(f"{place},{100 * (1 - each):.1f}" for place, each in enumerate(chances) if each is not None)


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f}%"


def _list_turns(chances: Chances, at: int, link_turn: Callable[[int], str]) -> Iterator[GraphTurn]:
    """Yield the turns, each with the half of the graph's step to both sides of its point."""
    count = len(chances.seqs)
    named = _choose_named(chances, at)
    for place, (seq, label) in enumerate(zip(chances.seqs, chances.labels, strict=True)):
        begin = max(place + 0.5, 0.0) if place else 0.0
        end = count if place + 1 == count else place + 1.5
        yield GraphTurn(
            seq=seq,
            label=label,
            x=_percent(place + 1, count),
            begin=_percent(begin, count),
            width=_percent(end - begin, count),
            url=link_turn(seq),
            words=_describe_turn(chances, seq),
            is_current=place == at,
            is_named=place in named,
        )


def _choose_named(chances: Chances, at: int) -> set[int]:
    """Return the places of the turns to name: the chosen one, those with a mark, and every nth, if there is room."""
    count = len(chances.seqs)
    every = -(-count // MOST_LABELS)
    marked = [chances.seqs.index(each.seq) for each in chances.marks]
    named: list[int] = []
    for place in (at, *marked, *range(every - 1, count, every)):
        if all(abs(place - other) / count >= LABELS_APART for other in named):
            named.append(place)
    return set(named)


def _place_marks(chances: Chances) -> Iterator[GraphMark]:
    count = len(chances.seqs)
    # In a melee the others make too many small mistakes to show them all.
    is_melee = len(chances.curves) > 2
    looks = {"??": "blunder", "?": "mistake", "!": "only"}
    for each in chances.marks:
        place = chances.seqs.index(each.seq) + 1
        chance, own = chances.own[place], each.mage == chances.mage
        if chance is None or (not own and is_melee and each.mark == "?"):
            continue
        yield GraphMark(
            text=each.mark,
            look=looks[each.mark] + ("" if own else " theirs"),
            x=_percent(place, count),
            y=f"{100 * (1 - chance):.1f}%" if own else "0%",
            is_above=own and chance < 0.5,
            is_at_edge=place / count > AT_THE_EDGE,
            has_point=own,
        )


def _describe_turn(chances: Chances, seq: int) -> str:
    """Say a turn in words: ``Turn 13, your chance 45% → 0%, ?? by you``."""
    label = chances.labels[chances.seqs.index(seq)]
    change = describe_change(*chances.around(seq))
    if not change:
        words = _("Turn %(turn)s") % {"turn": label}
    elif chances.is_mine:
        words = _("Turn %(turn)s, your chance %(change)s") % {"turn": label, "change": change}
    else:
        words = _("Turn %(turn)s, chance of %(mage)s %(change)s")
        words %= {"turn": label, "mage": chances.mage, "change": change}
    return ", ".join([words, *(_name_mark(chances, each) for each in chances.marks if each.seq == seq)])


def _name_mark(chances: Chances, marked: MarkedMove) -> str:
    slots = {"mage": marked.mage}
    if chances.is_mine and marked.mage == chances.mage:
        return {"??": _("a blunder of yours"), "?": _("a mistake of yours"), "!": _("your only good move")}[marked.mark]
    words = {
        "??": _("a blunder of %(mage)s"),
        "?": _("a mistake of %(mage)s"),
        "!": _("the only good move of %(mage)s"),
    }
    return words[marked.mark] % slots


def describe_change(before: float | None, after: float | None) -> str:
    """Return ``45% → 0%``; "" for what the reader may not know."""
    if before is None or after is None:
        return ""
    return f"{percent(before)} → {percent(after)}"


def _describe_marks(chances: Chances, others: Sequence[str]) -> str:
    """Say whose marks are where."""
    if all(each.mage == chances.mage for each in chances.marks):
        return ""
    slots = {"mage": chances.mage, "others": listed(list(others))}
    if chances.is_mine:
        return _("Marks on the line are yours, those above are of %(others)s.") % slots
    return _("Marks on the line are of %(mage)s, those above of %(others)s.") % slots


def _draw_bar(chances: Chances, seq: int, other: str) -> ChanceBar | None:
    before, after = chances.around(seq)
    if before is None or after is None:
        return None
    low, high = min(before, after), max(before, after)
    return ChanceBar(
        name=chances.mage,
        other=other,
        is_mine=chances.is_mine,
        after=percent(after),
        rest=percent(1 - after),
        kept=_percent(low, 1),
        changed=_percent(high - low, 1),
        fell=after < before,
        top=_percent(1 - low, 1),
        changed_top=_percent(1 - high, 1),
    )
