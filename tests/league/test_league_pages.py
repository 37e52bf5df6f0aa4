"""The pages of the league: who stands where, what is running, and what each reader may do there."""

import re

import pytest
from django.utils import timezone

from tests.html import flat
from tests.league.world import League
from tests.scenes import DAY, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]
EIGHT = ("Ada", "Bela", "Cora", "Dana", "Edda", "Fred", "Gero", "Hilda")


@pytest.fixture
def league(db):
    """A league whose clock began ten weeks ago: pages ask the real one."""
    return League(now=timezone.now() - 70 * DAY)


def show(path, user=None):
    answer = log_in(user).get(path)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", flat(answer)))


def test_a_league_is_told_from_its_first_entrant_to_its_hall_of_fame(league):
    assert "Nobody has signed up yet. With four mages, a season begins by itself." in show("/league/")
    league.enter(*EIGHT)
    league.run()
    assert "Sign up until" in show("/league/")
    ada = league.user("Ada")
    assert "Ada is in." in show("/league/", ada)
    league.go_to(league.season.draws_at)
    group = "/league/1/1/"
    page = show(group, ada)
    assert "Until then each pair can choose a time bank." in page and "I want a time bank" in page
    league.begin_season()
    first = next(each for each in league.duels_of("Ada") if each.round == 1)
    other = league.other(first, "Ada").mage.name
    page = show(group, ada)
    assert f"{other} Turn 1: your move" in page and "Play turn 1" in page and "0 of 7 played" in page
    assert "Time used: Ada" in page
    league.win(first, "Ada")
    league.run()
    page = show(group, ada)
    assert f"You beat {other} in turn 1." in page and "1 of 7 played" in page
    assert "Ada leads with 1 of 1." in show("/league/") and "Place 1 of 8." in show("/league/", ada)
