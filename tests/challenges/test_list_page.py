"""The list of challenges: filters that stay, pages, quick match."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Mage
from accounts.services.mages import touch_activity
from accounts.services.users import create_guest
from challenges.filters import Filters
from challenges.models import Challenge
from challenges.selectors.mages import choose_stakes
from challenges.services.answers import accept_challenge
from duels.models import Battle
from duels.terms import Terms
from tests.challenges.conftest import make_challenge
from tests.challenges.test_pages import REGISTER, told_in
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


def listed(client: Client, address: str = "/challenges/") -> set[int]:
    page = client.get(address)
    return {row.number for row in (*page.context["open_to_join"], *page.context["by_invitation"])}


@pytest.fixture
def offers(froodal: Mage, bung: Mage, ayla: Mage) -> dict[str, int]:
    crom = make_mage("Crom")
    return {
        "duel": make_challenge(froodal, limit=2).number,
        "friendly": make_challenge(bung, limit=4, terms=Terms(stakes="friendly")).number,
        "classic": make_challenge(ayla, limit=2, terms=Terms(ruleset="firetop-classic")).number,
        "closed": make_challenge(crom, make_mage("Ulf")).number,
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", {"duel", "friendly", "classic", "closed"}),
        ("size=duel", {"duel", "classic", "closed"}),
        ("size=melee", {"friendly"}),
        ("terms=friendly", {"friendly"}),
        ("size=duel&spells=firetop-classic", {"classic"}),
        ("joinable=yes", {"duel", "friendly", "classic"}),
        ("size=nonsense&spells=nothing", {"duel", "friendly", "classic", "closed"}),
    ],
)
def test_filters_show_matching_challenges(offers: dict[str, int], query: str, names: set[str]) -> None:
    found = listed(log_in(make_mage("Pip").user), f"/challenges/?{query}")
    assert {name for name, number in offers.items() if number in found} == names


def test_a_filter_stays_until_it_is_removed_and_is_in_the_address(offers: dict[str, int]) -> None:
    client = log_in(make_mage("Pip").user)
    chosen = client.get("/challenges/?size=melee")
    assert 'href="?size=melee&amp;terms=ladder"' in chosen.text, "the address of another filter keeps this one"
    assert listed(client) == {offers["friendly"]}
    later = client.get("/challenges/")
    assert "The filters hide 3 challenges." in later.text
    every = next(pill for pill in later.context["filters"].pills if pill.words == "All")
    assert len(listed(client, f"/challenges/{every.address}")) == 4
    assert len(listed(client)) == 4, "nothing hides any more"


def test_a_filter_of_one_browser_is_not_that_of_another(offers: dict[str, int]) -> None:
    Client().get("/challenges/?size=melee")
    assert len(listed(Client())) == 4


@pytest.mark.parametrize(
    "kept", ["", "size=&&&===", "size=duel&size=melee&a=1&b=2&c=3&d=4", "é" * 400, "x=" + "y" * 900]
)
def test_a_cookie_of_nonsense_shows_everything_or_one_filter(offers: dict[str, int], kept: str) -> None:
    client = Client()
    client.cookies["challenges"] = kept
    assert client.get("/challenges/").status_code == 200


def test_a_visitor_gets_no_filter_for_what_they_may_join() -> None:
    filters = Filters.of({"joinable": "yes"}, "", known=False)
    assert not filters.values and "I can join" not in [pill.words for pill in filters.pills]


def test_a_long_list_has_pages_and_what_one_may_join_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("challenges.views.index.PER_PAGE", 2)
    me = make_mage("Pip")
    closed = make_challenge(make_mage("Aa"), make_mage("Ab")).number
    opened = [make_challenge(make_mage(name)).number for name in ("Ac", "Ad")]
    client = log_in(me.user)
    first = client.get("/challenges/")
    assert [row.number for row in first.context["page"]] == opened
    assert 'rel="next"' in first.text
    second = client.get("/challenges/?page=2")
    assert [row.number for row in second.context["page"]] == [closed]
    assert "No open challenges." not in second.text
    assert client.get("/challenges/?page=nonsense").status_code == 200


def test_an_empty_list_has_links() -> None:
    page = Client().get("/challenges/").text
    assert "No open challenges. Create one" in page
    assert "/accounts/signup/?next=/challenges/" in page
    assert "Find an opponent" in log_in(make_mage("Pip").user).get("/challenges/").text


def test_a_quick_match_waits_and_then_finds_an_opponent(froodal: Mage, bung: Mage) -> None:
    waits = log_in(froodal.user).post("/challenges/match/", follow=True)
    number = Challenge.objects.get().number
    assert waits.redirect_chain == [(f"/challenges/{number}/", 302)]
    assert "Froodal is waiting for the next player." in told_in(waits)
    meets = log_in(bung.user).post("/challenges/match/", {"mage": "Bung"})
    assert meets["Location"] == f"/battles/{number}/"
    assert Battle.objects.count() == 1


def test_find_an_opponent_asks_for_pace_and_stakes_and_says_who_is_here(froodal: Mage, bung: Mage) -> None:
    make_mage("Pip", froodal.user)
    touch_activity(user=bung.user, now=timezone.now())
    client = log_in(froodal.user)
    page = client.get("/challenges/match/").text
    for part in (
        "<option>Pip</option>",
        'name="pace" value="live3"',
        'name="stakes" value="friendly" id="id_stakes_1" checked',
        "1 other player was here in the last hour.",
        "You can lose your mage",
        'href="/play/"',
    ):
        assert part in page, part
    client.post("/challenges/match/", {"mage": "Froodal", "pace": "live3", "stakes": "ladder"})
    terms = Challenge.objects.get().terms
    assert (terms["pace"], terms["stakes"]) == ("live3", "ladder")
    page = log_in(bung.user).get("/challenges/match/").text
    assert "1 duel is waiting for an opponent." in page and "Waiting now" in page
    # Other terms make another duel.
    log_in(bung.user).post("/challenges/match/", {"stakes": "friendly"})
    assert Challenge.objects.count() == 2 and not Battle.objects.exists()
    assert log_in(bung.user).post("/challenges/match/", {"pace": "never"}).status_code == 422


def test_the_first_three_battles_are_friendly_by_default(froodal: Mage, bung: Mage) -> None:
    for number in range(4):
        page = log_in(froodal.user).get("/challenges/new/").text
        usual = "friendly" if number < 3 else "ladder"
        assert re.search(rf'name="stakes" value="{usual}"[^>]*checked', page), number
        start_fight(make_mage(f"Frood{number}", froodal.user), make_mage(f"Bung{number}", bung.user))
    # Practice does not count.
    assert choose_stakes(make_mage("Zex").user) == "friendly"


def test_a_ladder_battle_says_what_can_be_lost_before_the_click(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    risky = make_challenge(froodal, terms=Terms(stakes="ladder"))
    safe = make_challenge(ayla, terms=Terms(stakes="friendly"))
    words = "You can lose your mage: if they die"
    client = log_in(bung.user)
    assert words in client.get(f"/challenges/{risky.number}/").text and words in client.get("/challenges/").text
    page = client.get(f"/challenges/{safe.number}/").text
    assert words not in page and "You can lose only rating points" in page


def test_quick_match_of_the_wrong_person_changes_nothing(froodal: Mage, bung: Mage) -> None:
    make_challenge(bung, limit=3)
    assert Client().post("/challenges/match/")["Location"].startswith("/accounts/login/")
    assert log_in(froodal.user).get("/challenges/match/").status_code == 200
    assert log_in(froodal.user).post("/challenges/match/", {"mage": "Bung"}).status_code == 404
    newcomer = log_in(make_user("Nobody_yet")).post("/challenges/match/")
    assert newcomer["Location"].startswith(str(REGISTER))
    busy = log_in(bung.user).post("/challenges/match/", {"mage": "Bung"}, follow=True)
    assert "Bung has a seat in challenge" in told_in(busy)
    assert Challenge.objects.count() == 1


def test_a_user_without_a_mage_is_redirected_to_register_one(froodal: Mage) -> None:
    page = log_in(make_user("Nobody_yet")).get("/challenges/").text
    assert "Find an opponent" not in page and "Register a mage to play" in page
    assert "No mage of yours is free" not in page


def test_a_user_with_only_busy_mages_sees_why_and_may_register_another(froodal: Mage, bung: Mage) -> None:
    pip, number = make_mage("Pip", froodal.user), make_challenge(froodal).number
    assert "Find an opponent" in log_in(froodal.user).get("/challenges/").text
    fight = start_fight(pip, bung)
    page = " ".join(log_in(froodal.user).get("/challenges/").text.split())
    assert "Find an opponent" not in page and "Register a mage to play" not in page
    waits = f'Froodal in <a href="/challenges/{number}/">challenge {number}</a>'
    fights = f'Pip in <a href="/battles/{fight.number}/">battle {fight.number}</a>'
    assert f"None of your mages is free: {waits}, {fights}. Register another mage to play one more" in page
    assert "Register another mage" in page


def test_a_guest_cannot_join_a_challenge(froodal: Mage) -> None:
    guest = create_guest(now=NOW)
    client = log_in(guest)
    assert client.post("/challenges/match/")["Location"] == "/keep/"
    pip = make_mage("Pip", guest)
    number = make_challenge(froodal, limit=2).number
    assert client.post(f"/challenges/{number}/accept/", {"mage": "Pip"})["Location"] == "/keep/"
    # Nor through any other entry point.
    with refused("guest", match="Guests play against bots, or a friend"):
        accept_challenge(number=number, mage=pip, now=NOW)


def test_a_row_says_how_many_seats_are_free(froodal: Mage, bung: Mage) -> None:
    make_challenge(froodal, limit=8)
    make_challenge(bung)
    page = Client().get("/challenges/").text
    assert "7 free seats" in page and "any number can join" in page


def test_visitors_see_which_challenges_are_by_invitation(offers: dict[str, int]) -> None:
    page = Client().get("/challenges/").text
    assert page.count("Log in to join.") == 3
    assert page.count("By invitation. Log in if you are invited.") == 1


def test_the_choice_of_spells_is_in_the_language_of_the_reader(db):
    page = Client(headers={"Accept-Language": "de"}).get("/challenges/").content.decode()
    assert "Warlocks (Lähmung ist F D F)" in page and "Paralysis is" not in page
