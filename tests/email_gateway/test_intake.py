"""Accepting email: stored and sealed before the sender gets a reply, processed once, and never answered to machines."""

import threading
from datetime import timedelta
from email.message import EmailMessage

import pytest
from django.db import connection, connections
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.selectors.names import find_mage
from email_gateway.addresses import make_turn_address
from email_gateway.errors import MailTooLarge, UnknownMailbox
from email_gateway.models import InboundMail, LocalMail, NewUserRequest
from email_gateway.receive.intake import ingest_mail
from email_gateway.receive.process_mail import claim_inbound, process_mail, release_mail
from email_gateway.tasks import process_inbound_mail, sweep_inbound_mail, tidy_mail
from fm_site.upkeep.tasks import tidy_site
from notifications.models import Delivery
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.test_orders import lines_of
from tests.email_gateway.world import PASSWORD, MailWorld, body, write_mail
from tests.scenes import NOW


def login(name: str, text: str) -> str:
    return f"USER {name} {PASSWORD}\n{text}"


# --- stored ----------------------------------------------------------------------------------------------------------


def test_an_email_is_stored_sealed_and_kept_scrubbed(world: MailWorld):
    world.user("Wil")
    mail = world.take(write_mail(login("Wil", "REGISTER Merlyn")))
    assert mail.state == "received"
    assert PASSWORD.encode() not in bytes(mail.sealed) and b"Merlyn" not in bytes(mail.sealed)
    world.process()
    mail.refresh_from_db()
    assert (mail.state, mail.sealed) == ("processed", None)
    assert "REGISTER Merlyn" in mail.scrubbed and PASSWORD not in mail.scrubbed
    assert mail.user.username == "Wil"


def test_no_row_keeps_what_could_be_used_again(world: MailWorld):
    world.user("Wil")
    [confirmation] = world.send("NEWUSER Ann seven-white-owls", sender="ann@example.org")
    reply = str(confirmation["Reply-To"])
    world.send(login("Wil", f"my password is {PASSWORD}"))
    world.send(f"yes, {reply}", sender="ann@example.org", to=reply)
    secrets = [PASSWORD, "seven-white-owls", reply, reply.partition("@")[0]]
    with connection.cursor() as cursor:
        for model in (InboundMail, Delivery, LocalMail):
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")
            for row in cursor.fetchall():
                for value in row:
                    text = bytes(value).decode("latin-1") if isinstance(value, (bytes, memoryview)) else str(value)
                    assert not any(secret in text for secret in secrets)


def test_nothing_secret_is_logged(world: MailWorld, caplog, capsys, monkeypatch):
    def fail(*args: object, **kwargs: object) -> None:
        raise ValueError(f"who would print {PASSWORD}")

    world.user("Wil")
    monkeypatch.setattr("email_gateway.receive.process_mail.write_answer", fail)
    with caplog.at_level("DEBUG"):
        world.send(login("Wil", "REGISTER Merlyn"))
    printed = capsys.readouterr()
    assert "mail not processed" in caplog.text + printed.out + printed.err
    assert PASSWORD not in caplog.text + printed.out + printed.err


def test_large_emails_and_unknown_mailboxes_are_rejected_before_anything_is_stored(world: MailWorld, settings):
    settings.FM_MAIL_SIZE_LIMIT = 1000
    with pytest.raises(MailTooLarge):
        world.take(b"x" * 1001)
    with pytest.raises(UnknownMailbox):
        world.take(b"\nHELP", to="root@localhost")
    assert not InboundMail.objects.exists()


def test_copies_are_tidied_after_a_month_and_rows_after_half_a_year(world: MailWorld):
    world.user("Wil")
    world.send(login("Wil", "REGISTER Merlyn"))
    world.send(write_mail("I am away", Auto_Submitted="auto-replied"))
    tidy_mail()  # the world's clock runs ahead of the wall's
    assert all(mail.scrubbed for mail in InboundMail.objects.all())
    InboundMail.objects.update(received_at=timezone.now() - timedelta(days=31))
    tidy_mail()
    assert [(mail.scrubbed, mail.sealed) for mail in InboundMail.objects.all()] == [("", None)] * 2
    stuck = world.take(write_mail("odd"))
    InboundMail.objects.filter(pk=stuck.pk).update(state="stuck", sealed=b"x", processed_at=None)
    for model, moment in ((InboundMail, "received_at"), (Delivery, "created_at")):
        model.objects.update(**{moment: timezone.now() - timedelta(days=181)})
    Delivery.objects.filter(pk=Delivery.objects.latest("pk").pk).update(created_at=timezone.now())
    tidy_mail()
    tidy_site()
    assert list(InboundMail.objects.all()) == [stuck] and Delivery.objects.filter(notice=None).count() == 1


