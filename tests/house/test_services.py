"""The servers that the tests stand on are real ones."""

import os

import pytest
from django.core.cache import cache
from django.db import connection


@pytest.mark.django_db
def test_rows_live_in_the_database_that_was_asked_for():
    expected = "sqlite" if os.environ["DATABASE_URL"].startswith("sqlite") else "postgresql"
    assert connection.vendor == expected


@pytest.mark.django_db
def test_the_cache_is_a_real_server():
    cache.set("somebody", "here", 5)
    assert cache._cache.get_client().info("server")["server_name"] == "valkey"


@pytest.mark.django_db
def test_one_test_leaves_nothing_in_the_cache_of_the_next():
    assert cache.get("somebody") is None
