"""The crowd of `./run bench --crowd`: duels between someone on the web and someone with a program or by email."""

import asyncio
import contextlib
import json
import random
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from benchmarks.crowd_site import HOST, CrowdSite
from benchmarks.mail_senders import expect, say
from benchmarks.viewers import PageSocket

# Of spells, they complete missiles alone, which ask nothing: every turn is one stage.
GESTURES = "SWD-"
SECONDS, PATIENCE = 20.0, 30.0
CSRF = "c" * 32
REFUSED = 422
# After so long without a turn, an email's gestures were refused: the answer to it is not read here.
REFUSED_SECONDS = 10.0
KEY = re.compile(rb'name="(LH|RH)"\s+value="(.)"(?: checked)?(\s+aria-disabled)?')
STAGE = re.compile(rb'name="stage" value="([\d.]+)"')
MAKE_DUELS = """
import json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore
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
def make(number):
    users = [create_user(name=f"Crowd{side}{number}", email=f"crowd{side}{number}@example.net".lower(),
        email_verified=True, now=now) for side in "ab"]
    mages = [register_mage(user=user, name=f"Mage{side}{number}", now=now) for side, user in zip("ab", users)]
    battle = start_battle(number=take_number(), terms=Terms(), mages=mages, now=now)
    browser = Client()
    browser.force_login(users[0])
    return {"number": battle.number, "mage": mages[0].name, "other": mages[1].name, "place": number,
        "session": browser.cookies[settings.SESSION_COOKIE_NAME].value,
        "token": issue_api_token(user=users[1], name="crowd", now=now)[1],
        "emails": [user.email for user in users],
        "mailboxes": [make_turn_address(user_id=users[1].pk, battle=battle.number, seq=seq, attempt=0)
            for seq in range(1, 200)]}
for start in range(FIRST, LAST, 50):
    with transaction.atomic():
        made += [make(number) for number in range(start, min(LAST, start + 50))]
print("made", json.dumps(made))
"""


def make_duels(site: CrowdSite, first: int, last: int) -> list[dict[str, Any]]:
    """Start so many duels and return what their players need to know."""
    script = f"FIRST, LAST = {first}, {last}\n{MAKE_DUELS}"
    said = site.manage("shell", "-v0", "-c", script)
    made: list[dict[str, Any]] = json.loads(next(x for x in said.splitlines() if x.startswith("made "))[5:])
    return made


@dataclass
class Notes:
    """What happened in one step: how long each kind of call took, and what went wrong."""

    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)


class Line:
    """One connection to the site, opened again when it has ended, by a client of its own network."""

    def __init__(self, port: int, place: int) -> None:
        self.port, self.streams = port, None  # type: int, tuple[asyncio.StreamReader, asyncio.StreamWriter] | None
        self.head = (
            f"Host: {HOST}\r\nX-Forwarded-Proto: https\r\n"
            f"X-Forwarded-For: 10.{place // 250}.{place % 250}.1\r\nOrigin: https://{HOST}\r\n"
        )

    async def call(self, path: str, head: str, body: bytes | None = None) -> tuple[int, bytes]:
        """Return the status and the body of the answer. OSError and TimeoutError mean that there was none."""
        async with asyncio.timeout(SECONDS):
            if self.streams is None or self.streams[0].at_eof() or self.streams[1].is_closing():
                self.streams = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                return await self._ask(*self.streams, path, head, body)
            except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                self.streams[1].close()
                self.streams = None
                raise

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, head: str, body: bytes | None
    ) -> tuple[int, bytes]:
        method = "GET" if body is None else "POST"
        length = "" if body is None else f"Content-Length: {len(body)}\r\n"
        writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}{head}{length}\r\n".encode() + (body or b""))
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin1").lower().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
        answer = b""
        if "chunked" in fields.get("transfer-encoding", ""):
            while size := int(await reader.readline(), 16):
                answer += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        else:
            answer = await reader.readexactly(int(fields.get("content-length", "0")))
        if fields.get("connection") == "close":
            writer.close()
        return int(lines[0].split()[1]), answer


