"""Limits on guessing passwords, on the page and by email.

Failures lock a network out of one name, and after more failures out of all names. Nobody else is locked out: the owner
of the name can still log in from another network. If many networks guess at one name, each of them gets fewer tries.
"""

from dataclasses import dataclass

from fm_site.operations.web.throttle import Throttle

WINDOW = 15 * 60


@dataclass(frozen=True)
class GuessingLimit:
    """Limits for one kind of password: per (network, name), per network, and the failures that slow a name down.

    Once a name has `slow_from` failures from anywhere, each network has only `tries_when_slow` tries at it.
    """

    kind: str
    tries: int
    tries_of_network: int
    slow_from: int
    tries_when_slow: int = 2

    def check(self, *, network: str, name: str) -> None:
        """Raise TooManyAttempts if this network has used up its attempts, even for the right password. `name` is
        blank for an unknown user; such attempts count for the network only."""
        slow = self._of_name.count_of(name) >= self.slow_from
        pair = self._pair(self.tries_when_slow if slow else self.tries)
        pair.check(f"{network} {name}" if name else "")
        self._of_network.check(network)

    def count(self, *, network: str, name: str) -> None:
        """Record a failure."""
        self._pair(self.tries).count(f"{network} {name}" if name else "")
        self._of_network.count(network)
        self._of_name.count(name)

    def forget(self, *, network: str, name: str) -> None:
        """Reset the network's tries at this name, since its owner has just logged in from there."""
        self._pair(self.tries).forget(f"{network} {name}")

    def _pair(self, limit: int) -> Throttle:
        return Throttle(f"{self.kind}-pair", limit=limit, seconds=WINDOW)

    @property
    def _of_network(self) -> Throttle:
        return Throttle(f"{self.kind}-network", limit=self.tries_of_network, seconds=WINDOW)

    @property
    def _of_name(self) -> Throttle:
        return Throttle(f"{self.kind}-name", limit=self.slow_from, seconds=WINDOW)


ON_THE_PAGE = GuessingLimit("password", tries=5, tries_of_network=50, slow_from=30)
BY_MAIL = GuessingLimit("mail-password", tries=5, tries_of_network=20, slow_from=30)
# Limits on failures from senders that are not the user's own address: per name, and for all names together. Unlike a
# network, a sender is easily forged, so a guesser can use any number. Owners write from their own address.
BY_STRANGERS = Throttle("mail-password-strangers", limit=50, seconds=WINDOW)
BY_ALL_STRANGERS = Throttle("mail-password-all-strangers", limit=500, seconds=WINDOW)
