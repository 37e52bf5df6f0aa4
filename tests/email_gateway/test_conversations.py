"""Every order in a whole conversation: sent over SMTP, with every answer compared with the reviewed file.

Together the files show how orders are written and answered: FM-ORDGEN-1 to -3, FM-ORDGEN-5 to -11, FM-ORDGEN-17,
FM-ORDGEN-18, FM-ORDGEN-20, FM-ORDGEN-23; FM-ORDUSR-1 to -8, FM-ORDUSR-10 and -11, FM-ORDUSR-14 to -16; FM-ORDINF-1,
FM-ORDINF-4 to -20, FM-ORDINF-22 to -24; FM-ORDMSG-1 to -6; FM-ORDMOVE-2, -3, -5, -6, -7 and -8, FM-ORDMOVE-22, -23
and -25, FM-ORDMOVE-29, -31 and -32.

They show departures too: END is supplied where it is missing (FM-ORDMOVE-4), and orders of all kinds, several on
challenges among them, may stand in one email (FM-ORDGEN-13, FM-ORDGEN-16).
"""

import os
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection

from email_gateway.commands.table import TABLE
from tests.email_gateway.conversations import SmtpWorld, play, read_blocks
from tests.email_gateway.test_listener import open_door
from tests.services.empty_tables import delete_rows, restart_numbers

pytestmark = pytest.mark.once

FILES = sorted((Path(__file__).parent / "conversations").glob("*.txt"))


def forget_everything() -> None:
    """Empty the site's tables and restart their numbers."""
    delete_rows(connection)
    restart_numbers(connection)
    cache.clear()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_every_conversation_matches_its_transcript(settings):
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    settings.FM_SITE_URL = "https://fm.example"
    otherwise = []
    with open_door() as port:
        for file in FILES:
            forget_everything()
            written = file.read_text()
            went = play(SmtpWorld(port=port), written)
            if os.environ.get("FM_WRITE_CONVERSATIONS"):
                file.write_text(went)
            elif went != written:
                otherwise.append(f"--- {file.name} went otherwise:\n{went}")
    # The scenes of other tests have low numbers (tests/services/saved_scenes.py).
    restart_numbers(connection, at=1_000_000)
    assert not otherwise, "\n".join(otherwise)


def test_every_order_of_the_table_is_given_in_some_conversation():
    given = set()
    for file in FILES:
        for block in read_blocks(file.read_text())[1]:
            if block.mark == ">>":
                given |= {line.split()[0].upper() for line in block.lines if line.split()}
                given |= {word.upper() for word in block.rest.split()}
    missing = {order.name for order in TABLE} - given
    assert missing == set()


def test_every_conversation_says_what_comes_back():
    for file in FILES:
        prose, blocks = read_blocks(file.read_text())
        assert prose and any(block.mark == "<<" for block in blocks), file.name
