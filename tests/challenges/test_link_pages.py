"""Invite links: created, shown once, revoked; and where they lead each visitor."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Mage, Name, User
from accounts.services.ties import block_user
from accounts.services.traces import record_traces
from accounts.services.users import create_user
from challenges.guest_limit import GUESTS_OF_NETWORK
from challenges.models import Challenge, InviteLink, Seat
from challenges.selectors.links import CLICK_LIFE
from challenges.services.answers import accept_challenge
from challenges.services.invite_links import make_invite_link
from challenges.services.play_now import VISITOR
from challenges.services.proposals import propose_change
from duels.models import Battle, ChatLine
from duels.terms import Terms
from fm_site.upkeep.logs import redact_text
from notifications.selectors.notices import address_for_notices
from operations.web.client_address import network_of
from tests.bots import bring_bots
from tests.challenges.conftest import make_challenge
from tests.challenges.test_pages import read_terms, told_in
from tests.races import at_once
from tests.scenes import log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
NEWCOMER = {"username": "Rinn", "mage": "Rinna", "email": "rinn@example.org", "password1": "three-tall-towers-27"}


@pytest.fixture(autouse=True)
def _no_limits() -> None:
    cache.clear()


@pytest.fixture
def duel(froodal: Mage) -> Challenge:
    return make_challenge(froodal, open_to_all=False, by_link=True, limit=2)


@pytest.fixture
def friendly(froodal: Mage) -> Challenge:
    return make_challenge(froodal, open_to_all=False, by_link=True, limit=2, terms=Terms(stakes="friendly"))


def link_to(challenge: Challenge) -> str:
    _, token = make_invite_link(number=challenge.number, mage=challenge.challenger, now=timezone.now())
    return f"/challenges/join/{token}/"


def seats() -> set[tuple[str, str]]:
    return set(Seat.objects.values_list("mage__name", "state"))


def test_the_challenger_makes_a_link_sees_it_once_and_revokes_it(duel: Challenge, froodal: Mage) -> None:
    client = log_in(froodal.user)
    shown = client.post(f"/challenges/{duel.number}/links/", {"mage": "Froodal"}, follow=True)
    address = re.search(r'value="(http://testserver/challenges/join/[^"]+)"', shown.text)
    assert address is not None and shown["Cache-Control"].find("no-store") >= 0
    assert Client().get(address[1]).status_code == 200
    page = client.get(f"/challenges/{duel.number}/")
    assert "Works until" in page.text and address[1].split("/")[-2] not in page.text
    link = InviteLink.objects.get()
    revoked = client.post(f"/challenges/{duel.number}/links/{link.pk}/revoke/", follow=True)
    assert told_in(revoked) == "The link no longer works."
    over = Client().get(address[1])
    assert over.status_code == 404 and "This link no longer works" in over.text


@pytest.mark.parametrize(("language", "words"), [("en", "We don't know this link"), ("de", "kennen diesen Link nicht")])
def test_a_link_that_never_existed_is_not_said_to_be_over(duel: Challenge, language: str, words: str) -> None:
    mistyped = link_to(duel)[:-3] + "/"
    page = Client(headers={"Accept-Language": language}).get(mistyped)
    assert page.status_code == 404
    assert html.unescape(page.text).count(words) == 2
    assert "no longer works" not in page.text and "gilt nicht mehr" not in page.text


def test_a_link_leads_to_no_battle_on_terms_that_changed_after_it_was_opened(
    duel: Challenge, froodal: Mage, bung: Mage
) -> None:
    link, friend = link_to(duel), log_in(bung.user)
    seen = {"mage": "Bung", "terms": read_terms(friend.get(link).text)}
    stranger = {**NEWCOMER, "terms": read_terms(Client().get(link).text)}
    propose_change(number=duel.number, mage=froodal, change={"ruleset": "warlocks"}, now=timezone.now())
    assert "have changed" in told_in(friend.post(link, seen, follow=True))
    assert "have changed" in told_in(Client().post(link, stranger, follow=True))
    assert seats() == {("Froodal", "joined")}
    friend.post(link, {"mage": "Bung", "terms": read_terms(friend.get(link).text)})
    assert Battle.objects.get().terms["ruleset"] == "warlocks"


def test_the_page_of_a_link_can_be_reloaded_and_leads_to_the_battle_once_the_friend_has_joined(
    duel: Challenge, froodal: Mage, bung: Mage
) -> None:
    host = log_in(froodal.user)
    page = host.post(f"/challenges/{duel.number}/links/", {"mage": "Froodal"})["Location"]
    shown = host.get(page).text
    assert "data-open" in shown and f'data-socket="/ws/challenges/{duel.number}/"' in shown
    assert "Froodal&#x27;s duel by link" in shown and "practice" not in shown
    friend = log_in(bung.user)
    assert friend.get(page)["Location"] == f"/challenges/{duel.number}/", "somebody else sees the link"
    friend.post(f"/challenges/join/{page.partition('token=')[2]}/", {"mage": "Bung"})
    assert host.get(page, follow=True).redirect_chain[-1][0] == f"/battles/{duel.number}/"


@pytest.mark.parametrize("token", ["", "x", "x" * 5000, "../"])
def test_without_a_link_of_mine_the_address_shows_the_challenge(duel: Challenge, froodal: Mage, token: str) -> None:
    answer = log_in(froodal.user).get(f"/challenges/{duel.number}/links/?token={token}")
    assert answer["Location"] == f"/challenges/{duel.number}/"


def test_logs_do_not_keep_the_address_of_a_link_page() -> None:
    token = "AbCdEfGhIjKlMnOpQrStUvWxYz012345"
    assert token not in redact_text(f"GET /challenges/6/links/?token={token} HTTP/1.1")


def test_nobody_else_makes_or_revokes_a_link(duel: Challenge, bung: Mage) -> None:
    link_to(duel)
    link = InviteLink.objects.get()
    client = log_in(bung.user)
    assert "Only Froodal" in told_in(client.post(f"/challenges/{duel.number}/links/", {"mage": "Bung"}, follow=True))
    assert client.post(f"/challenges/{duel.number}/links/", {"mage": "Froodal"}).status_code == 404
    assert client.post(f"/challenges/{duel.number}/links/{link.pk}/revoke/").status_code == 404
    assert "Invite by link" not in client.get(f"/challenges/{duel.number}/").text
    assert list(InviteLink.objects.values_list("state", flat=True)) == ["live"]


def test_a_friend_signs_up_and_is_in_the_battle_in_one_step(duel: Challenge) -> None:
    link = link_to(duel)
    friend = Client()
    landed = friend.get(link)
    assert "Froodal invites you to a duel" in landed.text and f"/accounts/login/?next={link}" in landed.text
    arrived = friend.post(link, NEWCOMER)
    assert (arrived.status_code, arrived["Location"]) == (302, f"/battles/{duel.number}/")
    assert seats() == {("Froodal", "joined"), ("Rinna", "joined")}
    assert friend.get(arrived["Location"]).context["user"].username == "Rinn"


def test_a_friend_with_invalid_names_sees_every_problem_and_loses_nothing(duel: Challenge) -> None:
    answer = Client().post(link_to(duel), {**NEWCOMER, "username": "9", "mage": "Froodal"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"username", "mage"}
    assert "is available." in str(answer.context["form"].errors["mage"])
    assert 'value="rinn@example.org"' in answer.text
    assert not User.objects.filter(username__istartswith="rinn").exists()


def test_if_the_seat_is_taken_the_new_account_stays(duel: Challenge, bung: Mage) -> None:
    link = link_to(duel)
    friend = Client()
    friend.get(link)
    Challenge.objects.update(status="withdrawn")
    assert "This link no longer works" not in friend.get("/challenges/").text
    arrived = friend.post(link, NEWCOMER, follow=True)
    assert User.objects.filter(username="Rinn").exists() and not Mage.objects.filter(name="Rinna").exists()
    assert f"Challenge {duel.number} was withdrawn." in told_in(arrived)


def test_a_user_joins_with_a_free_mage_or_a_new_one(froodal: Mage, bung: Mage) -> None:
    melee = make_challenge(froodal, open_to_all=False, by_link=True)
    link = link_to(melee)
    client = log_in(bung.user)
    assert "Join with Bung" in client.get(link).text
    taken = client.post(link, {"mage": "Bung"}, follow=True)
    assert told_in(taken) == f"You have joined challenge {melee.number}."
    assert "You have joined. See the challenge" in client.get(link).text
    newcomer = log_in(make_user("Rinn"))
    assert "None of your mages is free." in newcomer.get(link).text
    bad = newcomer.post(link, {"name": "Bung"})
    assert bad.status_code == 422 and "is taken" in bad.text
    newcomer.post(link, {"name": "Rinn"})
    assert ("Rinn", "joined") in seats()


def test_the_wrong_person_cannot_join_by_a_link(duel: Challenge, froodal: Mage, ayla: Mage) -> None:
    link = link_to(duel)
    block_user(user=froodal.user, blocked=ayla.user, now=timezone.now())
    busy = make_mage("Crom")
    make_challenge(busy)
    before = seats()
    apart = log_in(ayla.user).post(link, {"mage": "Ayla"}, follow=True)
    assert "a block between you" in told_in(apart)
    assert "Crom has a seat in challenge" in told_in(log_in(busy.user).post(link, {"mage": "Crom"}, follow=True))
    assert log_in(busy.user).post(link, {"mage": "Ayla"}).status_code == 404
    assert log_in(make_user("Nobody_yet")).post(link, {})["Location"] == link
    assert Client().post(link, {}).status_code == 422
    assert seats() == before and not Battle.objects.exists()


def test_an_expired_link_does_not_work(duel: Challenge, bung: Mage) -> None:
    link = link_to(duel)
    InviteLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    for client in (Client(), log_in(bung.user)):
        assert client.get(link).status_code == 404
        assert client.post(link, {"mage": "Bung", **NEWCOMER}).status_code == 404
    assert not User.objects.filter(username="Rinn").exists()


def test_a_guest_signs_up_keeps_their_mage_and_comes_back_to_the_link(duel: Challenge) -> None:
    link, guest = link_to(duel), Client()
    bring_bots(now=timezone.now())
    guest.post("/stage/", {"stage": "4.0.0", "mage": VISITOR, "LH": "S", "RH": "P", "act": "ready"})
    assert User.objects.filter(is_guest=True).exists()
    page = guest.get(link)
    assert "Guests play friendly duels only." in page.text and "Register and join" not in page.text
    assert f'href="/keep/?next={link}"' in page.text
    assert f'name="next" value="{link}"' in guest.get(f"/keep/?next={link}").text
    kept = guest.post("/keep/", {**NEWCOMER, "next": link})
    assert kept["Location"] == link
    guest.post(link, {"name": "Another"})
    assert seats() >= {("Froodal", "joined"), ("Another", "joined")}
    assert guest.post("/keep/", {"next": "//evil.example/"})["Location"] == "/"


def test_a_guest_is_led_to_sign_up_for_a_battle_that_counts(duel: Challenge) -> None:
    link, guest = link_to(duel), play_as_new_guest()
    page = guest.get(link).text
    assert "Guests play friendly duels only." in page and "Play now" not in page
    for sent in ({"name": "Another"}, {"as": "guest"}):
        refused = guest.post(link, sent)
        assert refused.status_code == 302 and refused["Location"].startswith("/keep/?next=")
        assert guest.get(refused["Location"]).status_code == 200
    assert Client().post(link, {"as": "guest"}).status_code == 422
    assert seats() == {("Froodal", "joined")} and User.objects.filter(is_guest=True).count() == 1


def play_as_new_guest() -> Client:
    """The browser of a guest whose mage fights a bot."""
    guest = Client()
    bring_bots(now=timezone.now())
    guest.post("/stage/", {"stage": "4.0.0", "mage": VISITOR, "LH": "S", "RH": "P", "act": "ready"})
    return guest


def test_a_stranger_plays_at_once_and_the_account_comes_after(friendly: Challenge, froodal: Mage) -> None:
    link, friend = link_to(friendly), Client()
    page = friend.get(link)
    assert "Froodal invites you to a duel of wizards" in page.text and "No account needed" in page.text
    assert re.search(f'width="72"[^>]*><use href="#arms-.-{froodal.arms}"', page.text)
    sent = {"as": "guest", "terms": read_terms(page.text)}
    begun = friend.post(link, sent)
    assert (begun.status_code, begun["Location"]) == (302, f"/battles/{friendly.number}/")
    battle, guest = Battle.objects.get(), User.objects.get(is_guest=True)
    assert {each.mage.name for each in battle.combatants.all()} == {"Froodal", guest.username}
    assert 'id="ready"' in friend.get(begun["Location"]).text
    # The second click, and the link again.
    assert friend.post(link, sent)["Location"] == friend.get(link)["Location"] == begun["Location"]
    assert Battle.objects.count() == User.objects.filter(is_guest=True).count() == 1
    kept = friend.post("/keep/", NEWCOMER)
    assert kept["Location"] == f"/battles/{friendly.number}/"
    assert {each.mage.name for each in battle.combatants.all()} == {"Froodal", "Rinna"}
    assert 'id="ready"' in friend.get(kept["Location"]).text


def read_once(page: str) -> str:
    found = re.search(r'name="once" value="([0-9a-f]{16})"', page)
    assert found is not None
    return found[1]


def is_logged_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


@pytest.mark.parametrize("name", ["", "Tamsin"])
def test_a_click_that_arrives_twice_is_the_same_guest_although_the_first_response_is_lost(
    friendly: Challenge, name: str
) -> None:
    link, second = link_to(friendly), Client()
    page = second.get(link).text
    sent = {"as": "guest", "terms": read_terms(page), "mage_name": name, "once": read_once(page)}
    assert Client().post(link, sent)["Location"] == f"/battles/{friendly.number}/"
    assert second.post(link, sent)["Location"] == f"/battles/{friendly.number}/"
    assert second.session["_auth_user_id"] == str(User.objects.get(is_guest=True).pk)
    assert 'id="ready"' in second.get(f"/battles/{friendly.number}/").text
    assert not Seat.objects.filter(once_hash=sent["once"]).exists()


def test_nobody_else_logs_in_as_a_guest_by_their_click(friendly: Challenge) -> None:
    link, friend = link_to(friendly), Client()
    page = friend.get(link).text
    sent = {"as": "guest", "terms": read_terms(page), "once": read_once(page)}
    friend.post(link, sent)
    counting = make_challenge(make_mage("Hildur"), open_to_all=False, by_link=True, limit=2)
    others = [
        (link, {**sent, "once": "0" * 16}),
        (link, {**sent, "once": ""}),
        (link, {"as": "guest", "terms": sent["terms"]}),
        (link_to(counting), sent),
    ]
    for address, form in others:
        other = Client()
        assert other.post(address, form).status_code in (404, 422) and not is_logged_in(other)
    seat = Seat.objects.get(mage__user__is_guest=True)
    Seat.objects.filter(pk=seat.pk).update(answered_at=timezone.now() - CLICK_LIFE)
    late = Client()
    assert late.post(link, sent).status_code == 404 and not is_logged_in(late)
    Seat.objects.filter(pk=seat.pk).update(answered_at=timezone.now())
    friend.post("/keep/", NEWCOMER)
    after = Client()
    assert after.post(link, sent).status_code == 404 and not is_logged_in(after)


def test_a_key_that_no_page_made_is_not_kept(friendly: Challenge) -> None:
    """A short one could be guessed."""
    link = link_to(friendly)
    Client().post(link, {"as": "guest", "once": "1"})
    other = Client()
    assert other.post(link, {"as": "guest", "once": "1"}).status_code == 404 and not is_logged_in(other)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_click_that_arrives_twice_at_once_begins_one_battle_for_one_guest(friendly: Challenge) -> None:
    link = link_to(friendly)
    page = Client().get(link).text
    sent = {"as": "guest", "terms": read_terms(page), "mage_name": "Tamsin", "once": read_once(page)}

    def click() -> tuple[str, str]:
        browser = Client()
        return browser.post(link, sent)["Location"], browser.session["_auth_user_id"]

    clicks = at_once(click, click)
    assert clicks == [(f"/battles/{friendly.number}/", str(User.objects.get(is_guest=True).pk))] * 2


@pytest.mark.parametrize("username", ["Rinn", "tamsin"])
def test_a_stranger_can_choose_their_mages_name_and_keeps_it(friendly: Challenge, username: str) -> None:
    link, friend = link_to(friendly), Client()
    page = friend.get(link).text
    assert "Choose another name" in page and "If you leave it empty, your mage gets a made-up name." in page
    begun = friend.post(link, {"as": "guest", "terms": read_terms(page), "mage_name": "tamsin"})
    assert begun["Location"] == f"/battles/{friendly.number}/"
    battle, guest = Battle.objects.get(), User.objects.get(is_guest=True)
    assert {each.mage.name for each in battle.combatants.all()} == {"Froodal", "Tamsin"}
    assert guest.username.startswith("Guest_") and "Choose another name" not in friend.get(link, follow=True).text
    before = repr([battle.state, battle.result])
    assert "Name of your mage" not in friend.get("/keep/").text
    kept = friend.post("/keep/", {**NEWCOMER, "username": username, "mage": "Ignored"})
    assert kept["Location"] == begun["Location"]
    user = User.objects.get(pk=guest.pk)
    assert (user.username, user.is_guest) == (username.capitalize(), False)
    assert {each.mage.name for each in battle.combatants.all()} == {"Froodal", "Tamsin"}
    battle.refresh_from_db()
    assert repr([battle.state, battle.result]) == before
    names = dict(Name.objects.filter(owner=user).exclude(key__startswith="guest_").values_list("key", "kind"))
    assert names == ({"tamsin": "user"} if username == "tamsin" else {"tamsin": "mage", "rinn": "user"})
    assert 'id="ready"' in friend.get(kept["Location"]).text


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Froodal", "The name Froodal is taken."),
        ("Other", "This word is used in orders or on this site."),
        ("Guest_Teal_abcdef", "Names with this word are reserved for the site."),
        ("<script>alert(1)</script>", "Use only letters a to z, digits and underscores"),
        ("x" * 500, "A name can have at most 20 characters"),
        ("\u202eevil", "Use only letters a to z"),
    ],
)
def test_a_name_that_a_stranger_cannot_have_is_refused_and_nothing_begins(
    friendly: Challenge, name: str, problem: str
) -> None:
    link, friend = link_to(friendly), Client()
    refused = friend.post(link, {"as": "guest", "mage_name": name})
    assert refused.status_code == 422 and problem in refused.text and "<script>alert" not in refused.text
    assert ("is available" in refused.text) or name.startswith("\u202e")
    assert (
        not User.objects.filter(is_guest=True).exists()
        and not Battle.objects.exists()
        and not friend.cookies.get("sessionid")
    )
    assert friend.post(link, {"as": "guest", "mage_name": "Tamsin"}).status_code == 302


def play_to_the_end(link: str, host: Client) -> tuple[Client, str]:
    """Play a duel to its end as a new guest; return the guest's browser and the address of the battle."""
    guest = Client()
    battle = guest.post(link, {"as": "guest"})["Location"]
    played = (guest, {"act": "ready", "LH": "P", "RH": "P", "confirmed": "yes"}), (host, {"act": "ready", "LH": "S"})
    for client, orders in played:
        stage = re.search(r'name="stage" value="([^"]+)"', client.get(battle).text)
        assert stage is not None
        client.post(battle, {"stage": stage[1], "RH": "W", **orders})
    assert Battle.objects.get().is_over
    return guest, battle


