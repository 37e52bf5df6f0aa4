"""Pauses of a whole battle, agreed by all its players or set by a janitor."""

import datetime

from django.db import transaction
from django.db.models import Q

from duels.clock import NOTHING
from duels.errors import DuelRefused, OverLimit
from duels.models import Battle, ClockStop, Combatant
from duels.models.battle import NO_WISH, WISH_LASTS
from duels.paces import DAY
from duels.selectors.absences import PAUSES
from duels.selectors.stage_keys import describe_current_stage, key_of
from duels.services.clocks.battle_clocks import close_stop, open_stop, save_clocks, update_clocks
from duels.services.lock import is_still_in, lock_battle
from duels.services.notify import notify_of_request, notify_of_resumption, notify_users, players_of
from duels.terms import read_stakes
from duels.wakeups import wake_watchers_on_commit
from ladder.stakes import CUP

JANITOR = ClockStop.Reason.JANITOR
MOST_DAYS_PAUSED = 30
LONGEST = datetime.timedelta(days=MOST_DAYS_PAUSED)
MINUTES_A_DAY = 1440
MOST_IN_CUP = datetime.timedelta(days=7)
"""How long a duel of a knock-out can pause altogether: others wait for its winner."""


def ask_pause(*, combatant: Combatant, now: datetime.datetime, days: int = 0, minutes: int = 0) -> bool:
    """Request a pause of `days` and `minutes`, 30 days at most; in a knock-out 7 days altogether. It begins once all
    players still in the battle agree.

    The pause is as long as the shortest request. 0 withdraws the request or, during a pause, asks to end it, which all
    must agree to as well; then a length withdraws that. A request counts for seven days (WISH_LASTS).
    Players cannot end a janitor's pause.

    Returns whether the battle is as requested: paused, or resumed.
    Raises OverLimit, DuelRefused.
    """
    wanted = days * MINUTES_A_DAY + minutes
    if min(days, minutes) < 0 or wanted > MOST_DAYS_PAUSED * MINUTES_A_DAY:
        raise OverLimit("wrong_pause", most=MOST_DAYS_PAUSED, days=days or minutes // MINUTES_A_DAY)
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        if battle.is_over or not is_still_in(combatant):
            raise DuelRefused("cannot_pause", now=describe_current_stage(battle))
        update_clocks(battle=battle, now=now)
        running = _find_pause(battle)
        is_nothing = not wanted and not running and combatant.wish_at(now) is None
        if is_nothing and ClockStop.objects.filter(battle=battle, reason=JANITOR, ended_at=None).exists():
            raise DuelRefused("janitors_pause")
        if not running and read_stakes(battle.terms) == CUP:
            _refuse_beyond_cup(battle, datetime.timedelta(minutes=wanted))
        own = Combatant.objects.filter(battle=battle, mage__user=combatant.mage.user, standing="in")
        own.update(**{"pause_minutes": wanted, "pause_asked_at": now} if bool(wanted) != bool(running) else NO_WISH)
        wake_watchers_on_commit(battle.number)
        if running and wanted:
            return True
        if _meet_wishes(battle, now, asker=combatant.mage.user_id):
            return True
        if wanted:
            notify_of_request(battle, combatant, "pause_wanted", now=now, minutes=str(wanted))
        return False


def meet_wishes(*, now: datetime.datetime) -> int:
    """Begin and end the pauses that all players want because those who did not want it are no longer asked: they have
    left or been suspended, or a bot plays for them. Return in how many battles."""
    wished = Combatant.objects.filter(pause_asked_at__isnull=False, battle__status=Battle.Status.RUNNING)
    met = 0
    for pk in sorted(set(wished.values_list("battle", flat=True))):
        with transaction.atomic():
            battle = lock_battle(pk)
            met += not battle.is_over and _meet_wishes(battle, now)
    return met


def _meet_wishes(battle: Battle, now: datetime.datetime, *, asker: int | None = None) -> bool:
    """Begin the pause that all players want, or end the one that is on; return whether this did.

    Bots agree to anything the people agree on; without people, users' bots agree among themselves. Nobody waits for the
    answer of a user who is suspended or has a warning to acknowledge, because they cannot give one, nor of one for whom
    a bot plays; but that of the user `asker` has just come.
    """
    running = _find_pause(battle)
    players = Combatant.objects.filter(battle=battle, standing="in", mage__user__bot_strength="")
    players = players.filter(Q(mage__user__is_held=False, stand_in="") | Q(mage__user=asker))
    wished = [(each.mage.user.is_bot, each.wish_at(now)) for each in players.select_related("mage__user")]
    wishes = [wish for is_bot, wish in wished if not is_bot] or [wish for _is_bot, wish in wished]
    if not wishes or not all(wish == 0 if running else wish for wish in wishes):
        return False
    Combatant.objects.filter(battle=battle).update(**NO_WISH)
    if running:
        _end(battle, running, now)
    else:
        shortest = min(wish for wish in wishes if wish)
        _begin(battle, ClockStop.Reason.PAUSE, now, now + datetime.timedelta(minutes=shortest))
    return True


def _find_pause(battle: Battle) -> ClockStop | None:
    """Return the pause that the players have agreed on, if it is on."""
    return ClockStop.objects.filter(battle=battle, reason=ClockStop.Reason.PAUSE, ended_at=None).first()


def _refuse_beyond_cup(battle: Battle, wanted: datetime.timedelta) -> None:
    """Raise OverLimit or DuelRefused if the pauses of a duel of a knock-out would be too long with this one."""
    pauses = ClockStop.objects.filter(battle=battle, reason=ClockStop.Reason.PAUSE, ended_at__isnull=False)
    left = MOST_IN_CUP - sum((pause.ended_at - pause.since for pause in pauses if pause.ended_at), NOTHING)
    if wanted <= left:
        return
    if left < DAY:
        raise DuelRefused("paused_enough", most=MOST_IN_CUP.days)
    raise OverLimit("wrong_pause_in_cup", most=left.days)


def pause_battle(*, battle: Battle, now: datetime.datetime, notify: bool = True) -> bool:
    """Stop all clocks of a battle for 30 days at most, on behalf of a janitor; False if one has paused it already.

    Pass `notify=False` if you notify the players yourself. Raises DuelRefused.
    """
    with transaction.atomic():
        locked = lock_battle(battle.pk)
        if locked.is_over:
            raise DuelRefused("cannot_pause", now=describe_current_stage(locked))
        return _begin(locked, JANITOR, now, now + LONGEST, notify=notify)


def resume_battle(*, battle: Battle, now: datetime.datetime, notify: bool = True) -> bool:
    """End all pauses of a battle; return whether there was one. A live battle that waits for its players still does.
    `notify` is as in pause_battle."""
    with transaction.atomic():
        locked = lock_battle(battle.pk)
        open_pauses = ClockStop.objects.filter(battle=locked, reason__in=PAUSES, ended_at=None)
        pauses = list(open_pauses.select_related("battle"))
        Combatant.objects.filter(battle=locked).update(**NO_WISH)
        return sum(_end(locked, pause, now, notify=notify) for pause in pauses) > 0


def expire_wishes(*, now: datetime.datetime) -> int:
    """Delete the requests for pauses, and for their ends, that nobody has met within seven days; return how many."""
    old = Combatant.objects.filter(pause_asked_at__lte=now - WISH_LASTS)
    numbers = list(old.values_list("battle__number", flat=True))
    for number in set(numbers):
        with transaction.atomic():
            old.filter(battle__number=number).update(**NO_WISH)
            wake_watchers_on_commit(number)
    return len(numbers)


def _begin(
    battle: Battle, reason: str, now: datetime.datetime, until: datetime.datetime, *, notify: bool = True
) -> bool:
    rows = update_clocks(battle=battle, now=now)
    begun = open_stop(battle=battle, combatant=None, reason=reason, rows=rows, since=now, until=until)
    if begun:
        save_clocks(battle, rows)
        wake_watchers_on_commit(battle.number)
    if begun and notify:
        notify_users(
            players_of(battle),
            "battle_paused",
            battle,
            key_of(battle),
            battle.label,
            now=now,
            once=f"{now:%Y%m%d%H%M%S}",
            until=until.isoformat(),
        )
    return begun


def _end(battle: Battle, pause: ClockStop, now: datetime.datetime, *, notify: bool = True) -> bool:
    rows = update_clocks(battle=battle, now=now)
    ended = close_stop(pause, rows, now)
    if ended:
        save_clocks(battle, rows)
        wake_watchers_on_commit(battle.number)
    if ended and notify:
        notify_of_resumption(battle, pause, now=now)
    return ended
