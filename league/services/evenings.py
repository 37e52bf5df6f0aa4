"""Leading a live evening, or a round robin of bots, through its rounds.

A round ends when its last duel does, or after 35 minutes; the next one begins after a short break.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from duels.models import ClockStop
from duels.paces import PRESENCE_TIME
from duels.selectors.live import is_battle_in_doubt
from league.models import Cup, Pairing, Place
from league.rules.bot_groups import list_round
from league.rules.swiss import ROUNDS
from league.rules.swiss import pair_round as pair_by_points
from league.selectors.evening_tables import (
    ABSENCES_ALLOWED,
    count_absences,
    find_end_of_round,
    list_players,
    rank_evening,
)
from league.selectors.round_robins import count_rounds_of, rank_bots
from league.services.cup_duels import (
    begin_cup_duel,
    decide_without_duel,
    give_bye,
    mark_left,
    settle_by_used_time,
    take_absence,
    take_result,
)
from league.services.cup_notices import notify_of_bye, notify_of_end, notify_out, tell_hooks_of_cup

By = Pairing.DecidedBy

# Players who are not here by then lose the game.
TIME_TO_COME = timedelta(minutes=5)
BREAK = timedelta(minutes=3)


def advance_rounds(*, cup: Cup, now: datetime) -> bool:
    """Decide what can be decided of the round, and begin the next one, or end the cup, once all is. Return whether
    anything changed.

    A result that a janitor corrects later counts in the table until the cup ends. Nothing happens while no page is
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
    # A round of bots has no duels if those who should meet have left.
    ended_at = max(
        (each.decided_at for each in current if each.decided_at is not None), default=cup.round_began_at or now
    )
    still_in = _take_out_absentees(cup, pairings, now)
    if cup.round == (count_rounds_of(cup) if cup.is_round_robin else ROUNDS) or len(still_in) < 2:
        _end(cup, now)
        return True
    if now < ended_at + BREAK:
        return changed
    cup.round += 1
    cup.round_began_at = now
    cup.save(update_fields=["round", "round_began_at"])
    pair_round(cup=cup, places=still_in, now=now)
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
    """Take out those who were missing twice, or bots that missed the deadlines of two duels; return those who are
    still in."""
    reason = Place.LeftFor.FORFEITS if cup.is_round_robin else Place.LeftFor.ABSENT
    absences = count_absences(pairings, by=By.FORFEIT if cup.is_round_robin else By.ABSENT)
    still_in = list(cup.places.filter(left_at=None).select_related("user", "mage__user"))
    for place in [each for each in still_in if absences[each.pk] >= ABSENCES_ALLOWED]:
        mark_left(cup=cup, place=place, reason=reason, now=now)
        notify_out(cup, place, round_number=cup.round, why=reason, now=now)
        still_in.remove(place)
    return still_in


def pair_round(*, cup: Cup, places: Sequence[Place], now: datetime) -> None:
    """Pair the round that the cup is in, among these who are still in, and begin its duels."""
    if cup.is_round_robin:
        _pair_bots(cup, now)
        return
    by_seed = {place.slot: place for place in places}
    players = [each for each in list_players(cup) if each.seed in by_seed]
    for board, (first, second) in enumerate(pair_by_points(players, rounds_left=ROUNDS - cup.round), 1):
        if second is None:
            bye = give_bye(cup=cup, round_number=cup.round, board=board, place=by_seed[first], now=now)
            notify_of_bye(cup, bye, now=now)
            continue
        pairing = Pairing.objects.create(
            cup=cup, round=cup.round, board=board, first=by_seed[first], second=by_seed[second]
        )
        begin_cup_duel(cup=cup, pairing=pairing, now=now)


def _pair_bots(cup: Cup, now: datetime) -> None:
    """Begin the duels of a round of bots. One that has left loses without a duel, unless its results count no more."""
    places = {place.slot: place for place in cup.places.select_related("user", "mage__user")}
    for board, pair in enumerate(list_round(len(places), cup.round), 1):
        first, second = (places[seed] for seed in pair)
        if first.is_void or second.is_void:
            continue
        pairing = Pairing.objects.create(cup=cup, round=cup.round, board=board, first=first, second=second)
        gone = [place for place in (first, second) if place.left_at is not None]
        if gone:
            decide_without_duel(pairing=pairing, losers=gone, by=By.LEFT, now=now)
        else:
            begin_cup_duel(cup=cup, pairing=pairing, now=now)


def _end(cup: Cup, now: datetime) -> None:
    ranked = rank_bots(cup) if cup.is_round_robin else [line.place for line in rank_evening(cup)]
    # Those who left come last. If nobody stayed, nobody wins, and as in a knock-out nobody has the first place.
    winner = next((place for place in ranked[:1] if place.left_at is None), None)
    for rank, place in enumerate(ranked, 1 if winner else 2):
        place.rank = rank
    Place.objects.bulk_update(ranked, ["rank"])
    cup.closed_at = now
    cup.save(update_fields=["closed_at"])
    notify_of_end(cup, [place for place in ranked if place.left_at is None], now=now)
    tell_hooks_of_cup(cup, "ends", winner=winner.mage.name if winner else "", now=now)
