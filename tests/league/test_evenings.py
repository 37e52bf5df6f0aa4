"""Live evenings, from the first round to the table."""

from datetime import timedelta

import pytest

from duels.models import Battle, OrderSheet
from duels.services.bot_orders import give_bot_orders
from duels.services.clocks.deadlines import process_deadlines
from league.cup_words import tell_of_cup
from league.models import Cup, Pairing, Place
from league.selectors.cups import list_past_cups, list_places_won
from league.selectors.evening_tables import ROUND_TIME, rank_evening
from league.services.cup_places import leave_cup
from league.services.evenings import BREAK, TIME_TO_COME
from league.services.run_cups import advance_cup
from moderation.services.battles.change_clocks import pause_for_janitor, resume_for_janitor
from moderation.services.battles.set_result import set_result
from moderation.services.battles.undo import undo_battle_entry
from notifications.models import Notice
from operations.models import Outage, SitePolicy
from tests.bots import bring_bots
from tests.duels.janitors import make_janitor
from tests.league.cups import (
    DAY,
    MINUTE,
    arrive,
    begin,
    enter,
    find_game,
    find_place,
    finish,
    list_boards,
    list_names,
    make_cup,
    order,
    user_of,
)
from tests.scenes import NOW

pytestmark = pytest.mark.django_db
SIX = ("Ayla", "Borin", "Cade", "Dain", "Esme", "Finn")
PEOPLE = (*SIX, "Gala", "Hild", "Ivor", "Jora", "Kell", "Lena", "Moro", "Nils")
By = Pairing.DecidedBy


def list_open_games(cup, number):
    games = cup.pairings.filter(round=number, decided_at=None).order_by("board")
    return list(games.select_related("first__mage__user", "second__mage__user", "battle"))


def answer_for_bots(battle, now):
    sheets = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at=None, ready=False)
    for sheet in sheets.exclude(combatant__mage__user__bot_strength=""):
        give_bot_orders(sheet=sheet, now=now)


def list_bots(pairing):
    return [place.mage.name for place in (pairing.first, pairing.second) if place and place.user.is_bot]


def make_own_table(cup):
    """Return who is where with how many points, from the results alone and without the code under test."""
    names = list(cup.places.order_by("signed_up_at", "pk").values_list("mage__name", flat=True))
    played = {name: [] for name in names}
    for first, second, result in cup.pairings.values_list("first__mage__name", "second__mage__name", "result"):
        score = {"first": (1, 0), "second": (0, 1), "draw": (0.5, 0.5), "none": (0, 0)}[result]
        played[first].append((second, score[0]))
        if second:
            played[second].append((first, score[1]))
    points = {name: sum(score for _, score in games) for name, games in played.items()}

    def key(name):
        met = [(other, score) for other, score in played[name] if other]
        left = find_place(cup, name).left_at is not None
        strength = sum(points[other] for other, _ in met)
        return (left, -points[name], -strength, -sum(points[other] * score for other, score in met), names.index(name))

    return [(name, points[name]) for name in sorted(names, key=key)]


def test_an_evening_of_sixteen_people_and_bots_comes_to_its_table():
    """Nils misses two games, Moro one, Kell takes all the time, Cade and Dain draw, and the bots fill two places."""
    bring_bots(now=NOW)
    SitePolicy.objects.create(evening_bots=2, set_by=make_janitor(), set_at=NOW, why="More to meet")
    cup = make_cup(Cup.Kind.EVENING, has_bots=True)
    enter(cup, *PEOPLE)
    cup = begin(cup)
    assert cup.places.filter(user__is_bot=True).count() == 2
    now = cup.begins_at
    stalled = drawn = False
    for number in (1, 2, 3, 4):
        advance_cup(cup_id=cup.pk, now=now)
        cup.refresh_from_db()
        assert (cup.round, cup.round_began_at) == (number, now)
        for game in list_open_games(cup, number):
            bots = list_bots(game)
            people = [name for name in list_names(game) if name not in bots]
            here = [name for name in people if name != "Nils" and (name, number) != ("Moro", 1)]
            arrive(cup, *here, now=now + MINUTE)
            if len(here) < len(people) or len(bots) == 2:
                continue
            if bots:
                answer_for_bots(game.battle, now + MINUTE)
                order(game.battle, people[0], "P/P", now + 2 * MINUTE)
            elif "Kell" in people and not stalled:
                order(game.battle, next(name for name in people if name != "Kell"), "W/S", now + 2 * MINUTE)
                stalled = True
            elif not drawn and number == 2:
                finish(cup, None, *people, now=now + 3 * MINUTE)
                drawn = True
            else:
                finish(cup, people[0], *people, now=now + 3 * MINUTE)
        advance_cup(cup_id=cup.pk, now=now + TIME_TO_COME - timedelta(seconds=1))
        assert not cup.pairings.filter(round=number, decided_by=By.ABSENT).exists()
        advance_cup(cup_id=cup.pk, now=now + TIME_TO_COME)
        advance_cup(cup_id=cup.pk, now=now + ROUND_TIME)
        advance_cup(cup_id=cup.pk, now=now + ROUND_TIME)
        assert not list_open_games(cup, number)
        cup.refresh_from_db()
        now = cup.round_began_at if cup.round > number else now + ROUND_TIME + BREAK
    assert cup.closed_at == cup.round_began_at + ROUND_TIME
    assert [len(list_boards(cup, number)) for number in (1, 2, 3, 4)] == [8, 8, 8, 8]
    met = [frozenset(pair) for number in (1, 2, 3, 4) for pair in list_boards(cup, number)]
    assert len(met) == len(set(met)), "nobody meets the same opponent twice"
    assert find_place(cup, "Nils").left_for == Place.LeftFor.ABSENT
    assert find_place(cup, "Moro").left_at is None
    assert cup.pairings.filter(decided_by=By.TIME).exclude(result="draw").count() == 1
    late = cup.pairings.get(decided_by=By.TIME, result__in=("first", "second"))
    loser = late.second if late.result == "first" else late.first
    assert loser.mage.name == "Kell"
    assert cup.pairings.filter(decided_by=By.BYE).count() == 2, "without Nils, one has a bye in each round"
    table = make_own_table(cup)
    assert [(line.place.mage.name, line.row.points) for line in rank_evening(cup)] == table
    assert list(cup.places.order_by("rank").values_list("mage__name", flat=True)) == [name for name, _ in table]
    assert Notice.objects.filter(kind="cup_over").count() == 13