# --- once ------------------------------------------------------------------------------------------------------------


def test_the_same_email_five_times_has_one_effect_and_one_answer(world: MailWorld):
    world.user("Wil")
    raw = write_mail(login("Wil", "REGISTER Merlyn"))
    answers = [mail for _ in range(5) for mail in world.send(raw)]
    assert len(answers) == 1
    assert InboundMail.objects.get().copies == 5


def test_headers_added_by_mail_systems_do_not_make_it_another_email(world: MailWorld):
    raw = write_mail("HELP", Message_ID="<one@example.org>")
    assert len(world.send(b"Received: from here by there\r\n" + raw)) == 1
    assert world.send(b"Received: from elsewhere\r\nX-Spam: no\r\n" + raw) == []


def test_another_route_and_sender_do_not_make_it_another_email(world: MailWorld):
    """Mail systems in between may re-encode a copy, add an HTML part, or rewrite its sender."""
    world.user("Wil")
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["Message-ID"] = "wil@example.org", "FM Orders", "<one@example.org>"
    mail.set_content(login("Wil", "REGISTER Merlyn"), cte="8bit")
    assert len(world.send(mail.as_bytes())) == 1
    assert world.send(mail.as_bytes(), sender="srs0=x=y=example.org=wil@relay.example.net") == []
    mail.set_content(login("Wil", "REGISTER Merlyn"), cte="base64")
    assert world.send(mail.as_bytes(), sender="wil@relay.example.net", to="Orders@localhost") == []
    mail.add_alternative("<p>REGISTER Merlyn</p>", subtype="html")
    assert world.send(mail.as_bytes()) == []
    assert [(row.state, row.copies) for row in InboundMail.objects.order_by("pk")] == [
        ("processed", 2),
        ("copy", 1),
        ("copy", 1),
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"Message_ID": "<two@example.org>"},
        {"Message_ID": "<one@example.org>", "Date": "Mon, 5 May 2031 10:00:00 +0000"},
        {"Message_ID": "<one@example.org>", "subject": "again"},
    ],
)
def test_another_email_with_the_same_words_is_another_email(world: MailWorld, other):
    assert len(world.send(write_mail("HELP", Message_ID="<one@example.org>"))) == 1
    assert len(world.send(write_mail("HELP", **other))) == 1


@pytest.mark.parametrize(
    "sender",
    ["a" * 300 + "@example.org", "nobody", "a b@example.org", "x@example.org, y@example.net", "a@b.org\nTo: x"],
)
def test_an_email_with_an_unclear_sender_is_processed_but_not_answered(world: MailWorld, sender):
    assert world.send(write_mail("HELP"), sender=sender) == []
    assert world.send(write_mail("NEWUSER Willy three-black-moths"), sender=sender) == []
    for mail in InboundMail.objects.all():
        assert (mail.state, mail.remark) == ("processed", "not answered: the sender is no address")
    assert not NewUserRequest.objects.exists()


def test_an_email_without_id_and_date_is_the_same_for_an_hour(world: MailWorld):
    raw = b"Subject: FM Orders\r\n\r\nHELP\r\n"
    assert len(world.send(raw)) == 1
    assert world.send(raw) == []
    world.wait(hours=1)
    assert len(world.send(raw)) == 1


def test_a_second_worker_finds_nothing_to_do(world: MailWorld):
    world.user("Wil")
    mail = world.take(write_mail(login("Wil", "REGISTER Merlyn")))
    first = claim_inbound(mail_id=mail.pk, now=world.now)
    assert claim_inbound(mail_id=mail.pk, now=world.now) is None
    process_mail(mail=first, now=world.now)
    process_mail(mail=first, now=world.now)
    assert Delivery.objects.filter(notice=None).count() == 1


def test_an_email_whose_worker_died_is_processed_by_the_next_sweep(world: MailWorld):
    mail = world.take(write_mail("HELP"))
    claim_inbound(mail_id=mail.pk, now=world.now)
    world.wait(seconds=20)
    assert claim_inbound(mail_id=mail.pk, now=world.now) is None
    world.wait(seconds=20)
    world.process()
    assert len(world.new_mails()) == 1


