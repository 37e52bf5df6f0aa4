"""The entry points for mail servers: real processes, real sockets."""

import asyncio
import contextlib
import io
import re
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from email_gateway.addresses import make_challenge_address
from email_gateway.models import InboundMail
from email_gateway.receive import listener
from email_gateway.receive.intake import unseal_envelope
from email_gateway.receive.listener import make_protocol
from email_gateway.receive.mail_store import MailStore
from tests.email_gateway.processes import ROOT, child_environment, start_command
from tests.email_gateway.world import write_mail

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@contextlib.contextmanager
def open_door(*, lmtp: bool = False) -> Iterator[int]:
    """Listen in a thread of this process, which is quicker to open than a process of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    store = MailStore()
    listening = loop.create_server(lambda: make_protocol(store, lmtp=lmtp), "127.0.0.1", 0)
    server = asyncio.run_coroutine_threadsafe(listening, loop).result(20)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        # Closes the thread's connection to the database too, or the test's database cannot go.
        asyncio.run_coroutine_threadsafe(store.finish(), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        loop.close()


@pytest.fixture
def smtp_port(db: None) -> Iterator[int]:
    with open_door() as port:
        yield port


@pytest.fixture
def lmtp_port(db: None) -> Iterator[int]:
    with open_door(lmtp=True) as port:
        yield port


def test_a_conversation_by_smtp(smtp_port: int):
    reply = make_challenge_address(user_id=1, number=1)
    with smtplib.SMTP("127.0.0.1", smtp_port, timeout=20) as line:
        line.ehlo()
        line.mail("wil@example.org")
        for stranger in ("root@localhost", "fm@example.net", reply.replace("@", "x@")):
            assert line.rcpt(stranger)[0] == 550, stranger
        assert line.rcpt(reply.upper())[0] == 250
        code, said = line.data(write_mail("HELP"))
        assert code == 250
        # Committed before the 250: another process sees it now.
        mail = InboundMail.objects.get()
        assert said.decode().endswith(f"Stored as {mail.pk}")
        envelope = unseal_envelope(bytes(mail.sealed))
        assert (envelope.mail_from, envelope.rcpt_tos) == ("wil@example.org", (reply,))
        # The same connection takes another email, the empty sender and eight-bit junk too.
        line.sendmail("", ["fm@localhost"], b"\xff\xfe\r\n" * 10)
        with pytest.raises(smtplib.SMTPResponseException) as refused:
            line.sendmail("wil@example.org", ["fm@localhost"], b"x" * 70 + b"\r\n" + b"y" * 2_100_000)
        assert refused.value.smtp_code in (500, 552)
    assert InboundMail.objects.count() == 2


def test_an_email_by_lmtp(lmtp_port: int):
    with smtplib.LMTP("127.0.0.1", lmtp_port) as line:
        line.sendmail("wil@example.org", ["fm@localhost"], write_mail("HELP"))
    assert InboundMail.objects.count() == 1


def test_lmtp_answers_for_each_recipient(lmtp_port: int):
    """RFC 2033, section 4.2: as many answers after the email as there were good recipients, refusals too."""
    with socket.create_connection(("127.0.0.1", lmtp_port), timeout=20) as line:
        talk = line.makefile("rwb")
        assert talk.readline().startswith(b"220")

        def say(text: bytes, answers: int = 1) -> list[bytes]:
            talk.write(text)
            talk.flush()
            return [talk.readline()[:3] for _ in range(answers)]

        talk.write(b"LHLO mx\r\n")
        talk.flush()
        while talk.readline()[3:4] == b"-":
            pass
        for text, last in ((b"Subject: FM\r\n\r\nHELP", b"250"), (b"x" * 70 + b"\r\n" + b"y" * 2_100_000, b"5")):
            assert say(b"MAIL FROM:<wil@example.org>\r\n") == [b"250"]
            assert say(b"RCPT TO:<fm@localhost>\r\n") == [b"250"]
            assert say(b"RCPT TO:<root@localhost>\r\n") == [b"550"]
            assert say(b"RCPT TO:<orders@localhost>\r\n") == [b"250"]
            assert say(b"DATA\r\n") == [b"354"]
            told = say(text + b"\r\n.\r\n", answers=2)
            assert len(told) == 2 and all(one.startswith(last) for one in told)
        assert say(b"NOOP\r\n") == [b"250"]
        assert say(b"QUIT\r\n") == [b"221"]
    assert InboundMail.objects.count() == 1


def test_an_email_to_two_reply_addresses_is_an_email_to_each(smtp_port: int):
    readers = [make_challenge_address(user_id=1, number=number) for number in (1, 2)]
    with smtplib.SMTP("127.0.0.1", smtp_port, timeout=20) as line:
        line.sendmail("wil@example.org", [*readers, "fm@localhost"], write_mail("DECLINE"))
    envelopes = [unseal_envelope(bytes(mail.sealed)).rcpt_tos for mail in InboundMail.objects.order_by("pk")]
    assert envelopes == [(readers[0], "fm@localhost"), (readers[1],)]


def test_many_senders_at_once_are_all_stored_and_copies_counted(smtp_port: int):
    mails = [write_mail(f"HELP {number % 7}", Message_ID=f"<{number % 7}@example.org>") for number in range(28)]
    told: list[str] = []

    def deliver(raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", smtp_port, timeout=20) as line:
            line.ehlo()
            line.mail("wil@example.org")
            line.rcpt("fm@localhost")
            code, said = line.data(raw)
            told.append(f"{code} {said.decode()}")

    threads = [threading.Thread(target=deliver, args=(raw,)) for raw in mails]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [mail.copies for mail in InboundMail.objects.all()] == [4] * 7
    assert len(told) == 28 and all(one.startswith("250 2.0.0 Stored") for one in told)


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("mail_store.store_parcels", DatabaseError("full")),
        ("mail_store.close_old_connections", ValueError("a fault of ours")),
        ("listener.find_mailbox", ValueError("a fault of ours")),
    ],
)
def test_an_email_that_cannot_be_stored_stays_with_its_sender(smtp_port: int, monkeypatch, place, error):
    def fail(*_: object, **__: object) -> None:
        raise error

    with smtplib.SMTP("127.0.0.1", smtp_port, timeout=20) as line:
        with monkeypatch.context() as patch:
            patch.setattr(f"email_gateway.receive.{place}", fail)
            line.ehlo()
            line.mail("wil@example.org")
            code, said = line.rcpt("fm@localhost")
            if code == 250:
                code, said = line.data(write_mail("HELP"))
        assert code == 451 and b"fault" not in said
        line.rset()
        line.sendmail("wil@example.org", ["fm@localhost"], write_mail("HELP"))
    assert InboundMail.objects.count() == 1


def test_a_pipe_keeps_an_email_that_cannot_be_stored(db, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\nHELP\n")))
    monkeypatch.setattr("email_gateway.management.commands.receive_mail.ingest_mail", lambda **_: 1 / 0)
    with pytest.raises(CommandError) as refused:
        call_command("receive_mail", "--stdin", "--from", "wil@example.org")
    assert refused.value.returncode == 75


def test_nonsense_on_the_line_has_no_effect(smtp_port: int):
    with socket.create_connection(("127.0.0.1", smtp_port), timeout=20) as line:
        line.recv(1000)
        line.sendall(b"\x00\xff\r\nDATA\r\nRCPT TO:<fm@localhost>\r\nMAIL FROM:<" + b"x" * 5000 + b">\r\nQUIT\r\n")
        said = b""
        while chunk := line.recv(1000):
            said += chunk
    assert b"250 " not in said and b"221 " in said
    assert not InboundMail.objects.exists()


def test_the_command_listens_until_it_gets_a_signal_to_stop(db):
    process = start_command("receive_mail", "--smtp", "127.0.0.1:0")
    assert process.stdout is not None and process.stderr is not None
    try:
        said = process.stdout.readline()
        found = re.fullmatch(r"SMTP on 127\.0\.0\.1:(\d+)\n", said)
        assert found, said + process.stderr.read()
        with smtplib.SMTP("127.0.0.1", int(found[1]), timeout=20) as line:
            line.sendmail("wil@example.org", ["fm@localhost"], write_mail("HELP"))
        assert InboundMail.objects.count() == 1
        with pytest.raises(CommandError, match=f"Cannot listen on 127.0.0.1:{found[1]}"):
            call_command("receive_mail", "--smtp", f"127.0.0.1:{found[1]}")
        process.terminate()
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("arguments", "raw", "code", "stored"),
    [
        (["--from", "wil@example.org", "--to", "fm@localhost"], b"Subject: x\n\nHELP\n", 0, 1),
        (["--from", "wil@example.org"], b"Subject: x\n\nHELP \xff\n", 0, 1),
        (["--from", "wil@example.org", "--to", "root@localhost"], b"\nHELP\n", 67, 0),
        (["--from", "wil@example.org"], b"x" * 2_000_001, 65, 0),
    ],
)
def test_an_email_from_a_pipe(db, monkeypatch, arguments, raw, code, stored):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
    try:
        call_command("receive_mail", "--stdin", *arguments)
    except CommandError as error:
        assert error.returncode == code
    else:
        assert code == 0
    assert InboundMail.objects.count() == stored


def pipe(raw: bytes, *arguments: str, **environment: str) -> tuple[int, bytes]:
    """Give an email to the command as a mail server does, by a process of its own: how that ended, and what it said."""
    done = subprocess.run(
        [sys.executable, "manage.py", "receive_mail", "--stdin", *arguments],
        cwd=ROOT,
        env={**child_environment(), **environment},
        input=raw,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


def test_a_mail_server_pipes_an_email_to_a_process_and_understands_its_exit():
    """Taken, whatever else is wrong with the settings, or to be tried again as the rows are away (75 of sysexits.h)."""
    raw = write_mail("HELP \u00e9")
    wrong = {"FM_TRUSTED_PROXIES": "nobody"}
    assert pipe(raw, SENDER="wil@example.org", RECIPIENT="fm@localhost", **wrong) == (0, b"")
    envelope = unseal_envelope(bytes(InboundMail.objects.get().sealed))
    assert (envelope.raw, envelope.mail_from, envelope.rcpt_tos) == (raw, "wil@example.org", ("fm@localhost",))
    code, said = pipe(raw, DATABASE_URL="postgres:///nowhere?host=/nowhere", SENDER="wil@example.org")
    assert (code, b"Cannot store the mail now" in said, b"Traceback" in said) == (75, True, False)
    assert InboundMail.objects.count() == 1


@pytest.mark.parametrize("address", ["8025", "127.0.0.1:", "127.0.0.1:99999", "localhost:x"])
def test_an_address_to_listen_on_is_checked(address):
    with pytest.raises(CommandError, match="is no HOST:PORT"):
        call_command("receive_mail", "--smtp", address)


def read_to_the_end(line: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := line.recv(1000):
            found += part
    return found


@pytest.mark.parametrize("drips", [False, True])
def test_a_connection_without_an_email_is_closed(db, monkeypatch, drips):
    monkeypatch.setattr(listener, "SECONDS_FOR_A_MAIL", 1)
    with open_door() as port, socket.create_connection(("127.0.0.1", port), timeout=0.2) as line:
        for _ in range(40):
            try:
                if drips:
                    line.sendall(b"NOOP\r\n")
                if not line.recv(1000):
                    break
            except TimeoutError:
                pass
            except (BrokenPipeError, ConnectionResetError):  # the door was shut while we spoke
                break
            time.sleep(0.05)
        else:
            raise AssertionError("The connection is still open.")


def test_a_connection_may_bring_several_emails(db, monkeypatch):
    monkeypatch.setattr(listener, "SECONDS_FOR_A_MAIL", 3)
    with open_door() as port, smtplib.SMTP("127.0.0.1", port, timeout=20) as line:
        for number in range(4):
            time.sleep(0.8)
            line.sendmail("wil@example.org", ["fm@localhost"], write_mail(f"HELP {number}"))
    assert InboundMail.objects.count() == 4


def is_welcome(port):
    """Return whether the listener takes a connection; if not, after a tenth of a second."""
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=20) as line:
            return line.noop()[0] == 250
    except smtplib.SMTPConnectError:
        time.sleep(0.1)
        return False


def test_too_many_connections_are_asked_to_try_again_later(db, monkeypatch):
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", 2)
    with open_door() as port:
        with socket.create_connection(("127.0.0.1", port)) as one, socket.create_connection(("127.0.0.1", port)) as two:
            assert one.recv(3) == two.recv(3) == b"220"
            with socket.create_connection(("127.0.0.1", port), timeout=10) as third:
                assert read_to_the_end(third).startswith(b"421 4.3.2 ")
        # The listener notices a little later that they are closed.
        assert any(is_welcome(port) for _ in range(100))


def test_one_address_may_not_hold_all_connections(db, monkeypatch):
    monkeypatch.setattr(listener, "MOST_FROM_ONE_ADDRESS", 1)
    monkeypatch.setattr(listener, "is_loopback", lambda _: False)
    with open_door() as port, socket.create_connection(("127.0.0.1", port)) as one:
        assert one.recv(3) == b"220"
        with socket.create_connection(("127.0.0.1", port), timeout=10) as two:
            assert read_to_the_end(two).startswith(b"421 4.3.2 ")


@pytest.mark.parametrize("lmtp", [False, True])
def test_commands_may_be_sent_together_and_every_reply_has_its_status(db: None, lmtp: bool):
    """RFC 2033 requires PIPELINING (RFC 2920) and ENHANCEDSTATUSCODES (RFC 2034) of LMTP."""
    with open_door(lmtp=lmtp) as port, socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        talk = line.makefile("rwb")
        assert talk.readline().startswith(b"220 ")
        talk.write(b"LHLO mx\r\n" if lmtp else b"EHLO mx\r\n")
        talk.flush()
        offered = [talk.readline().strip()]
        while offered[-1][3:4] == b"-":
            offered.append(talk.readline().strip())
        assert {b"PIPELINING", b"ENHANCEDSTATUSCODES", b"8BITMIME"} <= {row[4:] for row in offered}
        assert not any(re.match(rb"250[ -]\d\.\d\.\d", row) for row in offered)
        recipients = b"".join(b"RCPT TO:<%s>\r\n" % one for one in (b"fm@localhost", b"root@localhost", b"Postmaster"))
        talk.write(b"MAIL FROM:<wil@example.org>\r\n" + recipients + b"DATA\r\n")
        talk.flush()
        told = [talk.readline() for _ in range(5)]
        assert [row[:9] for row in told[:4]] == [b"250 2.0.0", b"250 2.1.5", b"550 5.1.1", b"250 2.1.5"], told
        assert told[4].startswith(b"354 ")
        talk.write(
            b"Subject: FM\r\n\r\nHELP\r\n.\r\nRSET\r\nFROB\r\nRCPT TO:<fm@localhost>\r\nVRFY fm\r\nMAIL\r\nQUIT\r\n"
        )
        talk.flush()
        rest = talk.read().splitlines()
        assert len(rest) == (8 if lmtp else 7)
        assert all(re.match(rb"([245])\d\d \1\.\d\.\d{1,2} ", row) for row in rest), rest
    assert InboundMail.objects.count() == 2


def test_the_old_greeting_is_answered(smtp_port: int):
    with smtplib.SMTP("127.0.0.1", smtp_port, timeout=20) as line:
        assert line.helo("mx") == (250, b"localhost")
        assert line.noop()[1].startswith(b"2.0.0")


@pytest.mark.parametrize("postmaster", ["Postmaster", "postmaster", "POSTMASTER@localhost"])
def test_the_postmaster_needs_no_domain(smtp_port: int, postmaster: str):
    with smtplib.SMTP("127.0.0.1", smtp_port, timeout=20) as line:
        line.ehlo()
        line.mail("wil@example.org")
        assert line.docmd(f"RCPT TO:<{postmaster}>")[0] == 250
        assert line.docmd("RCPT TO:<root>")[0] in (550, 553)
        line.data(write_mail("Hello"))
    envelope = unseal_envelope(bytes(InboundMail.objects.get().sealed))
    assert [one.lower() for one in envelope.rcpt_tos] == ["postmaster@localhost"]
