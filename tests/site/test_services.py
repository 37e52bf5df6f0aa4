"""The tests use real servers."""

import os

import pytest
from django.core.cache import cache
from django.db import connection


@pytest.mark.django_db
def test_rows_are_in_the_requested_database():
    expected = "sqlite" if os.environ["DATABASE_URL"].startswith("sqlite") else "postgresql"
    assert connection.vendor == expected


@pytest.mark.django_db
def test_the_cache_is_a_real_server():
    cache.set("somebody", "here", 5)
    assert cache._cache.get_client().info("server")["server_name"] == "valkey"


@pytest.mark.django_db
def test_each_test_starts_with_an_empty_cache():
    assert cache.get("somebody") is None
