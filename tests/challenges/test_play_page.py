"""The page Play now and its API: users, guests, and what a guest may not do."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.bots import BY_STRENGTH
from accounts.models import ApiToken, Mage, User
from accounts.services.absence import sweep_absent_users
from accounts.services.mages import register_mage
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from challenges.guest_limit import GUESTS_OF_NETWORK
from challenges.models import Challenge
from challenges.services.create import create_challenge
from challenges.services.play_now import MOST_GUESTS_A_DAY, play_bot
from duels.models import Battle, OrderSheet
from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from operations.web.client_address import network_of
from operations.web.throttle import Throttle
from tests.challenges.test_play_bot import answer
from tests.scenes import log_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bots")]


def make_player(name="Anna", mage="Emberlin"):
    user = create_user(name=name, now=timezone.now())
    if mage:
        register_mage(user=user, name=mage, now=timezone.now())
    client = log_in(user)
    return user, client


def test_the_page_names_all_bots_and_what_can_be_chosen():
    text = Client().get("/play/").content.decode()
    for word in ("Apprentice", "Journeyman", "Warder", "Magus", "Archmage", "Begin the battle", "No clock"):
        assert word in text, word


@pytest.mark.parametrize(("stakes", "risk"), [("friendly", "who dies lives on"), ("ladder", "dead for good")])
def test_a_match_in_one_click_says_what_it_risks_and_risks_nothing_else(monkeypatch, stakes, risk):
    _, client = make_player()
    monkeypatch.setattr("challenges.selectors.mages.choose_stakes", lambda user: stakes)
    text = client.get("/play/").text
    form = text[text.index('action="/challenges/match/"') :]
    assert risk in form[: form.index("Choose pace and stakes")]
    assert f'name="stakes" value="{stakes}"' in form
    # The user has fought enough since then to be offered the ladder first.
    monkeypatch.setattr("challenges.forms.new.choose_stakes", lambda user: "ladder")
    client.post("/challenges/match/", {"mage": "Emberlin", "pace": "day", "stakes": stakes})
    assert Challenge.objects.get().terms["stakes"] == stakes


def test_a_user_begins_a_battle_with_the_mage_named():
    user, client = make_player()
    register_mage(user=user, name="Marrowick", now=timezone.now())
    sent = {"strength": "Warder", "ruleset": "warlocks", "pace": "own", "mage": "Marrowick"}
    response = client.post("/play/", sent)
    battle = Battle.objects.get()
    assert response.status_code == 302 and response["Location"] == f"/battles/{battle.number}/"
    assert (battle.ruleset, battle.terms["pace"], battle.practice) == ("warlocks", "own", True)
    assert {each.mage.name for each in battle.combatants.all()} >= {"Marrowick"}
    text = client.get(response["Location"]).content.decode()
    assert "A computer opponent" in text and "left." not in text.partition("</h1>")[0]


def test_a_user_without_a_free_mage_names_a_new_one():
    user, client = make_player()
    client.post("/play/", {"strength": "Warder"})
    assert client.post("/play/", {"strength": "Warder"}).status_code == 422
    assert "Name of a new mage" in client.get("/play/").content.decode()
    assert client.post("/play/", {"strength": "Warder", "new_mage": "1x"}).status_code == 422
    assert client.post("/play/", {"strength": "Warder", "new_mage": "Quillon"}).status_code == 302
    assert Battle.objects.count() == 2 and Mage.objects.filter(user=user).count() == 2


@pytest.mark.parametrize(
    "wrong", [{"strength": "Wizard"}, {"ruleset": "chess"}, {"pace": "never"}, {"mage": "Hestrel"}, {"mage": "Nobody1"}]
)
def test_an_unplayable_request_is_rejected_and_changes_nothing(wrong):
    _user, client = make_player()
    assert client.post("/play/", {"strength": "Warder", **wrong}).status_code == 422
    assert not Battle.objects.exists()


def test_a_visitor_becomes_a_guest_and_stays_one():
    client = Client()
    response = client.post("/play/", {"strength": "Apprentice", "pace": "classic"})
    guest = User.objects.get(is_guest=True)
    battle = Battle.objects.get()
    assert response.status_code == 302 and battle.terms["pace"] == "own"
    assert client.get(response["Location"]).context["user"] == guest
    assert answer(timezone.now()) == 1
    orders = json.dumps({"orders": "LH P\nRH D\nEND"})
    path = f"/api/battles/{battle.number}/orders/"
    assert client.post(path, orders, content_type="application/json").json()["outcome"] == "resolved"
    # While the battle is running there is no second one, and no second guest.
    assert client.post("/play/", {"strength": "Apprentice"}).status_code == 422
    assert "Continue your battle" in client.get("/play/").content.decode()
    assert User.objects.filter(is_guest=True).count() == 1


@pytest.mark.parametrize(
    "path",
    ["/challenges/new/", "/challenges/match/", "/accounts/mages/new/", "/accounts/tokens/", "/reports/new/",
     "/accounts/email/", "/accounts/blocks/"],
)  # fmt: skip
def test_a_guest_changes_nothing_but_their_battle(path):
    client = Client()
    client.post("/play/", {"strength": "Apprentice"})
    before = (Challenge.objects.count(), Mage.objects.count(), ApiToken.objects.count())
    assert client.post(path, {"name": "Wizzard", "text": "hello", "about": "Anna"})["Location"] == "/keep/"
    assert (Challenge.objects.count(), Mage.objects.count(), ApiToken.objects.count()) == before


def test_nobody_can_invite_a_bot_or_a_guest():
    _user, client = make_player()
    Client().post("/play/", {"strength": "Apprentice"})
    names = list(Mage.objects.exclude(name="Emberlin").values_list("name", flat=True))
    for name in ("Hestrel", next(each for each in names if each.startswith("Guest_"))):
        assert name in names
        response = client.post("/challenges/new/", {"mage": "Emberlin", "against": name})
        assert response.status_code == 422
    assert not Challenge.objects.exists()


def test_guests_are_limited_for_each_network_and_for_the_site(monkeypatch):
    for _ in range(GUESTS_OF_NETWORK.limit - 1):
        GUESTS_OF_NETWORK.count(network_of("127.0.0.1"))
    assert Client().post("/play/", {"strength": "Apprentice"}).status_code == 302
    assert Client().post("/play/", {"strength": "Apprentice"}).status_code == 422
    assert Client(REMOTE_ADDR="192.0.2.7").post("/play/", {"strength": "Apprentice"}).status_code == 302
    assert 10 * GUESTS_OF_NETWORK.limit < MOST_GUESTS_A_DAY
    monkeypatch.setattr("challenges.services.play_now.MOST_GUESTS_A_DAY", 1)
    assert Client(REMOTE_ADDR="198.51.100.7").post("/play/", {"strength": "Apprentice"}).status_code == 422


def test_a_guest_is_forgotten_after_thirty_days():
    Client().post("/play/", {"strength": "Apprentice"})
    now = timezone.now()
    answer(now)
    for day in range(1, 40):
        sweep_deadlines(now=now + timedelta(days=day))
        sweep_absent_users(now=now + timedelta(days=day))
    guest = User.objects.get(is_guest=True)
    assert not guest.is_active and Battle.objects.get().is_over
    assert not Mage.objects.filter(user=guest, died_at=None).exists()


def test_the_api_starts_a_battle_for_a_token_that_plays():
    user, client = make_player()
    _row, text = issue_api_token(user=user, name="test", scopes=["read", "play"], now=timezone.now())
    headers = {"Authorization": f"Bearer {text}"}

    def post(body, **more):
        return Client().post("/api/play/", json.dumps(body), content_type="application/json", headers=headers | more)

    response = post({"strength": "magus"})
    assert response.status_code == 201 and response.json()["battle"] == Battle.objects.get().number
    read = client.get(f"/api/battles/{Battle.objects.get().number}/").json()
    assert sorted(each["bot"] for each in read["mages"]) == [False, True]
    assert post({"strength": "Magus"}).status_code == 409
    assert post({}).status_code == 400 and post({"strength": 5}).status_code == 400
    assert post({"strength": "Magus", "mage": "a\x00b"}).status_code == 400
    assert post({"strength": "Magus", "mage": "Hestrel"}).status_code == 403
    assert Client().post("/api/play/", "{}", content_type="application/json").status_code == 401


def test_orders_of_a_bot_stay_secret_until_the_turn_is_played():
    user, client = make_player()
    battle = play_bot(mage=Mage.objects.get(user=user), strength="Warder", now=timezone.now())
    pages = (f"/battles/{battle.number}/", f"/api/battles/{battle.number}/", f"/api/battles/{battle.number}/events/")
    # What a reader gets does not depend on the bot's orders.
    answer(timezone.now())
    sheet = OrderSheet.objects.get(via="bot")
    seen = []
    for lines in (["LH S", "RH W"], ["LH F", "RH D"]):
        OrderSheet.objects.filter(pk=sheet.pk).update(lines=lines, text="\n".join(lines))
        seen.append([strip(client.get(page).content.decode()) for page in pages])
    assert seen[0] == seen[1]


def strip(text):
    """Without the tokens that are new on every page."""
    import re

    return re.sub(r'(csrfmiddlewaretoken" value="|nonce="?|time-mark="|"time": ")[^"]*', "", text)


@pytest.mark.parametrize("strength", ["Warder", "Archmage"])
def test_a_bot_is_called_a_bot_wherever_its_names_appear(strength):
    bot = User.objects.get(bot_strength=strength)
    client = Client()
    assert "A computer opponent" in client.get(f"/users/{bot.username}/").content.decode()
    profile = client.get(f"/users/{bot.username}/").content.decode()
    for mage in BY_STRENGTH[strength].mages:
        text = client.get(f"/mages/{mage.name}/").content.decode()
        assert "A computer opponent" in text and mage.name in text
        for page in (text, profile):
            face, sentence = rf'arms-\w-lb{mage.name}"', escape(str(mage.sentence))
            assert re.search(f'href="#{face}', page) and re.search(f'id="{face}', page) and sentence in page


def test_a_person_does_not_get_a_bots_face():
    make_player("Anna", "Pipkin2")
    for page in ("/mages/Pipkin2/", "/users/Anna/"):
        assert "lbPipkin" not in Client().get(page).content.decode()


def test_nobody_logs_in_as_a_bot():
    for password in ("", "!", "Warder"):
        assert not Client().login(username="Warder", password=password)


def begin(client, user, strength="Magus"):
    battle = play_bot(mage=Mage.objects.get(user=user), strength=strength, now=timezone.now())
    return battle, f"/battles/{battle.number}/"


def test_a_hint_names_moves_and_knows_what_the_mage_knows(monkeypatch):
    user, client = make_player()
    _battle, page = begin(client, user)
    assert "What would the Magus consider?" in client.get(page).content.decode()
    first = client.post(f"{page}hint/")
    assert first.status_code == 200 and "The Magus sees only what your mage sees" in first.content.decode()
    # The bot's orders do not change the hint.
    answer(timezone.now())
    hints = [first.context["hints"]]
    for lines in (["LH S", "RH W"], ["LH P", "RH P"]):
        OrderSheet.objects.filter(via="bot").update(lines=lines, text="\n".join(lines))
        hints.append(client.post(f"{page}hint/").context["hints"])
    assert hints[0] == hints[1] == hints[2] and 1 <= len(hints[0]) <= 3
    assert Client().post(f"{page}hint/").status_code in (302, 403)
    _other, stranger = make_player("Boris", "Quillon")
    assert stranger.post(f"{page}hint/").status_code == 403
    monkeypatch.setattr("studies.services.ask_bots.HINTS", Throttle("hints-few", limit=2, seconds=600))
    assert [client.post(f"{page}hint/").status_code for _ in range(3)] == [200, 200, 429]


def test_there_are_no_hints_against_people():
    user, client = make_player()
    other, _client = make_player("Boris", "Quillon")
    mages = [Mage.objects.get(user=each) for each in (user, other)]
    battle = start_battle(number=take_number(), terms=Terms(), mages=mages, now=timezone.now())
    assert "What would the Magus" not in client.get(f"/battles/{battle.number}/").content.decode()
    assert client.post(f"/battles/{battle.number}/hint/").status_code == 409


def test_bots_give_their_reasons_after_each_turn_to_the_player_and_at_the_end_to_all():
    user, client = make_player()
    battle, page = begin(client, user)
    _boris, other = make_player("Boris", "Quillon")
    combatant = get_combatant_for_user(number=battle.number, user=user, mage_name="Emberlin")
    assert client.get(f"{page}bots/").context["reasons"] == ()
    assert "What the bots think" not in client.get(page).content.decode()
    for turn, orders in enumerate(("LH W\nRH S\nEND", "LH D\nRH S\nEND", "LH P\nRH P\nEND"), start=1):
        answer(timezone.now())
        before = [reason.label for reason in client.get(f"{page}bots/").context["reasons"]]
        assert before == ([] if turn == 1 else [str(turn - 1)])
        assert [each.get(f"{page}bots/").status_code for each in (Client(), other)] == [409, 409]
        submit_orders(combatant=combatant, text=orders, via="web", now=timezone.now(), ready=True)
    for reader in (client, Client(), other):
        assert "What the bots think" in reader.get(page).content.decode()
        (reason,) = reader.get(f"{page}bots/").context["reasons"]
        assert reason.label == "3" and reason.text.count(".") >= 2


def test_a_bot_does_not_speak_of_gestures_that_the_player_could_not_see():
    user, client = make_player()
    battle, page = begin(client, user)
    combatant = get_combatant_for_user(number=battle.number, user=user, mage_name="Emberlin")
    answer(timezone.now())
    submit_orders(combatant=combatant, text="LH W\nRH S\nEND", via="web", now=timezone.now(), ready=True)
    assert len(client.get(f"{page}bots/").context["reasons"]) == 1
    turn = battle.turns.get(seq=1)
    for wizard in turn.before["wizards"]:
        if wizard["name"] == "Emberlin":
            wizard["marks"] = {"blind": 3}
    turn.save(update_fields=["before"])
    response = client.get(f"{page}bots/")
    assert response.context["reasons"] == () and "if your mage saw all its gestures" in response.content.decode()


def test_a_bots_reasons_do_not_reveal_its_orders_for_this_turn():
    user, client = make_player()
    battle, page = begin(client, user)
    combatant = get_combatant_for_user(number=battle.number, user=user, mage_name="Emberlin")
    answer(timezone.now())
    submit_orders(combatant=combatant, text="LH W\nRH S\nEND", via="web", now=timezone.now(), ready=True)
    seen = [client.get(f"{page}bots/").context["reasons"]]
    answer(timezone.now())
    for lines in (["LH S", "RH W"], ["LH F", "RH D"]):
        OrderSheet.objects.filter(via="bot", stage__closed_at=None).update(lines=lines, text="\n".join(lines))
        seen.append(client.get(f"{page}bots/").context["reasons"])
    assert seen[0] == seen[1] == seen[2] and seen[0]


def test_bots_explain_themselves_and_give_hints_in_a_melee():
    user, client = make_player()
    mage = Mage.objects.get(user=user)
    terms = Terms(stakes="friendly", bots=("Apprentice", "Warder", "Magus"))
    challenge = create_challenge(challenger=mage, terms=terms, now=timezone.now())
    page = f"/battles/{challenge.number}/"
    assert 1 <= len(client.post(f"{page}hint/").context["hints"]) <= 3
    combatant = get_combatant_for_user(number=challenge.number, user=user, mage_name="Emberlin")
    assert answer(timezone.now()) == 3
    submit_orders(combatant=combatant, text="LH W\nRH S\nEND", via="web", now=timezone.now(), ready=True)
    reasons = client.get(f"{page}bots/").context["reasons"]
    assert len(reasons) == 3 and all(reason.text.count(".") >= 2 for reason in reasons)
