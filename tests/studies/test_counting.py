"""Finished battles enter the records once, and leave them when they are annulled."""

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import Mage
from duels.models import Battle
from ladder.models import (
    BattleSide,
    CountDue,
    CountedBattle,
    EndingFigure,
    Feat,
    MageRecord,
    Opening,
    OpeningReply,
    Pairing,
    RatingEntry,
    SpellFigure,
    UserRating,
)
from ladder.selectors.profiles import read_user_profile
from ladder.selectors.statistics import (
    find_opening,
    list_openings_after,
    list_replies,
    list_replies_of_user,
    list_sides_with_opening,
    list_spell_figures,
)
from ladder.services.count_requests import ask_for_count, ask_for_counts_of_bands
from ladder.services.revise_results import annul_result, correct_result, restore_result
from ladder.tasks import sweep_unrated_battles
from moderation.services.merge_users import merge_users, undo_merge
from studies.services.ladder_records import record_battle
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.ladder.records import read_records
from tests.scenes import NOW, make_mage, make_user

MISSILES = [("S/-", "P/-"), ("D/-", "-/-")]
SURRENDER = ("-/-", "P/P")


def fight_to_the_end(*mages, **terms):
    """The first mage throws a missile past the second, who then surrenders."""
    fight = start_fight(*(mages or (make_mage("Froodal"), make_mage("Bung"))), **terms)
    fight.turns([*MISSILES, SURRENDER])
    assert fight.battle.is_over
    return fight


def annul(fight):
    """Let the battle's row say that it is annulled."""
    Battle.objects.filter(pk=fight.battle.pk).update(status=Battle.Status.ANNULLED)
    ask_for_count(battle=fight.number)


@pytest.mark.django_db
class TestOneBattle:
    def test_running_battles_do_not_count(self, duel):
        duel.turns(MISSILES)
        assert count_finished_battles() == 0
        assert not any(read_records().values())

    def test_a_battle_is_counted_once_however_often_the_task_runs(self):
        fight_to_the_end()
        assert [count_finished_battles() for _ in range(3)] == [1, 0, 0]
        battle = CountedBattle.objects.get()
        assert (battle.turns, battle.ending, battle.sides.count()) == (3, "surrender", 2)

    def test_spells_openings_and_records_are_what_was_played(self):
        fight_to_the_end()
        count_finished_battles()
        cast = {row.spell: (row.cast, row.worked) for row in list_spell_figures()}
        # Bung's palms make a Shield each, the last two as well.
        assert cast == {"Shield": (3, 3), "Magic Missile": (1, 1)}
        mine = {
            record.mage.name: (record.won, record.lost, record.form) for record in MageRecord.objects.filter(ruleset="")
        }
        assert mine == {"Froodal": (1, 0, "W"), "Bung": (0, 1, "L")}
        pairing = Pairing.objects.get()
        assert (pairing.battles, pairing.one_won + pairing.other_won) == (1, 1)
        first = {
            row.pair: (row.played, row.won)
            for row in list_openings_after(ruleset="firetop-standard", kind="duel", line="")
        }
        assert first == {"-S": (1, 1), "-P": (1, 0)}
        assert find_opening(ruleset="firetop-standard", kind="duel", line="-S-D").percent_won == 100
        sides = list_sides_with_opening(ruleset="firetop-standard", kind="duel", line="-S", limit=9)
        assert [side.mage.name for side in sides] == ["Froodal"]

    def test_winning_unhurt_gives_a_trophy_except_in_practice(self):
        fight_to_the_end()
        owner = make_user("Ambidexter")
        fight_to_the_end(make_mage("Lefty", owner), make_mage("Righty", owner))
        count_finished_battles()
        assert list(Feat.objects.values_list("mage__name", "kind")) == [("Froodal", "unhurt")]

    def test_self_play_counts_for_spells_alone(self):
        owner = make_user("Ambidexter")
        fight_to_the_end(make_mage("Lefty", owner), make_mage("Righty", owner))
        count_finished_battles()
        assert SpellFigure.objects.exists()
        assert not any(model.objects.exists() for model in (Opening, EndingFigure, MageRecord, Pairing))

    def test_an_annulled_battle_leaves_no_trace(self):
        fight = fight_to_the_end()
        count_finished_battles()
        annul(fight)
        assert count_finished_battles() == 1
        assert not any(read_records().values())

    def test_replies_are_counted_for_both_mages_by_rating_and_move_with_a_corrected_rating(self):
        froodal, bung = make_mage("Froodal"), make_mage("Bung")
        fight = fight_to_the_end(froodal, bung)
        here = {"ruleset": "firetop-standard"}
        sweep_unrated_battles()
        count_finished_battles()

        def read(mine, theirs, band=""):
            rows = list_replies(**here, mine=mine, theirs=theirs, band=band)
            return [(row.pair, row.played, row.won, row.lost) for row in rows]

        assert read("", "") == [("-P", 1, 0, 1), ("-S", 1, 1, 0)]
        assert read("-S", "-P") == [("-D", 1, 1, 0)] and read("-P", "-S") == [("--", 1, 0, 1)]
        assert read("-S", "") == read("CC", "-P") == read("-S", "-P", "high") == []
        assert read("-S", "-P", "middle") == [("-D", 1, 1, 0)]
        own = list_replies_of_user(user=froodal.user, **here, mine="-S", theirs="-P")
        assert {pair: (row.played, row.won) for pair, row in own.items()} == {"-D": (1, 1)}
        assert not list_replies_of_user(user=bung.user, **here, mine="-S", theirs="-P")
        # The rating before the duel is corrected: the sums follow.
        RatingEntry.objects.filter(battle=fight.number, user=froodal.user).update(rating_before=1700)
        ask_for_counts_of_bands(entries=RatingEntry.objects.filter(battle=fight.number))
        assert count_finished_battles() == 1
        assert read("-S", "-P", "middle") == [] and read("-S", "-P", "high") == [("-D", 1, 1, 0)]
        ask_for_counts_of_bands(entries=RatingEntry.objects.filter(battle=fight.number))
        assert not CountDue.objects.exists()
        annul_result(battle=fight.number, now=NOW)
        count_finished_battles()
        assert not OpeningReply.objects.exists()

    def test_a_result_that_is_annulled_or_corrected_changes_the_records(self):
        fight = fight_to_the_end()
        count_finished_battles()
        annul_result(battle=fight.number, now=NOW)
        count_finished_battles()
        assert not any(read_records().values())
        restore_result(battle=fight.number, now=NOW)
        correct_result(battle=fight.number, winners=[fight.mages["Bung"]], dead=[], now=NOW)
        count_finished_battles()
        won = dict(MageRecord.objects.filter(ruleset="").values_list("mage__name", "won"))
        assert won == {"Froodal": 0, "Bung": 1}

    def test_a_reason_that_comes_while_a_battle_is_counted_is_not_lost(self):
        fight = fight_to_the_end()
        times = CountDue.objects.get().times
        annul(fight)
        Battle.objects.filter(pk=fight.battle.pk).update(status=Battle.Status.FINISHED)
        record_battle(number=fight.number, times=times, now=NOW)
        assert CountDue.objects.exists() and CountedBattle.objects.exists()
        Battle.objects.filter(pk=fight.battle.pk).update(status=Battle.Status.ANNULLED)
        count_finished_battles()
        assert not CountDue.objects.exists() and not CountedBattle.objects.exists()

    def test_a_battle_that_cannot_be_read_waits_behind_the_others(self):
        broken = fight_to_the_end()
        Battle.objects.filter(pk=broken.battle.pk).update(result={"winners": []})
        whole = fight_to_the_end(make_mage("Ayla"), make_mage("Crom"))
        assert count_finished_battles() == 1
        assert list(CountedBattle.objects.values_list("number", flat=True)) == [whole.number]
        assert CountDue.objects.get().battle == broken.number


