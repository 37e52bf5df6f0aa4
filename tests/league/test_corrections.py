"""What janitors change in a league duel is in its table at once, also after the season has ended."""

import pytest

from accounts.services.traces import record_traces
from duels.services.draws import accept_draw, offer_draw
from ladder.models import PairWatch, RatingEntry
from ladder.services.janitor_reports import watch_pairs
from ladder.services.rate_battles import rate_battles
from league.models import Entry, Pairing, Place
from league.selectors.tables import read_table
from league.services.entries import leave
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.set_result import set_result
from moderation.services.battles.undo import undo_battle_entry
from moderation.services.merge_users import merge_users
from tests.duels.janitors import make_janitor
from tests.league.world import QUIET, League
from tests.scenes import DAY, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
FOUR = ("Ada", "Bela", "Cora", "Dana")


@pytest.fixture
def league(db):
    league = League()
    league.enter(*FOUR)
    league.begin_season()
    league.go_to(league.season.begin_of_round(7))
    return league


def points(league, season=None):
    group = league.place("Ada", season).group
    return {row.place.mage.name: float(row.row.points) for row in read_table(group).rows}


def act(battle, league, **more):
    return {"battle": battle, "by": make_janitor(), "reason": "It was wrong.", "now": league.now, **more}


def test_an_annulled_duel_leaves_the_table_and_returns_when_that_is_undone(league):
    duel = league.duel("Ada", "Bela")
    league.win(duel, "Ada")
    league.run()
    assert points(league)["Ada"] == 1
    entry = annul_battle(**act(duel.battle, league))
    assert (points(league)["Ada"], league.again(duel).result) == (0, "none")
    undo_battle_entry(entry=entry, by=entry.by, reason="It was right.", now=league.now)
    assert points(league)["Ada"] == 1


def test_a_result_that_a_janitor_sets_counts_in_the_table(league):
    duel = league.duel("Ada", "Bela")
    league.win(duel, "Ada")
    league.run()
    set_result(**act(duel.battle, league, winners=["Bela"], dead=[]))
    assert (points(league)["Ada"], points(league)["Bela"]) == (0, 1)


def test_a_duel_that_is_rewound_is_undecided_until_it_ends_again(league):
    duel = league.duel("Ada", "Bela")
    league.win(duel, "Ada")
    league.run()
    rewind_battle(**act(duel.battle, league, seq=1, without_consent="They are both away."))
    again = league.again(duel)
    assert (again.result, again.decided_at, points(league)["Ada"]) == ("", None, 0)
    league.now += DAY
    league.win(again, "Bela")
    league.run()
    assert points(league) == {"Ada": 0, "Bela": 1, "Cora": 0, "Dana": 0}


def test_a_correction_after_the_season_changes_ranks_and_after_the_next_draw_nothing_else(league):
    season = league.season
    for pairing in Pairing.objects.filter(decided_at=None, second__isnull=False):
        league.draw(pairing)
    league.go_to(season.ends_at)
    assert league.place("Dana", season).rank == 4
    set_result(**act(league.duel("Cora", "Dana", season).battle, league, winners=["Dana"], dead=[]))
    assert (league.place("Dana", season).rank, league.place("Cora", season).rank) == (1, 4)
    assert set(Place.objects.values_list("movement", flat=True)) == {"stay"}


def test_a_duel_settled_by_time_and_annulled_by_a_janitor_counts_for_nobody(league):
    duel = league.duel("Ada", "Bela")
    season = league.season
    league.go_to(season.ends_at)
    assert league.again(duel).decided_by == "time"
    annul_battle(**act(league.again(duel).battle, league))
    assert (league.again(duel).result, league.again(duel).decided_by) == ("none", "battle")


@pytest.mark.parametrize("act_of_janitor", [annul_battle, set_result])
def test_if_a_janitor_s_act_is_undone_a_duel_is_settled_by_time_again(league, act_of_janitor):
    duel, season = league.duel("Ada", "Bela"), league.season
    league.go_to(season.ends_at)
    before = league.again(duel)
    assert (before.result, before.decided_by) == ("draw", "time")
    more = {"winners": [duel.second.mage.name], "dead": []} if act_of_janitor is set_result else {}
    entry = act_of_janitor(**act(before.battle, league, **more))
    changed = league.again(duel)
    assert (changed.result, changed.decided_by) == ("second" if more else "none", "battle")
    rate_battles(kind="duel")
    assert RatingEntry.objects.filter(battle=before.battle.number).count() == (2 if more else 0)
    undo_battle_entry(entry=entry, by=entry.by, reason="It was right.", now=league.now)
    league.run()
    after = league.again(duel)
    assert (after.result, after.decided_by) == ("draw", "time")


