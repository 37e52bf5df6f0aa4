"""An analysis as one reader may see it: only after the end, and not where it would help them in a running battle."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from duels.board.links import link_clause
from duels.models import Battle, Turn
from duels.selectors.battle_rows import read_state_of
from duels.selectors.fair_play import find_running_near, list_running_strings
from duels.selectors.viewer import MaybeUser
from rules_engine import Ruleset, State, get_ruleset, read_state
from rules_engine.bots.findings import BLUNDERS, EDITION, describe_finding, percent, read_accuracy
from studies.models import AnalysedTurn, Analysis, Study

# The graph's box, in its own units.
WIDTH, HEIGHT = 600, 200


@dataclass(frozen=True)
class FindingRow:
    """A finding in words, with a link to its rule."""

    text: str
    clause: str
    url: str
    is_blunder: bool


@dataclass(frozen=True)
class ChanceRow:
    """A mage's chance before a turn and its range, in words, and the move."""

    mage: str
    chance: str
    low: str
    high: str
    gestures: str


@dataclass(frozen=True)
class TurnReport:
    """The findings of a turn. `withheld` is the number of the reader's running battle that hides them."""

    seq: int
    label: str
    chances: tuple[ChanceRow, ...]
    findings: tuple[FindingRow, ...]
    decided: bool
    withheld: int | None = None


@dataclass(frozen=True)
class Curve:
    """A mage's line in the graph: its points, as SVG has them, and the band of the range around it."""

    mage: str
    points: str
    band: str
    place: int


@dataclass(frozen=True)
class GraphColumn:
    """The part of the graph that leads to a turn: where it begins, how wide it is, and the turn's chances in words."""

    seq: int
    x: str
    width: str
    text: str


@dataclass(frozen=True)
class AnalysisReport:
    """A bot's analysis of a battle for one reader."""

    strength: str
    done: int
    total: int
    is_done: bool
    failed: bool
    turns: tuple[TurnReport, ...]
    curves: tuple[Curve, ...]
    columns: tuple[GraphColumn, ...]
    accuracy: tuple[tuple[str, int], ...]
    decided: str
    alt: str


def read_report(battle: Battle, user: MaybeUser, strength: str) -> AnalysisReport | None:
    """Return this bot's analysis of a battle that is over; None if nobody requested it, or the battle is running."""
    if not battle.is_over or battle.finished_at is None:
        return None
    analysis = Analysis.objects.filter(battle=battle, ended_at=battle.finished_at, strength=strength).first()
    if analysis is None:
        return None
    ruleset = get_ruleset(battle.ruleset, battle.edition)
    turns = Turn.objects.filter(battle=battle, taken_back_by=None).values_list("seq", "before")
    return _report(analysis, ruleset, user, ((seq, read_state_of(battle, before)) for seq, before in turns))


def is_outdated(analysis: Analysis) -> bool:
    """Return whether a finished analysis is of an older edition, which says less."""
    return not analysis.summary.get("failed") and analysis.summary.get("edition", 1) < EDITION


def count_mages(study: Study) -> int:
    root = study.branches.filter(number=0).values_list("state", flat=True).get()
    return len(read_state(root).mages)


def read_study_report(study: Study, user: MaybeUser, strength: str) -> AnalysisReport | None:
    """Return this bot's analysis of an imported battle; None if nobody requested it."""
    analysis = Analysis.objects.filter(study=study, strength=strength).first()
    root = study.branches.filter(number=0).values_list("state", flat=True).first()
    if analysis is None or root is None:
        return None
    states = study.branches.filter(number__lt=study.recorded).order_by("number").values_list("state", flat=True)
    read = (read_state(each) for each in states)
    return _report(analysis, read_state(root).ruleset, user, ((state.seq, state) for state in read))


