"""Rematch: requested with one click, accepted with one click, on the same terms, once."""

from functools import partial
from itertools import count

import pytest
from django.urls import reverse

from accounts.models import Engagement
from accounts.services.ties import block_user
from challenges.errors import ChallengeOver, ChallengeRefused, InvalidChallenge
from challenges.models import Challenge
from challenges.services import answers, close_stale, rematch
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.services.play_now import play_bot, play_bot_as_guest
from challenges.services.proposals import propose_change
from challenges.services.rematch import ask_for_rematch
from challenges.services.start_battle import end_challenge
from duels.models import Battle
from ladder.models import ScoreEntry
from ladder.services.rate_battles import rate_battles
from notifications.models import Notice
from tests.bots import bring_bots
from tests.duels.fights import Fight, start_fight
from tests.races import at_once, slow_down
from tests.refusals import refused
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def fight(db: None) -> Fight:
    """A friendly duel that Froodal has won: Bung surrendered."""
    return end(start_fight(make_mage("Froodal"), make_mage("Bung"), stakes="friendly"))


def end(fight: Fight) -> Fight:
    fight.order("Froodal", "LH W\nRH D")
    fight.order("Bung", "LH P\nRH P", confirmed=True)
    assert fight.battle.is_over
    return fight


def ask(fight: Fight, name: str):
    return ask_for_rematch(number=fight.number, mage=fight.mages[name], now=NOW)


def test_one_asks_and_the_other_accepts_by_asking_too(fight):
    asked = ask(fight, "Froodal")
    challenge = Challenge.objects.get()
    assert not asked.has_started and (challenge.challenger.name, challenge.status) == ("Froodal", "open")
    assert challenge.terms == fight.battle.terms
    assert Notice.objects.filter(kind="challenged", user=fight.user("Bung")).count() == 1
    accepted = ask(fight, "Bung")
    assert accepted.has_started and accepted.number == asked.number
    rematch = Battle.objects.get(number=asked.number)
    assert sorted(rematch.combatants.values_list("mage__name", flat=True)) == ["Bung", "Froodal"]
    assert rematch.terms == fight.battle.terms
    # Late clicks lead there too, but start nothing.
    assert [ask(fight, name).number for name in ("Bung", "Froodal")] == [asked.number] * 2
    assert Battle.objects.count() == 2


def test_a_duel_of_a_cup_has_a_friendly_rematch(db):
    fight = end(start_fight(make_mage("Froodal"), make_mage("Bung"), stakes="cup", pace="twoday", chat=False))
    ask(fight, "Froodal")
    accepted = ask(fight, "Bung")
    terms = Battle.objects.get(number=accepted.number).terms
    assert (terms["stakes"], terms["pace"], terms["chat"]) == ("friendly", "day", True)


def test_one_click_does_not_accept_a_rematch_on_other_terms(fight):
    asked = ask(fight, "Froodal")
    propose_change(number=asked.number, mage=fight.mages["Froodal"], change={"stakes": "ladder"}, now=NOW)
    with refused("terms_changed", match="have changed"):
        ask(fight, "Bung")
    # On the page of the challenge they can be read and accepted.
    assert accept_challenge(number=asked.number, mage=fight.mages["Bung"], now=NOW).has_started


def test_asking_twice_asks_once(fight):
    assert ask(fight, "Froodal") == ask(fight, "Froodal")
    assert Challenge.objects.count() == Notice.objects.filter(kind="challenged").count() == 1


def test_after_it_was_withdrawn_it_can_be_asked_for_again(fight):
    first = ask(fight, "Froodal")
    withdraw_challenge(number=first.number, mage=fight.mages["Froodal"], now=NOW)
    fight.battle.refresh_from_db()
    assert (fight.battle.rematch, fight.battle.rematch_by) == (None, "")
    second = ask(fight, "Bung")
    assert second.number != first.number and Challenge.objects.get(number=second.number).challenger.name == "Bung"


def test_the_other_may_decline(fight):
    asked = ask(fight, "Froodal")
    decline_challenge(number=asked.number, mage=fight.mages["Bung"], now=NOW)
    assert not ask(fight, "Froodal").has_started
    assert Battle.objects.count() == 1


def test_the_dead_are_replaced_by_another_mage_of_their_user():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    make_mage("Bunter", fight.user("Bung"))
    end(fight)
    mage = fight.mages["Bung"]
    mage.died_at = NOW
    mage.save()
    asked = ask(fight, "Froodal")
    invited = Challenge.objects.get().seats.filter(state="invited")
    assert [seat.mage.name for seat in invited] == ["Bunter"]
    # The page still shows the dead mage.
    assert ask(fight, "Bung").has_started
    assert sorted(Engagement.objects.filter(number=asked.number).values_list("mage__name", flat=True)) == [
        "Bunter",
        "Froodal",
    ]


def test_a_rematch_without_two_free_mages_is_an_error(fight):
    mage = fight.mages["Bung"]
    mage.died_at = NOW
    mage.save()
    for name, code in (("Froodal", "nobody"), ("Bung", "no_mage")):
        with pytest.raises(ChallengeRefused) as refusal:
            ask(fight, name)
        assert refusal.value.code == code
    assert not Challenge.objects.exists()


def test_only_fighters_ask_and_only_after_the_end(fight):
    other = make_mage("Crom")
    with refused("not_yours", match="did not fight"):
        ask_for_rematch(number=fight.number, mage=other, now=NOW)
    running = start_fight(make_mage("Ayla"), make_mage("Zarquon"))
    with refused("running", match="not over"):
        ask(running, "Ayla")


