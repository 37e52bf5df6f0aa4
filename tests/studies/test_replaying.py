"""Stored battles are replayed at night; janitors are notified of differences once."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from duels.models import Battle, Replay, TurnEvent
from notifications.models import Notice
from rules_engine import RulesError
from studies.selectors.replay_checks import list_battles_to_replay
from studies.services.replay_checks import replay_battle
from studies.tasks import replay_stored_battles
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TURNS = [("S/W", "P/-"), ("D/-", "W/W"), ("W/S", "-/F")]


@pytest.fixture
def janitor():
    return User.objects.create_superuser("Janitor0", "janitor@example.org", "not so secret")


@pytest.fixture
def fight(duel):
    duel.turns(TURNS)
    return duel


def notified():
    return Notice.objects.filter(kind="battle_replays_otherwise")


def change_the_missile(fight):
    """A hand in the database: the missile of turn 2 did nothing, it says."""
    event = TurnEvent.objects.get(battle=fight.battle, kind="casts", facts__spell="Magic Missile")
    TurnEvent.objects.filter(pk=event.pk).update(facts={**event.facts, "spell": "Fireball"})


def test_nobody_is_notified_of_a_battle_that_replays_the_same(fight, janitor):
    assert replay_battle(battle=fight.battle, now=NOW) == ()
    fight.turn("P/P", "F/F")
    assert replay_battle(battle=fight.battle, now=NOW) == ()
    assert not notified().exists()
    assert Replay.objects.get(battle=fight.battle).differences == []


@pytest.mark.parametrize("ruleset", ["waving-hands", "warlocks"])
def test_stops_for_decisions_are_played_again_too(ruleset, janitor):
    fight = start_fight(make_mage("Ayla"), make_mage("Crom"), ruleset=ruleset)
    for orders in (("F/-", "-/-"), ("F/-", "-/-"), ("F/-", "C/S")):
        fight.turn(*orders)
    if fight.battle.stage:
        fight.order("Ayla", "PARALYZE RH Crom")
    fight.turn("-/-", "W/W")
    assert replay_battle(battle=fight.battle, now=NOW) == ()


def test_every_janitor_is_notified_once_of_an_event_changed_by_hand(fight, janitor):
    User.objects.create_superuser("Janitor1", "other@example.org", "not so secret")
    change_the_missile(fight)
    for night in range(3):
        (difference, *_) = replay_battle(battle=fight.battle, now=NOW + timedelta(days=night))
        assert difference.turn == "2"
    assert notified().filter(user=janitor).count() == notified().count() / 2
    before = notified().count()
    replay_battle(battle=fight.battle, now=NOW)
    assert notified().count() == before
    assert {notice.facts["battle"] for notice in notified()} == {fight.number}


def test_notices_to_janitors_name_no_order_and_no_spell(fight, janitor):
    change_the_missile(fight)
    replay_battle(battle=fight.battle, now=NOW)
    notices = list(notified())
    assert notices
    for notice in notices:
        assert set(notice.facts) == {"battle", "turn", "what"}
        assert "Fireball" not in str(notice.facts) and "Magic Missile" not in str(notice.facts)


@pytest.mark.parametrize("field", ["audience", "kind"])
def test_the_audience_and_the_kind_of_event_count_too(fight, janitor, field):
    event = TurnEvent.objects.filter(battle=fight.battle, turn__seq=2).first()
    TurnEvent.objects.filter(pk=event.pk).update(**{field: {"audience": ["Bung"], "kind": "dies"}[field]})
    assert replay_battle(battle=fight.battle, now=NOW)


def test_why_it_happened_is_no_difference(fight, janitor):
    TurnEvent.objects.filter(battle=fight.battle).update(clause="OLD-1", cause=[])
    assert replay_battle(battle=fight.battle, now=NOW) == ()


@pytest.mark.parametrize("error", [RulesError("stuck in turn 2"), ZeroDivisionError("by nought")])
def test_an_error_in_the_rules_is_reported_as_one_and_the_next_battle_is_replayed(fight, janitor, monkeypatch, error):
    other = start_fight(make_mage("Ayla"), make_mage("Crom"))
    other.turn("S/W", "P/-")

    def fail(*_args):
        raise error

    monkeypatch.setattr("rules_engine.records.play.advance", fail)
    assert replay_stored_battles() == 2
    assert {notice.facts["what"] for notice in notified()} == {"an error" if "nought" in str(error) else "the rules"}
    assert str(error) in str(Replay.objects.get(battle=other.battle).differences)


def test_a_missing_edition_is_reported_and_the_battle_kept(fight, janitor):
    state = {**fight.battle.state, "edition": 77}
    Battle.objects.filter(pk=fight.battle.pk).update(edition=77, state=state)
    fight.battle.turns.update(before=state)
    (difference,) = replay_battle(battle=Battle.objects.get(pk=fight.battle.pk), now=NOW)
    assert "no edition 77" in difference.played
    assert notified().count() == 1
    assert Battle.objects.get(pk=fight.battle.pk).status == "running"


class TestANight:
    def test_running_battles_come_first_then_those_checked_longest_ago(self, janitor):
        fights = [start_fight(make_mage(f"Ayla{n}"), make_mage(f"Crom{n}")) for n in range(4)]
        for fight in fights[:3]:
            fight.turn("P/P", "F/F")
        for days, fight in ((3, fights[1]), (9, fights[2])):
            replay_battle(battle=fight.battle, now=NOW - timedelta(days=days))
        due = [battle.number for battle in list_battles_to_replay(now=NOW, limit=10)]
        assert due == [fights[n].number for n in (3, 0, 2, 1)]
        assert [battle.number for battle in list_battles_to_replay(now=NOW, limit=2)] == due[:2]

    def test_finished_work_is_not_repeated_in_the_same_night(self, fight, janitor):
        replay_battle(battle=fight.battle, now=NOW)
        assert list_battles_to_replay(now=NOW + timedelta(hours=3), limit=10) == []
        assert list_battles_to_replay(now=NOW + timedelta(hours=21), limit=10) == [fight.battle]

    def test_of_the_finished_only_so_many_are_taken_in_a_night(self, janitor, monkeypatch):
        monkeypatch.setattr("studies.selectors.replay_checks.FINISHED_IN_A_NIGHT", 1)
        for number in range(2):
            start_fight(make_mage(f"Ayla{number}"), make_mage(f"Crom{number}")).turn("P/P", "F/F")
        (first,) = list_battles_to_replay(now=NOW, limit=10)
        replay_battle(battle=first, now=NOW)
        assert list_battles_to_replay(now=NOW, limit=10) == []


class TestTheCommand:
    def test_it_says_that_all_is_well(self, fight):
        out = StringIO()
        call_command("replay_battles", str(fight.number), stdout=out)
        assert out.getvalue() == "Battles replayed: 1. All match.\n"

    def test_it_shows_the_difference_and_ends_with_an_error(self, fight):
        change_the_missile(fight)
        out = StringIO()
        with pytest.raises(CommandError, match="1 of 1 battles"):
            call_command("replay_battles", stdout=out)
        assert "Fireball" in out.getvalue() and "Magic Missile" in out.getvalue()

    def test_a_number_without_a_battle_is_named(self, db):
        with pytest.raises(CommandError, match="There is no battle 4711"):
            call_command("replay_battles", "4711")
