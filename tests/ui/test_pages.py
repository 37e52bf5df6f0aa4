"""The pages of the site for visitors and users, without scripts."""

import re
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.services.vacations import start_vacation
from challenges.services.create import create_challenge
from duels.models import Deadline, Stage
from duels.services.clocks.battle_clocks import update_clocks
from duels.services.lock import lock_battle
from duels.terms import Terms
from tests.duels.fights import Fight, start_fight
from tests.html import flat
from tests.scenes import NOW, make_mage, make_user
from tests.ui.rendering import client_of, words

pytestmark = pytest.mark.once


@pytest.mark.parametrize("order", ["name", "gestures", "backwards", "length", "nonsense"])
def test_the_rules_list_forty_spells_in_any_order(client: Client, db: None, order: str) -> None:
    html = flat(client.get("/rules/", {"order": order}))
    names = re.findall(r'<li id="[\w-]+"><h3 lang="en">(?:<span id="[\w-]+"></span>)*([^<]+)</h3>', html)
    assert len(names) == 40
    if order == "name":
        assert names == sorted(names)
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_every_why_leads_to_a_place_on_the_rules_page(duel: Fight) -> None:
    duel.turn("LH S RH P", "LH D RH >")
    page = flat(client_of(duel.user("Froodal")).get(f"/battles/{duel.number}/"))
    links = set(re.findall(r'href="(/rules/[^#"]*)#([^"]+)"', page))
    assert links and {path for path, _ in links} <= {"/rules/", "/rules/firetop-standard/"}
    for path, anchor in links:
        assert f' id="{anchor}"' in Client().get(path).content.decode()


def test_home_shows_the_most_urgent_battle_and_its_button(duel: Fight) -> None:
    html = flat(client_of(duel.user("Froodal")).get("/"))
    assert "One battle is waiting for you" in html
    assert f"Duel {duel.number} against Bung" in html and "Play turn 1" in html


def test_home_is_quiet_once_the_orders_are_in(duel: Fight) -> None:
    duel.order("Froodal", "P/D")
    html = flat(client_of(duel.user("Froodal")).get("/"))
    assert "Nothing is waiting for you" in html
    assert "Waiting for others" in html
    assert 'class="count" data-count hidden' in html and 'class="dot"' not in html


def test_home_puts_a_waiting_challenge_first_and_shows_my_own(db: None) -> None:
    froodal, bung = make_mage("Froodal"), make_mage("Bung")
    create_challenge(challenger=froodal, terms=Terms(), invited=[bung], now=NOW)
    asked = flat(client_of(bung.user).get("/"))
    assert "<h1>One challenge is waiting for your answer</h1>" in asked and "Nothing is waiting" not in asked
    own = flat(client_of(froodal.user).get("/"))
    assert "<h1>Nothing is waiting for you</h1>" in own
    assert "The battle starts when the challenge is accepted." in own


def test_home_says_that_i_am_on_vacation(duel: Fight) -> None:
    user, now = duel.user("Froodal"), timezone.now()
    assert "You are on vacation" not in client_of(user).get("/").content.decode()
    start_vacation(user=user, days=3, now=now)
    assert "You are on vacation until" in words(client_of(user).get("/").content.decode())


def test_home_shows_no_running_clock_on_vacation(duel: Fight) -> None:
    start_vacation(user=duel.user("Froodal"), days=3, now=timezone.now())
    with transaction.atomic():
        update_clocks(battle=lock_battle(duel.battle.pk), now=timezone.now())
    html = words(client_of(duel.user("Froodal")).get("/").content.decode())
    assert "clock stopped" in html and "</time></b> left" not in html and "waiting <b>" not in html


def test_home_shows_no_orders_to_a_mage_who_left_a_melee(db: None) -> None:
    fight = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))
    fight.turn("P/P", "S/W", "F/F")
    html = flat(client_of(fight.user("Ayla")).get("/"))
    assert f"Melee {fight.number} against Borin, Cormac" in html
    assert "You have sent orders" not in html


