"""Permissions: reply addresses in the wrong hands, and changes of the account."""

from email.message import EmailMessage

import pytest

from accounts.models import User
from accounts.password_limits import MAIL_SENDER_AND_NAME
from accounts.services.mail_passwords import check_mail_password
from duels.models import OrderSheet
from email_gateway.addresses import make_turn_address
from email_gateway.models import AccountChangeRequest, InboundMail
from email_gateway.tasks import tidy_mail
from email_gateway.text.senders import plain_sender
from notifications.models import Delivery, Notice
from notifications.selectors.notices import address_for_notices
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, write_mail
from tests.scenes import NOW

NEW_PASSWORD = "five-blue-lizards"

# --- a reply address from elsewhere -----------------------------------------------------------------------------------


def bungs_address(duel) -> str:
    return make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)


def test_only_its_owner_is_warned_of_a_reply_address_used_from_elsewhere(duel):
    [answer] = duel.world.send("W/P", sender="mallory@example.net", to=bungs_address(duel))
    assert answer["To"] == "bill@example.org"
    assert "mallory@example.net, which isn't your address" in " ".join(body(answer).split())


def test_the_owner_is_notified_separately_if_no_answer_is_sent(duel, monkeypatch):
    monkeypatch.setattr("email_gateway.compose.write_answer.MOST_TO_USER", 0)
    for number in range(3):
        mails = duel.world.send(f"W/P\nSAY {number}", sender="mallory@example.net", to=bungs_address(duel))
        assert [mail["To"] for mail in mails] == (["bill@example.org"] if number == 0 else [])
    assert Notice.objects.filter(kind="reply_address_elsewhere").count() == 1


@pytest.mark.parametrize(
    "sender",
    ["bill@example.org", "BILL@Example.org", "bill+fm@example.org", "prvs=12345abcde=bill@example.org",
     "SRS0=abcd=ef=example.org=bill@relay.example.net"],
)  # fmt: skip
def test_owners_who_write_from_their_own_address_get_no_warning(duel, sender):
    [answer] = duel.world.send("W/P", sender=sender, to=bungs_address(duel))
    assert "isn't your address" not in " ".join(body(answer).split())


def test_senders_are_recognised_despite_what_mail_systems_add():
    for written in (
        "wil@example.org",
        "<Wil@Example.org>",
        "wil+anything@example.org",
        "prvs=0123456789=wil@example.org",
        "srs0=xyz=2p=example.org=wil@forward.example.net",
        "srs0+xyz=2p=example.org=wil@forward.example.net",
        "srs1=abc=first.example.net==xyz=2p=example.org=wil@second.example.net",
    ):
        assert plain_sender(written) == "wil@example.org", written
    assert plain_sender("") == "@"


# --- PASSWORD and ADDRESS ---------------------------------------------------------------------------------------------


def ask_for(world: MailWorld, order: str, *, sender: str = "wil@example.org") -> EmailMessage:
    [mail] = world.send(f"USER Wil {PASSWORD}\n{order}", sender=sender)
    return mail


def test_a_mail_password_changes_when_the_owners_address_agrees(world: MailWorld):
    """FM-ORDUSR-5, with the owner asked first."""
    wil = world.user("Wil")
    mail = ask_for(world, f"PASSWORD {NEW_PASSWORD}", sender="mallory@example.net")
    assert mail["To"] == "wil@example.org" and NEW_PASSWORD not in mail.as_string()
    assert check_mail_password(user=wil, raw=PASSWORD)
    answer = world.ask("CONFIRM", to=reply_address(mail))
    assert "Your mail password is changed." in answer
    wil.refresh_from_db()
    assert check_mail_password(user=wil, raw=NEW_PASSWORD) and not check_mail_password(user=wil, raw=PASSWORD)
    assert AccountChangeRequest.objects.get().sealed == ""
    kept = "".join(InboundMail.objects.values_list("scrubbed", flat=True))
    kept += "".join(text for row in Delivery.objects.values_list("text", "web_text", "subject") for text in row)
    assert NEW_PASSWORD not in kept


def test_an_address_changes_when_the_old_and_then_the_new_one_agree(world: MailWorld):
    """FM-ORDUSR-4, with both asked first."""
    wil = world.user("Wil")
    mail = ask_for(world, "ADDRESS Wil@New.example.net")
    assert mail["To"] == "wil@example.org"
    told, question = sorted(world.send("CONFIRM", to=reply_address(mail)), key=lambda one: one["To"])
    assert (told["To"], question["To"]) == ("wil@example.org", "wil@new.example.net")
    assert address_for_notices(wil) == "wil@example.org"
    mails = world.send("CONFIRM", sender="wil@new.example.net", to=reply_address(question))
    assert address_for_notices(wil) == "wil@new.example.net"
    wil.refresh_from_db()
    assert wil.email == "wil@new.example.net"
    # The old address hears of it.
    assert {mail["To"] for mail in mails} == {"wil@example.org", "wil@new.example.net"}


