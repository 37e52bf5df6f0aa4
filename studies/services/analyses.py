"""Analyse finished battles turn by turn: one analysis for each end of a battle, however often it is asked for."""

import datetime
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from duels.models import Battle
from duels.selectors.stored_battle import read_stored_battle
from fm_site.operations.push import on_commit_once
from fm_site.operations.workers import wake_worker
from rules_engine import Sheet
from rules_engine.bots.analyse import analyse_turn, summarise
from rules_engine.records import PlayedTurn, StoredBattle, tell_again
from studies.errors import NoAnalysis, TooMuch
from studies.models import AnalysedTurn, Analysis

log = structlog.get_logger(__name__)

# How long a worker may take for one turn; then another may take the analysis.
LEASE = datetime.timedelta(seconds=60)
# An analysis that fails so often at one turn is given up.
MOST_TRIES = 4
MOST_WAITING = 3
MOST_TURNS = 300
TASK = "studies.tasks.analyse_battles"


@dataclass(frozen=True)
class _Wake:
    """Wakes a worker for analyses."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "__qualname__", "wake analysis")

    def __call__(self) -> None:
        wake_worker(TASK)


def ask_for_analysis(*, battle: Battle, user: User, now: datetime.datetime) -> Analysis:
    """Return the analysis of a battle that is over; it is queued if nobody asked before. Raises NoAnalysis, TooMuch."""
    if not battle.is_over or battle.finished_at is None:
        raise NoAnalysis(_("A battle is analysed when it is over."))
    known = Analysis.objects.filter(battle=battle, ended_at=battle.finished_at).first()
    if known:
        return known
    total = battle.turns.filter(taken_back_by=None, resolved_at__isnull=False).values("seq").distinct().count()
    if not 0 < total <= MOST_TURNS:
        raise NoAnalysis(_("There is nothing to analyse: no turn was played, or too many."))
    if Analysis.objects.filter(asked_by=user, done_at=None).count() >= MOST_WAITING:
        raise TooMuch(
            _("%(count)s of your analyses are still waiting. Try again when one is done.") % {"count": MOST_WAITING}
        )
    try:
        with transaction.atomic():
            made = Analysis.objects.create(
                battle=battle, ended_at=battle.finished_at, asked_by=user, total=total, due_at=now, created_at=now
            )
            on_commit_once(_Wake())
            return made
    except IntegrityError:  # somebody asked at the same moment
        return Analysis.objects.get(battle=battle, ended_at=battle.finished_at)


def analyse_next_turn(*, now: datetime.datetime) -> bool:
    """Analyse the next turn of the analysis that has waited longest; return whether there was one.

    It may be called at any time, by several workers at once, and be killed anywhere: a conditional update takes the
    analysis for a while, and each turn that is done is kept.
    """
    due = Analysis.objects.filter(due_at__lte=now, done_at=None).order_by("due_at", "pk").first()
    if due is None:
        return False
    if not Analysis.objects.filter(pk=due.pk, due_at=due.due_at).update(due_at=now + LEASE, tries=due.tries + 1):
        return True
    battle = Battle.objects.get(pk=due.battle_id)
    if not battle.is_over or battle.finished_at != due.ended_at:
        due.delete()  # reopened: what it holds is secret again
    elif due.tries >= MOST_TRIES:
        log.error("analysis given up", battle=battle.number)
        Analysis.objects.filter(pk=due.pk).update(due_at=None, done_at=now, summary={"failed": True})
    else:
        _analyse(due, battle, now=now)
    return True


def _analyse(analysis: Analysis, battle: Battle, *, now: datetime.datetime) -> None:
    stored = read_stored_battle(battle)
    done = set(analysis.turns.values_list("seq", flat=True))
    waiting = [turn for turn in stored.turns if turn.seq not in done]
    try:
        if waiting:
            seq = waiting[0].seq
            turn, orders = _read_turn(stored, seq)
            facts = analyse_turn(turn, orders, seed=f"analysis {battle.number}")
            AnalysedTurn.objects.get_or_create(analysis=analysis, seq=seq, defaults={"facts": facts})
        if len(waiting) > 1:
            Analysis.objects.filter(pk=analysis.pk, done_at=None).update(due_at=now, tries=0)
            return
        facts_of_all = list(analysis.turns.order_by("seq").values_list("facts", flat=True))
        winners = (battle.result or {}).get("winners", [])
        summary: dict[str, Any] = summarise(facts_of_all, winners)
        Analysis.objects.filter(pk=analysis.pk).update(due_at=None, done_at=now, summary=summary)
    except Exception:
        # It is tried again when the lease is over; the tries are counted.
        log.exception("turn not analysed", battle=battle.number)


def _read_turn(stored: StoredBattle, seq: int) -> tuple[PlayedTurn, dict[str, Sheet]]:
    turn = next(turn for turn in tell_again(stored).turns if turn.seq == seq)
    lines = next(turn for turn in stored.turns if turn.seq == seq).stages[0].lines
    return turn, {mage: Sheet.from_lines(written) for mage, written in lines.items()}
