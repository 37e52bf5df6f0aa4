"""Play now: a duel against each computer opponent, from start to end."""

import json
import random
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from accounts.bots import BOTS, BY_STRENGTH, find_bot_mage
from accounts.errors import MageBusy
from accounts.models import Engagement, Mage, User
from accounts.services.absence import sweep_absent_users
from accounts.services.bots import ensure_bots
from challenges.errors import NoSuchBot
from challenges.models import Challenge
from challenges.services.answers import accept_challenge
from challenges.services.bot_challenges import offer_bot_challenges
from challenges.services.play_now import play_bot
from challenges.services.retire_mages import sweep_idle_mages
from duels import tasks
from duels.keys import StageKey
from duels.models import Battle, MissedTurn, OrderSheet
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.selectors.viewer import get_combatant_for_user
from duels.services import bot_orders
from duels.services.bot_orders import give_bot_orders
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import submit_orders
from duels.tasks import answer_for_bots
from notifications.models import Notice
from rules_engine import KeyedDice, advance, is_complete, read_orders
from rules_engine.bots import choose_orders, see
from rules_engine.positions import set_up
from tests.rules_engine.bots.bot_games import OFFERED
from tests.rules_engine.random_play import new_battle
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.once


def answer(now=NOW):
    return sum(give_bot_orders(sheet=sheet, now=now) for sheet in list_sheets_due_from_bots(now=now))


def play_person(battle, mage, strength="Apprentice"):
    """Give the orders of a person who plays like a weak bot."""
    state = read_battle_state(battle)
    if mage.name not in state.owing:
        return
    lines = choose_orders(see(state, mage.name), mage=mage.name, strength=strength, seed="person")
    combatant = get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name)
    submit_orders(combatant=combatant, text="\n".join([*lines, "END"]), via="web", now=NOW)


# Between the weakest and the strongest only the moves differ.
MIDDLE = [pytest.param(bot.strength, marks=pytest.mark.slow) for bot in BOTS[1:-1]]


@pytest.mark.parametrize("strength", [BOTS[0].strength, *MIDDLE, BOTS[-1].strength])
def test_a_whole_duel_against_each_bot(bots, strength):
    mage = make_mage("Froodal")
    # Strong bots think long: a few hit points make their duels short.
    hit_points = () if strength == BOTS[0].strength else (5, 5)
    battle = play_bot(mage=mage, strength=strength, hit_points=hit_points, now=NOW)
    assert battle.practice
    for _ in range(200):
        assert answer() <= 1
        play_person(battle, mage)
        battle.refresh_from_db()
        if battle.is_over:
            break
    assert battle.status == Battle.Status.FINISHED
    mage.refresh_from_db()
    assert mage.is_alive and not Engagement.objects.filter(mage=mage).exists()
    assert not Mage.objects.filter(user__is_bot=True, died_at__isnull=False).exists()
    assert not Notice.objects.filter(user__is_bot=True).exists()


def test_an_unknown_bot_is_rejected_with_the_nearest_name(bots):
    with pytest.raises(NoSuchBot) as caught:
        play_bot(mage=make_mage("Froodal"), strength="Wader", now=NOW)
    assert caught.value.nearest == "Warder" and not Battle.objects.exists()


def test_a_busy_mage_cannot_play_a_bot(bots):
    mage = make_mage("Froodal")
    play_bot(mage=mage, strength="Warder", now=NOW)
    with pytest.raises(MageBusy):
        play_bot(mage=mage, strength="Warder", now=NOW)
    assert Battle.objects.count() == 1


def test_a_bot_plays_several_battles_at_once(bots):
    numbers = [play_bot(mage=make_mage(name), strength="Warder", now=NOW).number for name in ("Ayla", "Bung", "Crom")]
    assert answer() == 3
    assert OrderSheet.objects.filter(combatant__battle__number__in=numbers, ready=True, via="bot").count() == 3
    assert not Engagement.objects.filter(mage__user__is_bot=True).exists()


def test_names_that_people_have_are_replaced(db):
    make_mage("Warder")
    make_mage("Pipkin")
    assert ensure_bots(now=NOW) == 20
    assert ensure_bots(now=NOW) == 0
    warder = User.objects.get(bot_strength="Warder")
    assert warder.is_bot and warder.username != "Warder" and not warder.has_usable_password() and warder.email == ""
    names = set(Mage.objects.filter(user__bot_strength="Apprentice").values_list("name", flat=True))
    assert "Pipkin" not in names and len(names) == 3
    assert all(find_bot_mage(name) for name in names)


