"""Leading a live evening through its rounds.

A round ends when its last duel does, or after 35 minutes; the next one begins after a short break.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from duels.models import ClockStop
from duels.paces import PRESENCE_TIME
from duels.selectors.live import is_battle_in_doubt
from league.models import Cup, Pairing, Place
from league.rules.swiss import ROUNDS, pair_round
from league.selectors.evening_tables import (
    ABSENCES_ALLOWED,
    count_absences,
    find_end_of_round,
    list_players,
    rank_evening,
)
from league.services.cup_duels import begin_cup_duel, give_bye, settle_by_used_time, take_absence, take_result
from league.services.cup_notices import notify_of_bye, notify_of_end, notify_out, tell_hooks_of_cup

# Players who are not here by then lose the game.
TIME_TO_COME = timedelta(minutes=5)
BREAK = timedelta(minutes=3)


def begin_evening(*, cup: Cup, places: Sequence[Place], now: datetime) -> None:
    """Pair the first round, and begin its duels."""
    _pair_round(cup, places, now)


def advance_evening(*, cup: Cup, now: datetime) -> bool:
    """Decide what can be decided of the round, and begin the next one, or end the evening, once all is. Return whether
    anything changed.

    A result that a janitor corrects later counts in the table until the evening ends. Nothing happens while no page is
    served: nobody could play.
    """
    pairings = list(cup.pairings.select_related("first__user", "first__mage", "second__user", "second__mage", "battle"))
    running = [each for each in pairings if each.battle is not None and each.decided_at is None]
    if any(each.battle is not None and is_battle_in_doubt(each.battle, now) for each in running):
        return False
    changed = sum(_take_up(cup, each, now) for each in pairings if each.battle is not None) > 0
    current = [each for each in pairings if each.round == cup.round]
    if any(each.decided_at is None for each in current):
        return changed
    ended_at = max((each.decided_at for each in current if each.decided_at is not None), default=now)
    still_in = _take_out_absentees(cup, pairings, now)
    if cup.round == ROUNDS or len(still_in) < 2:
        _end(cup, now)
        return True
    if now < ended_at + BREAK:
        return changed
    cup.round += 1
    cup.round_began_at = now
    cup.save(update_fields=["round", "round_began_at"])
    _pair_round(cup, still_in, now)
    return True


def _take_up(cup: Cup, pairing: Pairing, now: datetime) -> bool:
    """Decide a duel that someone has missed, that is over, or whose time is up."""
    if pairing.decided_at is None and _is_time_to_come_over(pairing, now) and take_absence(pairing=pairing, now=now):
        return True
    if take_result(pairing=pairing, now=now):
        return True
    return (
        pairing.decided_at is None
        and now >= find_end_of_round(cup, now)
        and settle_by_used_time(pairing=pairing, now=now)
    )


def _is_time_to_come_over(pairing: Pairing, now: datetime) -> bool:
    """Return whether the time to come is over in a duel that waits for its players, or was called off because they
    did not come. An outage makes it longer, as it does the time that a live battle waits."""
    if pairing.battle is None:
        return False
    stop = ClockStop.objects.filter(battle=pairing.battle, reason=ClockStop.Reason.PRESENCE).order_by("-pk").first()
    if stop is None or stop.until is None:
        return False
    return pairing.battle.is_over or now >= stop.until - PRESENCE_TIME + TIME_TO_COME


def _take_out_absentees(cup: Cup, pairings: Sequence[Pairing], now: datetime) -> list[Place]:
    """Take out those who were missing twice; return those who are still in."""
    absences = count_absences(pairings)
    still_in = list(cup.places.filter(left_at=None).select_related("user", "mage__user"))
    for place in [each for each in still_in if absences[each.pk] >= ABSENCES_ALLOWED]:
        place.left_at, place.left_for = now, Place.LeftFor.ABSENT
        place.save(update_fields=["left_at", "left_for"])
        notify_out(cup, place, round_number=cup.round, why=Place.LeftFor.ABSENT, now=now)
        still_in.remove(place)
    return still_in


def _pair_round(cup: Cup, places: Sequence[Place], now: datetime) -> None:
    by_seed = {place.slot: place for place in places}
    players = [each for each in list_players(cup) if each.seed in by_seed]
    for board, (first, second) in enumerate(pair_round(players, rounds_left=ROUNDS - cup.round), 1):
        if second is None:
            bye = give_bye(cup=cup, round_number=cup.round, board=board, place=by_seed[first], now=now)
            notify_of_bye(cup, bye, now=now)
            continue
        pairing = Pairing.objects.create(
            cup=cup, round=cup.round, board=board, first=by_seed[first], second=by_seed[second]
        )
        begin_cup_duel(cup=cup, pairing=pairing, now=now)


def _end(cup: Cup, now: datetime) -> None:
    ranked = [line.place for line in rank_evening(cup)]
    for rank, place in enumerate(ranked, 1):
        place.rank = rank
    Place.objects.bulk_update(ranked, ["rank"])
    cup.closed_at = now
    cup.save(update_fields=["closed_at"])
    notify_of_end(cup, [place for place in ranked if place.left_at is None], now=now)
    tell_hooks_of_cup(cup, "ends", winner=ranked[0].mage.name if ranked else "", now=now)
