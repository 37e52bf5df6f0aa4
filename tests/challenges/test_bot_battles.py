"""The site's bots play each other: a number of battles a day, played like people's, unlisted, and never forever."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from accounts.services.users import create_user
from challenges.services.bot_battles import list_pairs, start_bot_battle, start_due_bot_battle
from challenges.services.play_now import play_bot
from duels.models import Battle, OrderSheet
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.services.clocks.call_off import MOST_TURNS_OF_BOTS
from ladder.models import ScoreEntry, UserRating
from ladder.selectors.bots import count_bot_meetings, count_rated_with_bots, list_bot_ratings
from ladder.services.apply_results import BattleResult, apply_result
from ladder.tasks import sweep_unrated_battles
from notifications.models import Notice
from operations.services.policy import set_policy
from tests.bots import bring_bots
from tests.challenges.test_play_bot import answer
from tests.scenes import make_mage

pytestmark = pytest.mark.once


@pytest.fixture
def now(db):
    moment = timezone.now().replace(hour=0, minute=5)
    bring_bots(now=moment)
    return moment


def choose_how_many(number, now):
    set_policy(by=create_user(name="Keeper", now=now), why="A test.", numbers={"bot_battles_a_day": number}, now=now)


def end_all(now):
    """End the running battles without playing them."""
    Battle.objects.filter(finished_at=None).update(finished_at=now, status="finished", result={})


def test_the_policy_says_how_many_begin_in_a_day(now):
    choose_how_many(3, now)
    begun = []
    for minutes in range(0, 24 * 60 - 5, 30):
        moment = now + timedelta(minutes=minutes)
        begun += [each for each in (start_due_bot_battle(now=moment), start_due_bot_battle(now=moment)) if each]
        end_all(moment)
    assert len(begun) == 3 == Battle.objects.count()
    assert {battle.company for battle in begun} == {"bots"}
    assert all(not battle.practice and battle.terms["stakes"] == "bots" for battle in begun)


def test_zero_turns_them_off(now):
    choose_how_many(0, now)
    assert [start_due_bot_battle(now=now + timedelta(hours=hours)) for hours in range(24)] == [None] * 24
    assert not Battle.objects.exists()


def test_no_battle_begins_while_earlier_ones_are_running(now):
    """If no worker plays for bots, battles do not pile up."""
    choose_how_many(24, now)
    begun = [start_due_bot_battle(now=now + timedelta(hours=hours)) for hours in range(10)]
    assert sum(each is not None for each in begun) == 2


def test_a_site_without_bots_starts_none(db):
    assert start_due_bot_battle(now=timezone.now()) is None


@pytest.mark.slow
def test_two_bots_play_to_the_end_and_only_their_ratings_change(now):
    before = {row.strength: row.rating for row in list_bot_ratings(today=now.date())}
    battle = start_bot_battle(pair=("Apprentice", "Journeyman"), now=now)
    for _ in range(400):
        if not answer(now):
            break
    battle.refresh_from_db()
    assert battle.status == Battle.Status.FINISHED
    assert sweep_unrated_battles() == 1
    shown = {row.strength: row for row in list_bot_ratings(today=now.date())}
    assert {name for name, row in shown.items() if row.battles} == {"Apprentice", "Journeyman"}
    assert {name for name, row in shown.items() if row.rating != before[name]} == {"Apprentice", "Journeyman"}
    assert shown["Magus"].battles == 0 and shown["Magus"].is_about
    assert count_bot_meetings() == {frozenset({"Apprentice", "Journeyman"}): 1}
    assert count_rated_with_bots() == (1, 0)
    assert not Notice.objects.exists()
    assert not ScoreEntry.objects.exclude(change=0).exists()
    assert set(UserRating.objects.values_list("kind", flat=True)) == {"bots"}


def test_bots_that_met_least_play_next_neighbours_first(now):
    assert list_pairs()[:2] == [("Apprentice", "Journeyman"), ("Journeyman", "Warder")]
    assert len(list_pairs()) == 10 and list_pairs(strengths=["Magus"]) == []
    first = start_bot_battle(pair=list_pairs()[0], now=now)
    bots = {each.mage.user.bot_strength: each.mage for each in first.combatants.all()}
    mages = list(bots.values())
    apply_result(
        battle=first.number,
        kind="duel",
        practice=False,
        result=BattleResult(mages, winners=mages[:1]),
        stakes="bots",
        now=now,
    )
    end_all(now)
    second = start_due_bot_battle(now=now)
    assert {each.mage.user.bot_strength for each in second.combatants.all()} == {"Journeyman", "Warder"}


def test_an_endless_siege_of_bots_is_called_off_and_does_not_count(now):
    battle = start_bot_battle(pair=("Apprentice", "Journeyman"), now=now)
    Battle.objects.filter(pk=battle.pk).update(seq=MOST_TURNS_OF_BOTS + 1)
    assert answer(now) == 1, "one worker ends it, and the other finds it over"
    battle.refresh_from_db()
    assert battle.is_over and battle.result["reason"] == "called_off"
    sweep_unrated_battles()
    assert not UserRating.objects.exists()
    # People may take as long as they like.
    mixed = play_bot(mage=make_mage("Froodal"), strength="Warder", now=now)
    Battle.objects.filter(pk=mixed.pk).update(seq=MOST_TURNS_OF_BOTS + 1)
    answer(now)
    mixed.refresh_from_db()
    assert not mixed.is_over


def test_people_are_answered_first(now):
    start_bot_battle(pair=("Apprentice", "Journeyman"), now=now)
    battle = play_bot(mage=make_mage("Froodal"), strength="Warder", now=now)
    OrderSheet.objects.filter(stage__battle=battle, bot_due_at__isnull=False).update(
        bot_due_at=now + timedelta(hours=1)
    )
    due = list_sheets_due_from_bots(now=now + timedelta(hours=2))
    assert [sheet.stage.battle_id == battle.pk for sheet in due] == [True, False, False]


def test_the_command_plays_a_round_robin_and_prints_the_ladder(now):
    output = StringIO()
    call_command("play_bots", "--only", "Apprentice", "Journeyman", stdout=output)
    assert "Apprentice against Journeyman:" in output.getvalue() and "±" in output.getvalue()
    assert set(UserRating.objects.values_list("kind", flat=True)) == {"bots"} and UserRating.objects.count() == 2
    assert count_rated_with_bots() == (1, 0) and not Notice.objects.exists()
    for wrong in (["--only", "Wizard"], ["--rounds", "0"], ["--only", "Magus"]):
        with pytest.raises(CommandError):
            call_command("play_bots", *wrong, stdout=output)
    assert User.objects.filter(is_bot=True).count() == 5 and Battle.objects.count() == 1