@pytest.mark.django_db
def test_rebuilding_gives_the_same_figures_and_mends_what_was_wrong():
    first, second = make_mage("Froodal"), make_mage("Bung")
    fight_to_the_end(first, second)
    fight_to_the_end(second, first)
    while count_finished_battles():
        pass
    before = read_records()
    Opening.objects.all().delete()
    SpellFigure.objects.update(cast=77)
    MageRecord.objects.update(form="D")
    CountedBattle.objects.first().delete()
    call_command("rebuild_records")
    assert read_records() == before
    call_command("rebuild_records")
    assert read_records() == before


@pytest.mark.django_db
@pytest.mark.once
def test_counts_follow_when_two_accounts_are_merged_and_separated_again():
    def count():
        sweep_unrated_battles()
        count_finished_battles()
        ratings = sorted(
            UserRating.objects.values_list("user__username", "kind", "rating", "deviation", "elo", "battles")
        )
        return ratings, read_records(), [read_user_profile(user) for user in (jon, crom.user)]

    def count_from_nothing():
        call_command("rebuild_ratings")
        call_command("rebuild_records")
        return count()

    jon, twin, keeper, crom = make_user("Jon"), make_user("Twin"), make_user("Keeper"), make_mage("Crom")
    ayla, boldo = make_mage("Ayla", jon), make_mage("Boldo", twin)
    for pair in ((ayla, crom), (crom, boldo), (ayla, boldo)):
        fight_to_the_end(*pair)
    apart = count()
    details = {"by": keeper, "reason": "One person.", "now": NOW}
    merge = merge_users(kept=jon, merged=twin, **details)
    one = count()
    assert {row[0] for row in one[0]} == {"Jon", "Crom_user"}
    assert [row.battles for row in Pairing.objects.all()] == [2]
    assert one == count_from_nothing()
    later = fight_to_the_end(Mage.objects.get(name="Boldo"), crom)
    undo_merge(merge=merge, **details)
    # Battles in between were fought by the one who kept the account.
    assert count() == count_from_nothing()
    assert BattleSide.objects.get(number=later.number, mage=boldo).user == jon
    annul(later)
    annul_result(battle=later.number, now=NOW)
    assert count() == apart


class TestAnyOrder(TestCase):
    """Whatever is asked and however often, the records are those of the battles that stand."""

    def setUp(self):
        first, second = make_mage("Froodal"), make_mage("Bung")
        self.fights = [fight_to_the_end(first, second), fight_to_the_end(second, first)]
        count_finished_battles()
        self.whole = read_records()

    @settings(max_examples=8, deadline=None)
    @given(st.lists(st.sampled_from(["annul 0", "annul 1", "restore 0", "restore 1", "count", "ask 0"]), max_size=8))
    def test_annulling_and_restoring_ends_where_it_began(self, steps):
        for step in steps:
            word, _, which = step.partition(" ")
            if word == "count":
                count_finished_battles()
                continue
            status = {"annul": Battle.Status.ANNULLED}.get(word, Battle.Status.FINISHED)
            Battle.objects.filter(pk=self.fights[int(which)].battle.pk).update(status=status)
            ask_for_count(battle=self.fights[int(which)].number)
        for fight in self.fights:
            Battle.objects.filter(pk=fight.battle.pk).update(status=Battle.Status.FINISHED)
            ask_for_count(battle=fight.number)
        count_finished_battles()
        assert read_records() == self.whole
