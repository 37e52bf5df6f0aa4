"""Playing stored battles again, to learn whether the rules still play them as they were played."""

import datetime
import hashlib
from dataclasses import asdict

import structlog

from accounts.selectors import list_janitors
from duels.models import Battle, Replay
from duels.selectors.stored_battle import read_stored_battle
from fm_site.notifications.services import write_notice
from rules_engine import RulesError
from rules_engine.records import Mismatch, verify_stored

log = structlog.get_logger(__name__)

FAULT = "a fault"


def replay_battle(*, battle: Battle, now: datetime.datetime) -> tuple[Mismatch, ...]:
    """Play the finished turns of `battle` again by its own edition and return what differs, in the first turn where
    anything does.

    Nothing of the battle is changed. The janitors are told of each difference once, however often it is found; what
    they are told holds no secret. An error of the rules is a difference too.
    """
    found = _verify(battle)
    Replay.objects.update_or_create(
        battle=battle, defaults={"played_at": now, "differences": [asdict(each) for each in found]}
    )
    for difference in found:
        log.error("battle replays differently", battle=battle.number, turn=difference.turn, what=difference.what)
        _tell_janitors(battle, difference, now=now)
    return found


def _verify(battle: Battle) -> tuple[Mismatch, ...]:
    try:
        return verify_stored(read_stored_battle(battle))
    except RulesError as error:
        return (Mismatch(battle.label, "the rules", f"{battle.ruleset} {battle.edition}", str(error)),)
    except Exception as error:
        # Whatever it is: the next battle is looked at all the same.
        log.exception("battle cannot be replayed", battle=battle.number)
        return (Mismatch(battle.label, FAULT, "none", repr(error)),)


def _tell_janitors(battle: Battle, difference: Mismatch, *, now: datetime.datetime) -> None:
    mark = hashlib.sha256(str(difference).encode()).hexdigest()[:16]
    for user in list_janitors():
        write_notice(
            key=f"replay/{battle.number}/{mark}/{user.pk}",
            user=user,
            kind="battle_replays_otherwise",
            facts={"battle": battle.number, "turn": difference.turn, "what": difference.what},
            now=now,
        )