def test_the_sweep_processes_emails_without_a_task(world: MailWorld, monkeypatch):
    mail = world.take(write_mail("HELP"))
    InboundMail.objects.update(due_at=NOW.replace(year=2020), received_at=NOW.replace(year=2020))
    sweep_inbound_mail()
    sweep_inbound_mail()
    process_inbound_mail(mail.pk)
    assert Delivery.objects.filter(notice=None).count() == 1


def test_after_an_error_of_ours_the_email_is_rolled_back_kept_and_retried(world: MailWorld, monkeypatch):
    world.user("Wil")
    mail = world.take(write_mail(login("Wil", "REGISTER Merlyn")))
    with monkeypatch.context() as patch:
        patch.setattr("email_gateway.receive.process_mail.write_answer", lambda **_: 1 / 0)
        world.process()
    mail.refresh_from_db()
    assert find_mage("Merlyn") is None
    assert mail.state == "received" and mail.sealed is not None and mail.remark.startswith("fault ")
    world.wait(seconds=6)
    world.process()
    assert find_mage("Merlyn") is not None
    assert len(world.new_mails()) == 1


def test_an_email_that_fails_five_times_is_stuck_and_its_sender_is_notified_once(world: MailWorld, monkeypatch):
    world.user("Wil")
    mail = world.take(write_mail(login("Wil", "REGISTER Merlyn")))
    with monkeypatch.context() as patch:
        patch.setattr("email_gateway.commands.mages.register_mage", lambda **_: 1 / 0)
        for _ in range(7):
            world.process()
            world.wait(hours=2)
    mail.refresh_from_db()
    assert mail.state == "stuck" and mail.sealed is not None
    [told] = world.new_mails()
    assert "We have not done anything in it yet, and nothing is lost" in body(told) and mail.remark.split()[1] in body(
        told
    )
    release_mail(mail=mail, now=world.now)
    world.process()
    assert find_mage("Merlyn") is not None


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_copies_that_arrive_at_the_same_time_are_one_email():
    raw = write_mail("HELP")
    barrier = threading.Barrier(5)

    def deliver() -> None:
        barrier.wait()
        ingest_mail(raw=raw, mail_from="wil@example.org", rcpt_tos=["fm@localhost"], now=NOW)
        connections.close_all()

    threads = [threading.Thread(target=deliver) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert InboundMail.objects.get().copies == 5


# --- nobody is answered who is no person ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        ({}, ""),
        ({}, "MAILER-DAEMON@example.org"),
        ({}, "no-reply@example.org"),
        ({}, "owner-list@example.org"),
        ({}, "fm@localhost"),
        ({}, "bounces@localhost"),
        ({}, "t-1-2-3-4-aaaaaaaaaaaaaaaaaaaa@localhost"),
        # One mark that only machines bear is enough.
        ({"Auto_Submitted": "auto-replied"}, "wil@example.org"),
        ({"Auto_Submitted": "auto-generated; x=y"}, "wil@example.org"),
        ({"Precedence": "auto_reply"}, "wil@example.org"),
        ({"X_Autoreply": "yes"}, "wil@example.org"),
        ({"subject": "Automatic reply: Duel 12, turn 8"}, "wil@example.org"),
        ({"subject": "Out of Office AutoReply: FM"}, "wil@example.org"),
        ({"subject": "Abwesenheitsnotiz: FM"}, "wil@example.org"),
        ({"subject": "Réponse automatique : FM"}, "wil@example.org"),
        ({"subject": "Respuesta automática: FM"}, "wil@example.org"),
        ({"subject": "自動応答：FM"}, "wil@example.org"),
        ({"From": "[AUTO GENERATED] Robot <robot@example.org>"}, "robot@example.org"),
        ({"From": '"Desk (auto-generated)" <desk@example.org>'}, "desk@example.org"),
        ({"From": "Help <DoNotReply@example.org>"}, "help@example.org"),
        ({"subject": "[Auto Generated] FM"}, "wil@example.org"),
        # Of the others it takes two kinds.
        ({"Precedence": "List", "List_Id": "<talk.example.org>"}, "wil@example.org"),
        ({"Precedence": "bulk", "X_Loop": "wil@example.org"}, "wil@example.org"),
        ({"Precedence": "junk", "subject": "Out of the office until Monday"}, "wil@example.org"),
    ],
)
def test_automatic_emails_are_neither_processed_nor_answered(world: MailWorld, headers, sender):
    world.user("Wil")
    assert world.send(write_mail(login("Wil", "REGISTER Merlyn"), **headers), sender=sender) == []
    assert find_mage("Merlyn") is None
    assert InboundMail.objects.get().state == "automatic"


