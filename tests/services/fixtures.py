"""Fixtures that every test has; those in the place of pytest-django's are in tests/conftest.py."""

from collections.abc import Iterator
from typing import Any

import pytest

WITH_ROWS = {"db", "transactional_db", "django_db_setup", "client", "admin_client", "live_server", "settings"}


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Use a fast password hash: Argon2 is slow on purpose, and these tests do not test hashing. The stacks of the
    journeys keep it."""
    from django.test import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_teardown() -> Iterator[None]:
    """After a test with real transactions, delete what it wrote (tests/services/empty_tables.py)."""
    from django.test import TransactionTestCase

    from tests.services.empty_tables import empty_tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


@pytest.fixture(autouse=True)
def proven_janitors(request: pytest.FixtureRequest) -> Iterator[None]:
    """A janitor whom a test logs in by force has proven a second factor, as if on the page. Tests of this check are
    marked `unproven`."""
    if request.node.get_closest_marker("unproven"):
        yield
        return
    from django.test import Client

    from tests.services.second_factors import prove

    force = Client.force_login

    def force_login(client: Client, user: Any, backend: str | None = None) -> None:
        force(client, user, backend)
        if user.is_staff:
            prove(client, user)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "force_login", force_login)
        yield


@pytest.fixture(autouse=True)
def fresh_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Empty the cache, so that no rate limit or cached page reaches the next test."""
    yield
    if WITH_ROWS & set(request.fixturenames):
        from django.core.cache import cache

        cache.clear()


@pytest.fixture
def lasting_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the cache keep everything until a test that counts queries ends: on a slow machine some of it would expire
    between two pages that are compared."""
    from fm_site.serving.resilient_cache import CountingCache

    monkeypatch.setattr(CountingCache, "get_backend_timeout", lambda cache, timeout=None: None)


@pytest.fixture(autouse=True)
def own_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests play in the future, but the database's clock does not: skip the comparison of clocks, unless the test's
    module sets COMPARES_CLOCKS."""
    has_rows = request.node.get_closest_marker("django_db") or WITH_ROWS & set(request.fixturenames)
    if has_rows and not getattr(request.module, "COMPARES_CLOCKS", False):
        from datetime import timedelta

        monkeypatch.setattr("operations.clock_check.measure_difference", lambda: timedelta(0))
