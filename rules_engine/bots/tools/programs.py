"""Programs as players: they read what a mage sees as JSON, one line each, and write order lines.

The protocol (docs/bots/protocol.md): for every decision the program gets one line on stdin, a JSON object with
``"kind": "orders"`` and the facts from `see`. It answers with order lines and a line ``END``. When a game is over, it
gets ``{"kind": "over", "mage": ..., "share": ...}``, which it does not answer. It stops at the end of its input.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from rules_engine.bots.seen import Seen, read_seen
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import IllegalMove, make_player
from rules_engine.errors import RulesError

PATIENCE = 60.0
"""A program loses its game after so many seconds without an answer."""
MOST_LINES, MOST_BYTES = 100, 64 * 1024
"""A longer answer loses the game too."""
GOODBYE = 5.0
"""How many seconds a program has to take the result of a game, and to stop at the end of its input."""


class Program:
    """A running program that plays one mage. `failed`: it did not answer, and was stopped for good.

    Raises OSError or ValueError if the command cannot be started.
    """

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.failed = False
        self._unread = b""
        # In a session of its own, so that everything that it has started can be stopped with it.
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._stdin, self._stdout = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._stdin, False)

    def __call__(self, seen: Seen) -> Sequence[str]:
        """Get its orders. Raises IllegalMove, and stops the program, if it does not answer."""
        deadline = time.monotonic() + self.patience
        try:
            self._send({"kind": "orders", **seen.facts}, deadline)
            return self._read(deadline)
        except _NoAnswer as reason:
            self.failed = True
            self._kill()
            raise IllegalMove(f"{seen.facts['turn']} {seen.mage}: the program {reason}") from None

    def _read(self, deadline: float) -> list[str]:
        lines: list[str] = []
        size = 0
        while True:
            line, newline, rest = self._unread.partition(b"\n")
            if newline:
                self._unread = rest
                size += len(line)
                said = line.decode("utf-8-sig", errors="replace").rstrip("\r")
                if said.strip().upper() == "END":
                    return lines
                lines.append(said)
            if len(lines) > MOST_LINES or size + len(self._unread) > MOST_BYTES:
                raise _NoAnswer(f"wrote more than {MOST_LINES} lines or {MOST_BYTES} bytes and no END")
            if newline:
                continue
            self._wait([self._stdout], [], deadline)
            more = os.read(self._stdout, MOST_BYTES)
            if not more:
                raise _NoAnswer("has stopped")
            self._unread += more

    def report_end(self, mage: str, share: float) -> None:
        """Tell the program that a game is over."""
        if self.failed:
            return
        try:
            self._send({"kind": "over", "mage": mage, "share": share}, time.monotonic() + GOODBYE)
        except _NoAnswer:
            self.failed = True
            self._kill()

    def _send(self, data: object, deadline: float) -> None:
        left = json.dumps(data).encode() + b"\n"
        while left:
            self._wait([], [self._stdin], deadline)
            try:
                left = left[os.write(self._stdin, left) :]
            except BlockingIOError:
                continue
            except OSError:
                raise _NoAnswer("has stopped") from None

    def _wait(self, reading: list[int], writing: list[int], deadline: float) -> None:
        """Wait until the program has written or can take more. Raises _NoAnswer after the deadline."""
        ready = select.select(reading, writing, [], max(deadline - time.monotonic(), 0.0))
        if not (ready[0] or ready[1]):
            raise _NoAnswer(f"did not answer within {self.patience:g} seconds")

    def _kill(self) -> None:
        """Stop the program and everything that it has started."""
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """Let the program stop, or stop it."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=GOODBYE)
        self._kill()
        self.process.stdout.close()


class _NoAnswer(Exception):
    """The program has stopped, is too slow, or writes too much; says what it did."""


class NoQuestion(Exception):
    """A line of the protocol that no player can answer; says why."""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    play = commands.add_parser("play", help="play by the line protocol on stdin and stdout", description=__doc__)
    play.add_argument("strength", type=str.capitalize, choices=list(STRENGTHS))
    play.add_argument("--seed", default="play")
    play.add_argument("--surrender", action="store_true", help="surrender when all is lost")
    play.set_defaults(run=run_play)


def run_play(arguments: argparse.Namespace) -> int:
    """Answer every line until there are no more. The exit code is 2 after a line that is no question."""
    try:
        answer_lines(sys.stdin, sys.stdout, arguments.strength, arguments.seed, may_surrender=arguments.surrender)
    except NoQuestion as error:
        print(f"play: {error}", file=sys.stderr)
        return 2
    return 0


def answer_lines(given: TextIO, answers: TextIO, strength: str, seed: object, *, may_surrender: bool = False) -> None:
    """Play as one of the five by the line protocol. Raises NoQuestion."""
    player = make_player(strength, seed, may_surrender=may_surrender)
    for number, line in enumerate(given, start=1):
        try:
            facts = json.loads(line)
        except (ValueError, RecursionError):
            raise NoQuestion(f"line {number} is no JSON") from None
        if not isinstance(facts, dict):
            raise NoQuestion(f"line {number} is no JSON object")
        if facts.get("kind") != "orders":
            continue
        try:
            orders = player(read_seen(facts))
        except (LookupError, TypeError, AttributeError, ValueError, RulesError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise NoQuestion(f"line {number} is not what a mage sees: {reason}") from None
        for order in orders:
            print(order, file=answers)
        print("END", file=answers, flush=True)
