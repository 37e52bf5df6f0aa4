"""Draws by agreement: who can offer one and when, what becomes of an offer, and what a draw changes."""

from functools import partial

import pytest

from accounts.models import Engagement
from duels.errors import StaleOrders
from duels.keys import StageKey
from duels.models import Battle, Combatant, TurnEvent
from duels.selectors.draws import DrawChoice
from duels.selectors.event_results import read_event_result
from duels.selectors.viewer import get_battle_for_viewer, read_view_draw
from duels.services.draws import accept_draw, offer_draw, refuse_draw
from ladder.models import BattleSide, CountedBattle, RatingEntry, ScoreEntry
from ladder.tasks import sweep_unrated_battles
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.undo import undo_battle_entry
from notifications.models import Notice
from studies.tasks import count_finished_battles
from tests.challenges.test_idle_mages import give_score
from tests.duels.fights import Fight, start_fight
from tests.duels.janitors import WHY
from tests.refusals import refused
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db
# Gestures that make no spell.
QUIET = ("D/-", "D/-")


def play_to(fight: Fight, turn: int) -> Fight:
    fight.turns([QUIET] * (turn - fight.key().seq))
    return fight


@pytest.fixture
def late(duel: Fight) -> Fight:
    """Froodal against Bung in turn 5."""
    return play_to(duel, 5)


decline_draw, withdraw_draw = partial(refuse_draw, whose="theirs"), partial(refuse_draw, whose="own")


def offer(fight: Fight, name: str, **more: object) -> str:
    return offer_draw(combatant=fight.combatant(name), now=NOW, **more)


def choice(fight: Fight, name: str) -> DrawChoice | None:
    return read_view_draw(get_battle_for_viewer(number=fight.number, user=fight.user(name)))


def told(kind: str) -> list[str]:
    return [row.user.username for row in Notice.objects.filter(kind=kind).order_by("pk")]


def result(fight: Fight) -> dict[str, object]:
    fight.battle.refresh_from_db()
    return fight.battle.result or {}


def test_an_accepted_offer_ends_the_duel_as_a_draw_that_only_ratings_count(late):
    for mage in late.mages.values():
        give_score(mage, 3)
    assert offer(late, "Froodal") == "offered"
    assert told("draw_offered") == ["Bung_user"]
    accept_draw(combatant=late.combatant("Bung"), now=NOW)
    ended = result(late)
    assert (ended["reason"], ended["by"], ended["turn"]) == ("agreed", "Froodal", "5")
    assert (ended["winners"], ended["dead"], ended["surrendered"]) == ([], [], [])
    assert not ScoreEntry.objects.filter(battle=late.number).exclude(change=0).exists()
    assert not Engagement.objects.exists(), "both mages are free"
    sweep_unrated_battles()
    count_finished_battles()
    assert RatingEntry.objects.filter(battle=late.number, kind="duel").count() == 2
    assert {side.result for side in BattleSide.objects.all()} == {"drew"}
    assert CountedBattle.objects.get().ending == "agreed"
    assert sorted(told("battle_finished")) == ["Bung_user", "Froodal_user"]


def test_two_offers_are_an_agreement(late):
    offer(late, "Froodal")
    assert offer(late, "Bung") == "agreed"
    assert result(late)["by"] == "Froodal"


def test_offers_begin_with_turn_5(duel):
    play_to(duel, 4)
    assert choice(duel, "Froodal") == DrawChoice("Bung", "4", False, False, 5)
    assert not choice(duel, "Froodal").may_offer
    with refused("draw_too_early"):
        offer(duel, "Froodal")
    play_to(duel, 5)
    assert choice(duel, "Froodal").may_offer and choice(duel, "Bung").may_offer


def test_a_player_offers_one_in_five_turns(late):
    offer(late, "Froodal")
    for turn in (6, 9):
        play_to(late, turn)
        with refused("draw_too_often"):
            offer(late, "Froodal")
        assert not choice(late, "Froodal").may_offer and choice(late, "Bung").may_offer
    play_to(late, 10)
    assert choice(late, "Froodal").may_offer
    assert offer(late, "Froodal") == "offered"


