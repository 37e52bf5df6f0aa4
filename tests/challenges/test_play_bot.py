"""Play now: a duel against each computer opponent, from its start to its end."""

import pytest

from accounts.bots import BOTS
from accounts.models import Engagement, Mage
from accounts.services import ensure_bots
from challenges.services import play_bot
from duels.models import Battle
from duels.selectors import get_combatant_for_user, list_sheets_due_from_bots
from duels.selectors.battle_state import read_battle_state
from duels.services import give_bot_orders, submit_orders
from fm_site.notifications.models import Notice
from rules_engine.bots import choose_orders, see
from tests.duels.fights import NOW, make_mage


@pytest.fixture
def bots(db):
    ensure_bots(now=NOW)


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


@pytest.mark.parametrize("strength", [bot.strength for bot in BOTS])
def test_a_whole_duel_against_each_bot(bots, strength):
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength=strength, now=NOW)
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
