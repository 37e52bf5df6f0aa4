"""Setting the result of a battle."""

import datetime
from collections.abc import Collection

from accounts.errors import MageUnavailable
from accounts.models import Mage, User
from duels.models import Battle, Combatant, Stage
from duels.models.battle import STUCK_FIELDS
from duels.names import listed
from duels.selectors.stage_keys import key_of
from duels.services.finish import counts_as_practice, finish_battle
from ladder.errors import LadderRefused
from ladder.models import Placing, ScoreEntry
from ladder.services.revise_results import correct_result, reopen_result
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.annul_battle import watch_ending
from moderation.services.battles.journal import act_on_battle
from rules_engine import DECIDED, Outcome, read_outcome, write_outcome


def set_result(
    *,
    battle: Battle,
    winners: Collection[str],
    dead: Collection[str],
    by: User,
    reason: str,
    now: datetime.datetime,
) -> JournalEntry:
    """Set the battle's winners (none: a draw) and dead, and score it accordingly.

    A running battle ends. A finished one gets a new result: its points are recounted, and mages who are no longer dead
    live again. Raises ModerationRefused for an annulled battle, a mage who is not in it or whom its end does not count
    (list_uncounted), or a dead winner, LadderRefused
    or MageUnavailable for a mage who would be dead but is in something else now, and what act_on_battle raises.
    """

    with act_on_battle(
        kind=JournalEntry.Kind.DECIDED, battle=battle, by=by, reason=reason, now=now, watch=watch_ending
    ) as (locked, entry):
        if locked.status == Battle.Status.ANNULLED:
            raise ModerationRefused("annulled", battle=locked)
        names = list(locked.combatants.order_by("position").values_list("mage__name", flat=True))
        uncounted = [name for name in list_uncounted(battle=locked) if name in {*winners, *dead}]
        if uncounted:
            raise ModerationRefused("never_moved", mages=listed(uncounted), battle=locked)
        outcome = _make_outcome(locked, names, winners, dead)
        entry.facts |= {"winners": list(outcome.winners), "dead": list(outcome.dead)}
        if locked.is_over:
            _correct(locked, outcome, entry.reason, now=now)
        else:
            end_battle(battle=locked, outcome=outcome, now=now)
    return entry


def list_uncounted(*, battle: Battle) -> list[str]:
    """Return the mages of a finished battle to whom its result cannot be corrected: to the ladder, those who left a
    melee without ever moving were not in it."""
    counted = Placing.objects.filter(battle__number=battle.number).values("mage")
    if not battle.is_over or not counted.exists():
        return []
    left = battle.combatants.exclude(mage__in=counted).order_by("position")
    return list(left.values_list("mage__name", flat=True))


def _make_outcome(battle: Battle, names: list[str], winners: Collection[str], dead: Collection[str]) -> Outcome:
    strangers = sorted({*winners, *dead} - {*names})
    if strangers:
        raise ModerationRefused("strangers", battle=battle, strangers=", ".join(strangers), mages=", ".join(names))
    if set(winners) & set(dead):
        raise ModerationRefused("dead_winner")
    standings = dict(Combatant.objects.filter(battle=battle).values_list("mage__name", "standing"))
    others = [name for name in names if name not in {*winners, *dead}]
    return Outcome(
        type=battle.kind,
        winners=tuple(name for name in names if name in winners),
        reason=DECIDED,
        dead=tuple(name for name in names if name in dead),
        surrendered=tuple(name for name in others if standings[name] == "surrendered"),
        absent=tuple(name for name in others if standings[name] == "absent"),
    )


def end_battle(*, battle: Battle, outcome: Outcome, now: datetime.datetime) -> None:
    """End the battle, locked by the caller and not over, whatever its turn is waiting for. The rules are not asked."""
    Stage.objects.filter(battle=battle, closed_at=None).update(closed_at=now)
    battle.status = Battle.Status.RUNNING
    battle.forget_stuck_turn()
    battle.save(update_fields=["status", *STUCK_FIELDS])
    finish_battle(battle, outcome, key_of(battle), battle.label, now=now)


def _correct(battle: Battle, outcome: Outcome, reason: str, *, now: datetime.datetime) -> None:
    by_name = {mage.name: mage for mage in Mage.objects.filter(combatants__battle=battle)}
    battle.result = write_outcome(outcome)
    battle.save(update_fields=["result"])
    correct_result(
        battle=battle.number,
        winners=[by_name[name] for name in outcome.winners],
        dead=[by_name[name] for name in outcome.dead],
        sharing=[by_name[name] for name in outcome.sharing],
        practice=counts_as_practice(battle, outcome),
        now=now,
        reason=reason,
    )


def count_back(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Make the ladder count the battle as before the result was set. Raises ModerationRefused."""
    before = read_outcome(battle.result)
    try:
        if before is not None:
            _correct(battle, before, entry.undone_reason, now=now)
        else:
            paid = Mage.objects.filter(
                score_entries__battle=battle.number, score_entries__reason=ScoreEntry.Reason.SURRENDERED
            )
            reopen_result(battle=battle.number, now=now, reason=entry.undone_reason, keep_penalties=list(paid))
    except (LadderRefused, MageUnavailable) as error:
        raise ModerationRefused("cannot_undo", error=error) from error
