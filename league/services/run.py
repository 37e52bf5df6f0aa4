"""The life of the league: everything that is due, in order. Each step is safe to repeat, late, or twice at once."""

from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models import F, Q

from league.models import Pairing, Season
from league.models.season import DRAWN_BEFORE, WEEK
from league.selectors.seasons import find_last_season, find_open_season
from league.services.draw import draw_season, seat_waiting
from league.services.final_tables import write_final_table
from league.services.leaving import remove_closed_accounts, take_forfeited_places
from league.services.results import end_duel, note_result
from league.services.rounds import begin_duel, begin_round, list_duels_to_begin
from league.services.tell import tell_of_end
from operations.sweeps import act_on_each

# Seasons begin on a Monday, when it is evening in Europe and noon in America.
FIRST_DAY = 0
BEGINS_AT = time(18, tzinfo=UTC)


def process_league(*, now: datetime) -> int:
    """Do everything in the league that is due at `now`; return how much that was.

    A duel that cannot be processed is logged and tried again in the next run, and keeps no other one waiting.
    """
    season = make_next_season(now=now)
    done = remove_closed_accounts(season=season, now=now)
    if draw_season(season=season, now=now):
        done += 1
    done += note_results(now=now)
    season.refresh_from_db()
    done += take_forfeited_places(season=season, now=now) + seat_waiting(season=season)
    while begin_round(season=season, now=now):
        done += 1
        season.refresh_from_db()
    done += act_on_each(list_duels_to_begin(season), lambda pairing: begin_duel(pairing=pairing, now=now))
    if season.started_at is not None and now >= season.ends_at:
        done += end_season(season=season, now=now)
    return done


def make_next_season(*, now: datetime) -> Season:
    """Return the season that runs or comes next, made if there is none."""
    season = find_open_season()
    while season is None:
        last = find_last_season()
        number, begins_at = (last.number + 1, last.next_begins_at) if last else (1, find_first_day(now))
        while begins_at - DRAWN_BEFORE <= now:
            begins_at += WEEK
        # Of two workers, one makes it.
        Season.objects.bulk_create([Season(number=number, begins_at=begins_at)], ignore_conflicts=True)
        season = find_open_season()
    return season


def find_first_day(now: datetime) -> datetime:
    """Return when the first season begins: on the second Monday from now, so that there is a week to sign up."""
    day = now.astimezone(UTC).date()
    day += timedelta(days=(FIRST_DAY - day.weekday()) % 7 + 7)
    return datetime.combine(day, BEGINS_AT)


def note_results(*, now: datetime) -> int:
    """Note the results of the duels that ended, also of those that were reopened and ended again in the last season;
    return how many changed."""
    ended = Pairing.objects.filter(group__isnull=False, battle__finished_at__isnull=False)
    fresh = ended.filter(decided_at=None)
    last = find_last_season()
    again = ended.filter(
        Q(group__season__closed_at=None) | Q(group__season=last), battle__finished_at__gt=F("decided_at")
    ).exclude(decided_by=Pairing.DecidedBy.LEFT)
    found = [*fresh.order_by("pk").values_list("pk", flat=True), *again.order_by("pk").values_list("pk", flat=True)]
    return act_on_each(found, lambda pairing: note_result(pairing=pairing, now=now))


def end_season(*, season: Season, now: datetime) -> int:
    """End a season whose time is up: settle its duels by the time used, and make its tables final, once; return how
    much was done."""
    open_duels = Pairing.objects.filter(group__season=season, decided_at=None)
    done = act_on_each(
        list(open_duels.order_by("pk").values_list("pk", flat=True)),
        lambda pairing: end_duel(pairing=pairing, now=now, by=Pairing.DecidedBy.TIME),
    )
    with transaction.atomic():
        locked = Season.objects.select_for_update().get(pk=season.pk)
        if locked.closed_at is not None or open_duels.exists():
            return done
        for group in locked.groups.all():
            write_final_table(group=group)
        locked.closed_at = now
        locked.save(update_fields=["closed_at"])
        tell_of_end(season=locked, now=now)
    make_next_season(now=now)
    return done + 1
