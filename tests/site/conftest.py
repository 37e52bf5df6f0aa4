"""Fixtures of the site's tests."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from fm_site.upkeep import health_checks
from tests.duels.conftest import duel

__all__ = ["duel", "recorded_migrations"]


@pytest.fixture
def recorded_migrations(settings):
    """A database made without migrations, which is quicker, lists those it would have had."""
    settings.MIGRATION_MODULES = {}
    health_checks._own_migrations.cache_clear()
    recorder = MigrationRecorder(connection)
    for app, name in health_checks.list_unapplied_migrations():
        recorder.record_applied(app, name)
    yield
    health_checks._own_migrations.cache_clear()
