"""A circuit breaker: a failed server is not asked for a while, so that not every page has to wait for it."""

import time


class CircuitBreaker:
    """Open (do not ask) for `seconds` after each failure. Use one for each server and process."""

    def __init__(self, seconds: float = 5.0) -> None:
        self.seconds = seconds
        self.open_until = 0.0

    @property
    def is_open(self) -> bool:
        return time.monotonic() < self.open_until

    def trip(self) -> None:
        self.open_until = time.monotonic() + self.seconds
