"""What both clients share about a connection: addresses, answers, when to try again, and the format of streams."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import httpx

from firetop_client.errors import ClientError, Problem, UnexpectedAnswer, Unreachable, WrongSetting
from firetop_client.models import ProblemItem
from firetop_client.reading import read_value

T = TypeVar("T")
PREFIX = "/api/v1"
CALL_SECONDS = 30.0
# A stream says every 20 seconds that it lives.
SILENT_SECONDS = 70.0
# The first pause after a failure, doubled each time up to the longest.
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
# Answers of a site that is busy, or is being restarted.
PASSING = {429, 502, 503, 504}
LOCAL = {"localhost", "127.0.0.1", "::1"}


class Unset(Enum):
    """The value of an argument that is not sent."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET


def check_address(url: str) -> str:
    """Return the address of a site without a slash at its end. Raises WrongSetting, also if a token must not be sent
    there."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        is_site = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and url.isprintable()
    except ValueError:  # of brackets and ports
        is_site = False
    if not is_site or " " in url:
        raise WrongSetting(f"{url!r} is not the address of a site, such as https://site.example.")
    if "@" in parts.netloc:
        raise WrongSetting("The address of a site has no name or password in it, such as https://site.example.")
    if "?" in url or "#" in url:
        raise WrongSetting(f"{url!r} is not the address of a site: leave out what begins with ? or #.")
    if "api" in parts.path.split("/"):
        raise WrongSetting(f"{url!r} is not the address of a site: leave out /api.")
    if parts.scheme == "http" and parts.hostname not in LOCAL:
        raise WrongSetting(f"{url!r} would send the token in the clear: use https://.")
    return url.rstrip("/")


def check_token(token: str) -> str:
    """Return the token without space around it. Raises WrongSetting, which does not say it."""
    token = token.strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise WrongSetting("The token has characters that no token has. Copy it again.")
    return token


def make_headers(token: str, language: str) -> dict[str, str]:
    """Return the headers of every call. Raises WrongSetting."""
    token = check_token(token)
    try:
        release = version("firetop-client")
    except PackageNotFoundError:
        release = "source"
    headers = {
        "User-Agent": f"firetop-client/{release}",
        # Without it, the address of a stream would answer with the stream.
        "Accept": "application/json",
        "Accept-Language": language or "en",
    }
    return headers | ({"Authorization": f"Bearer {token}"} if token else {})


def keep(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the values that were given."""
    return {name: value for name, value in (values or {}).items() if value is not UNSET}