def test_a_wait_of_seconds_is_not_shown_as_zero_minutes(duel: Fight) -> None:
    Stage.objects.filter(battle=duel.battle).update(opened_at=timezone.now())
    Deadline.objects.all().delete()  # as for a battle whose clocks have not started
    assert "under a minute" in client_of(duel.user("Froodal")).get("/").content.decode()


def test_the_page_of_the_forgetful_says_what_the_hands_repeat(duel: Fight) -> None:
    duel.turns([("D/F", "S/D"), ("P/F", "S/D"), ("P/W\nCHOOSE LH Amnesia\nTARGET LH Bung", "F/S")])
    html = flat(client_of(duel.user("Bung")).get(f"/battles/{duel.number}/"))
    assert "Your left hand repeats fingers, your right hand snap." in words(html)
    assert "not chosen" not in html


def test_a_user_without_a_mage_is_led_to_register_one(db: None) -> None:
    html = flat(client_of(make_user("Nobody_yet")).get("/"))
    assert 'href="/accounts/mages/new/"' in html


def test_the_battle_page_takes_orders_without_scripts(duel: Fight) -> None:
    client = client_of(duel.user("Froodal"))
    sent = {"stage": str(duel.key()), "mage": "Froodal", "LH": "P", "RH": "D", "line": ""}
    preview = flat(client.post(f"/battles/{duel.number}/", sent | {"act": "preview"}))
    assert re.search(r'name="LH" value="P" checked', preview)
    answer = client.post(f"/battles/{duel.number}/", sent | {"act": "ready"}, follow=True)
    assert "You are ready." in answer.content.decode()


def test_a_surrender_needs_a_second_press(duel: Fight) -> None:
    client = client_of(duel.user("Froodal"))
    sent = {"stage": str(duel.key()), "mage": "Froodal", "LH": "P", "RH": "P", "act": "ready"}
    asked = flat(client.post(f"/battles/{duel.number}/", sent))
    assert 'name="confirmed" value="yes"' in asked and "You are ready." not in asked
    done = flat(client.post(f"/battles/{duel.number}/", sent | {"confirmed": "yes"}, follow=True))
    assert "You are ready." in done


def test_in_a_practice_the_first_mage_leads_on_to_the_second(db: None) -> None:
    user = make_user("Solo")
    fight = start_fight(make_mage("Sola", user), make_mage("Solb", user))
    fight.order("Sola", "P/D")
    html = flat(client_of(user).get(f"/battles/{fight.number}/?mage=Sola"))
    assert f'href="/battles/{fight.number}/?mage=Solb">Next: Solb</a>' in html
    assert "Nothing else is waiting for you" not in html


def test_in_a_practice_you_are_one_of_your_mages_and_the_other_is_named(db: None) -> None:
    user = make_user("Solo")
    fight = start_fight(make_mage("Sola", user), make_mage("Solb", user))
    fight.turn("S/W", "P/F")
    html = flat(client_of(user).get(f"/battles/{fight.number}/?mage=Solb"))
    assert 'aria-label="Your left hand"' in html and 'aria-label="Sola, left hand"' in html
    assert "Sola S W" in words(html) and "You P F" in words(html)
    fight.turn("P/P", "S/D")
    assert f"Duel {fight.number}: Sola, Solb" in words(client_of(user).get("/").content.decode())


def test_a_visitor_watches_and_cannot_act(duel: Fight) -> None:
    duel.order("Froodal", "P/D")
    html = flat(Client().get(f"/battles/{duel.number}/"))
    assert "You are watching this battle." in html
    assert 'id="orders"' not in html and 'type="radio"' not in html


def test_a_melee_has_a_lane_for_each_of_the_others_in_their_seats(db: None) -> None:
    fight = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))
    fight.turn("LH S RH F", "LH F RH W", "LH S RH W")
    html = flat(client_of(fight.user("Ayla")).get(f"/battles/{fight.number}/"))
    assert re.findall(r'<section class="lane side-above" id="mage-\w+" aria-label="(\w+)">', html) == [
        "Borin",
        "Cormac",
    ]
    assert 'aria-label="Borin, right hand"' in html
    assert 'aria-label="Cormac, left hand"' in html


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/nothing/", "Page not found"),
        ("/battles/999999/", "Page not found"),
        ("/challenges/999999/", "Page not found"),
        ("/challenges/join/nothing/", "We don't know this link"),
    ],
)
def test_an_unknown_address_gets_our_own_page(
    client: Client, db: None, settings: Any, path: str, words: str, debug: bool
) -> None:
    settings.DEBUG = debug
    answer = client.get(path)
    assert answer.status_code == 404
    assert words in answer.content.decode()


