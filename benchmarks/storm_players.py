"""Both players of a duel in a storm: they play by the API, and remember what they sent and what was accepted."""

import http.client
import json
import random
import time
import urllib.error
import urllib.request
from collections import defaultdict
from typing import Any

GESTURES = "FSWD-"
SECONDS = 10
# Statuses of a site that can't answer now. Any other refusal but 409 (late) is a problem.
AWAY = (429, 502, 503, 504)


def list_gestures(question: dict[str, Any]) -> list[str]:
    """Return the lines that a frightened or charmed mage may send, too."""
    lines = [one["line"] for one in question["options"] if one["allowed"]]
    return [line for line in lines if line.rpartition(" ")[2] in GESTURES] or lines


class Duel:
    """One battle, played by both sides in one thread until `finish_soon` and a turn more."""

    def __init__(self, url: str, number: int, tokens: dict[str, str], seed: float) -> None:
        self.url, self.number, self.tokens = f"{url}/api/v1/battles/{number}/", number, tokens
        self.dice = random.Random(seed)
        # By (seq.attempt.stage, mage): the orders that were acknowledged as ready, and all that were sent.
        self.accepted: dict[tuple[str, str], str] = {}
        self.sent: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self.problems: list[str] = []
        self.seq = 0
        self.end: float | None = None

    def finish_soon(self, end: float) -> None:
        """Stop once a turn that begins from now on is played, or say by then that it was not."""
        self.end = end

    def play(self) -> None:
        goal = None
        while True:
            if self.end is not None:
                goal = self.seq + 2 if goal is None else goal
                if self.seq >= goal:
                    return
                if time.monotonic() > self.end:
                    self.problems.append(f"battle {self.number} stands still at turn {self.seq}")
                    return
            for mage in self.tokens:
                if self.take_turn(mage):
                    return
            time.sleep(0.05)

    def take_turn(self, mage: str) -> bool:
        """Give the orders that are due; return whether the battle is over."""
        battle = self.call(mage)
        if battle is None:
            return False
        if battle["status"] != "running":
            if battle["status"] == "stuck":
                self.problems.append(f"battle {self.number} is stuck")
            return True
        self.seq = battle["key"]["seq"]
        orders = battle["orders"]
        if orders and not orders["ready"]:
            self.order(mage, "{seq}.{attempt}.{stage}".format(**battle["key"]), orders["questions"])
        return False

    def order(self, mage: str, key: str, questions: list[dict[str, Any]]) -> None:
        # The rest of a turn's questions are answered as they come, so that a sheet is one text.
        hands = [one for one in questions if one["kind"] == "gesture"]
        lines = [self.dice.choice(list_gestures(hand)) for hand in hands]
        for _ in range(8):
            text = "\n".join(lines)
            self.sent[key, mage].add(text)
            receipt = self.call(mage, orders=text, ready=True, key=key, replace=True)
            if receipt is None:
                return
            if not receipt["missing"]:
                self.accepted[key, mage] = text
                return
            for question in receipt["missing"]:
                lines.append(next(one["line"] for one in question["options"] if one["allowed"]))

    def call(self, mage: str, **body: Any) -> "dict[str, Any] | None":
        """Return the answer; None if there is none, or the orders came late."""
        data = json.dumps(body).encode() if body else None
        headers = {"Authorization": f"Bearer {self.tokens[mage]}", "Content-Type": "application/json"}
        path = "orders/" if body else ""
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers), timeout=SECONDS) as got:
                answer: dict[str, Any] = json.load(got)
                return answer
        except urllib.error.HTTPError as error:
            with error:
                if error.code not in (*AWAY, 409):
                    self.problems.append(f"battle {self.number}: {error.code} {error.read()[:300]!r} for {body}")
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(0.1)
        return None
