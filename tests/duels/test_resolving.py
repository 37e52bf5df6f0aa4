"""Playing a turn: events, notices, questions in the middle, and what happens when the rules fail."""

import pytest
from django.db import IntegrityError, OperationalError, transaction

from duels import tasks
from duels.models import Battle, OrderSheet, Stage, Turn, TurnEvent
from duels.selectors.due import list_battles_to_retry, list_unresolved_battles
from duels.services import resolve
from duels.services.followers import follow_battle, unfollow_battle
from duels.services.resolve import resolve_turn
from notifications.models import Notice
from rules_engine import ScriptedDice, Sheet, advance, read_state, write_state
from tests.scenes import NOW, make_user


class Broken(Exception):
    """The error that a defect in the rules would raise."""


@pytest.fixture
def broken_rules(monkeypatch):
    """Rules that fail, until the test repairs them."""

    def fail(*_):
        raise Broken("a spell that nobody thought of")

    with monkeypatch.context() as broken:
        broken.setattr(resolve, "advance", fail)
        yield broken


def test_a_turn_waits_until_everyone_is_ready(melee):
    """FM-CHAL-5."""
    melee.order("Ayla", "P/D")
    melee.order("Cormac", "F/F")
    assert resolve_turn(battle=melee.battle, now=NOW).outcome == "waiting"
    assert melee.key().seq == 1


def test_a_resolved_turn_leaves_its_events_and_opens_the_next(duel):
    duel.turn("P/D", "F/F")
    turn = Turn.objects.get(battle=duel.battle, seq=1)
    assert TurnEvent.objects.filter(turn=turn).count() == duel.battle.event_count > 0
    assert list(TurnEvent.objects.filter(battle=duel.battle).values_list("n", flat=True)) == list(
        range(1, duel.battle.event_count + 1)
    )
    assert turn.closed_by == "orders"
    assert Stage.objects.get(battle=duel.battle, closed_at=None).turn.seq == 2


def test_a_turn_can_be_played_again_from_what_was_kept(duel):
    duel.turns([("F/F", "P/D"), ("F/F", "S/W")])
    turn = Turn.objects.get(battle=duel.battle, seq=2)
    sheets = {
        sheet.combatant.mage.name: Sheet.from_lines(sheet.lines)
        for sheet in OrderSheet.objects.filter(stage__turn=turn)
    }
    again = advance(read_state(turn.before), sheets, ScriptedDice(turn.throws))
    assert write_state(again.state) == duel.battle.state


def test_each_user_and_follower_is_notified_once_of_a_turn(melee):
    """FM-CHAL-7."""
    fan = make_user("Fan")
    follow_battle(battle=melee.battle, user=fan, now=NOW)
    follow_battle(battle=melee.battle, user=fan, now=NOW)
    melee.turn("P/D", "F/F", "W/W")
    told = Notice.objects.filter(kind="turn_resolved").values_list("user__username", flat=True)
    assert sorted(told) == ["Ayla_user", "Borin_user", "Cormac_user", "Fan"]
    unfollow_battle(battle=melee.battle, user=fan)
    melee.turn("P/D", "F/F", "W/W")
    assert Notice.objects.filter(kind="turn_resolved", user=fan).count() == 1


def test_a_user_with_two_mages_is_notified_once(practice):
    practice.turn("P/D", "F/F")
    notice = Notice.objects.get(kind="turn_resolved")
    assert notice.key == f"battle/{practice.number}/1/0/0/turn_resolved/{notice.user_id}"
    assert notice.facts == {
        "battle": practice.number,
        "kind": "duel",
        "seq": 1,
        "attempt": 0,
        "stage": 0,
        "label": "1",
        "mages": ["Lefty", "Righty"],
    }


def test_resolving_again_changes_nothing(duel):
    duel.turn("P/D", "F/F")
    before = list(TurnEvent.objects.values_list("pk", flat=True)), Notice.objects.count()
    assert resolve_turn(battle=duel.battle, now=NOW).outcome == "waiting"
    assert (list(TurnEvent.objects.values_list("pk", flat=True)), Notice.objects.count()) == before


def test_a_battle_has_one_open_stage_whatever_a_program_tries(duel):
    turn = Turn.objects.get(battle=duel.battle)
    with pytest.raises(IntegrityError), transaction.atomic():
        Stage.objects.create(battle=duel.battle, turn=turn, number=1, opened_at=NOW)


