"""The page of a month: counted from rows, so that it stays as it is unless a result changes; and nothing private."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import Mage, User
from accounts.services.leave import close_user
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.models import CountedBattle, RatingEntry, ScoreEntry
from ladder.selectors.months import Month, read_month
from ladder.services.revise_results import annul_result
from ladder.tasks import sweep_unrated_battles
from league.models import Cup, Group, Place, Season
from studies.models import Puzzle
from studies.services.progress import record_puzzle_try
from studies.tasks import count_finished_battles
from tests.duels.fights import Fight
from tests.html import flat
from tests.scenes import DAY, NOW, log_in, make_mage

pytestmark = pytest.mark.django_db
MAY, JUNE = Month(date(2031, 5, 1)), Month(date(2031, 6, 1))
# The first stabs while the other begins nothing; both wait, and the second one gives up.
QUICK, SLOW = ("P/P",), ("-/-", "-/-", "P/P")


def fight(winner: Mage, loser: Mage, at: datetime, turns: Iterable[str] = QUICK, **terms: Any) -> int:
    """A duel in which the loser surrenders in its last turn."""
    made = Fight(
        start_battle(number=take_number(), terms=Terms(**terms), mages=[winner, loser], now=at - DAY),
        {winner.name: winner, loser.name: loser},
    )
    for orders in turns:
        made.order(winner.name, "F/F" if orders == "P/P" else "-/-", now=at)
        made.order(loser.name, orders, now=at)
    assert made.battle.finished_at == at
    return made.number


def settle() -> None:
    count_finished_battles()
    sweep_unrated_battles()
    cache.clear()


@pytest.fixture
def mages(db: None) -> dict[str, Mage]:
    return {name: make_mage(name) for name in ("Ayla", "Borin", "Crom", "Dara")}


@pytest.fixture
def spring(mages: dict[str, Mage]) -> dict[str, Mage]:
    """May: Borin wins three duels. June: Ayla wins four, the first as the month begins, and one of hers is the longest;
    Crom wins the first one of July."""
    ayla, borin, crom, dara = mages.values()
    for day, loser in ((5, crom), (12, dara), (30, crom)):
        fight(borin, loser, datetime(2031, 5, day, tzinfo=UTC))
    fight(ayla, borin, JUNE.begin)
    fight(ayla, crom, JUNE.begin + 9 * DAY, SLOW)
    fight(ayla, dara, JUNE.begin + 10 * DAY, stakes="friendly")
    fight(ayla, borin, JUNE.end - timedelta(seconds=1))
    fight(crom, ayla, JUNE.end)
    settle()
    return mages


def test_a_month_has_its_own_battles_and_no_other(spring: dict[str, Mage]):
    june = read_month(JUNE)
    assert (june.duels, june.melees, june.deaths) == (4, 0, 0)
    assert [(row.mage.name, row.wins) for row in june.wins] == [("Ayla", 4)]
    assert june.longest is not None and june.longest.turns == 3
    assert [mage.name for mage in june.longest.mages] == ["Ayla", "Crom"]
    assert [(row.mage.name, row.wins) for row in read_month(MAY).wins] == [("Borin", 3)]
    assert [(row.mage.name, row.wins) for row in read_month(JUNE.after).wins] == [("Crom", 1)]


def test_rises_are_those_of_the_ratings_and_scores_themselves(spring: dict[str, Mage]):
    """Recomputed from each user's own rows, one after the other."""
    for month in (MAY, JUNE, JUNE.after):
        report = read_month(month)
        for rise in report.rating_rises:
            entries = RatingEntry.objects.filter(user=rise.user, kind="duel").order_by("ended_at", "battle")
            own = [each for each in entries if month.begin <= each.ended_at < month.end]
            assert (rise.before, rise.after) == (round(own[0].rating_before), round(own[-1].rating))
            assert rise.duels == len(own) >= 3 and rise.after > rise.before
        for climb in report.rank_rises:
            ranks = []
            for moment in (month.begin, month.end):
                scores = {
                    mage.name: sum(
                        row.change for row in ScoreEntry.objects.filter(mage=mage, created_at__lt=moment, kind="duel")
                    )
                    for mage in spring.values()
                }
                ranks.append(1 + sum(score > scores[climb.mage.name] for score in scores.values()))
            assert (climb.before, climb.after) == tuple(ranks)
    assert [row.user.username for row in read_month(JUNE).rating_rises] == ["Ayla_user"]
    assert [(row.mage.name, row.before, row.after) for row in read_month(JUNE).rank_rises] == [("Ayla", 2, 1)]


