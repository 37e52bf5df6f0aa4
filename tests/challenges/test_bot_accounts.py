"""Bot accounts: a permanent choice before the first battle, called a bot everywhere, and separate from what counts
among people."""

import json

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.bots import BOTS
from accounts.errors import AccountRefused
from accounts.live.event_stream import read_more
from accounts.models import User
from accounts.services.bots import become_bot
from accounts.services.mages import register_mage
from accounts.services.ties import block_user
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_guest, create_user
from challenges.api import schema as challenge_schema
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.models import Challenge
from challenges.selectors.lists import ChallengeFilter, get_challenge_for_user, list_open_challenges
from challenges.services.answers import accept_challenge
from challenges.services.create import create_challenge
from challenges.services.play_now import play_bot
from challenges.services.proposals import propose_change
from challenges.services.quick_match import find_quick_match
from challenges.services.votes import oppose_changes
from duels.api import schema as battle_schema
from duels.errors import InvalidTerms
from duels.models import Battle, OrderSheet
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from email_gateway.compose.parts.challenge_status import describe_seat
from ladder.models import LadderPlace, ScoreEntry, UserRating
from ladder.selectors.bots import list_bot_ratings
from ladder.stakes import OFFERED_STAKES, STAKES
from ladder.tasks import refresh_places, sweep_unrated_battles
from moderation.services.merge_users import merge_users
from notifications.models import Notice
from notifications.services.preferences import set_preference
from operations import presence
from tests.bots import bring_bots
from tests.refusals import refused
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
OPEN = {"open_to_all": True, "limit": 2, "now": NOW}
RATED, QUIET = Terms(stakes="bots"), Terms(stakes="very-friendly")


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()


def make_bot(name):
    mage = make_mage(name)
    assert become_bot(user=mage.user, now=NOW)
    return mage


def end_duel(battle, winner, loser):
    for mage, text in ((winner, "LH D\nRH S\nEND"), (loser, "LH P\nRH P\nEND")):
        combatant = get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name)
        submit_orders(combatant=combatant, text=text, via="api", now=NOW)
    battle.refresh_from_db()
    assert battle.is_over


def get_battle(challenge):
    return Battle.objects.get(number=challenge.number)


# --- Becoming one -----------------------------------------------------------------------------------------------------


def test_an_account_becomes_a_bot_once():
    mage = make_mage("Gearwick")
    assert become_bot(user=mage.user, now=NOW)
    assert not become_bot(user=mage.user, now=NOW), "a second click changes nothing"
    assert User.objects.get(pk=mage.user_id).is_bot_account
    assert Notice.objects.filter(user=mage.user, kind="account_changed").count() == 1


def test_a_user_who_has_fought_cannot_become_a_bot_even_if_the_mage_is_dead():
    bring_bots(now=NOW)
    mage = make_mage("Gearwick")
    play_bot(mage=mage, strength="Apprentice", now=NOW)
    with refused("has_fought"):
        become_bot(user=mage.user, now=NOW)
    assert not User.objects.get(pk=mage.user_id).is_bot


def test_a_user_whose_mage_is_in_a_battle_is_not_told_to_leave_a_challenge():
    mage = make_mage("Gearwick")
    start_battle(number=take_number(), terms=QUIET, mages=[mage, make_mage("Bung")], now=NOW)
    with pytest.raises(AccountRefused) as caught:
        become_bot(user=mage.user, now=NOW)
    assert str(caught.value) == "One of your mages has fought a battle. Sign up with a new account for your bot."


