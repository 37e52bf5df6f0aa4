"""Servers with which the intake is compared: python -m benchmarks.mail_servers discard|insert

Two listeners of aiosmtpd's on a free port of 127.0.0.1, which they print. `discard` acknowledges and forgets; `insert`
writes each mail by one INSERT and one COMMIT into the database of DATABASE_URL, as the shortest program that loses
none would.
"""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable

import psycopg
from aiosmtpd.smtp import SMTP, Envelope, Session

TABLE = "CREATE TABLE mail_of_bench (id {serial} PRIMARY KEY, mail_from text, rcpt_tos text, raw {blob})"


class Handler:
    """Pass every email to `keep`."""

    def __init__(self, keep: Callable[[Envelope], None]) -> None:
        self.keep = keep

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.keep(envelope)
        return "250 OK"


def discard(envelope: Envelope) -> None:
    """Acknowledge an email without storing it."""


def open_sqlite(path: str) -> Callable[[Envelope], None]:
    connection = sqlite3.connect(path)
    # As the site has them.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(TABLE.format(serial="integer", blob="blob"))

    def insert(envelope: Envelope) -> None:
        connection.execute(
            "INSERT INTO mail_of_bench (mail_from, rcpt_tos, raw) VALUES (?, ?, ?)",
            (envelope.mail_from, " ".join(envelope.rcpt_tos), envelope.content),
        )
        connection.commit()

    return insert


def open_postgres(url: str) -> Callable[[Envelope], None]:
    connection = psycopg.connect(url)
    connection.execute(TABLE.format(serial="bigserial", blob="bytea"))
    connection.commit()

    def insert(envelope: Envelope) -> None:
        connection.execute(
            "INSERT INTO mail_of_bench (mail_from, rcpt_tos, raw) VALUES (%s, %s, %s)",
            (envelope.mail_from, " ".join(envelope.rcpt_tos), envelope.content),
        )
        connection.commit()

    return insert


def choose(kind: str) -> Callable[[Envelope], None]:
    if kind == "discard":
        return discard
    url = os.environ["DATABASE_URL"]
    return open_sqlite(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else open_postgres(url)


async def serve(kind: str) -> None:
    keep = choose(kind)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(Handler(keep), hostname="localhost", enable_SMTPUTF8=True), "127.0.0.1", 0
    )
    print(f"SMTP on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
