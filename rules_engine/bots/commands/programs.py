"""Programs as players: they read what a mage sees as JSON, one line each, and write order lines.

The protocol (docs/bots/protocol.md): for every decision the program gets one line on stdin, a JSON object with
``"kind": "orders"`` and the facts from `see`. It answers with order lines and a line ``END``. When a game is over, it
gets ``{"kind": "over", "mage": ..., "share": ...}``, which it does not answer. It stops at the end of its input.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import TextIO

from rules_engine.bots.matches import IllegalMove, make_player
from rules_engine.bots.seen import Seen, read_seen
from rules_engine.bots.strengths import STRENGTHS

PATIENCE = 60.0
"""A program loses its game after so many seconds without an answer."""
MOST_LINES = 100


class Program:
    """A running program that plays one mage."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __call__(self, seen: Seen) -> Sequence[str]:
        """Get its orders. Raises IllegalMove if it does not answer."""
        timer = threading.Timer(self.patience, self.process.kill)
        timer.start()
        try:
            self._send({"kind": "orders", **seen.facts})
            return self._read(seen.mage)
        finally:
            timer.cancel()

    def _read(self, mage: str) -> list[str]:
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            if line.strip().upper() == "END":
                return lines
            lines.append(line.rstrip("\n"))
            if len(lines) > MOST_LINES:
                raise IllegalMove(f"{mage}: more than {MOST_LINES} lines and no END")
        raise IllegalMove(f"{mage}: the program has stopped or was too slow")

    def tell_end(self, mage: str, share: float) -> None:
        """Tell the program that a game is over."""
        self._send({"kind": "over", "mage": mage, "share": share})

    def _send(self, data: object) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # if it has stopped, the next read fails
            self.process.stdin.write(json.dumps(data) + "\n")
            self.process.stdin.flush()

    def close(self) -> None:
        """Stop the program."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):  # it may not have read everything
                self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add play."""
    play = commands.add_parser("play", help="play by the line protocol on stdin and stdout", description=__doc__)
    play.add_argument("strength", choices=list(STRENGTHS))
    play.add_argument("--seed", default="play")
    play.add_argument("--surrender", action="store_true", help="surrender when all is lost")
    play.set_defaults(run=run_play)


def run_play(arguments: argparse.Namespace) -> int:
    """Answer every line until there are no more."""
    answer_lines(sys.stdin, sys.stdout, arguments.strength, arguments.seed, may_surrender=arguments.surrender)
    return 0


def answer_lines(given: TextIO, answers: TextIO, strength: str, seed: object, *, may_surrender: bool = False) -> None:
    """Play as one of the five by the line protocol."""
    player = make_player(strength, seed, may_surrender=may_surrender)
    for line in given:
        facts = json.loads(line)
        if facts.get("kind") != "orders":
            continue
        for order in player(read_seen(facts)):
            print(order, file=answers)
        print("END", file=answers, flush=True)
