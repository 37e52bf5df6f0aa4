"""Emails that are processed at the same time: real threads on a real PostgreSQL."""

import base64
import os
import threading
from collections.abc import Callable
from functools import partial

import psycopg
import pytest
from django.db import connection, connections

from accounts.models import Mage
from duels.models import Battle, Turn
from email_gateway.compose.outbox import deliver_due
from email_gateway.models import InboundMail, LocalMail
from email_gateway.receive.process_mail import claim_inbound, claim_some_inbound, process_mail
from notifications.models import Delivery
from tests.email_gateway.world import PASSWORD, MailWorld, write_mail
from tests.races import watch_statements

TRIES = 50 if os.environ.get("FM_TEST_LONG") == "1" else 5

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def at_once(*acts: Callable[[], object]) -> None:
    gate = threading.Barrier(len(acts))
    faults: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            gate.wait(timeout=20)
            act()
        except BaseException as error:
            faults.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []


def process(world: MailWorld, pk: int) -> None:
    mail = claim_inbound(mail_id=pk, now=world.now)
    if mail is not None:
        process_mail(mail=mail, now=world.now)


def test_two_last_orders_by_email_play_each_turn_once(world: MailWorld):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung)
    for turn in range(1, TRIES + 1):
        world.wait(minutes=5)
        mails = [
            world.take(
                write_mail(f"USER {user} three-black-moths\nGAME {battle.number} {mage}\nTURN {turn}\nLH -\nRH -")
            )
            for user, mage in (("Frode", "Froodal"), ("Bill", "Bung"))
        ]
        # Each email is processed by two workers.
        at_once(*(lambda pk=mail.pk: process(world, pk) for mail in mails for _ in range(2)))
        assert Battle.objects.get().label == str(turn + 1)
    assert Turn.objects.filter(resolved_at__isnull=False).count() == TRIES
    assert set(InboundMail.objects.values_list("state", flat=True)) == {"processed"}
    assert Delivery.objects.filter(notice=None).count() == 2 * TRIES


def test_one_email_on_two_routes_acts_once(world: MailWorld):
    """The same text under one Message-ID, in other bytes: neither worker may process what the other one does."""
    world.user("Wil")
    for number in range(TRIES):
        head = f"Subject: FM Orders\nMessage-ID: <{number}@example.org>\n".encode()
        text = f"USER Wil {PASSWORD}\nREGISTER Merlyn{number}\n".encode()
        bodies = (b"\n" + text, b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(text))
        mails = [world.take(head + one) for one in bodies]
        at_once(*(lambda pk=mail.pk: process(world, pk) for mail in mails))
        assert Mage.objects.filter(name=f"Merlyn{number}").count() == 1
    assert sorted(InboundMail.objects.values_list("state", flat=True)) == ["copy"] * TRIES + ["processed"] * TRIES
    assert Delivery.objects.filter(notice=None).count() == TRIES


def test_an_email_is_processed_although_the_connection_to_the_database_breaks(world: MailWorld):
    """At each statement of the work once: nobody waits for the end of the claim."""
    for number, statement in enumerate((1, 2, 9)):
        world.user(f"Wil{number}")
        mail = world.take(write_mail(f"USER Wil{number} {PASSWORD}\nREGISTER Merlyn{number}"))
        claimed = claim_inbound(mail_id=mail.pk, now=world.now)
        assert claimed is not None
        connection.ensure_connection()
        with watch_statements(partial(break_connection, statement, connection.connection.info)):
            process_mail(mail=claimed, now=world.now)
        mail.refresh_from_db()
        assert (mail.state, mail.attempts) == ("processed", 1), statement
        assert Mage.objects.filter(name=f"Merlyn{number}").count() == 1
        assert Delivery.objects.filter(notice=None).count() == number + 1


def test_an_email_whose_worker_died_is_processed_by_the_next_sweep_after_half_a_minute(world: MailWorld):
    world.user("Wil")
    mail = world.take(write_mail(f"USER Wil {PASSWORD}\nREGISTER Merlyn"))
    assert claim_inbound(mail_id=mail.pk, now=world.now), "by the worker that dies"
    world.wait(seconds=31)
    assert claim_some_inbound(now=world.now, limit=10) == [mail]


def break_connection(statement: int, broken: psycopg.ConnectionInfo, number: int) -> None:
    if number == statement:
        with psycopg.connect(broken.dsn, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [broken.backend_pid])


def test_several_workers_send_each_email_once(world: MailWorld):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung)
    before = LocalMail.objects.count()
    world.order(battle, froodal, "W/-")
    world.order(battle, bung, "W/-")
    world.take(write_mail("HELP"))
    world.process()
    sent: list[str] = []
    at_once(*(lambda: sent.append(str(deliver_due(now=world.now))) for _ in range(4)))
    assert LocalMail.objects.count() == before + 3