def test_a_battle_whose_orders_fail_delays_no_other_and_is_retried_at_once(bots, monkeypatch):
    """A person waited half a minute for the Apprentice, whose worker had met a busy database in another battle."""
    battles = [play_bot(mage=make_mage(name), strength="Apprentice", now=NOW) for name in ("Froodal", "Bung")]
    first = list_sheets_due_from_bots(now=NOW)[0]
    submit, failed = bot_orders._submit, []

    def fail_once(sheet, *more):
        if sheet.pk == first.pk and not failed:
            failed.append(sheet)
            raise OperationalError("database is locked")
        return submit(sheet, *more)

    monkeypatch.setattr(bot_orders, "_submit", fail_once)
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    assert answer_for_bots() == 1 and failed
    assert list_sheets_due_from_bots(now=NOW) == []
    soon = NOW + bot_orders.RETRY
    assert list_sheets_due_from_bots(now=soon) == [first]
    assert give_bot_orders(sheet=first, now=soon)
    assert OrderSheet.objects.filter(stage__battle__in=battles, via="bot", ready=True).count() == 2


def test_a_person_who_orders_while_bots_fight_each_other_is_answered_next(bots, monkeypatch):
    order = []
    battles = [play_bot(mage=make_mage(name), strength="Apprentice", now=NOW) for name in ("Froodal", "Bung")]
    Battle.objects.filter(pk=battles[0].pk).update(company=Battle.Company.BOTS)
    sheets = list_sheets_due_from_bots(now=NOW)
    assert [sheet.stage.battle_id for sheet in sheets] == [battles[1].pk, battles[0].pk]

    def give(sheet, now):
        OrderSheet.objects.filter(pk=sheet.pk).update(bot_due_at=None)
        if not order:  # while this one is worked out, someone's turn opens
            OrderSheet.objects.filter(pk=sheets[0].pk).update(bot_due_at=NOW)
        order.append(sheet.stage.battle_id)
        return True

    OrderSheet.objects.filter(pk=sheets[0].pk).update(bot_due_at=None)
    third = play_bot(mage=make_mage("Ayla"), strength="Apprentice", now=NOW)
    Battle.objects.filter(pk=third.pk).update(company=Battle.Company.BOTS)
    monkeypatch.setattr(tasks, "give_bot_orders", give)
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    assert answer_for_bots() == 3
    assert order == [battles[0].pk, battles[1].pk, third.pk]


def test_a_second_run_and_a_crash_give_orders_once(bots):
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Warder", now=NOW)
    (sheet,) = list_sheets_due_from_bots(now=NOW)
    # A worker claimed the sheet and died: nobody else gets it before the lease expires.
    assert OrderSheet.objects.filter(pk=sheet.pk).update(bot_due_at=NOW + timedelta(seconds=30)) == 1
    assert not give_bot_orders(sheet=sheet, now=NOW)
    assert answer(NOW + timedelta(seconds=31)) == 1
    sheet.refresh_from_db()
    first = (sheet.lines, sheet.submitted_at)
    assert not give_bot_orders(sheet=sheet, now=NOW + timedelta(hours=1))
    sheet.refresh_from_db()
    assert (sheet.lines, sheet.submitted_at) == first and sheet.ready
    battle.refresh_from_db()
    assert battle.seq == 1


def test_a_late_worker_does_not_order_in_the_next_turn(bots, monkeypatch):
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Warder", now=NOW)
    (sheet,) = list_sheets_due_from_bots(now=NOW)
    think = bot_orders._think

    def play_on(*given):
        lines = think(*given)
        monkeypatch.setattr(bot_orders, "_think", think)
        OrderSheet.objects.filter(pk=sheet.pk).update(bot_due_at=NOW)
        assert answer() == 1
        play_person(battle, mage)
        return lines

    monkeypatch.setattr(bot_orders, "_think", play_on)
    assert not give_bot_orders(sheet=sheet, now=NOW)
    battle.refresh_from_db()
    assert battle.seq == 2
    assert not OrderSheet.objects.filter(stage__closed_at=None, ready=True).exists()


def test_a_bot_that_fails_plays_on_as_the_weakest(bots, monkeypatch):
    play_bot(mage=make_mage("Froodal"), strength="Archmage", now=NOW)
    choose = bot_orders.choose_orders

    def fail(seen, *, strength, **more):
        if strength == "Archmage":
            raise RuntimeError("a fault")
        return choose(seen, strength=strength, **more)

    monkeypatch.setattr(bot_orders, "choose_orders", fail)
    assert answer() == 1
    assert OrderSheet.objects.filter(ready=True, via="bot").count() == 1


@pytest.mark.parametrize(
    ("lines", "given"),
    [
        (["LH P", "TARGET LH RedOgre", "RH D"], ["LH P", "RH D"]),
        (["LH P", "RH Q"], ["LH P", "RH -"]),
        ([], ["LH -", "RH -"]),
    ],
)
def test_illegal_orders_of_a_bot_do_not_stop_a_battle(bots, monkeypatch, lines, given):
    """The legal lines count; what is still to be decided is decided simply."""
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Warder", now=NOW)
    monkeypatch.setattr(bot_orders, "choose_orders", lambda *asked, **more: lines)
    assert answer() == 1
    sheet = OrderSheet.objects.get(stage__turn__battle=battle, via="bot")
    assert (sheet.ready, sheet.lines) == (True, given)


