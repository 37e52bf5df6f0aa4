"""The players of a battle in a storm, by the API, by the page's form and by SMTP: they remember what they sent and what
was accepted."""

import http.client
import json
import random
import smtplib
import time
import urllib.error
import urllib.request
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from benchmarks.crowd_players import CSRF, STAGE

GESTURES = "FSWD-"
SECONDS = 10
# Statuses of a site that can't answer now. Any other refusal but 409 (late) and 422 (of a form) is a problem.
AWAY = (429, 502, 503, 504)
LATE, REFUSED = 409, 422
# After so long without a turn, an email's orders were refused or wait for the lease of a process that died.
RESEND_SECONDS = 8.0
WAYS = ("api", "form", "mail")
# The ways of each battle of a storm; one has all three.
BATTLES = (WAYS, ("api", "form"), ("api", "mail"))
MAKE_BATTLES = """
import json
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone
from accounts.services.mages import register_mage
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from email_gateway.addresses import make_turn_address
now, made = timezone.now(), []
def make(place, ways):
    users = [create_user(name=f"Storm{seat}x{place}", email=f"storm{seat}x{place}@example.net", email_verified=True,
        now=now) for seat in range(len(ways))]
    mages = [register_mage(user=user, name=f"Mage{seat}x{place}", now=now) for seat, user in enumerate(users)]
    battle = start_battle(number=take_number(), terms=Terms(), mages=mages, now=now)
    players = []
    for way, user, mage in zip(ways, users, mages):
        browser = Client()
        browser.force_login(user)
        players.append({"way": way, "mage": mage.name, "email": user.email,
            "token": issue_api_token(user=user, name="storm", now=now)[1],
            "session": browser.cookies[settings.SESSION_COOKIE_NAME].value,
            "mailboxes": [make_turn_address(user_id=user.pk, battle=battle.number, seq=seq, attempt=0)
                for seq in range(1, 80)] if way == "mail" else []})
    return [battle.number, players]
with transaction.atomic():
    for place in range(FIRST, LAST):
        made.append(make(place, WAYS[place % len(WAYS)]))
print("made", json.dumps(made))
"""


