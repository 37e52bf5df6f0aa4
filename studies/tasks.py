"""Background tasks of studies: a sweep over rows, which may run twice, late, or on several machines at once."""

from time import monotonic

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from ladder.selectors.statistics import list_counts_due
from operations.registry import ANALYSIS_TASK
from operations.services.chores import claim_chore, finish_chore, keeps_files, store_sums
from operations.workers import wake_worker
from studies.selectors.replay_checks import list_battles_to_replay
from studies.selectors.site_figures import count_site
from studies.services.analyses import analyse_next_turn, queue_fresh_battles
from studies.services.daily_puzzle import notify_of_daily_puzzle
from studies.services.dump import DUMP, update_dump
from studies.services.exhibitions import delete_old_exhibitions, play_exhibition
from studies.services.ladder_records import record_battle
from studies.services.own_mistakes import choose_mistakes_of_week
from studies.services.puzzles import add_committed_puzzles, search_battles
from studies.services.replay_checks import replay_battle
from studies.services.streak_notices import notify_of_ending_streaks

# How many battles one run counts or replays.
AT_A_TIME = 100
# The length of one run: the bots, who may share the worker, answer in between.
SECONDS_AT_ONCE = 2
# How many battles one run searches for puzzles, and for how long at most.
BATTLES_TO_SEARCH, SECONDS_TO_SEARCH = 20, 60


@shared_task
def analyse_battles() -> int:
    """Analyse turns of requested analyses and of battles that have just ended; return how many. Wakes itself while
    there are more."""
    queue_fresh_battles(now=timezone.now())
    done, end = 0, monotonic() + SECONDS_AT_ONCE
    while monotonic() < end:
        if not analyse_next_turn(now=timezone.now()):
            return done
        done += 1
    wake_worker(ANALYSIS_TASK)
    return done


@shared_task
def find_puzzles() -> int:
    """Add the puzzles of the program and search the next finished battles for more; return how many were added."""
    added = add_committed_puzzles()
    return added + search_battles(now=timezone.now(), limit=BATTLES_TO_SEARCH, seconds=SECONDS_TO_SEARCH)


@shared_task
def choose_own_mistakes() -> int:
    """Choose this week's puzzle from their own battles for every user who has none yet; return how many."""
    return choose_mistakes_of_week(now=timezone.now(), seconds=SECONDS_TO_SEARCH)


@shared_task
def tell_daily_puzzle() -> int:
    """Tell those who asked for it of the puzzle of the day; return how many."""
    return notify_of_daily_puzzle(now=timezone.now())


@shared_task
def tell_ending_streaks() -> int:
    """Tell users whose streak ends today, at a good hour of theirs; return how many."""
    return notify_of_ending_streaks(now=timezone.now())


@shared_task(name="studies.tasks.play_exhibition")
def run_exhibition() -> bool:
    """Play the next turn of the exhibition of the bots, if somebody watches."""
    return play_exhibition(now=timezone.now())


@shared_task(name="studies.tasks.delete_old_exhibitions")
def run_deletion_of_exhibitions() -> int:
    return delete_old_exhibitions(now=timezone.now())


@shared_task
def write_battle_dump() -> int:
    """Update the files of the dump once a night, where they are kept; return how many months were written."""
    now = timezone.now()
    chore = claim_chore(name=DUMP, now=now) if settings.FM_DUMP_TO or keeps_files() else None
    if chore is None:
        return 0
    months = update_dump(now=now)
    finish_chore(chore=chore, remark=str(months), now=timezone.now())
    return months


@shared_task
def count_finished_battles() -> int:
    """Update the ladder's records with battles that ended; return how many were added or removed."""
    return sum(
        record_battle(number=battle, times=times, now=timezone.now())
        for battle, times in list_counts_due(limit=AT_A_TIME)
    )


@shared_task
def replay_stored_battles() -> int:
    """Replay the next batch of stored battles; return how many differ. Runs several times each night."""
    now = timezone.now()
    battles = list_battles_to_replay(now=now, limit=AT_A_TIME)
    return sum(bool(replay_battle(battle=battle, now=now)) for battle in battles)


@shared_task(name="studies.tasks.count_site")
def store_numbers_of_site() -> None:
    """Count users, mages and running battles for the statistics."""
    store_sums(sums=count_site())
