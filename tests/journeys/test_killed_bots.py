"""The bots' worker is killed (SIGKILL) while bots think: every turn is played, and each order is given once."""

import os
import signal
import sqlite3
import time
from contextlib import closing

import pytest

from tests.journeys.secrets_used import Secrets
from tests.journeys.test_killed_worker import read_name
from tests.journeys.web_player import WebPlayer
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.slow]

# A worker that dies has the sheet until its lease is over; this lets it pass.
LET_LEASES_END = """
from django.utils import timezone
from duels.models import OrderSheet
OrderSheet.objects.filter(ready=False, bot_due_at__isnull=False).update(bot_due_at=timezone.now())
"""
# Seconds after a turn's opening at which the worker is killed: before it starts, while it thinks, as it is done.
MOMENTS = (0.0, 0.05, 0.15, 0.3, 0.6, 1.0)
PATIENCE = 45


def kill_bots(stack: Stack) -> int:
    workers = [pid for pid in stack.list_processes() if read_name(pid) == "fm-bots"]
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    return len(workers)


def ask(stack: Stack, statement: str, *values: object) -> list[tuple]:
    with closing(sqlite3.connect(f"file:{stack.data_dir / 'db.sqlite3'}?mode=ro", uri=True, timeout=10)) as rows:
        return rows.execute(statement, values).fetchall()


def count_turns(stack: Stack, number: int) -> int:
    played = (
        "SELECT count(*) FROM duels_turn t JOIN duels_battle b ON b.id = t.battle_id"
        " WHERE b.number = ? AND t.resolved_at IS NOT NULL"
    )
    return ask(stack, played, number)[0][0]


def wait_for_turn(stack: Stack, number: int, turns: int) -> None:
    end = time.monotonic() + PATIENCE
    while count_turns(stack, number) < turns:
        assert time.monotonic() < end, f"turn {turns} was not played"
        time.sleep(0.2)


def test_a_killed_worker_of_the_bots_loses_no_turn_and_repeats_none(stack: Stack, secrets_used: Secrets):
    web = WebPlayer(stack.url)
    web.sign_up("Sorely", email="sorely@example.org", password=secrets_used.note("password", "nine-old-boots-Sorely"))
    web.register_mage("Sorely_m")
    page = web.press("/play/", "/play/", strength="Archmage", mage="Sorely_m")
    number = int(page.address.rstrip("/").rpartition("/")[2])
    killed = 0
    for turn, moment in enumerate(MOMENTS, start=1):
        path = f"/battles/{number}/"
        assert web.press(path, path, LH="P", RH="D" if turn % 2 else "S", act="ready").status == 200
        time.sleep(moment)
        killed += kill_bots(stack)
        stack.manage("shell", "--no-imports", "-c", LET_LEASES_END)
        wait_for_turn(stack, number, turn)
    assert killed >= len(MOMENTS) // 2
    orders = (
        "SELECT s.turn_id, s.number, count(*) FROM duels_ordersheet o JOIN duels_stage s ON s.id = o.stage_id"
        " JOIN duels_battle b ON b.id = s.battle_id WHERE b.number = ? AND o.via = 'bot' AND o.ready GROUP BY 1, 2"
    )
    assert {count for *_, count in ask(stack, orders, number)} == {1}
    # None was played again: the attempts of turns say so.
    attempts = "SELECT max(t.attempt) FROM duels_turn t JOIN duels_battle b ON b.id = t.battle_id WHERE b.number = ?"
    assert ask(stack, attempts, number) == [(0,)]
