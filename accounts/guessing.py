"""How often a password may be guessed, on the page and by mail.

Failures lock a network out of one name, and out of all names after more of them. Nobody else is locked out with it: a
stranger who guesses at a name keeps its owner from nothing, who comes from elsewhere. Where a name is guessed at from
many networks, each of them has fewer tries at it.
"""

from dataclasses import dataclass

from fm_site.operations.throttle import Throttle

WINDOW = 15 * 60


@dataclass(frozen=True)
class GuessingLimit:
    """Failures of one kind of password: per (network, name), per network, and how many of a name slow it down.

    From `slow_from` failures of a name on, wherever they come from, a network has `tries_when_slow` tries at it.
    """

    kind: str
    tries: int
    tries_of_network: int
    slow_from: int
    tries_when_slow: int = 2

    def check(self, *, network: str, name: str) -> None:
        """Raise TooManyAttempts where this network has used up its tries, also for the right password. `name` is blank
        for nobody that we know: such tries count for the network alone."""
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
        """Let the network begin anew with this name, as its owner has just come from there."""
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
# Failures from senders that are no address of the user: of one name, and of all names together. A sender is easily
# forged, and a network is not; so a guesser has as many senders as they like. Owners write from their own address.
BY_STRANGERS = Throttle("mail-password-strangers", limit=50, seconds=WINDOW)
BY_ALL_STRANGERS = Throttle("mail-password-all-strangers", limit=500, seconds=WINDOW)
