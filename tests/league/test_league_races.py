"""Workers of the league that are killed anywhere, or run three at once, and players who act at the same moment: every
duel begins once, every place is taken once, and nobody is forgotten."""

import os
import random
from functools import partial

import pytest

from accounts.models import User
from duels.models import Battle
from league.errors import LeagueRefused
from league.models import Pairing, Place, Season
from league.services import leaving
from league.services.entries import leave, sign_up
from notifications.models import Notice
from tests.league.world import League
from tests.races import at_once, run_until_killed, slow_down
from tests.scenes import make_mage

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
KILLS = 40 if os.environ.get("FM_TEST_LONG") == "1" else 3
WORKERS = 3
FIVE = ("Ada", "Bela", "Cora", "Dana", "Edda")


def check(season):
    """Every duel that has begun has a battle of its own, and there is no other battle; nobody was told twice."""
    begun = Pairing.objects.filter(battle__isnull=False)
    assert Battle.objects.count() == begun.count()
    assert Notice.objects.filter(kind="battle_started").count() == 2 * begun.count()
    assert not begun.filter(group__season=season, round__gt=season.round).exists()
    assert Place.objects.filter(group__season=season).count() in (0, 5)
    for place in Place.objects.filter(group__season=season):
        assert place.pairings_as_first.count() + place.pairings_as_second.count() == 7


def run_and_kill(league, chance):
    """Run the worker until nothing is due, and kill it again and again on the way."""
    for _ in range(KILLS):
        run_until_killed(league.run, at=chance.randint(1, 90))
        check(league.season)
    while league.run():
        check(Season.objects.latest("number"))


def run_together(league, chance):
    """Run several workers at once until nothing is due."""
    results = at_once(*[league.run] * WORKERS)
    assert not [result for result in results if isinstance(result, Exception)], results
    while league.run():
        pass


@pytest.mark.parametrize("run", [run_and_kill, run_together])
def test_a_season_is_the_same_however_its_workers_die_or_meet(run):
    league, chance = League(), random.Random(run.__name__)
    league.enter(*FIVE)
    league.run()
    season = league.season
    for moment in (season.draws_at, season.begins_at, season.begin_of_round(2)):
        league.now = moment
        run(league, chance)
        check(league.season)
    league.go_to(season.begin_of_round(7))
    for pairing in Pairing.objects.filter(decided_at=None, second__isnull=False)[:4]:
        league.draw(pairing)
    league.now = league.season.ends_at
    run(league, chance)
    assert list(Season.objects.order_by("number").values_list("number", "round")) == [(1, 7), (2, 0)]
    assert sorted(Place.objects.values_list("rank", flat=True)) == [1, 2, 3, 4, 5]
    assert not Pairing.objects.filter(decided_at=None).exists()
    assert not Battle.objects.filter(finished_at=None).exists()


def test_newcomers_who_sign_up_together_get_different_places_or_none():
    league = League()
    league.enter(*FIVE)
    league.begin_season()
    mages = [make_mage(f"New{letter}") for letter in "abcde"]
    results = at_once(*[partial(sign_up, user=mage.user, mage=mage, now=league.now) for mage in mages])
    assert not [result for result in results if isinstance(result, Exception)], results
    assert sorted(Place.objects.values_list("slot", flat=True)) == [1, 2, 3, 4, 5, 6, 7, 8]
    mage = make_mage("Newf")
    results = at_once(*[partial(sign_up, user=mage.user, mage=mage, now=league.now)] * 3)
    assert sorted(isinstance(result, LeagueRefused) for result in results) == [False, True, True]


def test_leaving_as_a_round_begins_leaves_no_running_duel():
    league = League()
    league.enter(*FIVE)
    league.begin_season()
    for number, name in ((2, "Ada"), (3, "Bela")):
        league.now = league.season.begin_of_round(number)
        user = User.objects.get(pk=league.user(name).pk)
        results = at_once(league.run, partial(leave, user=user, at_once=True, now=league.now), league.run)
        assert not [result for result in results if isinstance(result, Exception)], results
        place = league.place(name)
        mine = Pairing.objects.filter(first=place) | Pairing.objects.filter(second=place)
        assert not mine.filter(battle__isnull=False, battle__finished_at=None).exists()
        assert not mine.filter(decided_at=None, second__isnull=False).exists()


def test_a_newcomer_is_not_paired_with_someone_who_is_losing_their_place(monkeypatch):
    league = League()
    league.enter(*FIVE)
    league.begin_season()
    place, mage = league.place("Ada"), make_mage("Newa")
    monkeypatch.setattr(leaving, "loses_results", slow_down(leaving.loses_results))
    results = at_once(
        partial(leaving.leave_place, place=place, reason=Place.LeftFor.FORFEITS, now=league.now),
        slow_down(partial(sign_up, user=mage.user, mage=mage, now=league.now), 0.2),
    )
    assert not [result for result in results if isinstance(result, Exception)], results
    new = Place.objects.get(user=mage.user)
    together = Pairing.objects.filter(first__in=(place, new), second__in=(place, new))
    assert not together.filter(decided_at=None).exists()
