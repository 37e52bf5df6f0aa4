"""How many days of vacation users have used, and how many they have left. Pure: rows and numbers are arguments.

A day of vacation is 24 hours from the start of the vacation, or the beginning of them, and counts in the calendar year
(UTC) in which it begins. Days after an early return don't count.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from operations.policy import Policy

DAY = timedelta(days=1)
Span = tuple[datetime, datetime]


def count_days(spans: Iterable[Span]) -> Counter[int]:
    """Return how many days these vacations, each from its start to its end, use in each year. Each uses at least one
    day."""
    days: Counter[int] = Counter()
    for start, end in spans:
        for number in range(max(1, -((start - end) // DAY))):
            days[(start + number * DAY).astimezone(UTC).year] += 1
    return days


@dataclass(frozen=True)
class VacationDays:
    """The vacation days of a user: those `used`, in each year since `first_year`, the year in which they signed up."""

    used: Counter[int]
    first_year: int
    policy: Policy

    def count_kept(self, year: int) -> int:
        """Return how many unused days of the year before count in `year` too."""
        if year <= self.first_year:
            return 0
        return min(self.policy.vacation_kept_days, max(0, self._count_left(year - 1)))

    def count_left(self, year: int) -> int:
        return max(0, self._count_left(year))

    def _count_left(self, year: int) -> int:
        return self.policy.vacation_year_days + self.count_kept(year) - self.used[year]

    def find_longest(self, start: datetime) -> int:
        """Return how many days a vacation from `start` can last. In December it can use days of the next year."""
        for days in range(1, self.policy.vacation_most_days + 1):
            planned = count_days([(start, start + days * DAY)])
            after = VacationDays(self.used + planned, self.first_year, self.policy)
            if any(after._count_left(year) < 0 for year in planned):
                return days - 1
        return self.policy.vacation_most_days
