"""A janitor rewinds a battle: what counts, who is notified, what can be undone."""

from datetime import timedelta

import pytest

from accounts.errors import MageBusy
from accounts.models import Engagement, Mage
from duels.errors import StaleOrders
from duels.keys import StageKey
from duels.models import Battle, Deadline, Turn
from duels.selectors.absences import Consent
from duels.selectors.events import events_after
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.clocks.call_off import call_off_battle
from moderation.models import JournalEntry
from moderation.services.battles.ask_for_consent import answer_question, ask_for_consent
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.undo import undo_battle_entry
from notifications.models import Notice
from studies.selectors.records import get_record_after_end, get_story_for_anyone
from studies.services.replay_checks import replay_battle
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor, picture_rows
from tests.ladder.scores import score_of
from tests.refusals import refused
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)
ROUNDS = [("S/W", "P/-"), ("D/-", "W/W"), ("W/S", "-/F")]


@pytest.fixture
def fight(duel):
    duel.turns(ROUNDS)
    return duel


def rewind(fight, janitor, seq, **more):
    details = {"reason": WHY, "now": NOW, "without_consent": "both are away", **more}
    entry = rewind_battle(battle=fight.battle, seq=seq, by=janitor, **details)
    fight.battle.refresh_from_db()
    return entry


def undo(entry, janitor, reason="a slip of mine"):
    return undo_battle_entry(entry=entry, by=janitor, reason=reason, now=NOW)


def test_orders_of_a_turn_that_was_taken_back_do_not_count_as_played(fight, janitor):
    rewind(fight, janitor, 2)
    with pytest.raises(StaleOrders):
        fight.order("Froodal", "D/-", stage=StageKey(2, 0, 0))


def test_the_battle_is_where_it_was_before_the_turn_in_another_attempt(fight, janitor):
    before = Turn.objects.get(battle=fight.battle, seq=2).before
    rewind(fight, janitor, 2)
    assert fight.key() == StageKey(2, 1, 0)
    assert (fight.battle.label, fight.battle.state) == ("2", before)
    view = get_battle_for_viewer(number=fight.number, user=fight.user("Froodal"))
    assert [story.label for story in view.stories] == ["1"]
    assert view.waiting_for == ("Froodal", "Bung")
    assert view.view.columns == ("0", "1")


def test_undone_turns_stay_as_rows(fight, janitor):
    entry = rewind(fight, janitor, 2)
    taken = Turn.objects.filter(battle=fight.battle, taken_back_by=entry.number)
    assert [(turn.seq, turn.attempt) for turn in taken] == [(2, 0), (3, 0), (4, 0)]
    assert all(turn.events.exists() for turn in taken if turn.resolved_at)


def test_the_battle_continues_with_new_attempts(fight, janitor):
    rewind(fight, janitor, 2)
    fight.turns([("D/-", "-/-"), ("W/S", "-/F")])
    assert fight.key() == StageKey(4, 1, 0)
    assert [(turn.seq, turn.attempt) for turn in Turn.objects.filter(taken_back_by=None)] == [
        (1, 0), (2, 1), (3, 1), (4, 1),
    ]  # fmt: skip
    rewind(fight, janitor, 3)
    assert fight.key() == StageKey(3, 2, 0)


def test_orders_for_what_was_taken_back_come_too_late(fight, janitor):
    rewind(fight, janitor, 2)
    for seq in (2, 3, 4):
        with pytest.raises(StaleOrders):
            fight.order("Bung", "F/F", stage=StageKey(seq, 0, 0))


def test_numbers_of_events_are_not_given_twice(fight, janitor):
    bung = fight.user("Bung")
    last = events_after(battle=fight.battle, user=bung)[-1].number
    rewind(fight, janitor, 3)
    fight.turn("W/S", "-/F")
    new = events_after(battle=fight.battle, user=bung, n=last)
    assert {(each.seq, each.attempt) for each in new} == {(3, 1)}
    assert new[0].number == last + 1
    known = events_after(battle=fight.battle, user=bung)
    assert {(each.seq, each.attempt) for each in known} == {(1, 0), (2, 0), (3, 1)}


def test_the_story_the_page_and_the_record_know_the_attempt(fight, janitor):
    rewind(fight, janitor, 2)
    fight.turn("D/-", "-/-")
    assert replay_battle(battle=fight.battle, now=NOW) == ()
    story = get_story_for_anyone(number=fight.number)
    assert "Turns 2 to 4 were undone" in story and WHY in story
    view = get_battle_for_viewer(number=fight.number, user=None)
    assert [entry.kind for entry in view.journal] == ["rewound"]
    fight.turn("P/P", "F/F")
    record = get_record_after_end(number=fight.number)
    assert "turn 2 seq 2 attempt 1" in record and "turn 3 seq 3 attempt 1" in record


