"""Emails that wait because too many wrong mail passwords were sent for a name: the owner is never locked out."""

from dataclasses import replace

import pytest

from accounts.password_limits import MAIL_NAME, MAIL_SENDER_AND_NAME
from accounts.selectors.names import find_mage
from accounts.services import mail_passwords
from duels.models import OrderSheet
from email_gateway.addresses import make_turn_address
from email_gateway.commands.held_mails import MOST_HELD
from email_gateway.models import InboundMail
from email_gateway.tasks import tidy_mail
from notifications.models import Notice
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, write_mail
from tests.services.plugin import LONG

RIGHT = f"USER Wil {PASSWORD}\nREGISTER Merlyn"
OURS = "mx.play.example.org"
FEW = 6


@pytest.fixture
def wil(world: MailWorld):
    return world.user("Wil")


@pytest.fixture
def locked(world: MailWorld, wil, monkeypatch):
    """Wil, whose name is locked; after fewer guesses than usual, because each takes a hash."""
    monkeypatch.setattr(mail_passwords, "MAIL_NAME", replace(MAIL_NAME, limit=FEW))
    guess(world)
    return wil


def guess(world, count=FEW, sender="mallory{}@example.net"):
    """Have someone forge emails with wrong mail passwords."""
    for number in range(count):
        world.send(write_mail(f"USER Wil wrong-{number}"), sender=sender.format(number))


def find_question(mails):
    [question] = [mail for mail in mails if mail["Subject"] == "Did you send us orders?"]
    assert question["To"] == "wil@example.org"
    return question


SENDERS = [
    "wil+{}@example.org",
    *(pytest.param(each, marks=pytest.mark.slow) for each in ("mallory{}@example.net", "wil@host{}.example.org")),
]


@pytest.mark.parametrize("sender", SENDERS)
def test_two_hundred_forged_senders_get_no_more_tries_than_the_name_has(world, wil, sender, monkeypatch):
    tried = []
    check = "accounts.services.mail_passwords.check_password"
    monkeypatch.setattr(check, lambda raw, encoded: bool(tried.append(raw)) or raw == PASSWORD)
    guess(world, 200 if LONG else 40, sender)
    assert len(tried) <= MAIL_NAME.limit
    world.send(write_mail(RIGHT), sender=sender.format("x"))
    assert find_mage("Merlyn") is None and PASSWORD not in tried


def test_an_owner_whom_forged_emails_lock_out_confirms_by_reply(world, wil):
    for number in range(MAIL_SENDER_AND_NAME.limit):
        world.send(write_mail(f"USER Wil wrong-{number}"), sender="wil@example.org")
    question = find_question(world.send(RIGHT))
    assert find_mage("Merlyn") is None
    assert "If you wrote one of them, reply to this email" in " ".join(body(question).split())
    mails = world.send("CONFIRM", to=reply_address(question))
    assert "processing 1 email that was on hold" in " ".join(body(mails[0]).split())
    world.process()
    assert find_mage("Merlyn").user == wil
    assert "Merlyn is registered" in body(world.new_mails()[0])


def test_a_held_email_counts_for_the_turn_that_was_open_when_it_came(duel):
    world = duel.world
    for number in range(MAIL_SENDER_AND_NAME.limit):
        world.send(write_mail(f"USER Bill wrong-{number}"), sender="bill@example.org")
    held = world.send(f"USER Bill {PASSWORD}\nGAME {duel.number} Bung\nW/P\nEND", sender="bill@example.org")
    [question] = [mail for mail in held if mail["Subject"] == "Did you send us orders?"]
    came = InboundMail.objects.get(state="held")
    world.wait(hours=5)
    world.send("CONFIRM", sender="bill@example.org", to=reply_address(question))
    world.process()
    assert "LH W" in str(OrderSheet.objects.get(combatant__mage=duel.bung).lines)
    done = InboundMail.objects.get(pk=came.pk)
    assert (done.received_at, done.stage_mark, done.state) == (came.received_at, came.stage_mark, "processed")


def test_the_owner_gets_one_question_a_day_and_its_reply_confirms_what_came_after_it_too(world, locked):
    question = find_question(world.send(RIGHT))
    later = world.send(RIGHT.replace("Merlyn", "Morgan"))
    assert [mail["Subject"] for mail in later] == []
    world.send("CONFIRM", to=reply_address(question))
    world.process()
    assert find_mage("Merlyn") and find_mage("Morgan")
    world.wait(hours=25)
    find_question(world.send(RIGHT))
    assert Notice.objects.filter(kind="orders_held").count() == 2


def test_a_guesser_learns_nothing_from_being_held(world, locked):
    answers = [
        world.ask(write_mail(text), sender=sender)
        for text, sender in ((RIGHT, "mallory@example.net"), ("USER Wil wrong\nREGISTER Merlyn", "eve@example.net"))
    ]
    assert answers[0] == answers[1] and "your email waits" in " ".join(answers[0].split())