def list_gestures(question: dict[str, Any]) -> list[str]:
    """Return the lines that a frightened or charmed mage may send, too."""
    lines = [option["line"] for option in question["options"] if option["allowed"]]
    return [line for line in lines if line.rpartition(" ")[2] in GESTURES] or lines


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follow no redirect: being sent to the login page is an answer."""

    def redirect_request(self, *_: Any) -> None:
        return None


BROWSER = urllib.request.build_opener(NoRedirects)


@dataclass
class Player:
    """One side of a battle, and what it needs to send orders its way. All of them read the questions by the API."""

    way: str
    mage: str
    email: str = ""
    token: str = ""
    session: str = ""
    mailboxes: list[str] = field(default_factory=list)
    # The email that was sent last: its key, its bytes, and when a server took it (None: it was not taken yet).
    mail: tuple[str, bytes] = ("", b"")
    taken_at: float | None = None
    # How many emails the server took, and how many were sent.
    taken: int = 0
    sent: int = 0

    @property
    def cookies(self) -> dict[str, str]:
        return {"Cookie": f"sessionid={self.session}; csrftoken={CSRF}"}


class Duel:
    """One battle, played by all sides in one thread until `finish_soon` and a turn more; then some surrender."""

    def __init__(self, site: str, smtp_port: int, number: int, players: list[Player], seed: float) -> None:
        self.site, self.url, self.smtp_port = site, f"{site}/api/v1/battles/{number}/", smtp_port
        self.number, self.players = number, players
        self.dice = random.Random(seed)
        # By (seq.attempt.stage, mage): the orders that were acknowledged as ready, and all that were sent.
        self.accepted: dict[tuple[str, str], str] = {}
        self.sent: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self.problems: list[str] = []
        self.seq = 0
        self.end: float | None = None
        # From then on all but the last player surrender, so that the battle ends and is scored.
        self.is_ending = self.is_over = False

    def finish_soon(self, end: float) -> None:
        """End once a turn that begins from now on is played, or say by then that it was not."""
        self.end = end

    def play(self) -> None:
        """Play until the battle is over, or until `finish_soon` gives up on it."""
        goal = None
        while True:
            if self.end is not None:
                goal = self.seq + 2 if goal is None else goal
                self.is_ending = self.seq >= goal
                if time.monotonic() > self.end:
                    self.problems.append(f"battle {self.number} stands still at turn {self.seq}")
                    return
            for player in self.players:
                if self.take_turn(player):
                    return
            time.sleep(0.05)

    def take_turn(self, player: Player) -> bool:
        """Give the orders that are due; return whether the battle is over."""
        battle = self.call(player)
        if battle is None:
            return False
        if battle["status"] != "running":
            if battle["status"] == "stuck":
                self.problems.append(f"battle {self.number} is stuck")
            self.is_over = battle["status"] == "finished"
            return True
        self.seq = battle["key"]["seq"]
        orders = battle["orders"]
        if orders and not orders["ready"]:
            key = "{seq}.{attempt}.{stage}".format(**battle["key"])
            act = {"api": self.order, "form": self.order_by_form, "mail": self.order_by_mail}[player.way]
            act(player, key, orders["questions"])
        return False

    def choose(self, player: Player, questions: list[dict[str, Any]]) -> list[str]:
        """Return a line for each hand; a surrender if it is time and allowed."""
        hands = [question for question in questions if question["kind"] == "gesture"]
        if self.is_ending and player is not self.players[-1]:
            lines = [option["line"] for hand in hands for option in hand["options"] if option["allowed"]]
            palms = [line for line in lines if line.endswith(" P")]
            if palms and len(palms) == len(hands):
                return palms
        return [self.dice.choice(list_gestures(hand)) for hand in hands]

    def order(self, player: Player, key: str, questions: list[dict[str, Any]]) -> None:
        # The rest of a turn's questions are answered as they come, so that a sheet is one text.
        lines = self.choose(player, questions)
        for _ in range(8):
            text = "\n".join(lines)
            self.sent[key, player.mage].add(text)
            receipt = self.call(player, orders=text, ready=True, key=key, replace=True)
            if receipt is None:
                return
            if not receipt["missing"]:
                self.accepted[key, player.mage] = text
                return
            for question in receipt["missing"]:
                lines.append(next(option["line"] for option in question["options"] if option["allowed"]))

    def answer_all(self, player: Player, questions: list[dict[str, Any]]) -> list[str]:
        """Return lines for all questions: gestures that ask nothing more where they can, else what is allowed."""
        lines = self.choose(player, questions)
        for question in questions:
            if question["kind"] != "gesture":
                answers = [option["line"] for option in question["options"] if option["allowed"] and option["line"]]
                lines += answers[:1]
        return lines

    def order_by_form(self, player: Player, key: str, questions: list[dict[str, Any]]) -> None:
        page = self.browse(player, f"/battles/{self.number}/")
        found = STAGE.search(page or b"")
        if not found or found[1].decode() != key:
            return
        lines = self.answer_all(player, questions)
        text = "\n".join(lines)
        form = {"csrfmiddlewaretoken": CSRF, "stage": key, "mage": player.mage, "act": "ready", "confirmed": "yes"}
        self.sent[key, player.mage].add(text)
        if self.browse(player, f"/battles/{self.number}/", {**form, "line": "; ".join(lines)}) is None:
            return
        # The page that comes back may ask for more; then the form is sent again, with other gestures.
        battle = self.call(player)
        if battle is None:
            return
        has_moved = battle["status"] != "running" or "{seq}.{attempt}.{stage}".format(**battle["key"]) != key
        if has_moved or (battle["orders"] and battle["orders"]["ready"]):
            self.accepted[key, player.mage] = text

    def order_by_mail(self, player: Player, key: str, questions: list[dict[str, Any]]) -> None:
        """Send an email until a server takes it, the same bytes each time; then another if nothing came of it."""
        now = time.monotonic()
        known, raw = player.mail
        if known == key and player.taken_at is not None and now - player.taken_at < RESEND_SECONDS:
            return
        to = player.mailboxes[int(key.split(".", 1)[0]) - 1]
        if known != key or player.taken_at is not None:
            text = "\n".join(self.answer_all(player, questions))
            self.sent[key, player.mage].add(text)
            player.sent += 1
            raw = (
                f"From: {player.email}\r\nTo: {to}\r\nSubject: Re: Battle {self.number}\r\n"
                f"Message-ID: <{player.mage}.{player.sent}@example.net>\r\nMIME-Version: 1.0\r\n"
                "Content-Type: text/plain; charset=utf-8\r\n\r\n" + text.replace("\n", "\r\n") + "\r\n"
            ).encode()
            player.mail, player.taken_at = (key, raw), None
        try:
            with smtplib.SMTP("127.0.0.1", self.smtp_port, timeout=SECONDS) as line:
                line.sendmail(player.email, [to], raw)
        except smtplib.SMTPResponseException as error:
            if error.smtp_code >= 500:
                self.problems.append(f"battle {self.number}: {error.smtp_code} {error.smtp_error!r} for an email")
        except (OSError, smtplib.SMTPException):
            pass
        else:
            player.taken_at = now
            player.taken += 1
            return
        time.sleep(0.1)

    def browse(self, player: Player, path: str, form: "dict[str, str] | None" = None) -> "bytes | None":
        """Return a page that the player's browser gets; None if there is none, or the form was refused."""
        headers = {**player.cookies, "HX-Request": "true"} if form else player.cookies
        data = urlencode(form).encode() if form else None
        try:
            with BROWSER.open(urllib.request.Request(self.site + path, data, headers), timeout=SECONDS) as got:
                return bytes(got.read())
        except urllib.error.HTTPError as error:
            with error:
                if error.code not in (*AWAY, LATE, REFUSED):
                    self.problems.append(f"battle {self.number}: {error.code} {error.headers.get('Location')} {path}")
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.1)
        return None

    def call(self, player: Player, **body: Any) -> "dict[str, Any] | None":
        """Return the answer; None if there is none, or the orders came late."""
        data = json.dumps(body).encode() if body else None
        headers = {"Authorization": f"Bearer {player.token}", "Content-Type": "application/json"}
        path = "orders/" if body else ""
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers), timeout=SECONDS) as got:
                answer: dict[str, Any] = json.load(got)
                return answer
        except urllib.error.HTTPError as error:
            with error:
                if error.code not in (*AWAY, LATE):
                    self.problems.append(f"battle {self.number}: {error.code} {error.read()[:300]!r} for {body}")
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(0.1)
        return None
