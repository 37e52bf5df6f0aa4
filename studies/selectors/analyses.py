"""An analysis as one reader may see it: only after the end, and not where it would help them in a running battle."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from duels.models import Battle, Turn
from duels.names import list_result_names
from duels.selectors.battle_rows import read_state_of
from duels.selectors.fair_play import find_running_near, list_running_strings
from duels.selectors.viewer import MaybeUser
from rules_engine import Ruleset, State, get_ruleset, read_state
from rules_engine.bots.findings import EDITION, read_accuracy
from rules_engine.bots.review import Facts
from rules_engine.records import parse_record
from studies.models import Analysis, Import, Study


@dataclass(frozen=True)
class AnalysisReport:
    """A bot's analysis of a battle for one reader: how far it is, and the `facts` of all turns once it is done.

    `withheld` has, by seq, the number of the reader's running battle that hides a turn; `is_outdated`: it is of an
    older edition, which says less.
    """

    strength: str
    done: int
    total: int
    is_done: bool
    failed: bool = False
    is_outdated: bool = False
    facts: tuple[Facts, ...] = ()
    winners: tuple[str, ...] = ()
    withheld: Mapping[int, int] | None = None
    accuracy: tuple[tuple[str, int], ...] = ()
    decided: int | None = None
    ruleset: Ruleset | None = None


def read_report(battle: Battle, user: MaybeUser, strength: str) -> AnalysisReport | None:
    """Return this bot's analysis of a battle that is over; None if nobody requested it, or the battle is running."""
    if not battle.is_over or battle.finished_at is None:
        return None
    analysis = Analysis.objects.filter(battle=battle, ended_at=battle.finished_at, strength=strength).first()
    if analysis is None:
        return None
    ruleset = get_ruleset(battle.ruleset, battle.edition)
    winners = list_result_names(battle.result, "winners")
    return _report(analysis, ruleset, user, list_states(battle), winners)


def list_states(battle: Battle) -> Iterator[tuple[int, State]]:
    """Yield the state before each turn; nothing is read before the first is asked for."""
    for seq, before in Turn.objects.filter(battle=battle, taken_back_by=None).values_list("seq", "before"):
        yield seq, read_state_of(battle, before)


def find_analysis_of_battle(number: int) -> Analysis | None:
    """Return the finished analysis of a battle that is over, the Archmage's before the Magus's."""
    done = Analysis.objects.filter(battle__number=number, battle__finished_at=F("ended_at"), done_at__isnull=False)
    kept = done.filter(summary__has_key="decided").select_related("battle")  # a failed one has no result
    return kept.order_by("strength").first()


def list_winners(analysis: Analysis) -> Sequence[str]:
    return list_result_names(analysis.battle.result, "winners") if analysis.battle else []


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
    outcome = parse_record(Import.objects.get(study=study).record).outcome
    winners = outcome.winners if outcome else ()
    return _report(analysis, read_state(root).ruleset, user, _list_recorded_states(study), winners)


def _list_recorded_states(study: Study) -> Iterator[tuple[int, State]]:
    states = study.branches.filter(number__lt=study.recorded).order_by("number").values_list("state", flat=True)
    for state in map(read_state, states):
        yield state.seq, state


def _report(
    analysis: Analysis,
    ruleset: Ruleset,
    user: MaybeUser,
    states: Iterable[tuple[int, State]],
    winners: Sequence[str],
) -> AnalysisReport:
    if analysis.done_at is None or analysis.summary.get("failed"):
        is_over = bool(analysis.done_at)
        return AnalysisReport(analysis.strength, analysis.turns.count(), analysis.total, is_over, failed=is_over)
    facts = tuple(analysis.turns.order_by("seq").values_list("facts", flat=True))
    withheld = find_withheld(states, user)
    kept = read_accuracy(analysis.summary)
    mages: list[str] = facts[0]["mages"] if facts else []
    decided = analysis.summary["decided"]
    return AnalysisReport(
        analysis.strength,
        len(facts),
        analysis.total,
        is_done=True,
        is_outdated=is_outdated(analysis),
        facts=facts,
        winners=tuple(winners),
        withheld=withheld,
        accuracy=tuple((mage, kept[mage]) for mage in mages if mage in kept) if not withheld else (),
        decided=None if decided in withheld else decided,
        ruleset=ruleset,
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
