"""The site policy: the meaning and bounds of each number, and two presets.

`Policy()` has the numbers of the rules document (preset "document"); the preset "server" has those of the classic
server. Janitors can set others (operations.models.SitePolicy).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from django.utils.dates import WEEKDAYS
from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


UNITS: dict[str, Callable[[int], str]] = {
    "days": lambda n: ngettext("%(count)s day", "%(count)s days", n) % {"count": n},
    "hours": lambda n: ngettext("%(count)s hour", "%(count)s hours", n) % {"count": n},
    "seconds": lambda n: ngettext("%(count)s second", "%(count)s seconds", n) % {"count": n},
    "minutes": lambda n: ngettext("%(count)s minute", "%(count)s minutes", n) % {"count": n},
    "points": lambda n: ngettext("%(count)s point", "%(count)s points", n) % {"count": n},
    "mages": lambda n: ngettext("%(count)s mage", "%(count)s mages", n) % {"count": n},
    "battles": lambda n: ngettext("%(count)s battle", "%(count)s battles", n) % {"count": n},
    "bots": lambda n: ngettext("%(count)s bot", "%(count)s bots", n) % {"count": n},
    "day of the month": lambda n: gettext("%(day)s (day of the month)") % {"day": n},
    "weekday": lambda n: f"{n} ({WEEKDAYS[(n - 1) % len(WEEKDAYS)]})",
    "hour": lambda n: gettext("%(hour)s o'clock UTC") % {"hour": n},
    "backups": lambda n: ngettext("%(count)s backup", "%(count)s backups", n) % {"count": n},
}

# The shortest silence of the background work, in minutes, that may count as an outage.
SHORTEST_OUTAGE = 3


@dataclass(frozen=True)
class Setting:
    """One number: its name in `Policy`, its label, its unit, and its bounds (inclusive)."""

    name: str
    words: StrOrPromise
    unit: str
    least: int
    most: int

    @property
    def bounds(self) -> str:
        """The bounds, "1 to 60 days", in the language of the page that shows them."""
        return lazy(self._write_bounds, str)()

    def _write_bounds(self) -> str:
        return gettext("%(least)s to %(most)s") % {"least": self.least, "most": self.describe(self.most)}

    def describe(self, number: int) -> str:
        """Return the number with its unit: "1 day", "21 days"."""
        return UNITS[self.unit](number)


@dataclass(frozen=True)
class PolicyProblem:
    """What is wrong with one number, and the nearest valid number."""

    name: str
    message: str
    nearest: int


def _number(default: int, least: int, most: int, unit: str, words: StrOrPromise) -> Any:
    return field(default=default, metadata={"words": words, "unit": unit, "least": least, "most": most})


@dataclass(frozen=True)
class Policy:
    """A complete set of numbers. The defaults are those of the rules document, if it gives any."""

    # FM-SLOW-2 to FM-SLOW-4; the classic server checked twice a week (FM-SLOW-1).
    classic_reminder_days: int = _number(7, 1, 60, "days", _("A mage who owes orders is reminded after"))
    classic_remind_every_hours: int = _number(84, 12, 336, "hours", _("A mage who owes orders is reminded again every"))
    classic_forfeit_days: int = _number(21, 2, 120, "days", _("A mage who owes orders forfeits after"))
    # firetop-server 6.3 and 6.4
    idle_user_days: int = _number(21, 7, 365, "days", _("A mage is not idle if their user was active in the last"))
    idle_week_days: int = _number(7, 1, 90, "days", _("A mage becomes idle after this long, times (score + 1)"))
    retired_days: int = _number(28, 7, 365, "days", _("A retired mage can stay away this long, times (score + 1)"))
    immune_points: int = _number(
        4, 0, 50, "points", _("A retired mage stays forever if their score is below the best retired mage's by at most")
    )
    mageless_warn_days: int = _number(21, 7, 365, "days", _("A user without a mage is asked to come back after"))
    mageless_close_days: int = _number(40, 14, 730, "days", _("The account of a user without a mage is closed after"))
    warning_days: int = _number(7, 1, 60, "days", _("Time to respond to a warning about a mage or an account"))
    # firetop-server 6.7
    challenge_prod_days: int = _number(5, 1, 60, "days", _("Players are reminded of an inactive challenge every"))
    challenge_close_days: int = _number(14, 2, 180, "days", _("An inactive challenge is closed after"))
    vacation_most_days: int = _number(35, 1, 120, "days", _("The longest vacation"))
    vacation_year_days: int = _number(35, 0, 365, "days", _("A user's vacation in a calendar year"))
    vacation_kept_days: int = _number(10, 0, 120, "days", _("Unused vacation kept for the next year, at most"))
    undelivered_mail_days: int = _number(
        7, 0, 60, "days", _("Undelivered email stops a mage's clock in one battle for at most")
    )
    absence_most_days: int = _number(
        14, 1, 120, "days", _("The others choose what to do once a mage's absences in one battle reach")
    )
    late_orders_seconds: int = _number(
        2, 0, 60, "seconds", _("Orders still count if they arrive after the forfeit moment by at most")
    )
    wins_that_count: int = _number(
        3, 1, 1000, "battles", _("Wins over one user within 30 days that score and rate, at most")
    )
    living_mages: int = _number(12, 1, 1000, "mages", _("Living mages of one user, at most"))
    new_mages_a_day: int = _number(5, 1, 1000, "mages", _("New mages of one user within 24 hours, at most"))
    # firetop-server 5.2: on that server, deaths in a battle among one user's mages were real.
    practice_deaths: int = _number(0, 0, 1, "mages", _("A death in practice costs the user"))
    signup_keep_days: int = _number(
        14, 1, 365, "days", _("A sign-up with no confirmed address and no mage is kept for")
    )
    guest_keep_days: int = _number(30, 1, 365, "days", _("An inactive guest is kept for"))
    # They measure the bots; 0 turns them off. A battle costs a minute or two of computing.
    bot_battles_a_day: int = _number(4, 0, 48, "battles", _("Battles between bots, each day"))
    # Cups are made by this schedule; one that is made already keeps its day.
    knockout_day: int = _number(10, 1, 28, "day of the month", _("The knock-out of a month begins on"))
    evening_weekday: int = _number(7, 1, 7, "weekday", _("Live evenings, every fourth week, are on"))
    evening_hour: int = _number(19, 0, 23, "hour", _("Live evenings begin at"))
    round_robin_weekday: int = _number(6, 1, 7, "weekday", _("The weekly round robin of bots is on"))
    round_robin_hour: int = _number(12, 0, 23, "hour", _("The round robin of bots begins at"))
    # They fill places that people leave free; the least number of entrants is of people.
    knockout_bots: int = _number(0, 0, 5, "bots", _("Bots that fill free places of a knock-out, at most"))
    evening_bots: int = _number(0, 0, 5, "bots", _("Bots that fill free places of a live evening, at most"))
    notice_keep_days: int = _number(180, 30, 3650, "days", _("Notices are kept for"))
    backups_kept: int = _number(7, 1, 90, "backups", _("Nightly backups kept"))
    outage_minutes: int = _number(10, SHORTEST_OUTAGE, 720, "minutes", _("The site counts as down after a silence of"))
    outbox_minutes: int = _number(30, 5, 1440, "minutes", _("Outgoing email counts as stuck after waiting for"))
    stuck_remind_hours: int = _number(24, 1, 168, "hours", _("Janitors are reminded of a turn that is stuck every"))
    stuck_remind_live_minutes: int = _number(
        30, 5, 1440, "minutes", _("In a live battle, janitors are first reminded of a turn that is stuck after")
    )


SETTINGS: dict[str, Setting] = {
    number.name: Setting(number.name, **{key: number.metadata[key] for key in ("words", "unit", "least", "most")})
    for number in fields(Policy)
}
PRESETS: dict[str, Policy] = {
    "document": Policy(),
    "server": Policy(
        classic_reminder_days=4,
        classic_remind_every_hours=24,
        classic_forfeit_days=14,
        wins_that_count=1000,
        living_mages=1000,
        new_mages_a_day=1000,
        practice_deaths=1,
    ),
}
# Not shown to players.
FOR_JANITORS = ("backups_kept", "outage_minutes", "outbox_minutes")
# The first must be less than the second: a reminder must come before the event it announces.
ORDERED = (
    ("classic_reminder_days", "classic_forfeit_days"),
    ("mageless_warn_days", "mageless_close_days"),
    ("challenge_prod_days", "challenge_close_days"),
)


def find_policy_problems(numbers: Mapping[str, int]) -> list[PolicyProblem]:
    """Return every problem of these numbers as a Policy; missing ones have their default."""
    whole = asdict(Policy()) | dict(numbers)
    problems = [_out_of_bounds(SETTINGS[name], whole[name]) for name in SETTINGS]
    problems += [_out_of_order(first, second, whole) for first, second in ORDERED]
    return [problem for problem in problems if problem]


def _out_of_bounds(setting: Setting, number: int) -> PolicyProblem | None:
    if setting.least <= number <= setting.most:
        return None
    nearest = min(max(number, setting.least), setting.most)
    message = gettext("%(label)s: %(number)s. Choose %(least)s to %(most)s.") % {
        "label": setting.words,
        "number": setting.describe(number),
        "least": setting.least,
        "most": setting.describe(setting.most),
    }
    return PolicyProblem(setting.name, message, nearest)


def _out_of_order(first: str, second: str, numbers: Mapping[str, int]) -> PolicyProblem | None:
    if numbers[first] < numbers[second]:
        return None
    early, late = SETTINGS[first], SETTINGS[second]
    message = gettext("%(label)s: %(number)s. This must be less than %(other)s.") % {
        "label": early.words,
        "number": early.describe(numbers[first]),
        "other": late.describe(numbers[second]),
    }
    return PolicyProblem(first, message, max(numbers[second] - 1, early.least))


def describe_policy(policy: Policy) -> list[tuple[str, str]]:
    """Return the label and value of each number that players may see."""
    public = (setting for setting in SETTINGS.values() if setting.name not in FOR_JANITORS)
    return [(str(setting.words), setting.describe(getattr(policy, setting.name))) for setting in public]
