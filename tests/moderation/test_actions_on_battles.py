"""Looking through a mage's eyes, ordering for them, annulling: each with its undo and its notices."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import TestCase

from accounts.models import Engagement, Mage, User
from accounts.services.vacations import end_vacation, start_vacation
from challenges.services.retire_mages import leave_site
from duels.errors import NotYourCombatant
from duels.models import Battle, ClockStop, Combatant, Deadline, MissedTurn, OrderSheet, Stage, TurnEvent
from duels.selectors.featured import find_battle_of_the_week
from duels.selectors.reliability import read_reliability, recall_reliability
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.pauses import ask_pause, resume_battle
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import submit_orders
from ladder.models import RatingEntry, Remembrance
from ladder.selectors.scores import find_disagreements
from ladder.services.rate_battles import rate_battles
from moderation.admin.battle_forms import ResultForm
from moderation.models import JournalEntry
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.change_clocks import excuse_turn, give_more_time, pause_for_janitor, resume_for_janitor
from moderation.services.battles.choose_battle import choose_battle_of_the_week
from moderation.services.battles.enter_orders import enter_orders_for_mage
from moderation.services.battles.look_into_battle import compare_replay, look_through_eyes
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.set_result import set_result
from moderation.services.battles.undo import may_be_undone, undo_battle_entry
from notifications.models import Hook, Notice
from rules_engine import InvalidOrders
from studies.selectors.records import get_record_after_end, get_story_for_anyone
from studies.services.replay_checks import replay_battle
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor, picture_rows
from tests.ladder.scores import score_of
from tests.refusals import refused
from tests.scenes import DAY, HOUR, NOW, make_mage

pytestmark = pytest.mark.django_db


def undo(entry, janitor):
    return undo_battle_entry(entry=entry, by=janitor, reason="a slip of mine", now=NOW)


def read_book(fight):
    return [(entry.kind, entry.by) for entry in get_battle_for_viewer(number=fight.number, user=None).journal]


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

    def test_a_read_only_janitor_sees_no_pending_orders(self, duel):
        duel.order("Bung", "P/D")
        view = self.look(duel, make_janitor("Rita", reads_only=True))
        assert view.sheet is None and view.viewer.mages == {"Bung"}

    def test_a_draft_is_the_players_alone(self, duel, janitor):
        OrderSheet.objects.update(draft="LH F")
        assert self.look(duel, janitor).sheet.lines() == []

    def test_players_are_notified_when_the_battle_is_over(self, duel, janitor):
        self.look(duel, janitor)
        assert read_book(duel) == []
        assert LogEntry.objects.filter(user=janitor, change_message__contains="through the eyes of Bung").count() == 1
        duel.turn("F/F", "P/P")
        assert read_book(duel) == [("looked", "Jane")]

    def test_every_look_is_entered(self, duel, janitor):
        for mage in ("Bung", "froodal", "Bung"):
            self.look(duel, janitor, mage)
        assert JournalEntry.objects.filter(kind="looked").count() == 3
        assert not Notice.objects.filter(kind="battle_intervened").exists()

    def test_no_janitor_looks_into_their_own_battle_or_without_a_reason(self, duel, janitor):
        mine = start_fight(make_mage("Merlyn", janitor), make_mage("Morgan"))
        with refused("plays_in_battle"):
            self.look(mine, janitor, "Morgan")
        superuser = User.objects.create_superuser("Keeper", password="five-green-eels")
        own = start_fight(make_mage("Ulf", superuser), make_mage("Crom"))
        with refused("plays_in_battle"):
            self.look(own, superuser, "Crom")
        with refused("no_reason_for_journal"):
            self.look(duel, janitor, reason=" ")
        with refused("not_a_janitor"):
            self.look(duel, duel.user("Bung"))
        with pytest.raises(NotYourCombatant):
            self.look(duel, janitor, "Nobody_here")
        assert not JournalEntry.objects.exists()

    def test_there_is_nothing_to_undo(self, duel, janitor):
        self.look(duel, janitor)
        with refused("changed_nothing", match="nothing to undo"):
            undo(JournalEntry.objects.get(), janitor)


class TestOrdering:
    def order(self, fight, janitor, text="P/D", *, ready=True):
        combatant = get_combatant_for_user(number=fight.number, user=fight.user("Bung"))
        return enter_orders_for_mage(combatant=combatant, text=text, ready=ready, by=janitor, reason=WHY, now=NOW)

    def test_the_sheet_names_the_janitor_and_the_journal_hides_the_orders(self, duel, janitor):
        assert self.order(duel, janitor).outcome == "ready"
        sheet = OrderSheet.objects.get(combatant__mage__name="Bung")
        assert (sheet.via, sheet.lines) == ("janitor", ["LH P", "RH D"])
        (entry,) = get_battle_for_viewer(number=duel.number, user=None).journal
        assert entry.text == "A janitor entered orders for Bung for turn 1."
        told = str(list(Notice.objects.values("facts"))) + str(list(LogEntry.objects.values()))
        assert "LH P" not in told and "RH D" not in told

    def test_undone_the_players_own_orders_are_back(self, duel, janitor):
        duel.order("Bung", "F/F", ready=False)
        rows = picture_rows()
        self.order(duel, janitor)
        entry = JournalEntry.objects.get()
        assert may_be_undone(entry=entry, now=NOW)
        undo(entry, janitor)
        assert picture_rows() == rows
        assert not may_be_undone(entry=JournalEntry.objects.get(), now=NOW)

    def test_the_last_orders_play_the_turn_and_then_there_is_no_undo(self, duel, janitor):
        duel.order("Froodal", "S/W")
        assert self.order(duel, janitor).outcome == "resolved"
        entry = JournalEntry.objects.get()
        assert not may_be_undone(entry=entry, now=NOW)
        with refused("changed_since", match="rewind it instead"):
            undo(entry, janitor)

    def test_the_same_rules_hold_and_nothing_is_entered_for_orders_that_break_them(self, duel, janitor):
        with pytest.raises(InvalidOrders):
            self.order(duel, janitor, "LH D\nRH D\nTARGET RH Nobody_here")
        assert not JournalEntry.objects.exists()

    def test_it_does_not_count_as_the_players_activity(self, duel, janitor):
        before = list(User.objects.order_by("pk").values("last_active_at"))
        self.order(duel, janitor)
        assert list(User.objects.order_by("pk").values("last_active_at")) == before


class TestAnnulling:
    def annul(self, fight, janitor):
        entry = annul_battle(battle=fight.battle, by=janitor, reason=WHY, now=NOW)
        fight.battle.refresh_from_db()
        return entry

    def test_a_running_battle_stops_and_its_mages_are_free(self, duel, janitor):
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

    def test_no_undo_once_a_restored_mage_is_busy(self, duel, janitor):
        duel.turn("F/F", "P/P")
        entry = self.annul(duel, janitor)
        start_fight(duel.mages["Bung"], make_mage("Cormac"))
        rows = picture_rows()
        with refused("changed_since", match="joined another battle"):
            undo(entry, janitor)
        assert picture_rows() == rows

    def test_a_mage_whose_user_has_left_does_not_come_back(self, duel, janitor):
        set_result(battle=duel.battle, winners=["Froodal"], dead=["Bung"], by=janitor, reason=WHY, now=NOW)
        leave_site(user=duel.user("Bung"), now=NOW + HOUR)
        rows = picture_rows()
        entry = self.annul(duel, janitor)
        bung = Mage.objects.get(name="Bung")
        assert not bung.is_alive and bung.has_left and not Remembrance.objects.exists()
        undo(entry, janitor)
        assert picture_rows() == rows and Remembrance.objects.filter(mage=bung).exists()

    def test_turns_that_count_no_more_are_neither_asked_nor_missed(self, duel, janitor):
        bung = duel.user("Bung")
        duel.turn("S/W", "P/-")
        stage = Stage.objects.order_by("pk").first()
        MissedTurn.objects.create(combatant=duel.combatant("Bung"), user=bung, stage=stage, missed_at=NOW)

        def read():
            return [(each[bung.pk].asked, each[bung.pk].missed) for each in (
                read_reliability([bung.pk]), recall_reliability([bung.pk]))]  # fmt: skip

        assert read() == [(2, 1)] * 2
        for act, count in ((self.annul, 0), (ACTIONS["rewind"], 1)):
            details = {"by": janitor, "reason": WHY, "now": NOW}
            with TestCase.captureOnCommitCallbacks(execute=True):
                entry = self.annul(duel, janitor) if act == self.annul else act(duel, **details)
            assert read() == [(count, 0)] * 2
            with TestCase.captureOnCommitCallbacks(execute=True):
                undo(entry, janitor)
            assert read() == [(2, 1)] * 2

    def test_not_twice(self, duel, janitor):
        self.annul(duel, janitor)
        with refused("already_annulled", match="already annulled"):
            self.annul(duel, janitor)


class TestBattleOfTheWeek:
    def choose(self, fight, janitor, now=NOW):
        return choose_battle_of_the_week(battle=fight.battle, by=janitor, reason=WHY, now=now)

    def test_it_is_a_janitors_choice_for_a_week_before_the_most_watched(self, duel, janitor):
        watched = start_fight(make_mage("Ayla"), make_mage("Crom"))
        for fight in (duel, watched):
            fight.turn("P/P", "W/F")
        Battle.objects.filter(pk=watched.battle.pk).update(most_spectators=9)
        assert find_battle_of_the_week(now=NOW) == watched.number
        entry = self.choose(duel, janitor)
        assert read_book(duel) == [("chosen", janitor.username)]
        assert find_battle_of_the_week(now=NOW + timedelta(days=7)) == duel.number
        assert find_battle_of_the_week(now=NOW + timedelta(days=8)) == watched.number
        undo(entry, janitor)
        assert find_battle_of_the_week(now=NOW) == watched.number

    def test_the_last_choice_counts(self, duel, janitor):
        other = start_fight(make_mage("Ayla"), make_mage("Crom"))
        for fight in (duel, other):
            fight.turn("P/P", "W/F")
        self.choose(other, janitor)
        self.choose(duel, janitor, now=NOW + timedelta(hours=1))
        assert find_battle_of_the_week(now=NOW + timedelta(hours=2)) == duel.number

    def test_only_a_battle_with_a_result_can_be_chosen(self, duel, janitor):
        with refused("no_result_yet", match="has no result"):
            self.choose(duel, janitor)

    def test_nobody_chooses_their_own(self, duel):
        with refused("not_a_janitor"):
            self.choose(duel, duel.user("Bung"))


class TestDeciding:
    def decide(self, fight, janitor, winners=("Bung",), dead=()):
        entry = set_result(battle=fight.battle, winners=winners, dead=dead, by=janitor, reason=WHY, now=NOW)
        fight.battle.refresh_from_db()
        return entry

    @pytest.mark.parametrize(("winners", "dead"), [(["Bung"], []), (["Bung"], ["Froodal"]), ([], [])])
    def test_a_running_battle_ends_and_resumes_when_it_is_undone(self, duel, janitor, winners, dead):
        duel.turn("S/W", "P/-")
        rows = picture_rows()
        entry = self.decide(duel, janitor, winners, dead)
        assert (duel.battle.status, duel.battle.result["winners"]) == ("finished", winners)
        assert score_of(duel.mages["Bung"], "duel") == len(winners)
        assert (Mage.objects.get(name="Froodal").died_at is not None) == bool(dead)
        undo(entry, janitor)
        assert picture_rows() == rows

    def test_the_real_end_is_told_if_the_janitors_was_undone_in_the_same_turn(self, duel, janitor):
        Hook.objects.create(user=janitor, scope="site", format="discord", name="x", events=["ends"], created_at=NOW)
        undo(self.decide(duel, janitor), janitor)
        for player, orders in (("Froodal", "P/P"), ("Bung", "W/S")):
            submit_orders(
                combatant=duel.combatant(player),
                text="LH {}\nRH {}".format(*orders.split("/")),
                via="web",
                ready=True,
                confirmed=True,
                now=NOW + timedelta(minutes=1),
            )
        duel.battle.refresh_from_db()
        assert duel.battle.is_over
        for kind, count in (("battle_finished", 4), ("own_result", 4), ("open_end", 2)):
            assert Notice.objects.filter(kind=kind).count() == count, kind
        news = Notice.objects.filter(kind="own_result").exclude(news="")
        assert {each.created_at for each in news} == {duel.battle.finished_at}

    def test_a_battle_that_has_ended_gets_another_result_and_its_own_back(self, duel, janitor):
        for gesture in "PWPFSSSD":
            duel.turn(f"{gesture}/-", "-/-")
        duel.order("Froodal", "CHOOSE LH Finger of Death")
        rows = picture_rows()
        entry = self.decide(duel, janitor, ["Bung"], [])
        assert (score_of(duel.mages["Froodal"], "duel"), score_of(duel.mages["Bung"], "duel")) == (0, 1)
        assert Mage.objects.get(name="Bung").died_at is None
        undo(entry, janitor)
        assert picture_rows() == rows

    def test_a_result_set_for_a_battle_that_was_called_off_counts_like_any_other(self, duel, janitor):
        start = {mage: score_of(mage, "duel") for mage in duel.mages.values()}
        duel.order("Froodal", "W/S")
        call_off_battle(combatant=duel.combatant("Froodal"), now=NOW + timedelta(days=1))
        rate_battles(kind="duel")
        rows = picture_rows()
        entry = self.decide(duel, janitor, ["Froodal"], ["Bung"])
        assert {mage.name: score_of(mage, "duel") - was for mage, was in start.items()} == {"Froodal": 1, "Bung": 0}
        assert Mage.objects.get(name="Bung").died_at == duel.battle.finished_at
        assert list(find_disagreements()) == []
        rate_battles(kind="duel")
        assert RatingEntry.objects.filter(battle=duel.number).count() == 2
        undo(entry, janitor)
        rate_battles(kind="duel")
        assert picture_rows() == rows and not RatingEntry.objects.exists()

    def test_another_battle_that_has_ended_since_is_in_the_way_of_no_undoing(self, duel, janitor):
        self.decide(duel, janitor)
        other = start_fight(duel.mages["Froodal"], make_mage("Crom"))
        entry = self.decide(duel, janitor, ["Froodal"])
        assert may_be_undone(entry=entry, now=NOW)
        self.decide(other, janitor, ["Crom"])
        third = start_fight(duel.mages["Froodal"], make_mage("Dorn"))
        with refused("changed_since", match="joined another battle"):
            undo(entry, janitor)
        self.decide(third, janitor, ["Dorn"])
        undo(entry, janitor)
        duel.battle.refresh_from_db()
        assert duel.battle.result["winners"] == ["Bung"]

    def test_no_battle_continues_with_a_mage_whose_user_has_left(self, duel, janitor):
        duel.turn("S/W", "P/-")
        entry = self.decide(duel, janitor, ["Froodal"], ["Bung"])
        leave_site(user=duel.user("Bung"), now=NOW + HOUR)
        assert not may_be_undone(entry=entry, now=NOW)
        with refused("changed_since", match="account behind Bung is closed"):
            undo(entry, janitor)
        with refused("user_left", match="Bung is closed"):
            ACTIONS["rewind"](duel, by=janitor, reason=WHY, now=NOW)

    def test_a_mage_who_never_moved_in_a_melee_gets_no_other_result_after_its_end(self, melee, janitor):
        absent = melee.names[-1]
        Combatant.objects.filter(battle=melee.battle, mage__name=absent).update(standing="absent")
        self.decide(melee, janitor, melee.names[:1])
        for winners, dead in (([absent], []), (melee.names[:1], [absent])):
            with refused("never_moved", match=f"{absent} left Melee"):
                self.decide(melee, janitor, winners, dead)
        form = ResultForm(about=melee.battle)
        assert absent not in dict(form.fields["dead"].choices) and absent in form.fields["dead"].help_text

    def test_a_mage_who_surrendered_before_keeps_the_penalty(self, melee, janitor):
        earlier = start_fight(make_mage("Dorn"), make_mage("Eel"), make_mage("Fay"))
        earlier.turn("F/F", "P/P", "P/P")
        fight = start_fight(earlier.mages["Dorn"], make_mage("Gil"), make_mage("Hob"))
        fight.turn("P/P", "F/F", "W/W")
        rows = picture_rows()
        entry = self.decide(fight, janitor, ["Gil"])
        assert score_of(earlier.mages["Dorn"], "melee") == 1
        undo(entry, janitor)
        assert picture_rows() == rows

    @pytest.mark.parametrize(
        ("winners", "dead", "code", "why"),
        [(["Nobody_here"], [], "strangers", "Not in Duel"), (["Bung"], ["Bung"], "dead_winner", "cannot win")],
    )
    def test_an_impossible_outcome_is_rejected(self, duel, janitor, winners, dead, code, why):
        with refused(code, match=why):
            self.decide(duel, janitor, winners, dead)
        assert not duel.battle.is_over

    def test_an_annulled_battle_has_no_result_to_set(self, duel, janitor):
        annul_battle(battle=duel.battle, by=janitor, reason=WHY, now=NOW)
        with refused("annulled", match="annulled"):
            self.decide(duel, janitor)

    def test_decisions_are_replayed_and_recorded(self, duel, janitor):
        duel.turn("S/W", "P/-")
        self.decide(duel, janitor)
        assert replay_battle(battle=duel.battle, now=NOW) == ()
        assert "decided" in get_record_after_end(number=duel.number)
        assert "The result was set: Bung won." in get_story_for_anyone(number=duel.number)


class TestComparing:
    def test_the_journal_says_that_a_replay_is_the_same(self, duel, janitor):
        duel.turn("S/W", "P/-")
        rows = picture_rows()
        compare_replay(battle=duel.battle, by=janitor, reason=WHY, now=NOW)
        (entry,) = get_battle_for_viewer(number=duel.number, user=None).journal
        assert entry.text.endswith("every turn has the same outcome.")
        assert picture_rows() == rows
        with refused("changed_nothing", match="nothing to undo"):
            undo(JournalEntry.objects.get(), janitor)

    def test_a_comparison_says_from_which_turn_on_the_replay_differs(self, duel, janitor):
        duel.turn("S/W", "P/-")
        TurnEvent.objects.filter(battle=duel.battle).first().delete()
        compare_replay(battle=duel.battle, by=janitor, reason=WHY, now=NOW)
        (entry,) = get_battle_for_viewer(number=duel.number, user=None).journal
        assert entry.text.endswith("turn 1 has a different outcome.")


class TestKeepingTime:
    def test_more_time_comes_and_goes(self, duel, janitor):
        rows = picture_rows()
        ends = Deadline.objects.get(combatant__mage__name="Bung").ends_at
        combatant = get_combatant_for_user(number=duel.number, user=duel.user("Bung"))
        entry = give_more_time(combatant=combatant, hours=48, by=janitor, reason=WHY, now=NOW)
        assert Deadline.objects.get(combatant__mage__name="Bung").ends_at == ends + timedelta(hours=48)
        undo(entry, janitor)
        assert picture_rows() == rows

    def test_only_for_mages_who_owe_orders_and_no_undo_after_orders(self, duel, janitor):
        combatant = get_combatant_for_user(number=duel.number, user=duel.user("Bung"))
        entry = give_more_time(combatant=combatant, hours=48, by=janitor, reason=WHY, now=NOW)
        duel.order("Bung", "P/D")
        with refused("changed_since", match="has sent orders since"):
            undo(entry, janitor)
        with refused("nothing_to_extend", match="is not waiting for Bung"):
            give_more_time(combatant=combatant, hours=48, by=janitor, reason=WHY, now=NOW)

    def test_a_pause_and_its_end_are_undone(self, duel, janitor):
        rows = picture_rows()
        paused = pause_for_janitor(battle=duel.battle, by=janitor, reason=WHY, now=NOW)
        assert not Deadline.objects.filter(running_since__isnull=False).exists()
        with refused("already_paused", match="already paused"):
            pause_for_janitor(battle=duel.battle, by=janitor, reason=WHY, now=NOW)
        while_paused = picture_rows()
        resumed = resume_for_janitor(battle=duel.battle, by=janitor, reason=WHY, now=NOW)
        with refused("changed_since", match="pause"):
            undo(paused, janitor)
        undo(resumed, janitor)
        assert picture_rows() == while_paused
        undo(paused, janitor)
        assert picture_rows() == rows
        with refused("not_paused", match="not paused"):
            resume_for_janitor(battle=duel.battle, by=janitor, reason=WHY, now=NOW)

    def test_an_excuse_is_taken_back(self, duel, janitor):
        combatant = get_combatant_for_user(number=duel.number, user=duel.user("Bung"))
        missed = MissedTurn.objects.create(
            combatant=combatant, user=duel.user("Bung"), stage=Stage.objects.get(), missed_at=NOW
        )
        rows = picture_rows()
        entry = excuse_turn(missed=missed, by=janitor, reason=WHY, now=NOW)
        missed.refresh_from_db()
        assert missed.excuse == WHY
        undo(entry, janitor)
        assert picture_rows() == rows

    def test_time_between_an_action_and_its_undoing_counts_for_nobody(self, duel, janitor):
        def left(name="Bung"):
            return Deadline.objects.get(combatant__mage__name=name).ends_at

        ends, later = left(), NOW + timedelta(days=5)
        entry = annul_battle(battle=duel.battle, by=janitor, reason=WHY, now=NOW)
        undo_battle_entry(entry=entry, by=janitor, reason="a slip", now=later)
        assert left() == ends + timedelta(days=5)


ACTIONS = {
    "extend": lambda fight, **details: give_more_time(combatant=fight.combatant("Bung"), hours=24, **details),
    "order": lambda fight, **details: (
        enter_orders_for_mage(combatant=fight.combatant("Bung"), text="P/D", ready=True, **details)
        and JournalEntry.objects.latest("pk")
    ),
    "rewind": lambda fight, **details: rewind_battle(battle=fight.battle, seq=1, without_consent=WHY, **details),
    "annul": lambda fight, **details: annul_battle(battle=fight.battle, **details),
    "decide": lambda fight, **details: set_result(battle=fight.battle, winners=["Bung"], dead=[], **details),
}


def pause(fight, now):
    for name in fight.names:
        ask_pause(combatant=fight.combatant(name), days=20, now=now)
    return lambda later: resume_battle(battle=fight.battle, now=later)


def leave(fight, now):
    start_vacation(user=fight.user("Bung"), days=20, now=now)
    sweep_deadlines(now=now)

    def come_back(later):
        end_vacation(user=fight.user("Bung"), now=later)
        sweep_deadlines(now=later)

    return come_back


class TestClocksAfterAnUndoing:
    """Exactly those clocks run that nothing stops, and nobody loses the time from the action to its undoing."""

    def undo(self, entry, janitor, now):
        undo_battle_entry(entry=entry, by=janitor, reason="a slip", now=now)

    def check(self, now, *, used):
        """`used` is that of the clock which the action changed."""
        sweep_deadlines(now=now)
        stops = list(ClockStop.objects.filter(ended_at=None))
        rows = list(Deadline.objects.order_by("pk"))
        assert [row.is_stopped for row in rows] == [
            any(stop.concerns(row.combatant_id) for stop in stops) for row in rows
        ]
        assert Deadline.objects.get(combatant__mage__name="Bung").clock.used_at(now) == used
        assert len(rows) == 2

    @pytest.mark.parametrize(
        ("action", "stop"),
        [
            ("extend", pause),
            ("extend", leave),
            ("order", pause),
            ("rewind", pause),
            ("annul", leave),
            ("decide", leave),
        ],
    )
    def test_what_stopped_them_before_it_has_ended_since(self, duel, janitor, action, stop):
        end = stop(duel, NOW + HOUR)
        entry = ACTIONS[action](duel, by=janitor, reason=WHY, now=NOW + 2 * HOUR)
        end(NOW + DAY)
        self.undo(entry, janitor, NOW + 3 * DAY)
        self.check(NOW + 3 * DAY + HOUR, used=2 * HOUR)

    @pytest.mark.parametrize(("action", "stop"), [("rewind", pause), ("annul", leave), ("decide", pause)])
    def test_what_stopped_them_before_it_still_does(self, duel, janitor, action, stop):
        stop(duel, NOW + HOUR)
        entry = ACTIONS[action](duel, by=janitor, reason=WHY, now=NOW + 2 * HOUR)
        self.undo(entry, janitor, NOW + 3 * DAY)
        self.check(NOW + 4 * DAY, used=HOUR)

    @pytest.mark.parametrize(("action", "stop"), [("extend", pause), ("order", leave), ("rewind", pause)])
    def test_something_has_stopped_them_since(self, duel, janitor, action, stop):
        entry = ACTIONS[action](duel, by=janitor, reason=WHY, now=NOW + HOUR)
        stop(duel, NOW + 2 * HOUR)
        self.undo(entry, janitor, NOW + 3 * HOUR)
        self.check(NOW + 9 * DAY, used=HOUR)

    @pytest.mark.parametrize("action", ["annul", "decide"])
    def test_a_pause_whose_end_was_planned_in_between(self, duel, janitor, action):
        pause(duel, NOW)
        entry = ACTIONS[action](duel, by=janitor, reason=WHY, now=NOW + HOUR)
        self.undo(entry, janitor, NOW + 40 * DAY)
        self.check(NOW + 40 * DAY + HOUR, used=HOUR)

    def test_an_early_resume_undone_after_the_planned_end_of_the_pause(self, duel, janitor):
        pause(duel, NOW)
        entry = resume_for_janitor(battle=duel.battle, by=janitor, reason=WHY, now=NOW + 19 * DAY)
        self.undo(entry, janitor, NOW + 22 * DAY)
        self.check(NOW + 23 * DAY, used=4 * DAY)