def test_a_person_who_does_not_come_to_a_bot_loses_by_the_same_rule():
    bring_bots(now=NOW)
    SitePolicy.objects.create(evening_bots=2, set_by=make_janitor(), set_at=NOW, why="More to meet")
    cup = make_cup(Cup.Kind.EVENING, has_bots=True)
    enter(cup, *SIX)
    cup = begin(cup)
    game = next(game for game in list_open_games(cup, 1) if len(list_bots(game)) == 1)
    process_deadlines(battle_id=game.battle.pk, now=cup.begins_at + 4 * MINUTE)
    assert not Battle.objects.get(pk=game.battle.pk).is_over, "the clocks wait"
    advance_cup(cup_id=cup.pk, now=cup.begins_at + TIME_TO_COME)
    game.refresh_from_db()
    assert game.decided_by == By.ABSENT


def test_nobody_loses_for_not_coming_to_a_duel_that_is_paused():
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *SIX)
    cup = begin(cup)
    names = list_boards(cup, 1)[0]
    paused, late = find_game(cup, *names), find_game(cup, *list_boards(cup, 1)[1])
    details = {"battle": paused.battle, "by": make_janitor(), "reason": "a question of the rules"}
    pause_for_janitor(now=cup.begins_at + MINUTE / 2, **details)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 6 * MINUTE)
    resume_for_janitor(now=cup.begins_at + 7 * MINUTE, **details)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 11 * MINUTE)
    late.refresh_from_db()
    assert late.decided_by == By.ABSENT
    arrive(cup, *names, now=cup.begins_at + 11 * MINUTE)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 13 * MINUTE)
    paused.refresh_from_db()
    assert paused.decided_at is None


def test_a_late_worker_still_knows_who_came_and_who_did_not():
    """The battle itself was called off after ten minutes, before the cup's worker ran again."""
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *SIX)
    cup = begin(cup)
    arrive(cup, "Ayla", now=cup.begins_at + MINUTE)
    for battle in Battle.objects.all():
        process_deadlines(battle_id=battle.pk, now=cup.begins_at + 11 * MINUTE)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 12 * MINUTE)
    game = find_game(cup, "Ayla")
    assert (game.result, game.decided_by) == ("first", By.ABSENT)
    assert set(cup.pairings.exclude(pk=game.pk).values_list("result", "decided_by")) == {("none", By.ABSENT)}


def test_the_next_round_begins_when_all_are_done_after_a_break_and_only_once():
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *SIX)
    cup = begin(cup)
    done = cup.begins_at + 10 * MINUTE
    for game in list_open_games(cup, 1):
        finish(cup, list_names(game)[0], *list_names(game), now=done)
    advance_cup(cup_id=cup.pk, now=done)
    advance_cup(cup_id=cup.pk, now=done + BREAK - timedelta(seconds=1))
    assert Battle.objects.count() == 3
    for _ in range(2):
        advance_cup(cup_id=cup.pk, now=done + BREAK)
    assert Battle.objects.count() == 6
    assert list_boards(cup, 2) == [("Ayla", "Borin"), ("Cade", "Dain"), ("Esme", "Finn")]


def test_who_leaves_loses_the_running_game_and_meets_nobody_else():
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *SIX)
    cup = begin(cup)
    leave_cup(user=user_of("Ayla"), cup_id=cup.pk, now=cup.begins_at + MINUTE)
    assert (find_game(cup, "Ayla").result, find_game(cup, "Ayla").decided_by) == ("second", By.LEFT)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + ROUND_TIME)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + ROUND_TIME + BREAK)
    assert "Ayla" not in {name for pair in list_boards(cup, 2) for name in pair}


