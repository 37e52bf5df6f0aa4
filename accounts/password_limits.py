"""Limits on guessing passwords, on the page and by email.

On the page, failures lock a network out of one name, and after more failures out of all names. Nobody else is locked
out: the owner of the name can still log in from another network. If many networks guess at one name, each of them gets
fewer tries.

By email, failures lock a name for every sender who does not prove who they are. Those emails wait for the owner to
confirm them (email_gateway.commands.held_mails).
"""

from dataclasses import dataclass

from operations.web.throttle import Throttle

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
# By email, anyone can write any sender, so the name has a limit of its own, whatever the senders. Senders count without
# their detail (the part after the +). Per sender and name, per sender, per name, and for all names together, except
# senders that are an address of the user.
MAIL_SENDER_AND_NAME = Throttle("mail-password-pair", limit=5, seconds=WINDOW)
MAIL_SENDER = Throttle("mail-password-sender", limit=20, seconds=WINDOW)
MAIL_NAME = Throttle("mail-password-name", limit=30, seconds=WINDOW)
MAIL_STRANGERS = Throttle("mail-password-all-strangers", limit=500, seconds=WINDOW)
