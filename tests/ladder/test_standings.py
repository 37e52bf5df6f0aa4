"""The honour roll: its order, and who sees it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Mage
from accounts.services.mages import engage_mage, kill_mage, register_mage
from accounts.services.users import create_user
from ladder.selectors.ladders import find_ladder, list_honour_roll, read_ladder_page
from ladder.services.apply_results import BattleResult, apply_result
from ladder.services.refresh_ladders import refresh_ladders
from tests.scenes import NOW, make_mage


def names(kind="duel", **more):
    """The ladder from top to bottom."""
    refresh_ladders(now=NOW)
    ladder = find_ladder(kind=kind, **more)
    rows = read_ladder_page(ladder, length=50).rows
    if not more:
        assert [row.mage.name for row in list_honour_roll(kind, limit=50)[0]] == [row.mage.name for row in rows]
    return [row.mage.name for row in rows]


def win(winner, loser, battle):
    result = BattleResult([winner, loser], winners=[winner])
    apply_result(battle=battle, kind="duel", practice=False, result=result, now=NOW)


def test_the_highest_score_comes_first(mages):
    froodal, bung, wart, zeke = mages
    win(zeke, froodal, 1)
    win(zeke, bung, 2)
    win(wart, bung, 3)
    assert names() == ["Zeke", "Wart", "Bung", "Froodal"]


def test_equal_scores_are_sorted_by_state_then_user_then_mage(db):
    anna = create_user(name="anna", now=NOW)
    fighting, waiting, late, early = (
        register_mage(user=anna, name=name, now=NOW) for name in ("Abel", "Balder", "zeno", "Yorick")
    )
    other = make_mage("Aaron", "Boris")
    engage_mage(mage=fighting, kind="battle", number=1)
    engage_mage(mage=waiting, kind="challenge", number=2)
    assert names() == [early.name, late.name, other.name, waiting.name, fighting.name]


def test_each_kind_has_its_own_order(mages):
    froodal, bung, wart, _ = mages
    win(bung, froodal, 1)
    result = BattleResult(mages[:3], winners=[wart])
    apply_result(battle=2, kind="melee", practice=False, result=result, now=NOW)
    assert names("duel")[0] == "Bung"
    assert names("melee")[0] == "Wart"
    row = list_honour_roll("melee", limit=1)[0][0]
    assert (row.duel, row.melee, row.battles, row.status, row.number, row.user_name) == (
        0, 2, 1, "free", None, "Wart_user",
    )  # fmt: skip


def test_the_dead_are_not_listed_and_the_retired_have_their_own_list(mages):
    froodal, bung, *_ = mages
    kill_mage(mage=froodal, now=NOW)
    Mage.objects.filter(pk=bung.pk).update(retired_at=NOW)
    assert names() == ["Wart", "Zeke"]
    assert names(retired=True) == ["Bung"]


@pytest.mark.parametrize("who", ["stranger", "user"])
def test_everyone_may_read_the_ladder(client, mages, who):
    if who == "user":
        client.force_login(mages[2].user)
    win(mages[1], mages[0], 1)
    refresh_ladders(now=NOW)
    page = client.get("/ladder/").content.decode()
    assert page.index("Bung") < page.index("Froodal")
    assert client.get("/ladder/?kind=melee").status_code == 200


@pytest.mark.parametrize("query", ["?kind=nonsense", "?after=-3", "?after=x", "?ruleset=x"])
def test_an_odd_address_still_shows_a_ladder(client, mages, query):
    refresh_ladders(now=NOW)
    assert "Froodal" in client.get(f"/ladder/{query}").content.decode()


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_the_ladder_is_read_only(client, db, method):
    assert getattr(client, method)(reverse("ladder")).status_code == 405


def test_the_ladder_shows_no_address(client, db):
    user = create_user(name="Anna", email="anna@example.org", now=NOW)
    register_mage(user=user, name="Froodal", now=NOW)
    refresh_ladders(now=NOW)
    assert "anna@example.org" not in client.get("/ladder/").content.decode()


def test_a_longer_ladder_needs_no_more_queries(client, mages, django_assert_num_queries):
    refresh_ladders(now=NOW)
    client.get("/ladder/")  # from here on, the periodic queries of every page are cached
    with CaptureQueriesContext(connection) as short:
        client.get("/ladder/")
    for number in range(20):
        make_mage(f"Extra_{number}", f"Owner_{number}")
    refresh_ladders(now=NOW)
    with django_assert_num_queries(len(short)):
        client.get("/ladder/")


@pytest.mark.parametrize("model", ["scoreentry", "scoredbattle"])
def test_janitors_read_score_rows_and_write_none(client, mages, model):
    janitor = mages[0].user
    janitor.is_staff = janitor.is_superuser = True
    janitor.save()
    client.force_login(janitor)
    win(mages[0], mages[1], 1)
    assert client.get(reverse(f"admin:ladder_{model}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:ladder_{model}_add")).status_code == 403
