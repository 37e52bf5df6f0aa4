"""Apply the results of battles to scores, each once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Mage
from ladder.errors import LadderRefused
from ladder.models import Placing, ScoredBattle, ScoreEntry, ScoreKind, Stakes
from ladder.scoring import Settlement, battle_kind, penalize, settle
from ladder.services.count_requests import ask_for_count
from ladder.services.deaths import bury_mages
from ladder.services.repeated_wins import find_users_beaten_too_often
from ladder.services.score_rows import lock_mages, lock_users, sum_scores, write_row
from ladder.stakes import STAKES


def apply_penalty(*, mage: Mage, kind: str, battle: int, now: datetime) -> ScoreEntry:
    """Take a point from `mage` for surrendering in `battle`, never below zero; only once, however often it is called.

    `kind` is "duel" or "melee". Do not call it for battles in which no scores are at stake.
    """
    with transaction.atomic():
        lock_mages([mage.pk])
        paid = ScoreEntry.objects.filter(
            mage=mage, battle=battle, kind=kind, reason=ScoreEntry.Reason.SURRENDERED
        ).first()
        score = sum_scores([mage], kind)[mage.name]
        return paid or write_row(mage, penalize(mage.name, score), kind=kind, battle=battle, now=now)


@dataclass(frozen=True)
class BattleResult:
    """How a battle ended. `players` are all its mages, whenever they fell, except the `absent`: they left a melee
    without ever moving. `sharing` are those who share a draw."""

    players: Sequence[Mage]
    winners: Collection[Mage] = ()
    dead: Collection[Mage] = ()
    sharing: Collection[Mage] = ()
    absent: Collection[Mage] = ()


def apply_result(
    *,
    battle: int,
    kind: str,
    practice: bool,
    result: BattleResult,
    now: datetime,
    stakes: str = Stakes.LADDER,
    practice_deaths_are_real: bool = False,
) -> bool:
    """Apply the result of `battle`; return False if that was already done.

    `kind` is "duel" or "melee", `stakes` a word of `ladder.stakes`, `now` the time of the end. Winners, or those who
    share a draw, get their points, every player gets a row, and the dead die (accounts.kill_mage) and are remembered.
    Practice changes no score, and its dead stay alive unless `practice_deaths_are_real`. Raises LadderRefused if the
    result contradicts itself.
    """
    players = result.players
    check_kind(kind, [*players, *result.absent])
    with transaction.atomic():
        deadly = practice_deaths_are_real if practice else STAKES[stakes].scores
        scored = _claim(battle, kind=kind, practice=practice, deadly=deadly, stakes=stakes, now=now)
        if scored is None:
            return False
        lock_mages(mage.pk for mage in players)
        lock_users(mage.user_id for mage in players)
        repeated = find_repeated(scored, result)
        starting = sum_scores(players, kind, apart_from=battle)
        settlement = settle_battle(
            scored, result, repeated=repeated, scores=sum_scores(players, kind), starting=starting
        )
        _add_placings(scored, result, repeated, starting)
        by_name = {mage.name: mage for mage in players}
        for change in settlement.changes:
            write_row(by_name[change.mage], change, kind=kind, battle=battle, now=now)
        bury_mages(scored, [by_name[name] for name in settlement.deaths], died_at=now)
        ask_for_count(battle=battle)
    return True


def find_repeated(scored: ScoredBattle, result: BattleResult, *, is_counted: bool = False) -> frozenset[Mage]:
    """Return the mages who give no point and no rating, because the winners have beaten their users too often. The
    caller has locked all users of the battle; `is_counted`: its result is being corrected."""
    winners = {mage.user_id for mage in result.winners or result.sharing}
    losers = {mage.user_id for mage in result.players}
    beaten = find_users_beaten_too_often(scored, winners=winners, losers=losers, is_counted=is_counted)
    return frozenset(mage for mage in result.players if mage.user_id in beaten)


def settle_battle(
    scored: ScoredBattle,
    result: BattleResult,
    *,
    repeated: Collection[Mage],
    scores: dict[str, int],
    starting: dict[str, int],
) -> Settlement:
    """Return the effect of the battle's end on scores. Raises LadderRefused."""
    try:
        return settle(
            players=[mage.name for mage in result.players],
            winners={mage.name for mage in result.winners},
            dead={mage.name for mage in result.dead},
            sharing={mage.name for mage in result.sharing},
            repeated={mage.name for mage in repeated},
            scores=scores,
            starting=starting,
            stakes=scored.stakes,
            practice=scored.practice,
            practice_deaths_are_real=scored.deadly,
        )
    except ValueError as error:
        raise LadderRefused("impossible") from error


def check_kind(kind: str, players: Sequence[Mage]) -> None:
    """Raise LadderRefused unless this many mages make a battle of that kind."""
    if len(players) < 2 or kind != battle_kind([mage.name for mage in players]):
        raise LadderRefused("wrong_kind")


def _claim(battle: int, *, kind: str, practice: bool, deadly: bool, stakes: str, now: datetime) -> ScoredBattle | None:
    """Insert the battle's row, unless it exists."""
    try:
        with transaction.atomic():
            return ScoredBattle.objects.create(
                number=battle,
                kind=ScoreKind(kind),
                practice=practice,
                deadly=deadly,
                stakes=Stakes(stakes),
                scored_at=now,
            )
    except IntegrityError:
        return None


def _add_placings(
    scored: ScoredBattle, result: BattleResult, repeated: Collection[Mage], starting: dict[str, int]
) -> None:
    Placing.objects.bulk_create(
        Placing(
            battle=scored,
            mage=mage,
            user_id=mage.user_id,
            won=mage in result.winners,
            died=mage in result.dead,
            is_repeated=mage in repeated,
            score_at_start=starting[mage.name],
        )
        for mage in result.players
    )
