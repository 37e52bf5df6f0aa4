"""The end of a battle changes scores once, and the rows say why."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from io import StringIO
from threading import Barrier

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import Mage, User
from email_gateway.compose.janitor_mail import compose_janitor_mail
from ladder.models import ScoredBattle, ScoreEntry
from ladder.selectors.scores import describe_mages, describe_users, find_disagreements
from ladder.services.apply_results import BattleResult, apply_penalty, apply_result
from ladder.services.janitor_reports import report_disagreements
from ladder.services.revise_results import annul_result
from notifications.models import Notice
from tests.ladder.scores import score_of, scores_of
from tests.refusals import refused
from tests.scenes import NOW, make_mage

# Wins over one user within a month count only so often.
MONTH = timedelta(days=31)


def count(battle, players, winners=(), dead=(), practice=False, sharing=(), now=NOW, **more):
    kind = "duel" if len(players) == 2 else "melee"
    result = BattleResult(players, winners, dead, sharing)
    return apply_result(battle=battle, kind=kind, practice=practice, result=result, now=now, **more)


def test_the_winner_of_a_duel_has_a_point_and_the_loser_is_dead(mages):
    froodal, bung, *_ = mages
    assert count(1, [froodal, bung], winners=[froodal], dead=[bung])
    assert (score_of(froodal, "duel"), score_of(froodal, "melee"), score_of(bung, "duel")) == (1, 0, 0)
    bung.refresh_from_db()
    froodal.refresh_from_db()
    assert bung.died_at == NOW and froodal.is_alive


def test_a_battle_that_is_counted_again_changes_nothing(mages):
    froodal, bung, *_ = mages
    assert count(1, [froodal, bung], winners=[froodal])
    assert not count(1, [froodal, bung], winners=[froodal])
    assert not count(1, [froodal, bung], winners=[bung], dead=[froodal])
    assert scores_of([froodal, bung], "duel") == {"Froodal": 1, "Bung": 0}
    froodal.refresh_from_db()
    assert froodal.is_alive


def test_a_surrender_costs_once_for_a_battle_and_before_its_end(mages):
    froodal, bung, wart, _ = mages
    count(1, [froodal, bung], winners=[bung])
    for _ in range(3):
        apply_penalty(mage=bung, kind="duel", battle=2, now=NOW)
    count(2, [bung, wart], winners=[wart])
    assert [
        (entry.before, entry.change, entry.reason) for entry in ScoreEntry.objects.filter(mage=bung).order_by("pk")
    ] == [
        (0, 1, "won"),
        (1, -1, "surrendered"),
        (0, 0, "lost"),
    ]


def test_a_surrender_at_zero_costs_nothing_even_if_reported_again(mages):
    froodal, bung, *_ = mages
    apply_penalty(mage=froodal, kind="duel", battle=1, now=NOW)
    count(2, [froodal, bung], winners=[froodal])
    apply_penalty(mage=froodal, kind="duel", battle=1, now=NOW)
    assert score_of(froodal, "duel") == 1


def test_duel_and_melee_scores_are_separate(mages):
    froodal, bung, _, zeke = mages
    count(1, mages, winners=[froodal], dead=[zeke])
    count(2, [froodal, bung], winners=[froodal])
    apply_penalty(mage=froodal, kind="melee", battle=3, now=NOW)
    assert (score_of(froodal, "duel"), score_of(froodal, "melee")) == (1, 2)


def test_those_who_surrender_together_at_the_end_of_a_melee_share(mages):
    froodal, bung, *_ = mages
    count(1, mages, winners=[froodal, bung])
    assert scores_of(mages, "melee") == {"Froodal": 1, "Bung": 1, "Wart": 0, "Zeke": 0}


def test_practice_costs_nothing_and_kills_nobody(mages):
    froodal, bung, *_ = mages
    assert count(1, [froodal, bung], winners=[froodal], dead=[bung], practice=True)
    bung.refresh_from_db()
    assert bung.is_alive
    assert not ScoreEntry.objects.exists()


@pytest.mark.parametrize("mistake", ["kind", "winner", "stranger", "alone"])
def test_an_impossible_result_changes_nothing_and_can_be_corrected(mages, mistake):
    froodal, bung, wart, _ = mages
    right = BattleResult([froodal, bung], winners=[froodal], dead=[bung])
    wrong = {
        "kind": right,
        "winner": replace(right, dead=[froodal]),
        "stranger": replace(right, winners=[wart]),
        "alone": replace(right, players=[froodal]),
    }[mistake]
    kind = "melee" if mistake == "kind" else "duel"
    with refused("wrong_kind" if mistake in ("kind", "alone") else "impossible"):
        apply_result(battle=1, kind=kind, practice=False, result=wrong, now=NOW)
    assert not ScoredBattle.objects.exists() and not ScoreEntry.objects.exists()
    assert count(1, [froodal, bung], winners=[froodal], dead=[bung])


def test_the_database_itself_rejects_rows_that_do_not_add_up(mages):
    row = {"mage": mages[0], "kind": "duel", "battle": 1, "reason": "won"}
    with pytest.raises(IntegrityError), transaction.atomic():
        ScoreEntry.objects.create(due=1, before=0, change=1, after=2, **row)
    with pytest.raises(IntegrityError), transaction.atomic():
        ScoreEntry.objects.create(due=-1, before=0, change=-1, after=-1, **row)
    ScoreEntry.objects.create(due=1, before=0, change=1, after=1, **row)
    with pytest.raises(IntegrityError), transaction.atomic():
        ScoreEntry.objects.create(due=1, before=1, change=1, after=2, **row)


def test_the_check_accepts_good_rows_and_names_a_bad_one(mages):
    froodal, bung, *_ = mages
    count(1, [froodal, bung], winners=[froodal])
    told = StringIO()
    call_command("check_scores", stdout=told)
    assert "2 score rows are correct" in told.getvalue()
    ScoreEntry.objects.create(mage=froodal, kind="duel", battle=2, due=1, before=7, change=1, after=8, reason="won")
    told = StringIO()
    with pytest.raises(CommandError, match="1 score rows are wrong"):
        call_command("check_scores", stdout=told)
    assert "Froodal" in told.getvalue() and "add up to 1" in told.getvalue()


def test_janitors_are_notified_of_inconsistent_rows_once_a_day(mages):
    froodal, bung, *_ = mages
    User.objects.filter(pk=bung.user_id).update(is_staff=True)
    count(1, [froodal, bung], winners=[froodal])
    assert report_disagreements(now=NOW) == 0 and not Notice.objects.exists()
    ScoreEntry.objects.create(mage=froodal, kind="duel", battle=2, due=1, before=7, change=1, after=8, reason="won")
    for moment in (NOW, NOW + timedelta(hours=3), NOW + timedelta(days=1)):
        assert report_disagreements(now=moment) == 1
    notices = list(Notice.objects.filter(kind="scores_disagree"))
    assert [notice.user for notice in notices] == [bung.user] * 2
    mail = compose_janitor_mail("scores_disagree", notices[0].facts, bung.user)
    assert "1 row does not follow" in mail.text and "Froodal duel +1 (won, battle 2)" in mail.text


def test_which_battles_count_as_fought(mages):
    froodal, bung, wart, _ = mages
    count(1, [froodal, bung], winners=[froodal])
    count(2, [froodal, bung], winners=[froodal], stakes="friendly")
    count(3, [froodal, bung], winners=[froodal], stakes="very-friendly")
    count(4, [froodal, bung, wart], winners=[froodal])
    count(5, [froodal, bung], winners=[froodal])
    annul_result(battle=5, now=NOW)
    apply_penalty(mage=froodal, kind="duel", battle=6, now=NOW)
    [record] = describe_users([froodal.user])
    assert (record.duels, record.melees, record.duel, record.melee) == (2, 1, 0, 2)
    [standing] = describe_mages([froodal])
    assert standing.battles == 3


class AnyHistory(TestCase):
    """Battles ended and reported in any order, twice or not: the sum matches a simple model."""

    @given(
        st.lists(
            st.tuples(
                st.integers(1, 4),  # battle number
                st.sampled_from(["penalty", "result"]),
                st.integers(0, 2),  # whose
            ),
            max_size=12,
        )
    )
    def test_scores_equal_a_simple_model_whatever_happens_twice(self, story):
        mages = [make_mage(f"Mage_{n}", f"Owner_{n}") for n in range(3)]
        model, seen = [0, 0, 0], set()
        for battle, what, who in story:
            if what == "penalty":
                apply_penalty(mage=mages[who], kind="melee", battle=battle, now=NOW)
                if (battle, who) not in seen:
                    model[who] = max(0, model[who] - 1)
                seen.add((battle, who))
            else:
                count(battle, mages, winners=[mages[who]])
                if battle not in seen:
                    model[who] += 2
                seen.add(battle)
        assert [score_of(mage, "melee") for mage in mages] == model
        assert list(find_disagreements()) == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_battle_counted_by_two_workers_at_once_counts_once():
    mages = [make_mage(name, f"{name}_user") for name in ("Froodal", "Bung")]
    for battle in range(1, 11):
        together = Barrier(2)

        def work(battle=battle, together=together):
            try:
                together.wait(timeout=10)
                return count(battle, mages, winners=mages[:1], now=NOW + battle * MONTH)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            assert sorted(future.result() for future in [pool.submit(work) for _ in range(2)]) == [False, True]
    assert score_of(mages[0], "duel") == 10
    assert list(find_disagreements()) == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_battles_that_end_at_once_both_count():
    froodal, bung, wart = (make_mage(name, f"{name}_user") for name in ("Froodal", "Bung", "Wart"))
    for number in range(1, 11):
        together = Barrier(2)

        def work(battle, other, together=together):
            try:
                together.wait(timeout=10)
                return count(battle, [froodal, other], winners=[froodal], now=NOW + battle % 100 * MONTH)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            ends = [partial(work, number, bung), partial(work, number + 100, wart)]
            assert [future.result() for future in [pool.submit(end) for end in ends]] == [True, True]
    assert score_of(froodal, "duel") == 20
    assert list(find_disagreements()) == []
    assert Mage.objects.filter(died_at=None).count() == 3
