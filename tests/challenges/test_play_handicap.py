"""Play now with a handicap, and with bots that never surrender: on the page, as a guest, and by API."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Mage, User
from accounts.services.tokens import issue_api_token
from challenges.services.play_now import play_bot
from duels.bot_terms import describe_hit_points
from duels.errors import InvalidTerms
from duels.models import Battle
from duels.selectors.battle_rows import read_battle_state
from duels.services import bot_orders
from duels.services.clocks.sweep import sweep_deadlines
from duels.terms import Terms
from notifications.models import Delivery, Notice
from rules_engine.records import parse_record, verify_record
from studies.selectors.records import get_record_after_end
from studies.services.replay_checks import replay_battle
from tests.challenges.test_play_bot import answer, play_person
from tests.challenges.test_play_page import make_player
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("bots")]


def points_of(battle):
    return [wizard.hp for wizard in read_battle_state(battle).wizards.values()]


@pytest.mark.parametrize("is_guest", [False, True])
def test_the_page_accepts_hit_points_for_both_sides_and_the_board_shows_them(is_guest):
    client = Client() if is_guest else make_player()[1]
    response = client.post("/play/", {"strength": "Warder", "hit_points": "15", "bot_hit_points": "4"})
    battle = Battle.objects.get()
    assert points_of(battle) == [15, 4] and battle.practice
    bot = battle.combatants.get(mage__user__is_bot=True).mage.name
    assert f"{bot} starts with 4 hit points" in client.get(response["Location"]).content.decode()


def test_hit_points_that_both_have_are_said_once():
    assert describe_hit_points((8, 8), ("Ayla", "Bung")) == "8 hit points each"
    assert describe_hit_points((1, 1), ("Ayla", "Bung")) == "1 hit point each"
    assert describe_hit_points((8, 15), ("Ayla", "Bung")) == "Ayla starts with 8 hit points"


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [({"hit_points": "20"}, "Did you mean 15?"), ({"bot_hit_points": "0"}, "Did you mean 1?"),
     ({"hit_points": "-3"}, "Did you mean 1?"), ({"hit_points": "lots"}, "from 1 to 15")],
)  # fmt: skip
def test_impossible_hit_points_are_rejected_with_the_nearest(wrong, nearest):
    _user, client = make_player()
    response = client.post("/play/", {"strength": "Warder", **wrong})
    assert response.status_code == 422 and nearest in response.content.decode()
    assert next(iter(wrong.values())) in response.content.decode() and not Battle.objects.exists()
    assert Client().post("/play/", {"strength": "Warder", **wrong}).status_code == 422
    assert not User.objects.filter(is_guest=True).exists()


def test_the_usual_hit_points_are_no_handicap():
    _user, client = make_player()
    client.post("/play/", {"strength": "Warder", "hit_points": "15", "bot_hit_points": ""})
    battle = Battle.objects.get()
    assert battle.terms["hit_points"] == [] and battle.terms["stakes"] == "friendly"


def test_the_api_accepts_a_handicap_and_bots_that_never_surrender():
    user, _client = make_player()
    _row, text = issue_api_token(user=user, name="test", scopes=["read", "play"], now=timezone.now())

    def post(**body):
        return Client().post(
            "/api/play/",
            json.dumps({"strength": "Magus", **body}),
            content_type="application/json",
            headers={"Authorization": f"Bearer {text}"},
        )

    assert post(hit_points="9").status_code == 400 and post(bots_surrender="no").status_code == 400
    refused = post(hit_points=16)
    assert refused.status_code == 422 and "Did you mean 15?" in refused.content.decode()
    assert post(hit_points=9, bots_surrender=False).status_code == 201
    battle = Battle.objects.get()
    assert points_of(battle) == [9, 15] and battle.terms["bots_surrender"] is False


@pytest.mark.parametrize("stakes", ["ladder", "band", "no-gain", "friendly"])
def test_a_battle_that_counts_has_no_handicap(stakes):
    with pytest.raises(InvalidTerms, match="very friendly"):
        Terms(hit_points=(15, 10), stakes=stakes)
    assert Terms(hit_points=(15, 10), stakes="very-friendly").hit_points == (15, 10)


def test_a_battle_with_a_handicap_is_recorded_and_replays_the_same():
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Apprentice", hit_points=(3, 2), now=NOW)
    for _ in range(200):
        answer()
        play_person(battle, mage, strength="Warder")
        battle.refresh_from_db()
        if battle.is_over:
            break
    assert battle.is_over and replay_battle(battle=battle, now=NOW) == ()
    record = get_record_after_end(number=battle.number)
    assert verify_record(parse_record(record)) == ()


@pytest.mark.parametrize("may", [True, False])
def test_the_terms_say_whether_a_bot_may_surrender(may, monkeypatch):
    play_bot(mage=make_mage("Froodal"), strength="Warder", bots_surrender=may, now=NOW)
    asked = []
    choose = bot_orders.choose_orders
    monkeypatch.setattr(
        bot_orders, "choose_orders", lambda *given, **more: asked.append(more) or choose(*given, **more)
    )
    assert answer() == 1
    assert [each["may_surrender"] for each in asked] == [may]


def test_nobody_gets_emails_about_an_abandoned_battle_without_a_clock():
    _user, client = make_player()
    client.post("/play/", {"strength": "Warder"})
    now = Battle.objects.get().started_at
    answer(now)
    kinds = set()
    for day in range(1, 40):
        sweep_deadlines(now=now + timedelta(days=day))
        kinds = set(Notice.objects.values_list("kind", flat=True))
    assert Battle.objects.get().is_over
    assert kinds == {"battle_started", "battle_finished"}


def test_a_guest_gets_no_email_at_any_pace():
    Client().post("/play/", {"strength": "Warder", "pace": "live"})
    battle = Battle.objects.get()
    answer(battle.started_at)
    for minute in range(0, 30, 2):
        sweep_deadlines(now=battle.started_at + timedelta(minutes=minute))
    battle.refresh_from_db()
    assert battle.is_over and battle.terms["pace"] == "live" and not Delivery.objects.exists()


def test_practice_against_bots_is_not_among_the_current_battles_of_the_front_page():
    user, client = make_player()
    client.post("/play/", {"strength": "Warder"})
    assert "Emberlin" not in Client().get("/").content.decode()
    assert "Emberlin" in Client().get("/battles/").content.decode()
    assert Mage.objects.filter(user=user).exists()
