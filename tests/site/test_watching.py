"""The page of battles to watch, and the featured board."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from duels.models import Battle
from duels.selectors.featured import find_battle_of_the_week, list_featured_battles
from duels.selectors.spectators import EXHIBITION, count_spectators, place_of_battle, place_of_board
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.followers import follow_battle
from duels.services.spectators import note_spectators
from fm_site.watching.board import build_watched_board
from fm_site.watching.featured import draw_featured, list_places, parse_place
from ladder.models import UserRating
from operations.presence import lose_page, see_pages
from studies.services.exhibitions import TURN, begin_exhibition, delete_old_exhibitions, play_exhibition
from tests.bots import bring_bots
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
LIVE = {"pace": "live3"}
NAMES = [("Ada", "Bor"), ("Cyd", "Dag"), ("Eve", "Fay")]
HIT = [("S/W", "W/F"), ("D/F", "F/S")]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    cache.clear()


@pytest.fixture
def open_pages():
    """Opens spectators' pages of a place; they are closed after the test."""
    opened = []

    def open_some(place, count):
        names = [f"page {each}" for each in range(count)]
        see_pages({place: names})
        opened.extend((place, name) for name in names)

    yield open_some
    for place, name in opened:
        lose_page(place, name)


def pair(one: str, other: str, **terms: object) -> Fight:
    return start_fight(make_mage(one), make_mage(other), **terms)


def rate(fight: Fight, rating: float) -> None:
    for name in fight.names:
        UserRating.objects.create(
            user=fight.user(name), kind="duel", rating=rating, deviation=60, volatility=0.06, battles=9, day=NOW.date()
        )


def get(path: str = "/battles/", client: Client | None = None) -> str:
    return (client or Client()).get(path).content.decode()


def key_of(html: str) -> str:
    found = re.search(r'data-key="([^"]*)"', html)
    assert found
    return found[1]


class TestWhichBattleIsFeatured:
    def test_the_live_battle_with_most_spectators_comes_first(self, open_pages):
        rated, watched, slow = pair("Ada", "Bor", **LIVE), pair("Cyd", "Dag", **LIVE), pair("Eve", "Fay")
        rate(rated, 2000)
        open_pages(place_of_battle(watched.number), 2)
        open_pages(place_of_battle(slow.number), 5)
        slow.turn("S/W", "W/F")
        assert list_featured_battles(now=NOW) == [watched.number, rated.number, slow.number]

    def test_a_tie_goes_to_the_higher_rating_and_then_to_the_closer_battle(self):
        far, close, rated = pair("Ada", "Bor", **LIVE), pair("Cyd", "Dag", **LIVE), pair("Eve", "Fay", **LIVE)
        far.turns(HIT)
        rate(rated, 1600)
        assert list_featured_battles(now=NOW) == [rated.number, close.number, far.number]

    def test_a_slow_battle_is_featured_for_ten_minutes_after_a_turn(self):
        fight = pair("Ada", "Bor")
        assert list_featured_battles(now=NOW) == []
        fight.turn("S/W", "W/F")
        assert list_featured_battles(now=NOW + 10 * MINUTE) == [fight.number]
        assert list_featured_battles(now=NOW + 11 * MINUTE) == []

    def test_practice_against_bots_and_battles_that_are_over_are_not(self):
        bring_bots(now=NOW)
        fight = pair("Ada", "Bor", **LIVE)
        Battle.objects.update(practice=True, company=Battle.Company.MIXED)
        assert list_featured_battles(now=NOW) == []
        Battle.objects.update(practice=False, company=Battle.Company.PEOPLE)
        fight.turn("P/P", "W/F")
        assert list_featured_battles(now=NOW) == []

    def test_then_the_exhibition_and_then_the_battle_of_the_week(self):
        over = pair("Ada", "Bor")
        over.turn("P/P", "W/F")
        assert key_of(get()) == f"replay-{over.number}"
        bring_bots(now=NOW)
        exhibition = begin_exhibition(now=NOW)
        assert key_of(get()) == f"exhibition-{exhibition.pk}"
        live = pair("Cyd", "Dag", **LIVE)
        assert key_of(get()) == f"battle-{live.number}"

    def test_an_empty_site_says_what_will_happen(self):
        assert key_of(html := get()) == ""
        assert "As soon as one begins, you see it here." in html