def test_an_evening_to_which_nobody_comes_has_no_winner():
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *SIX)
    begin(cup)
    for minute in range(15):
        advance_cup(cup_id=cup.pk, now=cup.begins_at + minute * MINUTE)
    check_that_nobody_won(cup)
    assert set(cup.places.values_list("left_for", flat=True)) == {Place.LeftFor.ABSENT}


def test_a_round_robin_that_all_have_left_has_no_winner():
    cup = make_cup(Cup.Kind.ROUND_ROBIN)
    bots = enter(cup, "Bot1", "Bot2", "Bot3", "Bot4")
    begin(cup)
    for mage in bots.values():
        leave_cup(user=mage.user, cup_id=cup.pk, now=cup.begins_at)
    advance_cup(cup_id=cup.pk, now=cup.begins_at)
    check_that_nobody_won(cup)


def check_that_nobody_won(cup):
    cup.refresh_from_db()
    assert cup.is_over and not cup.places.filter(rank=1).exists()
    assert [past.winner for past in list_past_cups(limit=3)] == [None]
    assert not any(list_places_won(place.user) for place in cup.places.all())
    assert not Notice.objects.filter(kind="cup_over").exists()


@pytest.mark.parametrize(
    ("kind", "late", "begins"),
    [
        (Cup.Kind.EVENING, 30 * MINUTE, True),
        (Cup.Kind.EVENING, 31 * MINUTE, False),
        (Cup.Kind.ROUND_ROBIN, 31 * MINUTE, False),
        (Cup.Kind.KNOCKOUT, 9 * 60 * MINUTE, True),
    ],
)
@pytest.mark.parametrize("is_confirmed", [True, False])
def test_a_live_cup_that_is_much_too_late_is_cancelled_instead_of_lost_by_all(kind, late, begins, is_confirmed):
    cup = make_cup(kind)
    enter(cup, *SIX)
    if is_confirmed:
        advance_cup(cup_id=cup.pk, now=cup.begins_at - DAY)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + late)
    cup.refresh_from_db()
    assert (cup.is_running, cup.is_cancelled, cup.was_too_late) == (begins, not begins, not begins)
    told = Notice.objects.filter(kind="cup_cancelled")
    assert told.count() == (0 if begins else 6)
    assert Notice.objects.filter(kind="cup_confirmed").exists() == (is_confirmed or begins)
    for notice in told:
        assert "cancelled: it could not begin in time." in tell_of_cup(notice.kind, notice.facts)


@pytest.mark.parametrize("by", [By.TIME, By.ABSENT, By.LEFT])
def test_a_janitors_result_counts_instead_of_what_a_rule_decided_until_it_is_undone(by):
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *SIX)
    cup = begin(cup)
    game = list_open_games(cup, 1)[0]
    for each in list_open_games(cup, 1):
        if each != game:
            finish(cup, list_names(each)[0], *list_names(each), now=cup.begins_at + MINUTE)
    if by == By.LEFT:
        leave_cup(user=game.second.user, cup_id=cup.pk, now=cup.begins_at + MINUTE)
    arrive(cup, game.first.mage.name, now=cup.begins_at + MINUTE)
    if by == By.TIME:
        arrive(cup, game.second.mage.name, now=cup.begins_at + MINUTE)
        order(game.battle, game.second.mage.name, "W/S", cup.begins_at + 2 * MINUTE)
    end = cup.begins_at + (ROUND_TIME if by == By.TIME else TIME_TO_COME)
    advance_cup(cup_id=cup.pk, now=end)
    ruled = find_game(cup, *list_names(game))
    assert ruled.decided_by == by
    winner, result = (game.first, "first") if ruled.result == "second" else (game.second, "second")
    janitor = make_janitor()
    entry = set_result(battle=game.battle, winners=[winner.mage.name], dead=[], by=janitor, reason="A fault", now=end)
    advance_cup(cup_id=cup.pk, now=end + MINUTE)
    game.refresh_from_db()
    assert (game.result, game.decided_by) == (result, By.BATTLE)
    undo_battle_entry(entry=entry, by=janitor, reason="It was right.", now=end + MINUTE)
    advance_cup(cup_id=cup.pk, now=end + 2 * MINUTE)
    game.refresh_from_db()
    assert (game.result, game.decided_by) == (ruled.result, by)


def test_an_outage_stops_an_evening_and_makes_its_round_longer():
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *SIX)
    cup = begin(cup)
    for game in list_open_games(cup, 1):
        arrive(cup, *list_names(game), now=cup.begins_at + MINUTE)
    outage = Outage.objects.create(
        part="site", started_at=cup.begins_at + 2 * MINUTE, ended_at=cup.begins_at + 22 * MINUTE
    )
    assert not advance_cup(cup_id=cup.pk, now=cup.begins_at + 60 * MINUTE), "until it is given back"
    Outage.objects.filter(pk=outage.pk).update(given_back_at=cup.begins_at + 23 * MINUTE)
    assert not advance_cup(cup_id=cup.pk, now=cup.begins_at + 54 * MINUTE)
    assert advance_cup(cup_id=cup.pk, now=cup.begins_at + 55 * MINUTE)