def test_a_month_that_is_over_stays_until_a_result_of_it_changes(spring: dict[str, Mage]):
    before = read_month(MAY)
    borin, crom = spring["Borin"], spring["Crom"]
    for day in range(5):
        fight(crom, borin, JUNE.end + (3 + day) * DAY)
    Mage.objects.filter(pk=crom.pk).update(retired_at=JUNE.end + 9 * DAY)
    settle()
    assert read_month(MAY) == before
    number = CountedBattle.objects.filter(finished_at__lt=MAY.end).latest("finished_at").number
    annul_result(battle=number, now=JUNE.end)
    settle()
    after = read_month(MAY)
    assert after.duels == before.duels - 1 and after.wins[0].wins == 2


def test_wins_over_one_user_again_and_again_and_over_bots_are_not_counted(mages: dict[str, Mage]):
    ayla, borin, *_others = mages.values()
    for day in range(8):
        fight(ayla, borin, MAY.begin + (1 + day) * DAY)
    settle()
    counted = read_month(MAY).wins[0].wins
    assert read_month(MAY).duels == 8 and 0 < counted < 8
    User.objects.filter(pk=borin.user_id).update(is_bot=True)
    CountedBattle.objects.update(with_bots=True)
    cache.clear()
    assert read_month(MAY).wins == () and read_month(MAY).duels == 0


def test_the_page_names_who_rose_and_won_and_links_to_its_neighbours(
    spring: dict[str, Mage], monkeypatch: pytest.MonkeyPatch
):
    season = Season.objects.create(
        number=7, begins_at=MAY.begin, drawn_at=MAY.begin, started_at=MAY.begin, round=7, closed_at=JUNE.begin + DAY
    )
    group = Group.objects.create(season=season, tier=2)
    cup = Cup.objects.create(
        kind="knockout",
        key="2031-06",
        size=8,
        begins_at=JUNE.begin,
        started_at=JUNE.begin,
        round=3,
        closed_at=JUNE.end - DAY,
    )
    for place, mage in (({"group": group}, "Dara"), ({"cup": cup}, "Crom")):
        Place.objects.create(**place, user=spring[mage].user, mage=spring[mage], slot=1, signed_up_at=NOW, rank=1)
    puzzle = Puzzle.objects.create(key="a", kind="win", mage="M", state={}, added_on=JUNE.first)
    record_puzzle_try(user=spring["Ayla"].user, puzzle=puzzle, solved=True, now=JUNE.begin + DAY)
    record_puzzle_try(user=spring["Borin"].user, puzzle=puzzle, solved=False, now=JUNE.begin + DAY)
    monkeypatch.setattr("fm_site.pages.months.timezone.now", lambda: JUNE.end + DAY)
    page = flat(Client().get("/months/2031-06/").text)
    for words in ("June 2031", "League 2, season 7", "June Cup", "4 wins", "3 turns", "Ayla and Crom"):
        assert words in page, words
    assert "rank&nbsp;2&nbsp;→&nbsp;1" in page and "<dd>1</dd>" in page
    assert 'rel="prev" href="/months/2031-05/"' in page and 'rel="next" href="/months/2031-07/"' in page
    assert 'rel="prev"' not in Client().get("/months/2031-05/").text
    assert "This month so far" in Client().get("/months/2031-07/").text
    assert Client().get("/months/")["Location"] == "/months/2031-07/"
    for wrong in ("2031-04", "2031-08", "2031-13", "0000-01", "2031-6", "now", "9999-12"):
        assert Client().get(f"/months/{wrong}/").status_code == 404, wrong
    for place in ("/ladder/", "/statistics/"):
        assert 'href="/months/"' in Client().get(place).text
    assert 'href="/months/"' in log_in(spring["Ayla"].user).get("/news/").text
    # A closed account has no name and no page.
    ayla = spring["Ayla"]
    Mage.objects.filter(pk=ayla.pk).update(died_at=JUNE.end + DAY, has_left=True)
    close_user(user=ayla.user, now=JUNE.end + DAY)
    page = flat(Client().get("/months/2031-06/").text)
    assert "Ayla_user" not in page and "a user who has left" in page and "/users/former" not in page


def test_a_site_without_battles_has_an_empty_month():
    page = Client().get("/months/", follow=True)
    assert "No battle among people has ended this month yet." in page.text


def test_the_queries_do_not_grow_with_the_mages(spring: dict[str, Mage], django_assert_num_queries: Any):
    with django_assert_num_queries(10) as few:
        read_month(JUNE)
    for n in range(6):
        fight(make_mage(f"New{n}"), spring["Dara"], JUNE.begin + (1 + n) * DAY)
    settle()
    with django_assert_num_queries(len(few)):
        read_month(JUNE)
    with django_assert_num_queries(2):
        assert read_month(JUNE).duels == 10
