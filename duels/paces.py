"""The paces of battles: how long players have to send orders, and when they are reminded. Pure: no rows.

A pace sets the time for one stage of a turn. At its end the final notice is sent and the grace period begins; at the
end of that, the mage dies (FM-SLOW-6). The numbers of "classic" are site policy (FM-SLOW-2 to FM-SLOW-4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from operations.policy import Policy

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
# The last part of the classic time is grace: two days, but never more than a quarter of it.
CLASSIC_GRACE = timedelta(days=2)
# How often players can take extra time in one battle.
MOST_EXTENSIONS = 2
# The pauses on offer in a battle whose turns take less than a day.
SHORT_PAUSES = (15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, DAY)


# How long the first turn of a live battle waits for its players.
PRESENCE_TIME = 10 * MINUTE
# How long the first turn waits before a player who is ready can call the battle off; the second is for live battles.
FIRST_WAIT, FIRST_WAIT_LIVE = DAY, MINUTE
# The pace without a clock, for battles against bots.
OWN = "own"
# The pace of knock-out cups.
TWO_DAYS = "twoday"
# The paces whose titles say how long a turn takes.
NAMED_BY_TIME = ("day", TWO_DAYS, "threeday")
# The names of live paces begin like this.
LIVE = "live"


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
    """How fast a battle goes. `title` is its name for people.

    `time` is the time for one stage (with a `bank`, the bank's first balance), and `grace` follows it. A reminder is
    sent after `remind_after` and then every `remind_every` (None: never). `extension` is the length of one extension,
    taken or given. `rests` says whether clocks may rest at night and on weekends.
    """

    name: str
    title: str | Promise
    time: timedelta
    grace: timedelta
    remind_after: timedelta | None
    remind_every: timedelta | None
    extension: timedelta
    bank: Bank | None = None
    rests: bool = True

    @property
    def is_live(self) -> bool:
        """Whether all players must be at their screens: the first turn waits until everyone says that they are here."""
        return is_live(self.name)

    @property
    def longest(self) -> timedelta:
        """The time from the start of the stage to the mage's death."""
        return self.time + self.grace


def _classic(policy: Policy) -> Pace:
    whole = timedelta(days=policy.classic_forfeit_days)
    grace = min(CLASSIC_GRACE, whole / 4)
    return Pace(
        "classic",
        gettext_lazy("classic pace"),
        time=whole - grace,
        grace=grace,
        remind_after=timedelta(days=policy.classic_reminder_days),
        remind_every=timedelta(hours=policy.classic_remind_every_hours),
        extension=3 * DAY,
    )


def _live(name: str, time: int, grace: int) -> Pace:
    """Return a live pace of so many seconds, without reminders: nobody reads email within minutes."""
    title, second = gettext_lazy("live pace"), timedelta(seconds=1)
    return Pace(name, title, time * second, grace * second, None, None, extension=MINUTE, rests=False)


def _same(pace: Pace) -> Callable[[Policy], Pace]:
    return lambda policy: pace


_PACES: dict[str, Callable[[Policy], Pace]] = {
    "classic": _classic,
    "slow": _same(Pace("slow", gettext_lazy("slow pace"), 10 * DAY, 2 * DAY, 5 * DAY, 3 * DAY, extension=2 * DAY)),
    "fast": _same(Pace("fast", gettext_lazy("fast pace"), 3 * DAY, DAY, 36 * HOUR, 36 * HOUR, extension=DAY)),
    "day": _same(Pace("day", gettext_lazy("daily pace"), 18 * HOUR, 6 * HOUR, 12 * HOUR, DAY, extension=12 * HOUR)),
    TWO_DAYS: _same(
        Pace(TWO_DAYS, gettext_lazy("two-day pace"), 36 * HOUR, 12 * HOUR, 24 * HOUR, 36 * HOUR, extension=DAY)
    ),
    "threeday": _same(
        Pace("threeday", gettext_lazy("three-day pace"), 54 * HOUR, 18 * HOUR, 36 * HOUR, 36 * HOUR, extension=DAY)
    ),
    "bank": _same(
        Pace(
            "bank",
            gettext_lazy("time bank"),
            240 * HOUR,
            DAY,
            120 * HOUR,
            72 * HOUR,
            extension=DAY,
            bank=Bank(240 * HOUR, 36 * HOUR, 240 * HOUR),
        )
    ),
    "live1": _same(_live("live1", 40, 20)),
    "live3": _same(_live("live3", 150, 30)),
    "live5": _same(_live("live5", 240, 60)),
    "live": _same(
        Pace("live", gettext_lazy("live pace"), 10 * MINUTE, 2 * MINUTE, None, None, extension=5 * MINUTE, rests=False),
    ),
    # Against bots only. Nobody is kept waiting, so its clock is only there to end abandoned battles.
    OWN: _same(Pace(OWN, gettext_lazy("no clock"), 24 * DAY, 4 * DAY, None, None, extension=7 * DAY, rests=False)),
}
ALL_PACES = tuple(_PACES)
# The paces on offer in challenges.
PACES = tuple(name for name in _PACES if name not in (OWN, TWO_DAYS))


def is_pace(name: object) -> bool:
    """Return whether there is a pace called `name`, in challenges, in cups or against bots."""
    return name in _PACES


def is_live(name: object) -> bool:
    """Return whether the pace called `name` has all players at their screens."""
    return str(name).startswith(LIVE)


def get_pace(name: str, policy: Policy) -> Pace:
    """Return the pace called `name`, with the numbers of the site's policy. Raises KeyError."""
    return _PACES[name](policy)


def name_pace(name: object, *, weekends: bool = False, nights: bool = False) -> str:
    """Return the pace's name and when its clocks rest ("fast pace, clocks rest on weekends"), or "" for no pace."""
    if name not in _PACES:
        return ""
    called = str(_PACES[str(name)](Policy()).title)
    return ", ".join(words for words in (called, describe_rest(weekends=weekends, nights=nights)) if words)


def describe_pace(pace: Pace) -> str:
    """Return the pace in a few words: "classic pace, 21 days a turn"; its name alone if that says the time."""
    if pace.name in (OWN, *NAMED_BY_TIME):
        return str(pace.title)
    if pace.bank:
        bank = pace.bank
        words = {"start": span(bank.start), "increment": span(bank.increment)}
        return _("time bank of %(start)s, %(increment)s more each turn") % words
    return _("%(pace)s, %(time)s a turn") % {"pace": pace.title, "time": span(pace.longest)}


def explain_pace(pace: Pace) -> str:
    """Return sentences that explain the pace's deadlines."""
    if pace.name == OWN:
        return _("Take as long as you like. A battle ends if you leave it alone for %(time)s.") % {
            "time": span(pace.longest)
        }
    if pace.bank:
        bank = pace.bank
        sentences = [
            _("Each mage has a bank of %(start)s. Every turn adds %(increment)s, up to %(most)s.")
            % {"start": span(bank.start), "increment": span(bank.increment), "most": span(bank.most)},
            _("When it is empty, the final notice is sent, and %(grace)s later the mage dies.")
            % {"grace": span(pace.grace)},
        ]
    elif pace.is_live:
        sentences = [
            _("A mage whose player sends no orders for %(time)s dies.") % {"time": span(pace.longest)},
            _(
                "The clocks start when every player is here. If that takes more than %(wait)s, the battle is called "
                "off at no cost."
            )
            % {"wait": span(PRESENCE_TIME)},
        ]
    else:
        sentences = [
            _("After %(time)s without orders, the final notice is sent, and %(grace)s later the mage dies.")
            % {"time": span(pace.time), "grace": span(pace.grace)}
        ]
    if pace.remind_after and pace.remind_every and pace.remind_after + pace.remind_every >= pace.time:
        sentences.append(_("A reminder is sent after %(after)s.") % {"after": span(pace.remind_after)})
    elif pace.remind_after and pace.remind_every:
        sentences.append(
            _("Reminders are sent after %(after)s and then every %(every)s.")
            % {"after": span(pace.remind_after), "every": span(pace.remind_every)}
        )
    return " ".join(sentences)


def explain_time(pace: Pace) -> str:
    """Return sentences that explain the pace's deadlines, and what happens to a mage who never moves."""
    return explain_pace(pace) if pace.name == OWN else f"{explain_pace(pace)} {explain_never_moved()}"


def explain_never_moved() -> str:
    return _(
        "A mage whose player never sends any orders lives: a duel is called off, and a melee continues without them. "
        "The second time in a year, the mage dies."
    )


def explain_first_wait() -> str:
    return _(
        "Until the first turn resolves, a player whose orders are in can call the battle off once it has waited "
        "%(wait)s for the others, in a live battle %(live)s; in a melee, everyone who is ready must agree. No score, "
        "rating or record changes. A pause is kept, and a duel of a league or cup ends by the rules of that."
    ) % {"wait": span(FIRST_WAIT), "live": span(FIRST_WAIT_LIVE)}


def list_pauses(pace: Pace) -> tuple[timedelta, ...]:
    """Return the pauses on offer, the usual one first; empty where players enter a number of days."""
    return SHORT_PAUSES if pace.longest < DAY else ()


def span(length: timedelta) -> str:
    """Return a length of time in its two largest units: "21 days", "3 days 12 hours", "36 hours", "10 minutes"."""
    minutes = round(length.total_seconds() / 60)
    if minutes >= 2880 or minutes == 1440:
        units = (count_days(minutes // 1440), count_hours(minutes % 1440 // 60))
    else:
        units = (count_hours(minutes // 60), count_minutes(minutes % 60))
    return " ".join(unit for unit in units if unit)


def count_days(number: int) -> str:
    """Return "1 day", "2 days", or "" for none."""
    return ngettext("%(n)s day", "%(n)s days", number) % {"n": number} if number else ""


def count_hours(number: int) -> str:
    """Return "1 hour", "2 hours", or "" for none."""
    return ngettext("%(n)s hour", "%(n)s hours", number) % {"n": number} if number else ""


def count_minutes(number: int) -> str:
    """Return "1 minute", "2 minutes", or "" for none."""
    return ngettext("%(n)s minute", "%(n)s minutes", number) % {"n": number} if number else ""


def describe_rest(*, weekends: bool, nights: bool) -> str:
    """Return when clocks rest ("clocks rest on weekends and at night"), or "" if they never do."""
    if weekends and nights:
        return _("clocks rest on weekends and at night")
    if weekends:
        return _("clocks rest on weekends")
    return _("clocks rest at night") if nights else ""
