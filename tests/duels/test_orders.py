"""Orders: accepted completely or not at all, replaced until the turn resolves, never lost."""

import pytest

from accounts.models import Mage
from duels.errors import IllegalOrders, InvalidOrders, NothingToOrder, NotYourCombatant, OrdersFinal, StaleOrders
from duels.keys import StageKey
from duels.models import OrderSheet, Turn
from duels.selectors.stage_keys import describe_current_stage
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user
from duels.services.orders import save_draft
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage, make_user


def sheet_of(fight, name):
    return OrderSheet.objects.get(stage__battle=fight.battle, stage__closed_at__isnull=True, combatant__mage__name=name)


def test_orders_of_one_mage_wait_for_the_other(duel):
    receipt = duel.order("Froodal", "LH P\nRH D")
    assert receipt.outcome == "ready"
    assert receipt.lines == ("LH P", "RH D")
    assert receipt.key == StageKey(1, 0, 0)
    assert duel.battle.seq == 1


def test_the_last_orders_play_the_turn(duel):
    duel.order("Froodal", "P/D")
    receipt = duel.order("Bung", "F/F")
    assert receipt.outcome == "resolved"
    assert duel.battle.seq == 2
    assert Turn.objects.get(battle=duel.battle, seq=1).resolved_at == NOW


def test_orders_without_end_are_kept_but_not_ready(duel):
    receipt = duel.order("Froodal", "LH P\nRH D", ready=None)
    assert receipt.outcome == "kept"
    assert not sheet_of(duel, "Froodal").ready


def test_end_makes_orders_ready(duel):
    assert duel.order("Froodal", "LH P\nRH D\nEND", ready=None).outcome == "ready"


def test_end_alone_confirms_orders_that_were_kept(duel):
    duel.order("Froodal", "LH P\nRH D", ready=None)
    receipt = duel.order("Froodal", "END", ready=None)
    assert receipt.outcome == "ready"
    assert receipt.lines == ("LH P", "RH D")


def test_later_lines_replace_their_slots_and_leave_the_others(duel):
    duel.order("Froodal", "LH P\nRH D", ready=None)
    assert duel.order("Froodal", "RH F", ready=None).lines == ("LH P", "RH F")


def test_clear_empties_the_sheet_first(duel):
    duel.order("Froodal", "LH P\nRH D\nSAY Well met", ready=None)
    assert duel.order("Froodal", "CLEAR\nLH S", ready=None).lines == ("LH S",)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("SAY none", ("LH P", "RH D")),
        ("RH F\nSAY None", ("LH P", "RH F")),
        ("SAY none\nSAY Wait", ("LH P", "RH D", "SAY Wait")),
    ],
)
def test_say_none_takes_back_what_an_earlier_text_said(duel, text, lines):
    duel.order("Froodal", "LH P\nRH D\nSAY Well met", ready=None)
    receipt = duel.order("Froodal", text, ready=None)
    assert (receipt.outcome, receipt.lines) == ("kept", lines)
    assert sheet_of(duel, "Froodal").lines == list(lines)


def test_a_whole_sheet_replaces_the_old_one(duel):
    duel.order("Froodal", "LH P\nRH D\nSAY Well met")
    assert duel.order("Froodal", "LH S\nRH S", replace=True).lines == ("LH S", "RH S")


def test_one_hand_alone_is_refused_and_nothing_is_kept(duel):
    with pytest.raises(IllegalOrders) as caught:
        duel.order("Froodal", "LH P\nEND", ready=None)
    assert [problem.text for problem in caught.value.problems] == ["RH"]
    assert sheet_of(duel, "Froodal").lines == []


def test_every_unclear_line_is_named_and_none_is_processed(duel):
    with pytest.raises(InvalidOrders) as caught:
        duel.order("Froodal", "LH Q\nRH D\nDANCE wildly")
    assert [problem.line for problem in caught.value.problems] == [1, 3]
    assert sheet_of(duel, "Froodal").lines == []


def test_refused_orders_leave_earlier_ones_as_they_were(duel):
    duel.order("Froodal", "P/D")
    with pytest.raises(InvalidOrders):
        duel.order("Froodal", "LH Q\nRH D")
    assert sheet_of(duel, "Froodal").ready
    assert sheet_of(duel, "Froodal").lines == ["LH P", "RH D"]


def test_ready_orders_may_be_replaced_until_the_turn_resolves(duel):
    duel.order("Froodal", "P/D")
    receipt = duel.order("Froodal", "F/F")
    assert (receipt.outcome, receipt.lines) == ("ready", ("LH F", "RH F"))


def test_new_orders_without_end_take_readiness_back(duel):
    duel.order("Froodal", "P/D")
    assert duel.order("Froodal", "LH S", ready=None).outcome == "kept"
    duel.order("Bung", "F/F")
    assert duel.battle.seq == 1


