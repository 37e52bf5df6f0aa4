"""One turn of an analysis beside the board: what was played, what was best, what both should mix, skill and luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from duels.board.links import link_clause
from operations.web.numbers import parse_number
from rules_engine import Ruleset
from rules_engine.bots.findings import BLUNDERS, describe_finding, grade_of, name_move, percent
from rules_engine.bots.review import (
    Change,
    Facts,
    Split,
    describe_roll,
    find_changes,
    list_chances,
    mark_move,
    name_short,
    split_change,
    sum_splits,
    sum_up_turn,
)
from rules_engine.glossary import name_spell
from studies.chance_graph import describe_change
from studies.replay_board import ReplayBoard, ReplayPlaces, build_replay_board
from studies.selectors.analyses import AnalysisReport
from studies.selectors.battle_replays import Replay
from studies.selectors.chances import Chances, make_chances

LEAST_IN_BAR = 0.2
"""The smallest share of a mix that has its words in the bar."""


@dataclass(frozen=True)
class ShownFinding:
    """A finding in words, with a link to its rule."""

    text: str
    clause: str
    url: str
    is_blunder: bool


@dataclass(frozen=True)
class ShownMove:
    """A move: its letters, what it is (``You played``), its mark, its spells, and its chance."""

    letters: tuple[str, ...]
    title: str
    mark: str
    look: str
    spells: str
    chance: str


@dataclass(frozen=True)
class MixPart:
    """A part of a mix in its bar, in percent of the width; `words` are "" if they do not fit."""

    begin: str
    width: str
    middle: str
    words: str


@dataclass(frozen=True)
class ShownMix:
    """The mix that a mage should have played: its gestures as a bar, and its moves in words. `says_all`: the bar has
    room for all that the words say."""

    name: str
    parts: tuple[MixPart, ...]
    words: str
    says_all: bool


@dataclass(frozen=True)
class ShownSplit:
    """Skill and luck of one mage in a turn, in points of chance, with the reasons."""

    name: str
    skill: str
    skill_words: str
    luck: str
    luck_words: tuple[str, ...]


@dataclass(frozen=True)
class ShownTotal:
    """Skill and luck of one mage over the whole battle, in points of chance."""

    name: str
    skill: str
    luck: str


@dataclass(frozen=True)
class ChangeButton:
    """One of the turns that changed the chance most."""

    label: str
    mark: str
    look: str
    words: str
    change: str
    url: str
    is_current: bool


@dataclass(frozen=True)
class TurnPanel:
    """The analysis of one turn. `withheld` is the number of the reader's running battle that hides it."""

    label: str
    change: str
    withheld: int | None
    moves: tuple[ShownMove, ...] = ()
    others: tuple[ShownMove, ...] = ()
    by_sight: tuple[str, ...] = ()
    mixes: tuple[ShownMix, ...] = ()
    split: ShownSplit | None = None
    findings: tuple[ShownFinding, ...] = ()


@dataclass(frozen=True)
class AnalysisPage:
    """The page of one turn: the board with the graph, the three turns that mattered, and the panel."""

    board: ReplayBoard
    panel: TurnPanel
    buttons: tuple[ChangeButton, ...]
    decided: str
    accuracy: tuple[tuple[str, int], ...]
    totals: tuple[ShownTotal, ...]
    strength: str
    is_outdated: bool


LOOKS = {"??": "blunder", "?": "mistake", "!": "only", "": ""}


def choose_turn(report: AnalysisReport, wanted: str | None) -> int:
    """Return the seq of the turn to show: the one that was asked for, or else the one that decided the battle."""
    seqs = [facts["seq"] for facts in report.facts]
    seq = parse_number(wanted or "")
    if seq is not None and seq in seqs:
        return seq
    if report.decided in seqs:
        return int(report.decided or 0)
    return int(seqs[-1])


