"""Fixtures that every test has."""

from collections.abc import Iterator

import pytest

WITH_ROWS = {"db", "transactional_db", "django_db_setup", "client", "admin_client", "live_server", "settings"}


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Argon2 takes its time on purpose; what is tested here is not how passwords are hashed. The stacks of the
    journeys keep it."""
    from django.test import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def fresh_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Rate limits and cached pages of one test are no business of the next."""
    yield
    if WITH_ROWS & set(request.fixturenames):
        from django.core.cache import cache

        cache.clear()