@pytest.mark.parametrize("first", ["host", "guest"])
def test_a_guest_and_their_friend_fight_a_rematch(friendly: Challenge, froodal: Mage, first: str) -> None:
    host = log_in(froodal.user)
    guest, battle = play_to_the_end(link_to(friendly), host)
    asking, accepting = (host, guest) if first == "host" else (guest, host)
    rematch = f"/challenges/rematch/{friendly.number}/"
    assert "You asked for a rematch" in told_in(asking.post(rematch, follow=True))
    assert "Accept rematch" in accepting.get(battle).text
    begun = accepting.post(rematch)["Location"]
    again = Battle.objects.exclude(number=friendly.number).get()
    assert begun == f"/battles/{again.number}/" and again.terms["stakes"] == "very-friendly"


def test_a_duel_with_a_guest_counts_in_no_record_or_rating(friendly: Challenge) -> None:
    """Or a user could play guests of their own for a rating."""
    assert friendly.terms["stakes"] == "friendly"
    Client().post(link_to(friendly), {"as": "guest"})
    assert Battle.objects.get().terms["stakes"] == "very-friendly"


def test_a_guest_plays_with_people_but_does_not_speak_to_them(friendly: Challenge) -> None:
    guest = Client()
    guest.post(link_to(friendly), {"as": "guest"})
    page = guest.get(f"/battles/{friendly.number}/").text
    assert "Say something" not in page and 'name="say"' not in page
    spoken = {"orders": "LH P\nRH D\nSAY Boo\nEND"}
    refused = guest.post(f"/api/v1/battles/{friendly.number}/orders/", spoken, content_type="application/json")
    assert refused.status_code == 422 and "Guests cannot speak to people" in refused.text
    silent = {"orders": "LH P\nRH D\nEND"}
    sent = guest.post(f"/api/v1/battles/{friendly.number}/orders/", silent, content_type="application/json")
    assert sent.json()["outcome"] == "ready"
    wall = guest.post(f"/battles/{friendly.number}/chat/", {"text": "Boo"}, follow=True)
    assert wall.redirect_chain[-1][0].startswith("/keep/") and not ChatLine.objects.exists()


