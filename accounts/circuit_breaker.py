"""A circuit breaker: a server that failed is left alone for a while, so that not every page waits for it in turn."""

import time


class CircuitBreaker:
    """Open (not to be asked) for `seconds` after each failure. One for each server and process."""

    def __init__(self, seconds: float = 5.0) -> None:
        self.seconds = seconds
        self.open_until = 0.0

    @property
    def is_open(self) -> bool:
        return time.monotonic() < self.open_until

    def trip(self) -> None:
        """Note a failure."""
        self.open_until = time.monotonic() + self.seconds

    def reset(self) -> None:
        """Ask the server again at once."""
        self.open_until = 0.0
