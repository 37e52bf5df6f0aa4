"""Rewinding a battle, even a finished one, to the start of a turn."""

import datetime
from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import Mage, User
from accounts.services.mages import engage_mage
from duels.models import Battle, Combatant, Deadline, OrderSheet, Stage, Turn
from duels.models.battle import STUCK_FIELDS
from duels.names import listed
from duels.selectors.battle_rows import read_state_of
from duels.services.draws import forget_undone_offers, restore_offers
from duels.services.finish import count_result
from duels.services.turns import reopen_turn
from duels.terms import read_stakes
from ladder.models import ScoreEntry
from ladder.services.revise_results import reopen_result
from ladder.stakes import STAKES
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.selectors.journal import find_answers
from moderation.services.battles.journal import act_on_battle, find_mage_without_user, watch_engagements
from moderation.services.journal import Facts
from moderation.services.snapshots import Watched
from rules_engine import State, Viewer, look, read_outcome

ORDERED = _("orders have been sent since")
PLAYED = _("the battle has moved on since")


def find_turn(battle: Battle, seq: int) -> Turn:
    """Return the current turn `seq` of a battle. Raises ModerationRefused, also for an annulled battle."""
    if battle.status == Battle.Status.ANNULLED:
        raise ModerationRefused("annulled", battle=battle)
    turn = Turn.objects.filter(battle=battle, seq=seq, taken_back_by=None).first()
    if turn is None:
        raise ModerationRefused("no_such_turn", battle=battle, seq=seq, turn=battle.label, seq2=battle.seq)
    return turn


def rewind_battle(
    *, battle: Battle, seq: int, by: User, reason: str, now: datetime.datetime, without_consent: str = ""
) -> JournalEntry:
    """Rewind to turn `seq`: the battle is as it was before that turn's first order, in a new attempt.

    The orders, rolls and events of the undone turns are kept but no longer count; the new attempt has new dice. Points
    lost in these turns come back. A finished battle resumes: its points are taken back, its dead live again, and its
    mages are in it again. Every player must have agreed (ask_for_consent), or `without_consent` gives the reason to
    proceed anyway.

    Raises ModerationRefused without consent, if there is no such turn, or if a mage of a finished battle has since
    fought another or their user's account is closed, MageUnavailable if they have started one, and what act_on_battle
    raises.
    """
    with act_on_battle(
        kind=JournalEntry.Kind.REWOUND,
        battle=battle,
        by=by,
        reason=reason,
        now=now,
        watch=watch_rewinding,
        facts={"seq": seq},
    ) as (locked, entry):
        first = find_turn(locked, seq)
        entry.facts |= {"turn": first.label, "seq": first.seq, "to": locked.label, "ended": locked.is_over}
        entry.facts |= _check_consent(locked, entry, without_consent)
        state = read_state_of(locked, first.before)
        _reopen(locked, state, entry, now=now)
        Stage.objects.filter(battle=locked, closed_at=None).update(closed_at=now)
        Turn.objects.filter(battle=locked, seq__gte=seq, taken_back_by=None).update(taken_back_by=entry.number)
        entry.facts |= {"draw_turns": forget_undone_offers(locked, label=first.label)}
        reopen_turn(battle=locked, state=state, now=now)
    return entry


def _reopen(battle: Battle, state: State, entry: JournalEntry, *, now: datetime.datetime) -> None:
    """Make the battle run again with its mages, and with the points of the turn it goes back to."""
    mages = list(Mage.objects.filter(combatants__battle=battle).order_by("pk"))
    if battle.is_over:
        _refuse_if_fought_since(battle, mages)
        if (left := find_mage_without_user(battle)) is not None:
            raise ModerationRefused("user_left", mage=left, battle=battle)
    standing = {mage.name: mage.standing for mage in look(state, Viewer.all_seeing()).mages}
    paid = [mage for mage in mages if standing[mage.name] == "surrendered"]
    reopen_result(battle=battle.number, now=now, reason=entry.reason, keep_penalties=paid)
    if battle.is_over and STAKES[read_stakes(battle.terms)].engages:
        for mage in mages:
            engage_mage(mage=mage, kind="battle", number=battle.number)
    battle.status, battle.finished_at, battle.result = Battle.Status.RUNNING, None, None
    battle.forget_stuck_turn()
    battle.save(update_fields=["status", "finished_at", "result", *STUCK_FIELDS])


def _refuse_if_fought_since(battle: Battle, mages: list[Mage]) -> None:
    rows = ScoreEntry.objects.filter(mage__in=mages)
    own = rows.filter(battle=battle.number).order_by("pk").first()
    later = rows.exclude(battle=battle.number).filter(pk__gt=own.pk).select_related("mage").first() if own else None
    if later is not None:
        raise ModerationRefused("fought_since", mage=later.mage, battle=later.battle, battle2=battle)


def watch_rewinding(battle: Battle, facts: Facts) -> Iterable[Watched]:
    """Return the rows that a rewind changes, or that change when the battle continues after it."""
    later = Turn.objects.filter(battle=battle, seq__gte=facts["seq"])
    columns = ("status", "seq", "attempt", "stage", "label", "state", "event_count", "finished_at", "result")
    yield Watched(Battle.objects.filter(pk=battle.pk), (*columns, *STUCK_FIELDS), PLAYED)
    yield Watched(later, ("taken_back_by", "resolved_at"), PLAYED)
    yield Watched(Stage.objects.filter(turn__in=later), ("closed_at",), PLAYED)
    sheets = OrderSheet.objects.filter(stage__turn__in=later)
    yield Watched(sheets, ("lines", "text", "ready", "via", "submitted_at", "clock"), ORDERED)
    yield Watched(Combatant.objects.filter(battle=battle), ("standing", "bank"), PLAYED)
    yield Watched(Deadline.objects.filter(battle=battle), by_themselves=True)
    yield watch_engagements(battle)
    penalties = ScoreEntry.objects.filter(battle=battle.number, reason=ScoreEntry.Reason.SURRENDERED)
    yield Watched(penalties, words=PLAYED)


def end_again(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Make a battle that had ended count again as before."""
    outcome = read_outcome(battle.result)
    if outcome is not None and battle.finished_at is not None:
        count_result(battle=battle, outcome=outcome, now=battle.finished_at)


def count_offers_again(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Make offers of a draw in the turns that were undone count again."""
    restore_offers(battle, entry.facts.get("draw_turns", {}))


def _check_consent(battle: Battle, entry: JournalEntry, without_consent: str) -> Facts:
    answers = find_answers(battle, entry.facts["seq"], before=entry.number)
    if (answers.refused or answers.silent) and not without_consent.strip():
        problems = [ModerationRefused("said_no", mages=listed(answers.refused))] if answers.refused else []
        problems += [ModerationRefused("no_answer", mages=listed(answers.silent))] if answers.silent else []
        raise ModerationRefused.together([*problems, ModerationRefused("no_consent")])
    return {
        "agreed": list(answers.agreed),
        "refused": list(answers.refused),
        "silent": list(answers.silent),
        "without_consent": without_consent.strip() if answers.refused or answers.silent else "",
    }
