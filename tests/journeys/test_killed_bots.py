"""The bots' worker is killed (SIGKILL) while bots think: every turn is played, and each order is given once."""

import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from duels.paces import PACES
from tests.journeys.secrets_used import Secrets
from tests.journeys.test_killed_worker import read_name
from tests.journeys.web_player import WebPlayer
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.slow]

# A worker that dies holds the sheet until its lease expires; this expires it.
LET_LEASES_END = """
from django.utils import timezone
from duels.models import OrderSheet
OrderSheet.objects.filter(ready=False, bot_due_at__isnull=False).update(bot_due_at=timezone.now())
"""
# Seconds after the orders of a turn. The supervisor gives up a worker that dies more often.
MOMENTS = (0.05, 0.3, 1.0)
PATIENCE = 90


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


def wait_until(happens: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, otherwise
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
        wait_until(lambda turn=turn: count_turns(stack, number) >= turn, f"turn {turn} was not played")
    assert killed == len(MOMENTS)
    orders = (
        "SELECT s.turn_id, s.number, count(*) FROM duels_ordersheet o JOIN duels_stage s ON s.id = o.stage_id"
        " JOIN duels_battle b ON b.id = s.battle_id WHERE b.number = ? AND o.via = 'bot' AND o.ready GROUP BY 1, 2"
    )
    assert {count for *_, count in ask(stack, orders, number)} == {1}
    # None was played again: the attempts of turns say so.
    attempts = "SELECT max(t.attempt) FROM duels_turn t JOIN duels_battle b ON b.id = t.battle_id WHERE b.number = ?"
    assert ask(stack, attempts, number) == [(0,)]


def test_bots_hold_challenges_and_join_one_within_seconds(stack: Stack, secrets_used: Secrets):
    web = WebPlayer(stack.url)
    web.sign_up("Lonely", email="lonely@example.org", password=secrets_used.note("password", "ten-old-boots-Lonely"))
    web.register_mage("Lonely_m")
    held = "SELECT count(*) FROM challenges_challenge WHERE standing <> '' AND status = 'open'"
    at_each_pace = 1 + len(PACES)
    wait_until(lambda: ask(stack, held) == [(at_each_pace,)], "the bots hold no challenges")
    web.press("/challenges/new/", "", mage="Lonely_m", stakes="friendly", bots_may_join="on")
    begun = "SELECT count(*) FROM duels_combatant c JOIN accounts_mage m ON m.id = c.mage_id WHERE m.name = ?"
    sent = time.monotonic()
    wait_until(lambda: ask(stack, begun, "Lonely_m") == [(1,)], "no bot joined")
    assert time.monotonic() - sent < 15