# Files, rules, programs' pages, and the turns of classics after the first: many pages of one kind.
SAME_FOR_ALL = re.compile(r"/(static|rules|api|dump)/|/classics/[a-z-]+/([2-9]|\d\d)/")


def walk_as(guest: Client, start: str) -> dict[str, Any]:
    """Follow every link of the site's pages from `start`, and return each page."""
    found: dict[str, Any] = {}
    waiting = [start, "/"]
    while waiting:
        page = waiting.pop(0)
        if page in found or SAME_FOR_ALL.match(page):
            continue
        found[page] = guest.get(page, follow=True)
        if "html" in found[page].headers["Content-Type"]:
            waiting += (
                html.unescape(each).partition("#")[0] for each in re.findall(r' href="(/[^"]*)"', found[page].text)
            )
    return found


def test_no_link_or_form_that_a_guest_sees_while_their_mage_fights_ends_in_a_refusal(friendly: Challenge) -> None:
    guest = Client()
    begun = guest.post(link_to(friendly), {"as": "guest"})["Location"]
    found = walk_as(guest, begun)
    assert len(found) > 60 and {"/keep/", "/play/", f"/battles/{friendly.number}/what-if/"} <= set(found)
    assert {page: each.status_code for page, each in found.items() if each.status_code >= 400} == {}
    sent = send_every_form(guest, found)
    assert len(sent) > 20 and {address: each for address, each in sent.items() if each[0] == 403} == {}


