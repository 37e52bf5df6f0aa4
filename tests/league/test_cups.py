"""Cups: made by schedule, joined and left, cancelled or begun once."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from accounts.services.mages import kill_mage
from accounts.services.ties import block_user
from duels.models import Battle
from duels.services.clocks.deadlines import process_deadlines
from league.errors import CupRefused
from league.models import Cup, Pairing, Place
from league.services.cup_places import join_cup, leave_cup
from league.services.run_cups import advance_cup, make_next_cups, process_cups
from moderation.services.battles.set_result import set_result
from notifications.models import Notice
from operations.models import SitePolicy
from tests.bots import bring_bots
from tests.duels.janitors import make_janitor
from tests.league.cups import DAY, begin, enter, find_game, find_place, finish, list_boards, make_cup, order, user_of
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db
EIGHT = ("Ayla", "Borin", "Cade", "Dain", "Esme", "Finn", "Gala", "Hild")


def list_told(kind: str) -> list[str]:
    return sorted(Notice.objects.filter(kind=kind).values_list("facts__mage", flat=True))


class TestSchedule:
    def test_there_is_always_one_cup_of_each_kind_to_join_and_never_two(self):
        now = datetime(2026, 11, 28, 12, tzinfo=UTC)
        assert make_next_cups(now=now) == 3
        assert make_next_cups(now=now) == make_next_cups(now=now + DAY) == 0
        assert sorted(Cup.objects.values_list("key", flat=True)) == [
            "2026-12",
            "evening-2026-12-13",
            "robin-2026-12-05",
        ]
        begins = Cup.objects.get(key="2026-12").begins_at
        process_cups(now=begins - DAY)  # cancelled: nobody has joined
        process_cups(now=begins)
        assert Cup.objects.get(key="2026-12").cancelled_at == begins - DAY
        assert Cup.objects.filter(key="2027-01", cancelled_at=None).count() == 1

    def test_a_cup_with_five_entrants_is_cancelled_the_day_before_and_they_are_told(self):
        cup = make_cup()
        enter(cup, *EIGHT[:5])
        assert not advance_cup(cup_id=cup.pk, now=cup.begins_at - DAY - timedelta(seconds=1))
        assert advance_cup(cup_id=cup.pk, now=cup.begins_at - DAY)
        assert not advance_cup(cup_id=cup.pk, now=cup.begins_at)
        cup.refresh_from_db()
        assert cup.is_cancelled
        assert list_told("cup_cancelled") == sorted(EIGHT[:5])
        assert not Battle.objects.exists()

    def test_a_cup_that_was_confirmed_takes_place_though_one_withdraws(self):
        cup = make_cup()
        enter(cup, *EIGHT[:6])
        advance_cup(cup_id=cup.pk, now=cup.begins_at - DAY)
        assert list_told("cup_confirmed") == sorted(EIGHT[:6])
        leave_cup(user=user_of("Finn"), cup_id=cup.pk, now=cup.begins_at - DAY)
        cup = begin(cup)
        assert cup.size == 8
        assert list_boards(cup, 1) == [("Ayla",), ("Dain", "Esme"), ("Borin",), ("Cade",)]
        assert list_boards(cup, 2) == [("Borin", "Cade")], "they need not wait for the others"


class TestPlaces:
    def test_a_place_is_taken_once_and_joining_again_names_another_mage(self):
        cup = make_cup()
        ayla = enter(cup, "Ayla")["Ayla"]
        second = make_mage("Aldous", user=ayla.user)
        join_cup(user=ayla.user, cup_id=cup.pk, mage=second, now=NOW)
        assert list(Place.objects.values_list("mage__name", flat=True)) == ["Aldous"]
        leave_cup(user=ayla.user, cup_id=cup.pk, now=NOW)
        with pytest.raises(CupRefused, match="not in this cup"):
            leave_cup(user=ayla.user, cup_id=cup.pk, now=NOW)

    def test_who_may_not_join(self):
        cup = make_cup(size=1)
        mage, other, dead = make_mage("Ayla"), make_mage("Borin"), make_mage("Cade")
        kill_mage(mage=dead, now=NOW)
        for user, named, why in (
            (mage.user, other, "Borin is not your mage"),
            (dead.user, dead, "Cade is out of play"),
        ):
            with pytest.raises(CupRefused, match=why):
                join_cup(user=user, cup_id=cup.pk, mage=named, now=NOW)
        join_cup(user=mage.user, cup_id=cup.pk, mage=mage, now=NOW)
        with pytest.raises(CupRefused, match="All places"):
            join_cup(user=other.user, cup_id=cup.pk, mage=other, now=NOW)
        with pytest.raises(CupRefused, match="has begun"):
            join_cup(user=other.user, cup_id=cup.pk, mage=other, now=cup.begins_at)


class TestKnockout:
    def test_with_an_absentee_two_draws_and_a_late_double_worker_it_has_its_winner(self):
        """Eight mages: Hild never answers, Dain and Esme draw twice, and the rest is decided by duels."""
        cup = make_cup()
        enter(cup, *EIGHT)
        cup = begin(cup)
        advance_cup(cup_id=cup.pk, now=cup.begins_at)
        assert list_boards(cup, 1) == [("Ayla", "Hild"), ("Dain", "Esme"), ("Borin", "Gala"), ("Cade", "Finn")]
        assert Battle.objects.count() == 4, "each once"
        now = cup.begins_at
        absent_to(cup, "Hild", "Ayla", now)
        finish(cup, None, "Dain", "Esme", now=now + DAY)
        finish(cup, "Gala", "Borin", "Gala", now=now + DAY)
        now += 3 * DAY
        advance_cup(cup_id=cup.pk, now=now)
        assert find_game(cup, "Ayla", "Hild").decided_by == Pairing.DecidedBy.FORFEIT
        assert find_game(cup, "Dain", "Esme").game == 2, "they meet again"
        finish(cup, None, "Dain", "Esme", now=now + DAY)
        advance_cup(cup_id=cup.pk, now=now + DAY)
        advance_cup(cup_id=cup.pk, now=now + DAY)
        assert list_boards(cup, 2) == [("Ayla", "Dain")], "the higher seed goes on, while another board still runs"
        finish(cup, "Cade", "Cade", "Finn", now=now + 2 * DAY)
        finish(cup, "Dain", "Ayla", "Dain", now=now + 2 * DAY)
        advance_cup(cup_id=cup.pk, now=now + 2 * DAY)
        assert list_boards(cup, 2) == [("Ayla", "Dain"), ("Cade", "Gala")]
        finish(cup, "Gala", "Cade", "Gala", now=now + 3 * DAY)
        advance_cup(cup_id=cup.pk, now=now + 3 * DAY)
        finish(cup, "Gala", "Dain", "Gala", now=now + 4 * DAY)
        assert advance_cup(cup_id=cup.pk, now=now + 4 * DAY)
        assert not advance_cup(cup_id=cup.pk, now=now + 5 * DAY)
        cup.refresh_from_db()
        assert cup.closed_at == now + 4 * DAY
        ranks = dict(cup.places.values_list("mage__name", "rank"))
        assert ranks == {"Gala": 1, "Dain": 2, "Ayla": 3, "Cade": 3, "Borin": 5, "Esme": 5, "Finn": 5, "Hild": 5}
        assert Battle.objects.count() == 8
        assert list_told("cup_out") == ["Ayla", "Borin", "Cade", "Esme", "Finn", "Hild"]
        assert list_told("cup_through") == ["Ayla", "Cade", "Dain", "Dain", "Gala", "Gala"]
        assert list_told("cup_over") == ["Dain", "Gala"]

    def test_bots_fill_free_places_if_the_schedule_says_so_but_do_not_count_among_the_six(self):
        bring_bots(now=NOW)
        policy = {"knockout_bots": 3, "set_by": make_janitor(), "set_at": NOW, "why": "Fewer byes"}
        SitePolicy.objects.create(**policy)
        make_next_cups(now=NOW)
        assert set(Cup.objects.values_list("kind", "has_bots")) == {
            ("knockout", True),
            ("evening", False),
            ("round-robin", False),
        }
        cup = Cup.objects.get(kind="knockout")
        enter(cup, *EIGHT[:6])
        assert [len(board) for board in list_boards(begin(cup), 1)] == [2, 2, 2, 2]
        assert cup.places.filter(user__is_bot=True).count() == 2
        few = make_cup(key="few", has_bots=True)
        enter(few, "Ida", "Jon", "Kay", "Lil", "Max")
        assert begin(few).is_cancelled

    def test_who_leaves_loses_and_a_board_that_nobody_wins_is_a_bye(self):
        cup = make_cup()
        enter(cup, *EIGHT[:7])
        cup = begin(cup)
        leave_cup(user=user_of("Dain"), cup_id=cup.pk, now=cup.begins_at)
        assert find_game(cup, "Dain").decided_by == Pairing.DecidedBy.LEFT
        battle = find_game(cup, "Dain").battle
        battle.refresh_from_db()
        assert (battle.result["winners"], battle.result["reason"]) == ([], "ended_by_cup"), "unrated"
        leave_cup(user=user_of("Esme"), cup_id=cup.pk, now=cup.begins_at)
        advance_cup(cup_id=cup.pk, now=cup.begins_at)
        assert list_boards(cup, 2) == [("Ayla",)]

    def test_a_mage_who_died_elsewhere_is_replaced_and_without_another_the_duel_is_lost(self):
        cup = make_cup()
        mages = enter(cup, *EIGHT)
        make_mage("Aldous", user=mages["Ayla"].user)
        for name in ("Ayla", "Borin"):
            kill_mage(mage=mages[name], now=NOW)
        cup = begin(cup)
        assert list_boards(cup, 1)[0] == ("Aldous", "Hild")
        assert find_game(cup, "Borin").result == Pairing.Result.SECOND
        assert find_place(cup, "Borin").left_for == Place.LeftFor.NO_MAGE

    def test_a_pair_with_a_block_play_without_talk(self):
        cup = make_cup()
        mages = enter(cup, *EIGHT)
        block_user(user=mages["Hild"].user, blocked=mages["Ayla"].user, now=NOW)
        cup = begin(cup)
        assert find_game(cup, "Ayla").battle.terms["chat"] is False
        assert find_game(cup, "Borin").battle.terms["chat"] is True

    def test_a_corrected_result_counts_until_the_next_duel_begins(self):
        cup = make_cup()
        enter(cup, *EIGHT)
        cup = begin(cup)
        now = cup.begins_at + DAY
        finish(cup, "Ayla", "Ayla", "Hild", now=now)
        advance_cup(cup_id=cup.pk, now=now)
        battle = find_game(cup, "Hild").battle
        correct(battle, "Hild", now)
        advance_cup(cup_id=cup.pk, now=now)
        finish(cup, "Dain", "Dain", "Esme", now=now)
        advance_cup(cup_id=cup.pk, now=now)
        assert list_boards(cup, 2) == [("Dain", "Hild")]
        correct(battle, "Ayla", now)
        advance_cup(cup_id=cup.pk, now=now)
        assert list_boards(cup, 2) == [("Dain", "Hild")]


def absent_to(cup, absentee, winner, now):
    """Let one player send orders and the other miss the deadline."""
    battle = find_game(cup, absentee).battle
    order(battle, winner, "W/S", now)
    for hours in (37, 50):
        process_deadlines(battle_id=battle.pk, now=now + timedelta(hours=hours))


def correct(battle, winner, now):
    janitor = User.objects.filter(username="Jane").first() or make_janitor()
    set_result(battle=battle, winners=[winner], dead=[], by=janitor, reason="A fault", now=now)
