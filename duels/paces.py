"""The paces of battles: how long players have to send orders, and when they are reminded. Pure: no rows.

A pace sets the time for one stage of a turn. At its end the final notice is sent and the grace period begins; at the
end of that, the mage dies (FM-SLOW-6). The numbers of "classic" are site policy (FM-SLOW-2 to FM-SLOW-4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from fm_site.operations.policy import Policy

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
# The last part of the classic time is grace: two days, but never more than a quarter of it.
CLASSIC_GRACE = timedelta(days=2)
# How often players can take extra time in one battle.
MOST_EXTENSIONS = 2
# The pauses on offer in a battle whose turns take less than a day.
SHORT_PAUSES = (15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, DAY)


@dataclass(frozen=True)
class Bank:
    """A time bank: `start` at first, plus `increment` for each turn, up to `most`."""

    start: timedelta
    increment: timedelta
    most: timedelta

    def fill(self, left: timedelta) -> timedelta:
        """Return the balance for a new turn, given what was `left`."""
        return min(left + self.increment, self.most)


@dataclass(frozen=True)
class Pace:
    """How fast a battle goes.

    `time` is the time for one stage (with a `bank`, the bank's first balance), and `grace` follows it. A reminder is
    sent after `remind_after` and then every `remind_every` (None: never). `extension` is the length of one extension,
    taken or given. `rests` says whether clocks may rest at night and on weekends.
    """

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
        """The time from the start of the stage to the mage's death."""
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
    """Return the pace called `name`, with the numbers of the site's policy. Raises KeyError."""
    return _PACES[name](policy)


def name_pace(name: object, *, weekends: bool = False, nights: bool = False) -> str:
    """Return the pace's name and when its clocks rest ("fast pace, clocks rest on weekends"), or "" for no pace."""
    if name not in _PACES:
        return ""
    pace = _PACES[str(name)](Policy())
    called = pace.title.lower() if pace.bank else f"{pace.title.lower()} pace"
    return ", ".join(words for words in (called, describe_rest(weekends=weekends, nights=nights)) if words)


def describe_pace(pace: Pace) -> str:
    """Return the pace in a few words: "classic pace, 21 days a turn"."""
    if pace.bank:
        bank = pace.bank
        return f"time bank of {span(bank.start)}, {span(bank.increment)} more each turn"
    return f"{pace.title.lower()} pace, {span(pace.longest)} a turn"


def explain_pace(pace: Pace) -> str:
    """Return sentences that say what happens when."""
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
    """Return the pauses on offer, the usual one first; empty where players enter a number of days."""
    return SHORT_PAUSES if pace.longest < DAY else ()


def span(length: timedelta) -> str:
    """Return a length of time in its two largest units: "21 days", "3 days 12 hours", "36 hours", "10 minutes"."""
    minutes = round(length.total_seconds() / 60)
    if minutes >= 2880 or minutes == 1440:
        units = (_count(minutes // 1440, "day"), _count(minutes % 1440 // 60, "hour"))
    else:
        units = (_count(minutes // 60, "hour"), _count(minutes % 60, "minute"))
    return " ".join(unit for unit in units if unit)


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}" if number else ""


def describe_rest(*, weekends: bool, nights: bool) -> str:
    """Return when clocks rest ("clocks rest on weekends and at night"), or "" if they never do."""
    when = [words for words, rests in (("on weekends", weekends), ("at night", nights)) if rests]
    return f"clocks rest {' and '.join(when)}" if when else ""
