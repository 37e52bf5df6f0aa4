"""What decides a duel of a league or a cup: how its battle ended, or a rule."""

from datetime import datetime

from duels.selectors.event_results import EventResult
from league.models import Pairing

Result, DecidedBy = Pairing.Result, Pairing.DecidedBy


def judge_battle(ended: EventResult, *, without_result: Pairing.Result) -> tuple[Pairing.Result, Pairing.DecidedBy]:
    """Return what a duel that ended by itself decides, and by what.

    `without_result` is what one decides that was annulled, or called off with nobody missing. Two who both forfeited
    have both lost (Result.NONE).
    """
    first, second = ended.sides
    by = DecidedBy.FORFEIT if first.forfeited or second.forfeited else DecidedBy.BATTLE
    if not ended.counts:
        return without_result, by
    if first.won != second.won:
        return Result.FIRST if first.won else Result.SECOND, by
    return Result.NONE if first.forfeited and second.forfeited else Result.DRAW, by


def decide(pairing: Pairing, result: Pairing.Result, by: Pairing.DecidedBy, *, now: datetime) -> None:
    """Set the result of a pairing, without saving it. What a rule decided before is kept, in case a janitor undoes
    the result that counts instead."""
    if by in Pairing.RULES:
        pairing.ruled_result, pairing.ruled_by = "", ""
    elif pairing.decided_by in Pairing.RULES:
        pairing.ruled_result, pairing.ruled_by = pairing.result, pairing.decided_by
    pairing.result, pairing.decided_by, pairing.decided_at = result, by, now


def undecide(pairing: Pairing) -> None:
    """Take the result of a pairing back, without saving it."""
    pairing.result, pairing.decided_by, pairing.decided_at = "", "", None
    pairing.first_used = pairing.second_used = None
    pairing.first_late = pairing.second_late = 0
