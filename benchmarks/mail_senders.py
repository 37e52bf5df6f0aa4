"""Cheap senders of email: connections that stay open, with one email after the other on each."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

# As many at once as a mail server in front keeps open by default (Postfix: 20).
CONNECTIONS = 20


@dataclass(frozen=True)
class Posted:
    """A mail to be sent: to which mailbox, and its bytes with their line ends as the standard wants them."""

    sender: str
    to: str
    raw: bytes


def send_all(port: int, mails: Sequence[Posted]) -> float:
    """Send every mail and return how many were acknowledged in a minute. Raises AssertionError when one was not."""
    return asyncio.run(_send_all(port, mails))


async def _send_all(port: int, mails: Sequence[Posted]) -> float:
    lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS)]
    for reader, writer in lines:
        await expect(reader, b"220")
        await say(reader, writer, b"EHLO bench\r\n")
    begun = time.perf_counter()
    shares = (mails[place::CONNECTIONS] for place in range(CONNECTIONS))
    await asyncio.gather(*(send_share(*line, share) for line, share in zip(lines, shares, strict=True)))
    seconds = time.perf_counter() - begun
    for reader, writer in lines:
        await say(reader, writer, b"QUIT\r\n", b"221")
        writer.close()
    return len(mails) * 60 / seconds


async def send_share(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, mails: Sequence[Posted]) -> None:
    for mail in mails:
        await say(reader, writer, f"MAIL FROM:<{mail.sender}>\r\n".encode())
        await say(reader, writer, f"RCPT TO:<{mail.to}>\r\n".encode())
        await say(reader, writer, b"DATA\r\n", b"354")
        await say(reader, writer, mail.raw + b"\r\n.\r\n")


async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: bytes, answer: bytes = b"250") -> None:
    writer.write(text)
    await expect(reader, answer)


async def expect(reader: asyncio.StreamReader, answer: bytes) -> None:
    while True:
        line = await reader.readline()
        assert line.startswith(answer), line
        if line[3:4] == b" ":
            return
