"""No email to an opponent has anything they must not know, whatever is pending and whatever they ask."""

import os
import re
from collections.abc import Sequence

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Mage
from duels.models import Battle, OrderSheet
from tests.duels.fights import charm_for_good
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, MailWorld, body

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


def mask_hashes(text: str) -> str:
    """The text without commitments: their salts are random, so they differ in every world."""
    return re.sub(r"\b[0-9a-f]{64}\b", "<hash>", text)


def ask_everything(world: MailWorld, battle: Battle, questions: Sequence[str] = QUESTIONS) -> list[str]:
    """Every answer to Bung's user, without what differs from email to email."""
    said = []
    for question in questions:
        text = f"USER Bill three-black-moths\n{question.format(n=battle.number)}"
        mails = world.send(text, sender="bill@example.org")
        said += [
            mask_hashes(f"{mail['Subject']}\n{mail['Reply-To']}\n{body(mail)}\n{body(mail, 'html')}") for mail in mails
        ]
    return said


def pend(world: MailWorld, battle: Battle, mage: Mage, pair: tuple[str, str], extra: str) -> None:
    """Put the orders on the mage's sheet, not yet ready."""
    OrderSheet.objects.filter(combatant__mage=mage, stage__battle=battle, stage__closed_at=None).update(
        lines=[f"LH {pair[0]}", f"RH {pair[1]}"], draft=extra, text=extra
    )


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=ORDERS, second=ORDERS, extra=st.sampled_from(["", "TARGET RH Bung", "SAY I cast a secret"]))
def test_pending_orders_change_no_byte_of_the_other_players_emails(duel: MailedDuel, first, second, extra):
    world, battle = duel.world, duel.battle
    pend(world, battle, duel.froodal, first, "")
    one = ask_everything(world, battle)
    pend(world, battle, duel.froodal, second, extra)
    two = ask_everything(world, battle)
    world.wait(hours=1)
    assert one == two and len(one) == len(QUESTIONS)


@pytest.fixture
def held(world: MailWorld) -> MailedDuel:
    """Warlocks: a permanent Charm Person is on Froodal, and Bung directs it."""
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung, ruleset="warlocks")
    charm_for_good(battle, "Froodal", by="Bung")
    return MailedDuel(world, battle, froodal, bung)


def test_suicide_changes_no_byte_of_the_other_players_emails(held: MailedDuel):
    """WL-ENCH-39: ordered by email, known to nobody else before the turn resolves."""
    world, seen = held.world, []
    now, read = world.now, set(world.read)
    # The hand may be directed here, and the turn would resolve.
    questions = [question for question in QUESTIONS if "DIRECT" not in question] + ["SHOW {n}", "WHY {n}"]
    for last in ("", "\nSUICIDE"):
        with transaction.atomic():
            text = f"USER Frode {PASSWORD}\nGAME {held.number} Froodal\nLH W\nRH -{last}"
            mails = world.send(text, sender="frode@example.org")
            assert "Froodal's orders for turn 1 are in." in body(mails[0])
            assert ("You stop your own heart" in body(mails[0])) == bool(last)
            seen.append([str(mail["To"]) for mail in mails[1:]] + ask_everything(world, held.battle, questions))
            transaction.set_rollback(True)
        world.now, world.read = now, set(read)
    assert seen[0] == seen[1] and "SUICIDE" not in "".join(seen[0])


def test_a_held_warlock_ends_their_own_life_by_email(held: MailedDuel):
    world, block = held.world, f"GAME {held.number} Froodal\nLH W\nRH -\nSUICIDE"
    refused = world.ask(f"USER Bill {PASSWORD}\n{block}", sender="bill@example.org")
    assert "You have no mage called Froodal in battle" in refused
    refused = world.ask(f"USER Bill {PASSWORD}\n{block.replace('Froodal', 'Bung')}", sender="bill@example.org")
    assert "SUICIDE needs a permanent" in refused
    world.ask(f"USER Bill {PASSWORD}\nGAME {held.number} Bung\nLH W\nRH -", sender="bill@example.org")
    assert held.reload().result is None
    told = world.ask(f"USER Frode {PASSWORD}\n{block}", sender="frode@example.org")
    assert "You stop your own heart" in told
    assert (held.reload().result or {})["dead"] == ["Froodal"]


def test_other_rulesets_reject_the_order_by_email(duel: MailedDuel):
    charm_for_good(duel.battle, "Froodal", by="Bung")
    text = f"USER Frode {PASSWORD}\nGAME {duel.number} Froodal\nLH W\nRH -\nSUICIDE"
    assert "These rules have no SUICIDE." in duel.world.ask(text, sender="frode@example.org")


# Invisibility: P, P, then both hands W and S. Bung waits.
BECOME_INVISIBLE = (("-", "P"), ("-", "P"), ("W", "W"), ("S", "S"))


def play_unseen(duel: MailedDuel, left: str, right: str) -> list[str]:
    """Let the invisible Froodal gesture, return every email to Bung's user, and take it all back."""
    world, now, read = duel.world, duel.world.now, set(duel.world.read)
    with transaction.atomic():
        world.order(duel.battle, duel.froodal, f"LH {left}\nRH {right}")
        world.order(duel.battle, duel.bung, "LH -\nRH -")
        reports = [mail for mail in world.new_mails() if mail["To"] == "bill@example.org"]
        said = [mask_hashes(f"{mail['Subject']}\n{body(mail)}\n{body(mail, 'html')}") for mail in reports]
        said += ask_everything(world, duel.battle)
        transaction.set_rollback(True)
    world.now, world.read = now, read
    return said


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_unseen_gestures_change_no_byte_of_the_other_players_emails(duel: MailedDuel, data):
    with transaction.atomic():
        for left, right in BECOME_INVISIBLE:
            duel.world.order(duel.battle, duel.froodal, f"LH {left}\nRH {right}")
            duel.world.order(duel.battle, duel.bung, "LH -\nRH -")
        duel.world.new_mails()
        one, two = (play_unseen(duel, *data.draw(st.tuples(QUIET, QUIET))) for _ in range(2))
        assert one == two
        assert "Left:  B--WS?" in one[0]
        transaction.set_rollback(True)