MARKS = [
    {"Auto_Submitted": "yes"},
    {"Precedence": "bulk"},
    {"Precedence": "List"},
    {"Precedence": "junk"},
    {"List_Id": "<talk.example.org>"},
    {"X_Loop": "wil@example.org"},
    {"subject": "Out of the office until Monday"},
    {"subject": "Abwesend bis Montag"},
]
# Headers that providers add to all emails of people.
HARMLESS = [
    {"Feedback_ID": "i1234:Fastmail"},
    {"List_Unsubscribe": "<mailto:stop@example.org>"},
    {"X_Auto_Response_Suppress": "All"},
    {"Auto_Submitted": "no"},
    {"X_Autoreply": "no"},
    {"X_QQ_Mid": "webmail1", "X_QQ_SENDSIZE": "520", "Feedback_ID": "webmail:qq.com:bgweb:bgweb1"},
    {"X_Pobox_Relay_ID": "1234", "Feedback_ID": "1:pobox"},
    {"subject": "Re: Automatic reply: Duel 12"},
    {"subject": "Re: [AUTO GENERATED] Duel 12"},
    {"From": "Otto Generoso <wil@example.org>"},
    {"Feedback_ID": "1:smtp2go", "List_Unsubscribe": "<mailto:x@example.org>", "X_Auto_Response_Suppress": "DR"},
]


@pytest.mark.parametrize("headers", MARKS + HARMLESS)
def test_one_mark_alone_silences_nobody_who_gives_an_order(world: MailWorld, headers):
    world.user("Wil")
    assert len(world.send(write_mail(login("Wil", "REGISTER Merlyn"), **headers))) == 1
    assert find_mage("Merlyn") is not None


@pytest.mark.parametrize("headers", MARKS)
def test_a_single_mark_does_not_silence_a_rejected_order(world: MailWorld, headers):
    world.user("Wil")
    assert "REGISTER needs one name" in world.ask(write_mail(login("Wil", "REGISTER Merlyn the Mage"), **headers))


@pytest.mark.parametrize("headers", MARKS)
def test_a_marked_email_without_an_order_is_automatic(world: MailWorld, headers):
    assert world.send(write_mail("I am away until Monday.\nAsk Ann for help.\n", **headers)) == []
    assert InboundMail.objects.get().state == "automatic"


@pytest.mark.parametrize("headers", HARMLESS)
def test_users_of_any_provider_get_an_answer(world: MailWorld, headers):
    assert len(world.send(write_mail("How does this work?", **headers))) == 1


def test_a_newsletter_is_not_answered_whatever_its_headings(world: MailWorld):
    letter = "FAQ\nRULES\nThis week: our sale.\n\nUnsubscribe: https://news.example/u/123\n"
    headers = {"List_Unsubscribe": "<https://news.example/u/123>", "Feedback_ID": "7:news"}
    assert world.send(write_mail(letter, **headers)) == []
    assert len(world.send(write_mail("FAQ\nRULES", **headers))) == 1
    world.user("Wil")
    assert len(world.send(write_mail(f"{login('Wil', 'REGISTER Merlyn')}\n{letter}", **headers))) == 1


def test_a_marked_sender_gets_few_answers(world: MailWorld):
    sent = [world.send(write_mail("SCORES", Precedence="bulk")) for _ in range(8)]
    assert sum(map(len, sent)) == 5


def test_a_user_whose_provider_marks_every_email_gets_an_answer_to_each_order(duel: MailedDuel):
    world = duel.world
    sent = [
        world.send(
            write_mail(login("Bill", f"MAGE Bung\nLH {hand}\nRH P"), sender="bill@example.org", Precedence="bulk")
        )
        for hand in "WPSD" * 3
    ]
    assert sum(map(len, sent)) == 12
    assert lines_of(duel.battle, duel.bung) == ["LH D", "RH P"]
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    by_reply = [
        world.send(write_mail(f"LH {hand}\nRH P", sender="bill@example.org", List_Id="<all.example.org>"), to=to)
        for hand in "WPSD"
    ]
    assert sum(map(len, by_reply)) == 4


def test_a_machine_that_replies_to_a_turn_report_gets_few_answers(duel: MailedDuel):
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    sent = [
        duel.world.send(write_mail("Info: we are closed.\nHELP\n", sender="bill@example.org", Precedence="bulk"), to=to)
        for _ in range(8)
    ]
    assert sum(mail["Auto-Submitted"] == "auto-replied" for mails in sent for mail in mails) == 5


