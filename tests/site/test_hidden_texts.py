"""Hidden characters in a player's text are made visible to its readers, on every channel."""

import json

import pytest
from django.utils import timezone

from accounts.errors import InvalidName
from accounts.services.mages import register_mage
from accounts.services.messages import send_message
from challenges.models import Challenge
from challenges.services.create import create_challenge
from duels.terms import Terms
from moderation.models import Report
from moderation.services.reports import make_report
from studies.selectors.records import get_record_after_end, get_story_for_anyone
from tests.duels.fights import start_fight
from tests.email_gateway.world import MailWorld, body
from tests.scenes import make_mage, make_user

pytestmark = pytest.mark.django_db
EVIL = "pay\u202egnp\u200b!"
SHOWN = "pay[U+202E]gnp[U+200B]!"


def test_speech_is_marked_on_the_page_in_the_api_the_story_and_the_record(client):
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    duel.order("Froodal", f"-/-\nSAY {EVIL}")
    duel.order("Bung", "P/P")
    number = duel.number
    texts = [
        client.get(f"/battles/{number}/").content.decode(),
        json.dumps(client.get(f"/api/battles/{number}/events/?view=all").json()),
        get_story_for_anyone(number=number),
        str(get_record_after_end(number=number)),
    ]
    for text in texts:
        assert SHOWN in text and "\u202e" not in text and "\\u202e" not in text, text[:300]


def test_a_comment_a_report_and_a_message_are_marked(settings):
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    world = MailWorld()
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    create_challenge(challenger=froodal, terms=Terms(), invited=[bung], comment=EVIL, now=world.now)
    assert Challenge.objects.get().comment == SHOWN
    make_report(reporter=froodal.user, text=EVIL, about_user=bung.user, now=world.now)
    assert Report.objects.get().text == SHOWN
    send_message(writer=froodal.user, reader=bung.user, text=EVIL, once="x", now=world.now)
    mails = world.new_mails()
    assert len([mail for mail in mails if SHOWN in body(mail)]) >= 2
    assert not any("\u202e" in body(mail) + body(mail, "html") for mail in mails)


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\u200d", "\u0430", "\u00ad"])
def test_a_name_with_an_invisible_character_is_rejected_and_the_character_is_named(sign):
    with pytest.raises(InvalidName) as refused:
        register_mage(user=make_user("Frode"), name=f"Fro{sign}odal", now=timezone.now())
    message = " ".join(problem.message for problem in refused.value.problems)
    assert "letters a to z" in message and (f"U+{ord(sign):04X}" in message or sign.isprintable())