def test_a_confirmed_email_with_a_wrong_password_changes_nothing_and_gets_no_answer(world, locked):
    question = find_question(world.send(write_mail("HELP\nUSER Wil wrong\nREGISTER Merlyn")))
    world.send("CONFIRM", to=reply_address(question))
    world.process()
    assert world.new_mails() == [] and find_mage("Merlyn") is None
    assert not InboundMail.objects.filter(state="held").exists()


def test_what_stands_above_the_user_line_is_done_once(world, locked):
    text = write_mail(f"NEWUSER Nimue {PASSWORD}\n{RIGHT}")
    question = find_question(world.send(text))
    assert not Notice.objects.exclude(kind="orders_held").exists()
    answers = world.send("CONFIRM", to=reply_address(question))
    world.process()
    assert len(answers) == 1 and find_mage("Merlyn")


def test_nobody_else_confirms(world, locked):
    world.user("Ann")
    question = find_question(world.send(RIGHT))
    world.send("CONFIRM", sender="ann@example.org", to=reply_address(question))
    assert InboundMail.objects.filter(state="held").exists()
    world.wait(days=4)
    world.send("CONFIRM", to=reply_address(question))
    assert find_mage("Merlyn") is None


def test_held_emails_are_deleted_after_three_days_and_never_too_many(world, locked, monkeypatch):
    monkeypatch.setattr("email_gateway.commands.held_mails.MOST_HELD", 2)
    guess(world, 5)
    assert InboundMail.objects.filter(state="held").count() == 2 < MOST_HELD
    monkeypatch.setattr("email_gateway.tasks.timezone.now", lambda: world.now)
    world.wait(days=2)
    tidy_mail()
    assert InboundMail.objects.filter(state="held").count() == 2
    world.wait(days=2)
    tidy_mail()
    assert not InboundMail.objects.filter(state="held").exists()
    assert not InboundMail.objects.filter(remark__startswith="held").exclude(sealed=None).exists()


# --- proven paths -----------------------------------------------------------------------------------------------------


def test_a_lock_never_hits_an_email_to_a_reply_address(duel):
    world = duel.world
    for number in range(MAIL_SENDER_AND_NAME.limit):
        world.send(write_mail(f"USER Bill wrong-{number}"), sender=f"bill+{number}@example.org")
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    answer = world.ask(f"USER Bill {PASSWORD}\nREGISTER Merlyn", sender="bill@example.org", to=to)
    assert "Merlyn is registered" in answer


PASSING = (
    f"{OURS}; dmarc=pass header.from=example.org",
    f"{OURS}; spf=fail smtp.mailfrom=example.org; dkim=pass (2048-bit key; unprotected) header.d=example.org",
    f"{OURS} 1; spf=pass (sender SPF authorized) smtp.mailfrom=wil@example.org",
    f"{OURS}; dkim=pass header.i=@example.org",
)
FAILING = (
    "mx.evil.example.net; dmarc=pass header.from=example.org",
    f"{OURS}; dmarc=fail header.from=example.org",
    f"{OURS}; dmarc=pass header.from=example.net",
    f"{OURS}; dkim=pass header.d=le.org",
    f"{OURS}; spf=pass smtp.mailfrom=example.net",
    f'{OURS}; spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org"@example.net',
    f"{OURS}; spf=none (dmarc=pass header.from=example.org; dmarc=pass header.from=example.org)",
    f"{OURS}; none",
    "",
)


@pytest.mark.parametrize(("header", "is_proven"), [(one, True) for one in PASSING] + [(one, False) for one in FAILING])
def test_a_lock_hits_an_email_only_without_passing_authentication_results(world, locked, settings, header, is_proven):
    settings.FM_MAIL_AUTHSERV_ID = OURS
    headers = {"Authentication_Results": header} if header else {}
    world.send(write_mail(RIGHT, **headers))
    assert (find_mage("Merlyn") is not None) == is_proven


def test_only_the_topmost_result_counts_and_none_without_a_name_for_our_server(world, locked, settings):
    world.send(write_mail(RIGHT, Authentication_Results=PASSING[0]))
    settings.FM_MAIL_AUTHSERV_ID = OURS
    forged = write_mail(RIGHT, Authentication_Results=PASSING[0])
    world.send(f"Authentication-Results: {FAILING[1]}\r\n".encode() + forged)
    assert find_mage("Merlyn") is None
    world.send(write_mail(RIGHT, sender="wil@example.org, eve@example.net", Authentication_Results=PASSING[0]))
    assert find_mage("Merlyn") is None


def test_a_proven_address_of_somebody_else_proves_nothing(world, locked, settings):
    settings.FM_MAIL_AUTHSERV_ID = OURS
    header = f"{OURS}; dmarc=pass header.from=example.net; spf=pass smtp.mailfrom=example.net"
    raw = write_mail(RIGHT, sender="mallory@example.net", Authentication_Results=header)
    world.send(raw, sender="mallory@example.net")
    assert find_mage("Merlyn") is None