def send_every_form(guest: Client, found: dict[str, Any]) -> dict[str, tuple[int, str]]:
    """Send each form of these pages once, without its fields; return the status and where it leads."""
    sent: dict[str, tuple[int, str]] = {}
    for page, answer in found.items():
        forms = re.findall(r'<form[^>]*method="post"[^>]*>', answer.text)
        actions = {found[1] if (found := re.search(r' action="([^"]*)"', form)) else page for form in forms}
        for address in {html.unescape(each) for each in actions} - {"/accounts/logout/", *sent}:
            got = guest.post(address, headers={"referer": f"http://testserver{page}"})
            sent[address] = (got.status_code, got.headers.get("Location", ""))
        # A script sends these.
        for address in map(html.unescape, re.findall(r' data-fragment="([^"]+)"', answer.text)):
            sent[address] = (guest.post(address, headers={"sec-fetch-mode": "cors"}).status_code, "")
    return sent


@pytest.mark.parametrize("first", ["host", "guest"])
def test_a_guest_can_leave_a_rematch_and_sees_no_form_of_it_that_is_closed_to_them(
    friendly: Challenge, froodal: Mage, bung: Mage, first: str
) -> None:
    host = log_in(froodal.user)
    guest, battle = play_to_the_end(link_to(friendly), host)
    (guest if first == "guest" else host).post(f"/challenges/rematch/{friendly.number}/")
    rematch = Challenge.objects.exclude(number=friendly.number).get()
    page = f"/challenges/{rematch.number}/"
    found = walk_as(guest, battle)
    assert {page, "/challenges/"} <= set(found)
    assert {page: each.status_code for page, each in found.items() if each.status_code >= 400} == {}
    sent = send_every_form(guest, {page: found[page], "/challenges/": found["/challenges/"]})
    closed = {address for address, (status, location) in sent.items() if "/keep/" in location or status >= 400}
    leaving = f"{page}{'withdraw' if first == 'guest' else 'decline'}/"
    assert leaving in sent and closed == set()
    mage = Mage.objects.get(user__is_guest=True)
    guest.post(leaving, {"mage": mage.name})
    rematch.refresh_from_db()
    if first == "guest":
        assert rematch.status == "withdrawn"
    else:
        assert Seat.objects.get(challenge=rematch, mage=mage).state == "declined"
    # Their mage is free for another friend.
    other = make_challenge(bung, open_to_all=False, by_link=True, limit=2, terms=Terms(stakes="friendly"))
    assert guest.post(link_to(other), {"as": "guest"})["Location"] == f"/battles/{other.number}/"


