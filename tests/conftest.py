"""Fixtures in the place of pytest-django's, and the duel that tests of most apps begin with.

In a plugin, the former would lose: among plugins, the last one wins.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage
from tests.services.saved_scenes import SavedScene, save_scene


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Copy a database with tables instead of making them again (tests/services/ready_cluster.py). SQLite's is a file,
    as on a site: in one that is only in memory, a thread does not wait for another one's locks, but fails."""
    from django.db import connection

    if template := os.environ.get("FM_TEST_TEMPLATE"):
        connection.settings_dict["TEST"]["TEMPLATE"] = template
    if connection.vendor == "sqlite":
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        connection.settings_dict["TEST"]["NAME"] = str(Path(os.environ["FM_DATA_DIR"]) / f"test-{worker}.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any) -> None:
    """Create the groups of janitors, which a database without migrations lacks."""
    if request.config.getoption("nomigrations"):
        from django.contrib.auth.models import Group

        from accounts.janitors import JANITORS, READ_ONLY_JANITORS

        with django_db_blocker.unblock():
            for name in (JANITORS, READ_ONLY_JANITORS):
                Group.objects.get_or_create(name=name)


def start_duel() -> Fight:
    return start_fight(make_mage("Froodal"), make_mage("Bung"))


saved_duel = save_scene(start_duel)


@pytest.fixture
def duel(db: None, saved_duel: SavedScene[Fight]) -> Fight:
    """Froodal against Bung, each with their own user."""
    return saved_duel.begin()


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the site's clock: a page that is read twice says the same of how much time is left."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
