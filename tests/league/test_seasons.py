"""A season of the league, by its services: the draw, rounds, absence, leaving, stalling, and the next season."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block
from accounts.services.leave import retire_free_mage
from accounts.services.mages import kill_mage, register_mage
from accounts.services.vacations import start_vacation
from duels.selectors.time_used import read_times_used
from duels.terms import Terms
from league.errors import LeagueRefused
from league.models import Entry, Pairing, Place, Season
from league.selectors.seasons import list_entrants_apart_from, read_sign_up
from league.selectors.tables import read_table, read_tables
from league.services.entries import choose_mage, leave, sign_up, wish_bank
from league.services.run import process_league
from league.tasks import run_league
from moderation.services.reports import suspend_user
from operations.models import Heartbeat
from tests.duels.janitors import make_janitor
from tests.league.world import QUIET, League
from tests.scenes import DAY, HOUR, NOW, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WEEK = 7 * DAY
FOUR = ("Ada", "Bela", "Cora", "Dana")
EIGHT = (*FOUR, "Edda", "Fred", "Gero", "Hilda")


@pytest.fixture
def league(db):
    return League()


def begun(league, *names):
    league.enter(*names)
    league.begin_season()
    return league


def test_a_season_waits_a_week_at_a_time_until_there_are_four_entrants(league):
    league.enter(*FOUR[:3])
    league.run()
    first = league.season.begins_at
    assert (first.weekday(), first - NOW > WEEK) == (0, True)
    league.go_to(first)
    assert (league.season.begins_at, league.season.weeks_waited) == (first + WEEK, 1)
    assert (league.season.drawn_at, read_sign_up().missing) == (None, 1)
    league.enter("Dana")
    league.go_to(first + WEEK, step=DAY)
    assert league.season.round == 1
    assert Place.objects.count() == 4


def test_everybody_meets_everybody_and_a_new_duel_begins_each_week(league):
    begun(league, *EIGHT)
    assert Pairing.objects.filter(battle__isnull=False).count() == 4
    for number in range(2, 8):
        league.begin_round(number)
        league.run()
        assert Pairing.objects.filter(battle__isnull=False).count() == 4 * number
    pairs = [frozenset((each.first_id, each.second_id)) for each in Pairing.objects.all()]
    assert len(set(pairs)) == len(pairs) == 28
    firsts = [place.pairings_as_first.count() for place in Place.objects.all()]
    assert set(firsts) == {3, 4}
    terms = Terms.from_json(Pairing.objects.first().battle.terms)
    assert (terms.stakes, terms.pace, terms.chat) == ("league", "day", True)


def test_a_pair_has_a_time_bank_if_both_want_it_before_round_one(league):
    league.enter(*FOUR)
    league.run()
    league.go_to(league.season.draws_at)
    for one, other, wishes in (("Ada", "Bela", True), ("Cora", "Dana", False), ("Ada", "Cora", True)):
        duel = league.duel(one, other)
        wish_bank(user=league.user(one), pairing=duel.pk, wishes=True, now=league.now)
        wish_bank(user=league.user(other), pairing=duel.pk, wishes=wishes, now=league.now)
    with pytest.raises(LeagueRefused):
        wish_bank(user=league.user("Dana"), pairing=league.duel("Ada", "Bela").pk, wishes=True, now=league.now)
    league.begin_season()
    with pytest.raises(LeagueRefused):
        wish_bank(user=league.user("Ada"), pairing=league.duel("Ada", "Bela").pk, wishes=False, now=league.now)
    league.go_to(league.season.begin_of_round(7))
    paces = {pair: league.duel(*pair).battle.terms["pace"] for pair in (("Ada", "Bela"), ("Cora", "Dana"))}
    assert paces == {("Ada", "Bela"): "bank", ("Cora", "Dana"): "day"}


def test_newcomers_take_free_places_until_round_three_begins(league):
    begun(league, *FOUR)
    league.begin_round(2)
    (entry,) = league.enter("Edda")
    place = league.place("Edda")
    assert (place.joined_in_round, place.slot) == (3, 3)
    duels = [league.duel("Edda", name) for name in FOUR if has_duel(league, "Edda", name)]
    assert all(each.round >= 3 and each.battle is None for each in duels)
    league.begin_round(3)
    assert {each.battle is not None for each in Pairing.objects.filter(round=3, second__isnull=False)} == {True}
    # It would have met slot 1 in round 2, which has begun.
    assert len(duels) == 3
    league.enter("Fred")
    assert Place.objects.filter(user=league.user("Fred")).count() == 0
    assert entry.left_at is None


def has_duel(league, one, other):
    try:
        return bool(league.duel(one, other))
    except LookupError:
        return False


def test_someone_who_signs_up_again_gets_no_second_place_in_the_season(league):
    begun(league, *FOUR)
    leave(user=league.user("Ada"), at_once=True, now=league.now)
    sign_up(user=league.user("Ada"), mage=league.mages["Ada"], now=league.now)
    assert Place.objects.filter(user=league.user("Ada")).count() == 1


def test_leaving_before_the_draw_and_before_round_one_leaves_nothing_behind(league):
    league.enter(*FOUR, "Edda", "Fred")
    league.run()
    leave(user=league.user("Fred"), at_once=True, now=league.now)
    league.go_to(league.season.draws_at)
    assert Place.objects.count() == 5
    leave(user=league.user("Ada"), at_once=True, now=league.now)
    assert not Place.objects.filter(user=league.user("Ada")).exists()
    league.begin_season()
    assert Pairing.objects.filter(decided_by="bye").exists()
    (entry,) = league.enter("Gero")
    # Ada's place is free again.
    assert league.place("Gero").slot == 1
    assert entry.left_at is None


def test_leaving_before_half_takes_all_results_out_of_the_table(league):
    begun(league, *FOUR)
    league.go_to(league.season.begin_of_round(7))
    league.win(league.duel("Ada", "Bela"), "Ada")
    league.run()
    leave(user=league.user("Ada"), at_once=True, now=league.now)
    place = league.place("Ada")
    assert (place.left_for, place.is_void) == ("left", True)
    running = league.duel("Ada", "Cora")
    assert (running.result, running.decided_by, running.battle.is_over) == ("none", "left", True)
    table = read_table(place.group)
    assert {row.place.user.username: row.row.points for row in table.rows}["Bela_user"] == 0
    assert table.rows[-1].place == place and table.rows[-1].rank is None
    league.run()
    assert league.season.round == 7


def test_leaving_after_half_loses_the_rest_without_play(league):
    begun(league, *FOUR)
    league.go_to(league.season.begin_of_round(7))
    league.win(league.duel("Ada", "Bela"), "Ada")
    league.draw(league.duel("Ada", "Cora"))
    league.run()
    leave(user=league.user("Ada"), at_once=True, now=league.now)
    duel = league.duel("Ada", "Dana")
    dana = league.place("Dana")
    assert (duel.decided_by, duel.result == "first", duel.battle.is_over) == ("left", duel.first_id == dana.pk, True)
    points = {row.place.user.username: row.row.points for row in read_table(dana.group).rows}
    assert points == {"Ada_user": 1.5, "Bela_user": 0, "Cora_user": 0.5, "Dana_user": 1}


def test_leaving_after_the_season_keeps_the_place_until_it_ends(league):
    begun(league, *FOUR, "Edda")
    entry = leave(user=league.user("Ada"), at_once=False, now=league.now)
    assert entry.left_for == "left"
    assert league.place("Ada").left_at is None
    league.go_to(league.season.ends_at)
    league.begin_season()
    assert (Season.objects.count(), league.season.groups.get().places.count()) == (2, 4)


def test_two_forfeited_duels_cost_the_place_and_final_notices_are_only_late_turns(league):
    begun(league, *FOUR)
    season, ada = league.season, league.place("Ada")
    mine = [each for each in Pairing.objects.filter(second__isnull=False) if ada.pk in (each.first_id, each.second_id)]
    first, second, third = sorted(mine, key=lambda each: each.round)
    league.go_to(season.begin_of_round(first.round))
    league.order(league.again(first), league.other(first, "Ada"), QUIET)
    league.go_to(league.now + 20 * HOUR, step=HOUR, clocks=True)
    # The final notice has been sent; she answers in time.
    league.order(league.again(first), ada, QUIET)
    league.win(first, "Ada")
    league.run()
    late = league.again(first)
    assert (late.first_late, late.second_late) == ((1, 0) if late.first_id == ada.pk else (0, 1))
    for missed in (second, third):
        assert league.place("Ada").left_at is None
        league.go_to(season.begin_of_round(missed.round))
        league.order(league.again(missed), league.other(missed, "Ada"), QUIET)
        league.go_to(league.now + 2 * DAY, step=DAY, clocks=True)
        missed = league.again(missed)
        assert (missed.decided_by, missed.result == "second") == ("forfeit", missed.first_id == ada.pk)
    ada = league.place("Ada")
    # Three of three duels were finished.
    assert (ada.left_for, ada.is_void) == ("forfeits", False)
    assert Entry.objects.get(user=ada.user).left_for == "forfeits"


def test_a_mage_who_dies_elsewhere_is_followed_by_the_one_named_or_the_most_active_one(league):
    begun(league, *FOUR)
    ada = league.user("Ada")
    running = list(Pairing.objects.filter(battle__isnull=False))
    later, other = (register_mage(user=ada, name=name, now=league.now) for name in ("Aida", "Alda"))
    later.last_active_at = league.now + HOUR
    later.save()
    kill_mage(mage=league.mages["Ada"], now=league.now)
    league.begin_round(2)
    league.go_to(league.season.begin_of_round(7))
    names = {mage.name for each in Pairing.objects.filter(battle__isnull=False) for mage in fighters(each, ada)}
    begun_before = {mage.name for each in running for mage in fighters(each, ada)}
    assert names - begun_before == {"Aida"}
    assert league.place("Ada").mage == later
    choose_mage(user=ada, mage=other, now=league.now)
    assert league.place("Ada").mage == other
    with pytest.raises(LeagueRefused):
        choose_mage(user=ada, mage=league.mages["Ada"], now=league.now)
    with pytest.raises(LeagueRefused):
        choose_mage(user=ada, mage=league.mages["Bela"], now=league.now)


def fighters(pairing, user):
    return [each.mage for each in pairing.battle.combatants.all() if each.mage.user_id == user.pk]


def test_a_round_waits_a_week_for_a_user_without_a_living_mage_and_then_they_lose(league):
    begun(league, *FOUR)
    kill_mage(mage=league.mages["Ada"], now=league.now)
    mine = Pairing.objects.filter(second__isnull=False, battle=None).filter(group__places__user=league.user("Ada"))
    mine = [each for each in mine.distinct() if league.place("Ada").pk in (each.first_id, each.second_id)]
    first = min(mine, key=lambda each: each.round)
    league.begin_round(first.round)
    league.go_to(league.now + 6 * DAY)
    first.refresh_from_db()
    assert (first.battle, first.decided_by) == (None, "")
    register_mage(user=league.user("Ada"), name="Aida", now=league.now)
    league.run()
    first.refresh_from_db()
    assert first.battle is not None
    kill_mage(mage=fighters(first, league.user("Ada"))[0], now=league.now)
    second = min((each for each in mine if each.pk != first.pk), key=lambda each: each.round)
    league.go_to(league.season.begin_of_round(second.round) + WEEK, step=DAY)
    second.refresh_from_db()
    assert (second.battle, second.decided_by) == (None, "absent")
    assert (second.result == "first") == (second.second_id == league.place("Ada").pk)


def test_blocked_pairs_meet_without_talk_and_are_told_so(league):
    league.enter(*FOUR)
    Block.objects.create(user=league.user("Ada"), blocked=league.user("Bela"), created_at=NOW)
    assert list_entrants_apart_from(league.user("Bela")) == [league.user("Ada")]
    league.run()
    league.begin_season()
    league.go_to(league.season.begin_of_round(7))
    assert league.duel("Ada", "Bela").battle.terms["chat"] is False
    assert league.duel("Ada", "Cora").battle.terms["chat"] is True


def test_a_closed_or_suspended_account_leaves(league):
    begun(league, *FOUR)
    ada, bela = league.user("Ada"), league.user("Bela")
    ada.is_active = False
    ada.save()
    suspend_user(user=bela, by=make_janitor(), reason="Rude.", ends_at=league.now + DAY, now=league.now)
    league.run()
    for name, user in (("Ada", ada), ("Bela", bela)):
        assert (league.place(name).left_for, league.place(name).is_void) == ("account", True)
        assert Entry.objects.get(user=user).left_for == "account"
    with pytest.raises(LeagueRefused):
        sign_up(user=bela, mage=league.mages["Bela"], now=league.now)


def test_a_duel_of_someone_on_vacation_begins_and_their_clock_rests(league):
    begun(league, *FOUR)
    ada = league.user("Ada")
    mine = list(Pairing.objects.filter(battle=None, second__isnull=False).order_by("round"))
    first = next(each for each in mine if league.place("Ada").pk in (each.first_id, each.second_id))
    league.go_to(league.season.begin_of_round(first.round) - DAY)
    start_vacation(user=ada, days=10, now=league.now)
    league.go_to(league.season.begin_of_round(first.round))
    duel = league.again(first)
    league.order(duel, league.other(duel, "Ada"), QUIET)
    league.go_to(league.now + 6 * DAY, step=DAY, clocks=True)
    assert (duel.battle.is_over, league.again(first).decided_by) == (False, "")
    number = duel.battle.number
    assert set(read_times_used([number], league.now)[number].values()) == {timedelta(0)}


def test_a_worker_whose_clock_may_be_wrong_begins_nothing(league):
    league.enter(*FOUR)
    league.run()
    Heartbeat.objects.create(part=Heartbeat.Part.BEAT, beat_at=timezone.now() - 10 * DAY)
    Season.objects.update(begins_at=timezone.now() + DAY)
    assert run_league() == 0
    assert league.season.drawn_at is None
    Heartbeat.objects.update(beat_at=timezone.now())
    assert run_league() == 1
    assert league.season.drawn_at is not None


def test_whoever_enters_while_the_groups_are_drawn_gets_a_free_place_from_the_next_run(league):
    league.enter(*FOUR)
    league.run()
    league.go_to(league.season.draws_at)
    mage = make_mage("Edda")
    Entry.objects.create(user=mage.user, mage=mage, signed_up_at=league.now)
    league.run()
    assert Place.objects.get(user=mage.user).joined_in_round == 1


def test_a_retired_mage_comes_back_when_their_user_names_them(league):
    begun(league, *FOUR)
    other = register_mage(user=league.user("Ada"), name="Aida", now=league.now)
    retire_free_mage(mage=other, now=league.now)
    choose_mage(user=league.user("Ada"), mage=other, now=league.now)
    other.refresh_from_db()
    assert not other.is_retired


def test_workers_that_run_late_or_twice_begin_nothing_twice_and_give_each_round_its_week(league):
    begun(league, *FOUR)
    begins_at = league.season.begins_at
    assert process_league(now=league.now) == 0
    league.now = league.season.begin_of_round(2) + 3 * DAY + HOUR
    league.run()
    season = league.season
    assert (season.round, season.begins_at, season.begin_of_round(3)) == (2, begins_at + 3 * DAY, begins_at + 17 * DAY)
    assert process_league(now=league.now) == 0


def test_nobody_enters_who_may_not(league):
    mage = make_mage("Ada")
    guest = make_user("Guesty")
    guest.is_guest = True
    guest.save()
    for user, code in ((guest, "guest"), (make_user("Bela"), "not_your_mage")):
        with pytest.raises(LeagueRefused) as refused:
            sign_up(user=user, mage=mage, now=NOW)
        assert refused.value.code == code
    sign_up(user=mage.user, mage=mage, now=NOW)
    with pytest.raises(LeagueRefused) as refused:
        sign_up(user=mage.user, mage=mage, now=NOW)
    assert refused.value.code == "already_in"


def test_a_duel_begins_with_few_statements_and_nothing_else_grows_with_their_number(league):
    league.enter(*EIGHT, *(f"Mage{letter}" for letter in "abcdefgh"))
    league.run()
    league.go_to(league.season.draws_at)
    league.now = league.season.begins_at
    with CaptureQueriesContext(connection) as queries:
        league.run()
    assert Pairing.objects.filter(battle__isnull=False).count() == 8
    assert len(queries) <= 8 * 42 + 25


def test_tables_take_as_many_queries_for_one_group_as_for_many(league, django_assert_num_queries):
    league.enter(*EIGHT, "Iris")
    season = league.begin_season()
    league.draw(Pairing.objects.filter(battle__isnull=False).last())
    league.run()
    group = season.groups.get(tier=1)
    with django_assert_num_queries(3):
        table = read_table(group)
        assert len(table.list_duels_of(table.rows[0].place)) == 7
        assert [str(row.place.mage) for row in table.rows] and [row.place.user.username for row in table.rows]
    with django_assert_num_queries(4):
        assert len(read_tables(season)) == 2