def build_analysis_page(report: AnalysisReport, replay: Replay, places: ReplayPlaces) -> AnalysisPage:
    """Return the page of the replay's turn. `places.link_turn` leads to the turns of the analysis."""
    chances = make_chances(report.facts, report.winners, replay.past.me, report.withheld or {})
    assert chances is not None and report.ruleset is not None
    seq = replay.turn.seq
    board = build_replay_board(replay, places, chances)
    heading = _("Analysis") + f": {board.sides_words}"
    label = next((facts["label"] for facts in report.facts if facts["seq"] == report.decided), "")
    return AnalysisPage(
        board=replace(
            board,
            heading=heading,
            page_title=_("Turn %(turn)s") % {"turn": replay.turn.label} + f". {heading}",
        ),
        panel=describe_turn(report, chances, seq, report.ruleset),
        buttons=tuple(_list_buttons(report, chances, seq, places)),
        decided=label,
        accuracy=report.accuracy,
        totals=tuple(
            ShownTotal(mage, write_points(split.skill), write_points(split.luck)) for mage, split in list_totals(report)
        ),
        strength=report.strength,
        is_outdated=report.is_outdated,
    )


def _list_buttons(report: AnalysisReport, chances: Chances, seq: int, places: ReplayPlaces) -> Iterator[ChangeButton]:
    """Yield the three turns that changed the chance most; none if one of all turns is withheld."""
    if report.withheld:
        return
    for change in find_changes(list_chances(report.facts, chances.mage, report.winners)):
        facts = report.facts[change.place]
        move = facts["moves"].get(chances.mage)
        mark = (mark_move(move) or "") if move else ""
        yield ChangeButton(
            label=facts["label"],
            mark=mark,
            look=LOOKS[mark],
            words=sum_up_turn(facts, chances.mage, change, you=chances.is_mine),
            change=describe_change(change.before, change.after),
            url=places.link_turn(facts["seq"], ""),
            is_current=facts["seq"] == seq,
        )


def describe_turn(report: AnalysisReport, chances: Chances, seq: int, ruleset: Ruleset) -> TurnPanel:
    """Return the panel of a turn for one reader."""
    place = chances.seqs.index(seq)
    facts, withheld = report.facts[place], (report.withheld or {}).get(seq)
    before, after = chances.around(seq)
    if withheld is not None or before is None:
        return TurnPanel(facts["label"], "", withheld)
    change = None if after is None else Change(place, before, after)
    mages = [chances.mage, *(mage for mage in facts["mages"] if mage != chances.mage)]
    movers = [mage for mage in mages if mage in facts["moves"]]
    return TurnPanel(
        label=facts["label"],
        change=describe_change(before, after),
        withheld=None,
        moves=tuple(_list_moves(facts, mages[0], _("You played") if chances.is_mine else _name_played(mages[0])))
        if mages[0] in movers
        else (),
        others=tuple(
            row for mage in movers if mage != mages[0] for row in _list_moves(facts, mage, _name_played(mage))
        ),
        by_sight=tuple(mage for mage in movers if facts["moves"][mage].get("known")),
        mixes=tuple(_list_mixes(facts, mages, _("You") if chances.is_mine else mages[0])),
        split=_split(facts, chances, change) if change else None,
        findings=tuple(
            ShownFinding(
                describe_finding(each), each["clause"], link_clause(ruleset, each["clause"]), each["kind"] in BLUNDERS
            )
            for each in facts["findings"]
        ),
    )


def _name_played(mage: str) -> str:
    return _("%(mage)s played") % {"mage": mage}


def _list_moves(facts: Facts, mage: str, title: str) -> Iterator[ShownMove]:
    """Yield the move that was played, the best one if it is better, and the next best."""
    move = facts["moves"][mage]
    grade = grade_of(move)
    mark = mark_move(move) or ""
    is_best = grade["best"] - grade["chance"] < 0.005
    yield _make_row(move["gestures"], title, mark, move["spells"], grade["chance"])
    if not is_best:
        yield _make_row(grade["better"], _("Best"), "", grade["better_spells"], grade["best"])
    following = grade.get("next")
    if following and following["gestures"] != move["gestures"]:
        yield _make_row(following["gestures"], _("Next best"), "", following["spells"], following["chance"])


