"""The pages of cups, as strangers, entrants and others see them."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Cup, Place
from league.services.cup_places import join_cup, leave_cup
from league.services.run_cups import advance_cup
from notifications.hook_texts import make_hook_message
from notifications.models import Hook, Notice
from tests.html import flat
from tests.league.cups import DAY, MINUTE, begin, enter, find_game, finish, list_names, make_cup, order, user_of
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
EIGHT = ("Ayla", "Borin", "Cade", "Dain", "Esme", "Finn", "Gala", "Hild")


def read(client: Client, path: str) -> str:
    """Return the words of a page, without its frame."""
    page = flat(client.get(path)).split("<main", 1)[1].split("</main>")[0]
    return " ".join(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", page, flags=re.DOTALL).split())


def test_without_cups_the_page_says_what_will_happen(client):
    words = read(client, "/cups/")
    assert "The next cups are made within a minute." in words
    assert "No cup has been played yet." in words


def test_someone_joins_and_withdraws_by_the_page():
    cup = make_cup(begins_at=timezone.now() + 3 * DAY)
    mage = make_mage("Ayla")
    browser = log_in(mage.user)
    assert "0 of 16 places taken" in read(browser, "/cups/")
    browser.post(f"/cups/{cup.pk}/join/", {"mage": "Ayla"})
    words = read(browser, f"/cups/{cup.pk}/")
    assert "1 of 16 places taken" in words and "Ayla is in." in words and "Withdraw" in words
    assert "It is cancelled the day before if fewer than 6 have joined." in words
    assert "Log in to join" in read(Client(), f"/cups/{cup.pk}/")
    browser.post(f"/cups/{cup.pk}/leave/")
    assert not Place.objects.exists()
    words = read(browser, f"/cups/{cup.pk}/")
    assert "You have left the" in words and "Nobody has joined yet." in words
    browser.post(f"/cups/{cup.pk}/join/", {"mage": "Borin"})
    assert not Place.objects.exists()


def test_a_cancelled_cup_says_why(client):
    cup = make_cup()
    enter(cup, "Ayla", "Borin")
    advance_cup(cup_id=cup.pk, now=cup.begins_at - DAY)
    assert "only 2 mages had signed up, and it takes 6" in read(client, f"/cups/{cup.pk}/")
    assert "Cancelled: only 2 mages had signed up." in read(client, "/cups/")


def test_a_live_evening_that_was_much_too_late_says_why(client):
    janitor = make_user("Clara")
    Hook.objects.create(
        user=janitor, scope="site", place="site/1", format="ntfy", name="site", events=["league"], created_at=NOW
    )
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *EIGHT[:6])
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 31 * MINUTE)
    assert "This cup is cancelled: it could not begin in time." in read(client, f"/cups/{cup.pk}/")
    assert "Cancelled: it could not begin in time." in read(client, "/cups/")
    assert "It could not begin in time." in client.get("/feeds/league.atom").text
    said = make_hook_message(Notice.objects.get(kind="open_cup"))
    assert said.text.endswith("It is cancelled: it could not begin in time.")


def test_only_the_reader_s_own_move_is_marked_and_a_board_says_nothing_of_orders(client):
    cup = make_cup()
    enter(cup, *EIGHT)
    cup = begin(cup)
    page = f"/cups/{cup.pk}/"
    before = read(client, page)
    assert "Quarter-finals on now Ayla 15 hit points Hild 15 hit points turn 1 Watch Ayla against Hild" in before
    assert "Winner of quarter-final 1 Winner of quarter-final 2 to come" in before
    order(find_game(cup, "Ayla").battle, "Ayla", "W/S", cup.begins_at)
    assert read(client, page) == before, "nothing of orders that are sealed"
    own = read(log_in(user_of("Hild")), page)
    assert own.count("your move") == 1 and "Turn 1: your move Play Ayla against Hild" in own
    assert "your move" not in read(log_in(user_of("Ayla")), page)
    assert "Turn 1: your move" in read(log_in(user_of("Hild")), "/cups/")


def test_the_bracket_shows_who_goes_on_and_the_winner_is_in_the_list(client):
    cup = make_cup()
    enter(cup, *EIGHT)
    cup = begin(cup)
    now = cup.begins_at
    finish(cup, None, "Dain", "Esme", now=now)
    finish(cup, "Ayla", "Ayla", "Hild", now=now)
    leave_cup(user=user_of("Cade"), cup_id=cup.pk, now=now)
    advance_cup(cup_id=cup.pk, now=now)
    words = read(client, f"/cups/{cup.pk}/")
    assert "again after a draw, turn 1 Watch Dain against Esme" in words
    assert "Cade L lost Finn W won turn 1, left the cup Replay Cade against Finn" in words
    assert "Ayla Winner of quarter-final 2 to come" in words
    assert "You have left this cup." in read(log_in(user_of("Cade")), f"/cups/{cup.pk}/")
    for one, other in (("Dain", "Esme"), ("Borin", "Gala"), ("Ayla", "Dain"), ("Borin", "Finn"), ("Ayla", "Borin")):
        finish(cup, one, one, other, now=now)
        advance_cup(cup_id=cup.pk, now=now)
    assert "Won by Ayla of Ayla_user, among 8 mages." in read(client, "/cups/")
    assert "on now" not in read(client, f"/cups/{cup.pk}/")


def test_the_bracket_promises_nobody_who_cannot_come(client):
    cup = make_cup()
    enter(cup, *EIGHT)
    cup = begin(cup)
    finish(cup, "Ayla", "Ayla", "Hild", now=cup.begins_at)
    advance_cup(cup_id=cup.pk, now=cup.begins_at)
    assert "Ayla Winner of quarter-final 2 to come" in read(client, f"/cups/{cup.pk}/")
    leave_cup(user=user_of("Ayla"), cup_id=cup.pk, now=cup.begins_at)
    assert "nobody Winner of quarter-final 2 to come" in read(client, f"/cups/{cup.pk}/"), "who won has left"
    for name in ("Dain", "Esme"):
        leave_cup(user=user_of(name), cup_id=cup.pk, now=cup.begins_at)
    words = read(client, f"/cups/{cup.pk}/")
    assert "nobody nobody Winner of quarter-final 3" in words
    assert "Final to come nobody Winner of semi-final 2 to come" in words


def test_a_user_s_cups_are_on_their_home_page_and_won_ones_on_their_profile():
    cup = make_cup(begins_at=timezone.now() + 3 * DAY)
    enter(cup, *EIGHT[:2])
    browser = log_in(user_of("Ayla"))
    assert "Cups All cups" in read(browser, "/") and "Begins on" in read(browser, "/")
    begin(cup)  # cancelled
    assert "All cups" not in read(browser, "/")
    cup = make_cup(key="another")
    for name in EIGHT[:2]:
        join_cup(user=user_of(name), cup_id=cup.pk, mage=user_of(name).mages.get(), now=NOW)
    Cup.objects.filter(pk=cup.pk).update(confirmed_at=NOW)
    cup = begin(cup)
    assert "Final: Borin, turn 1. Your move." in read(browser, "/")
    finish(cup, "Ayla", "Ayla", "Borin", now=cup.begins_at)
    assert "Cups won" not in read(browser, "/users/Ayla_user/")
    advance_cup(cup_id=cup.pk, now=cup.begins_at)
    assert "Cups won May Cup In 2031, with Ayla." in read(Client(), "/users/Ayla_user/")
    feed = Client().get("/feeds/league.atom").content.decode()
    assert "May Cup: won by Ayla" in feed and "May Cup, Final: Ayla beat Borin" in feed


def test_an_evening_shows_the_round_its_clock_and_the_table(client):
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *EIGHT[:7])
    cup = begin(cup)
    page = f"/cups/{cup.pk}/"
    words = read(client, page)
    assert "Round 1 of 4 ends at 12:35 UTC at the latest" in words
    assert "Gala W won a bye" in words
    finish(cup, "Dain", "Ayla", "Dain", now=cup.begins_at + MINUTE)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 5 * MINUTE)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + timedelta(minutes=8))
    cup.refresh_from_db()
    words = read(client, page)
    assert "Round 2 of 4" in words and "Round 1 over" in words
    assert "1 Dain Dain_user W won 1 0" in words
    assert "not there" in words
    assert list_names(find_game(cup, "Dain")) == ["Dain", "Gala"]


def test_a_cup_of_sixteen_takes_as_many_queries_as_one_of_eight(django_assert_max_num_queries, lasting_cache):
    """Those of a knock-out, of an evening, and of a round robin, in two groups."""
    Client().get("/cups/")  # what every first page reads
    for kind in Cup.Kind.values:
        counted = []
        for number in (8, 16):
            cup = make_cup(kind, key=f"{kind}-{number}")
            enter(cup, *(f"{kind.replace('-', '')}{number}x{place}" for place in range(number)))
            begin(cup)
            with django_assert_max_num_queries(40) as seen:
                Client().get(f"/cups/{cup.pk}/")
            counted.append(len(seen))
        assert counted[0] == counted[1] < 16, counted