def test_an_offer_is_gone_with_its_turn(late):
    offer(late, "Froodal")
    play_to(late, 6)
    assert not choice(late, "Bung").is_offered
    with refused("no_draw_offered"):
        accept_draw(combatant=late.combatant("Bung"), now=NOW)


@pytest.mark.parametrize("act", [offer_draw, accept_draw, decline_draw, withdraw_draw])
def test_a_click_for_a_turn_that_is_over_does_nothing(late, act):
    offer(late, "Froodal")
    before = late.key()
    play_to(late, 10)
    offer(late, "Froodal")
    with pytest.raises(StaleOrders, match="Turn 5 is over"):
        act(combatant=late.combatant("Bung"), now=NOW, stage=before)
    assert choice(late, "Bung").is_offered and not late.battle.is_over


def test_a_question_within_the_turn_keeps_the_offer(late):
    offer(late, "Froodal", stage=StageKey(5, 0, 1))
    assert choice(late, "Bung").is_offered


def test_an_offer_again_in_its_turn_changes_nothing_and_is_told_once(late):
    for _ in range(3):
        assert offer(late, "Froodal") == "offered"
    assert told("draw_offered") == ["Bung_user"]


def test_a_declined_offer_is_gone_and_its_maker_is_told_once(late):
    offer(late, "Froodal")
    decline_draw(combatant=late.combatant("Bung"), now=NOW)
    assert told("draw_declined") == ["Froodal_user"]
    with refused("no_draw_offered"):
        decline_draw(combatant=late.combatant("Bung"), now=NOW)
    with refused("no_draw_offered"):
        accept_draw(combatant=late.combatant("Bung"), now=NOW)
    with refused("draw_too_often"):
        offer(late, "Froodal")
    assert offer(late, "Bung") == "offered", "the other player may still offer one"


def test_a_withdrawn_offer_is_gone_and_counts(late):
    offer(late, "Froodal")
    with refused("no_draw_offered"):
        withdraw_draw(combatant=late.combatant("Bung"), now=NOW)
    withdraw_draw(combatant=late.combatant("Froodal"), now=NOW)
    for late_act in (withdraw_draw, decline_draw):
        with refused("no_draw_offered"):
            late_act(combatant=late.combatant("Froodal"), now=NOW)
    with refused("no_draw_offered"):
        accept_draw(combatant=late.combatant("Bung"), now=NOW)
    with refused("draw_too_often"):
        offer(late, "Froodal")


def test_no_by_email_declines_or_takes_back(late):
    offer(late, "Froodal")
    assert refuse_draw(combatant=late.combatant("Bung"), now=NOW) == "declined"
    offer(late, "Bung")
    assert refuse_draw(combatant=late.combatant("Bung"), now=NOW) == "withdrawn"
    with refused("no_draw_offered"):
        refuse_draw(combatant=late.combatant("Bung"), now=NOW)


def test_nobody_accepts_their_own_offer(late):
    offer(late, "Froodal")
    with refused("no_draw_offered"):
        accept_draw(combatant=late.combatant("Froodal"), now=NOW)


def test_after_the_end_a_second_click_is_harmless_and_others_are_refused(late):
    offer(late, "Froodal")
    for _ in range(2):
        accept_draw(combatant=late.combatant("Bung"), now=NOW)
    assert offer(late, "Froodal") == "agreed"
    with refused("no_draw_now"):
        decline_draw(combatant=late.combatant("Bung"), now=NOW)
    assert TurnEvent.objects.filter(battle=late.battle, kind="battle_ends").count() == 1
    assert Notice.objects.filter(kind="battle_finished").count() == 2
    won = play_to(start_fight(make_mage("Ayla"), make_mage("Crom")), 5)
    offer(won, "Ayla")
    won.turn("P/P", "D/-")
    with refused("no_draw_now"):
        accept_draw(combatant=won.combatant("Crom"), now=NOW)


@pytest.mark.parametrize("stakes", ["ladder", "friendly", "very-friendly", "league", "evening"])
def test_every_duel_between_people_can_end_so(stakes):
    fight = play_to(start_fight(make_mage("Ayla"), make_mage("Crom"), stakes=stakes), 5)
    offer(fight, "Ayla")
    accept_draw(combatant=fight.combatant("Crom"), now=NOW)
    assert result(fight)["reason"] == "agreed"
    read = read_event_result(fight.battle)
    assert read.counts and not any(side.won or side.forfeited for side in read.sides), "a draw in the table"


