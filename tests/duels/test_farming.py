"""Farming, from the battles to the janitors' list: one user's twelve mages surrender to a hero in turn 1."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.services.mages import register_mage
from fm_site.schedule import BEAT_SCHEDULE
from ladder.models import PairWatch, UserRating
from ladder.selectors.scores import scores_by_kind
from ladder.tasks import sweep_unrated_battles, watch_pairs_nightly
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.duels.test_results_seen import open_pages
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def farmed():
    hero, victim = make_mage("Hero"), make_user("Victim")
    fights = []
    for days, letter in enumerate("abcdefghijkl"):
        fodder = register_mage(user=victim, name=f"Fodder{letter}", now=NOW - timedelta(days=12 - days))
        fights.append(start_fight(hero, fodder))
        fights[-1].turn("W/S", "P/P")
    sweep_unrated_battles()
    return fights


def test_they_give_three_points_and_three_rated_wins(farmed):
    hero = farmed[0].mages["Hero"]
    assert scores_by_kind([hero.pk])["duel"][hero.pk] == 3
    assert {row.battles for row in UserRating.objects.filter(kind="duel")} == {3}


def test_the_player_reads_why_the_fourth_win_gives_nothing(farmed):
    pages = [open_pages(fight, "Hero").get(f"/battles/{fight.number}/").content.decode() for fight in farmed[2:4]]
    words = "You have beaten the same users too often within 30 days to gain a point."
    assert [words in page for page in pages] == [False, True]


def test_the_next_morning_the_pair_is_on_the_janitors_list(farmed):
    assert "ladder.tasks.watch_pairs_nightly" in BEAT_SCHEDULE
    count_finished_battles()
    assert watch_pairs_nightly() == 1
    pair = PairWatch.objects.get()
    assert {pair.one.username, pair.other.username} == {"Hero_user", "Victim"}
    assert (pair.battles, pair.meets_often, pair.is_one_sided) == (12, True, True)
    janitor = make_user("Jane")
    janitor.is_staff = janitor.is_superuser = True
    janitor.save()
    client = log_in(janitor)
    page = client.get(reverse("admin:ladder_pairwatch_changelist")).content.decode()
    assert "Hero_user" in page and "Victim" in page
