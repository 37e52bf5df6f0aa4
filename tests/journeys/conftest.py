"""What the journeys share: one stack (tests/services/stack.py), and the memory of all secrets they used on it."""

import pytest

from tests.journeys.letterbox import Mailbox
from tests.journeys.secrets_used import Secrets
from tests.services.stack import Stack

LAST = "test_nothing_lies_about"


@pytest.fixture(scope="session")
def secrets_used() -> Secrets:
    return Secrets()


@pytest.fixture(scope="session")
def mailbox(stack: Stack, secrets_used: Secrets) -> Mailbox:
    """What the stack mailed out."""
    return Mailbox(stack, secrets_used)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever looks for what the journeys left lying about comes after all of them."""
    items.sort(key=lambda item: LAST in item.nodeid)
