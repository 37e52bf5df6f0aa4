"""Analyses of finished battles and imports, turn by turn: one for each end, however often it is requested."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import IntegrityError, transaction

from accounts.models import User
from duels.models import Battle
from duels.names import list_result_names
from duels.selectors.fair_play import find_running_near, list_running_strings
from duels.wakeups import wake_watchers_on_commit
from operations.registry import ANALYSIS_TASK
from operations.wakeups import on_commit_once
from operations.workers import wake_worker
from rules_engine import Sheet, read_state
from rules_engine.bots.analyse import analyse_turn
from rules_engine.bots.findings import summarise
from rules_engine.records import PlayedTurn, parse_record, play_record, rebuild_chronicle
from studies.errors import StudyRefused
from studies.models import AnalysedTurn, Analysis, Import, Study
from studies.selectors.analyses import count_mages, is_outdated
from studies.selectors.fresh_battles import has_guest_had_one, list_fresh_battles
from studies.selectors.stored_battle import read_stored_battle
from studies.services.edit_study import lock_study

log = structlog.get_logger(__name__)

# How long a worker may take for one turn; then another may take the analysis.
LEASE = datetime.timedelta(seconds=60)
# An analysis that fails this often at one turn is abandoned.
MOST_TRIES = 4
MOST_WAITING = 3
# The Archmage takes ten times as long: a user can have one waiting, and request a few a day.
MOST_DEEP, DEEP_WINDOW = 5, datetime.timedelta(days=1)
MAGUS, ARCHMAGE = Analysis.Strength.MAGUS, Analysis.Strength.ARCHMAGE
MOST_TURNS = 300
# How many battles that have just ended one run queues.
AT_ONCE = 50


def ask_for_analysis(*, battle: Battle, user: User, now: datetime.datetime, strength: str = MAGUS) -> Analysis:
    """Return this bot's analysis of a battle that is over; the first request queues it. Raises StudyRefused."""
    if not battle.is_over or battle.finished_at is None:
        raise StudyRefused("not_over")
    known = Analysis.objects.filter(battle=battle, ended_at=battle.finished_at, strength=strength).first()
    if known:
        return _refresh(known, user, now)
    _check_bot(strength, battle.combatants.count())
    return _queue(user, _count_turns(battle), now, battle=battle, ended_at=battle.finished_at, strength=strength)


def ask_for_study_analysis(*, study: Study, user: User, now: datetime.datetime, strength: str = MAGUS) -> Analysis:
    """Return this bot's analysis of an imported battle; the first request queues it. Raises StudyRefused, and
    StudyNotFound if it was deleted.

    Refused if one of its positions is, or is one turn from, a running battle of the user.
    """
    if not study.recorded:
        raise StudyRefused("set_up_by_hand")
    known = Analysis.objects.filter(study=study, strength=strength).first()
    if known:
        return _refresh(known, user, now)
    _check_bot(strength, count_mages(study))
    refuse_near_running(study, user)
    total = study.branches.filter(number__gt=0, number__lte=study.recorded).values("seq").distinct().count()
    with transaction.atomic():
        lock_study(study)
        return _queue(user, total, now, study=study, ended_at=study.created_at, strength=strength)


def queue_fresh_battles(*, now: datetime.datetime) -> int:
    """Queue an analysis of each battle that has just ended and is analysed by itself; return how many are new.

    It may be called at any time, by several workers at once. Of a guest's battles against bots, one a day is analysed.
    """
    made = 0
    for battle in list_fresh_battles(now)[:AT_ONCE]:
        if has_guest_had_one(battle, now):
            continue
        total = _count_turns(battle)
        if total > MOST_TURNS:
            continue
        key = {"battle": battle, "ended_at": battle.finished_at, "strength": MAGUS}
        made += Analysis.objects.get_or_create(**key, defaults={"total": total, "due_at": now, "created_at": now})[1]
    return made


def _count_turns(battle: Battle) -> int:
    return battle.turns.filter(taken_back_by=None, resolved_at__isnull=False).values("seq").distinct().count()


def _check_bot(strength: str, mages: int) -> None:
    """Raise StudyRefused if this bot makes no analyses of battles with so many mages."""
    if strength not in Analysis.Strength.values:
        raise StudyRefused("no_such_bot")
    if strength == ARCHMAGE and mages != 2:
        raise StudyRefused("duels_only")


def refuse_near_running(study: Study, user: User) -> None:
    """Raise StudyRefused if a recorded position of the study is too close to a running battle of the user."""
    running = list_running_strings(user)
    if not running:
        return
    for state in study.branches.filter(number__lte=study.recorded).values_list("state", flat=True):
        near = find_running_near(read_state(state), running)
        if near is not None:
            raise StudyRefused("turn_near_running", number=near)


def _queue(user: User, total: int, now: datetime.datetime, **about: Any) -> Analysis:
    if not 0 < total <= MOST_TURNS:
        raise StudyRefused("wrong_length")
    _check_limits(user, about["strength"], now)
    try:
        with transaction.atomic():
            analysis = Analysis.objects.create(**about, asked_by=user, total=total, due_at=now, created_at=now)
            on_commit_once(wake_worker, ANALYSIS_TASK)
            return analysis
    except IntegrityError:  # requested twice at the same moment
        return Analysis.objects.get(**about)


