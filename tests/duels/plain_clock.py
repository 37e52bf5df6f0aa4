"""A simple model of a clock: it goes hour by hour, and counts each hour that matters."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from tests.scenes import HOUR

ALARM_SHARE = 0.8


@dataclass
class PlainClock:
    """One mage who owes orders from the beginning on; everything happens at whole hours. All lengths are in hours."""

    began: datetime
    allowed: int
    pace_grace: int
    extension: int
    # The time zone, and the hour at which eight hours of sleep begin; weekends are free with it.
    zone: str | None = None
    night: int = 23
    hour: int = 0
    used: int = 0
    owes: bool = True
    away_until: int = 0
    # A vacation that begins after the alarm comes too late.
    is_in_time: bool = False
    paused_until: int = 0
    grace: int = 0
    warned: bool = False
    dead: bool = False
    extensions: int = 0

    def __post_init__(self) -> None:
        self.grace = self.pace_grace

    @property
    def now(self) -> datetime:
        return self.began + self.hour * HOUR

    def pass_hours(self, hours: int, *, out_of_order: bool = False) -> None:
        for _ in range(hours):
            counts = self.owes and not (self.is_away or self.is_paused or out_of_order or self.is_asleep)
            self.used += counts
            self.hour += 1

    @property
    def is_away(self) -> bool:
        return self.is_in_time and self.hour < self.away_until

    @property
    def is_paused(self) -> bool:
        return self.hour < self.paused_until

    @property
    def is_asleep(self) -> bool:
        if self.zone is None:
            return False
        local = self.now.astimezone(ZoneInfo(self.zone))
        return local.weekday() >= 5 or (local.hour - self.night) % 24 < 8

    def go_away(self, until: datetime) -> None:
        if self.hour >= self.away_until:
            self.is_in_time = self.is_before_alarm
        self.away_until = (until - self.began) // HOUR

    @property
    def is_before_alarm(self) -> bool:
        return self.used < self.allowed * ALARM_SHARE

    def come_back(self) -> None:
        self.away_until = min(self.away_until, self.hour)

    def order(self) -> None:
        self.owes = False
        self.come_back()

    def take_back(self) -> None:
        self.owes = True
        self.come_back()

    def lengthen(self) -> None:
        self.allowed = max(self.allowed, min(self.used, self.allowed + self.grace)) + self.extension
        self.grace, self.warned, self.extensions = self.pace_grace, False, self.extensions + 1
        self.is_in_time |= self.is_before_alarm

    def sweep(self) -> None:
        """The final notice when the time is over, and death when the whole grace after it is."""
        if not self.owes or self.is_away or self.is_paused:
            return
        if self.warned:
            self.dead = self.used >= self.allowed + self.grace
        elif self.used >= self.allowed:
            self.warned = True
            self.grace = max(self.grace, self.used - self.allowed + self.pace_grace)
