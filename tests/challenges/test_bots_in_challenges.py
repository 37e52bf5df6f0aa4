"""Bots in challenges: those they open, those they join, and the seats that the terms reserve for them."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Engagement, Mage, User
from accounts.services.ties import block_user
from accounts.services.users import create_guest, create_guest_mage
from challenges.errors import InvalidChallenge
from challenges.models import Challenge, Proposal, Seat
from challenges.selectors.bots import list_wanted_challenges
from challenges.services import bot_challenges
from challenges.services.answers import accept_challenge, decline_challenge
from challenges.services.bot_challenges import offer_bot_challenges, seat_bots_in_open_challenges
from challenges.services.close_stale import sweep_stale_challenges
from challenges.services.proposals import propose_change, start_challenge
from challenges.services.quick_match import find_quick_match
from challenges.services.votes import accept_changes
from challenges.tasks import seat_bots
from duels.errors import InvalidTerms
from duels.models import Battle
from duels.paces import OWN, PACES
from duels.terms import Terms
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("bots")]
FRIENDLY = Terms(stakes="friendly")


def offered():
    return Challenge.objects.filter(status="open").exclude(bot_pace="")


def seated_bots(challenge):
    seats = challenge.seats.filter(state=Seat.State.JOINED, mage__user__is_bot=True)
    return sorted(seats.values_list("mage__user__bot_strength", flat=True))


def with_bots(*bots, **more):
    return Terms(stakes="friendly", bots=bots, **more)


def change(challenge, mage, **what):
    return propose_change(number=challenge.number, mage=mage, change=what, now=NOW)


# --- Challenges that bots open ----------------------------------------------------------------------------------------


def test_bots_hold_one_duel_for_each_pace_and_a_second_run_adds_none():
    assert offer_bot_challenges(now=NOW) == len(PACES) + 1
    assert offer_bot_challenges(now=NOW) == 0
    assert {each.terms["pace"] for each in offered()} == {OWN, *PACES}
    assert len({each.terms["ruleset"] for each in offered()}) == 6
    assert set(offered().values_list("challenger__user__is_bot", flat=True)) == {True}
    # The same task delivered twice finds the other's row when it writes its own.
    (wanted,) = list_wanted_challenges(["Warder"])[:1]
    assert bot_challenges._offer(wanted, NOW) == 0


def test_an_accepted_challenge_of_a_bot_becomes_practice_and_is_replaced_once(froodal):
    offer_bot_challenges(now=NOW)
    taken = offered().get(bot_pace="fast")
    outcome = accept_challenge(number=taken.number, mage=froodal, now=NOW)
    battle = Battle.objects.get(number=outcome.number)
    assert outcome.has_started and battle.practice and battle.terms["pace"] == "fast"
    assert offer_bot_challenges(now=NOW) == 1 and offer_bot_challenges(now=NOW) == 0
    new = offered().get(bot_pace="fast")
    assert new.terms["ruleset"] != taken.terms["ruleset"]
    assert new.challenger.user_id != taken.challenger.user_id
    assert not Notice.objects.filter(user__is_bot=True).exists()
    assert not Engagement.objects.filter(mage__user__is_bot=True).exists()


def test_a_challenge_of_a_bot_never_grows_stale_and_ends_with_its_bot():
    offer_bot_challenges(now=NOW)
    assert sweep_stale_challenges(now=NOW + timedelta(days=400)) == 0 and offered().count() == len(PACES) + 1
    bot = offered().get(bot_pace="live").challenger.user
    User.objects.filter(pk=bot.pk).update(is_active=False)
    assert offer_bot_challenges(now=NOW) > 0 and offered().count() == len(PACES) + 1
    assert not offered().filter(challenger__user=bot).exists()


def test_a_site_without_bots_holds_no_challenges():
    User.objects.filter(is_bot=True).update(is_active=False)
    make_challenge(make_mage("Froodal"), limit=2, terms=Terms(stakes="friendly", bots_may_join=True))
    assert seat_bots() == 0


def test_quick_match_and_the_list_prefer_people(froodal, bung, client):
    offer_bot_challenges(now=NOW)
    waiting = make_challenge(bung, limit=2)
    client.force_login(froodal.user)
    rows = client.get("/challenges/").context["open_to_join"]
    assert rows[0].number == waiting.number and rows[-1].is_of_bot
    own = find_quick_match(mage=make_mage("Ayla"), terms=FRIENDLY, now=NOW)
    assert own.status == "open" and Challenge.objects.get(number=own.number).bot_pace == ""
    client.force_login(User.objects.get(username="Ayla_user"))
    assert "play a bot" in client.get(f"/challenges/{own.number}/").content.decode()
    client.force_login(froodal.user)
    assert "play a bot" not in client.get(f"/challenges/{own.number}/").content.decode()


# --- Challenges that bots join ----------------------------------------------------------------------------------------


def test_a_bot_joins_a_duel_whose_terms_allow_it_once(froodal, bung):
    welcome = make_challenge(froodal, limit=2, terms=Terms(stakes="friendly", bots_may_join=True))
    other = make_challenge(bung, limit=2, terms=FRIENDLY)
    assert seat_bots_in_open_challenges(now=NOW) == 1
    assert seat_bots_in_open_challenges(now=NOW) == 0
    battle = Battle.objects.get()
    assert battle.number == welcome.number and battle.practice
    other.refresh_from_db()
    assert other.status == "open" and other.seats_taken == 1


def test_bots_fill_a_melee_and_each_seat_gets_a_different_bot(froodal):
    make_challenge(froodal, limit=4, terms=Terms(stakes="friendly", bots_may_join=True))
    assert seat_bots_in_open_challenges(now=NOW) == 3
    combatants = Battle.objects.get().combatants
    assert combatants.count() == 4 and combatants.values("mage__user").distinct().count() == 4


@pytest.mark.parametrize(
    "details",
    [{"limit": None}, {"limit": 2, "open_to_all": False, "by_link": True}],
)
def test_bots_join_only_challenges_that_are_open_to_them(froodal, details):
    make_challenge(froodal, terms=Terms(stakes="friendly", bots_may_join=True), **details)
    assert seat_bots_in_open_challenges(now=NOW) == 0


def test_a_bot_that_its_challenger_has_blocked_does_not_join(froodal):
    challenge = make_challenge(froodal, limit=2, terms=Terms(stakes="friendly", bots_may_join=True))
    for bot in User.objects.filter(is_bot=True):
        block_user(user=froodal.user, blocked=bot, now=NOW)
    revision = Challenge.objects.get(pk=challenge.pk).revision
    assert seat_bots_in_open_challenges(now=NOW) == 0
    # No open page is updated without a reason.
    assert Challenge.objects.get(pk=challenge.pk).revision == revision


@pytest.mark.parametrize("stakes", ["ladder", "band", "no-gain"])
@pytest.mark.parametrize("asked", [{"bots": ("Warder",)}, {"bots_may_join": True}])
def test_bots_never_play_for_scores(froodal, stakes, asked):
    with pytest.raises(InvalidTerms, match="no scores are at stake"):
        Terms(stakes=stakes, **asked)
    challenge = make_challenge(froodal, limit=3, terms=Terms(stakes="friendly", bots_may_join=True))
    with pytest.raises(InvalidChallenge, match="no scores are at stake"):
        change(challenge, froodal, stakes=stakes)


# --- Seats reserved for bots ------------------------------------------------------------------------------------------


def test_a_host_fills_a_melee_with_bots_and_it_begins_at_once(froodal):
    challenge = make_challenge(froodal, terms=with_bots("warder", "Warder", "Magus"), open_to_all=False)
    battle = Battle.objects.get()
    assert challenge.status == "started" and battle.practice and battle.kind == "melee"
    strengths = battle.combatants.values_list("mage__user__bot_strength", flat=True)
    assert sorted(strengths) == ["", "Magus", "Warder", "Warder"]


def test_people_take_the_seats_that_are_left(froodal, bung, ayla):
    challenge = make_challenge(froodal, limit=4, terms=with_bots("Warder", "Magus"))
    assert challenge.status == "open" and seated_bots(challenge) == ["Magus", "Warder"]
    assert accept_challenge(number=challenge.number, mage=bung, now=NOW).has_started
    with pytest.raises(Exception, match="has become battle"):
        accept_challenge(number=challenge.number, mage=ayla, now=NOW)
    assert not Notice.objects.filter(user__is_bot=True).exists()


def test_the_terms_say_which_seats_are_for_bots(froodal, client):
    challenge = make_challenge(froodal, limit=4, terms=with_bots("Warder", "Magus", bots_may_join=True))
    text = client.get(f"/challenges/{challenge.number}/").content.decode()
    assert "2 seats for bots: Warder, Magus" in text and "bots may join" in text and "practice" in text
    assert "A computer opponent" in text


def test_a_bot_has_no_vote(froodal, bung, ayla):
    challenge = make_challenge(froodal, limit=6, terms=with_bots("Warder", "Magus"))
    for mage in (bung, ayla):
        accept_challenge(number=challenge.number, mage=mage, now=NOW)
    outcome = change(challenge, bung, limit=5)
    assert outcome.proposed == 1
    # Two of three people decide; with the bots' heads three would be needed.
    assert accept_changes(number=challenge.number, mage=ayla, changes=[1], now=NOW).has_started
    assert Proposal.objects.get().votes.count() == 2
    assert Battle.objects.get().combatants.count() == 5


def test_a_seat_that_a_person_left_is_offered_to_a_bot_by_vote(froodal, bung, ayla, crom):
    challenge = make_challenge(froodal, limit=4, terms=FRIENDLY)
    for mage in (bung, ayla):
        accept_challenge(number=challenge.number, mage=mage, now=NOW)
    decline_challenge(number=challenge.number, mage=ayla, now=NOW)
    accept_challenge(number=challenge.number, mage=crom, now=NOW)
    assert change(challenge, crom, bots=["archmage"]).proposed == 1
    assert seated_bots(challenge) == []
    assert accept_changes(number=challenge.number, mage=bung, changes=[1], now=NOW).has_started
    names = set(Battle.objects.get().combatants.values_list("mage__user__bot_strength", flat=True))
    assert names == {"", "Archmage"} and Battle.objects.get().practice


def test_bots_leave_when_the_terms_no_longer_keep_seats_for_them(froodal):
    challenge = make_challenge(froodal, limit=5, terms=with_bots("Warder", "Magus"))
    change(challenge, froodal, bots=["Magus"])
    assert seated_bots(challenge) == ["Magus"]
    challenge.refresh_from_db()
    assert challenge.seats_taken == 2
    change(challenge, froodal, bots=[], stakes="ladder")
    challenge.refresh_from_db()
    assert seated_bots(challenge) == [] and challenge.seats_taken == 1
    change(challenge, froodal, bots=["Warder"], stakes="friendly")
    assert seated_bots(challenge) == ["Warder"]


@pytest.mark.parametrize(
    ("terms", "details", "said"),
    [
        (with_bots("Warder", "Magus"), {"limit": 2}, "the limit must be at least 3"),
        (with_bots(*["Warder"] * 3, *["Magus"] * 3, *["Archmage"] * 3), {"limit": 4}, "at least 10"),
    ],
)
def test_there_must_be_room_for_the_bots(froodal, terms, details, said):
    with pytest.raises(InvalidChallenge, match=said):
        make_challenge(froodal, terms=terms, **details)
    assert not Challenge.objects.exists() and not Engagement.objects.exists()


@pytest.mark.parametrize(("bots", "said"), [(("Wader",), "Did you mean Warder"), (("Warder",) * 4, "3 mages")])
def test_unknown_bots_are_rejected_with_the_nearest(bots, said):
    with pytest.raises(InvalidTerms, match=said):
        Terms(stakes="friendly", bots=bots)


def test_a_handicap_by_seat_is_shown_and_played(froodal, bung, client):
    terms = Terms(stakes="very-friendly", hit_points=(15, 7))
    challenge = make_challenge(froodal, bung, terms=terms)
    assert "hit points 15 : 7" in client.get(f"/challenges/{challenge.number}/").content.decode()
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    text = client.get(f"/battles/{challenge.number}/").content.decode()
    assert "Bung starts with 7 hit points" in text
    assert [each["hp"] for each in Battle.objects.get().state["wizards"]] == [15, 7]


# --- The form ---------------------------------------------------------------------------------------------------------


def test_the_form_makes_a_melee_with_bots(froodal, client):
    client.force_login(froodal.user)
    sent = {
        "mage": "Froodal",
        "stakes": "friendly",
        "bots": "Warder, magus",
        "limit": "",
        "ruleset": "firetop-standard",
    }
    assert client.post("/challenges/new/", sent).status_code == 302
    assert Battle.objects.get().combatants.count() == 3


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"bots": "Wader"}, "Did you mean Warder?"),
        ({"bots": "Warder", "stakes": "ladder"}, "no scores are at stake"),
        ({"hit_points": "15 20", "stakes": "very-friendly"}, "Did you mean 15?"),
        ({"hit_points": "15 10"}, "count for scores or ratings"),
        ({"bots_may_join": "on", "stakes": "ladder"}, "no scores are at stake"),
    ],
)
def test_the_form_says_what_is_wrong_and_creates_nothing(froodal, client, wrong, said):
    client.force_login(froodal.user)
    sent = {"mage": "Froodal", "stakes": "friendly", "ruleset": "firetop-standard", **wrong}
    response = client.post("/challenges/new/", sent)
    assert response.status_code == 422 and said in response.content.decode()
    assert not Challenge.objects.exists()


def test_the_form_of_a_change_offers_a_seat_to_a_bot(froodal, client):
    challenge = make_challenge(froodal, limit=3, terms=FRIENDLY)
    client.force_login(froodal.user)
    page = f"/challenges/{challenge.number}/change/"
    form = client.get(page).context["form"]
    shown = {name: form[name].value() for name in form.fields if form[name].value() not in (None, "", False)}
    sent = {**shown, **{f"initial-{name}": value for name, value in shown.items()}, "mage": "Froodal"}
    assert client.post(page, {**sent, "bots": "Wader"}).status_code == 422
    assert client.post(page, {**sent, "bots": "Warder"}).status_code == 302
    assert seated_bots(challenge) == ["Warder"]


# --- The wrong person -------------------------------------------------------------------------------------------------


def test_nobody_else_changes_or_leaves_for_a_bot(froodal, bung):
    offer_bot_challenges(now=NOW)
    held = offered().first()
    with refused("not_joined"):
        propose_change(number=held.number, mage=bung, change={"limit": 4}, now=NOW)
    with refused("not_joined"):
        accept_changes(number=held.number, mage=bung, changes=[1], now=NOW)
    challenge = make_challenge(froodal, limit=4, terms=with_bots("Warder"))
    bot = challenge.seats.get(mage__user__is_bot=True).mage
    client = log_in(bung.user)
    response = client.post(f"/challenges/{challenge.number}/decline/", {"mage": bot.name})
    assert response.status_code == 404 and seated_bots(challenge) == ["Warder"]


def test_a_guest_a_stranger_a_closed_account_and_a_bot_take_no_challenge(froodal):
    offer_bot_challenges(now=NOW)
    held = offered().first()
    path = f"/challenges/{held.number}/accept/"
    guest = create_guest(now=NOW)
    mage = create_guest_mage(user=guest, now=NOW)
    client = Client()
    assert client.post(path, {"mage": "Froodal"}).status_code == 302
    client.force_login(guest)
    assert client.post(path, {"mage": mage.name})["Location"] == "/keep/"
    client.force_login(froodal.user)
    User.objects.filter(pk=froodal.user_id).update(is_active=False)
    assert "/accounts/" in client.post(path, {"mage": "Froodal"})["Location"]
    bot = Mage.objects.filter(user__bot_strength="Warder").first()
    for code, wrong in (("bot", bot), ("guest", mage), ("shut_out", Mage.objects.get(name="Froodal"))):
        with refused(code):
            accept_challenge(number=held.number, mage=wrong, now=NOW)
    assert offered().count() == len(PACES) + 1 and not Battle.objects.exists()


def test_a_lone_challenger_with_bots_may_start(froodal):
    challenge = make_challenge(froodal, limit=5, terms=with_bots("Warder"))
    assert start_challenge(number=challenge.number, mage=froodal, now=NOW).has_started
