"""Tries at a user's own mistakes, and the one that is chosen for them each week."""

from datetime import datetime
from time import monotonic

from django.db import IntegrityError, transaction
from django.db.models.functions import Coalesce

from accounts.models import User
from notifications.preferences import NEVER
from notifications.selectors.notices import preferences_of
from notifications.services.outbox import write_notice
from rules_engine import Sheet
from rules_engine.bots.findings import percent
from rules_engine.bots.second_try import grade_orders
from studies.models import OwnMistake
from studies.selectors.own_mistakes import (
    Mistake,
    begin_week,
    find_worst_mistake,
    list_users_to_choose_for,
    read_position_before,
)


def try_mistake(*, user: User, mistake: Mistake, sheet: Sheet, now: datetime) -> float:
    """Return the chance that these complete, valid orders keep, and remember the try; it may arrive twice."""
    state = read_position_before(mistake.battle, mistake.seq).state
    kept = grade_orders(state, mistake.mage, sheet, mistake.facts, seed=f"analysis {mistake.battle.number}")
    note_try(user=user, mistake=mistake, is_solved=kept >= mistake.least, now=now)
    return kept


def note_try(*, user: User, mistake: Mistake, is_solved: bool, now: datetime) -> None:
    """Remember that the user has tried this mistake, or seen its answer."""
    row, _ = OwnMistake.objects.get_or_create(
        user=user, battle=mistake.battle, seq=mistake.seq, defaults={"label": mistake.label}
    )
    done = {"tried_at": Coalesce("tried_at", now), **({"solved_at": Coalesce("solved_at", now)} if is_solved else {})}
    OwnMistake.objects.filter(pk=row.pk).update(**done)


def choose_mistakes_of_week(*, now: datetime, seconds: float) -> int:
    """Choose a mistake of this week for every user who has one, for at most this many seconds; return how many.

    It may run at any time and twice at once: a user gets one a week and never the same one again. Those who want it get
    an email.
    """
    chosen, end = 0, monotonic() + seconds
    for user in list_users_to_choose_for(now=now):
        if monotonic() > end:
            break
        mistake = find_worst_mistake(user, now=now)
        if mistake is not None:
            chosen += _choose(user, mistake, now)
    return chosen


def _choose(user: User, mistake: Mistake, now: datetime) -> bool:
    week = begin_week(now.date())
    try:
        with transaction.atomic():
            OwnMistake.objects.create(user=user, battle=mistake.battle, seq=mistake.seq, label=mistake.label, week=week)
            if preferences_of(user)["mail_puzzles"] != NEVER:
                write_notice(
                    key=f"own_puzzle:{week}:{user.pk}",
                    user=user,
                    kind="own_puzzle",
                    facts={
                        "battle": mistake.battle.number,
                        "seq": mistake.seq,
                        "turn": mistake.label,
                        "gestures": mistake.gestures,
                        "lost": round(100 * mistake.lost),
                        "least": percent(mistake.least),
                    },
                    now=now,
                )
    except IntegrityError:  # chosen by another worker at the same moment
        return False
    return True
