"""Results in the table: of duels that end, of duels that janitors correct, and of what is decided without play."""

from datetime import datetime

from django.db import transaction

from duels.models import Battle
from duels.selectors.event_results import EventResult, read_event_result
from duels.selectors.time_used import read_times_used
from duels.services.end_for_event import end_for_event
from duels.services.lock import lock_battle
from league.models import Pairing, Place
from league.rules.stalling import settle_by_time
from league.services.decisions import decide, judge_battle, undecide
from league.services.final_tables import write_final_table

Result, DecidedBy = Pairing.Result, Pairing.DecidedBy
# Decisions that follow from the battle, and change with it.
BY_BATTLE = (DecidedBy.BATTLE, DecidedBy.FORFEIT)
# So many duels forfeited in a season cost the place.
MOST_FORFEITS = 2


def note_result(*, pairing: int, now: datetime) -> bool:
    """Bring the result of a duel up to date with its battle; return whether it changed.

    A duel that ended is decided, once. One that a janitor annulled, or whose result they set, is corrected, in ended
    seasons too; if that is undone, what decided it before counts again. One that goes on after its end is undecided
    again while its season lasts. What someone lost by leaving is changed only by a janitor's result, or an annulment.
    """
    with transaction.atomic():
        locked = Pairing.objects.select_for_update(of=("self",)).select_related("group__season").get(pk=pairing)
        battle = locked.battle
        if battle is None or locked.group is None:
            return False
        before = (locked.result, locked.decided_by, locked.first_late, locked.second_late)
        found = read_event_result(battle)
        if found is None:
            if locked.decided_by not in (*BY_BATTLE, DecidedBy.TIME) or locked.group.season.closed_at is not None:
                return False
            undecide(locked)
        elif _is_ruled(locked, found):
            return False
        else:
            _decide_by_battle(locked, found, battle.finished_at or now)
        locked.save()
        changed = before != (locked.result, locked.decided_by, locked.first_late, locked.second_late)
        if changed and locked.group.season.closed_at is not None:
            write_final_table(group=locked.group)
        return changed


def note_battle(*, battle: Battle, now: datetime) -> bool:
    """Bring the table of a league up to date with a battle that a janitor has changed; return whether it changed.
    Nothing happens for a battle that belongs to no league."""
    pairing = Pairing.objects.filter(battle=battle, group__isnull=False).values_list("pk", flat=True).first()
    return pairing is not None and note_result(pairing=pairing, now=now)


def _is_ruled(pairing: Pairing, found: EventResult) -> bool:
    """Return whether a rule has decided the duel, and the end of its battle changes nothing about that."""
    if pairing.decided_by == DecidedBy.LEFT:
        return not found.is_by_janitor
    return pairing.decided_by == DecidedBy.TIME and found.ended_for_event


def _decide_by_battle(pairing: Pairing, found: EventResult, ended_at: datetime) -> None:
    first, second = found.sides
    if found.ended_for_event and pairing.ruled_by:
        result, by = Result(pairing.ruled_result), DecidedBy(pairing.ruled_by)
    elif found.ended_for_event:
        result, by = Result(settle_by_time(first.time_used, second.time_used)), DecidedBy.TIME
    else:
        result, by = judge_battle(found, without_result=Result.NONE)
    decide(pairing, result, by, now=ended_at)
    pairing.first_used, pairing.second_used = first.time_used, second.time_used
    pairing.first_late, pairing.second_late = first.late_turns, second.late_turns


def end_duel(*, pairing: int, now: datetime, by: Pairing.DecidedBy, winner: Place | None = None) -> bool:
    """Decide an undecided duel that has not ended, and end its battle unrated; return whether this call did.

    By the time used, the one who used too much of it loses. Because someone left, `winner` wins, or the duel counts for
    nobody. A battle that ends by itself in this moment counts as it ended.
    """
    with transaction.atomic():
        running = Pairing.objects.filter(pk=pairing).values_list("battle_id", flat=True).get()
        if running is not None:
            # First the battle and then the pairing, as a janitor's act on the battle does.
            lock_battle(running)
        locked = Pairing.objects.select_for_update(of=("self",)).get(pk=pairing)
        if locked.decided_at is not None:
            return False
        battle = locked.battle
        if battle is None:
            decide(locked, _name_winner(locked, winner), by, now=now)
            locked.save()
            return True
        used = read_times_used([battle.number], now=now)[battle.number]
        if not end_for_event(battle_number=battle.number, now=now):
            return note_result(pairing=pairing, now=now)
        combatants = list(battle.combatants.select_related("mage").order_by("position"))
        first, second = (used[each.mage.name] for each in combatants)
        result = Result(settle_by_time(first, second)) if by == DecidedBy.TIME else _name_winner(locked, winner)
        decide(locked, result, by, now=now)
        locked.first_used, locked.second_used = first, second
        locked.first_late, locked.second_late = (each.late_turns for each in combatants)
        locked.save()
        return True


def _name_winner(pairing: Pairing, winner: Place | None) -> Pairing.Result:
    if winner is None:
        return Result.NONE
    return Result.FIRST if winner.pk == pairing.first_id else Result.SECOND


def count_forfeits(place: Place) -> int:
    """Return how many duels someone has lost in this season by missing a deadline, or for want of a mage."""
    forfeits = Pairing.objects.filter(decided_by__in=(DecidedBy.FORFEIT, DecidedBy.ABSENT))
    as_first = forfeits.filter(first=place).exclude(result=Result.FIRST)
    as_second = forfeits.filter(second=place).exclude(result=Result.SECOND)
    return as_first.count() + as_second.count()