def test_a_guest_leaves_their_bot_for_a_friend_but_not_a_friend_for_another(friendly: Challenge, bung: Mage) -> None:
    link, guest = link_to(friendly), play_as_new_guest()
    practice = Battle.objects.get()
    assert f"your practice battle {practice.number}" in guest.get(link).text
    assert guest.post(link, {"as": "guest"})["Location"] == f"/battles/{friendly.number}/"
    practice.refresh_from_db()
    assert practice.is_over and practice.result["reason"] == "called_off"
    other = make_challenge(bung, open_to_all=False, by_link=True, limit=2, terms=Terms(stakes="friendly"))
    again = guest.post(link_to(other), {"as": "guest"}, follow=True)
    assert f"is in battle {friendly.number}" in told_in(again)
    assert not Battle.objects.get(number=friendly.number).is_over and not Battle.objects.filter(number=other.number)


def test_as_many_guests_of_a_network_come_by_link_as_to_bots(friendly: Challenge, bung: Mage) -> None:
    for _ in range(30):
        GUESTS_OF_NETWORK.count(network_of("127.0.0.1"))
    refused = Client().post(link_to(friendly), {"as": "guest"}, follow=True)
    assert "Too many guests have started from your network" in told_in(refused)
    assert not User.objects.filter(is_guest=True).exists() and not Battle.objects.exists()