class TestQuestionsInTheMiddleOfATurn:
    """Bung's waving hand is paralysed into a palm that ends two spells: Bung must choose, unexpectedly."""

    @pytest.fixture
    def asked(self, duel):
        duel.turns([("F/-", "-/-"), ("F/-", "W/-"), ("F/-", "W/-")])
        duel.order("Froodal", "LH -\nRH -\nPARALYZE LH Bung")
        self.receipt = duel.order("Bung", "-/-")
        return duel

    def test_the_turn_stops_and_asks_only_one_mage(self, asked):
        assert self.receipt.outcome == "resolved"
        assert (asked.battle.seq, asked.battle.stage) == (4, 1)
        sheets = OrderSheet.objects.filter(stage__battle=asked.battle, stage__closed_at=None)
        assert [sheet.combatant.mage.name for sheet in sheets] == ["Bung"]
        assert [notice.user.username for notice in Notice.objects.filter(kind="stage_asked")] == ["Bung_user"]

    def test_an_answer_that_is_still_missing_is_named_and_nothing_is_played(self, asked):
        assert asked.order("Bung", "SAY Hm").outcome == "kept"
        assert asked.battle.stage == 1

    def test_the_answer_ends_the_turn_and_no_event_comes_twice(self, asked):
        before = asked.battle.event_count
        assert asked.order("Bung", "CHOOSE LH Shield").outcome == "resolved"
        assert asked.key() == (5, 0, 0)
        kinds = TurnEvent.objects.filter(turn__seq=4)
        assert set(kinds.values_list("stage", flat=True)) == {0, 1}
        assert asked.battle.event_count > before
        assert Notice.objects.filter(kind="turn_resolved", facts__seq=4, facts__stage=1).count() == 2

    def test_orders_for_the_gestures_come_too_late(self, asked):
        from duels.errors import StaleOrders
        from duels.keys import StageKey

        with pytest.raises(StaleOrders, match="for a stage that is over"):
            asked.order("Bung", "F/F", stage=StageKey(4, 0, 0))


class TestWhenTheRulesFail:
    def test_the_last_submitters_orders_are_kept_and_the_battle_is_marked(self, duel, broken_rules):
        duel.order("Froodal", "P/D")
        receipt = duel.order("Bung", "F/F")
        assert receipt.outcome == "stuck"
        assert duel.battle.status == "stuck"
        assert duel.battle.stuck_reference == receipt.reference != ""
        lines = OrderSheet.objects.filter(stage__battle=duel.battle, ready=True).values_list("lines", flat=True)
        assert sorted(lines) == [["LH F", "RH F"], ["LH P", "RH D"]]

    def test_nothing_of_the_failed_turn_remains(self, duel, monkeypatch):
        def fail_late(*_, **__):
            raise Broken("after the events were written")

        monkeypatch.setattr(resolve, "store_remaining_mages", fail_late)
        duel.turn("P/D", "F/F")
        assert duel.battle.status == "stuck"
        assert TurnEvent.objects.count() == 0
        assert duel.battle.event_count == 0
        assert Stage.objects.get(battle=duel.battle).closed_at is None

    def test_the_janitors_are_notified_once(self, duel, broken_rules):
        janitor = make_user("Sweeper")
        janitor.is_staff = True
        janitor.save()
        reference = duel.turn("P/D", "F/F").reference
        assert duel.order("Bung", "S/S").reference == reference
        notice = Notice.objects.get(kind="battle_stuck")
        assert (notice.user, notice.facts["reference"]) == (janitor, reference)

    def test_the_same_release_does_not_try_again_by_itself_but_the_next_one_does(self, duel, broken_rules, monkeypatch):
        duel.turn("P/D", "F/F")
        assert tasks.retry_stuck_battles() == 0
        broken_rules.undo()
        assert list(list_battles_to_retry()) == []
        Battle.objects.update(stuck_release="the release before")
        assert tasks.retry_stuck_battles() == 1
        assert duel.key().seq == 2
        assert (duel.battle.status, duel.battle.stuck_reference) == ("running", "")

    def test_a_release_that_fails_too_tries_once(self, duel, broken_rules):
        duel.turn("P/D", "F/F")
        Battle.objects.update(stuck_release="the release before")
        assert tasks.retry_stuck_battles() == 0
        assert list(list_battles_to_retry()) == []

    def test_orders_that_the_rules_can_play_set_the_battle_free(self, duel, broken_rules):
        duel.turn("P/D", "F/F")
        broken_rules.undo()
        assert duel.order("Bung", "S/S").outcome == "resolved"
        assert duel.battle.status == "running"

    def test_the_databases_trouble_is_left_to_the_sweep(self, duel, monkeypatch):
        def fail(*_, **__):
            raise OperationalError("deadlock detected")

        with monkeypatch.context() as broken:
            broken.setattr(resolve, "record_events", fail)
            assert duel.turn("P/D", "F/F").outcome == "ready"
        assert duel.battle.status == "running"
        assert list(list_unresolved_battles()) == [duel.battle]
        assert tasks.sweep_unresolved_battles() == 1
        assert duel.key().seq == 2
        assert tasks.sweep_unresolved_battles() == 0