def _make_row(gestures: str, title: str, mark: str, spells: Sequence[str], chance: float) -> ShownMove:
    letters = tuple("–" if letter == "-" else letter for pair in gestures.split() for letter in pair.split("/"))
    named = ", ".join(map(name_spell, spells))
    return ShownMove(letters, title, mark, LOOKS[mark], named, percent(chance))


def _list_mixes(facts: Facts, mages: Sequence[str], first: str) -> Iterator[ShownMix]:
    for mage in mages:
        mix = facts.get("mixes", {}).get(mage, ())
        gestures: dict[str, float] = {}
        moves: dict[str, float] = {}
        for move in mix:
            named = name_mixed(move)
            gestures[move["gestures"]] = gestures.get(move["gestures"], 0.0) + move["share"]
            moves[named] = moves.get(named, 0.0) + move["share"]
        if gestures:
            parts = tuple(_draw_mix(_order_shares(gestures)))
            words = ", ".join(f"{percent(share)} {named}" for named, share in _order_shares(moves))
            says_all = set(moves) == set(gestures) and all(part.words for part in parts)
            yield ShownMix(first if mage == mages[0] else mage, parts, words, says_all)


def name_mixed(move: Facts) -> str:
    """Return a move of a mix in words, with its spells, their targets and powers."""
    parts = move.get("parts")  # analyses from before they were told know the spells alone
    return name_short(move["gestures"], move["spells"]) if parts is None else name_move(move["gestures"], parts)


def _order_shares(shares: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(shares.items(), key=lambda each: -each[1])


def _draw_mix(shares: Sequence[tuple[str, float]]) -> Iterator[MixPart]:
    total, begin = sum(share for _gestures, share in shares), 0.0
    for gestures, share in shares:
        width = share / total
        words = f"{percent(share)} {gestures}" if width >= LEAST_IN_BAR else ""
        yield MixPart(f"{100 * begin:.2f}%", f"{100 * width:.2f}%", f"{100 * (begin + width / 2):.2f}%", words)
        begin += width


def _split(facts: Facts, chances: Chances, change: Change) -> ShownSplit | None:
    split = split_change(facts, chances.mage, change)
    if split is None:
        return None
    move = facts["moves"][chances.mage]
    grade = grade_of(move)
    words = ""
    if grade["best"] - grade["chance"] >= 0.005:
        words = _("%(played)s instead of %(better)s") % {"played": move["gestures"], "better": grade["better"]}
    rolls = tuple(
        _("%(roll)s (%(points)s)") % {"roll": describe_roll(roll), "points": write_points(gave)}
        for roll in facts.get("rolls", ())
        if (gave := roll["gave"].get(chances.mage))
    )
    if not rolls:
        rolls = (_("which moves met, and small rolls") if facts.get("rolled", True) else _("nothing was rolled"),)
        if not facts.get("rolled", True) and round(100 * split.luck):
            rolls = (_("which moves met; nothing was rolled"),)
    return ShownSplit(chances.mage, write_points(split.skill), words, write_points(split.luck), rolls)


def list_totals(report: AnalysisReport) -> Iterator[tuple[str, Split]]:
    """Yield skill and luck over the battle for each mage who chose gestures; none if one of all turns is withheld."""
    for mage in () if report.withheld else report.facts[0]["mages"]:
        split = sum_splits(report.facts, mage, report.winners)
        if split is not None:
            yield mage, split


def write_points(chance: float) -> str:
    """Return a change of chance in points: ``−45``, ``+12``, ``0``."""
    points = round(100 * chance)
    return f"{points:+d}".replace("-", "−") if points else "0"