class Table:
    """One duel. Its first player has the page open, its second one uses the API or, in every other duel, email."""

    def __init__(self, site: CrowdSite, duel: dict[str, Any]) -> None:
        self.site, self.duel, self.dice = site, duel, random.Random(duel["place"])
        self.path, self.is_over, self.seq = f"/battles/{duel['number']}/", False, 0
        self.began = 0.0
        self.by_mail = duel["place"] % 2 == 1
        place, self.web_port = duel["place"], site.choose_port(duel["place"])
        self.web, self.program = Line(self.web_port, place), Line(site.choose_port(place + 1), 10_000 + place)
        self.cookies = f"Cookie: sessionid={duel['session']}; csrftoken={CSRF}\r\n"
        self.page: PageSocket | None = None

    async def play(self, notes: Notes, pace: float, end: float, first: float) -> None:
        """Play a turn every `pace` seconds until `end`, the first one in `first` seconds."""
        due = time.perf_counter() + first
        while due < end and not self.is_over:
            await asyncio.sleep(due - time.perf_counter())
            try:
                await self.play_turn(notes)
            except (OSError, EOFError, AssertionError) as error:
                notes.errors[f"{type(error).__name__} {error}"[:120]] += 1
            due = max(due + pace, time.perf_counter())

    async def play_turn(self, notes: Notes) -> None:
        """Let both players read and order, and the open page get the turn."""
        if self.page is None:
            self.page = PageSocket()
            await self.page.open(self.web_port, f"/ws{self.path}", f"{self.web.head}{self.cookies}")
        html = await self.ask(notes, "page", self.web, self.path, self.cookies)
        if not await self.order_on_page(notes, html):
            return
        self.page.hints.clear()
        self.page.pages.clear()
        for email in self.duel["emails"]:
            # Those of the turn before; anything later than its successor is not timed.
            for moment in self.site.mailbox.arrivals.pop(email, [])[:1]:
                if self.began:
                    notes.times["order to turn email"].append(moment - self.began)
        self.began = begin = time.perf_counter()
        await (self.order_by_mail(notes) if self.by_mail else self.order_by_program(notes))
        rested = False
        while not (came := [*self.page.hints, *self.page.pages]):
            if time.perf_counter() - begin > PATIENCE:
                raise AssertionError(f"no turn within {PATIENCE:.0f} s by {'email' if self.by_mail else 'API'}")
            if self.by_mail and not rested and time.perf_counter() - begin > REFUSED_SECONDS:
                notes.times["orders refused"].append(REFUSED_SECONDS)
                await self.order_by_mail(notes, "-/-")
                rested = True
            await asyncio.sleep(0.01)
        notes.times["email to resolved turn" if self.by_mail else "order to push"].append(min(came) - begin)
        notes.times["resolution"].append(time.perf_counter())
        await self.ask(notes, "fragment", self.web, f"{self.path}?fragment=board", self.cookies)

    async def order_on_page(self, notes: Notes, html: bytes) -> bool:
        """Send the page's form with orders; return whether it has one. A page without one is a battle's last."""
        found = STAGE.search(html)
        if not found:
            self.is_over = True
            return False
        stage = found[1].decode()
        self.seq = int(stage.split(".", 1)[0])
        form = {"csrfmiddlewaretoken": CSRF, "stage": stage, "mage": self.duel["mage"], "act": "ready"}
        allowed: defaultdict[str, set[str]] = defaultdict(set)
        for hand, gesture, is_forbidden in KEY.findall(html):
            allowed[hand.decode()] |= set() if is_forbidden else {gesture.decode()}
        line = "; ".join(f"{hand} {self.choose(keys)}" for hand, keys in allowed.items())
        resting = "; ".join(f"{hand} -" for hand in allowed)
        more = f"{self.cookies}HX-Request: true\r\nReferer: https://{HOST}{self.path}\r\n"
        kind = "Content-Type: application/x-www-form-urlencoded\r\n"
        # Gestures that may not be played together are refused, and rightly.
        for orders in (line, resting):
            fields = urlencode({**form, "confirmed": "yes", "line": orders}).encode()
            if await self.ask(notes, "order by form", self.web, self.path, more + kind, fields):
                break
        return True

    def note_mail(self, notes: Notes, begin: float) -> None:
        for email in self.duel["emails"]:
            for moment in self.site.mailbox.arrivals.get(email, [])[:1]:
                notes.times["order to turn email"].append(moment - begin)

    def choose(self, allowed: "set[str] | None" = None) -> str:
        some = set(GESTURES) if allowed is None else allowed & set(GESTURES) or allowed
        return self.dice.choice(sorted(some))

    async def ask(self, notes: Notes, kind: str, line: Line, path: str, head: str, body: bytes | None = None) -> bytes:
        """Return the body of the answer; b"" if the orders were refused. AssertionError is any other failure."""
        begin = time.perf_counter()
        try:
            status, answer = await line.call(path, head, body)
        except (OSError, EOFError) as error:
            raise AssertionError(f"{kind}: {type(error).__name__}") from error
        notes.times[kind].append(time.perf_counter() - begin)
        if status == REFUSED and body is not None:
            notes.times["orders refused"].append(time.perf_counter() - begin)
            return b""
        assert status == 200, f"{kind}: {status}"
        return answer

    async def order_by_program(self, notes: Notes) -> None:
        path, head = f"/api/v1/battles/{self.duel['number']}/", f"Authorization: Bearer {self.duel['token']}\r\n"
        battle = json.loads(await self.ask(notes, "battle by API", self.program, path, head))
        if battle["orders"] is None or battle["orders"]["ready"]:
            return
        lines = [f"{one['id']} {self.choose()}" for one in battle["orders"]["questions"] if one["kind"] == "gesture"]
        key = "{seq}.{attempt}.{stage}".format(**battle["key"])
        head += "Content-Type: application/json\r\n"
        for _ in range(8):
            body = json.dumps({"orders": "\n".join(lines), "ready": True, "key": key, "replace": True}).encode()
            answer = await self.ask(notes, "order by API", self.program, f"{path}orders/", head, body)
            if not answer:
                lines = [f"{line.split()[0]} -" for line in lines[:2]]
                continue
            missing = json.loads(answer)["missing"]
            if not missing:
                return
            lines += [next(one["line"] for one in each["options"] if one["allowed"]) for each in missing]

    async def order_by_mail(self, notes: Notes, gestures: str = "") -> None:
        sender, to = self.duel["emails"][1], self.duel["mailboxes"][self.seq - 1]
        gestures = gestures or f"{self.choose()}/{self.choose()}"
        mark = f"{self.duel['number']}-{self.seq}-{self.dice.random()}"
        mail = (
            f"From: {sender}\r\nTo: {to}\r\nSubject: Re: Duel {self.duel['number']}\r\n"
            f"Message-ID: <{mark}@example.net>\r\n"
            f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{gestures}\r\n"
        )
        begin = time.perf_counter()
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.site.lmtp_port)
            await expect(reader, b"220")
            for text in ("LHLO crowd", f"MAIL FROM:<{sender}>", f"RCPT TO:<{to}>"):
                await say(reader, writer, f"{text}\r\n".encode())
            await say(reader, writer, b"DATA\r\n", b"354")
            await say(reader, writer, f"{mail}.\r\n".encode())
        with contextlib.suppress(OSError):
            writer.write(b"QUIT\r\n")
            writer.close()
        notes.times["order by email, accepted"].append(time.perf_counter() - begin)

    def leave(self) -> None:
        """Close what this table has open."""
        for line in (self.web, self.program):
            if line.streams:
                line.streams[1].close()
        if self.page:
            self.page.reading.cancel()
            self.page.writer.close()