def test_no_marked_user_gets_more_than_an_answer_a_minute(duel: MailedDuel, monkeypatch):
    monkeypatch.setattr("email_gateway.compose.write_answer.MOST_TO_MARKED_USER", 7)
    text = login("Bill", "MAGE Bung\nLH W")
    sent = [duel.world.send(write_mail(text, sender="bill@example.org", Precedence="bulk")) for _ in range(9)]
    assert sum(map(len, sent)) == 7


def test_emails_without_a_blank_line_after_their_headers_are_not_copies(world: MailWorld):
    head = b"Message-ID: <same@example.org>\r\nDate: Sun, 4 May 2031 12:00:00 +0000\r\nSubject: FM scores"
    for more in (b"\r\nX-One: 1\r\n", b"\r\nX-Two: 2\r\n", b"\r\nSCORES\r\n", b"\r\nCHALLENGES\r\n"):
        assert len(world.send(head + more)) == 1
    assert world.send(head + b"\r\nSCORES\r\n") == [], "the very same bytes are the same mail"


def test_a_delivery_report_is_not_answered(world: MailWorld):
    raw = b"Content-Type: multipart/report; boundary=b\n\n--b\n\nHELP\n--b\nContent-Type: message/rfc822\n\n--b--"
    assert world.send(raw) == []


def test_marked_as_not_automatic_is_a_person(world: MailWorld):
    assert len(world.send(write_mail("HELP", Auto_Submitted="no"))) == 1


def make_janitor(world: MailWorld, name: str) -> None:
    keeper = world.user(name)
    keeper.is_staff = True
    keeper.save()


def test_janitors_are_notified_of_a_stuck_email(world: MailWorld, monkeypatch):
    make_janitor(world, "Keeper")
    world.user("Wil")
    mail = world.take(write_mail(f"USER Wil {PASSWORD}\nREGISTER Merlyn"))
    monkeypatch.setattr("email_gateway.receive.process_mail.write_answer", lambda **_: 1 / 0)
    for _ in range(6):
        world.process()
        world.wait(hours=1)
    told = [mail for mail in world.new_mails() if mail["To"] == "keeper@example.org"]
    assert [mail["Subject"] for mail in told] == [f"Email {mail.pk} is stuck"]
    assert f"/admin/email_gateway/inboundmail/{mail.pk}/change/" in body(told[0])
    assert PASSWORD not in body(told[0])


def test_janitors_are_notified_of_email_to_the_postmaster_once_an_hour(world: MailWorld):
    make_janitor(world, "Keeper")
    for number in range(3):
        world.take(write_mail(f"Where are you? {number}"), to="postmaster@localhost")
    world.take(write_mail("I am away", Auto_Submitted="auto-replied"), to="postmaster@localhost")
    world.process()
    assert [mail["To"] for mail in world.new_mails()] == ["keeper@example.org"]


def test_email_to_the_bounce_address_or_the_postmaster_is_stored_and_not_answered(world: MailWorld):
    for mailbox in ("bounces@localhost", "postmaster@localhost"):
        assert world.send(write_mail("HELP"), to=mailbox) == []
    assert set(InboundMail.objects.values_list("state", flat=True)) == {"automatic"}


def test_answers_to_a_stranger_are_limited(world: MailWorld):
    answers = [mail for _ in range(25) for mail in world.send("HELP", sender="loop@example.net")]
    assert len(answers) == 20
    world.wait(hours=1)
    assert len(world.send("HELP", sender="loop@example.net")) == 1


def test_an_undeclared_answering_machine_gets_no_answers_after_a_while(duel):
    world = duel.world
    world.order(duel.battle, duel.froodal, "W/S")
    world.order(duel.battle, duel.bung, "W/S")
    report = next(mail for mail in world.new_mails() if mail["To"] == "bill@example.org")
    text = "I am away and will read your mail next week."
    mails = [world.send(text, sender="bill@example.org", to=str(report["Reply-To"])) for _ in range(25)]
    assert sum(map(len, mails)) == 20


def test_many_orders_in_an_hour_leave_no_later_email_unanswered(duel, monkeypatch):
    monkeypatch.setattr("email_gateway.compose.write_answer.MOST_TO_STRANGER", 2)
    address = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    for text in ("LH W", "LH P", "LH D", "See you there.", "Or there."):
        assert len(duel.world.send(text, sender="bill@example.org", to=address)) == 1, text
    assert duel.world.send("Or nowhere.", sender="bill@example.org", to=address) == []
    assert len(duel.world.send("LH S", sender="bill@example.org", to=address)) == 1


