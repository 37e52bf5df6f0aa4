"""The duel on the front page: the first turn of a duel on the real board, before there is a guest or a battle."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Mage, User
from challenges.guest_limit import GUESTS_OF_NETWORK
from challenges.services.play_now import VISITOR
from duels.models import Battle, OrderSheet
from duels.selectors.battle_rows import read_battle_state
from fm_site.pages.front_duel import _play_opening
from operations.web.client_address import network_of
from tests.challenges.test_play_bot import answer
from tests.scenes import make_mage
from tests.ui.rendering import client_of, words

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("bots")]
ORDERS = {"stage": "4.0.0", "mage": VISITOR, "LH": "S", "RH": "P", "act": "ready"}


def nothing_was_made():
    return not User.objects.filter(is_guest=True).exists() and not Battle.objects.exists()


def test_the_front_page_shows_the_real_board_and_makes_nothing():
    client = Client()
    response = client.get("/")
    html = response.content.decode()
    assert response.status_code == 200 and nothing_was_made() and not response.cookies
    for part in (
        'id="pad-LH"',
        'id="pad-RH"',
        'value="C"',
        "Choose a gesture for each hand.",
        "Reveal both sides",
        "Pipkin",
    ):
        assert part in html, part
    assert "csrfmiddlewaretoken" not in html.partition('id="battle"')[2].partition("</section>")[0]
    assert 'href="/mages/Visitor/"' not in html


def test_a_preview_works_without_a_script_and_creates_nothing():
    client = Client()
    sent = {**ORDERS, "act": "preview"}
    html = client.post("/stage/", sent).content.decode()
    assert "You cast Shield on yourself." in words(html) and nothing_was_made()
    fragment = client.post("/stage/?fragment=board", sent).content.decode()
    assert "<html" not in fragment and "You cast Shield on yourself." in words(fragment)
    assert not client.cookies


def test_the_first_orders_make_guest_and_battle_and_are_played():
    client = Client()
    response = client.post("/stage/", {**ORDERS, "order": f"TARGET RH {VISITOR}"})
    battle = Battle.objects.get()
    guest = User.objects.get(is_guest=True)
    assert response.status_code == 302 and response["Location"] == f"/battles/{battle.number}/"
    assert battle.practice and {each.mage.user.bot_strength for each in battle.combatants.all()} == {"", "Apprentice"}
    assert battle.combatants.filter(mage__name="Pipkin").exists()
    # A first duel: eight hit points each, and an Apprentice that teaches and does not give up.
    assert (battle.terms["hit_points"], battle.terms["lesson"], battle.terms["bots_surrender"]) == ([8, 8], True, False)
    # The battle is the one on the page: the opening is played, and what follows is the player's.
    shown, state = _play_opening("Pipkin").state, read_battle_state(battle)
    assert {mage: wizard.hp for mage, wizard in shown.wizards.items()} == {VISITOR: 7, "Pipkin": 6}
    assert (battle.label, shown.label) == ("4", "4")
    for mage, name in ((VISITOR, guest.username), ("Pipkin", "Pipkin")):
        one, other = shown.wizards[mage], state.wizards[name]
        assert (one.hp, one.left, one.right) == (other.hp, other.left, other.right)
    sheet = OrderSheet.objects.get(combatant__mage__user=guest, stage__turn__seq=4)
    assert sheet.ready and VISITOR not in sheet.text and f"TARGET RH {guest.username}" in "\n".join(sheet.lines)
    page = client.get(response["Location"]).content.decode()
    assert re.search(r'<noscript>\s*<meta http-equiv="refresh"', page)
    assert answer(timezone.now()) == 1
    page = client.get(response["Location"]).content.decode()
    assert "You cast Shield on yourself." in words(page) and "refresh" not in page
    # Orders from another tab lead to the same battle.
    assert client.post("/stage/", ORDERS)["Location"] == f"/battles/{battle.number}/"
    assert Battle.objects.count() == 1 and User.objects.filter(is_guest=True).count() == 1


def test_pipkin_finishes_the_missile_that_its_hand_announced():
    Client().post("/stage/", ORDERS)
    answer(timezone.now())
    sheet = OrderSheet.objects.get(combatant__mage__name="Pipkin", stage__turn__seq=4)
    assert "LH D" in sheet.lines


def test_the_bot_explains_its_own_moves_and_not_those_that_the_page_began_with():
    client = Client()
    page = client.post("/stage/", ORDERS)["Location"]
    assert "The bots have nothing to say yet." in words(client.get(f"{page}bots/").content.decode())
    answer(timezone.now())
    assert "Pipkin in turn 4" in words(client.get(f"{page}bots/").content.decode())


@pytest.mark.parametrize(
    "wrong", [{"LH": ""}, {"RH": "X"}, {"line": "TARGET RH Nobody1"}, {"line": "é;;;"}, {"order": "TARGET LH Zex"}]
)
def test_orders_that_cannot_be_played_make_nothing(wrong):
    response = Client().post("/stage/", {**ORDERS, **wrong})
    assert response.status_code == 422 and nothing_was_made()


def test_a_surrender_is_asked_about_first():
    client = Client()
    html = client.post("/stage/", {**ORDERS, "LH": "P"}).content.decode()
    assert 'name="confirmed" value="yes"' in html and nothing_was_made()
    response = client.post("/stage/", {**ORDERS, "LH": "P", "confirmed": "yes"})
    assert response.status_code == 302


def test_forms_of_other_sites_and_too_many_guests_are_rejected():
    assert Client().post("/stage/", ORDERS, headers={"Origin": "https://evil.example"}).status_code == 403
    assert nothing_was_made()
    for _ in range(GUESTS_OF_NETWORK.limit):
        GUESTS_OF_NETWORK.count(network_of("127.0.0.1"))
    response = Client().post("/stage/", ORDERS)
    assert response.status_code == 422 and "Too many guests" in response.content.decode() and nothing_was_made()


def test_a_user_is_redirected_to_play():
    client = client_of(make_mage("Froodal").user)
    for response in (client.get("/stage/"), client.post("/stage/", ORDERS)):
        assert response.status_code == 302 and response["Location"] == "/play/"
    assert nothing_was_made()


def test_a_site_without_bots_has_no_duel_on_its_front_page():
    Mage.objects.filter(user__is_bot=True).update(died_at=timezone.now())
    html = Client().get("/").content.decode()
    assert 'id="stage"' not in html and "A duel of wizards" in html


def test_the_duel_speaks_the_readers_language():
    german = Client(headers={"Accept-Language": "de"})
    assert 'lang="de"' in german.get("/").content.decode()
    html = german.get("/").content.decode()
    assert "Choose a gesture" not in html
    assert "Choose a gesture" in Client().get("/").content.decode()
