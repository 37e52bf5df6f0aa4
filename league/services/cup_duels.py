"""The duels of cups: they begin once, and are decided by their results or by the rules of the cup."""

from datetime import datetime

from django.db.models import Q

from accounts.selectors.ties import list_blocked_pairs
from duels.models import Combatant
from duels.paces import TWO_DAYS
from duels.selectors.event_results import read_event_result
from duels.selectors.time_used import read_times_used
from duels.services.end_for_event import end_for_event
from duels.services.lock import lock_battle
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.stakes import CUP, EVENING, ROUND_ROBIN
from league.models import Cup, Pairing, Place
from league.rules.bot_groups import find_group
from league.rules.stalling import settle_by_time
from league.rules.tables import loses_results
from league.selectors.fighters import find_fighter
from league.services.cup_notices import notify_of_board
from league.services.decisions import decide, judge_battle

By, Result = Pairing.DecidedBy, Pairing.Result
# The pace and stakes of the duels of each kind.
PLAYED_FOR = {
    Cup.Kind.KNOCKOUT: (TWO_DAYS, CUP),
    Cup.Kind.EVENING: ("live1", EVENING),
    Cup.Kind.ROUND_ROBIN: ("live3", ROUND_ROBIN),
}


def begin_cup_duel(*, cup: Cup, pairing: Pairing, now: datetime) -> bool:
    """Begin the duel of a pairing that has none, once; return whether this call did. If one of the two has no living
    mage, the other wins without a duel.

    Must run in a transaction that holds the cup's lock.
    """
    if pairing.battle_id is not None or pairing.decided_at is not None or pairing.second is None:
        return False
    pair = (pairing.first, pairing.second)
    mages = [find_fighter(place) for place in pair]
    for place, mage in zip(pair, mages, strict=True):
        if mage is None:
            mark_left(cup=cup, place=place, reason=Place.LeftFor.NO_MAGE, now=now)
        elif mage.pk != place.mage_id:
            place.mage = mage
            place.save(update_fields=["mage"])
    ready = [mage for mage in mages if mage is not None]
    if len(ready) < len(pair):
        decide_without_duel(pairing=pairing, losers=[place for place in pair if place.left_at], by=By.LEFT, now=now)
        return False
    apart = bool(list_blocked_pairs(place.user_id for place in pair))
    pace, stakes = PLAYED_FOR[Cup.Kind(cup.kind)]
    terms = Terms(pace=pace, stakes=stakes, chat=not apart)
    pairing.battle = start_battle(number=take_number(), terms=terms, mages=ready, now=now)
    pairing.save(update_fields=["battle"])
    notify_of_board(cup, pairing, now=now)
    return True


def take_result(*, pairing: Pairing, now: datetime) -> bool:
    """Decide a pairing by its battle, if that is over; return whether the result is new.

    An end without a result (annulled, or called off with nobody missing) is a draw. A battle that a janitor reopened
    keeps its result here until it ends again. What a rule decided gives way only to a janitor, and not in a knock-out:
    who has left it cannot go on.
    """
    ended = None if pairing.battle is None else read_event_result(pairing.battle)
    if ended is None:
        return False
    if pairing.decided_by in Pairing.RULES and not (ended.is_by_janitor and pairing.cup and pairing.cup.is_live):
        return False
    if pairing.ruled_by and not ended.counts and not ended.is_by_janitor:
        result, by = Result(pairing.ruled_result), By(pairing.ruled_by)
    elif ended.ended_for_event:
        return False
    else:
        result, by = judge_battle(ended, without_result=Result.DRAW)
    if (pairing.result, pairing.decided_by) == (result, by):
        return False
    _decide(pairing, result, by, pairing.decided_at or now)
    return True


def take_absence(*, pairing: Pairing, now: datetime) -> bool:
    """Decide a live duel that waits for players, who lose it: unrated, and both if both are missing. Return whether
    it is decided now."""
    if pairing.battle is None or pairing.decided_at is not None:
        return False
    # Locked, so that nobody arrives between the look and the decision.
    lock_battle(pairing.battle.pk)
    missing = _list_missing(pairing)
    if not missing:
        return False
    end_for_event(battle_number=pairing.battle.number, now=now)
    decide_without_duel(pairing=pairing, losers=missing, by=By.ABSENT, now=now)
    return True


def _list_missing(pairing: Pairing) -> list[Place]:
    absent = Combatant.objects.filter(battle=pairing.battle_id, is_here=False, mage__user__bot_strength="")
    users = set(absent.values_list("mage__user_id", flat=True))
    return [place for place in (pairing.first, pairing.second) if place is not None and place.user_id in users]


def settle_by_used_time(*, pairing: Pairing, now: datetime) -> bool:
    """End a duel whose time is up, unrated, and decide it by the time that both have used; return whether it is decided
    now. Orders that are ready on both sides are played first, and may end the duel by themselves."""
    if pairing.battle is None or pairing.decided_at is not None:
        return False
    number = pairing.battle.number
    if not end_for_event(battle_number=number, now=now):
        pairing.battle.refresh_from_db()
        return take_result(pairing=pairing, now=now)
    first, second = read_times_used([number], now)[number].values()
    pairing.first_used, pairing.second_used = first, second
    _decide(pairing, Result(settle_by_time(first, second)), By.TIME, now)
    return True


def decide_without_duel(*, pairing: Pairing, losers: list[Place], by: Pairing.DecidedBy, now: datetime) -> None:
    """Decide a pairing against `losers`; if both are, it counts for nobody. A running duel ends unrated."""
    if pairing.battle is not None:
        end_for_event(battle_number=pairing.battle.number, now=now)
    lost = {place.pk for place in losers}
    if {pairing.first_id, pairing.second_id} <= lost:
        result = Result.NONE
    else:
        result = Result.SECOND if pairing.first_id in lost else Result.FIRST
    _decide(pairing, result, by, now)


def mark_left(*, cup: Cup, place: Place, reason: Place.LeftFor, now: datetime) -> None:
    """Note that someone has left a cup that runs. In a round robin their results leave the table if fewer than half
    of their duels are finished."""
    place.left_at, place.left_for = now, reason
    if cup.is_round_robin and place.slot is not None:
        duels = len(find_group(place.slot, cup.places.count())) - 1
        finished = Pairing.objects.filter(Q(first=place) | Q(second=place), decided_at__isnull=False).count()
        place.is_void = loses_results(finished, duels)
    place.save(update_fields=["left_at", "left_for", "is_void"])


def give_bye(*, cup: Cup, round_number: int, board: int, place: Place, now: datetime) -> Pairing:
    return Pairing.objects.create(
        cup=cup,
        round=round_number,
        board=board,
        first=place,
        result=Result.FIRST,
        decided_by=By.BYE,
        decided_at=now,
    )


def _decide(pairing: Pairing, result: Pairing.Result, by: Pairing.DecidedBy, now: datetime) -> None:
    decide(pairing, result, by, now=now)
    if pairing.battle_id is not None:
        first, second = Combatant.objects.filter(battle=pairing.battle_id).order_by("position")
        if by != By.TIME:  # which has counted it, with the running clocks
            pairing.first_used, pairing.second_used = first.time_used, second.time_used
        pairing.first_late, pairing.second_late = first.late_turns, second.late_turns
    pairing.save()


def list_open_duels_of(place: Place) -> list[Pairing]:
    mine = Pairing.objects.filter(Q(first=place) | Q(second=place), decided_at=None)
    return list(mine.select_related("first", "second", "battle"))
