"""Paces and reliability in challenges: chosen, shown, changed, rejected."""

from datetime import timedelta

import pytest

from challenges.selectors.lists import get_challenge_for_user, list_open_challenges
from challenges.services.answers import accept_challenge
from challenges.services.create import create_challenge
from challenges.services.proposals import propose_change
from challenges.words import describe_difference
from duels.models import Battle, MissedTurn, OrderSheet
from duels.selectors.reliability import read_reliability
from duels.services.clocks.deadlines import excuse_missed_turn
from duels.terms import Terms
from operations.services.policy import set_policy
from tests.challenges.conftest import make_challenge
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.django_db


def miss_turns(mage, *, asked: int, missed: int):
    """A battle in which the mage owed orders in so many stages, and missed so many."""
    fight = start_fight(mage, make_mage(f"Foe_of_{mage.name}"[:20]))
    for turn in range(asked):
        if turn:
            fight.turn("F/W" if turn % 2 else "W/F", "F/W" if turn % 2 else "W/F")
        if turn < missed:
            sheet = OrderSheet.objects.filter(combatant=fight.combatant(mage.name)).order_by("-pk").first()
            MissedTurn.objects.create(
                combatant=sheet.combatant, user=mage.user, stage=sheet.stage, missed_at=mage.user.last_active_at
            )


def test_the_list_shows_the_pace_with_the_sites_numbers():
    make_challenge(make_mage("Ayla"), terms=Terms(pace="fast", weekends=True))
    make_challenge(make_mage("Crom"))
    set_policy(by=make_mage("Jane").user, why="", numbers={"classic_forfeit_days": 14}, now=NOW)
    fast, classic = list_open_challenges(viewer=None)
    assert "fast pace, 4 days a turn, clocks rest on weekends" in fast.words.terms
    assert "classic pace, 14 days a turn" in classic.words.terms
    assert "and 1 day later the mage dies" in fast.words.pace


def test_the_form_offers_every_pace_and_the_battle_gets_it():
    ayla, crom = make_mage("Ayla"), make_mage("Crom")
    client = log_in(ayla.user)
    page = client.get("/challenges/new/").content.decode()
    assert "10 days, and 36 hours more each turn" in page
    form = {"mage": "Ayla", "against": "Crom", "ruleset": "firetop-standard", "pace": "bank", "nights": "on"}
    assert client.post("/challenges/new/", form).status_code == 302
    number = list_open_challenges(viewer=None)[0].number
    accept_challenge(number=number, mage=crom, now=NOW)
    terms = Terms.from_json(Battle.objects.get(number=number).terms)
    assert (terms.pace, terms.nights, terms.weekends) == ("bank", True, False)


def test_live_clocks_that_stop_are_rejected_at_their_field():
    ayla = make_mage("Ayla")
    client = log_in(ayla.user)
    form = {"mage": "Ayla", "ruleset": "firetop-standard", "pace": "live", "weekends": "on"}
    answer = client.post("/challenges/new/", form)
    assert answer.status_code == 422
    assert "At live pace the clocks cannot rest at night or on weekends." in answer.content.decode()


def test_a_change_of_pace_is_proposed_as_a_difference():
    ayla, crom = make_mage("Ayla"), make_mage("Crom")
    number = create_challenge(challenger=ayla, terms=Terms(), invited=[], open_to_all=True, limit=3, now=NOW).number
    accept_challenge(number=number, mage=crom, now=NOW)
    change = {"pace": "slow", "weekends": True, "reliable": 80}
    decided = propose_change(number=number, mage=ayla, change=change, now=NOW).decided[0]
    said = [describe_difference(each.what, each.before, each.after).sentence for each in decided.differences]
    assert said == [
        "pace classic → slow",
        "clocks run on weekends → rest on weekends",
        "reliability any → 80% on time",
    ]
    row = get_challenge_for_user(number=number, user=crom.user)
    assert "slow pace, 12 days a turn, clocks rest on weekends" in row.words.terms


class TestReliability:
    def test_a_new_user_is_called_new_and_may_join_anywhere(self):
        ayla, crom = make_mage("Ayla"), make_mage("Crom")
        number = make_challenge(ayla, terms=Terms(reliable=100)).number
        challenge = get_challenge_for_user(number=number, user=crom.user)
        assert challenge.seating.seats[0].reliability == "new here"
        assert challenge.own.may_join

    def test_reliability_is_a_share_and_an_excuse_repairs_it(self):
        ayla = make_mage("Ayla")
        miss_turns(ayla, asked=12, missed=3)
        kept = read_reliability([ayla.user_id])[ayla.user_id]
        assert (kept.asked, kept.missed, kept.percent) == (12, 3, 75)
        missed = MissedTurn.objects.first()
        assert excuse_missed_turn(missed=missed, reason="Broken leg", now=NOW)
        assert not excuse_missed_turn(missed=missed, reason="Again", now=NOW)
        assert read_reliability([ayla.user_id])[ayla.user_id].missed == 2
        Battle.objects.update(practice=True)
        assert read_reliability([ayla.user_id])[ayla.user_id].percent is None, "nobody waited"
        Battle.objects.update(practice=False)
        MissedTurn.objects.update(missed_at=ayla.user.last_active_at - timedelta(days=366))
        assert read_reliability([ayla.user_id])[ayla.user_id].missed == 0, "it was over a year ago"

    def test_an_unreliable_user_is_rejected_with_the_reason(self):
        ayla, crom = make_mage("Ayla"), make_mage("Crom")
        miss_turns(crom, asked=10, missed=2)
        other = make_mage("Crom_two", user=crom.user)
        number = make_challenge(ayla, terms=Terms(reliable=90)).number
        with refused("not_reliable", match="players who send their orders on time more often than you"):
            accept_challenge(number=number, mage=other, now=NOW)
        challenge = get_challenge_for_user(number=number, user=crom.user)
        assert (challenge.own.why_not, challenge.own.may_join) == (
            "Only for players who send enough of their orders on time.",
            False,
        )
        assert "for players who send 90% of their orders on time" in challenge.words.terms
        easier = make_challenge(make_mage("Dara"), terms=Terms(reliable=80)).number
        accept_challenge(number=easier, mage=other, now=NOW)
