"""WHY by email: answered for the mage of its block, without ordering anything."""

import pytest

from duels.models import OrderSheet
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, MailWorld

pytestmark = pytest.mark.once

SHIELDED = (
    "  Your Magic Missile did nothing: a shield surrounded Bung (FM-MISSILE-3), because of the Shield that Bung cast "
    "on turn 2."
)


@pytest.fixture
def shielded(world: MailWorld, duel: MailedDuel) -> MailedDuel:
    for froodal, bung in (("S/-", "-/-"), ("D/-", "P/-")):
        world.order(duel.battle, duel.froodal, froodal)
        world.order(duel.battle, duel.bung, bung)
    duel.reload()
    return duel


def ask(world: MailWorld, duel: MailedDuel, why: str, *, name: str = "Frode", mage: str = "Froodal") -> str:
    answer = world.ask(f"USER {name} {PASSWORD}\nGAME {duel.number} {mage}\n{why}")
    return answer.replace("\r\n", "\n")


@pytest.mark.parametrize("why", ["WHY", "why 2", "WHY Magic Missile", "WHY 2 magic missile", "WHY Froodal"])
def test_why_is_answered_with_the_chain_and_changes_nothing(world: MailWorld, shielded: MailedDuel, why: str):
    before = list(OrderSheet.objects.values("lines", "ready", "text"))
    answer = ask(world, shielded, why)
    assert "Why, turn 2" in answer
    assert SHIELDED in answer
    assert "    Turn 2: Bung casts Shield on themself. [FM-SHIELD-2]" in answer
    assert list(OrderSheet.objects.values("lines", "ready", "text")) == before


def test_the_opponent_reads_the_same_chain_in_the_second_person(world: MailWorld, shielded: MailedDuel):
    answer = ask(world, shielded, "WHY", name="Bill", mage="Bung")
    assert "because of the Shield that you cast on turn 2." in answer


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("WHY 3", "Turn 3 has not resolved yet.\n > Nearest: WHY 2\n"),
        ("WHY 3 Shield", "Nearest: WHY 2 Shield"),
        ("WHY 9", 'There is no turn "9".'),
        ("WHY Firebal", 'There is no spell, mage or creature "Firebal" in this battle.'),
        ("WHY 2 Magic Misile", "Nearest: WHY 2 Magic Missile"),
    ],
)
def test_an_unexplainable_question_is_rejected_with_the_reason(
    world: MailWorld, shielded: MailedDuel, why: str, told: str
):
    assert told in ask(world, shielded, why)


def test_nobody_asks_for_the_mage_of_another(world: MailWorld, shielded: MailedDuel):
    answer = ask(world, shielded, "WHY", mage="Bung")
    assert "Why, turn" not in answer and "Shield" not in answer


def test_orders_beside_it_still_count(world: MailWorld, shielded: MailedDuel):
    answer = ask(world, shielded, "WHY\nW/P")
    assert SHIELDED in answer
    sheet = OrderSheet.objects.get(
        combatant__mage=shielded.froodal, stage__battle=shielded.battle, stage__closed_at=None
    )
    assert sheet.ready and sheet.lines[:2] == ["LH W", "RH P"]


def test_before_any_turn_there_is_nothing_to_explain(world: MailWorld, duel: MailedDuel):
    assert "No turn has been played yet." in ask(world, duel, "WHY")
    told = ask(world, duel, "WHY 1")
    assert "Turn 1 has not resolved yet." in told and "Nearest" not in told
