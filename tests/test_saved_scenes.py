"""Scenes that are played once in a process (tests/services/saved_scenes.py)."""

from django.db import connection

from accounts.models import User
from duels.models import Battle
from tests.conftest import start_duel
from tests.scenes import make_user
from tests.services.empty_tables import find_filled_tables
from tests.services.saved_scenes import SavedScene, write_insert


def test_a_saved_scene_leaves_nothing_and_comes_back_with_every_value_and_can_be_played_on(db):
    scene = SavedScene(start_duel)
    assert find_filled_tables(connection) == []
    fight = scene.begin()
    assert [write_insert(table) for table in find_filled_tables(connection)] == scene.statements != []
    before = fight.key()
    fight.turn("P/-", "W/-")
    assert fight.key() > before and Battle.objects.get() == fight.battle
    assert make_user("Ayla").pk > max(fight.user(name).pk for name in fight.names)


def test_a_saved_scene_is_played_where_its_numbers_may_be_taken(db):
    scene = SavedScene(start_duel)
    make_user("Ayla")
    fight = scene.begin()
    fight.turn("P/-", "W/-")
    assert {user.username for user in User.objects.all()} == {"Ayla", "Froodal_user", "Bung_user"}