@pytest.mark.parametrize("why", ["suspended", "blocked", "blocking"])
def test_nobody_comes_back_as_a_guest_in_the_known_browser_of_an_account_that_may_not_join(
    friendly: Challenge, froodal: Mage, bung: Mage, why: str
) -> None:
    """Every other browser at their address gets the same answer as anywhere: it would tell who was there."""
    link, browser = link_to(friendly), Client()
    record_traces(user=bung.user, address="127.0.0.1", device="a-mark", now=timezone.now())
    browser.cookies["device"] = "a-mark"
    assert "Play now" in browser.get(link).text
    if why == "suspended":
        User.objects.filter(pk=bung.user_id).update(is_held=True)
    elif why == "blocked":
        block_user(user=froodal.user, blocked=bung.user, now=timezone.now())
    else:
        block_user(user=bung.user, blocked=froodal.user, now=timezone.now())
    page = browser.get(link).text
    assert "Play now" not in page and "Sign up and join" in page
    assert browser.post(link, {"as": "guest"}).status_code == 422
    assert not User.objects.filter(is_guest=True).exists() and not Battle.objects.exists()
    assert "Play now" in Client().get(link).text
    assert Client().post(link, {"as": "guest"})["Location"] == f"/battles/{friendly.number}/"


@pytest.mark.parametrize("change", [{"limit": None}, {"limit": 3}, {"mages_per_user": 1}])
def test_only_a_duel_for_one_friend_is_open_to_guests(friendly: Challenge, change: dict[str, Any]) -> None:
    link = link_to(friendly)
    Challenge.objects.update(**change)
    assert "Play now" not in Client().get(link).text
    assert Client().post(link, {"as": "guest"}).status_code == 422
    assert not User.objects.filter(is_guest=True).exists()


