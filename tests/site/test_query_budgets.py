"""How many queries each page and call takes: the numbers of query_budgets.txt, with few rows and with many.

FM_WRITE_BUDGETS=1 rewrites the table. A number that rises needs a reason in the commit.
"""

import os
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from accounts.services.tokens import issue_api_token
from challenges.models import Challenge
from duels.models import Subscription
from ladder.services.refresh_ladders import refresh_ladders
from rules_engine import Sheet
from studies.models import Collection, Study
from studies.selectors.starts import read_start
from studies.selectors.trees import get_branch
from studies.services.analyses import analyse_next_turn, ask_for_analysis, ask_for_study_analysis
from studies.services.begin import begin_study, import_study
from studies.services.collections import add_to_collection, change_collection, make_collection
from studies.services.edit_study import share_study
from studies.services.grow_tree import play_branch
from studies.tasks import store_numbers_of_site
from tests.challenges.conftest import make_challenge
from tests.duels.fights import start_fight
from tests.duels.long_fights import lengthen
from tests.rules_engine.warlocks_pages import play_bots, write_page
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.services.plugin import LONG
from tests.site.crowds import add_mages, copy_battle, end_copies, open_challenges
from tests.site.test_addresses import TO_ALL, TO_USERS, list_plain_pages

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TABLE = Path(__file__).with_name("query_budgets.txt")
FEW, MANY = 10, 10_000 if LONG else 100
# Beside those that take no arguments, which the table of addresses has (tests/site/test_addresses.py).
PAGES = [
    "/rules/firetop-standard/",
    "/rules/firetop-standard/against/waving-hands/",
    "/ladder/?after=5",
    "/ladder/?q=zex",
    "/ladder/?kind=melee",
    "/months/MONTH/",
    "/users/Froodal_user/",
    "/mages/Froodal/",
    "/battles/?before=ENDED",
    "/battles/?ended_before=ENDED",
    "/battles/RUNNING/",
    "/battles/RUNNING/?fragment=board",
    "/battles/RUNNING/?before=4",
    "/battles/RUNNING/?before=4&fragment=story",
    "/battles/RUNNING/replay/4/",
    "/battles/RUNNING/replay/4/position.png",
    "/battles/RUNNING/card.png",
    "/mages/Froodal/card.png",
    "/challenges/CHALLENGE/card.png",
    "/battles/RUNNING/table/",
    "/battles/RUNNING/story/",
    "/battles/RUNNING/transcript/",
    "/battles/RUNNING/chat/",
    "/battles/ENDED/",
    "/battles/ENDED/replay/1/",
    "/battles/ENDED/battle.gif",
    "/battles/ENDED/poster/",
    "/battles/ENDED/table/",
    "/battles/ENDED/story/",
    "/battles/ENDED/transcript/",
    "/battles/ENDED/record.txt",
    "/battles/ENDED/record.json",
    "/battles/ENDED/what-if/",
    "/battles/ENDED/what-if/2/",
    "/battles/ENDED/analysis/",
    "/battles/ENDED/notes/",
    "/battles/RUNNING/notes/",
    "/studies/STUDY/3/",
    "/studies/IMPORT/0/",
    "/studies/IMPORT/9/",
    "/studies/IMPORT/record.txt",
    "/studies/IMPORT/analysis/",
    "/classics/froodal-vs-bung/",
    "/classics/froodal-vs-bung/11/",
    "/collections/COLLECTION/",
    "/challenges/CHALLENGE/",
    "/play/?fragment=lobby",
    "/lobby/",
    "/battles/RUNNING/proof/",
    "/api/battles/RUNNING/",
    "/api/battles/RUNNING/events/",
    "/api/battles/RUNNING/events/?after=20",
    "/api/battles/RUNNING/table/",
    "/api/battles/RUNNING/story/",
    "/api/battles/ENDED/",
    "/api/battles/ENDED/events/?view=all",
    "/api/battles/ENDED/record/",
    "/api/battles/ENDED/analysis/",
    "/api/battles/ENDED/thoughts/",
]
OWN_PAGES = [
    "/battles/RUNNING/what-if/",
    "/collections/add/?battle=ENDED",
    "/challenges/new/",
    "/challenges/match/",
    "/messages/new/",
    "/inbox/",
    "/inbox/Bung_user/",
    "/mages/Froodal/leave/",
    "/users/Bung_user/",
    "/accounts/email/",
]
DESK = ["/admin/desk/", "/admin/", "/battles/RUNNING/"]
# The most that performance allows. Home takes two more than with prepared queries (docs/performance.md).
MOST = {("player", "/"): 17, ("player", "/battles/RUNNING/"): 15, ("stranger", "/battles/RUNNING/"): 9}


@pytest.fixture
def world(db):
    """A battle in its fifth turn that waits for Froodal, a finished one, open challenges, a ladder."""
    # Without migrations (`./run test`) a database has no table of them, and the status page asks one query less.
    MigrationRecorder(connection).ensure_schema()
    fight = lengthen(start_fight(make_mage("Froodal"), make_mage("Bung")), 5)
    ended = start_fight(make_mage("Ayla"), make_mage("Borin"))
    ended.turn("S/-", "-/P")
    ended.turn("P/P", "F/F")
    challenge = make_challenge(make_mage("Crom"))
    janitor = make_user("Jane")
    janitor.is_staff = janitor.is_superuser = True
    janitor.save()
    study_battle(fight.user("Froodal"), ended.number)
    import_battle(fight.user("Froodal"))
    fill(fight, FEW, "few")
    return fight, ended, challenge, janitor


