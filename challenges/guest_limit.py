"""How many guests one network may create."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest

from challenges.errors import ChallengeRefused
from operations.errors import TooManyAttempts
from operations.web.client_address import client_address, network_of
from operations.web.throttle import Throttle

# How many guests one network may create in an hour. A whole town of phones can share an address.
GUESTS_OF_NETWORK = Throttle("guests", limit=30, seconds=3600)


@contextmanager
def limit_guests(request: HttpRequest, *, is_new: bool = True) -> Iterator[None]:
    """Count the block as a new guest of the request's network if it succeeds. Raises ChallengeRefused before that."""
    if not is_new:
        yield
        return
    network = network_of(client_address(request))
    try:
        GUESTS_OF_NETWORK.check(network)
    except TooManyAttempts as error:
        raise ChallengeRefused("guests_of_network") from error
    yield
    GUESTS_OF_NETWORK.count(network)