class TestMovingOn:
    def test_a_board_stays_until_its_page_may_leave_it(self):
        first, second = pair("Ada", "Bor", **LIVE), pair("Cyd", "Dag", **LIVE)
        rate(second, 1800)
        shown = f"/battles/featured/?shown=battle-{first.number}"
        assert key_of(get(shown)) == f"battle-{first.number}"
        assert key_of(get(f"{shown}&free=1")) == f"battle-{second.number}"

    def test_next_goes_through_all_and_begins_again(self):
        for names in NAMES:
            pair(*names, **LIVE)
        seen = [key_of(get("/battles/featured/"))]
        while len(seen) < 4:
            seen.append(key_of(get(f"/battles/featured/?shown={seen[-1]}&next=1")))
        assert len(set(seen)) == 3 and seen[0] == seen[3]

    def test_a_battle_that_has_ended_shows_its_end_as_spectators_saw_it(self):
        fight = pair("Ada", "Bor", **LIVE)
        fight.turns(HIT)
        fight.turn("P/P", "W/F")
        html = get(f"/battles/featured/?shown=battle-{fight.number}")
        assert 'data-over="yes"' in html and "Victory to Bor" in html

    def test_a_replay_goes_from_turn_to_turn(self):
        fight = pair("Ada", "Bor")
        fight.turns(HIT)
        fight.turn("P/P", "W/F")
        turn, seen = "", []
        while turn != "0":
            html = get(f"/battles/featured/?shown=replay-{fight.number}&turn={turn}")
            seen.append(re.search(r'data-turn="(\d+)"', html)[1])
            turn = re.search(r'data-replay="(\d+)"', html)[1]
        assert seen == ["1", "2", "3"]

    @pytest.mark.parametrize("shown", ["battle-999", "exhibition-9", "replay-999", "x", "battle-", "-1", "battle-²"])
    def test_what_is_gone_gives_way_to_what_there_is(self, shown):
        fight = pair("Ada", "Bor", **LIVE)
        assert key_of(get(f"/battles/featured/?shown={shown}")) == f"battle-{fight.number}"
        assert Client().get(f"/battles/?next={shown}").status_code == 200


class TestSecrets:
    def test_a_player_who_watches_sees_what_all_mages_see(self):
        fight = pair("Ada", "Bor", **LIVE)
        fight.order("Ada", "S/W")
        path = f"/battles/featured/?shown=battle-{fight.number}"
        assert get(path, log_in(fight.user("Ada"))) == get(path)

    def test_no_other_view_can_be_drawn(self):
        fight = pair("Ada", "Bor", **LIVE)
        view = get_battle_for_viewer(number=fight.number, user=fight.user("Ada"))
        with pytest.raises(ValueError, match="what all mages see"):
            build_watched_board(view, now=NOW)

    def test_an_order_that_is_sealed_shows_only_that_its_mage_is_ready(self):
        boards = []
        for names, orders in ((NAMES[0], "S/W"), (NAMES[1], "F/P")):
            fight = pair(*names, **LIVE)
            fight.order(names[0], orders)
            html = draw_featured([parse_place(f"battle-{fight.number}")], now=NOW)
            assert html.count("✓") == 2
            boards.append(re.sub(r"Ada|Bor|Cyd|Dag|battle-\d+|/\d+/|arms-\S+|<symbol.*", "", html))
        assert boards[0] == boards[1]


class TestSpectators:
    def test_they_are_counted_from_one_and_shown(self, open_pages):
        fight = pair("Ada", "Bor", **LIVE)
        assert count_spectators([fight.number]) == {fight.number: 0} and "watching" not in get()
        cache.clear()
        open_pages(place_of_battle(fight.number), 3)
        assert count_spectators([fight.number]) == {fight.number: 3}
        assert get().count("3 watching") == 3  # at the board, at the battle, and in all

    def test_the_most_at_once_is_kept_and_never_falls(self, open_pages):
        fight = pair("Ada", "Bor", **LIVE)
        open_pages(place_of_battle(fight.number), 3)
        assert note_spectators() == 1 and note_spectators() == 0
        lose_page(place_of_battle(fight.number), "page 0")
        assert note_spectators() == 0
        assert Battle.objects.get().most_spectators == 3

    def test_boards_elsewhere_do_not_count(self, open_pages):
        fight = pair("Ada", "Bor", **LIVE)
        open_pages(place_of_board(fight.number), 7)
        assert count_spectators([fight.number]) == {fight.number: 0}