def study_battle(user, number):
    """A public study of three turns, and an analysis that is done."""
    start = read_start(number=number, user=user, seq=1)
    study = begin_study(owner=user, start=start, now=NOW)
    share_study(study=study, user=user, access="public", title="Otherwise", now=NOW)
    branch = get_branch(study, 0)
    for _turn in range(3):
        sheets = {name: Sheet({"LH": "F", "RH": "F"}) for name in ("Ayla", "Borin")}
        branch = play_branch(study=study, parent=branch, sheets=sheets, now=NOW)
    ask_for_analysis(battle=start.battle, user=user, now=NOW)
    while analyse_next_turn(now=NOW):
        pass


def import_battle(user):
    """A public import that is in a public collection, and its analysis."""
    text = write_page(play_bots("warlocks", "Ash", "Birch", seed="w5", turns=10))
    study = import_study(owner=user, text=text, title="Elsewhere", now=NOW)
    share_study(study=study, user=user, access="public", title="Elsewhere", now=NOW)
    collection = make_collection(owner=user, name="Fine kills", now=NOW)
    change_collection(collection=collection, user=user, name="Fine kills", words="", access="public")
    for each in Study.objects.filter(owner=user):
        add_to_collection(collection=collection, user=user, words="", now=NOW, study=each)
    ask_for_study_analysis(study=study, user=user, now=NOW)
    while analyse_next_turn(now=NOW):
        pass


def fill(fight, count, name):
    """Add so many mages, running and finished battles, challenges and followers."""
    # More than a page of the ladder, all above Froodal, who is busy; they are free.
    mages = add_mages(f"Zextra{name}", max(count, 60))
    open_challenges(mages[: count // 2])
    copy_battle(fight.battle, count)
    end_copies(fight.battle, count)
    Subscription.objects.bulk_create(
        Subscription(battle=fight.battle, user_id=mage.user_id, created_at=NOW) for mage in mages
    )
    refresh_ladders(now=NOW)
    store_numbers_of_site()


def measure(world):
    """Return the queries of every page for each role, with everything shared already in the cache."""
    fight, ended, challenge, janitor = world
    study, imported = Study.objects.filter(owner=fight.user("Froodal")).order_by("pk")
    slugs = {"IMPORT": imported.slug, "COLLECTION": Collection.objects.get().slug, "STUDY": study.slug}
    month = f"{timezone.now():%Y-%m}"
    numbers = {"MONTH": month, "RUNNING": fight.number, "ENDED": ended.number, "CHALLENGE": challenge.number, **slugs}
    _, token = issue_api_token(user=fight.user("Froodal"), name="bot", now=NOW)
    pages = [*list_plain_pages(TO_ALL), *PAGES]
    calls = [path for path in pages if path.startswith("/api/")]
    table = {
        "stranger": (Client(), pages),
        "player": (log_in(fight.user("Froodal")), [*pages, *list_plain_pages(TO_USERS), *OWN_PAGES]),
        "program": (Client(headers={"Authorization": f"Bearer {token}"}), calls),
        "janitor": (log_in(User.objects.get(pk=janitor.pk)), DESK),
    }
    asked = {}
    for role, (client, paths) in table.items():
        for path in paths:
            address = path
            for name, number in numbers.items():
                address = address.replace(name, str(number))
            client.get(address)
            with CaptureQueriesContext(connection) as context:
                answer = client.get(address)
                asked[role, path] = [query["sql"] for query in context]
            assert answer.status_code == 200, (role, address, answer.status_code)
    return asked


def count(asked):
    return {place: len(queries) for place, queries in asked.items()}


def write_table(counted):
    head = "# Queries of each page and call, by role. tests/site/test_query_budgets.py compares and writes them.\n"
    TABLE.write_text(head + "".join(f"{count:4} {role} {path}\n" for (role, path), count in counted.items()))


def read_table():
    rows = (line.split() for line in TABLE.read_text().splitlines() if not line.startswith("#"))
    return {(role, path): int(count) for count, role, path in rows}


def take_statistics():
    """Let PostgreSQL know the rows. Another test may have left thousands of dead ones, to be read again and again."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def test_every_page_takes_the_queries_of_the_table_however_many_rows_there_are(world, lasting_cache):
    fight = world[0]
    take_statistics()
    asked_with_few = measure(world)
    few = count(asked_with_few)
    if os.environ.get("FM_WRITE_BUDGETS") == "1":
        write_table(few)
    assert few == read_table()
    assert {place: few[place] for place, most in MOST.items() if few[place] > most} == {}
    lengthen(fight, 120)
    fill(fight, MANY, "many")
    take_statistics()
    asked_with_many = measure(world)
    many = count(asked_with_many)
    assert {place: (asked_with_few[place], asked_with_many[place]) for place in few if many[place] != few[place]} == {}
    assert Challenge.objects.count() > MANY // 2
