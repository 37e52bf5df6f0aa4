"""The schedule of background tasks. Every task is a sweep: it may run late, twice, or on several machines.

A run that no worker takes in time expires, so that a restarted worker does not find a pile of them, and a busy one
still gets some.
"""

from datetime import datetime, timedelta
from typing import Any
from zlib import crc32

from celery.schedules import crontab, schedstate, schedule

Schedule = dict[str, dict[str, Any]]

# The role of the beat that works, and how long it may be silent before another one takes over (fm_site/beat.py).
POST = "beat"
LEASE = timedelta(seconds=60)
SHORTEST_LIFE_SECONDS = 30
# Celery wakes 10 ms before the time that a schedule names, and then asks it without a pause until that time has come.
# So we name one that is a little later.
LATER_SECONDS = 0.015


class AtOwnMoment(schedule):  # type: ignore[misc]
    """Runs a task every `seconds`, at an offset derived from its name.

    Celery's own schedule counts from the start of beat, which runs all tasks of a minute at the same moment: they then
    wait for the database and for each other, which wakes an idle machine more often than the tasks do.
    """

    def __init__(self, seconds: float, task: str) -> None:
        super().__init__(seconds)
        self.task = task
        self.moment = crc32(task.encode()) % (1000 * seconds) / 1000

    def remaining_estimate(self, last_run_at: datetime) -> timedelta:
        """Return the time until the first of the moments after `last_run_at`; negative if it has passed."""
        since = (last_run_at.timestamp() - self.moment) % self.seconds
        due: datetime = last_run_at + timedelta(seconds=self.seconds - since)
        left: timedelta = due - self.now()
        return left

    def is_due(self, last_run_at: datetime) -> schedstate:
        """Return whether the task is due, and the seconds until beat must ask again."""
        left = self.remaining_estimate(self.maybe_make_aware(last_run_at)).total_seconds()
        if left > 0:
            return schedstate(False, left + LATER_SECONDS)
        return schedstate(True, self.remaining_estimate(self.now()).total_seconds())


def every(seconds: float, task: str) -> Schedule:
    """Return the entry that runs `task` (its dotted name) every `seconds`."""
    when = AtOwnMoment(seconds, task)
    return {task: {"task": task, "schedule": when, "options": {"expires": max(seconds, SHORTEST_LIFE_SECONDS)}}}


def every_night(task: str) -> Schedule:
    """Return the entry that runs `task` every ten minutes from 03:00 to 06:00 UTC."""
    return {task: {"task": task, "schedule": crontab(minute="*/10", hour="3-5"), "options": {"expires": 600}}}


def once_a_night(task: str) -> Schedule:
    """Return the entry that runs `task` at 04:00 UTC."""
    return {task: {"task": task, "schedule": crontab(minute="0", hour="4"), "options": {"expires": 3600}}}


def every_sunday_night(task: str) -> Schedule:
    """Return the entry that runs `task` on Sundays, every ten minutes from 04:00 to 07:00 UTC.

    The later runs repeat what failed, and reach a worker of the machine that can do it.
    """
    when = crontab(minute="*/10", hour="4-6", day_of_week="sunday")
    return {task: {"task": task, "schedule": when, "options": {"expires": 600}}}


# What a worker that died may have left: a worker that starts runs these at once.
LEFT_BY_A_DEAD_WORKER = (
    "duels.tasks.sweep_unresolved_battles",
    "email_gateway.tasks.sweep_inbound_mail",
    "email_gateway.tasks.sweep_deliveries",
    "duels.tasks.answer_for_bots",
)


BEAT_SCHEDULE: Schedule = {
    **every(30, "operations.tasks.watch_parts_of_site"),
    **every(60, "fm_site.upkeep.tasks.watch_site"),
    **every(21_600, "fm_site.upkeep.tasks.watch_certificate"),
    **every(60, "notifications.tasks.sweep_announcements"),
    # These four are woken as soon as there is something to do; the sweep finds what a lost wake-up missed.
    **every(30, "email_gateway.tasks.sweep_inbound_mail"),
    **every(30, "email_gateway.tasks.sweep_deliveries"),
    **every(30, "duels.tasks.answer_for_bots"),
    **every(30, "challenges.tasks.seat_bots"),
    # Woken by requests for an analysis.
    **every(60, "studies.tasks.analyse_battles"),
    **every(3600, "email_gateway.tasks.tidy_mail"),
    # The last orders resolve a turn at once; this finds turns left by a process that died in between.
    **every(30, "duels.tasks.sweep_unresolved_battles"),
    **every(20, "duels.tasks.sweep_deadlines"),
    **every(300, "duels.tasks.sweep_absences"),
    **every(3600, "duels.tasks.start_missing_clocks"),
    **every(300, "duels.tasks.retry_stuck_battles"),
    **every(60, "duels.tasks.remind_of_stuck_battles"),
    **every(30, "studies.tasks.count_finished_battles"),
    **every(120, "ladder.tasks.refresh_places"),
    **every(120, "studies.tasks.count_site"),
    **every(60, "duels.tasks.note_spectators"),
    # A turn of the exhibition each time, while somebody watches it.
    **every(20, "studies.tasks.play_exhibition"),
    **every(3600, "studies.tasks.delete_old_exhibitions"),
    **every_night("fm_site.upkeep.tasks.back_up_site"),
    **every_sunday_night("fm_site.upkeep.tasks.drill_restore_weekly"),
    **every(3600, "fm_site.upkeep.tasks.tidy_site"),
    **every_night("studies.tasks.replay_stored_battles"),
    **every(30, "ladder.tasks.sweep_unrated_battles"),
    **once_a_night("studies.tasks.find_puzzles"),
    **once_a_night("studies.tasks.choose_own_mistakes"),
    **every(900, "studies.tasks.tell_daily_puzzle"),
    **every(900, "studies.tasks.tell_ending_streaks"),
    **every_night("studies.tasks.write_battle_dump"),
    **once_a_night("ladder.tasks.watch_pairs_nightly"),
    **once_a_night("ladder.tasks.check_scores_nightly"),
    **every(60, "challenges.tasks.sweep_invitations"),
    **every(60, "challenges.tasks.sweep_challenges"),
    **every(30, "challenges.tasks.tell_of_seeks"),
    **every(60, "challenges.tasks.sweep_hosted_duels"),
    **every(300, "challenges.tasks.sweep_stale_challenges"),
    **every(600, "challenges.tasks.sweep_idle_mages"),
    **every(900, "challenges.tasks.start_bot_battles"),
    **every(30, "challenges.tasks.tell_of_room"),
    **every(3600, "challenges.tasks.delete_old_room_lines"),
    **every(60, "league.tasks.run_league"),
    # A round of a live evening has minutes.
    **every(20, "league.tasks.run_cups"),
    **every(600, "accounts.tasks.sweep_absent_users"),
    **every(300, "accounts.tasks.sweep_vacations"),
    **every(60, "accounts.tasks.post_events"),
    **every(60, "moderation.tasks.sweep_sanctions"),
}
# With DEBUG only: the people of the demonstration play on.
DEMONSTRATION_SCHEDULE: Schedule = every(20, "fm_site.demonstration.tasks.play_on")