def test_players_and_followers_are_notified_once_of_the_open_turn(fight, janitor):
    entry = rewind(fight, janitor, 2)
    told = Notice.objects.filter(kind="battle_intervened")
    assert {notice.user.username for notice in told} == {"Froodal_user", "Bung_user"}
    assert all((notice.facts["seq"], notice.facts["attempt"]) == (2, 1) for notice in told)
    assert all(notice.facts["entry"] == entry.number for notice in told)


class TestConsent:
    def test_without_it_the_janitor_says_why(self, fight, janitor):
        with refused("no_answer", match="No answer from Froodal_user and Bung_user"):
            rewind(fight, janitor, 2, without_consent=" ")
        assert not JournalEntry.objects.exists()

    def test_when_all_agree_nothing_more_is_asked(self, fight, janitor):
        asked = ask_for_consent(battle=fight.battle, seq=2, by=janitor, reason=WHY, now=NOW)
        for name in ("Froodal", "Bung"):
            answer_question(battle=fight.battle, user=fight.user(name), number=asked.number, agrees=True, now=NOW)
        entry = rewind(fight, janitor, 2, without_consent="")
        assert entry.facts["agreed"] == ["Froodal_user", "Bung_user"]
        assert entry.facts["without_consent"] == ""

    def test_a_refusal_is_named_and_consent_to_another_turn_is_none(self, fight, janitor):
        asked = ask_for_consent(battle=fight.battle, seq=3, by=janitor, reason=WHY, now=NOW)
        answers = {"battle": fight.battle, "number": asked.number, "now": NOW}
        answer_question(user=fight.user("Froodal"), agrees=True, **answers)
        answer_question(user=fight.user("Bung"), agrees=False, **answers)
        with refused("said_no", match="Bung_user said no"):
            rewind(fight, janitor, 3, without_consent="")
        with refused("no_answer", match="No answer from"):
            rewind(fight, janitor, 2, without_consent="")

    def test_an_answer_may_change_until_the_turn_is_taken_back(self, fight, janitor):
        asked = ask_for_consent(battle=fight.battle, seq=3, by=janitor, reason=WHY, now=NOW)
        details = {"battle": fight.battle, "user": fight.user("Bung"), "number": asked.number, "now": NOW}
        assert answer_question(agrees=False, **details).agrees is False
        assert answer_question(agrees=True, **details).agrees is True
        rewind(fight, janitor, 3)
        with refused("not_asked"):
            answer_question(agrees=False, **details)

    def test_only_players_are_asked(self, fight, janitor):
        asked = ask_for_consent(battle=fight.battle, seq=3, by=janitor, reason=WHY, now=NOW)
        stranger = make_mage("Cormac").user
        with refused("not_asked"):
            answer_question(battle=fight.battle, user=stranger, number=asked.number, agrees=True, now=NOW)

    def test_a_withdrawn_question_is_not_asked(self, fight, janitor):
        asked = ask_for_consent(battle=fight.battle, seq=3, by=janitor, reason=WHY, now=NOW)
        rows = picture_rows()
        undo(asked, janitor)
        assert picture_rows() == rows
        assert get_battle_for_viewer(number=fight.number, user=fight.user("Bung")).question is None


class TestUndoing:
    @pytest.mark.parametrize("seq", [1, 3, 4])
    def test_every_row_is_what_it_was(self, fight, janitor, seq):
        fight.order("Bung", "P/P")
        rows = picture_rows()
        entry = rewind(fight, janitor, seq)
        assert picture_rows() != rows
        undo(entry, janitor)
        assert picture_rows() == rows
        assert [story.label for story in get_battle_for_viewer(number=fight.number, user=None).stories] == list("123")

    def test_a_stuck_battle_gets_stuck_again(self, fight, janitor):
        Battle.objects.filter(pk=fight.battle.pk).update(status="stuck", stuck_reference="ab12", stuck_release="old")
        Deadline.objects.all().delete()  # as for every battle that is stuck
        rows = picture_rows()
        entry = rewind(fight, janitor, 3)
        assert fight.battle.status == "running"
        undo(entry, janitor)
        assert picture_rows() == rows

    def test_it_is_over_once_something_is_ordered(self, fight, janitor):
        entry = rewind(fight, janitor, 2)
        fight.order("Bung", "P/P")
        rows = picture_rows()
        with refused("changed_since", match="orders have been sent"):
            undo(entry, janitor)
        assert picture_rows() == rows
        entry.refresh_from_db()
        assert not entry.is_undone

    def test_undoing_twice_happens_once_and_the_journal_says_so(self, fight, janitor):
        entry = rewind(fight, janitor, 2)
        undo(entry, janitor)
        undo(entry, janitor, "again")
        (read,) = get_battle_for_viewer(number=fight.number, user=None).journal
        assert (read.undone_by, read.undone_reason) == ("Jane", "a slip of mine")
        assert Notice.objects.filter(kind="battle_intervened", facts__undone=True).count() == 2

    def test_afterwards_the_battle_can_be_rewound_again(self, fight, janitor):
        undo(rewind(fight, janitor, 2), janitor)
        rewind(fight, janitor, 2)
        fight.turn("D/-", "-/-")
        assert fight.key().seq == 3


