"""Fixtures that every test has."""

from collections.abc import Iterator

import pytest

WITH_ROWS = {"db", "transactional_db", "django_db_setup", "client", "admin_client", "live_server", "settings"}


@pytest.fixture(autouse=True)
def fresh_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Rate limits and cached pages of one test are no business of the next."""
    yield
    if WITH_ROWS & set(request.fixturenames):
        from django.core.cache import cache

        cache.clear()
