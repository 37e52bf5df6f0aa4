"""Shared by the journeys: one stack (tests/services/stack.py), and a list of all secrets they used on it."""

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
    """The emails that the stack sent."""
    return Mailbox(stack, secrets_used)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the search for leaked secrets after all other journeys."""
    items.sort(key=lambda item: LAST in item.nodeid)
