"""Replaying stored battles, to check that the rules still give the same results."""

import datetime
import hashlib
from dataclasses import asdict

import structlog

from accounts.selectors.users import list_janitors
from duels.models import Battle, Replay
from notifications.services.outbox import write_notice
from rules_engine import RulesError
from rules_engine.records import Mismatch, verify_stored
from studies.selectors.stored_battle import read_stored_battle

log = structlog.get_logger(__name__)

FAULT = "an error"


def replay_battle(*, battle: Battle, now: datetime.datetime) -> tuple[Mismatch, ...]:
    """Replay the resolved turns of `battle` by its own edition; return the differences of the first turn that has any.

    The battle does not change. Janitors are notified of each difference once, without secrets, however often it is
    found. An error in the rules counts as a difference.
    """
    differences = find_replay_differences(battle=battle)
    Replay.objects.update_or_create(
        battle=battle, defaults={"played_at": now, "differences": [asdict(each) for each in differences]}
    )
    for difference in differences:
        log.error("battle replays differently", battle=battle.number, turn=difference.turn, what=difference.what)
        _notify_janitors(battle, difference, now=now)
    return differences


def find_replay_differences(*, battle: Battle) -> tuple[Mismatch, ...]:
    """Return the differences between a replay of the resolved turns and the stored ones; change nothing."""
    try:
        return verify_stored(read_stored_battle(battle))
    except RulesError as error:
        return (Mismatch(battle.label, "the rules", f"{battle.ruleset} {battle.edition}", str(error)),)
    except Exception as error:
        # Any other error must not keep the next battle from being replayed.
        log.exception("battle cannot be replayed", battle=battle.number)
        return (Mismatch(battle.label, FAULT, "none", repr(error)),)


def _notify_janitors(battle: Battle, difference: Mismatch, *, now: datetime.datetime) -> None:
    mark = hashlib.sha256(str(difference).encode()).hexdigest()[:16]
    for user in list_janitors():
        write_notice(
            key=f"replay/{battle.number}/{mark}/{user.pk}",
            user=user,
            kind="battle_replays_otherwise",
            facts={"battle": battle.number, "turn": difference.turn, "what": difference.what},
            now=now,
        )
