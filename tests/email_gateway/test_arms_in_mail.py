"""Arms in emails: pictures in the message, and an email that says everything without them."""

import io
import re

import pytest
from PIL import Image

from accounts.arms.blazons import State, blazon_mage
from duels.selectors.stage_keys import key_of
from email_gateway.arms import embed_arms, make_arms_parts
from email_gateway.compose.notices import compose_notice
from email_gateway.deliver.mail import Mail, make_message
from tests.email_gateway.conftest import MailedDuel

pytestmark = pytest.mark.django_db


def make(mail: Mail):
    return make_message(mail, to="bill@example.org", message_id="<1@localhost>").message()


def test_a_turns_email_brings_the_arms_of_each_mage_with_it(duel: MailedDuel):
    key = key_of(duel.reload())
    facts = {"battle": duel.number, "label": "1", "seq": key.seq, "attempt": key.attempt, "stage": key.stage}
    mail = compose_notice(kind="battle_started", facts={**facts, "who": "Bung"}, user=duel.bung.user)
    message = make(mail)
    parts = {part.get_content_type(): part for part in message.walk()}
    assert message.get_content_type() == "multipart/related"
    pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
    wanted = re.findall(r'src="cid:([^"]+)" width="24" height="24" alt=""', mail.html)
    assert [part["Content-ID"] for part in pictures] == [f"<{each}>" for each in wanted]
    assert set(wanted) == {f"arms-{blazon_mage(name)}@firetop" for name in ("Froodal", "Bung")}
    for part in pictures:
        assert part.get_content_disposition() == "inline"
        assert len(part.get_payload(decode=True)) < 3000
        assert Image.open(io.BytesIO(part.get_payload(decode=True))).size == (48, 48)
    # Without pictures, the names stand alone.
    text = parts["text/plain"].get_payload(decode=True).decode()
    assert "cid:" not in text and "Froodal" in text and "Bung" in text


def test_an_email_without_arms_stays_as_it_was():
    message = make(Mail(subject="News", text="News", html="<p>News</p>"))
    assert message.get_content_type() == "multipart/alternative"


def test_what_users_write_brings_no_pictures():
    text = "src=&quot;cid:arms-lm18154120@firetop&quot; <p>cid:arms-lm18154120@firetop</p>"
    assert make_arms_parts(text) == [] and embed_arms(text) == text


def test_each_picture_is_in_the_message_once_and_a_page_of_an_email_has_it_in_itself():
    blazon = blazon_mage("Brunhild", state=State.DEAD)
    html = f'<img src="cid:arms-{blazon}@firetop"><img src="cid:arms-{blazon}@firetop">'
    assert len(make_arms_parts(html)) == 1
    assert embed_arms(html).count('src="data:image/png;base64,') == 2