def test_orders_in_an_attachment_get_an_answer_that_says_where_to_write_them(duel):
    address = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    for text, is_said in (("My orders are attached.", True), ("", True), ("LH W", False)):
        mail = EmailMessage()
        mail["From"], mail["Message-ID"] = "bill@example.org", f"<{len(text)}@example.org>"
        mail.set_content(text)
        mail.add_attachment("LH D", filename="orders.txt")
        answer = duel.world.ask(mail.as_bytes(), sender="bill@example.org", to=address)
        assert ("We don't read attachments." in answer) == is_said, text


def test_our_answers_say_that_they_are_automatic_and_reply_to_the_email(world: MailWorld):
    [mail] = world.send(write_mail("HELP", Message_ID="<one@example.org>"))
    assert (mail["Auto-Submitted"], mail["In-Reply-To"]) == ("auto-replied", "<one@example.org>")
    assert mail["From"] == "Firetop Mountain <fm@localhost>"
    assert "NEWGAME &lt;mage&gt; &lt;options&gt;" in body(mail, "html")


# --- bad email --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"Subject: FM Orders\n\n", "Your email has no text that we can read."),
        (b"", "Your email has no text that we can read."),
        (b"Content-Type: image/png\n\n\x89PNG", "Your email has no text that we can read."),
        (b"Subject: x\n\n\n\n \n", "Your email has no text that we can read."),
        (b"\n\xff\xfe\x80 \xe9\x00\x01 junk\n", "We found no orders in your email."),
        (b"Content-Type: text/html\n\n<p>SCORES&nbsp;duel</p>", "Duel scores"),
        (b"Content-Type: text/html\n\n<p>Hi <b>there</b></p>", "We found no orders in your email."),
        (b"\nFROBNICATE\n", 'There is no order "[...]".'),
        (b"Content-Type: text/plain; charset=klingon\nContent-Transfer-Encoding: x\n\nSCORES duel", "Duel scores"),
        (b"Content-Transfer-Encoding: base64\n\nU0NPUkVTIGR1ZWwK", "Duel scores"),
        (b"Content-Transfer-Encoding: quoted-printable\n\nSCORES=20du=\nel\n", "Duel scores"),
    ],
)
def test_a_bad_email_gets_one_clear_answer(world: MailWorld, raw, told):
    assert told in world.ask(raw)


def test_no_text_of_a_sender_reaches_a_header(world: MailWorld):
    raw = b"Subject: FM HELP\r\nMessage-ID: <a\r\n\tBcc: x@example.net>\r\n\r\nHELP"
    [mail] = world.send(raw)
    assert mail["Bcc"] is None and mail["To"] == "wil@example.org"


PIECES = st.sampled_from(
    [
        b"USER Wil three-black-moths\n",
        b"USER Wil wrong\n",
        b"GAME 1 Bung\n",
        b"MAGE Bung\n",
        b"LH P\n",
        b"P/D\n",
        b"NEWGAME Bung OPEN COMMENT x\n",
        b"REGISTER Fuzz\n",
        b"NEWUSER Fuzz three-black-moths\n",
        b"ACCEPT 1\n",
        b"SAY \xff\n",
        b"END\n",
        b"Content-Type: text/html\n",
        b"Content-Type: multipart/mixed; boundary=b\n",
        b"--b\n",
        b"\n",
        b"Subject: FM SCORES\n",
        b"TURN 1\n",
        b"> ",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES | st.binary(max_size=30), max_size=25), known=st.booleans())
def test_no_email_makes_the_gateway_fail_or_answer_twice(world: MailWorld, pieces, known):
    address = make_turn_address(user_id=1, battle=1, seq=1, attempt=0) if known else "fm@localhost"
    before = Delivery.objects.filter(notice=None).count()
    world.wait(hours=2)
    mail = world.take(b"".join(pieces), to=address)
    world.process()
    mail.refresh_from_db()
    assert mail.state in ("processed", "automatic")
    assert Delivery.objects.filter(notice=None).count() <= before + 1


def test_an_attached_email_is_not_processed(world: MailWorld):
    world.user("Wil")
    inner = EmailMessage()
    inner.set_content(login("Wil", "REGISTER Merlyn"))
    outer = EmailMessage()
    outer["From"] = "wil@example.org"
    outer.set_content("look at this")
    outer.add_attachment(inner)
    world.send(outer.as_bytes())
    assert find_mage("Merlyn") is None
