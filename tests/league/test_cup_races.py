"""Workers of cups that are killed anywhere, or run three at once, and people who join at the same moment: every duel
begins once, and no place is taken twice."""

import os
import random
from functools import partial

import pytest

from duels.models import Battle
from league.errors import CupRefused
from league.models import Cup, Pairing, Place
from league.services import cup_duels
from league.services.cup_places import join_cup
from league.services.evenings import TIME_TO_COME
from league.services.run_cups import advance_cup
from notifications.models import Notice
from tests.league.cups import DAY, MINUTE, arrive, begin, enter, find_game, finish, make_cup
from tests.races import at_once, run_until_killed, slow_down
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
KILLS = 40 if os.environ.get("FM_TEST_LONG") == "1" else 3
EIGHT = ("Ayla", "Borin", "Cade", "Dain", "Esme", "Finn", "Gala", "Hild")


def check():
    """Every battle belongs to one duel of the cup, and everyone was told of it once."""
    begun = Pairing.objects.filter(battle__isnull=False).count()
    assert Battle.objects.count() == begun
    assert Notice.objects.filter(kind="battle_started").count() == 2 * begun


def run_and_kill(act, chance):
    for _ in range(KILLS):
        run_until_killed(act, at=chance.randint(1, 120))
        check()
    while act():
        check()


def run_together(act, _chance):
    results = at_once(act, act, act)
    assert not [result for result in results if isinstance(result, Exception)], results
    while act():
        pass


@pytest.mark.parametrize("run", [run_and_kill, run_together])
def test_a_round_begins_once_however_its_workers_die_or_meet(run):
    chance = random.Random(run.__name__)
    knockout, evening, robin = make_cup(), make_cup(Cup.Kind.EVENING), make_cup(Cup.Kind.ROUND_ROBIN)
    enter(knockout, *EIGHT)
    enter(robin, "Bot1", "Bot2", "Bot3", "Bot4")
    for number, place in enumerate(knockout.places.select_related("mage__user")):
        join_cup(user=place.user, cup_id=evening.pk, mage=place.mage, now=NOW + number * MINUTE)
    for cup in (knockout, evening, robin):
        for moment in (cup.begins_at - DAY, cup.begins_at):
            run(partial(advance_cup, cup_id=cup.pk, now=moment), chance)
            check()
    assert (Battle.objects.count(), Notice.objects.filter(kind="cup_confirmed").count()) == (10, 20)
    for one, other in (("Ayla", "Hild"), ("Dain", "Esme")):
        finish(knockout, one, one, other, now=knockout.begins_at)
    run(partial(advance_cup, cup_id=knockout.pk, now=knockout.begins_at), chance)
    check()
    assert Battle.objects.count() == 11
    late = evening.begins_at + 6 * MINUTE
    run(partial(advance_cup, cup_id=evening.pk, now=late), chance)
    assert not evening.pairings.filter(decided_at=None).exists()
    for winner, loser in (("Bot1", "Bot4"), ("Bot2", "Bot3")):
        finish(robin, winner, winner, loser, now=robin.begins_at)
    for moment in (robin.begins_at, robin.begins_at + 10 * MINUTE):
        run(partial(advance_cup, cup_id=robin.pk, now=moment), chance)
    robin.refresh_from_db()
    assert (robin.round, robin.pairings.count(), Battle.objects.count()) == (2, 4, 13)


def test_people_who_join_together_take_no_place_twice():
    cup = make_cup(size=3)
    mages = [make_mage(name) for name in EIGHT]
    results = at_once(*[partial(join_cup, user=mage.user, cup_id=cup.pk, mage=mage, now=NOW) for mage in mages])
    assert sum(isinstance(result, Place) for result in results) == cup.places.count() == 3
    assert sum(isinstance(result, CupRefused) for result in results) == 5


def test_who_arrives_as_the_time_to_come_ends_does_not_lose_as_absent(monkeypatch):
    """Either they are in time, or they are not here."""
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *EIGHT[:6])
    cup = begin(cup)
    end = cup.begins_at + TIME_TO_COME
    monkeypatch.setattr(cup_duels, "end_for_event", slow_down(cup_duels.end_for_event))
    results = at_once(
        partial(advance_cup, cup_id=cup.pk, now=end),
        slow_down(partial(arrive, cup, "Ayla", now=end), 0.3),
    )
    assert not [result for result in results if isinstance(result, Exception)], results
    game = find_game(cup, "Ayla")
    is_here = game.battle.combatants.get(mage__name="Ayla").is_here
    assert (game.result == Pairing.Result.NONE) != is_here