PUBLIC = ["/", "/stage/", "/rules/", "/battles/", "/challenges/", "/ladder/", "/accounts/login/", "/accounts/signup/"]
OWN = [
    "/accounts/mages/",
    "/accounts/mages/new/",
    "/accounts/settings/",
    "/accounts/mail-password/",
    "/accounts/blocks/",
    "/accounts/tokens/",
    "/accounts/notices/",
    "/accounts/hooks/",
]


@pytest.mark.parametrize("path", PUBLIC)
def test_public_pages_have_one_heading_and_a_skip_link(client: Client, db: None, path: str) -> None:
    html = flat(client.get(path))
    assert len(re.findall(r"<h1[ >]", html)) == 1
    assert 'href="#main"' in html


@pytest.mark.parametrize("path", [*OWN, "/challenges/new/", "/accounts/logout/", "/accounts/email/"])
def test_pages_of_a_user_redirect_visitors_to_log_in(client: Client, db: None, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 302
    assert path == "/accounts/logout/" or "/accounts/login/" in answer["Location"]


@pytest.mark.parametrize("theme", ["light", "dark", "system"])
def test_the_theme_of_the_settings_is_on_every_page(db: None, theme: str) -> None:
    user = make_user("Painter")
    user.theme = theme
    user.save(update_fields=["theme"])
    html = flat(client_of(user).get("/rules/"))
    assert (f'data-theme="{theme}"' in html) is (theme != "system")


def test_a_gesture_that_ends_two_spells_asks_which_and_the_button_waits(duel: Fight) -> None:
    for left in "SPF":
        duel.turn(f"LH {left} RH -", "LH D RH S")
    client = client_of(duel.user("Froodal"))
    sent = {"stage": str(duel.key()), "mage": "Froodal", "LH": "P", "RH": "-"}
    asked = flat(client.post(f"/battles/{duel.number}/", sent | {"act": "preview"}))
    cards = re.findall(r'<fieldset [^>]*data-slot="CHOOSE LH".*?</fieldset>', asked, re.S)[0]
    assert "CHOOSE LH Anti Spell" in cards and "CHOOSE LH Shield" in cards
    assert re.search(r'id="ready" aria-disabled="true"', asked)
    early = flat(client.post(f"/battles/{duel.number}/", sent | {"act": "ready"}, follow=True))
    assert "You are ready." not in early
    assert 'data-slot="CHOOSE LH"' in early, "the question stays until it is answered"
    done = sent | {"order-q-choose-lh": ["CHOOSE LH Anti Spell"], "act": "ready"}
    assert "You are ready." in client.post(f"/battles/{duel.number}/", done, follow=True).content.decode()


def test_a_probable_slip_is_asked_about_once(duel: Fight) -> None:
    client, path = client_of(duel.user("Froodal")), f"/battles/{duel.number}/"
    sent = {
        "stage": str(duel.key()),
        "mage": "Froodal",
        "LH": "P",
        "RH": "-",
        "order": ["TARGET LH Bung"],
        "act": "ready",
    }
    asked = flat(client.post(path, sent, follow=True))
    assert "You cast Shield on Bung, not on yourself." in asked
    assert "Play it anyway" in asked and "You are ready." not in asked
    assert "You are ready." in flat(client.post(path, sent | {"confirmed": "yes"}, follow=True))


def test_a_charmed_mage_is_directed_from_the_form(duel: Fight) -> None:
    for left in "PSDF":
        duel.turn(f"LH {left} RH -", "LH D RH S")
    page = flat(client_of(duel.user("Froodal")).get(f"/battles/{duel.number}/"))
    select = re.findall(r'<select [^>]*data-slot="DIRECT Bung".*?</select>', page, re.S)[0]
    assert "Gesture for Bung, who is charmed" in page
    assert "leave it open" in select