def test_not_in_the_knock_out_of_a_cup():
    fight = play_to(start_fight(make_mage("Ayla"), make_mage("Crom"), stakes="cup"), 5)
    assert choice(fight, "Ayla") is None
    with refused("no_draws_here"):
        offer(fight, "Ayla")


def test_not_in_practice_nor_in_a_melee_nor_with_a_bot(practice, melee):
    play_to(practice, 5)
    melee.turns([("F/-", "F/-", "F/-")] * 4)
    user = make_mage("Bender").user
    user.is_bot = True
    user.save(update_fields=["is_bot"])
    with_bot = play_to(start_fight(make_mage("Dara"), make_mage("Rob", user), stakes="bots"), 5)
    for fight, name in ((practice, "Lefty"), (melee, "Ayla"), (with_bot, "Dara")):
        assert choice(fight, name) is None
        for act in (offer_draw, accept_draw, decline_draw, withdraw_draw):
            with refused("no_draws_here"):
                act(combatant=fight.combatant(name), now=NOW)
    assert not Combatant.objects.exclude(draw_offered_in="").exists()


def test_a_turn_that_is_stuck_is_left_to_the_janitors(late):
    offer(late, "Froodal")
    Battle.objects.filter(pk=late.battle.pk).update(status="stuck", stuck_reference="x")
    assert choice(late, "Bung") is None
    with refused("no_draw_now"):
        accept_draw(combatant=late.combatant("Bung"), now=NOW)


def test_a_rewound_turn_forgets_the_offer_made_in_it(late, janitor):
    play_to(late, 6)
    offer(late, "Froodal")
    rewind_battle(battle=late.battle, seq=5, by=janitor, reason=WHY, now=NOW, without_consent=WHY)
    late.battle.refresh_from_db()
    assert not choice(late, "Bung").is_offered and choice(late, "Froodal").may_offer


@pytest.mark.parametrize("seq", [3, 5])
def test_an_offer_in_a_turn_that_is_undone_does_not_count(late, janitor, seq):
    offer(late, "Froodal")
    play_to(late, 7)
    entry = rewind_battle(battle=late.battle, seq=seq, by=janitor, reason=WHY, now=NOW, without_consent=WHY)
    undo_battle_entry(entry=entry, by=janitor, reason=WHY, now=NOW)
    late.battle.refresh_from_db()
    assert choice(late, "Froodal").from_turn == 10
    rewind_battle(battle=late.battle, seq=seq, by=janitor, reason=WHY, now=NOW, without_consent=WHY)
    play_to(late, 5)
    assert offer(late, "Froodal") == "offered"


def test_the_story_says_who_offered_it(late):
    offer(late, "Froodal")
    accept_draw(combatant=late.combatant("Bung"), now=NOW)
    seen = {
        name: get_battle_for_viewer(number=late.number, user=late.user(name)).stories[-1].lines[-1].text
        for name in late.names
    }
    assert seen["Froodal"] == "You offer a draw, and both mages agree on it. Nobody wins or loses."
    assert seen["Bung"] == "Froodal offers a draw, and both mages agree on it. Nobody wins or loses."


def test_a_janitor_can_reopen_it_before_its_last_turn_and_take_that_back(late, janitor):
    late.order("Froodal", "S/W")
    offer(late, "Froodal")
    accept_draw(combatant=late.combatant("Bung"), now=NOW)
    entry = rewind_battle(battle=late.battle, seq=5, by=janitor, reason=WHY, now=NOW, without_consent=WHY)
    late.battle.refresh_from_db()
    assert (late.battle.status, late.battle.result, late.key()) == (Battle.Status.RUNNING, None, (5, 1, 0))
    assert not choice(late, "Bung").is_offered
    undo_battle_entry(entry=entry, by=janitor, reason=WHY, now=NOW)
    assert result(late)["reason"] == "agreed" and late.battle.status == Battle.Status.FINISHED
