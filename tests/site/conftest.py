"""Fixtures of the site's tests."""

import logging

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from fm_site.upkeep import health_checks
from tests.challenges.conftest import bots
from tests.services.postgres import PROGRAMS

__all__ = ["bots", "fight", "programs", "quiet", "recorded_migrations"]


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


@pytest.fixture
def fight(duel):
    """A duel in its second turn."""
    duel.turn("P/-", "W/-")
    return duel


@pytest.fixture
def programs(settings, tmp_path):
    """Our own PostgreSQL's programs make the backups."""
    settings.FM_POSTGRES_PROGRAMS = str(PROGRAMS / "pginstall" / "bin")
    settings.FM_BACKUP_DIR = tmp_path / "backups"


@pytest.fixture
def quiet():
    """Silence logging: thousands of rejections would fill the test report."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
