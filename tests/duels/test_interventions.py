"""Looking through a mage's eyes, ordering for him, annulling: each with its undo, and what is told of it."""

import pytest
from django.contrib.admin.models import LogEntry

from accounts.models import Engagement, Mage, Notice, User
from duels.errors import CannotIntervene, CannotUndo, NoJanitor, NotYourCombatant, ReasonMissing, StandsInBattle
from duels.models import Intervention, OrderSheet
from duels.selectors import get_battle_for_viewer, get_combatant_for_user
from duels.services.interventions import (
    annul_battle,
    enter_orders_for_mage,
    look_through_eyes,
    may_be_undone,
    undo_intervention,
)
from ladder.selectors import score_of
from rules_engine import InvalidOrders
from tests.duels.fights import NOW, make_mage, start_fight
from tests.duels.janitors import WHY, make_janitor, picture_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def janitor():
    return make_janitor()


def undo(entry, janitor):
    return undo_intervention(entry=entry, by=janitor, reason="a slip of mine", now=NOW)


def read_book(fight):
    return [(entry.kind, entry.by) for entry in get_battle_for_viewer(number=fight.number, user=None).book]


class TestLooking:
    def look(self, fight, janitor, mage="Bung", reason=WHY):
        return look_through_eyes(battle=fight.battle, mage=mage, by=janitor, reason=reason, now=NOW)

    def test_a_janitor_sees_the_orders_of_that_mage_and_of_nobody_else(self, duel, janitor):
        duel.order("Bung", "P/D")
        duel.order("Froodal", "S/W", ready=False)
        view = self.look(duel, janitor)
        assert view.me == "Bung" and view.sheet.lines() == ["LH P", "RH D"]
        assert "S" not in str(view.sheet.lines())
        assert view.viewer.mages == {"Bung"} and not view.viewer.sees_all

    def test_one_who_only_reads_sees_no_pending_orders(self, duel):
        duel.order("Bung", "P/D")
        view = self.look(duel, make_janitor("Rita", reads_only=True))
        assert view.sheet is None and view.viewer.mages == {"Bung"}

    def test_a_draft_is_the_players_alone(self, duel, janitor):
        OrderSheet.objects.update(draft="LH F")
        assert self.look(duel, janitor).sheet.lines() == []

    def test_players_learn_of_it_when_the_battle_is_over(self, duel, janitor):
        self.look(duel, janitor)
        assert read_book(duel) == []
        assert LogEntry.objects.filter(user=janitor, change_message__contains="through the eyes of Bung").count() == 1
        duel.turn("F/F", "P/P")
        assert read_book(duel) == [("looked", "Jane")]

    def test_every_look_is_entered(self, duel, janitor):
        for mage in ("Bung", "froodal", "Bung"):
            self.look(duel, janitor, mage)
        assert Intervention.objects.filter(kind="looked").count() == 3
        assert not Notice.objects.filter(kind="battle_intervened").exists()

    def test_nobody_looks_into_his_own_battle_or_without_a_reason(self, duel, janitor):
        mine = start_fight(make_mage("Merlyn", janitor), make_mage("Morgan"))
        with pytest.raises(StandsInBattle):
            self.look(mine, janitor, "Morgan")
        superuser = User.objects.create_superuser("Keeper", password="five-green-eels")
        own = start_fight(make_mage("Ulf", superuser), make_mage("Crom"))
        with pytest.raises(StandsInBattle):
            self.look(own, superuser, "Crom")
        with pytest.raises(ReasonMissing):
            self.look(duel, janitor, reason=" ")
        with pytest.raises(NoJanitor):
            self.look(duel, duel.user("Bung"))
        with pytest.raises(NotYourCombatant):
            self.look(duel, janitor, "Nobody_here")
        assert not Intervention.objects.exists()

    def test_there_is_nothing_to_undo(self, duel, janitor):
        self.look(duel, janitor)
        with pytest.raises(CannotUndo, match="nothing to undo"):
            undo(Intervention.objects.get(), janitor)