def _refresh(known: Analysis, user: User, now: datetime.datetime) -> Analysis:
    """Return the analysis; one of an older edition is begun again, once, however often it is requested."""
    if known.done_at is None or not is_outdated(known):
        return known
    _check_limits(user, known.strength, now)
    with transaction.atomic():
        begun = {"summary": {}, "asked_by": user, "due_at": now, "done_at": None, "tries": 0, "created_at": now}
        if Analysis.objects.filter(pk=known.pk, done_at=known.done_at).update(**begun):
            known.turns.all().delete()
            on_commit_once(wake_worker, ANALYSIS_TASK)
    return Analysis.objects.get(pk=known.pk)


def _check_limits(user: User, strength: str, now: datetime.datetime) -> None:
    """Raise StudyRefused if this user has requested too much."""
    if Analysis.objects.filter(asked_by=user, done_at=None).count() >= MOST_WAITING:
        raise StudyRefused("too_many_waiting", count=MOST_WAITING)
    if strength == ARCHMAGE:
        _check_deep(user, now)


def _check_deep(user: User, now: datetime.datetime) -> None:
    """Raise StudyRefused if this user has requested too much of the Archmage."""
    asked = Analysis.objects.filter(asked_by=user, strength=ARCHMAGE)
    if asked.filter(done_at=None).exists():
        raise StudyRefused("archmage_busy")
    if asked.filter(created_at__gt=now - DEEP_WINDOW).count() >= MOST_DEEP:
        raise StudyRefused("archmage_too_often", count=MOST_DEEP)


def analyse_next_turn(*, now: datetime.datetime) -> bool:
    """Analyse the next turn of the analysis that has waited longest; return whether there was one.

    It may be called at any time, by several workers at once, and be killed at any point: a conditional update claims
    the analysis for a while, and each finished turn is stored.
    """
    due = (
        Analysis.objects.filter(due_at__lte=now, done_at=None).select_related("battle").order_by("due_at", "pk").first()
    )
    if due is None:
        return False
    if not Analysis.objects.filter(pk=due.pk, due_at=due.due_at).update(due_at=now + LEASE, tries=due.tries + 1):
        return True
    battle = due.battle
    if battle is not None and (not battle.is_over or battle.finished_at != due.ended_at):
        due.delete()  # reopened: its contents are secret again
    elif due.tries >= MOST_TRIES:
        log.error("analysis abandoned", battle=battle.number if battle else None, analysis=due.pk)
        Analysis.objects.filter(pk=due.pk).update(due_at=None, done_at=now, summary={"failed": True})
    else:
        _analyse(due, now=now)
    return True


@dataclass(frozen=True)
class _PlayedBattle:
    """The turns to analyse, the orders of the first stage of each by seq, and who won."""

    turns: Sequence[PlayedTurn]
    orders: Mapping[int, Mapping[str, Sequence[str]]]
    winners: Sequence[str]
    seed: str


def _read_battle(analysis: Analysis) -> _PlayedBattle:
    if analysis.battle is not None:
        stored = read_stored_battle(analysis.battle)
        winners: Sequence[str] = list_result_names(analysis.battle.result, "winners")
        orders = {turn.seq: turn.stages[0].lines for turn in stored.turns}
        return _PlayedBattle(rebuild_chronicle(stored).turns, orders, winners, f"analysis {analysis.battle.number}")
    record = parse_record(Import.objects.get(study=analysis.study_id).record)
    winners = record.outcome.winners if record.outcome else ()
    imported = {turn.seq: turn.stages[0] for turn in record.turns}
    return _PlayedBattle(play_record(record).turns, imported, winners, "analysis of an import")


def _analyse(analysis: Analysis, *, now: datetime.datetime) -> None:
    try:
        battle = _read_battle(analysis)
        done = set(analysis.turns.values_list("seq", flat=True))
        waiting = [turn for turn in battle.turns if turn.seq not in done]
        if waiting:
            seq = waiting[0].seq
            orders = {mage: Sheet.from_lines(written) for mage, written in battle.orders[seq].items()}
            facts = analyse_turn(waiting[0], orders, seed=battle.seed, strength=analysis.strength)
            AnalysedTurn.objects.get_or_create(analysis=analysis, seq=seq, defaults={"facts": facts})
        if len(waiting) > 1:
            Analysis.objects.filter(pk=analysis.pk, done_at=None).update(due_at=now, tries=0)
            return
        facts_of_all = list(analysis.turns.order_by("seq").values_list("facts", flat=True))
        summary: dict[str, Any] = summarise(facts_of_all, battle.winners)
        Analysis.objects.filter(pk=analysis.pk).update(due_at=None, done_at=now, summary=summary)
        if analysis.battle is not None:
            wake_watchers_on_commit(analysis.battle.number)
    except Exception:
        if Analysis.objects.filter(pk=analysis.pk).exists():  # it may have been deleted with its study
            # It is retried when the lease ends; attempts are counted.
            log.exception("turn not analysed", analysis=analysis.pk)