def test_a_user_does_not_become_a_guest(friendly: Challenge, bung: Mage) -> None:
    log_in(bung.user).post(link_to(friendly), {"as": "guest"})
    assert not User.objects.filter(is_guest=True).exists()
    assert seats() == {("Froodal", "joined"), ("Bung", "joined")}


def test_a_link_that_has_done_its_work_leads_its_friend_to_the_battle_and_tells_others(
    duel: Challenge, froodal: Mage, bung: Mage
) -> None:
    link = link_to(duel)
    friend = log_in(bung.user)
    friend.post(link, {"mage": "Bung"})
    for client in (friend, log_in(froodal.user)):
        assert client.get(link)["Location"] == f"/battles/{duel.number}/"
        assert client.post(link, {"mage": "Bung"})["Location"] == f"/battles/{duel.number}/"
    other = Client().get(link)
    assert other.status_code == 404 and "already started, without you" in other.text
    assert f'href="/battles/{duel.number}/"' in other.text


def test_a_link_that_is_over_says_why(duel: Challenge, froodal: Mage) -> None:
    link = link_to(duel)
    cases = [
        ({"status": "withdrawn"}, {}, "The challenge was withdrawn."),
        ({}, {"state": "revoked"}, f"{froodal.user} has revoked it."),
        ({}, {"state": "expired"}, "It has expired."),
    ]
    for challenge, row, words in cases:
        Challenge.objects.update(**{"status": "open", **challenge})
        InviteLink.objects.update(**{"state": "live", **row})
        over = Client().get(link)
        assert over.status_code == 404 and words in over.text
    assert "We don't know this link" in html.unescape(Client().get(f"{link[:-4]}/").text)