class TestOrdering:
    def order(self, fight, janitor, text="P/D", *, ready=True):
        combatant = get_combatant_for_user(number=fight.number, user=fight.user("Bung"))
        return enter_orders_for_mage(combatant=combatant, text=text, ready=ready, by=janitor, reason=WHY, now=NOW)

    def test_the_sheet_says_by_whom_and_the_book_not_what(self, duel, janitor):
        assert self.order(duel, janitor).outcome == "ready"
        sheet = OrderSheet.objects.get(combatant__mage__name="Bung")
        assert (sheet.via, sheet.lines) == ("janitor", ["LH P", "RH D"])
        (entry,) = get_battle_for_viewer(number=duel.number, user=None).book
        assert entry.text == "A janitor entered orders of Bung for turn 1."
        told = str(list(Notice.objects.values("facts"))) + str(list(LogEntry.objects.values()))
        assert "LH P" not in told and "RH D" not in told

    def test_undone_the_players_own_orders_are_back(self, duel, janitor):
        duel.order("Bung", "F/F", ready=False)
        rows = picture_rows()
        self.order(duel, janitor)
        entry = Intervention.objects.get()
        assert may_be_undone(entry=entry)
        undo(entry, janitor)
        assert picture_rows() == rows
        assert not may_be_undone(entry=Intervention.objects.get())

    def test_the_last_orders_play_the_turn_and_then_there_is_no_undo(self, duel, janitor):
        duel.order("Froodal", "S/W")
        assert self.order(duel, janitor).outcome == "resolved"
        entry = Intervention.objects.get()
        assert not may_be_undone(entry=entry)
        with pytest.raises(CannotUndo, match="take it back instead"):
            undo(entry, janitor)

    def test_the_same_rules_hold_and_nothing_is_entered_for_orders_that_break_them(self, duel, janitor):
        with pytest.raises(InvalidOrders):
            self.order(duel, janitor, "LH D\nRH D\nTARGET RH Nobody_here")
        assert not Intervention.objects.exists()

    def test_it_is_no_sign_of_the_player(self, duel, janitor):
        before = list(User.objects.order_by("pk").values("last_active_at"))
        self.order(duel, janitor)
        assert list(User.objects.order_by("pk").values("last_active_at")) == before


class TestAnnulling:
    def annul(self, fight, janitor):
        entry = annul_battle(battle=fight.battle, by=janitor, reason=WHY, now=NOW)
        fight.battle.refresh_from_db()
        return entry

    def test_a_battle_that_goes_on_stops_and_its_mages_are_free(self, duel, janitor):
        duel.turn("S/W", "P/-")
        duel.order("Bung", "P/D")
        rows = picture_rows()
        entry = self.annul(duel, janitor)
        assert duel.battle.status == "annulled"
        assert not Engagement.objects.exists()
        view = get_battle_for_viewer(number=duel.number, user=None)
        assert view.over and view.waiting_for == ()
        undo(entry, janitor)
        assert picture_rows() == rows
        assert duel.order("Froodal", "D/D").outcome == "resolved"

    def test_a_battle_that_has_ended_counts_for_nothing_and_its_dead_live(self, duel, janitor):
        for gesture in "PWPFSSSD":
            duel.turn(f"{gesture}/-", "-/-")
        duel.order("Froodal", "CHOOSE LH Finger of Death")
        rows = picture_rows()
        entry = self.annul(duel, janitor)
        assert score_of(duel.mages["Froodal"], "duel") == 0
        assert Mage.objects.get(name="Bung").died_at is None
        undo(entry, janitor)
        assert picture_rows() == rows

    def test_no_undo_once_one_who_lives_again_is_in_something_else(self, duel, janitor):
        duel.turn("F/F", "P/P")
        entry = self.annul(duel, janitor)
        start_fight(duel.mages["Bung"], make_mage("Cormac"))
        rows = picture_rows()
        with pytest.raises(CannotUndo, match="something else"):
            undo(entry, janitor)
        assert picture_rows() == rows

    def test_not_twice(self, duel, janitor):
        self.annul(duel, janitor)
        with pytest.raises(CannotIntervene, match="annulled already"):
            self.annul(duel, janitor)
