"""Two actions at the same time: real threads on a real PostgreSQL."""

import os
from collections import Counter
from functools import partial

import pytest

from accounts.errors import MageUnavailable
from accounts.models import Engagement, Mage
from challenges.services.retire_mages import quit_mage
from duels.errors import StaleOrders
from duels.models import Battle, OrderSheet, Turn, TurnEvent
from duels.services.end_for_event import end_for_event
from duels.services.resolve import resolve_turn
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.errors import LadderRefused
from ladder.models import CountDue, CountedBattle, Opening, Pairing
from ladder.selectors.scores import find_disagreements
from ladder.selectors.statistics import list_counts_due
from ladder.services.apply_results import BattleResult, apply_result
from ladder.services.count_requests import ask_for_count
from ladder.services.revise_results import correct_result
from notifications.models import Notice
from studies.services.ladder_records import record_battle
from tests.duels.fights import start_fight
from tests.ladder.scores import score_of
from tests.races import at_once
from tests.scenes import NOW, make_mage, make_user

TRIES = 200 if os.environ.get("FM_TEST_LONG") == "1" else 8

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_two_last_orders_at_the_same_instant_resolve_the_turn_once(duel):
    for turn in range(1, TRIES + 1):
        left, right = ("F/W", "W/F") if turn % 2 else ("W/F", "F/W")
        stage = duel.key()
        first, second = duel.combatant("Froodal"), duel.combatant("Bung")
        receipts = at_once(
            partial(duel_order, first, left, stage),
            partial(duel_order, second, right, stage),
        )
        assert Counter(receipt.outcome for receipt in receipts) == {"ready": 1, "resolved": 1}, receipts
        assert duel.key().seq == turn + 1
    assert Turn.objects.filter(battle=duel.battle, resolved_at__isnull=False).count() == TRIES
    numbers = list(TurnEvent.objects.filter(battle=duel.battle).order_by("n").values_list("n", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert Notice.objects.filter(kind="turn_resolved").count() == 2 * TRIES


def duel_order(combatant, text, stage):
    from duels.services.orders import submit_orders

    return submit_orders(combatant=combatant, text=text, via="web", now=NOW, stage=stage, ready=True)


def test_the_same_last_orders_five_times_at_once_have_one_effect(duel):
    duel.order("Froodal", "F/W")
    stage, bung = duel.key(), duel.combatant("Bung")
    results = at_once(*[partial(duel_order, bung, "W/F", stage)] * 5)
    assert [result.outcome for result in results] == ["resolved"] * 5
    assert sum(not result.repeated for result in results) == 1
    assert duel.key().seq == 2


def test_a_change_and_the_last_orders_at_once_never_lose_or_mix_orders(duel):
    for _ in range(TRIES // 2):
        stage = duel.key()
        duel.order("Froodal", "-/-")
        froodal, bung = duel.combatant("Froodal"), duel.combatant("Bung")
        change, last = at_once(partial(duel_order, froodal, "D/-", stage), partial(duel_order, bung, "-/-", stage))
        assert last.outcome == "resolved"
        played = OrderSheet.objects.get(combatant=froodal, stage__turn__seq=stage.seq).lines
        if isinstance(change, StaleOrders):
            assert played == ["LH -", "RH -"]
        else:
            assert played == ["LH D", "RH -"]


def test_sweeps_and_players_at_once_play_a_turn_once(duel):
    duel.order("Froodal", "F/W")
    OrderSheet.objects.update(lines=["LH F", "RH W"], ready=True, submitted_at=NOW)
    outcomes = at_once(*[lambda: resolve_turn(battle=duel.battle, now=NOW).outcome] * 4)
    assert Counter(outcomes) == {"resolved": 1, "waiting": 3}
    assert duel.key().seq == 2


def test_a_user_who_starts_two_battles_with_one_mage_at_once_starts_one():
    ayla = make_mage("Ayla")
    others = [make_mage("Bung"), make_mage("Cormac")]
    results = at_once(*[partial(start_fight, ayla, other) for other in others])
    assert sorted(type(result).__name__ for result in results) == ["Fight", "MageBusy"]
    assert make_user("Afterwards").pk


def test_no_correction_kills_a_mage_while_their_next_battle_starts():
    for n in range(TRIES):
        ayla, crom, dara = (make_mage(f"{name}{n}") for name in ("Ayla", "Crom", "Dara"))
        over, next_one = 1000 + n, take_number()
        result = BattleResult([ayla, crom], winners=[ayla])
        apply_result(battle=over, kind="duel", practice=False, result=result, now=NOW)
        started, corrected = at_once(
            partial(start_battle, number=next_one, terms=Terms(), mages=[ayla, dara], now=NOW),
            partial(correct_result, battle=over, winners=[crom], dead=[ayla], now=NOW),
        )
        ayla.refresh_from_db()
        if corrected is True:
            assert isinstance(started, MageUnavailable) and started.code == "dead" and not ayla.is_alive
            assert not Battle.objects.filter(number=next_one).exists()
            assert Mage.objects.get(pk=dara.pk).busy_with is None
        else:
            assert isinstance(corrected, LadderRefused) and started.number == next_one
            assert ayla.is_alive and ayla.busy_with.number == next_one
            assert score_of(ayla, "duel") == 1, "the record stands as it was"
    assert list(find_disagreements()) == []


def test_battles_of_the_same_mages_counted_at_the_same_instant_are_counted_once_each():
    first, second = make_mage("Froodal"), make_mage("Bung")
    for pair in ((first, second), (second, first)):
        start_fight(*pair).turn("-/-", "P/P")
    due = dict(list_counts_due(limit=9))
    for _ in range(3):
        at_once(*(partial(record_battle, number=number, times=times, now=NOW) for number, times in [*due.items()] * 2))
        assert CountedBattle.objects.count() == 2 and not CountDue.objects.exists()
        assert Pairing.objects.get().battles == 2
        assert Opening.objects.get(line="PP").played == 2
        for number in due:
            ask_for_count(battle=number)
        due = dict(list_counts_due(limit=9))


class TestDuelsOfLeagues:
    """Two starts, two ends, and an end against the last orders or against the mage's own end."""

    @pytest.fixture
    def mages(self, transactional_db):
        return [make_mage("Froodal"), make_mage("Bung")]

    def test_it_ends_once_whatever_ends_it(self, mages):
        for number in range(TRIES):
            fight = start_fight(*mages, stakes="league", pace="day")
            fight.order("Froodal", "P/P")
            stage, bung = fight.key(), fight.combatant("Bung")
            end = partial(end_for_event, battle_number=fight.number, now=NOW)
            ended, again, orders = at_once(end, end, partial(duel_order, bung, "W/S", stage))
            fight.battle.refresh_from_db()
            is_played = fight.battle.result["reason"] == "surrender"
            assert [ended, again].count(True) == (0 if is_played else 1), (ended, again, orders)
            assert is_played or isinstance(orders, StaleOrders)
            assert Notice.objects.filter(kind="battle_finished").count() == 2 * (number + 1)

    def test_a_mage_who_leaves_at_that_moment_is_in_no_duel_that_starts_after(self, mages):
        """Either the duel begins first and goes on without the mage in play, or it is refused."""
        for number in range(TRIES):
            left, right = make_mage(f"Left{number}"), make_mage(f"Right{number}")
            start = partial(
                start_battle, number=take_number(), terms=Terms(stakes="league"), mages=[left, right], now=NOW
            )
            began, gone = at_once(start, partial(quit_mage, mage=left, now=NOW))
            assert gone is None
            assert isinstance(began, (Battle, MageUnavailable)), began
            assert Battle.objects.filter(combatants__mage=left).exists() == isinstance(began, Battle)

    def test_a_league_and_a_challenge_start_together(self, mages):
        """Neither keeps the mages from the other, and they lock them in one order."""
        for _ in range(TRIES):
            acts = [
                partial(start_battle, number=take_number(), terms=Terms(stakes=stakes), mages=pair, now=NOW)
                for stakes, pair in (("league", mages), ("cup", mages[::-1]), ("friendly", mages[::-1]))
            ]
            begun = at_once(*acts)
            assert [type(each) for each in begun] == [Battle] * 3, begun
            Battle.objects.filter(pk=begun[2].pk).update(finished_at=NOW, status="annulled")
            Engagement.objects.all().delete()
