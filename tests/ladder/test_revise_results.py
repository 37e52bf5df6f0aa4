"""A counted result is annulled, restored, corrected or replayed; all later results are counted again."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import Mage, Name
from accounts.services.mages import engage_mage, kill_mage
from ladder.models import Placing, Remembrance, RevisedEntry, ScoredBattle, ScoreEntry, ScoreRevision
from ladder.selectors.scores import find_disagreements, scores_by_kind
from ladder.services.apply_results import BattleResult, apply_penalty, apply_result
from ladder.services.revise_results import annul_result, correct_result, reopen_result, restore_result
from tests.ladder.scores import score_of, scores_of
from tests.refusals import refused
from tests.scenes import NOW, make_mage


def count(battle, players, winners=(), dead=(), **more):
    kind = "duel" if len(players) == 2 else "melee"
    facts = {"practice": False, "now": NOW} | more
    return apply_result(battle=battle, kind=kind, result=BattleResult(players, winners, dead), **facts)


def pay(mage, battle, kind="duel"):
    apply_penalty(mage=mage, kind=kind, battle=battle, now=NOW)


def rows():
    return list(ScoreEntry.objects.order_by("pk").values())


def figures(mage):
    found = ScoreEntry.objects.filter(mage=mage).order_by("pk")
    return [(row.battle, row.before, row.change, row.after, row.reason) for row in found]


def is_alive(mage):
    mage.refresh_from_db()
    return mage.is_alive


@pytest.fixture
def story(mages):
    """Froodal wins battle 1, surrenders twice with no score left to lose, and wins again."""
    froodal, bung, wart, _ = mages
    count(1, [froodal, bung], winners=[froodal])
    for battle in (2, 3):
        pay(froodal, battle)
        count(battle, [froodal, wart], winners=[wart])
    count(4, [froodal, bung], winners=[froodal], dead=[bung])
    return mages


def test_scores_of_several_mages_count_all_their_results(story):
    found = scores_by_kind(mage.pk for mage in story)
    assert found["duel"] == {mage.pk: score_of(mage, "duel") for mage in story}
    assert len(figures(story[0])) > 1
    assert set(found["melee"].values()) == {0}


def test_an_annulled_victory_takes_away_what_later_penalties_took(story):
    froodal, _, wart, _ = story
    assert annul_result(battle=1, now=NOW, reason="the clock was wrong")
    assert figures(froodal) == [
        (2, 0, 0, 0, "surrendered"),
        (2, 0, 0, 0, "lost"),
        (3, 0, 0, 0, "surrendered"),
        (3, 0, 0, 0, "lost"),
        (4, 0, 1, 1, "won"),
    ]
    assert scores_of([froodal, wart], "duel") == {"Froodal": 1, "Wart": 2}
    assert list(find_disagreements()) == []


def test_a_restored_result_is_the_same_row_by_row(story):
    before = rows()
    assert annul_result(battle=1, now=NOW) and rows() != before
    assert restore_result(battle=1, now=NOW)
    assert rows() == before


@pytest.mark.parametrize("battle", [1, 2, 4])
def test_annulling_and_restoring_twice_does_nothing_twice(story, battle):
    before = rows()
    assert annul_result(battle=battle, now=NOW)
    annulled, revisions = rows(), ScoreRevision.objects.count()
    assert not annul_result(battle=battle, now=NOW)
    assert rows() == annulled and ScoreRevision.objects.count() == revisions
    assert restore_result(battle=battle, now=NOW)
    assert not restore_result(battle=battle, now=NOW)
    assert rows() == before


def test_two_annulments_undone_in_another_order_leave_everything_as_it_was(story):
    before = rows()
    for battle in (1, 2):
        annul_result(battle=battle, now=NOW)
    for battle in (1, 2):
        restore_result(battle=battle, now=NOW)
    assert rows() == before


def test_every_row_that_changed_is_kept_as_it_was(story):
    froodal, *_ = story
    was = {row["id"]: row["after"] for row in rows()}
    annul_result(battle=1, now=NOW, reason="the clock was wrong")
    revision = ScoreRevision.objects.get()
    assert (revision.battle, revision.what, revision.reason) == (1, "annulled", "the clock was wrong")
    kept = list(revision.entries.filter(mage=froodal).order_by("entry"))
    assert [(entry.battle, entry.was["after"], entry.became and entry.became["after"]) for entry in kept] == [
        (1, 1, None),
        (2, 0, 0),
    ]
    assert all(was[entry.entry] == entry.was["after"] for entry in kept)


def test_an_annulled_death_gives_the_mage_back_with_name_and_score(story):
    froodal, _, wart, _ = story
    count(5, [froodal, wart], winners=[froodal], dead=[wart])
    assert Remembrance.objects.get(mage=wart).score == 2
    annul_result(battle=5, now=NOW)
    assert is_alive(wart) and wart.busy_with is None and not Remembrance.objects.filter(mage=wart).exists()
    assert score_of(wart, "duel") == 2 and Name.objects.get(key="wart").owner == wart.user
    engage_mage(mage=wart, kind="battle", number=6)


def test_a_restored_death_was_at_the_end_of_its_battle(story):
    _, bung, _, _ = story
    annul_result(battle=4, now=NOW)
    assert is_alive(bung)
    restore_result(battle=4, now=NOW.replace(year=2032))
    assert not is_alive(bung) and bung.died_at == NOW


def test_a_mage_in_another_battle_does_not_die_again(story):
    _, bung, _, _ = story
    annul_result(battle=4, now=NOW)
    before = rows()
    engage_mage(mage=bung, kind="battle", number=9)
    with refused("in_battle", match="Bung is in battle 9"):
        restore_result(battle=4, now=NOW)
    assert rows() == before and is_alive(bung)


def test_a_mage_who_died_otherwise_stays_dead(story):
    _, _, wart, _ = story
    kill_mage(mage=wart, now=NOW)
    annul_result(battle=2, now=NOW)
    assert not is_alive(wart)


def test_the_dead_are_remembered_with_their_corrected_score(mages):
    froodal, bung, wart, _ = mages
    count(1, [froodal, bung], winners=[froodal])
    count(2, [froodal, wart], winners=[wart], dead=[froodal])
    assert Remembrance.objects.get().score == 1
    annul_result(battle=1, now=NOW)
    assert Remembrance.objects.get().score == 0


def test_a_battle_annulled_before_its_end_gives_penalties_back(mages):
    froodal, bung, *_ = mages
    count(1, [froodal, bung], winners=[froodal])
    pay(froodal, 2, kind="melee")
    pay(froodal, 3)
    assert annul_result(battle=3, now=NOW)
    assert score_of(froodal, "duel") == 1
    assert not annul_result(battle=3, now=NOW)
    assert not annul_result(battle=77, now=NOW), "nothing is known of it"


def test_practice_that_is_annulled_is_annulled(mages):
    count(1, mages[:2], winners=mages[:1], practice=True)
    assert annul_result(battle=1, now=NOW)
    assert ScoredBattle.objects.get().annulled_at == NOW
    assert not count(1, mages[:2], winners=mages[1:2]), "a late worker changes nothing"


def test_a_corrected_winner_counts_as_if_they_had_won_from_the_start(story):
    froodal, bung, *_ = story
    assert correct_result(battle=1, winners=[bung], dead=[], now=NOW, reason="misread orders")
    assert figures(froodal)[0] == (1, 0, 0, 0, "lost")
    assert score_of(froodal, "duel") == 1 and score_of(bung, "duel") == 1
    assert not correct_result(battle=1, winners=[bung], dead=[], now=NOW)
    assert list(find_disagreements()) == []


def test_a_correction_taken_back_by_a_correction_leaves_equal_rows(story):
    froodal, bung, *_ = story
    before = rows()
    correct_result(battle=1, winners=[bung], dead=[], now=NOW)
    correct_result(battle=4, winners=[bung], dead=[froodal], now=NOW)
    assert is_alive(bung) and not is_alive(froodal)
    correct_result(battle=4, winners=[froodal], dead=[bung], now=NOW)
    correct_result(battle=1, winners=[froodal], dead=[], now=NOW)
    assert rows() == before
    assert is_alive(froodal) and not is_alive(bung)
    assert [placing.mage for placing in Placing.objects.filter(is_real_death=True)] == [bung]


def test_a_penalty_can_be_removed_or_added_later(story):
    froodal, bung, wart, _ = story
    correct_result(battle=2, winners=[], dead=[], surrendered=[], now=NOW)
    assert figures(froodal)[1:3] == [(2, 1, 0, 1, "surrendered"), (2, 1, 0, 1, "drew")]
    assert score_of(wart, "duel") == 1
    correct_result(battle=4, winners=[bung], dead=[], surrendered=[froodal], now=NOW)
    assert figures(froodal)[-1] == (4, 0, 0, 0, "surrendered")
    correct_result(battle=4, winners=[froodal], dead=[bung], now=NOW)
    assert figures(froodal)[-1] == (4, 0, 1, 1, "won")


def test_no_correction_kills_a_mage_in_another_battle(story):
    froodal, bung, *_ = story
    before = rows()
    engage_mage(mage=froodal, kind="challenge", number=9)
    with refused("in_challenge", match="Froodal is in challenge 9"):
        correct_result(battle=4, winners=[], dead=[froodal, bung], now=NOW)
    assert rows() == before


def test_an_impossible_correction_changes_nothing(story):
    froodal, bung, wart, _ = story
    before = rows()
    for code, wrong in (
        ("impossible", {"winners": [wart]}),
        ("impossible", {"dead": [froodal]}),
        ("winner_pays", {"surrendered": [froodal]}),
    ):
        with refused(code):
            correct_result(**{"battle": 4, "winners": [froodal], "dead": [bung], "now": NOW} | wrong)
    with refused("not_counted"):
        correct_result(battle=99, winners=[], dead=[], now=NOW)
    annul_result(battle=3, now=NOW)
    for change in (lambda: correct_result(battle=3, winners=[], dead=[], now=NOW),
                   lambda: reopen_result(battle=3, now=NOW)):  # fmt: skip
        with refused("annulled"):
            change()
    restore_result(battle=3, now=NOW)
    assert rows() == before


def test_the_points_of_a_corrected_melee_are_shared_again(mages):
    froodal, bung, _, zeke = mages
    count(1, mages, winners=[froodal], dead=[zeke])
    correct_result(battle=1, winners=[froodal, bung], dead=[zeke], now=NOW)
    assert scores_of(mages, "melee") == {"Froodal": 1, "Bung": 1, "Wart": 0, "Zeke": 0}


def test_a_resumed_battle_gets_a_new_result(story):
    froodal, bung, *_ = story
    pay(bung, 7)
    pay(froodal, 7)
    count(7, [froodal, bung])
    assert reopen_result(battle=7, now=NOW, keep_penalties=[bung])
    assert [row.reason for row in ScoreEntry.objects.filter(battle=7)] == ["surrendered"]
    assert not ScoredBattle.objects.filter(number=7).exists()
    assert reopen_result(battle=4, now=NOW) and is_alive(bung)
    assert count(4, [froodal, bung], winners=[bung], dead=[froodal])
    assert not is_alive(froodal) and list(find_disagreements()) == []
    assert not reopen_result(battle=99, now=NOW)


def test_the_database_itself_rejects_a_dead_winner_and_a_second_result(story):
    placing = Placing.objects.filter(won=True).first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Placing.objects.filter(pk=placing.pk).update(died=True)
    placing.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        placing.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        RevisedEntry.objects.create(
            revision=ScoreRevision.objects.create(battle=1, what="annulled", created_at=NOW),
            entry=1,
            mage=Mage.objects.all()[0],
            kind="duel",
            battle=1,
        )


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_janitors_annuls_at_once():
    players = [make_mage(name, f"{name}_user") for name in ("Froodal", "Bung")]
    for battle in range(1, 6):
        count(battle, players, winners=players[:1])
        together = Barrier(2)

        def work(battle=battle, together=together):
            try:
                together.wait(timeout=10)
                return annul_result(battle=battle, now=NOW)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            assert sorted(future.result() for future in [pool.submit(work) for _ in range(2)]) == [False, True]
    assert score_of(players[0], "duel") == 0 and ScoreRevision.objects.count() == 5