def write_query(values: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the parameters of an address: true and false as JSON has them, and nothing for None."""
    written = {True: "true", False: "false"}
    return {
        name: written[value] if isinstance(value, bool) else str(value)
        for name, value in keep(values).items()
        if value is not None
    }


def name_call(method: str) -> dict[str, str]:
    """Return the header by which a call that is sent again has no second effect."""
    return {} if method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}


def check_open(http: httpx.Client | httpx.AsyncClient) -> None:
    """Raise ClientError if the client has been closed."""
    if http.is_closed:
        raise ClientError("The client has been closed.")


def read_answer(kind: type[T] | None, answer: httpx.Response) -> T | None:
    """Return what a call answered. Raises Problem, UnexpectedAnswer."""
    if answer.status_code >= 400:
        raise make_problem(answer)
    if answer.status_code >= 300:
        raise UnexpectedAnswer(f"The site redirects to {answer.headers.get('Location', 'nowhere')}: use that address.")
    if kind is None:
        return None
    data = read_json(answer)
    if data is None:
        raise UnexpectedAnswer(f"The answer to {answer.request.url.path} is not JSON.")
    return read_value(kind, data)


def read_json(answer: httpx.Response) -> Any:
    """Return the JSON data of an answer; None if it has none."""
    try:
        return answer.json()
    except ValueError:
        return None


def make_problem(answer: httpx.Response) -> Problem:
    """Return the problem that an answer is (RFC 9457)."""
    data = read_json(answer)
    if not isinstance(data, dict):
        return Problem(answer.status_code, "unknown", answer.reason_phrase or "The site refused", "")
    known = ("type", "title", "status", "detail", "code", "problems")
    items = [{"nearest": None, "line": None, "text": None, **each} for each in data.get("problems") or []]
    return Problem(
        answer.status_code,
        str(data.get("code", "unknown")),
        str(data.get("title", "")),
        str(data.get("detail", "")),
        tuple(read_value(ProblemItem, each) for each in items),
        {name: value for name, value in data.items() if name not in known},
    )


def read_retry_after(answer: httpx.Response) -> float:
    """Return how many seconds a busy site asks to wait, 0 if it does not say."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 0.0


class Pauses:
    """How long to wait after each failure in a row: longer each time, and never the same for all programs."""

    def __init__(self, first: float = FIRST_PAUSE) -> None:
        self.first, self.failures = first, 0

    def next(self, at_least: float = 0.0) -> float:
        """Return the pause after another failure; at least what the site asks for."""
        longest: float = min(LONGEST_PAUSE, self.first * 2**self.failures)
        self.failures = min(self.failures + 1, 20)
        return at_least + longest * random.uniform(0.5, 1.0)

    def forget(self) -> None:
        """Begin again: something has succeeded."""
        self.failures = 0


class Patience:
    """Decides whether a call is made again. It is, until so many seconds have passed."""

    def __init__(self, seconds: float) -> None:
        self.ends_at, self.pauses = time.monotonic() + seconds, Pauses()

    def wait_after(self, failure: httpx.Response | httpx.TransportError) -> float | None:
        """Return how long to wait before the call is made again; None if this is its answer. Raises Unreachable."""
        if isinstance(failure, httpx.Response):
            if failure.status_code not in PASSING:
                return None
            pause = self.pauses.next(read_retry_after(failure))
            return pause if time.monotonic() + pause <= self.ends_at else None
        pause = self.pauses.next()
        if time.monotonic() + pause > self.ends_at:
            raise Unreachable(f"The site does not answer: {type(failure).__name__}.") from None
        return pause


# --- Streams ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Message:
    """One message of a stream."""

    id: str
    event: str
    data: str


class MessageReader:
    """Reads Server-Sent Events from bytes as they come. `retry` is the pause that the site asks for, in seconds, and
    `last` the newest id, which can come without a message."""

    def __init__(self) -> None:
        self.retry: float | None = None
        self.last = ""
        self._rest = b""
        self._fields: dict[str, str] = {}

    def feed(self, part: bytes) -> Iterator[Message]:
        """Yield the messages that are complete with these bytes."""
        *lines, self._rest = (self._rest + part).split(b"\n")
        for line in lines:
            text = line.rstrip(b"\r").decode("utf-8", "replace")
            if text:
                self._read_line(text)
                continue
            found, self._fields = self._fields, {}
            self.last = found.get("id") or self.last
            if "data" in found:
                yield Message(found.get("id", ""), found.get("event", "message"), found["data"])

    def _read_line(self, text: str) -> None:
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "retry" and value.isdigit():
            self.retry = int(value) / 1000
        elif name == "data" and "data" in self._fields:
            self._fields["data"] += f"\n{value}"
        elif name in ("id", "event", "data"):
            self._fields[name] = value


class Reconnection:
    """Where a stream stands: the last id that it has, and how long to wait before it is opened again."""

    def __init__(self, last: str) -> None:
        self.last, self.pauses, self.at_least = last, Pauses(), 0.0

    def headers(self) -> dict[str, str]:
        # Compressed, a message might wait for the next one.
        return {
            "Accept": "text/event-stream",
            "Accept-Encoding": "identity",
            **({"Last-Event-ID": self.last} if self.last else {}),
        }

    def note(self, reader: MessageReader, *, has_message: bool = False) -> None:
        """Remember what has come."""
        self.last = reader.last or self.last
        if reader.retry is not None:
            self.pauses.first = reader.retry
        if has_message:
            self.pauses.forget()

    def refuse(self, answer: httpx.Response) -> None:
        """Note that the site refused the stream for now. Raises Problem if it will not change its mind."""
        if answer.status_code not in PASSING and answer.status_code != 500:
            raise make_problem(answer)
        self.at_least = read_retry_after(answer)

    def pause(self) -> float:
        """Return how long to wait now."""
        at_least, self.at_least = self.at_least, 0.0
        return self.pauses.next(at_least)