def test_the_same_orders_twice_are_the_same_as_once(duel):
    duel.order("Froodal", "LH P\nRH D\nEND", ready=None)
    again = duel.order("Froodal", "LH P\nRH D\nEND", ready=None)
    assert again.repeated
    assert again.outcome == "ready"
    assert OrderSheet.objects.filter(combatant=duel.combatant("Froodal")).count() == 1


def test_the_same_orders_after_their_turn_were_played_and_others_are_too_late(duel):
    key = duel.key()
    duel.turn("LH P\nRH D", "F/F")
    again = duel.order("Froodal", "LH P\nRH D", stage=key)
    assert (again.outcome, again.repeated, again.lines, again.key) == ("resolved", True, ("LH P", "RH D"), key)
    for name, text in (("Froodal", "LH D\nRH P"), ("Bung", "LH P\nRH D"), ("Froodal", "")):
        with pytest.raises(StaleOrders):
            duel.order(name, text, stage=key)
    assert not any(sheet_of(duel, name).lines for name in duel.names)


def test_repeating_orders_without_end_does_not_take_readiness_back(duel):
    duel.order("Froodal", "P/D")
    assert duel.order("Froodal", "P/D", ready=None).outcome == "ready"


def test_readiness_can_be_taken_back_with_the_orders_left_standing(duel):
    duel.order("Froodal", "P/D")
    receipt = duel.order("Froodal", "", ready=False)
    assert (receipt.outcome, receipt.lines) == ("kept", ("LH P", "RH D"))


def test_final_orders_cannot_be_changed_but_may_be_repeated(db):
    fight = start_fight(make_mage("Ayla"), make_mage("Bung"), orders_final=True)
    fight.order("Ayla", "P/D")
    assert fight.order("Ayla", "P/D").repeated
    with pytest.raises(OrdersFinal):
        fight.order("Ayla", "F/F")
    with pytest.raises(OrdersFinal):
        fight.order("Ayla", "", ready=False)
    assert sheet_of(fight, "Ayla").lines == ["LH P", "RH D"]


def test_saying_nothing_asks_for_the_status(duel):
    assert duel.order("Froodal", "", ready=None).outcome == "status"
    assert duel.order("Froodal", "END", ready=None).outcome == "status"
    assert sheet_of(duel, "Froodal").submitted_at is None


def test_orders_for_a_past_turn_change_nothing_and_name_the_current_turn(duel):
    first = duel.key()
    duel.turn("P/D", "F/F")
    with pytest.raises(StaleOrders) as caught:
        duel.order("Bung", "S/S", stage=first)
    assert caught.value.now.key == StageKey(2, 0, 0)
    assert "is over" in str(caught.value)
    assert f"turn {duel.battle.label}" in str(caught.value)
    assert sheet_of(duel, "Bung").lines == []


def test_the_last_orders_sent_twice_do_not_count_for_the_next_turn(duel):
    duel.order("Froodal", "P/D")
    stage = duel.key()
    receipts = [duel.order("Bung", "F/F", stage=stage) for _ in range(2)]
    assert [(each.outcome, each.repeated) for each in receipts] == [("resolved", False), ("resolved", True)]
    assert duel.battle.seq == 2 and not sheet_of(duel, "Bung").ready


def test_orders_for_a_turn_that_has_not_begun_are_refused(duel):
    with pytest.raises(StaleOrders):
        duel.order("Bung", "S/S", stage=StageKey(2, 0, 0))


def test_a_finished_battle_takes_no_orders(duel):
    duel.turn("P/P", "F/F")
    assert duel.battle.is_over
    with pytest.raises(StaleOrders, match="is over"):
        duel.order("Bung", "F/F")


def test_a_mage_who_surrendered_cannot_order(melee):
    melee.turn("P/P", "F/F", "W/W")
    with pytest.raises(NothingToOrder, match="Ayla has surrendered"):
        melee.order("Ayla", "F/F")
    assert melee.order("Ayla", "", ready=None).outcome == "status"


def test_orders_for_someone_elses_mage_are_rejected_in_the_same_words_as_for_a_mage_who_does_not_exist(duel):
    me = duel.user("Froodal")
    with pytest.raises(NotYourCombatant) as others:
        get_combatant_for_user(number=duel.number, user=me, mage_name="Bung")
    with pytest.raises(NotYourCombatant) as nobodys:
        get_combatant_for_user(number=duel.number, user=me, mage_name="Gung")
    assert str(others.value).replace("Bung", "Gung") == str(nobodys.value)


