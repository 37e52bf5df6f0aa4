"""What an opponent must not know stands in no mail to him, whatever is pending and whatever he asks."""

import os

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Mage
from duels.models import Battle, OrderSheet
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import MailWorld, body

pytestmark = pytest.mark.once

EXAMPLES = 100 if os.environ.get("FM_TEST_LONG") == "1" else 3
# Gestures that complete no spell here and touch nobody.
QUIET = st.sampled_from("FW-")
GESTURES = st.sampled_from("FPSWDC>-")
ORDERS = st.tuples(GESTURES, GESTURES).filter(lambda pair: pair != ("P", "P"))
QUESTIONS = (
    "GAME {n} Bung\nEND",
    "GAME {n} Bung\nLH Q",
    "GAME {n} Froodal\nP/D",
    "GAME {n} Bung\nTARGET RH Froodall\nP/D",
    "GAME {n} Bung\nDIRECT LH P Froodal\nP/D",
    "CHALLENGES\nSCORES",
)


def ask_everything(world: MailWorld, battle: Battle) -> list[str]:
    """Every answer to Bung's user, without what differs from mail to mail."""
    said = []
    for question in QUESTIONS:
        text = f"USER Bill three-black-moths\n{question.format(n=battle.number)}"
        mails = world.send(text, sender="bill@example.org")
        said += [f"{mail['Subject']}\n{mail['Reply-To']}\n{body(mail)}\n{body(mail, 'html')}" for mail in mails]
    return said


def pend(world: MailWorld, battle: Battle, mage: Mage, pair: tuple[str, str], extra: str) -> None:
    """Let the mage's orders stand on his sheet, not yet ready."""
    OrderSheet.objects.filter(combatant__mage=mage, stage__battle=battle, stage__closed_at=None).update(
        lines=[f"LH {pair[0]}", f"RH {pair[1]}"], draft=extra, text=extra
    )


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=ORDERS, second=ORDERS, extra=st.sampled_from(["", "TARGET RH Bung", "SAY I cast a secret"]))
def test_pending_orders_change_no_byte_of_the_other_players_mails(duel: MailedDuel, first, second, extra):
    world, battle = duel.world, duel.battle
    pend(world, battle, duel.froodal, first, "")
    one = ask_everything(world, battle)
    pend(world, battle, duel.froodal, second, extra)
    two = ask_everything(world, battle)
    world.wait(hours=1)
    assert one == two and len(one) == len(QUESTIONS)


# Invisibility: P, P, then both hands W and S. Bung waits.
BECOME_INVISIBLE = (("-", "P"), ("-", "P"), ("W", "W"), ("S", "S"))


def play_unseen(duel: MailedDuel, left: str, right: str) -> list[str]:
    """Let the invisible Froodal gesture, return every mail to Bung's user, and take it all back."""
    world, now, read = duel.world, duel.world.now, set(duel.world.read)
    with transaction.atomic():
        world.order(duel.battle, duel.froodal, f"LH {left}\nRH {right}")
        world.order(duel.battle, duel.bung, "LH -\nRH -")
        reports = [mail for mail in world.new_mails() if mail["To"] == "bill@example.org"]
        said = [f"{mail['Subject']}\n{body(mail)}\n{body(mail, 'html')}" for mail in reports]
        said += ask_everything(world, duel.battle)
        transaction.set_rollback(True)
    world.now, world.read = now, read
    return said


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_gestures_made_unseen_change_no_byte_of_the_other_players_mails(duel: MailedDuel, data):
    with transaction.atomic():
        for left, right in BECOME_INVISIBLE:
            duel.world.order(duel.battle, duel.froodal, f"LH {left}\nRH {right}")
            duel.world.order(duel.battle, duel.bung, "LH -\nRH -")
        duel.world.new_mails()
        one, two = (play_unseen(duel, *data.draw(st.tuples(QUIET, QUIET))) for _ in range(2))
        assert one == two
        assert "Left:  B--WS?" in one[0]
        transaction.set_rollback(True)
