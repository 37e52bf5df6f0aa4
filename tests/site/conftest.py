"""Fixtures of the site's tests."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from fm_site import vitals


@pytest.fixture
def noted_migrations(settings):
    """A database made without migrations, which is quicker, lists those it would have had."""
    settings.MIGRATION_MODULES = {}
    vitals._own_migrations.cache_clear()
    recorder = MigrationRecorder(connection)
    for app, name in vitals.list_unapplied_migrations():
        recorder.record_applied(app, name)
    yield
    vitals._own_migrations.cache_clear()