def _report(
    analysis: Analysis, ruleset: Ruleset, user: MaybeUser, states: Iterable[tuple[int, State]]
) -> AnalysisReport:
    rows = list(analysis.turns.order_by("seq"))
    if analysis.done_at is None or analysis.summary.get("failed"):
        is_failed = bool(analysis.done_at)
        return AnalysisReport(
            analysis.strength, len(rows), analysis.total, is_failed, is_failed, (), (), (), (), "", ""
        )
    withheld = find_withheld(states, user)
    decided = analysis.summary["decided"]
    turns = tuple(_describe_turn(row, ruleset, withheld.get(row.seq), decided) for row in rows)
    shown = [row for row in rows if row.seq not in withheld]
    label = next((turn.label for turn in turns if turn.seq == decided and turn.withheld is None), "")
    kept = read_accuracy(analysis.summary)
    mages: list[str] = rows[0].facts["mages"] if rows else []
    return AnalysisReport(
        analysis.strength,
        len(rows),
        analysis.total,
        is_done=True,
        failed=False,
        turns=turns,
        curves=tuple(_draw_curves(mages, shown)),
        columns=tuple(_list_columns(shown)),
        accuracy=tuple((mage, kept[mage]) for mage in mages if mage in kept) if not withheld else (),
        decided=label,
        alt=_describe_graph(mages, shown),
    )


def find_withheld(states: Iterable[tuple[int, State]], user: MaybeUser) -> dict[int, int]:
    """Return, by seq, the number of the reader's running battle whose position is that turn's or one turn away."""
    running = list_running_strings(user)
    if not running:
        return {}
    found = {}
    for seq, state in states:
        near = find_running_near(state, running)
        if near is not None:
            found[seq] = near
    return found


def _describe_turn(row: AnalysedTurn, ruleset: Ruleset, withheld: int | None, decided: int | None) -> TurnReport:
    facts = row.facts
    if withheld is not None:
        return TurnReport(row.seq, facts["label"], (), (), decided=False, withheld=withheld)
    return TurnReport(
        row.seq,
        facts["label"],
        tuple(
            ChanceRow(
                mage,
                percent(chance),
                percent(facts["ranges"][mage][0]),
                percent(facts["ranges"][mage][1]),
                facts["moves"].get(mage, {}).get("gestures", ""),
            )
            for mage, chance in ((mage, facts["chances"][mage]) for mage in facts["mages"])
        ),
        tuple(
            FindingRow(
                describe_finding(each), each["clause"], link_clause(ruleset, each["clause"]), each["kind"] in BLUNDERS
            )
            for each in facts["findings"]
        ),
        decided=row.seq == decided,
    )


def _draw_curves(mages: list[str], rows: list[AnalysedTurn]) -> Iterator[Curve]:
    """Yield a line for each mage; in a duel the first one's is enough, the other's is its mirror image."""
    if len(rows) < 2:
        return
    step = WIDTH / (len(rows) - 1)
    for place, mage in enumerate(mages[:1] if len(mages) == 2 else mages, 1):
        middle = [(n * step, row.facts["chances"][mage]) for n, row in enumerate(rows)]
        low = [(n * step, row.facts["ranges"][mage][0]) for n, row in enumerate(rows)]
        high = [(n * step, row.facts["ranges"][mage][1]) for n, row in enumerate(rows)]
        yield Curve(mage, _write_points(middle), _write_points([*low, *reversed(high)]), place)


def _list_columns(rows: list[AnalysedTurn]) -> Iterator[GraphColumn]:
    """Yield a column for each turn, around its point of the curves."""
    if len(rows) < 2:
        return
    step = WIDTH / (len(rows) - 1)
    for place, row in enumerate(rows):
        begin, end = max(0.0, (place - 0.5) * step), min(float(WIDTH), (place + 0.5) * step)
        message = ", ".join(f"{mage} {percent(row.facts['chances'][mage])}" for mage in row.facts["mages"])
        text = _("Turn %(turn)s: %(chances)s") % {"turn": row.facts["label"], "chances": message}
        yield GraphColumn(row.seq, f"{begin:.1f}", f"{end - begin:.1f}", text)


def _write_points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{HEIGHT * (1 - chance):.1f}" for x, chance in points)


def _describe_graph(mages: list[str], rows: list[AnalysedTurn]) -> str:
    """Describe the graph in words: the first mage's chance at the start, at best, at worst and at the end."""
    if not rows:
        return ""
    mage = mages[0]
    chances = [(row.facts["chances"][mage], row.facts["label"]) for row in rows]
    (low, when_low), (high, when_high) = min(chances), max(chances)
    return _(
        "%(mage)s's chance to win over the turns: %(first)s at first, lowest in turn %(when_low)s with %(low)s, "
        "highest in turn %(when_high)s with %(high)s, %(last)s before the last turn."
    ) % {
        "mage": mage,
        "first": percent(chances[0][0]),
        "when_low": when_low,
        "low": percent(low),
        "when_high": when_high,
        "high": percent(high),
        "last": percent(chances[-1][0]),
    }