class TestAnEnd:
    def test_a_mage_who_surrendered_is_back_in_the_melee_with_the_point(self, melee, janitor):
        earlier = start_fight(make_mage("Dorn"), make_mage("Eel"), make_mage("Fay"))
        earlier.turn("F/F", "P/P", "P/P")
        dorn = earlier.mages["Dorn"]
        fight = start_fight(dorn, make_mage("Gil"), make_mage("Hob"))
        fight.turn("P/P", "F/F", "W/W")
        rows = picture_rows()
        entry = rewind(fight, janitor, 1)
        assert score_of(dorn, "melee") == 2
        assert get_battle_for_viewer(number=fight.number, user=None).waiting_for == ("Dorn", "Gil", "Hob")
        undo(entry, janitor)
        assert score_of(dorn, "melee") == 1
        assert picture_rows() == rows

    def test_a_mage_who_surrendered_earlier_stays_out(self, melee, janitor):
        melee.turn("P/P", "F/F", "W/W")
        melee.order("Borin", "F/F")
        melee.order("Cormac", "W/W")
        rewind(melee, janitor, 2)
        assert get_battle_for_viewer(number=melee.number, user=None).waiting_for == ("Borin", "Cormac")

    def test_a_finished_battle_continues_and_its_points_are_taken_back(self, fight, janitor):
        fight.turn("P/P", "F/F")
        assert score_of(fight.mages["Bung"], "duel") == 1
        rows = picture_rows()
        entry = rewind(fight, janitor, 4)
        assert (fight.battle.status, fight.battle.result, fight.battle.finished_at) == ("running", None, None)
        assert score_of(fight.mages["Bung"], "duel") == 0
        assert Engagement.objects.filter(number=fight.number).count() == 2
        undo(entry, janitor)
        assert picture_rows() == rows
        rewind(fight, janitor, 4)
        fight.turn("-/-", "-/-")
        fight.turn("P/P", "-/-")
        assert score_of(fight.mages["Bung"], "duel") == 1
        assert [turn.attempt for turn in Turn.objects.filter(taken_back_by=None, seq__gte=4)] == [1, 0]

    def test_dead_mages_live_again(self, duel, janitor):
        for gesture in "PWPFSSSD":
            duel.turn(f"{gesture}/-", "-/-")
        duel.order("Froodal", "CHOOSE LH Finger of Death")
        assert Mage.objects.get(name="Bung").died_at
        rows = picture_rows()
        entry = rewind(duel, janitor, 8)
        assert Mage.objects.get(name="Bung").died_at is None
        undo(entry, janitor)
        assert picture_rows() == rows

    def test_a_rewind_is_rejected_once_a_mage_has_begun_another_battle(self, fight, janitor):
        fight.turn("P/P", "F/F")
        start_fight(fight.mages["Bung"], make_mage("Cormac"))
        with pytest.raises(MageBusy, match="Bung"):
            rewind(fight, janitor, 4)

    def test_a_rewind_is_rejected_once_a_mage_has_fought_another_battle(self, fight, janitor):
        fight.turn("P/P", "F/F")
        start_fight(fight.mages["Bung"], make_mage("Cormac")).turn("P/P", "F/F")
        with refused("fought_since", match="Annul Duel"):
            rewind(fight, janitor, 4)


class TestWhoMay:
    @pytest.mark.parametrize("reason", ["", "  \n"])
    def test_nobody_without_a_reason(self, fight, janitor, reason):
        with refused("no_reason_for_journal"):
            rewind(fight, janitor, 2, reason=reason)

    def test_no_player_and_no_janitor_who_only_reads(self, fight):
        for code, person in (
            ("not_a_janitor", fight.user("Bung")),
            ("reads_only", make_janitor("Rita", reads_only=True)),
        ):
            with refused(code):
                rewind(fight, person, 2)

    def test_no_janitor_in_their_own_battle(self, janitor):
        fight = start_fight(make_mage("Merlyn", janitor), make_mage("Morgan"))
        with refused("plays_in_battle", match="Your mage Merlyn is in battle"):
            rewind(fight, janitor, 1)

    @pytest.mark.parametrize("seq", [0, 9])
    def test_a_rewind_to_an_unknown_turn_is_rejected(self, fight, janitor, seq):
        with refused("no_such_turn", match="no turn number"):
            rewind(fight, janitor, seq)


def test_afterwards_the_battle_can_be_called_off_like_any_other(fight, janitor, monkeypatch):
    rewind(fight, janitor, 2)
    alone = Consent(("Froodal",), has_agreed=False, agreed=(), missing=())
    monkeypatch.setattr("duels.services.clocks.call_off.read_call_off", lambda *_: alone)
    call_off_battle(combatant=fight.combatant("Bung"), now=NOW)
    fight.battle.refresh_from_db()
    assert fight.battle.result["reason"] == "called_off"
