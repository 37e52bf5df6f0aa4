"""The pages of the list of battles: fifty on each, linked both ways, at a constant cost."""

import re
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from duels.models import Battle
from duels.selectors.battle_lists import PAGE, list_own_battles, page_finished_battles, page_running_battles
from tests.query_plans import explain
from tests.site.crowds import copy_battle, end_copies

pytestmark = pytest.mark.django_db
PAGE_OF = "duels_battle"


@pytest.fixture
def many(duel):
    copy_battle(duel.battle, 2 * PAGE + 20)
    # Many end in the same moment.
    end_copies(duel.battle, 2 * PAGE + 20)
    return duel


def follow(rel, path="/battles/"):
    """Go from page to page by the links of this kind; return the battles of each page."""
    pages = []
    while path:
        html = Client().get(path).content.decode()
        pages.append([int(number) for number in re.findall(r'href="/battles/(\d+)/"', html)])
        links = re.findall(rf'rel="{rel}" href="([^"]+)"', html)
        last, path = path, f"/battles/{links[-1]}" if links else ""
        assert len(pages) < 9
    return pages, last


@pytest.mark.parametrize(("start", "finished"), [("?before=", False), ("?ended_before=", True)])
def test_every_battle_is_on_one_page_forwards_and_backwards(many, start, finished):
    wanted = list(
        Battle.objects.filter(finished_at__isnull=not finished).order_by("-number").values_list("number", flat=True)
    )
    first = [wanted[0]]
    pages, last = follow("next", f"/battles/{start}{first[0]}")
    assert [len(page) for page in pages][:-1] == [PAGE] * (len(pages) - 1)
    assert first + [number for page in pages for number in page] == wanted
    back, _ = follow("prev", last)
    assert sorted({number for page in back for number in page}, reverse=True) == wanted
    assert all(len(page) <= PAGE for page in back)


def test_the_first_page_has_both_lists_and_leads_on(many):
    html = Client().get("/battles/").content.decode()
    assert html.count('class="tile"') == 12 and len(re.findall(r'<h3>\s*<a href="/battles/\d+/"', html)) == 5
    assert (
        'rel="next" href="?before=' in html and 'rel="next" href="?ended_before=' in html and 'rel="prev"' not in html
    )


@pytest.mark.parametrize("query", ["before=0", "after=999999", "before=x", "before=²", "ended_before=999999", "after="])
def test_an_address_beyond_the_list_is_a_page(many, query):
    assert Client().get(f"/battles/?{query}").status_code == 200


def test_a_page_costs_the_same_with_many_battles(duel):
    costs = []
    Client().get("/battles/")  # the banner is cached
    end_copies(duel.battle, 2)
    for more in (0, 3 * PAGE):
        copy_battle(duel.battle, more)
        Client().get("/battles/")  # and so are the boards
        with CaptureQueriesContext(connection) as context:
            Client().get("/battles/")
            costs.append(len(context))
    # The lists take 5; the rest chooses what the board shows, and finds it in the cache.
    assert costs[0] == costs[1] <= 10


@pytest.mark.postgres
def test_a_page_is_found_by_an_index_wherever_it_begins(many):
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE duels_battle, duels_combatant, accounts_mage")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    middle = Battle.objects.order_by("number")[100].number
    for turn_to in (page_running_battles, page_finished_battles):
        for place in ({}, {"older_than": middle}, {"newer_than": middle}):
            plan = next(
                each for each in explain(partial(turn_to, None, **place)) if "Limit" in each and PAGE_OF in each
            )
            assert "Index Scan" in plan and "Seq Scan" not in plan and "Sort" not in plan, plan


@pytest.mark.postgres
def test_the_battles_of_a_user_are_found_without_reading_every_battle(many):
    user = many.user("Froodal")
    with connection.cursor() as cursor:
        # All three: without statistics, PostgreSQL takes them for empty, and reads each for each row of another.
        cursor.execute("ANALYZE duels_battle, duels_combatant, accounts_mage")
    plan = next(each for each in explain(partial(list_own_battles, user, finished=5)) if PAGE_OF in each)
    # As a filter, a subquery is asked about each battle of the site.
    assert "SubPlan" not in plan, plan
