"""The exhibition of the bots: a turn every 20 seconds, only while somebody watches, and it counts nowhere."""

from datetime import timedelta
from functools import partial

import pytest
from django.apps import apps
from django.db import connection

from duels.selectors.spectators import EXHIBITION, place_of_board
from operations.presence import lose_page, see_pages
from rules_engine import Viewer
from studies.models import Exhibition
from studies.selectors.exhibitions import find_exhibition, show_exhibition
from studies.services.exhibitions import begin_exhibition, delete_old_exhibitions, play_exhibition
from tests.bots import bring_bots
from tests.races import at_once, count_statements, run_until_killed
from tests.scenes import NOW

SECOND = timedelta(seconds=1)


@pytest.fixture
def bots():
    bring_bots(now=NOW)


@pytest.fixture
def watcher(bots):
    see_pages({place_of_board(EXHIBITION): ["a page"]})
    yield
    lose_page(place_of_board(EXHIBITION), "a page")


@pytest.mark.django_db
class TestOnlyWhileSomebodyWatches:
    def test_nothing_begins_before_somebody_watches(self, bots):
        assert not play_exhibition(now=NOW)
        assert not Exhibition.objects.exists()

    def test_it_begins_and_plays_a_turn_every_20_seconds(self, watcher):
        assert play_exhibition(now=NOW)
        assert not play_exhibition(now=NOW + 10 * SECOND)
        for turn in (1, 2, 3):
            assert play_exhibition(now=NOW + 20 * turn * SECOND)
            assert not play_exhibition(now=NOW + (20 * turn + 10) * SECOND)
            assert find_exhibition().turns == turn

    def test_it_stands_still_while_nobody_watches_and_then_goes_on(self, watcher):
        play_exhibition(now=NOW)
        lose_page(place_of_board(EXHIBITION), "a page")
        assert not play_exhibition(now=NOW + 60 * SECOND)
        assert find_exhibition().turns == 0
        see_pages({place_of_board(EXHIBITION): ["a page"]})
        assert play_exhibition(now=NOW + 120 * SECOND)
        assert find_exhibition().turns == 1

    def test_bots_of_two_strengths_play_to_the_end_and_the_next_one_begins_after_a_while(self, watcher):
        moment = NOW
        play_exhibition(now=moment)
        first = find_exhibition()
        assert len(set(first.bots)) == 2
        while find_exhibition().is_running:
            moment += 20 * SECOND
            assert play_exhibition(now=moment)
        ended = find_exhibition()
        assert ended.pk == first.pk and ended.turns <= 60
        assert not play_exhibition(now=moment + 20 * SECOND)
        assert play_exhibition(now=moment + 40 * SECOND)
        assert find_exhibition().pk != first.pk


@pytest.mark.django_db
def test_spectators_see_what_all_mages_see(watcher):
    play_exhibition(now=NOW)
    for turn in (1, 2, 3, 4):
        play_exhibition(now=NOW + 20 * turn * SECOND)
    shown = show_exhibition(find_exhibition())
    assert shown.view.viewer == Viewer.spectator() and shown.view.own is None
    assert [row.is_bot for row in shown.view.combatants] == [True, True]
    assert [story.label for story in shown.view.stories] == ["1", "2", "3", "4"]


@pytest.mark.django_db
def test_it_writes_no_row_but_its_own_and_is_deleted_after_a_day(watcher):
    def count_rows():
        return {model: model._base_manager.count() for model in apps.get_models() if model._meta.managed}

    before = count_rows()
    play_exhibition(now=NOW)
    for turn in range(1, 8):
        play_exhibition(now=NOW + 20 * turn * SECOND)
    assert count_rows() == before | {Exhibition: 1}
    assert delete_old_exhibitions(now=NOW + timedelta(hours=23)) == 0
    assert delete_old_exhibitions(now=NOW + timedelta(hours=24)) == 1
    assert count_rows() == before
    connection.check_constraints()


@pytest.mark.django_db
def test_nothing_begins_where_there_are_no_two_bots(watcher):
    from accounts.models import User

    User.objects.filter(is_bot=True).exclude(bot_strength="Warder").update(is_active=False)
    assert begin_exhibition(now=NOW) is None
    assert not play_exhibition(now=NOW)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestNothingHappensTwice:
    def test_two_workers_begin_one_exhibition(self, watcher):
        answers = at_once(*[partial(play_exhibition, now=NOW)] * 4)
        assert sorted(answers) == [False, False, False, True]
        assert Exhibition.objects.count() == 1

    def test_two_workers_play_one_turn(self, watcher):
        play_exhibition(now=NOW)
        for turn in range(1, 6):
            answers = at_once(*[partial(play_exhibition, now=NOW + 20 * turn * SECOND)] * 3)
            assert sorted(answers) == [False, False, True]
            exhibition = find_exhibition()
            assert exhibition.turns == turn == len(exhibition.played)

    def test_a_worker_that_is_killed_delays_a_turn_and_repeats_none(self, watcher):
        play_exhibition(now=NOW)
        moment = NOW + 20 * SECOND
        statements = count_statements(partial(play_exhibition, now=moment))
        assert find_exhibition().turns == 1
        for at in range(1, statements + 1):
            before = find_exhibition().turns
            moment += 20 * SECOND
            assert run_until_killed(partial(play_exhibition, now=moment), at=at)
            assert find_exhibition().turns - before in (0, 1)
            moment += 20 * SECOND
            assert play_exhibition(now=moment) or not find_exhibition().is_running
            exhibition = find_exhibition()
            assert exhibition.turns == len(exhibition.played)
            if not exhibition.is_running:
                return

    def test_a_turn_that_comes_late_changes_nothing(self, watcher):
        play_exhibition(now=NOW)
        stale = find_exhibition()
        play_exhibition(now=NOW + 20 * SECOND)
        from studies.services.exhibitions import _play_turn

        assert not _play_turn(stale, NOW + 60 * SECOND)
        assert find_exhibition().turns == 1