def test_a_choice_that_a_bot_gets_wrong_is_made_for_it():
    state = set_up("ruleset firetop-standard\nmage Ayla 15\nleft WPF\nright DWW\nmage Crom 15\nleft DWD\nright WDW\n")
    mended = bot_orders._mend(state, "Ayla", ["LH D", "RH S", "CHOOSE LH Fireball"])
    assert mended[:2] == ["LH D", "RH S"] and mended[2].startswith("CHOOSE LH ")
    read = read_orders(state, "Ayla", "\n".join(mended))
    assert not read.problems and is_complete(state, "Ayla", read.sheet)


@pytest.mark.parametrize("ruleset", OFFERED)
def test_whatever_a_bot_orders_comes_out_legal_and_complete(ruleset):
    """Also in the later stages of a turn, which ask for answers."""
    for seed in range(3):
        state, rng = new_battle(seed, ruleset, 2 + seed), random.Random(seed)
        while state.outcome is None and state.seq <= 20:
            sheets = {}
            for mage in state.owing:
                lines = [f"LH {rng.choice('WFPSDQ')}", f"RH {rng.choice('WFPSDQ')}", "CHOOSE LH Nonsense"]
                mended = bot_orders._mend(state, mage, rng.choice([[], lines]))
                read = read_orders(state, mage, "\n".join(mended))
                assert not read.problems and is_complete(state, mage, read.sheet), (state.label, mage, mended)
                sheets[mage] = read.sheet
            state = advance(state, sheets, KeyedDice(str(seed), state.seq)).state


def test_the_seed_of_a_bot_is_not_that_of_the_dice_and_changes_with_a_replayed_turn(bots):
    battle = play_bot(mage=make_mage("Froodal"), strength="Warder", now=NOW)
    first = bot_orders.seed_of(battle, "Hestrel", StageKey(1, 0, 0))
    assert battle.seed not in first and first != bot_orders.seed_of(battle, "Hestrel", StageKey(1, 1, 0))


def test_hidden_facts_do_not_change_a_bots_orders(bots, monkeypatch):
    """The bot gets only its mage's view and its seed: not the state, and not the other mage's orders."""
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Warder", now=NOW)
    asked = []
    monkeypatch.setattr(bot_orders, "_think", lambda seen, *rest: asked.append((seen.facts, rest)) or ["LH P", "RH P"])
    (sheet,) = list_sheets_due_from_bots(now=NOW)
    submit_orders(
        combatant=get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name),
        text="LH D\nRH S",
        via="web",
        now=NOW,
    )
    OrderSheet.objects.exclude(pk=sheet.pk).update(draft="secret draft")
    assert give_bot_orders(sheet=sheet, now=NOW)
    ((facts, rest),) = asked
    written = json.dumps(facts) + repr(rest)
    assert "secret draft" not in written and battle.seed not in written
    assert "LH D" not in written


def test_bots_agree_to_a_pause_and_get_no_notices(bots):
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Warder", pace="fast", now=NOW)
    combatant = get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name)
    assert ask_pause(combatant=combatant, days=2, now=NOW)
    assert not Notice.objects.filter(user__is_bot=True).exists()


def test_bots_never_leave_for_inactivity(bots):
    later = NOW + timedelta(days=3000)
    sweep_absent_users(now=later)
    sweep_idle_mages(now=later)
    assert User.objects.filter(is_bot=True, is_active=True).count() == 5
    assert Mage.objects.filter(user__is_bot=True, died_at=None, retired_at=None).count() == 15


def test_a_bot_late_for_weeks_misses_no_turn(bots):
    battle = play_bot(mage=make_mage("Froodal"), strength="Warder", pace="live", now=NOW)
    later = NOW + timedelta(minutes=11)
    sweep_deadlines(now=later)
    assert not MissedTurn.objects.filter(user__is_bot=True).exists()
    assert battle.deadlines.count() == 2


def test_the_site_does_not_play_for_a_bot_account(bots):
    """Someone's program plays for it; only the site's own bots have a strength."""
    mage = make_mage("Froodal")
    User.objects.filter(pk=mage.user_id).update(is_bot=True)
    mage.user.refresh_from_db()
    play_bot(mage=mage, strength="Apprentice", now=NOW)
    assert [sheet.combatant.mage.user.bot_strength for sheet in list_sheets_due_from_bots(now=NOW)] == ["Apprentice"]
    assert answer() == 1
    assert not OrderSheet.objects.filter(combatant__mage=mage, ready=True).exists()
    offer_bot_challenges(now=NOW)
    accept_challenge(number=Challenge.objects.first().number, mage=make_mage("Ayla", mage.user), now=NOW)
    assert {sheet.combatant.mage.user.bot_strength for sheet in list_sheets_due_from_bots(now=NOW)} <= set(BY_STRENGTH)
