"""The paces of battles: how long a mage may owe orders, and when he is reminded. Numbers alone: nothing here is a row.

A pace gives time for a stage of a turn. At its end comes the final notice, then the grace, and then the mage dies of it
(FM-SLOW-6). What the numbers of "classic" are is the house's policy (FM-SLOW-2 to FM-SLOW-4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from fm_site.operations.policy import Policy

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
# Of the classic days before a mage dies, so much is grace; less where that would be more than a quarter of them.
CLASSIC_GRACE = timedelta(days=2)
# So often a mage may take more time for himself in one battle.
MOST_EXTENSIONS = 2
# How long a battle may pause in which a turn takes less than a day.
SHORT_PAUSES = (15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, DAY)


@dataclass(frozen=True)
class Bank:
    """Time that is saved up: `start` at the beginning, `increment` more for each turn, never more than `most`."""

    start: timedelta
    increment: timedelta
    most: timedelta

    def fill(self, left: timedelta) -> timedelta:
        """Return what is in a bank for a new turn when `left` was in it."""
        return min(left + self.increment, self.most)


@dataclass(frozen=True)
class Pace:
    """How fast a battle goes. `time` is for one stage (with a `bank` it is what the bank begins with), `grace` follows
    it. The mage is reminded after `remind_after` and every `remind_every` from then on (None: never). `extension` is
    what one more "I need time" or "take your time" brings. `rests` says whether the clock may rest at night and on
    weekends."""

    name: str
    title: str
    time: timedelta
    grace: timedelta
    remind_after: timedelta | None
    remind_every: timedelta | None
    extension: timedelta
    bank: Bank | None = None
    rests: bool = True

    @property
    def longest(self) -> timedelta:
        """From the first moment to the death."""
        return self.time + self.grace


def _classic(policy: Policy) -> Pace:
    whole = timedelta(days=policy.classic_forfeit_days)
    grace = min(CLASSIC_GRACE, whole / 4)
    return Pace(
        "classic",
        "Classic",
        time=whole - grace,
        grace=grace,
        remind_after=timedelta(days=policy.classic_reminder_days),
        remind_every=timedelta(hours=policy.classic_remind_every_hours),
        extension=3 * DAY,
    )


def _same(pace: Pace) -> Callable[[Policy], Pace]:
    return lambda policy: pace


_PACES: dict[str, Callable[[Policy], Pace]] = {
    "classic": _classic,
    "slow": _same(Pace("slow", "Slow", 10 * DAY, 2 * DAY, 5 * DAY, 3 * DAY, extension=2 * DAY)),
    "fast": _same(Pace("fast", "Fast", 3 * DAY, DAY, 36 * HOUR, 36 * HOUR, extension=DAY)),
    "bank": _same(
        Pace(
            "bank",
            "Time bank",
            240 * HOUR,
            DAY,
            120 * HOUR,
            72 * HOUR,
            extension=DAY,
            bank=Bank(240 * HOUR, 36 * HOUR, 240 * HOUR),
        )
    ),
    "live": _same(
        Pace("live", "Live", 10 * MINUTE, 2 * MINUTE, None, None, extension=5 * MINUTE, rests=False),
    ),
}
PACES = tuple(_PACES)


def get_pace(name: str, policy: Policy) -> Pace:
    """Return a pace by its name, with the house's numbers. Raises KeyError."""
    return _PACES[name](policy)


def name_pace(name: object, *, weekends: bool = False, nights: bool = False) -> str:
    """Call a pace by its name alone, and say when its clocks rest: "fast pace, clocks rest on weekends"; "" for a name
    that is none."""
    if name not in _PACES:
        return ""
    pace = _PACES[str(name)](Policy())
    called = pace.title.lower() if pace.bank else f"{pace.title.lower()} pace"
    return ", ".join(words for words in (called, describe_rest(weekends=weekends, nights=nights)) if words)


def describe_pace(pace: Pace) -> str:
    """Say a pace in a few words: "classic, 21 days a turn"."""
    if pace.bank:
        bank = pace.bank
        return f"time bank of {span(bank.start)}, {span(bank.increment)} more each turn"
    return f"{pace.title.lower()} pace, {span(pace.longest)} a turn"


def explain_pace(pace: Pace) -> str:
    """Say in sentences what happens when."""
    if pace.bank:
        bank = pace.bank
        time = (
            f"Each mage has a bank of {span(bank.start)}. Every turn adds {span(bank.increment)}, up to "
            f"{span(bank.most)}. When it is empty, the final notice is sent"
        )
    else:
        time = f"After {span(pace.time)} without orders, the final notice is sent"
    reminded = ""
    if pace.remind_after and pace.remind_every:
        reminded = f" Reminders are sent after {span(pace.remind_after)} and then every {span(pace.remind_every)}."
    return f"{time}, and {span(pace.grace)} later the mage dies.{reminded}"


def list_pauses(pace: Pace) -> tuple[timedelta, ...]:
    """The lengths that a pause is offered in, the usual one first; empty where a number of days is asked for."""
    return SHORT_PAUSES if pace.longest < DAY else ()


def span(length: timedelta) -> str:
    """Write a length of time in its two largest units: "21 days", "3 days 12 hours", "36 hours", "10 minutes"."""
    minutes = round(length.total_seconds() / 60)
    if minutes >= 2880 or minutes == 1440:
        units = (_count(minutes // 1440, "day"), _count(minutes % 1440 // 60, "hour"))
    else:
        units = (_count(minutes // 60, "hour"), _count(minutes % 60, "minute"))
    return " ".join(unit for unit in units if unit)


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}" if number else ""


def describe_rest(*, weekends: bool, nights: bool) -> str:
    """Say when clocks rest: "clocks rest on weekends and at night"; "" where they never do."""
    when = [words for words, rests in (("on weekends", weekends), ("at night", nights)) if rests]
    return f"clocks rest {' and '.join(when)}" if when else ""