def test_a_result_that_a_janitor_sets_counts_for_a_duel_lost_by_leaving_until_it_is_undone(league):
    season = league.season
    for pairing in league.duels_of("Ada"):
        if pairing.second_id and pairing.decided_at is None and pairing != league.duel("Ada", "Bela"):
            league.draw(league.again(pairing))
    league.run()
    duel = league.duel("Ada", "Bela")
    leave(user=league.user("Ada"), at_once=True, now=league.now)
    lost = league.again(duel)
    assert lost.decided_by == "left" and points(league, season)["Bela"] == 1
    entry = set_result(**act(duel.battle, league, winners=["Ada"], dead=[]))
    league.run()
    assert (points(league, season)["Ada"], points(league, season)["Bela"]) == (2, 0)
    undo_battle_entry(entry=entry, by=entry.by, reason="It was right.", now=league.now)
    after = league.again(duel)
    assert (after.result, after.decided_by) == (lost.result, "left") and points(league, season)["Bela"] == 1


def test_a_stuck_duel_does_not_keep_a_season_from_ending(league):
    season, duel = league.season, league.duel("Ada", "Bela")
    duel.battle.status, duel.battle.stuck_reference = "stuck", "abc"
    duel.battle.save()
    league.go_to(season.ends_at)
    season.refresh_from_db()
    assert season.closed_at == season.ends_at
    assert league.again(duel).battle.status == "finished"


def test_janitors_see_who_shares_a_device_or_network_in_one_league_before_they_meet(league):
    for name, address, device in (("Ada", "192.0.2.7", "one"), ("Bela", "192.0.2.8", "two"), ("Cora", "", "two")):
        record_traces(user=league.user(name), address=address, device=device, now=league.now)
    stranger = make_mage("Zeke").user
    record_traces(user=stranger, address="192.0.2.7", device="two", now=league.now)
    assert watch_pairs(now=league.now) == 2
    found = {(row.one, row.other): (row.same_device, row.same_network) for row in PairWatch.objects.all()}
    ada, bela, cora = (league.user(name) for name in ("Ada", "Bela", "Cora"))
    assert found == {(ada, bela): (False, True), (bela, cora): (True, False)}
    # Nobody is punished.
    league.run()
    assert Place.objects.filter(left_at=None).count() == 4
    league.go_to(league.season.ends_at)
    assert watch_pairs(now=league.now) == 0


def test_of_two_merged_accounts_in_two_leagues_the_higher_place_stays(db):
    league = League()
    league.enter(*FOUR, "Edda", "Fred", "Gero", "Hilda", "Iris")
    league.begin_season()
    kept, merged = league.user("Iris"), league.user("Ada")
    assert (league.tier("Ada"), league.tier("Iris")) == (1, 2)
    merge_users(kept=kept, merged=merged, by=make_janitor(), reason="One person.", now=league.now)
    league.run()
    places = Place.objects.filter(user=kept).order_by("group__tier")
    assert [place.left_for for place in places] == ["", "account"]
    assert Entry.objects.filter(user=kept, left_at=None).exists()


def test_a_draw_that_both_agree_on_is_a_draw_in_the_table(league):
    duel = league.duel("Ada", "Bela")
    for _turn in range(4):
        league.play(duel, QUIET, QUIET)
    first, second = league.again(duel).battle.combatants.order_by("position")
    offer_draw(combatant=first, now=league.now)
    accept_draw(combatant=second, now=league.now)
    league.run()
    assert (league.again(duel).result, league.again(duel).decided_by) == ("draw", "battle")


def test_of_two_merged_accounts_one_place_stays(league):
    janitor = make_janitor()
    merge_users(kept=league.user("Ada"), merged=league.user("Bela"), by=janitor, reason="One person.", now=league.now)
    league.run()
    places = Place.objects.filter(left_at=None)
    assert sorted(place.user.username for place in places) == ["Ada_user", "Cora_user", "Dana_user"]
    assert Entry.objects.filter(left_at=None).count() == 3
