"""Orders count by when they arrived: refusing those that came after a mage's forfeit moment (FM-SLOW-6), and waiting
for those that came before it and are still to be processed."""

import datetime
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from duels.errors import TooLate
from duels.models import Battle, Deadline
from duels.selectors.live import is_battle_in_doubt
from duels.services.clocks.battle_clocks import update_clocks
from duels.wakeups import wake_overdue_clocks
from operations.registry import OLDEST_UNREAD_MAIL, find_function
from operations.selectors import list_doubts, read_policy
from operations.wakeups import on_commit_once

# The longest a page or an API call can wait for a page thread and the battle's lock; later it is answered with 503.
LONGEST_UNDER_WAY = datetime.timedelta(seconds=20)


def read_tolerance() -> datetime.timedelta:
    """Return by how much orders may miss the forfeit moment and still count."""
    return datetime.timedelta(seconds=read_policy().late_orders_seconds)


def find_last_forfeit(*, now: datetime.datetime) -> datetime.datetime:
    """Return the latest forfeit moment for which every order that reached the site in time has been processed by
    `now`, except those by email."""
    return now - read_tolerance() - LONGEST_UNDER_WAY


@contextmanager
def waking_the_sweep_if_late() -> Iterator[None]:
    """Wake the sweep over clocks if orders in this context come too late. Use it outside the transaction that refuses
    them: nothing is sent on the commit of one that is rolled back."""
    try:
        yield
    except TooLate:
        on_commit_once(wake_overdue_clocks)
        raise


def refuse_if_too_late(
    *,
    battle: Battle,
    combatant_id: int,
    rows: Iterable[Deadline],
    arrived_at: datetime.datetime,
    now: datetime.datetime,
) -> None:
    """Raise TooLate if something for this mage arrived after the forfeit moment by more than the tolerance.

    There is a forfeit moment only after the final notice. `rows` are clocks of the battle, which may be out of date:
    outages and absences move the moment, so they are brought up to date before anything is refused. While the site is
    in doubt (of its clock, its email or, in a live battle, its pages), nothing is too late. The caller has locked the
    battle.
    """
    if _find_forfeited(rows, combatant_id, until=arrived_at) is None:
        return
    current = update_clocks(battle=battle, now=now)
    late = _find_forfeited(current, combatant_id, until=arrived_at - read_tolerance())
    if late is not None and not list_doubts(now) and not is_battle_in_doubt(battle, now):
        raise TooLate("too_late", mage=late.combatant.mage.name, turn=battle.label)


def _find_forfeited(rows: Iterable[Deadline], combatant_id: int, *, until: datetime.datetime) -> Deadline | None:
    """Return the mage's clock if its forfeit moment was before `until`."""
    own = (row for row in rows if row.combatant_id == combatant_id and row.step == Deadline.Step.FORFEIT)
    return next((row for row in own if row.forfeit_at is not None and row.forfeit_at < until), None)


def find_oldest_unread_mail() -> datetime.datetime | None:
    """Return when the oldest email arrived that is still to be processed; it may contain orders for any battle."""
    find_oldest: Callable[[], datetime.datetime | None] = find_function(OLDEST_UNREAD_MAIL)
    return find_oldest()
