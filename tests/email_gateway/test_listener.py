"""The doors, as mail servers meet them: real processes, real sockets."""

import asyncio
import contextlib
import io
import re
import smtplib
import socket
import threading
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from email_gateway.addresses import make_challenge_address
from email_gateway.listener import make_protocol
from email_gateway.models import InboundMail
from email_gateway.services.intake import unseal_envelope
from tests.email_gateway.processes import start_command
from tests.email_gateway.world import write_mail

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@contextlib.contextmanager
def open_door(*, lmtp: bool = False) -> Iterator[int]:
    """Listen in a thread of this process, which is quicker to open than a process of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    listening = loop.create_server(lambda: make_protocol(lmtp=lmtp), "127.0.0.1", 0)
    server = asyncio.run_coroutine_threadsafe(listening, loop).result(20)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        asyncio.run_coroutine_threadsafe(close_rows(loop), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        loop.close()


async def close_rows(loop: asyncio.AbstractEventLoop) -> None:
    """Close the connections to the database in the threads that stored mails, or the test's database cannot go."""
    await asyncio.gather(*(asyncio.to_thread(connections.close_all) for _ in range(40)))
    await loop.shutdown_default_executor()


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
        # The same connection takes another mail, the empty sender and eight-bit junk too.
        line.sendmail("", ["fm@localhost"], b"\xff\xfe\r\n" * 10)
        with pytest.raises(smtplib.SMTPResponseException) as refused:
            line.sendmail("wil@example.org", ["fm@localhost"], b"x" * 70 + b"\r\n" + b"y" * 2_100_000)
        assert refused.value.smtp_code in (500, 552)
    assert InboundMail.objects.count() == 2


def test_a_mail_by_lmtp(lmtp_port: int):
    with smtplib.LMTP("127.0.0.1", lmtp_port) as line:
        line.sendmail("wil@example.org", ["fm@localhost"], write_mail("HELP"))
    assert InboundMail.objects.count() == 1


def test_many_lines_of_talk_come_to_nothing(smtp_port: int):
    with socket.create_connection(("127.0.0.1", smtp_port), timeout=20) as line:
        line.recv(1000)
        line.sendall(b"\x00\xff\r\nDATA\r\nRCPT TO:<fm@localhost>\r\nMAIL FROM:<" + b"x" * 5000 + b">\r\nQUIT\r\n")
        said = b""
        while chunk := line.recv(1000):
            said += chunk
    assert b"250 " not in said and b"221 " in said
    assert not InboundMail.objects.exists()


def test_the_command_listens_until_it_is_told_to_stop(db):
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
def test_a_mail_from_a_pipe(db, monkeypatch, arguments, raw, code, stored):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
    try:
        call_command("receive_mail", "--stdin", *arguments)
    except CommandError as error:
        assert error.returncode == code
    else:
        assert code == 0
    assert InboundMail.objects.count() == stored


@pytest.mark.parametrize("address", ["8025", "127.0.0.1:", "127.0.0.1:99999", "localhost:x"])
def test_an_address_to_listen_on_is_checked(address):
    with pytest.raises(CommandError, match="is no HOST:PORT"):
        call_command("receive_mail", "--smtp", address)
