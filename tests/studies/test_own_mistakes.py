"""A user's own mistakes, solved again on the board: only their own, only what they saw, and one a week at most once."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.users import create_user
from duels.models import Battle
from duels.selectors.battle_rows import read_battle_state
from notifications.models import Delivery, Notice
from notifications.services.preferences import set_preference
from rules_engine import write_state
from rules_engine.bots.findings import grade_of, percent
from rules_engine.bots.second_try import find_least_kept
from studies.models import AnalysedTurn, Analysis, OwnMistake
from studies.selectors.own_mistakes import begin_week, list_mistakes, read_position_before
from studies.services import own_mistakes
from studies.services.analyses import analyse_next_turn, ask_for_analysis
from studies.services.own_mistakes import choose_mistakes_of_week
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.services.saved_scenes import save_scene
from tests.studies.conftest import shallow_analyses
from tests.studies.fights import ENDED, fields, fight_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shallow")]


def fight_and_analyse():
    """Bung surrenders in turn 5, while nothing is lost."""
    made = fight_to_the_end()
    with shallow_analyses():
        analyse(made)
    return made


saved_analysis = save_scene(fight_and_analyse)


@pytest.fixture
def ended(db, saved_analysis):
    return saved_analysis.begin()


def analyse(fight):
    ask_for_analysis(battle=Battle.objects.get(number=fight.number), user=fight.user(fight.names[0]), now=NOW)
    while analyse_next_turn(now=NOW):
        pass


def facts_of(seq):
    return AnalysedTurn.objects.get(seq=seq).facts


def page_of(fight, seq=5):
    return f"/battles/{fight.number}/mistakes/{seq}/"


def orders(lines, **more):
    """The form of these order lines."""
    hands = {line[:2]: line[3:] for line in lines if line[:3] in ("LH ", "RH ")}
    others = [line for line in lines if line[:3] not in ("LH ", "RH ")]
    made = fields("\n".join([f"{hands['LH']}/{hands['RH']}", *others]), "Bung", confirmed="yes")
    return {**made, "stage": "5.0.0", **more}


def test_a_mistake_is_solved_by_a_move_that_keeps_enough_and_not_by_the_same_one(ended):
    bung, move = log_in(ended.user("Bung")), facts_of(5)["moves"]["Bung"]
    begin = bung.get(f"/battles/{ended.number}/mistakes/")
    assert begin.status_code == 302
    page = bung.get(page_of(ended)).content.decode()
    least = percent(find_least_kept(move))
    assert "Turn 5: find a better move" in page and f"Any move that keeps at least {least} counts." in page
    assert f"You played P/P and lost {round(100 * move['best'])} points of chance." in page
    again = bung.post(page_of(ended), orders(["LH P", "RH P"])).content.decode()
    assert "That keeps 0%. Try again." in again
    row = OwnMistake.objects.get(user=ended.user("Bung"), seq=5)
    assert (row.tried_at is None, row.solved_at, row.week) == (False, None, None)
    right = bung.post(page_of(ended), orders(move["better_orders"])).content.decode()
    assert f"That keeps {percent(move['best'])}." in right and "Back to the analysis" in right
    row.refresh_from_db()
    solved = row.solved_at
    bung.post(page_of(ended), orders(move["better_orders"]))
    row.refresh_from_db()
    assert solved is not None and row.solved_at == solved and OwnMistake.objects.filter(seq=5).count() == 1
    assert "✓" in bung.get(page_of(ended)).content.decode()


def test_the_answer_is_shown_only_when_it_is_asked_for(ended):
    bung = log_in(ended.user("Bung"))
    better = facts_of(5)["moves"]["Bung"]["better"]
    assert f"Best: {better}" not in bung.get(page_of(ended)).content.decode()
    assert not OwnMistake.objects.exists(), "looking is no try"
    page = bung.get(page_of(ended), {"answer": "1"}).content.decode()
    assert f"Best: {better}" in page and OwnMistake.objects.get().solved_at is None


def test_orders_that_cannot_be_played_and_previews_are_no_try(ended):
    bung = log_in(ended.user("Bung"))
    assert bung.post(page_of(ended), orders(["LH P", "RH Q"])).status_code == 422
    assert bung.post(page_of(ended), orders(["LH S", "RH W"], act="preview")).status_code == 200
    assert not OwnMistake.objects.exists()


def test_mistakes_are_solved_by_their_player_alone_and_after_the_end(ended):
    assert Client().get(page_of(ended))["Location"].startswith("/accounts/login/")
    shown = set()
    for who in (ended.user("Froodal"), ended.user("Bung"), make_user("Olga")):
        own = {each.seq for each in list_mistakes(battle=ended.battle, user=who)}
        answers = {seq: log_in(who).get(page_of(ended, seq)).status_code for seq in range(1, 6)}
        assert answers == {seq: 200 if seq in own else 409 for seq in range(1, 6)}
        shown.add(tuple(own))
    assert len(shown) == 3, "or one player's mistakes could be another's"
    running = start_fight(make_mage("Second"), make_mage("Third"))
    running.turn("S/W", "P/S")
    for path in (page_of(running, 1), f"/battles/{running.number}/mistakes/"):
        assert log_in(running.user("Second")).get(path).status_code == 409


def test_a_mistake_that_would_help_in_a_running_battle_is_withheld(ended):
    bung = ended.user("Bung")
    assert 5 in [each.seq for each in list_mistakes(battle=ended.battle, user=bung)]
    again = start_fight(make_mage("Second", bung), make_mage("Third"))
    again.turns([("P/S", "S/W"), ("W/S", "D/W"), ("D/F", ">/F"), ("S/W", "F/F")])
    assert 5 not in [each.seq for each in list_mistakes(battle=ended.battle, user=bung)]
    assert log_in(bung).get(page_of(ended)).status_code == 409


def test_the_page_shows_only_what_the_mage_saw():
    """Two worlds in which an invisible foe gestured otherwise: the pages are alike."""
    seen = []
    for foe, mage, gestures in (("Aroodal", "Aung", "D/F"), ("Broodal", "Bung", "S/W")):
        fight = start_fight(make_mage(foe), make_mage(mage))
        battle = Battle.objects.get(number=fight.number)
        state = read_battle_state(battle).copy()
        state.wizards[foe].marks["invisible"] = 5
        Battle.objects.filter(pk=battle.pk).update(state=write_state(state))
        fight.turns([(gestures, "P/W"), (gestures, "S/P")])
        fight.order(foe, "S/F", confirmed=True)
        fight.order(mage, "P/P", confirmed=True)
        analyse(fight)
        page = log_in(fight.user(mage)).get(page_of(fight, 3)).content.decode()
        assert "find a better move" in page
        for name, plain in ((page_of(fight, 3), "/here/"), (foe, "Foe"), (mage, "Me"), (str(fight.battle), "Duel")):
            page = page.replace(name, plain)
        page = page.split('id="battle"')[1].replace(f"mistake-{fight.number}-", "mistake-")
        # Arms are drawn from names.
        page = re.sub(r"<symbol id=.arms-.*?</symbol>|#arms-[\w-]+", "", page)
        # Guesses of what is hidden depend on names; tests of the engine prove that they depend on nothing hidden.
        page = re.sub(r"(lost|least) [0-9]+", r"\1", page)
        seen.append(re.sub(r"battles/[0-9]+|token\" value=\"[^\"]+", "", page))
    assert seen[0] == seen[1]


def test_one_mistake_a_week_is_chosen_and_emailed_to_those_who_want_it():
    froodal, bung = (
        create_user(name=name, email=f"{name}@example.org", now=NOW, email_verified=True) for name in ("anna", "ben")
    )
    ended = start_fight(make_mage("Froodal", froodal), make_mage("Bung", bung))
    for mine, theirs in ENDED:
        ended.order("Froodal", mine, confirmed=True)
        ended.order("Bung", theirs, confirmed=True)
    analyse(ended)
    set_preference(user=bung, key="mail_puzzles", value="yes")
    Battle.objects.update(finished_at=NOW)
    Analysis.objects.update(ended_at=NOW)
    choose_mistakes_of_week(now=NOW, seconds=60)
    row = OwnMistake.objects.get(user=bung)
    assert (row.seq, row.week) == (5, begin_week(NOW.date()))
    notice = Notice.objects.get(kind="own_puzzle")
    assert (notice.user_id, notice.facts["turn"], notice.facts["gestures"]) == (bung.pk, "5", "P/P")
    assert Delivery.objects.filter(notice=notice).exists()
    choose_mistakes_of_week(now=NOW, seconds=60)
    choose_mistakes_of_week(now=NOW + timedelta(hours=1), seconds=60)
    assert Notice.objects.filter(kind="own_puzzle").count() == 1 and OwnMistake.objects.filter(user=bung).count() == 1
    # The page of the puzzles names it in the week in which it was chosen.
    assert "This week, from your own battles" not in log_in(bung).get("/puzzles/").content.decode()
    OwnMistake.objects.filter(pk=row.pk).update(week=begin_week(timezone.now().date()))
    assert f'href="{page_of(ended)}"' in log_in(bung).get("/puzzles/").content.decode()
    OwnMistake.objects.filter(pk=row.pk).update(week=row.week)
    # What was chosen or tried is never chosen again.
    choose_mistakes_of_week(now=NOW + timedelta(weeks=1), seconds=60)
    assert OwnMistake.objects.filter(user=bung, seq=5).get().week == begin_week(NOW.date())
    assert not Notice.objects.filter(kind="own_puzzle", user=froodal).exists(), "off by default"


def test_two_workers_choose_one_mistake(ended, monkeypatch):
    bung = ended.user("Bung")
    Battle.objects.update(finished_at=NOW)
    Analysis.objects.update(ended_at=NOW)
    set_preference(user=bung, key="mail_puzzles", value="yes")
    monkeypatch.setattr(own_mistakes, "list_users_to_choose_for", lambda *, now: [bung, bung])
    again = own_mistakes.find_worst_mistake(bung, now=NOW)
    monkeypatch.setattr(own_mistakes, "find_worst_mistake", lambda user, *, now: again)
    assert choose_mistakes_of_week(now=NOW, seconds=60) == 1
    assert Notice.objects.filter(kind="own_puzzle").count() == 1


def test_a_position_of_an_unknown_turn_is_refused(ended):
    with refused("no_such_turn", match="No such turn"):
        read_position_before(Battle.objects.get(number=ended.number), 99)


def test_the_analysis_offers_to_solve_the_mistakes_of_its_reader(ended):
    address = f"/battles/{ended.number}/analysis/"
    count = len(list_mistakes(battle=ended.battle, user=ended.user("Bung")))
    words = f"Solve your {count} mistakes" if count > 1 else "Solve your mistake"
    assert words in log_in(ended.user("Bung")).get(address).content.decode()
    assert "Solve your" not in Client().get(address).content.decode()
    assert grade_of(facts_of(5)["moves"]["Bung"])["best"] > 0.195