def test_once_others_decide_who_is_invited_the_page_says_so(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    melee = make_challenge(froodal, bung, ayla, make_mage("Ulf"))
    for mage in (bung, ayla):
        accept_challenge(number=melee.number, mage=mage, now=timezone.now())
    page = log_in(froodal.user).get(f"/challenges/{melee.number}/").text
    assert "decides who is invited" in page and "Create link" not in page


def test_the_form_makes_a_challenge_and_its_link_in_one_step(froodal: Mage) -> None:
    made: Any = log_in(froodal.user).post("/challenges/new/", {"mage": "Froodal", "by_link": "on"}, follow=True)
    challenge = Challenge.objects.get()
    assert (challenge.mages_per_user, challenge.limit) == (None, 2)
    assert made.redirect_chain[-1][0].startswith(f"/challenges/{challenge.number}/links/?token=")
    assert "Send this to a friend" in made.text and InviteLink.objects.get().challenge == challenge


def test_no_log_holds_a_link(duel: Challenge) -> None:
    link = link_to(duel)
    assert link.split("/")[-2] not in redact_text(f"Not Found: {link}")


def test_a_link_does_not_reveal_that_an_address_is_taken(duel: Challenge) -> None:
    owner = create_user(name="Rinn_before", email=NEWCOMER["email"], now=timezone.now(), email_verified=True)
    answer = Client().post(link_to(duel), NEWCOMER)
    assert answer["Location"] == f"/battles/{duel.number}/", "as for any other address"
    friend = User.objects.get(username="Rinn")
    assert (address_for_notices(owner), address_for_notices(friend)) == (NEWCOMER["email"], None)


def test_one_button_creates_one_duel_with_a_link_for_a_friend_even_if_clicked_twice(froodal: Mage) -> None:
    client = log_in(froodal.user)
    sent = {"mage": froodal.name, "pace": "live3", "stakes": "friendly"}
    shown = client.post("/challenges/friend/", sent)
    challenge = Challenge.objects.get()
    assert shown["Location"].startswith(f"/challenges/{challenge.number}/links/?token=")
    assert (challenge.limit, challenge.mages_per_user, challenge.terms["stakes"]) == (2, None, "friendly")
    assert "Send this to a friend" in client.get(shown["Location"]).content.decode()
    again = client.post("/challenges/friend/", sent, follow=True)
    assert again.redirect_chain == [("/play/", 302)] and Challenge.objects.count() == 1
    wrong = client.post("/challenges/friend/", {"mage": froodal.name, "pace": "never"}, follow=True)
    assert "Choose a pace and stakes" in wrong.content.decode()
    assert client.get("/challenges/friend/").status_code == 405
