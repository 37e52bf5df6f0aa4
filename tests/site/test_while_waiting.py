"""Home of someone with nothing to do: who is choosing, and what to do meanwhile."""

from datetime import date

import pytest

from duels.models import Battle
from duels.selectors.battle_lists import list_own_battles
from fm_site.pages.while_waiting import list_pastimes
from studies.models import AnalysedTurn, Analysis, DailyTry, Puzzle
from studies.selectors.learning import read_learning
from studies.selectors.puzzle_streak import show_streak
from studies.selectors.puzzles import find_daily_puzzle, recall_daily_puzzle
from studies.services.progress import record_puzzle_try
from tests.duels.fights import start_fight
from tests.scenes import DAY, NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    """A user whose duel is over and seen, and who has sent orders in another."""
    user = make_user("Anna")
    fight = start_fight(make_mage("Emberlin", user), make_mage("Ottokar"))
    fight.turn("P/P", "-/-")
    log_in(user).get(f"/battles/{fight.number}/")
    return user


def offers(user, **more):
    found = {
        "puzzle": recall_daily_puzzle(today=NOW.date()),
        "streak": show_streak(read_learning(user).first_tries, now=NOW),
    }
    return list_pastimes(user, **{"playing": (), "finished": (), "now": NOW, **found, **more})


def test_the_puzzle_of_the_day_is_offered_until_it_is_tried(anna):
    Puzzle.objects.create(key="a", kind="win", mage="M", state={}, added_on=date(2020, 1, 1))
    (puzzle,) = offers(anna)
    assert (puzzle.title, puzzle.words, puzzle.button) == ("Win this turn", "Puzzle of the day.", "Solve")
    daily = find_daily_puzzle(today=NOW.date())
    record_puzzle_try(user=anna, puzzle=daily, solved=True, now=NOW - DAY)
    assert "Solve it to reach 2 days in a row." in offers(anna)[0].words
    record_puzzle_try(user=anna, puzzle=daily, solved=False, now=NOW)
    assert offers(anna) == []
    DailyTry.objects.all().delete()
    page = log_in(anna).get("/").text
    assert "While you wait" in page and "Win this turn" in page


def test_a_live_battle_of_others_is_offered_never_ones_own(anna):
    fight = start_fight(make_mage("Wanda"), make_mage("Crom"), pace="live3")
    (watch,) = offers(anna)
    assert (watch.title, watch.words, watch.url) == ("Wanda against Crom", "Live, turn 1.", f"/battles/{fight.number}/")
    assert offers(anna, playing={fight.number}) == []


def test_home_names_who_is_choosing(anna):
    fight = start_fight(make_mage("Quillon", anna), make_mage("Marrowick"))
    fight.order("Quillon", "LH W\nRH W")
    page = log_in(anna).get("/").text
    assert "Nothing is waiting for you" in page and "Marrowick is choosing." in page


def test_someone_who_has_something_to_do_is_offered_no_pastime(anna):
    Puzzle.objects.create(key="a", kind="win", mage="M", state={}, added_on=date(2020, 1, 1))
    start_fight(make_mage("Quillon", anna), make_mage("Marrowick"))
    assert "While you wait" not in log_in(anna).get("/").text


def test_the_last_battle_with_a_deciding_turn_is_offered_to_study(anna):
    finished = list_own_battles(anna, finished=5).finished
    assert offers(anna, finished=finished) == [], "there is no analysis yet"
    battle = Battle.objects.get(number=finished[0].number)
    done = {"total": 1, "done_at": NOW, "created_at": NOW, "ended_at": battle.finished_at}
    analysis = Analysis.objects.create(battle=battle, summary={"decided": 1}, **done)
    AnalysedTurn.objects.create(analysis=analysis, seq=1, facts={"label": "1"})
    (study,) = offers(anna, finished=finished)
    assert study.title == f"Turn 1 decided Duel {battle.number}"
    assert study.url == f"/battles/{battle.number}/analysis/"
    Analysis.objects.update(summary={"failed": True})
    assert offers(anna, finished=finished) == []
