"""The only code that changes scores. Every change is a row, written once."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Sum

from accounts.models import Mage
from accounts.services import kill_mage
from ladder.errors import WrongResult
from ladder.models import ScoredBattle, ScoreEntry, ScoreKind
from ladder.scoring import ScoreChange, battle_kind, penalize, settle


def apply_penalty(*, mage: Mage, kind: str, battle: int, now: datetime) -> ScoreEntry:
    """Take a point from `mage` for surrendering in `battle`, never below zero; once, however often it is called.

    `kind` is "duel" or "melee". The caller leaves practice battles out.
    """
    with transaction.atomic():
        _lock([mage])
        paid = ScoreEntry.objects.filter(
            mage=mage, battle=battle, kind=kind, reason=ScoreEntry.Reason.SURRENDERED
        ).first()
        return paid or _write(mage, penalize(mage.name, _score(mage, kind)), kind=kind, battle=battle, now=now)


def apply_result(
    *,
    battle: int,
    kind: str,
    practice: bool,
    players: Sequence[Mage],
    winners: Collection[Mage],
    dead: Collection[Mage],
    now: datetime,
) -> bool:
    """Count the end of `battle`; say whether it had not been counted before.

    `players` are all mages of the battle, whenever they fell; `kind` is "duel" or "melee". Winners get their points,
    every player a row, the dead die (accounts.kill_mage). A practice battle changes no score and its dead live on.
    Raises WrongResult when the result contradicts itself.
    """
    _check_kind(kind, players)
    with transaction.atomic():
        if not _claim(battle, kind=kind, practice=practice, now=now):
            return False
        _lock(players)
        _settle(battle, kind, practice, {mage.name: mage for mage in players}, winners, dead, now=now)
    return True


def _check_kind(kind: str, players: Sequence[Mage]) -> None:
    try:
        right = battle_kind([mage.name for mage in players])
    except ValueError as error:
        raise WrongResult(str(error)) from error
    if kind != right:
        raise WrongResult(f"A battle of {len(players)} mages is a {right}, not a {kind}.")


def _claim(battle: int, *, kind: str, practice: bool, now: datetime) -> bool:
    """Insert the battle's row, unless somebody has."""
    try:
        with transaction.atomic():
            ScoredBattle.objects.create(number=battle, kind=ScoreKind(kind), practice=practice, scored_at=now)
    except IntegrityError:
        return False
    return True


def _settle(
    battle: int,
    kind: str,
    practice: bool,
    by_name: dict[str, Mage],
    winners: Collection[Mage],
    dead: Collection[Mage],
    *,
    now: datetime,
) -> None:
    try:
        settlement = settle(
            players=list(by_name),
            winners={mage.name for mage in winners},
            dead={mage.name for mage in dead},
            scores={name: _score(mage, kind) for name, mage in by_name.items()},
            practice=practice,
        )
    except ValueError as error:
        raise WrongResult(str(error)) from error
    for change in settlement.changes:
        _write(by_name[change.mage], change, kind=kind, battle=battle, now=now)
    for name in settlement.deaths:
        kill_mage(mage=by_name[name], now=now)


def _lock(mages: Sequence[Mage]) -> None:
    """Hold the mages' rows, in the order of their ids, so that two battles never read the same score."""
    list(Mage.objects.select_for_update(of=("self",)).filter(pk__in=[mage.pk for mage in mages]).order_by("pk"))


def _score(mage: Mage, kind: str) -> int:
    return ScoreEntry.objects.filter(mage=mage, kind=kind).aggregate(score=Sum("change"))["score"] or 0


def _write(mage: Mage, change: ScoreChange, *, kind: str, battle: int, now: datetime) -> ScoreEntry:
    return ScoreEntry.objects.create(
        mage=mage,
        kind=ScoreKind(kind),
        battle=battle,
        before=change.before,
        change=change.change,
        after=change.after,
        reason=change.reason,
        created_at=now,
    )