def test_a_stranger_has_no_mage_in_the_battle(duel):
    with pytest.raises(NotYourCombatant, match="no mage"):
        get_combatant_for_user(number=duel.number, user=make_user("Stranger"))


def test_a_user_with_two_mages_orders_the_one_the_battle_waits_for(practice):
    owner = practice.user("Lefty")
    practice.order("Lefty", "P/D")
    assert get_combatant_for_user(number=practice.number, user=owner).mage.name == "Righty"
    assert get_combatant_for_user(number=practice.number, user=owner, mage_name="lefty").mage.name == "Lefty"


def test_a_surrender_is_warned_of_and_taken(duel):
    receipt = duel.order("Froodal", "P/P")
    assert receipt.outcome == "ready"
    assert any(warning.severe for warning in receipt.warnings)


def test_say_is_refused_where_the_terms_take_it_away(db):
    fight = start_fight(make_mage("Ayla"), make_mage("Bung"), chat=False)
    with pytest.raises(IllegalOrders, match="SAY"):
        fight.order("Ayla", "P/D\nSAY Hello")


def test_ordering_keeps_the_mage_awake(duel):
    Mage.objects.update(last_active_at=NOW.replace(year=2030))
    duel.order("Froodal", "P/D")
    awake = Mage.objects.filter(last_active_at=NOW).values_list("name", flat=True)
    assert list(awake) == ["Froodal"]


class TestDrafts:
    def test_a_draft_is_kept_for_its_owner_and_counts_for_nothing(self, duel):
        save_draft(combatant=duel.combatant("Froodal"), text="P/D", stage=duel.key())
        duel.order("Bung", "F/F")
        assert duel.battle.seq == 1
        view = get_battle_for_viewer(number=duel.number, user=duel.user("Froodal"))
        assert view.draft == "P/D"
        assert view.sheet.lines() == ["LH P", "RH D"]

    def test_a_draft_leaves_ready_orders_ready(self, duel):
        duel.order("Froodal", "P/D")
        save_draft(combatant=duel.combatant("Froodal"), text="S/S", stage=duel.key())
        assert sheet_of(duel, "Froodal").ready
        assert sheet_of(duel, "Froodal").lines == ["LH P", "RH D"]

    def test_a_draft_from_another_page_is_not_taken_for_ready_orders(self, duel):
        duel.order("Froodal", "P/D")
        save_draft(combatant=duel.combatant("Froodal"), text="S/S", stage=duel.key())
        sealed = get_battle_for_viewer(number=duel.number, user=duel.user("Froodal"))
        assert sealed.sheet.lines() == ["LH P", "RH D"]
        opened = get_battle_for_viewer(number=duel.number, user=duel.user("Froodal"), changing=True)
        assert opened.sheet.lines() == ["LH S", "RH S"]

    def test_a_draft_may_be_any_text(self, duel):
        save_draft(combatant=duel.combatant("Froodal"), text="LH ??\n\x00 DANCE ü", stage=duel.key())
        view = get_battle_for_viewer(number=duel.number, user=duel.user("Froodal"))
        assert view.sheet.lines() == []

    def test_a_draft_for_a_turn_that_is_over_is_refused(self, duel):
        first = duel.key()
        duel.turn("P/D", "F/F")
        with pytest.raises(StaleOrders):
            save_draft(combatant=duel.combatant("Froodal"), text="S/S", stage=first)

    def test_sending_orders_ends_the_draft(self, duel):
        save_draft(combatant=duel.combatant("Froodal"), text="S/S", stage=duel.key())
        duel.order("Froodal", "P/D")
        assert get_battle_for_viewer(number=duel.number, user=duel.user("Froodal")).draft == ""


def list_targets(duel):
    view = get_battle_for_viewer(number=duel.number, user=duel.user("Froodal"))
    return [option.value for each in view.questions if each.id == "TARGET LH" for option in each.options]


def test_targets_are_creatures_of_hands_that_may_summon_and_those_already_ordered(duel):
    """FM-ORDMOVE-13: an order may name what any hand creates, but in turn 1 no hand can."""
    duel.order("Froodal", "LH >\nRH F", ready=None)
    assert list_targets(duel) == ["Froodal", "Bung", "nobody"]
    duel.turn("F/F", "S/-")
    duel.turn("F/F", "F/-")
    duel.order("Froodal", "LH >\nRH W\nTARGET LH BH:Bung", ready=None)
    assert list_targets(duel) == ["Froodal", "Bung", "LH:Bung", "BH:Bung", "nobody"]


def test_a_dead_mage_is_told_whom_the_battle_is_waiting_for(duel):
    error = NothingToOrder("Bung", describe_current_stage(duel.battle), "dead", ("Ann", "Bob", "Cid"))
    assert "The battle is waiting for Ann, Bob and Cid." in str(error)
