"""The ladders: sorted by a task, read page by page, searched, and seen from one's own place."""

from datetime import timedelta

import pytest

from accounts.models import Mage, User
from accounts.services.users import create_guest, create_guest_mage
from email_gateway.compose.parts.score_tables import write_scores
from ladder.models import Ladder, LadderPlace, ScoreEntry
from ladder.selectors.ladders import (
    find_ladder,
    find_on_ladder,
    list_honour_roll,
    list_movers,
    list_neighbours,
    list_own_places,
    list_places_of,
    read_ladder_page,
)
from ladder.services.refresh_ladders import refresh_ladders
from ladder.services.revise_results import annul_result
from tests.html import flat
from tests.ladder.test_standings import win
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder():
    """Ten mages: Mage_0 has nine points of duels, Mage_9 none."""
    mages = [make_mage(f"Mage_{place}", f"Owner_{place}") for place in range(10)]
    ScoreEntry.objects.bulk_create(
        ScoreEntry(
            mage=mage, kind="duel", battle=place, due=won, before=0, change=won, after=won, reason="won", created_at=NOW
        )
        for place, (mage, won) in enumerate(zip(mages, range(9, -1, -1), strict=True))
    )
    refresh_ladders(now=NOW)
    return find_ladder(kind="duel")


def names(rows):
    return [row.mage.name for row in rows]


def test_pages_follow_each_other_without_gap_or_repetition(ladder):
    seen, after = [], 0
    while True:
        page = read_ladder_page(ladder, after=after, length=4)
        assert page.is_first == (after == 0)
        seen += names(page.rows)
        after = page.rows[-1].place
        if page.is_last:
            break
    assert seen == [f"Mage_{place}" for place in range(10)]


def test_equal_scores_share_a_rank_and_who_never_fought_stands_below_them_without_one(mages):
    win(mages[2], mages[1], 2)
    win(mages[0], mages[1], 1)
    refresh_ladders(now=NOW)
    rows = read_ladder_page(find_ladder(kind="duel"), length=9).rows
    assert [(row.place, row.rank) for row in rows] == [(1, 1), (2, 1), (3, 3), (4, None)]
    assert names(rows)[2:] == ["Bung", "Zeke"]
    assert (find_ladder(kind="duel").mages, find_ladder(kind="duel").ranked) == (4, 3)
    assert [row.rank for row in read_ladder_page(find_ladder(kind="melee"), length=9).rows] == [None] * 4


def test_a_loser_stands_above_newcomers_on_the_page_by_email_and_in_the_api(mages, client):
    froodal, bung, *_ = mages
    win(froodal, bung, 1)
    make_mage("Aaron", "Aaa")  # equal scores are in the order of users
    refresh_ladders(now=NOW)
    assert names(read_ladder_page(find_ladder(kind="duel"), length=9).rows)[1] == "Bung"
    table = write_scores("duel")
    assert table.index("Froodal") < table.index("Bung") < table.index("Aaron")
    row = flat(client.get("/ladder/?q=Aaron"))
    assert '<td role="cell" class="num"><span class="quiet" aria-hidden="true">–</span>' in row
    client.force_login(Mage.objects.get(name="Aaron").user)
    assert "No rank before the first battle." in client.get("/ladder/").content.decode()
    places = client.get("/api/v1/ladder/duel/").json()["places"]
    assert [(each["mage"], each["rank"]) for each in places][:3] == [("Froodal", 1), ("Bung", 2), ("Aaron", None)]


def test_a_mage_has_no_rank_of_a_kind_of_battle_they_never_fought(mages):
    win(mages[0], mages[1], 1)
    refresh_ladders(now=NOW)
    assert [place.ladder.kind for place in list_places_of(mages[0])] == ["duel"]
    assert list_places_of(mages[3]) == []


def test_a_second_refresh_changes_nothing_but_the_time(ladder):
    before = list(LadderPlace.objects.order_by("pk").values())
    assert refresh_ladders(now=NOW + timedelta(hours=1)) == 0
    assert list(LadderPlace.objects.order_by("pk").values()) == before
    assert Ladder.objects.get(pk=ladder.pk).as_of == NOW + timedelta(hours=1)


@pytest.mark.parametrize(("text", "found"), [("mage_3", ["Mage_3"]), ("OWNER_7", ["Mage_7"]), ("nobody", []), ("", 10)])
def test_names_are_found_by_how_they_begin(ladder, text, found):
    rows = names(find_on_ladder(ladder, text))
    assert rows == found if isinstance(found, list) else len(rows) == found


def test_users_see_their_rank_and_the_mages_around_it(ladder):
    user = find_on_ladder(ladder, "Mage_5")[0].mage.user
    assert [row.place for row in list_own_places(ladder, user)] == [6]
    assert names(list_neighbours(ladder, 6)) == ["Mage_3", "Mage_4", "Mage_5", "Mage_6", "Mage_7"]


def test_movers_are_those_whose_score_changed_in_the_week_before(ladder):
    assert names(list_movers(ladder))[0] == "Mage_0"
    refresh_ladders(now=NOW + timedelta(days=8))
    assert list_movers(ladder) == []


def test_an_annulled_battle_is_gone_at_the_next_refresh(mages):
    win(mages[0], mages[1], 1)
    refresh_ladders(now=NOW)
    annul_result(battle=1, now=NOW)
    refresh_ladders(now=NOW)
    assert {row.score for row in read_ladder_page(find_ladder(kind="duel"), length=9).rows} == {0}


def test_a_guest_enters_the_ladder_once_they_are_a_user(ladder):
    guest = create_guest(now=NOW)
    mage = create_guest_mage(user=guest, now=NOW)
    refresh_ladders(now=NOW)
    assert len(read_ladder_page(ladder, length=20).rows) == list_honour_roll("duel", limit=20)[1] == 10
    User.objects.filter(pk=guest.pk).update(is_guest=False)
    refresh_ladders(now=NOW)
    assert mage.name in names(read_ladder_page(ladder, length=20).rows)


def test_the_honour_roll_is_newer_than_the_ladder(mages):
    assert len(list_honour_roll("duel", limit=9)[0]) == 4
    refresh_ladders(now=NOW)
    win(mages[2], mages[1], 1)
    make_mage("Newcomer", "Newcomer_user")
    rows, count = list_honour_roll("duel", limit=9)
    assert (rows[0].mage.name, rows[0].duel, count) == ("Wart", 1, 5)
    assert "Newcomer" in {row.mage.name for row in rows}


class TestThePage:
    def test_a_link_leads_down_to_your_own_place(self, client, ladder, monkeypatch):
        monkeypatch.setattr("fm_site.pages.ladder.PAGE_LENGTH", 3)
        client.force_login(find_on_ladder(ladder, "Mage_8")[0].mage.user)
        page = client.get("/ladder/")
        assert "Around Mage_8" in page.content.decode()
        assert names(page.context["neighbours"]) == ["Mage_6", "Mage_7", "Mage_8", "Mage_9"]
        below = client.get("/ladder/?after=3").content.decode()
        assert "Mage_3" in below and "Mage_2<" not in below and "Movers" not in below

    def test_a_search_finds_mages_or_says_that_there_are_none(self, client, ladder):
        assert names(client.get("/ladder/?q=mage_4").context["standings"]) == ["Mage_4"]
        assert client.get("/ladder/?q=%00x").status_code == 400
        assert "No mage or user on this ladder has that name" in client.get("/ladder/?q=zzz").content.decode()

    def test_before_the_first_refresh_it_says_when_there_will_be_one(self, client, mages):
        assert "updates every two minutes" in client.get("/ladder/").content.decode()
