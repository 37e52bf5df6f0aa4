"""Workers that are killed at any statement of an analysis, or are three at once: every turn is analysed, once."""

import random

import pytest

from duels.models import Battle
from studies.models import AnalysedTurn, Analysis
from studies.services.analyses import LEASE, analyse_next_turn, ask_for_analysis
from tests.races import at_once, count_statements, run_until_killed
from tests.scenes import NOW
from tests.services.plugin import LONG
from tests.studies.fights import fight_to_the_end

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shallow")]
KILLS = 40 if LONG else 4


def finish(now=NOW):
    while analyse_next_turn(now=now):
        pass


def read():
    facts = list(AnalysedTurn.objects.order_by("seq").values_list("seq", "facts"))
    return facts, Analysis.objects.get().summary, Analysis.objects.get().due_at


def ask(battle):
    Analysis.objects.all().delete()
    ask_for_analysis(battle=battle, user=battle.combatants.first().mage.user, now=NOW)


def test_every_turn_is_analysed_once_however_many_workers_run_or_are_killed():
    battle = Battle.objects.get(number=fight_to_the_end().number)
    ask(battle)
    statements = count_statements(finish)
    wanted = read()
    assert len(wanted[0]) == 5 and wanted[1]["decided"] == 5 and wanted[2] is None
    chance = random.Random("killed")
    for _kill in range(KILLS):
        ask(battle)
        at = chance.randint(1, statements)
        assert run_until_killed(finish, at=at)
        finish(NOW + 2 * LEASE)
        assert read() == wanted, at
    ask(battle)
    results = at_once(finish, finish, finish)
    assert not [result for result in results if isinstance(result, Exception)], results
    finish(NOW + 2 * LEASE)
    assert read() == wanted
