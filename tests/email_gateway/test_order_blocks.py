"""Every block of orders that we print is accepted when its gaps are filled."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from duels.models import Battle, OrderSheet, Stage
from duels.selectors.battle_view import BattleView
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user
from duels.services.orders import submit_orders
from email_gateway.compose.parts import write_order_block
from rules_engine import Asks, Done, write_state
from rules_engine.state import State
from tests.email_gateway.world import MailWorld, body, reply_address
from tests.rules_engine.random_play import play_battle

pytestmark = [pytest.mark.django_db, pytest.mark.once]
RULESETS = (
    "firetop-standard",
    "waving-hands",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("firetop-server", "waving-hands-active", "spellcast", "warlocks-maladroit")
    ),
)
DECIDED = {"waving-hands": {"gesture", "paralyze", "charm", "elemental"}}
MOST_STAGES = 150


def find_stages(ruleset: str) -> Iterator[State]:
    """Positions of random duels, most of them of turns that have stopped for questions."""
    for seed in range(400):
        for _before, stage in play_battle(seed, ruleset, turns=5, mages=2):
            if isinstance(stage, Asks) or (isinstance(stage, Done) and not stage.state.over and seed % 8 == 0):
                yield stage.state


def set_up(battle: Battle, state: State) -> None:
    """Put the battle into a position, as if it had been played so far."""
    Battle.objects.filter(pk=battle.pk).update(state=write_state(state), stage=state.stage)
    Stage.objects.filter(battle=battle).update(number=state.stage)
    OrderSheet.objects.filter(stage__battle=battle).update(lines=[], ready=False)


def fill(block: str, view: BattleView, rng: random.Random) -> str:
    """The lines of a block, with an allowed answer in place of each question mark."""
    answers = {
        question.line("?"): question.line(rng.choice([one.value for one in question.options if one.allowed]))
        for question in view.questions
        if question.options
    }
    rows = [row.strip() for row in block.partition("\n  GAME ")[2].split("\n")[2:]]
    return "\n".join(answers.get(row, row) for row in rows)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_block_is_accepted_when_its_gaps_are_filled(world: MailWorld, ruleset: str):
    ayla, crom = world.mage("Ayla"), world.mage("Crom")
    battle = world.duel(ayla, crom, ruleset=ruleset)
    rng, seen = random.Random(ruleset), set[str]()
    for state in islice(find_stages(ruleset), MOST_STAGES):
        for mage in (one for one in (ayla, crom) if one.name in state.owing):
            set_up(battle, state)
            view = get_battle_for_viewer(number=battle.number, user=mage.user, draft="")
            block = write_order_block(view)
            orders = fill(block, view, rng)
            assert "?" not in orders, block
            combatant = get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name)
            receipt = submit_orders(combatant=combatant, text=orders, via="mail", now=world.now)
            assert receipt.outcome == "ready" or state.stage == 0 or receipt.missing, f"{block}\n{orders}"
            seen |= {question.kind for question in view.questions if question.required}
    assert seen >= DECIDED.get(ruleset, {"gesture"})


PARALYSED = (("-/-", "F/-"), ("-/-", "F/-"), ("S/W", "F/-"))


def test_a_question_about_a_hand_is_answered_by_filling_in_the_block(world: MailWorld):
    ayla, crom = world.mage("Ayla"), world.mage("Crom")
    battle = world.duel(ayla, crom, ruleset="waving-hands")
    for left, right in PARALYSED:
        world.order(battle, ayla, left)
        world.order(battle, crom, right)
    asked = [mail for mail in world.new_mails() if mail["To"] == "croms@example.org"][-1]
    block = body(asked).partition("Reply to this email with your orders:")[2].partition("  END")[0]
    assert "  PARALYZE ? Ayla\n" in block
    answer = world.ask(block.replace("?", "LH"), sender="croms@example.org", to=reply_address(asked))
    assert "rejected" not in answer and "PARALYZE LH Ayla" in answer


def test_the_answer_to_the_last_orders_does_not_say_that_a_stopped_turn_has_resolved(world: MailWorld):
    ayla, crom = world.mage("Ayla"), world.mage("Crom")
    battle = world.duel(ayla, crom, ruleset="waving-hands")
    for left, right in PARALYSED[:2]:
        world.order(battle, ayla, left)
        world.order(battle, crom, right)
    world.order(battle, crom, PARALYSED[2][1])
    world.new_mails()
    text = f"USER Aylas three-black-moths\nGAME {battle.number} Ayla\nLH S\nRH W\nEND"
    said = " ".join(world.ask(text, sender="aylas@example.org").split())
    assert "They were the last, and the turn has stopped for a question." in said
    assert "has resolved" not in said and "Crom has time until" in said