class TestBattleOfTheWeek:
    def test_it_is_the_most_watched_that_ended_within_a_week_else_the_last(self):
        assert find_battle_of_the_week(now=NOW) is None
        fights = [pair(*names) for names in NAMES]
        for fight in fights:
            fight.turn("P/P", "W/F")
        assert find_battle_of_the_week(now=NOW) == fights[2].number
        Battle.objects.filter(pk=fights[0].battle.pk).update(most_spectators=4)
        Battle.objects.filter(pk=fights[1].battle.pk).update(most_spectators=2)
        assert find_battle_of_the_week(now=NOW + timedelta(days=6)) == fights[0].number
        assert find_battle_of_the_week(now=NOW + timedelta(days=8)) == fights[2].number


@pytest.mark.parametrize("address", ["/battles/", "/battles/?ended_before=999999", "/battles/{n}/poster/"])
def test_finished_battles_have_the_arms_of_their_mages_in_both_lists_and_on_the_poster(address):
    fight = start_fight(make_mage("Zara", "Zed"), make_mage("Yorick", "Yan"))
    fight.turn("P/P", "-/-")
    page = log_in(None).get(address.format(n=fight.number)).text
    assert all(f'-{mage.arms}"/>' in page for mage in fight.mages.values())


def test_the_api_lists_what_there_is_to_watch(open_pages):
    slow, live, over = pair("Ada", "Bor"), pair("Cyd", "Dag", **LIVE), pair("Eve", "Fay")
    slow.turn("S/W", "W/F")
    over.turn("P/P", "W/F")
    open_pages(place_of_battle(live.number), 2)
    answer = Client().get("/api/v1/battles/watch/").json()
    seen = [(each["battle"]["battle"], each["spectators"]) for each in answer["battles"]]
    assert seen == [(live.number, 2), (slow.number, 0)] and answer["week"] == over.number


class TestFilters:
    def test_followed_battles_are_for_those_who_follow_some(self):
        followed, other = pair("Ada", "Bor"), pair("Cyd", "Dag")
        fan = make_user("Fanny")
        follow_battle(battle=followed.battle, user=fan, now=NOW)
        html = get("/battles/?show=followed", log_in(fan))
        assert f'href="/battles/{followed.number}/"' in html and f'href="/battles/{other.number}/"' not in html
        html = get("/battles/?show=followed")
        assert "Followed" not in html and f'href="/battles/{other.number}/"' in html

    def test_bots_have_their_own_list_and_the_board_shows_them(self):
        people, bots = pair("Ada", "Bor", **LIVE), pair("Cyd", "Dag")
        Battle.objects.filter(pk=bots.battle.pk).update(company=Battle.Company.BOTS)
        bring_bots(now=NOW)
        exhibition = begin_exhibition(now=NOW)
        html = get("/battles/?show=bots")
        assert key_of(html) == f"exhibition-{exhibition.pk}"
        assert f'href="/battles/{bots.number}/"' in html and f'href="/battles/{people.number}/"' not in html

    def test_where_no_people_fight_the_page_leads_to_the_bots(self):
        bring_bots(now=NOW)
        exhibition = begin_exhibition(now=NOW)
        one, other = exhibition.mages
        html = " ".join(get().split())
        assert f"No battles between people right now. Bots are fighting: {one} against {other}." in html
        assert f'href="/battles/exhibition/{exhibition.pk}/">Watch the bots</a>' in html


def test_the_page_of_an_exhibition_tells_its_turns_and_ends_with_it(open_pages):
    bring_bots(now=NOW)
    open_pages(place_of_board(EXHIBITION), 1)
    exhibition = begin_exhibition(now=NOW)
    for turn in (1, 2):
        play_exhibition(now=NOW + turn * TURN)
    path = f"/battles/exhibition/{exhibition.pk}/"
    html = get(path)
    assert "<b>Turn 1.</b>" in html and "<b>Turn 2.</b>" in html and "1 watching" in html
    delete_old_exhibitions(now=NOW + timedelta(days=1))
    assert Client().get(path).status_code == 404
    assert list(list_places(now=NOW)) == []


def test_the_front_page_shows_the_featured_board_below_the_first_choice():
    bring_bots(now=NOW)
    fight = pair("Ada", "Bor", **LIVE)
    html = get("/")
    assert html.index('id="stage"') < html.index(f'data-key="battle-{fight.number}"')
    ids = re.findall(r' id="([^"]+)"', html)
    # The sheets of spells wait in inert templates.
    assert {each for each in ids if ids.count(each) > 1} <= {"spell-name"}
