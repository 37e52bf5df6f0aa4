"""Janitors see what happened to emails, and nothing that was sealed."""

import re

import pytest
from django.test import Client

from accounts.models import Mage, User
from email_gateway.addresses import make_turn_address
from email_gateway.commands.dispatch import hide_mage_commands
from email_gateway.models import InboundMail
from notifications.models import Delivery
from tests.email_gateway.world import MailWorld, write_mail
from tests.scenes import log_in


@pytest.fixture
def janitor(world: MailWorld) -> Client:
    client = log_in(User.objects.create_superuser("Keeper", password="five-green-eels"))
    return client


def test_a_janitor_reads_the_scrubbed_copy(world: MailWorld, janitor: Client):
    world.user("Wil")
    world.send("USER Wil three-black-moths\nREGISTER Merlyn")
    mail = InboundMail.objects.get()
    assert janitor.get("/admin/email_gateway/inboundmail/").status_code == 200
    page = janitor.get(f"/admin/email_gateway/inboundmail/{mail.pk}/change/").content.decode()
    assert "REGISTER Merlyn" in page and "three-black-moths" not in page
    for table in ("notifications/delivery", "email_gateway/mailaddress"):
        assert janitor.get(f"/admin/{table}/").status_code == 200


def test_a_janitor_who_plays_learns_no_orders(duel, janitor: Client):
    orders = "LH P\nRH D\nF\\S\nRH2: W\nTARGET RH Froodal\nSAY the quiet word\nTURN 1"
    duel.world.send(f"USER Bill three-black-moths\nGAME {duel.number} Bung\n{orders}\nEND")
    answer = Delivery.objects.get(notice=None)
    for table, row in (("email_gateway/inboundmail", InboundMail.objects.get()), ("notifications/delivery", answer)):
        page = janitor.get(f"/admin/{table}/{row.pk}/change/").content.decode()
        for secret in ("LH P", "RH D", "F\\S", ": W", "RH Froodal", "quiet word"):
            assert secret not in page
    assert (
        "TURN 1"
        in janitor.get(f"/admin/email_gateway/inboundmail/{InboundMail.objects.get().pk}/change/").content.decode()
    )


@pytest.mark.parametrize("subject", ["FM LH P RH D", "FM P/D", "fm say the quiet word"])
def test_a_janitor_who_plays_learns_no_orders_from_a_subject(duel, janitor: Client, subject):
    mail = write_mail("", subject=subject)
    address = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    duel.world.send(mail, to=address)
    page = janitor.get(f"/admin/email_gateway/inboundmail/{InboundMail.objects.get().pk}/change/").content.decode()
    for secret in ("LH P", "P/D", "quiet word"):
        assert secret.lower() not in page.lower()


def test_a_stuck_email_is_processed_again(world: MailWorld, janitor: Client):
    mail = world.take(write_mail("HELP"))
    InboundMail.objects.update(state="stuck")
    janitor.post("/admin/email_gateway/inboundmail/", {"action": "process_again", "_selected_action": [mail.pk]})
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == ("received", 0)


def test_a_player_cannot_open_any_page_of_the_desk(world: MailWorld):
    client = log_in(world.user("Wil"))
    for table in ("email_gateway/inboundmail", "notifications/delivery", "email_gateway/mailaddress"):
        assert client.get(f"/admin/{table}/").status_code == 302


def test_processing_again_twice_acts_once(world: MailWorld, janitor: Client, monkeypatch):
    world.user("Wil")
    mail = world.take(write_mail("USER Wil three-black-moths\nREGISTER Merlyn"))
    with monkeypatch.context() as patch:
        patch.setattr("email_gateway.receive.process_mail.write_answer", lambda **_: 1 / 0)
        for _ in range(6):
            world.process()
            world.wait(hours=1)
    world.new_mails()
    assert len(process_again(world, janitor, mail)) == 1
    assert (mail.state, mail.sealed) == ("processed", None)
    assert Mage.objects.filter(name="Merlyn").count() == 1


def process_again(world: MailWorld, janitor: Client, mail: InboundMail) -> list[str]:
    """Press the button twice; return the subjects of what is mailed then."""
    for _ in range(2):
        janitor.post("/admin/email_gateway/inboundmail/", {"action": "process_again", "_selected_action": [mail.pk]})
        InboundMail.objects.filter(state="received").update(due_at=world.now)
        world.process()
    mail.refresh_from_db()
    return [str(one["Subject"]) for one in world.new_mails()]


def test_an_email_taken_for_automatic_is_processed_if_a_janitor_says_so(world, janitor: Client):
    world.user("Wil")
    mail = world.take(
        write_mail("USER Wil three-black-moths\nREGISTER Merlyn", List_Id="<wils.own.example>", Precedence="list")
    )
    world.process()
    assert not Mage.objects.exists() and world.new_mails() == []
    assert len(process_again(world, janitor, mail)) == 1
    assert (mail.state, mail.sealed) == ("processed", None)
    assert Mage.objects.get().name == "Merlyn"


@pytest.mark.parametrize(("sender", "to"), [("", "fm@localhost"), ("fm@localhost", "fm@localhost"),
                                            ("wil@example.org", "bounces@localhost")])  # fmt: skip
def test_a_janitor_cannot_make_us_write_to_a_missing_mailbox(world: MailWorld, janitor: Client, sender, to):
    mail = world.take(write_mail("HELP"), sender=sender, to=to)
    world.process()
    assert process_again(world, janitor, mail) == []
    assert mail.state == "automatic"


def test_only_a_janitor_can_process_an_email_again(world: MailWorld):
    mail = world.take(write_mail("HELP"))
    InboundMail.objects.update(state="stuck")
    player = log_in(world.user("Wil"))
    for browser in (Client(), player):
        action = {"action": "process_again", "_selected_action": [mail.pk]}
        assert browser.post("/admin/email_gateway/inboundmail/", action).status_code == 302
        assert browser.get(f"/admin/email_gateway/inboundmail/{mail.pk}/change/").status_code == 302
    mail.refresh_from_db()
    assert mail.state == "stuck"


def test_the_list_shows_what_happened_to_each_email(world: MailWorld, janitor: Client):
    world.send("HELP")
    world.send(write_mail("Away", Auto_Submitted="auto-replied"))
    page = janitor.get("/admin/email_gateway/inboundmail/").content.decode()
    assert "it is marked as sent automatically" in page
    assert janitor.get("/admin/email_gateway/inboundmail/?state__exact=automatic").status_code == 200
    assert janitor.get("/admin/email_gateway/mailaddress/").status_code == 200


@pytest.mark.parametrize(
    "row",
    [
        "LH D",
        "> *LH D*",
        "1. LH D",
        "• TARGET LH Dara",
        "`LH D`",
        "- W/D.",
        "ＬＨ Ｄ",
        "• Ｗ／Ｄ",
        "L\u200bH D",
        "> >/D",
        "2) left D",
    ],
)
def test_a_janitor_sees_no_order_of_a_mage_however_it_is_written(row):
    assert not {"D", "Ｄ", "Dara", "D."} & set(re.split(r"[\s/／*`]", hide_mage_commands(row)))
    assert hide_mage_commands("1. Time flies\nGAME 12 Dara") == "1. Time flies\nGAME 12 Dara"