def test_a_blocked_user_gets_no_rematch(fight):
    block_user(user=fight.user("Bung"), blocked=fight.user("Froodal"), now=NOW)
    with pytest.raises(InvalidChallenge):
        ask(fight, "Froodal")
    fight.battle.refresh_from_db()
    assert fight.battle.rematch is None


def test_against_a_bot_the_rematch_begins_at_once(db):
    bring_bots(now=NOW)
    for mage in (make_mage("Froodal"), None):
        if mage is None:
            guest, battle = play_bot_as_guest(strength="Warder", now=NOW)
            mage = guest.mages.get()
        else:
            battle = play_bot(mage=mage, strength="Warder", now=NOW)
        Battle.objects.filter(pk=battle.pk).update(status="finished", finished_at=NOW, result={})
        Engagement.objects.filter(mage=mage).delete()
        first, again = (ask_for_rematch(number=battle.number, mage=mage, now=NOW) for _ in range(2))
        assert first.has_started and first == again
        rematch = Battle.objects.get(number=first.number)
        assert rematch.practice and rematch.terms == battle.terms
        assert list(rematch.combatants.values_list("mage", flat=True)) == list(
            battle.combatants.values_list("mage", flat=True)
        )


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_make_one_battle():
    names = (f"Mage{chr(97 + n)}" for n in count())
    for _ in range(3):
        one, other = make_mage(next(names)), make_mage(next(names))
        fight = start_fight(one, other, stakes="friendly")
        fight.order(one.name, "LH W\nRH D")
        fight.order(other.name, "LH P\nRH P", confirmed=True)
        results = at_once(lambda: ask(fight, one.name), lambda: ask(fight, other.name))  # noqa: B023
        assert sorted(result.has_started for result in results) == [False, True], results
        assert Battle.objects.filter(number=results[0].number).exists()
        assert results[0].number == results[1].number


def withdraw(challenge):
    withdraw_challenge(number=challenge.number, mage=challenge.challenger, now=NOW)


def close(challenge):
    close_stale._close_stale(challenge, NOW)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("service", "end"), [(answers, withdraw), (close_stale, close)])
def test_a_rematch_that_ends_as_the_other_asks_for_one_leaves_either_a_challenge_or_a_battle(monkeypatch, service, end):
    fight = start_fight(make_mage("Anna"), make_mage("Boris"), stakes="friendly")
    fight.order("Anna", "LH W\nRH D")
    fight.order("Boris", "LH P\nRH P", confirmed=True)
    ask(fight, "Anna")
    challenge = Challenge.objects.get()
    monkeypatch.setattr(service, "end_challenge", slow_down(end_challenge))
    monkeypatch.setattr(rematch, "_find_asked", slow_down(rematch._find_asked))
    ended, outcome = at_once(partial(end, challenge), lambda: ask(fight, "Boris"))
    assert ended is None or isinstance(ended, ChallengeOver), ended
    challenge.refresh_from_db()
    assert (challenge.status == Challenge.Status.STARTED) == outcome.has_started


class TestPage:
    def url(self, fight):
        return reverse("challenges:rematch", args=[fight.number])

    def test_the_page_offers_it_and_says_who_asked(self, client, fight):
        client.force_login(fight.user("Froodal"))
        page = client.get(f"/battles/{fight.number}/").content.decode()
        assert "<h1" in page and "You beat Bung" in page and f'action="{self.url(fight)}"' in page
        assert client.post(self.url(fight), {"mage": "Froodal"}).url == f"/battles/{fight.number}/"
        assert (
            "You asked Bung for a rematch. They have not answered yet."
            in client.get(f"/battles/{fight.number}/").content.decode()
        )
        client.force_login(fight.user("Bung"))
        page = client.get(f"/battles/{fight.number}/").content.decode()
        assert "Froodal wins" in page and "Froodal wants a rematch." in page and "Accept rematch" in page
        answer = client.post(self.url(fight), {"mage": "Bung"})
        rematch = Battle.objects.order_by("number").last()
        assert answer.url == f"/battles/{rematch.number}/" and not rematch.is_over

    def test_the_wrong_person(self, client, fight):
        assert client.post(self.url(fight)).url.startswith("/accounts/login/")
        client.force_login(make_mage("Crom").user)
        assert client.post(self.url(fight), {"mage": "Froodal"}).status_code == 403
        assert client.post(self.url(fight)).status_code == 403
        assert client.post(reverse("challenges:rematch", args=[99999])).status_code == 404
        assert client.get(self.url(fight)).status_code == 405
        page = client.get(f"/battles/{fight.number}/").content.decode()
        assert self.url(fight) not in page and "Victory to Froodal" in page
        assert not Challenge.objects.exists()

    def test_it_says_what_changed_and_why(self, client):
        fight = end(start_fight(make_mage("Froodal"), make_mage("Bung")))
        assert ScoreEntry.objects.filter(battle=fight.number).exists()
        client.force_login(fight.user("Froodal"))
        page = client.get(f"/battles/{fight.number}/").content.decode()
        assert "Froodal&#x27;s score" in page and "+1 for the mage you beat." in page
        assert "Your rating" not in page
        rate_battles(kind="duel")
        assert "Your rating" in client.get(f"/battles/{fight.number}/").content.decode()
        client.logout()
        assert 'class="gains' not in client.get(f"/battles/{fight.number}/").content.decode()