@pytest.mark.parametrize(
    "answer", ["I am away until Monday.", "> CONFIRM", "On Monday, Firetop Mountain wrote:\n\nCONFIRM", ""]
)
def test_only_the_exact_word_changes_anything(world: MailWorld, answer):
    wil = world.user("Wil")
    mail = ask_for(world, "ADDRESS wil@new.example.net")
    mails = world.send(answer, to=reply_address(mail))
    assert [one["To"] for one in mails] == ["wil@example.org"]
    assert address_for_notices(wil) == "wil@example.org"


@pytest.mark.parametrize("answer", ["I confirm.", "Yes", "Bestätigt"])
def test_whoever_confirms_in_other_words_is_told_how(world: MailWorld, answer):
    mail = ask_for(world, "NEWUSER Anna six-white-horses")
    world.user("Wil")
    for asked in (mail, ask_for(world, "ADDRESS wil@new.example.net")):
        told = " ".join(world.ask(answer, to=reply_address(asked)).split())
        assert "Nothing has changed. To confirm, reply once more" in told
        assert "This is Firetop Mountain" not in told


def test_nobody_else_may_agree_and_nobody_twice_or_late(world: MailWorld):
    world.user("Wil")
    mail = ask_for(world, f"PASSWORD {NEW_PASSWORD}")
    [refused] = world.send("CONFIRM", sender="mallory@example.net", to=reply_address(mail))
    assert refused["To"] == "wil@example.org"
    assert "must come from the address" in body(refused)
    late = ask_for(world, "PASSWORD six-white-horses")
    world.ask("CONFIRM", to=reply_address(mail))
    assert "is already made" in body(world.send("CONFIRM\n; again", to=reply_address(mail))[0])
    world.wait(days=4)
    assert "has expired" in body(world.send("CONFIRM", to=reply_address(late))[0])
    AccountChangeRequest.objects.update(created_at=NOW.replace(year=2001))
    tidy_mail()
    assert not AccountChangeRequest.objects.exclude(sealed="").exists()


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("PASSWORD", "PASSWORD needs one word"),
        ("PASSWORD abc", "too short"),
        ("ADDRESS", "ADDRESS needs one address"),
        ("ADDRESS nobody", "not a complete address. [FM-ORDUSR-4] Nearest: ADDRESS <new address"),
        ("ADDRESS fm@localhost", "your address"),
        ("ADDRESS wil@example.org", "already your address"),
        ("CONFIRM", "works only in reply to an email"),
        (f"PASSWORD {NEW_PASSWORD}\nADDRESS x@example.org", "An email can change one thing"),
    ],
)
def test_unacceptable_emails_are_rejected_with_their_reason(world: MailWorld, order, told):
    world.user("Wil")
    assert told in " ".join(body(ask_for(world, order)).replace(">", "").split())


def test_a_reply_address_of_a_battle_changes_no_account(duel):
    for order in (f"PASSWORD {NEW_PASSWORD}", "ADDRESS mallory@example.net"):
        answer = duel.world.ask(order, sender="bill@example.org", to=bungs_address(duel))
        assert "needs a USER line" in answer
    assert not AccountChangeRequest.objects.exists()


def test_an_address_of_someone_else_is_never_taken_over(world: MailWorld):
    wil = world.user("Wil")
    world.user("Ann")
    mail = ask_for(world, "ADDRESS ann@example.org")
    question = next(one for one in world.send("CONFIRM", to=reply_address(mail)) if one["To"] == "ann@example.org")
    [told] = world.send("CONFIRM", sender="ann@example.org", to=reply_address(question))
    assert "belongs to another user" in " ".join(body(told).split())
    assert address_for_notices(wil) == "wil@example.org"
    assert address_for_notices(User.objects.get(username="Ann")) == "ann@example.org"


def test_guesses_lock_out_their_sender_and_not_the_owner_of_the_name(world: MailWorld):
    """FM-ORDGEN-19. A sender is the same under every +detail."""
    world.user("Wil")
    world.user("Ann")
    for number in range(MAIL_SENDER_AND_NAME.limit):
        world.send(write_mail(f"USER Wil wrong-{number}"), sender=f"mallory+{number}@example.net")
    refused = world.send(write_mail(f"USER Wil {PASSWORD}\nREGISTER Merlyn"), sender="mallory@example.net")
    assert "your email waits" in " ".join(body(refused[0]).split())
    assert "Merlyn is registered" in world.ask(write_mail(f"USER Wil {PASSWORD}\nREGISTER Merlyn"))
    for number in range(20):
        world.send(write_mail(f"USER nobody{number} wrong"), sender=f"mallory+{number}@example.net")
        world.wait(hours=1)
    refused = world.send(write_mail(f"USER Ann {PASSWORD}\nREGISTER Ann1"), sender="mallory+x@example.net")
    assert "your email waits" in " ".join(body(refused[0]).split())


# --- out of office ----------------------------------------------------------------------------------------------------


def test_an_undeclared_answering_machine_gives_no_orders_and_shows_no_activity(duel):
    before = User.objects.get(pk=duel.bung.user_id).last_active_at
    duel.world.wait(days=3)
    away = write_mail("I am away until Monday.\nIf it cannot wait, call 555-1234.", subject="Re: Duel 12")
    duel.world.send(away, sender="bill@example.org", to=bungs_address(duel))
    assert User.objects.get(pk=duel.bung.user_id).last_active_at == before
    assert not OrderSheet.objects.exclude(lines=[]).exists()
