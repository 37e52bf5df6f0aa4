"""Emails about janitors' actions on battles: the action, the reason, the state of the battle, and no secrets."""

import pytest

from email_gateway.compose.notices import compose_notice
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.ask_for_consent import answer_question, ask_for_consent
from moderation.services.battles.enter_orders import enter_orders_for_mage
from moderation.services.battles.look_into_battle import look_through_eyes
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.undo import undo_battle_entry
from notifications.models import Delivery, Notice
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def fight():
    found = start_fight(make_mage("Froodal"), make_mage("Bung"))
    found.turn("S/W", "P/-")
    return found


@pytest.fixture
def details():
    return {"by": make_janitor(), "reason": WHY, "now": NOW}


def read_mails(fight, name):
    user = fight.user(name)
    notices = Notice.objects.filter(kind="battle_intervened", user=user).order_by("pk")
    return [" ".join(compose_notice(kind=each.kind, facts=each.facts, user=user).text.split()) for each in notices]


def test_the_email_says_what_is_asked_and_where_to_answer(fight, details):
    asked = ask_for_consent(battle=fight.battle, seq=1, **details)
    (mail,) = read_mails(fight, "Bung")
    for words in (
        "asked the players whether the battle may go back to the start of turn 1",
        WHY,
        "Jane",
        "Agree or refuse on the battle page",
    ):
        assert words in mail
    answer_question(battle=fight.battle, user=fight.user("Bung"), number=asked.number, agrees=True, now=NOW)


def test_a_turn_that_was_taken_back_comes_with_its_new_order_block_and_so_does_the_undoing(fight, details):
    entry = rewind_battle(battle=fight.battle, seq=1, without_consent="both are away", **details)
    undo_battle_entry(entry=entry, **{**details, "reason": "a slip"})
    done, undone = read_mails(fight, "Bung")
    for words in ("Turns 1 to 2 were undone", WHY, "both are away"):
        assert words in done
    assert "The janitor Jane has undone this" in undone and "a slip" in undone


def test_the_email_says_that_a_battle_is_annulled(fight, details):
    annul_battle(battle=fight.battle, **details)
    (mail,) = read_mails(fight, "Froodal")
    assert "The battle is annulled" in mail and "It no longer counts" in mail
    assert mail.count("State: In the circle") == 2 and "final notice" not in mail


def test_a_janitors_orders_and_looks_reveal_no_secret(fight, details):
    look_through_eyes(battle=fight.battle, mage="Bung", **details)
    enter_orders_for_mage(combatant=fight.combatant("Bung"), text="LH D\nRH >", ready=True, **details)
    (mail,) = read_mails(fight, "Froodal")
    assert "A janitor entered orders for Bung for turn 2." in mail
    assert "LH D" not in mail and "RH >" not in mail and "eyes" not in mail


def test_it_is_due_at_once_though_the_reader_has_the_battle_open(fight, details):
    from allauth.account.models import EmailAddress

    from notifications.recent_reading import note_reading

    bung = fight.user("Bung")
    EmailAddress.objects.create(user=bung, email="bung@example.org", verified=True, primary=True)
    note_reading(bung.pk, fight.number, now=NOW)
    ask_for_consent(battle=fight.battle, seq=1, **details)
    assert Delivery.objects.get(notice__kind="battle_intervened").due_at == NOW
