"""Pages that are rendered once for all visitors: they change with every row, and nobody else gets them."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from fm_site.serving.page_cache import cached_pages, read_stamp
from tests.challenges.conftest import make_challenge
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.django_db(transaction=True)
OPEN = ["/", "/stage/", "/battles/", "/challenges/", "/ladder/", "/statistics/", "/status/", "/mages/Froodal/"]


@pytest.fixture(autouse=True)
def empty_cache():
    cached_pages.clear()


def ask(path, client=None, **headers):
    with CaptureQueriesContext(connection) as queries:
        answer = (client or Client()).get(path, headers=headers)
    return answer, len(queries)


def ask_twice_undisturbed(path):
    """Ask twice while nothing else changes: PostgreSQL's snapshot belongs to the whole server, other tests included."""
    for _ in range(100):
        before = read_stamp()
        first, _ = ask(path)
        again = ask(path, **{"Accept-Encoding": "br"})
        if read_stamp() == before:
            break
    return first, again


def test_a_public_page_is_rendered_once_until_a_row_changes(fight):
    for path in [*OPEN, f"/battles/{fight.number}/", f"/api/battles/{fight.number}/"]:
        first, (again, queries) = ask_twice_undisturbed(path)
        assert (first.status_code, queries) == (200, 1), path
        assert again["ETag"] == first["ETag"] and again["Content-Encoding"] == "br"
        assert ask(path)[0].content == first.content
    before = ask(f"/battles/{fight.number}/")[0]
    fight.turn("S/-", "-/W")
    after, queries = ask(f"/battles/{fight.number}/")
    assert after.content != before.content and queries > 1
    cached_pages.clear()
    assert ask(f"/battles/{fight.number}/")[0].content == after.content


def test_players_pages_are_never_kept_and_kept_pages_never_shown_to_players(fight):
    player = log_in(fight.user("Froodal"))
    fight.order("Froodal", "LH D\nRH D")
    page = f"/battles/{fight.number}/"
    warm = {path: ask(path)[0].content for path in [*OPEN, page] if path != "/stage/"}  # players are redirected
    own = {path: ask(path, player)[0].content for path in warm}
    assert [path for path in warm if b"/accounts/logout/" not in own[path] or own[path] == warm[path]] == []
    cached_pages.clear()
    for path in warm:
        ask(path, player)  # cold, the player first
        assert b"/accounts/logout/" not in ask(path)[0].content
    token = Client(headers={"Authorization": "Bearer nonsense"})
    ask(f"/api{page}")
    assert ask(f"/api{page}", token)[0].status_code == 401


def test_a_page_is_kept_for_its_language_its_cookies_and_its_host(fight, settings):
    settings.ALLOWED_HOSTS = ["one.test", "two.test"]
    make_challenge(make_mage("Crom"))
    english, german = (ask("/challenges/", host="one.test", **{"Accept-Language": code})[0] for code in ("en", "de"))
    assert b"Log in to join" in english.content and b"Log in to join" not in german.content
    assert ask("/challenges/", host="three.test")[0].status_code == 400
    assert ask("/challenges/", host="two.test")[1] > 1
    chooser = Client()
    ask("/challenges/?size=duel", chooser, host="one.test")
    assert b"Crom" not in chooser.get("/challenges/", headers={"host": "one.test"}).content
    assert b"Crom" in ask("/challenges/", host="one.test")[0].content


def test_pages_that_depend_on_one_request_are_not_cached(fight):
    assert ask("/battles/999999/")[0].status_code == 404
    assert ask("/battles/999999/")[1] > 1
    assert Client().head("/battles/").content == b""
    assert ask("/battles/")[0].content
    assert Client().post("/stage/", {"seed": "a", "moves": "", "LH": "P", "RH": "P"}).status_code == 200
    assert b"What happened in turn 1" not in ask("/stage/")[0].content