def test_guests_janitors_and_challengers_cannot_become_bots():
    janitor = make_mage("Keeper").user
    janitor.is_staff = True
    janitor.save()
    waiting = make_mage("Gearwick")
    create_challenge(challenger=waiting, terms=QUIET, **OPEN)
    for code, user in (
        ("guest_bot", create_guest(now=NOW)),
        ("janitor_bot", janitor),
        ("in_challenges", waiting.user),
    ):
        with refused(code):
            become_bot(user=user, now=NOW)
    bot = make_bot("Cogsworth").user
    for wrong in ({"is_staff": True}, {"is_guest": True}, {"is_superuser": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=bot.pk).update(**wrong)


def test_a_bot_and_a_person_are_not_merged():
    keeper, bot, person = make_mage("Keeper").user, make_bot("Cogsworth").user, make_mage("Froodal").user
    for kept, merged in ((bot, person), (person, bot)):
        with refused("bot_and_person", match="bot"):
            merge_users(kept=kept, merged=merged, by=keeper, reason="One of two.", now=NOW)


def make_logged_in(name="Anna"):
    user = create_user(name=name, password="correct horse", now=timezone.now())
    client = Client()
    assert client.login(username=name, password="correct horse")
    return user, client


def test_the_page_explains_asks_for_the_name_and_makes_the_account_a_bot(settings):
    user, client = make_logged_in()
    client.post("/accounts/login/", {"login": "Anna", "password": "correct horse"})
    assert "This is permanent" in client.get("/accounts/bot/").content.decode()
    assert "/accounts/bot/" in client.get("/accounts/tokens/").content.decode()
    Client().post("/accounts/bot/", {"name": "Anna"})
    assert not User.objects.get(pk=user.pk).is_bot
    # Before a POST, users prove their identity; then they type the name.
    proof = client.post("/accounts/bot/", {"name": "Anna"})
    if proof.status_code == 302 and "reauthenticate" in proof["Location"]:
        assert not User.objects.get(pk=user.pk).is_bot
        client.post("/accounts/reauthenticate/", {"password": "correct horse"})
    wrong = client.post("/accounts/bot/", {"name": "Bert"})
    assert wrong.status_code == 422 and not User.objects.get(pk=user.pk).is_bot
    done = client.post("/accounts/bot/", {"name": "anna"})
    assert done.status_code == 302 and User.objects.get(pk=user.pk).is_bot
    text = client.get("/accounts/bot/").content.decode()
    assert "This account is a bot, and that is permanent." in text and "<form method" not in text.partition("<main")[2]


def test_the_api_makes_the_tokens_owner_a_bot_and_nobody_else():
    user, other = create_user(name="Anna", now=NOW), create_user(name="Bert", now=NOW)
    _row, secret = issue_api_token(user=user, name="bot", scopes=["read", "play", "bot"], now=timezone.now())
    _row, plays = issue_api_token(user=user, name="plays", scopes=["read", "play"], now=timezone.now())

    def post(token, sent):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return Client().post("/api/account/bot/", json.dumps(sent), content_type="application/json", headers=headers)

    assert post("", {"name": "Anna"}).status_code == 401
    assert post(plays, {"name": "Anna"}).status_code == 403
    assert post(secret, {"name": "Bert"}).json()["code"] == "not_confirmed" and post(secret, {}).status_code == 400

    assert post(secret, {"name": 1}).status_code == 400
    assert not User.objects.filter(is_bot=True).exists()
    assert post(secret, {"name": "anna"}).json() == {"name": "Anna", "bot": True}
    assert post(secret, {"name": "Anna"}).status_code == 200
    assert set(User.objects.filter(is_bot=True)) == {user} and not User.objects.get(pk=other.pk).is_bot


# --- Its opponents ----------------------------------------------------------------------------------------------------


def test_bots_meet_each_other_rated_and_are_only_on_the_ladder_of_bots():
    one, other = make_bot("Gearwick"), make_bot("Cogsworth")
    challenge = create_challenge(challenger=one, terms=RATED, **OPEN)
    accept_challenge(number=challenge.number, mage=other, now=NOW)
    battle = get_battle(challenge)
    assert (battle.company, battle.practice) == ("bots", False)
    assert not list_sheets_due_from_bots(now=NOW), "their own programs play them"
    end_duel(battle, one, other)
    assert sweep_unrated_battles() == 1
    ladder = list_bot_ratings(today=NOW.date())
    assert [row.name for row in ladder] == [one.user.username, other.user.username]
    assert not UserRating.objects.exclude(kind="bots").exists() and not ScoreEntry.objects.exclude(change=0).exists()
    make_mage("Froodal")
    refresh_places()
    assert set(LadderPlace.objects.values_list("mage__name", flat=True)) == {"Froodal"}
    text = Client().get("/bots/").content.decode()
    assert one.user.username in text and "A bot that a user wrote" in text


def test_a_bot_account_has_deadlines_and_is_notified_of_its_battles():
    one, other = make_bot("Gearwick"), make_bot("Cogsworth")
    battle = start_battle(number=take_number(), terms=Terms(stakes="bots", pace="fast"), mages=[one, other], now=NOW)
    assert Notice.objects.filter(user=one.user, kind="battle_started").count() == 1
    assert OrderSheet.objects.filter(stage__battle=battle, bot_due_at=None).count() == 2
    assert one.engagement.number == battle.number
    sweep_deadlines(now=NOW + timezone.timedelta(days=30))


def test_bots_of_users_agree_on_a_pause_among_themselves_and_follow_people():
    one, other, person = make_bot("Gearwick"), make_bot("Cogsworth"), make_mage("Froodal")
    duel = start_battle(number=take_number(), terms=Terms(stakes="bots", pace="fast"), mages=[one, other], now=NOW)
    first, second = (get_combatant_for_user(number=duel.number, user=each.user) for each in (one, other))
    assert not ask_pause(combatant=first, days=2, now=NOW)
    assert ask_pause(combatant=second, days=2, now=NOW)
    third = make_bot("Sprocket")
    mixed = start_battle(number=take_number(), terms=Terms(stakes="bots", pace="fast"), mages=[third, person], now=NOW)
    assert not ask_pause(combatant=get_combatant_for_user(number=mixed.number, user=third.user), days=2, now=NOW)
    assert ask_pause(combatant=get_combatant_for_user(number=mixed.number, user=person.user), days=2, now=NOW)


def test_a_bot_plays_the_sites_bots():
    bring_bots(now=NOW)
    mage = make_bot("Gearwick")
    battle = play_bot(mage=mage, strength="Warder", rated=True, now=NOW)
    assert (battle.company, battle.practice) == ("bots", False)
    assert [sheet.combatant.mage.user.bot_strength for sheet in list_sheets_due_from_bots(now=NOW)] == ["Warder"]


@pytest.mark.parametrize("stakes", ["ladder", "band", "no-gain"])
def test_bots_never_play_for_scores(stakes):
    bot, person = make_bot("Gearwick"), make_mage("Froodal")
    terms = Terms(stakes=stakes)
    with pytest.raises(InvalidChallenge):
        create_challenge(challenger=bot, terms=terms, **OPEN)
    with pytest.raises(InvalidChallenge):
        create_challenge(challenger=person, terms=terms, invited=[bot], now=NOW)
    challenge = create_challenge(challenger=person, terms=terms, **OPEN)
    with pytest.raises(ChallengeRefused) as caught:
        accept_challenge(number=challenge.number, mage=bot, now=NOW)
    assert caught.value.code == "bot_scores" and challenge.seats.count() == 1


def test_a_challenge_offers_a_bot_only_what_joining_allows():
    bot, shy = make_bot("Gearwick"), make_mage("Froodal")
    set_preference(user=shy.user, key="bots_play", value="no")
    create_challenge(challenger=shy, terms=QUIET, **OPEN)
    create_challenge(challenger=make_mage("Bung"), terms=Terms(), **OPEN)
    create_challenge(challenger=make_mage("Ayla"), terms=RATED, **OPEN)
    rows = {row.challenger: row.own for row in list_open_challenges(viewer=bot.user)}
    assert {name: row.actions.accept for name, row in rows.items()} == {
        "Froodal": (),
        "Bung": (),
        "Ayla": ("Gearwick",),
    }
    assert {name: row.why_not_code for name, row in rows.items()} == {
        "Froodal": "bot_unasked",
        "Bung": "bot_scores",
        "Ayla": "",
    }
    joinable = list_open_challenges(viewer=bot.user, wanted=ChallengeFilter(joinable=True))
    assert [row.challenger for row in joinable] == ["Ayla"]
    assert get_challenge_for_user(number=joinable[0].number, user=bot.user).own.may_join
    accept_challenge(number=joinable[0].number, mage=bot, now=NOW)


def test_the_schema_names_all_stakes():
    for model, known in (
        (challenge_schema.NewChallenge, OFFERED_STAKES),
        (challenge_schema.NewChange, OFFERED_STAKES),
        (challenge_schema.Wanted, OFFERED_STAKES),
        (battle_schema.Battle, STAKES),
    ):
        words = model.model_json_schema()["properties"]["stakes"]["description"]
        assert all(f"`{stakes}`" in words for stakes in known), model


def test_nobody_can_play_for_scores_once_a_bot_has_joined():
    person, bot = make_mage("Froodal"), make_bot("Gearwick")
    challenge = create_challenge(challenger=person, terms=QUIET, open_to_all=True, limit=3, now=NOW)
    accept_challenge(number=challenge.number, mage=bot, now=NOW)
    with pytest.raises(InvalidChallenge):
        propose_change(number=challenge.number, mage=person, change={"stakes": "ladder"}, now=NOW)
    ladder = create_challenge(challenger=make_mage("Bung"), terms=Terms(), open_to_all=True, limit=3, now=NOW)
    with pytest.raises(InvalidChallenge):
        propose_change(number=ladder.number, mage=ladder.challenger, change={"add": ["Gearwick"]}, now=NOW)


@pytest.mark.parametrize(
    ("terms", "choice", "joins"),
    [
        (QUIET, "yes", True),
        (QUIET, "no", False),
        (RATED, "yes", True),
        (RATED, "no", False),
        # It would change their ratings.
        (Terms(stakes="friendly"), "yes", False),
        (Terms(stakes="friendly", bots_may_join=True), "no", True),
    ],
)
def test_a_bot_joins_people_only_if_they_allow_it(terms, choice, joins):
    bot, person = make_bot("Gearwick"), make_mage("Froodal")
    set_preference(user=person.user, key="bots_play", value=choice)
    challenge = create_challenge(challenger=person, terms=terms, **OPEN)
    if not joins:
        with pytest.raises(ChallengeRefused) as caught:
            accept_challenge(number=challenge.number, mage=bot, now=NOW)
        assert caught.value.code == "bot_unasked" and not Battle.objects.exists()
        return
    accept_challenge(number=challenge.number, mage=bot, now=NOW)
    battle = get_battle(challenge)
    assert battle.company == "mixed" and battle.practice is (terms != RATED)


def test_everyone_who_has_joined_must_allow_bots():
    bot, person, shy = make_bot("Gearwick"), make_mage("Froodal"), make_mage("Bung")
    set_preference(user=shy.user, key="bots_play", value="no")
    challenge = create_challenge(challenger=person, terms=QUIET, open_to_all=True, limit=3, now=NOW)
    accept_challenge(number=challenge.number, mage=shy, now=NOW)
    with refused("bot_unasked"):
        accept_challenge(number=challenge.number, mage=bot, now=NOW)


def test_inviting_a_bot_allows_it():
    bot, person = make_bot("Gearwick"), make_mage("Froodal")
    set_preference(user=person.user, key="bots_play", value="no")
    challenge = create_challenge(challenger=person, terms=Terms(stakes="friendly"), invited=[bot], now=NOW)
    accept_challenge(number=challenge.number, mage=bot, now=NOW)
    assert get_battle(challenge).practice


def test_a_bot_challenges_only_people_who_allow_it_and_never_everyone():
    bot, person, shy = make_bot("Gearwick"), make_mage("Froodal"), make_mage("Bung")
    set_preference(user=shy.user, key="bots_play", value="no")
    create_challenge(challenger=bot, terms=QUIET, invited=[person], now=NOW)
    another = make_bot("Cogsworth")
    for more in ({"invited": [shy]}, {"everyone": True}):
        with pytest.raises(InvalidChallenge):
            create_challenge(challenger=another, terms=QUIET, now=NOW, **more)
    assert Challenge.objects.count() == 1
    assert not Notice.objects.filter(user=shy.user, kind="challenged").exists()


def test_quick_match_is_for_people():
    bot, person = make_bot("Gearwick"), make_mage("Froodal")
    with pytest.raises(InvalidChallenge):
        find_quick_match(mage=bot, terms=QUIET, now=NOW)
    create_challenge(challenger=bot, terms=QUIET, **OPEN)
    found = find_quick_match(mage=person, terms=QUIET, now=NOW)
    assert found.status == "open" and Challenge.objects.count() == 2, "people are not matched with bots"


def test_a_bot_has_no_vote_among_people():
    person, other, bot = make_mage("Froodal"), make_mage("Bung"), make_bot("Gearwick")
    challenge = create_challenge(challenger=person, terms=QUIET, open_to_all=True, limit=5, now=NOW)
    for mage in (other, bot):
        accept_challenge(number=challenge.number, mage=mage, now=NOW)
    accept_challenge(number=challenge.number, mage=make_mage("Crom"), now=NOW)
    propose_change(number=challenge.number, mage=other, change={"chat": False}, now=NOW)
    with refused("bot_no_vote"):
        oppose_changes(number=challenge.number, mage=bot, changes=[1], now=NOW)
    with refused("bot_no_vote"):
        propose_change(number=challenge.number, mage=bot, change={"limit": 3}, now=NOW)
    assert Challenge.objects.get().terms["chat"] is True
    accept_challenge(number=challenge.number, mage=person, changes=[1], now=NOW)
    assert Challenge.objects.get().terms["chat"] is False, "two of three people are enough"


def test_a_lone_bot_changes_its_own_challenge():
    bot = make_bot("Gearwick")
    challenge = create_challenge(challenger=bot, terms=QUIET, **OPEN)
    propose_change(number=challenge.number, mage=bot, change={"chat": False}, now=NOW)
    assert Challenge.objects.get().terms["chat"] is False


def test_rated_terms_need_the_one_ruleset():
    assert Terms(stakes="bots").stake.with_bots
    for wrong in ({"ruleset": "warlocks"}, {"hit_points": (10,)}, {"bots_surrender": False}):
        with pytest.raises(InvalidTerms):
            Terms(stakes="bots", **wrong)


def test_a_bot_account_is_called_a_bot_everywhere():
    bot, person = make_bot("Gearwick"), make_mage("Froodal")
    challenge = create_challenge(challenger=bot, terms=QUIET, invited=[person], now=NOW)
    page = Client().get(f"/challenges/{challenge.number}/").content.decode()
    assert "A computer opponent" in page
    accept_challenge(number=challenge.number, mage=person, now=NOW)
    for path in (
        f"/battles/{challenge.number}/",
        f"/users/{bot.user.username}/",
        f"/mages/{bot.name}/",
        "/battles/?before=99",
    ):
        assert "A computer opponent" in Client().get(path).content.decode(), path
    assert "#arms-s-lb" in Client().get("/battles/").content.decode(), "the hexagon of bots"
    mages = Client().get(f"/api/battles/{challenge.number}/").json()["mages"]
    assert {mage["name"]: mage["bot"] for mage in mages} == {"Gearwick": True, "Froodal": False}
    seats = get_challenge_for_user(number=challenge.number, user=None).seating.seats
    assert {seat.name: "a bot" in describe_seat(seat) for seat in seats} == {"Gearwick": True, "Froodal": False}


def test_another_user_cannot_register_a_mage_for_a_bot():
    bot = make_bot("Gearwick")
    register_mage(user=bot.user, name="Sprocket", now=NOW)
    with refused("bot_scores"):
        challenge = create_challenge(challenger=make_mage("Froodal"), terms=Terms(), **OPEN)
        accept_challenge(number=challenge.number, mage=bot.user.mages.get(name="Sprocket"), now=NOW)


def test_programs_find_the_bots_that_are_online_and_what_can_be_played_with_them(client):
    presence._connect(presence.settings.REDIS_URL).flushdb()
    bring_bots(now=NOW)
    here, _away, busy, hidden = (make_bot(name) for name in ("Here", "Away", "Busy", "Hidden"))
    for bot in (here, busy, hidden):
        read_more(issue_api_token(user=bot.user, name="test", now=timezone.now())[0], "", ())
    play_bot(mage=busy, strength="Warder", now=timezone.now())
    set_preference(user=hidden.user, key="presence", value="no")

    def online():
        return {bot["name"]: bot for bot in client.get("/api/bots/").json()["online"]}

    found = online()
    assert set(found) == {*(bot.strength for bot in BOTS), here.user.username}
    assert found["Warder"]["strength"] == "Warder" and "own" in found["Warder"]["paces"]
    mine = found[here.user.username]
    assert (mine["strength"], mine["mages"]) == (None, ["Here"]) and "own" not in mine["paces"]
    assert set(mine["stakes"]) == {"friendly", "very-friendly", "bots"} and "warlocks" in mine["rulesets"]
    reader = make_mage("Reader").user
    client.force_login(reader)
    assert here.user.username in online()
    block_user(user=reader, blocked=here.user, now=NOW)
    assert here.user.username not in online()
