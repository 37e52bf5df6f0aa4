"""A simple model of a year: who owes orders since when, and which notices each user gets when.

It knows only times and durations, and nothing about how the site stores or finds them.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from tests.scenes import DAY

NOTHING = timedelta(0)
# For each pace: the time, the grace, the first reminder, and the time between reminders, in days.
PACES = {"classic": (19, 2, 7, 3.5), "slow": (10, 2, 5, 3), "fast": (3, 1, 1.5, 1.5)}
LONG_ABSENCE = 14 * DAY
# How long undelivered email stops a clock in one battle, in all.
MUTE_TIME = 7 * DAY
Told = Counter[tuple[str, str]]


@cache
def list_steps(pace: str) -> tuple[tuple[timedelta, str], ...]:
    """Return what happens to a mage without orders, and after how much time on their clock, in order."""
    return tuple(_go_through(*PACES[pace]))


def _go_through(time: float, grace: float, first: float, every: float) -> Iterator[tuple[timedelta, str]]:
    alarm, reminder = time * 0.8, first
    while reminder < alarm:
        yield reminder * DAY, "deadline_reminder"
        reminder += every
    yield alarm * DAY, "deadline_alarm"
    yield time * DAY, "deadline_final"
    yield (time + grace) * DAY, "forfeit"


@dataclass(eq=False)
class Player:
    """A user and their one mage, if it is alive. `away_until` is the end of a vacation; `is_mute`: emails are lost."""

    name: str
    active: datetime
    address: str = ""
    mage: str | None = None
    mage_active: datetime | None = None
    mageless_since: datetime | None = None
    score: int = 0
    best_score: int = 0
    is_retired: bool = False
    is_closed: bool = False
    is_mute: bool = False
    away_until: datetime | None = None
    back_since: datetime | None = None
    free_since: datetime | None = None
    warned_at: datetime | None = None
    # When they last missed the first deadline of a battle in which they never moved.
    stayed_away_at: datetime | None = None
    busy: bool = False
    # The site needs to do nothing about them before then, unless something changes.
    well_until: datetime | None = None

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self.__dict__["well_until"] = value if name == "well_until" else None

    def scores(self, score: int) -> None:
        self.score, self.best_score = score, max(self.best_score, score)

    def acts(self, now: datetime, *, with_mage: bool = True) -> None:
        """The player does something: that ends a warning, and any time without working email."""
        self.active, self.is_mute = now, False
        if with_mage:
            self.mage_active = now

    def come_home(self, now: datetime) -> None:
        if self.away_until is not None:
            self.away_until, self.back_since = None, now

    def rests_since(self, moment: datetime) -> datetime:
        return max(moment, self.back_since or moment)

    @property
    def current_warning(self) -> datetime | None:
        """The warning, unless the player has been active or come back since."""
        own = self.mage_active if self.mage and self.mage_active else self.active
        last = max(self.active, own, self.back_since or own)
        return self.warned_at if self.warned_at and self.warned_at >= last else None


@dataclass(eq=False)
class Waiting:
    """One mage who owes orders: their clock, and how many of its steps are done."""

    player: Player
    pace: str
    since: datetime | None
    used: timedelta = NOTHING
    taken: int = 0

    def stop(self, now: datetime) -> None:
        self.used, self.since = self.used_at(now), None

    def used_at(self, now: datetime) -> timedelta:
        return self.used if self.since is None else self.used + (now - self.since)

    def is_before_alarm(self, now: datetime) -> bool:
        return self.used_at(now) < PACES[self.pace][0] * 0.8 * DAY

    def run(self, now: datetime) -> None:
        if self.since is None:
            self.since = now

    @property
    def next_step(self) -> tuple[datetime, str] | None:
        if self.since is None:
            return None
        length, what = list_steps(self.pace)[self.taken]
        return self.since + length - self.used, what


@dataclass(eq=False)
class Duel:
    """A duel of two players; `waiting` has those who owe orders."""

    pace: str
    players: tuple[Player, Player]
    waiting: dict[str, Waiting] = field(default_factory=dict)
    absences: dict[str, timedelta] = field(default_factory=dict)
    absent_since: dict[str, datetime] = field(default_factory=dict)
    # Whose vacation stops the clocks of this turn: it began before the alarm.
    on_vacation: set[str] = field(default_factory=set)
    mute: dict[str, timedelta] = field(default_factory=dict)
    mute_since: dict[str, datetime] = field(default_factory=dict)
    told_long: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    missed_at: dict[str, datetime] = field(default_factory=dict)
    surrendered: bool = False
    is_over: bool = False

    def ask(self, now: datetime) -> None:
        self.told_long.clear()
        self.on_vacation.clear()
        for player in self.players:
            self.waiting[player.name] = Waiting(player, self.pace, now)
        self.look_who_is_there(now)

    def look_who_is_there(self, now: datetime) -> None:
        """Run the clocks unless someone is on vacation, but not that of a player without email; add up absences."""
        for name, waiting in self.waiting.items():
            if waiting.player.away_until is None:
                self.on_vacation.discard(name)
            elif waiting.is_before_alarm(now):
                self.on_vacation.add(name)
            if waiting.player.is_mute and self.mute_until(name, now) > now:
                self.mute_since.setdefault(name, now)
            else:
                self.end_mute(name, now)
            if name in self.on_vacation or name in self.mute_since:
                self.absent_since.setdefault(name, now)
            else:
                self.end_absence(name, now)
        for name, waiting in self.waiting.items():
            if self.on_vacation or name in self.mute_since:
                waiting.stop(now)
            else:
                waiting.run(now)

    def mute_until(self, name: str, now: datetime) -> datetime:
        return self.mute_since.get(name, now) + MUTE_TIME - self.mute.get(name, NOTHING)

    def end_mute(self, name: str, now: datetime) -> None:
        since = self.mute_since.pop(name, now)
        self.mute[name] = self.mute.get(name, NOTHING) + (now - since)

    def end_absence(self, name: str, now: datetime) -> None:
        since = self.absent_since.pop(name, now)
        self.absences[name] = self.absences.get(name, NOTHING) + (now - since)

    def find_long_absences(self) -> Iterator[tuple[datetime, Player]]:
        """When each absence becomes long, unless there was a notice of it in this turn."""
        for name, since in self.absent_since.items():
            if name in self.waiting and name not in self.told_long:
                left = LONG_ABSENCE - self.absences.get(name, NOTHING)
                yield since + max(left, NOTHING), self.waiting[name].player

    @property
    def next_moments(self) -> Iterator[datetime]:
        yield from (waiting.next_step[0] for waiting in self.waiting.values() if waiting.next_step)
        yield from (moment for moment, _ in self.find_long_absences())
        yield from (self.mute_until(name, since) for name, since in self.mute_since.items())

    def order(self, player: Player, now: datetime, *, surrenders: bool) -> Told:
        del self.waiting[player.name]
        self.moved.add(player.name)
        self.end_absence(player.name, now)
        self.end_mute(player.name, now)
        self.on_vacation.discard(player.name)
        self.surrendered |= surrenders
        if self.waiting:
            self.look_who_is_there(now)
            return Counter()
        if self.surrendered:
            return self.end(now)
        self.ask(now)
        return Counter()

    def end(self, now: datetime) -> Told:
        self.is_over = True
        self.waiting.clear()
        for player in self.players:
            player.busy, player.free_since = False, now
        return Counter(("battle_finished", player.name) for player in self.players)

    def pass_to(self, now: datetime) -> tuple[Told, list[Player]]:
        """Take every step that is due, and return the notices and the players whose mages die.

        Nobody dies in a duel with a player who never moved, for the first time in a year.
        """
        told: Told = Counter()
        for _, absent in [each for each in self.find_long_absences() if each[0] <= now]:
            self.told_long.add(absent.name)
            told.update(("absence_long", each.name) for each in self.players if each is not absent)
        fallen = []
        for waiting in list(self.waiting.values()):
            step = waiting.next_step
            if step is None or step[0] > now:
                continue
            late, what = waiting.player, step[1]
            waiting.taken += 1
            if what == "forfeit":
                fallen.append(late)
                continue
            if what == "deadline_final":
                self.missed_at.setdefault(late.name, now)
            told[what, late.name] += 1
            if what != "deadline_alarm":
                told.update(("opponent_late", each.name) for each in self.players if each is not late)
        for _ in fallen:
            told.update(("mage_forfeited", each.name) for each in self.players)
        spared = [player for player in fallen if self.is_spared(player)]
        dead = [] if spared else fallen
        if fallen:
            told.update(self.end(now))
        for player in dead:
            player.mage, player.mageless_since = None, now
        return told, dead

    def is_spared(self, player: Player) -> bool:
        """Whether the player never moved, for the first time in a year (no simulation is longer); note that."""
        if player.name in self.moved:
            return False
        before, player.stayed_away_at = player.stayed_away_at, self.missed_at[player.name]
        return before is None


@dataclass(eq=False)
class Call:
    """A challenge of one mage to another, last changed at `touched`."""

    challenger: Player
    invited: Player
    touched: datetime
    reminded_at: datetime | None = None
    closed_at: datetime | None = None
    is_over: bool = False

    @property
    def rests_since(self) -> datetime:
        return self.challenger.rests_since(self.touched)

    @property
    def next_step(self) -> tuple[datetime, str]:
        """A reminder every five days, the end after fourteen, but never within four days of a reminder."""
        since = self.rests_since
        if self.challenger.away_until:
            return datetime.max.replace(tzinfo=since.tzinfo), ""
        if self.reminded_at is None or self.reminded_at <= since:
            return since + 5 * DAY, "challenge_prodded"
        end = max(since + 14 * DAY, self.reminded_at + 4 * DAY)
        reminder = self.reminded_at + 5 * DAY
        return (end, "challenge_closed") if end <= reminder else (reminder, "challenge_prodded")


def find_rest_due(player: Player, score: int | None = None) -> tuple[datetime, timedelta, str] | None:
    """Return the earliest time of the next step for an idle player, the longest delay, and the step. The time depends
    on the mage's score, or on `score`, such as that of the site's last check.

    A free mage may rest for a week, a week more for each point, and a day; the user for three weeks; the warning comes
    a week before. The site checks every day who was busy, and every week who had a mage or is exempt.
    """
    if player.is_closed or player.away_until or (player.mage and player.busy):
        return None
    user_rests = player.rests_since(player.active)
    warned = player.current_warning
    if player.mage is None:
        if warned:
            return max(user_rests + 41 * DAY, warned + 7 * DAY), NOTHING, "user_closed"
        return user_rests + 22 * DAY, 7 * DAY, "user_mageless_warning"
    assert player.mage_active is not None
    days = (28 if player.is_retired else 7) * ((player.score if score is None else score) + 1) + 1
    due = max(player.rests_since(player.mage_active) + days * DAY, user_rests + 21 * DAY)
    if not warned:
        return due, DAY, "mage_retired_warning" if player.is_retired else "mage_idle_warning"
    stays = player.score > 0 and not player.is_retired
    return max(due, warned + 7 * DAY), DAY, "mage_was_retired" if stays else "mage_was_removed"
