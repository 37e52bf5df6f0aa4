"""Suspicious pairs of users: they meet too often, one always wins, or they share an address."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.services.traces import record_traces
from ladder.fought_battles import AGREED, FoughtBattle, SideFacts
from ladder.models import PairWatch, ScoredBattle, UserRating
from ladder.services.count_battles import count_battle
from ladder.services.count_requests import ask_for_count
from ladder.services.janitor_reports import watch_pairs
from tests.scenes import NOW

pytestmark = pytest.mark.django_db


def fight(number, winner, loser, *, days_ago=1, practice=False, agreed=False):
    ended = NOW - timedelta(days=days_ago)
    sides = tuple(
        SideFacts(mage.pk, mage.user_id, result, end="lived", hit_points=9, opening=(), spells=(), feats=())
        for mage, result in ((winner, "drew" if agreed else "won"), (loser, "drew" if agreed else "lost"))
    )
    ask_for_count(battle=number)
    facts = FoughtBattle(
        number, "duel", practice, "firetop-standard", 1, 5, AGREED if agreed else "kill", ended, ended, sides
    )
    assert count_battle(facts=facts, times=1)


def look():
    watch_pairs(now=NOW)
    return {
        frozenset((row.one.username, row.other.username)): (
            row.meets_often, row.is_one_sided, row.same_address, row.same_device,
        )
        for row in PairWatch.objects.select_related("one", "other")
    }  # fmt: skip


def pair(*mages):
    return frozenset(mage.user.username for mage in mages)


def test_a_pair_that_meets_often_with_one_winner_is_listed_with_both_reasons(mages):
    froodal, bung, wart, zeke = mages
    for number in range(6):
        fight(number, froodal, bung)
    fight(6, wart, zeke)
    assert look() == {pair(froodal, bung): (True, True, False, False)}
    row = PairWatch.objects.get()
    assert (row.battles, row.one_won, row.other_won, row.one_share) == (6, 6, 0, 100)


def test_a_pair_that_often_agrees_on_draws_is_listed(mages):
    froodal, bung, wart, zeke = mages
    for number in range(2):
        fight(number, froodal, bung, agreed=True)
        fight(10 + number, wart, zeke, agreed=True)
    fight(2, froodal, bung)
    assert look() == {}
    fight(3, froodal, bung, agreed=True)
    assert look() == {pair(froodal, bung): (False, False, False, False)}
    row = PairWatch.objects.get()
    assert (row.agreed, row.agrees_often, row.battles, row.one_won + row.other_won) == (3, True, 4, 1)


def test_five_battles_are_too_few_and_old_or_practice_ones_do_not_count(mages):
    froodal, bung, *_ = mages
    for number in range(5):
        fight(number, froodal, bung)
    fight(5, froodal, bung, days_ago=31)
    fight(6, froodal, bung, practice=True)
    assert look() == {}


def test_users_who_mostly_meet_others_are_not_listed_but_constant_winners_are(mages):
    froodal, bung, wart, zeke = mages
    for number in range(6):
        fight(number, *((froodal, bung) if number % 2 else (bung, froodal)))
        for each, (one, other) in enumerate(((froodal, wart), (wart, froodal), (bung, zeke), (zeke, bung))):
            fight(100 + 10 * number + each, one, other)
    assert pair(froodal, bung) not in look()


def test_a_shared_address_counts_only_for_users_who_met(mages):
    froodal, bung, wart, _ = mages
    for mage in (froodal, bung, wart):
        record_traces(user=mage.user, address="192.0.2.7", device=f"of {mage}", now=NOW)
    fight(1, froodal, bung)
    assert look() == {pair(froodal, bung): (False, False, True, False)}


def test_meetings_in_a_league_are_no_choice_but_a_shared_device_is_seen(mages):
    froodal, bung, *_ = mages
    for number in range(6):
        fight(number, froodal, bung)
        ScoredBattle.objects.create(number=number, kind="duel", practice=False, stakes="league", scored_at=NOW)
    assert look() == {}
    for mage in (froodal, bung):
        record_traces(user=mage.user, address="192.0.2.7", device="one", now=NOW)
    assert look() == {pair(froodal, bung): (False, False, True, True)}
    assert PairWatch.objects.get().battles == 6


def test_the_list_is_rebuilt_each_time_and_changes_nothing_else(mages):
    froodal, bung, *_ = mages
    for number in range(6):
        fight(number, froodal, bung)
    before = list(UserRating.objects.values())
    assert look() == look()
    assert list(UserRating.objects.values()) == before


def test_janitors_see_the_list_and_nobody_else_does(client, mages):
    address = reverse("admin:ladder_pairwatch_changelist")
    for number in range(6):
        fight(number, mages[0], mages[1])
    watch_pairs(now=NOW)
    client.force_login(mages[2].user)
    assert client.get(address).status_code == 302
    janitor = mages[3].user
    janitor.is_staff = janitor.is_superuser = True
    janitor.save()
    client.force_login(janitor)
    assert "Froodal_user" in client.get(address).content.decode()
