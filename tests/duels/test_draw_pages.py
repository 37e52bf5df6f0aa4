"""A draw by page and by API: what the two players see of an offer, what nobody else does, and every wrong request."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.tokens import issue_api_token
from duels.models import Combatant
from duels.services.draws import offer_draw
from tests.duels.fights import Fight, start_fight
from tests.duels.test_draws import play_to
from tests.duels.test_secrecy import differences, take_down, taken_back
from tests.html import flat
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def late(duel: Fight) -> Fight:
    return play_to(duel, 5)


def page(fight: Fight, name: str, query: str = "") -> str:
    return flat(log_in(fight.user(name)).get(f"/battles/{fight.number}/{query}"))


def press(fight: Fight, name: str, act: str, stage: str = "") -> str:
    form = {"mage": name, "act": act, "stage": stage or str(fight.key())}
    return flat(log_in(fight.user(name)).post(f"/battles/{fight.number}/draw/", form, follow=True))


def call(fight: Fight, name: str, act: str = "", expect: int = 200, **more: str) -> dict[str, object]:
    token = issue_api_token(user=fight.user(name), name="test", scopes=["read", "play"], now=timezone.now())[1]
    client, path = Client(headers={"Authorization": f"Bearer {token}"}), f"/api/v1/battles/{fight.number}/draw/"
    body = json.dumps({"act": act, **more})
    answer = client.post(path, body, content_type="application/json") if act else client.get(path)
    assert answer.status_code == expect, answer.content
    return answer.json()


def test_the_menu_leads_to_a_question_and_that_to_an_offer(late):
    link = f'<a href="/battles/{late.number}/?draw=1" data-draw-offer>Offer a draw…</a>'
    assert link in page(late, "Froodal")
    asked = page(late, "Froodal", "?draw=1")
    assert "<b>Offer Bung a draw?</b>" in asked and 'value="offer"' in asked
    assert not Combatant.objects.exclude(draw_offered_in="").exists(), "looking offers nothing"
    offered = press(late, "Froodal", "offer")
    assert "<b>You offer a draw.</b>" in offered and 'value="withdraw"' in offered
    assert "data-draw-offer hidden>" in offered
    other = page(late, "Bung")
    assert "<b>Froodal offers a draw.</b>" in other
    assert 'value="accept">Accept</button>' in other and 'value="decline">Decline</button>' in other


def test_before_turn_5_and_in_other_battles_there_is_no_way_to_it(duel, melee, practice):
    play_to(duel, 4)
    for fight, name in ((duel, "Froodal"), (melee, "Ayla"), (practice, "Lefty")):
        shown = page(fight, name, "?draw=1")
        assert 'value="offer"' not in shown and "data-draw-offer>" not in shown
    assert "You can offer a draw from turn 5 on." in press(duel, "Froodal", "offer")
    assert "Nobody can agree on a draw in this battle" in press(melee, "Ayla", "offer")


def test_accepting_ends_it_and_declining_does_not(late):
    press(late, "Froodal", "offer")
    assert "You declined the draw. The battle continues." in press(late, "Bung", "decline")
    assert "There is no offer of a draw by Froodal now." in press(late, "Bung", "accept")
    declined = "<b>Bung declines the draw.</b> You can offer another from turn 10 on."
    assert declined in page(late, "Froodal") and "declines the draw" not in page(late, "Bung")
    press(late, "Bung", "offer")
    assert "declines the draw" not in page(late, "Froodal")
    ended = press(late, "Froodal", "accept")
    assert "Draw, agreed in turn 5" in ended and "Bung offered it." in ended
    late.battle.refresh_from_db()
    assert late.battle.is_over
    assert "Draw, agreed in turn 5" in press(late, "Froodal", "accept", stage="5.0.0"), "a second click is harmless"


def test_a_click_on_an_old_page_is_told_that_its_turn_is_over(late):
    press(late, "Froodal", "offer")
    play_to(late, 6)
    assert "Turn 5 is over" in press(late, "Bung", "accept", stage="5.0.0")
    assert "You took your offer back." not in press(late, "Froodal", "withdraw", stage="5.0.0")


def test_nobody_else_can_press_these_buttons(late):
    offer_draw(combatant=late.combatant("Froodal"), now=NOW)
    form = {"mage": "Bung", "act": "accept", "stage": "5.0.0"}
    path = f"/battles/{late.number}/draw/"
    stranger = log_in(make_user("Stranger"))
    assert stranger.post(path, form).status_code == 403
    assert log_in(late.user("Froodal")).post(path, form).status_code == 403, "with the other's mage"
    assert Client().post(path, form).status_code == 302
    assert log_in(late.user("Bung")).get(path).status_code == 405
    late.battle.refresh_from_db()
    assert not late.battle.is_over


def test_an_offer_shows_in_no_byte_that_anyone_but_the_two_gets(late):
    readers = {"stranger": log_in(make_user("Stranger")), "nobody": Client()}
    n = late.number
    paths = [
        f"/battles/{n}/",
        f"/battles/{n}/?fragment=board",
        f"/battles/{n}/story/",
        f"/battles/{n}/table/",
        "/watch/",
    ]
    paths += [f"/api/battles/{n}/", f"/api/battles/{n}/events/", f"/battles/{n}/proof/", "/battles/", "/"]

    def everything() -> dict[object, object]:
        return {(name, path): take_down(client.get(path)) for name, client in readers.items() for path in paths}

    before = everything()
    for act in ("offer", "withdraw"):
        with taken_back():
            offer_draw(combatant=late.combatant("Froodal"), now=NOW)
            if act == "withdraw":
                press(late, "Froodal", "withdraw")
            assert differences(before, everything()) == []


def test_only_the_pages_of_the_two_players_wake_up(late, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr("operations.wakeups.publish", lambda channel, message: sent.append((channel, message)))
    with django_capture_on_commit_callbacks(execute=True):
        offer_draw(combatant=late.combatant("Froodal"), now=NOW)
    mine = [message for channel, message in sent if channel == f"battle.{late.number}"]
    assert mine == [{"note": {"changed": [late.user("Bung").pk, late.user("Froodal").pk]}}]


def test_programs_offer_read_and_answer(late):
    told = call(late, "Froodal")
    assert (told["possible"], told["other"], told["may_offer"], told["from_turn"]) == (True, "Bung", True, 5)
    assert (told["offered"], told["offers"]) == (False, False)
    told = call(late, "Froodal", "offer", key="5.0.0")
    assert told["agreed"] is False and told["now"]["offers"] is True and told["now"]["from_turn"] == 10
    assert call(late, "Bung")["offered"] is True
    assert call(late, "Froodal", "accept", expect=409)["reason"] == "no_draw_offered"
    assert call(late, "Bung", "decline")["now"]["offered"] is False
    assert call(late, "Froodal", "offer", expect=409)["reason"] == "draw_too_often"
    call(late, "Bung", "offer")
    call(late, "Bung", "withdraw")
    assert call(late, "Froodal", "accept", expect=409)["reason"] == "no_draw_offered"
    assert call(late, "Froodal", "resign", expect=400)
    play_to(late, 10)
    assert call(late, "Froodal", "offer", expect=409, key="9.0.0")
    call(late, "Froodal", "offer")
    ended = call(late, "Bung", "offer")
    assert ended["agreed"] is True and ended["now"]["possible"] is False
    assert call(late, "Bung", "accept")["agreed"] is True


def test_a_program_of_someone_else_is_refused(late):
    other = start_fight(make_mage("Ayla"), make_mage("Crom"))
    token = issue_api_token(user=other.user("Ayla"), name="t", scopes=["read", "play"], now=timezone.now())[1]
    client = Client(headers={"Authorization": f"Bearer {token}"})
    path, body = f"/api/v1/battles/{late.number}/draw/", json.dumps({"act": "offer"})
    for more in ({"act": "offer"}, {"act": "offer", "mage": "Bung"}):
        assert client.post(path, json.dumps(more), content_type="application/json").status_code == 403
    assert client.get(path).status_code == 403
    assert Client().post(path, body, content_type="application/json").status_code == 401
    assert client.post("/api/v1/battles/999/draw/", body, content_type="application/json").status_code == 404
