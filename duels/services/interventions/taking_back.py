"""Going back to the beginning of a turn."""

import datetime
from collections.abc import Iterable

from accounts.models import User
from duels.errors import CannotIntervene, ConsentMissing
from duels.models import Battle, Combatant, Intervention, OrderSheet, Stage, Turn
from duels.selectors.book import find_answers
from duels.selectors.circle import read_state_of
from duels.services.interventions.book import Facts, carry_out
from duels.services.interventions.rows import Watched
from duels.services.recording import note_standings
from duels.services.stages import open_turn

ORDERED = "something has been ordered in it since"
PLAYED = "the battle has gone on since"


def find_turn(battle: Battle, seq: int) -> Turn:
    """Return turn `seq` of a battle that goes on, as it counts now. Raises CannotIntervene."""
    if battle.is_over:
        raise CannotIntervene(f"{battle} is over: annul it, or set its result.")
    turn = Turn.objects.filter(battle=battle, seq=seq, taken_back_by=None).first()
    if turn is None:
        raise CannotIntervene(f"{battle} has no turn with the number {seq}. It is in turn {battle.label}/{battle.seq}.")
    return turn


def rewind_battle(
    *, battle: Battle, seq: int, by: User, reason: str, now: datetime.datetime, without_consent: str = ""
) -> Intervention:
    """Take back turn `seq` and all after it: the battle is where it was before its first order, in a new attempt.

    What was ordered, thrown and told in them is kept as rows and counts no more; the dice of the new attempt are
    others. Points paid by who surrendered in these turns are given back. Every player must have agreed (ask_for_consent), or
    `without_consent` says why it is done all the same. Raises ConsentMissing, CannotIntervene for a battle that is over
    or has no such turn, and what carry_out raises.
    """

    def rewind(locked: Battle, entry: Intervention) -> None:
        first = find_turn(locked, seq)
        entry.facts |= {"turn": first.label, "seq": first.seq, "to": locked.label}
        entry.facts |= _weigh_consent(locked, seq, without_consent)
        state = read_state_of(locked, first.before)
        Stage.objects.filter(battle=locked, closed_at=None).update(closed_at=now)
        Turn.objects.filter(battle=locked, seq__gte=seq, taken_back_by=None).update(taken_back_by=entry)
        locked.status, locked.stuck_reference, locked.stuck_release = Battle.Status.RUNNING, "", ""
        locked.save(update_fields=["status", "stuck_reference", "stuck_release"])
        note_standings(locked, state)
        open_turn(locked, state, now=now)

    return carry_out(
        kind=Intervention.Kind.REWOUND,
        battle=battle,
        by=by,
        reason=reason,
        now=now,
        act=rewind,
        watch=watch_rewinding,
        facts={"seq": seq},
    )


def watch_rewinding(battle: Battle, facts: Facts) -> Iterable[Watched]:
    """The rows that going back changes, or that change when the battle goes on after it."""
    later = Turn.objects.filter(battle=battle, seq__gte=facts["seq"])
    yield Watched(
        Battle.objects.filter(pk=battle.pk),
        ("status", "seq", "attempt", "stage", "label", "state", "stuck_reference", "stuck_release", "event_count"),
        PLAYED,
    )
    yield Watched(later, ("taken_back_by_id", "resolved_at"), PLAYED)
    yield Watched(Stage.objects.filter(turn__in=later), ("closed_at",), PLAYED)
    yield Watched(
        OrderSheet.objects.filter(stage__turn__in=later), ("lines", "text", "ready", "via", "submitted_at"), ORDERED
    )
    yield Watched(Combatant.objects.filter(battle=battle), ("standing",), PLAYED)


def _weigh_consent(battle: Battle, seq: int, without_consent: str) -> Facts:
    answers = find_answers(battle, seq)
    if (answers.refused or answers.silent) and not without_consent.strip():
        raise ConsentMissing(answers.refused, answers.silent)
    return {
        "agreed": list(answers.agreed),
        "refused": list(answers.refused),
        "silent": list(answers.silent),
        "without_consent": without_consent.strip() if answers.refused or answers.silent else "",
    }
