"""The receipt of orders by email says what does nothing as things stand, in the words of the page."""

import pytest

from tests.duels.fights import Fight
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD

pytestmark = pytest.mark.once


def test_a_receipt_says_what_does_nothing_as_things_stand(duel: MailedDuel):
    Fight(duel.battle, {"Froodal": duel.froodal, "Bung": duel.bung}).turns([("D/-", "-/-"), ("F/-", "-/-")])
    answer = duel.world.ask(f"USER Frode {PASSWORD}\nGAME {duel.battle.number} Froodal\nW/S\nEND")
    note = "Note: As things stand, Cure Light Wounds does nothing: you have all 15."
    assert note in " ".join(answer.split())
