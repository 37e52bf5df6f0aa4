"""Every address of the site, with every method, several users and hostile values: the answer may be any client error,
but never a server error."""

import io
import random
import re
from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest
from django import forms
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts.janitors import READ_ONLY_JANITORS
from accounts.models import User
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from challenges.models import Challenge
from challenges.services.invite_links import make_invite_link
from duels.models import Battle
from fm_site.demonstration.loading import load_demonstration
from fm_site.demonstration.people import ANNA, BORIS
from fm_site.wsgi import pages
from tests.scenes import log_in
from tests.services.plugin import LONG

pytestmark = pytest.mark.django_db

SHORT_COUNT = 200
METHODS = ("get", "get", "post", "post", "post", "head", "put", "delete", "options", "patch", "trace")
# As bytes if text cannot hold them. Each is sent as a value of every field, as a part of an address and as a header.
VALUES: tuple[str | bytes, ...] = (
    "\0",
    "a\0b",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    "{{7*7}}",
    "' OR 1=1 --",
    "-1",
    "0",
    str(10**30),
    str(2**63),
    "1" * 5000,
    "NaN",
    "1e400",
    "²",
    "٣",
    "9999-99-99",
    "0000-00-00",
    "0001-01-01",
    "9999-12-31 23:59:59",
    "24:61",
    "\u202eevil\u2066",
    "\u200b",
    "😀" * 300,
    "x" * 20_000,
    "[" * 15_000,
    "//evil.example/",
    "../../../etc/passwd",
    "%00",
    "%",
    "a\r\nSet-Cookie: x=1",
    "",
    " ",
)
READ = re.compile(r"""(?:GET|POST|data|params)(?:\.get(?:list)?\(|\[)["']([\w-]+)["']""")
WRITTEN = re.compile(r"""\bname=["']([\w-]+)["']""")
FOLDERS = ("accounts", "challenges", "duels", "email_gateway", "fm_site", "ladder", "league")
LOOKUPS = ("__exact", "__in", "__gte", "__isnull", "__year", "__contains", "__regex")
COLUMNS = ("status", "id", "pk", "kind", "state", "created_at", "is_active", "type", "user")
OF_LISTS = ("p", "o", "q", "all", "_changelist_filters", "_popup", "_to_field", "page", "sort", "next")
PART = b'--x\r\nContent-Disposition: form-data; name="a"'
BODIES = (
    ("application/json", b"[" * 15_000),
    ("application/json", b'{"orders": "\\u0000", "ready": true}'),
    ("application/json", b'{"orders": "SAY \\ud800", "mage": "\\ud800"}'),
    ("application/json", b'{"orders": "P/D", "key": "' + b"9" * 40 + b'.0.0"}'),
    ("application/json", b'{"orders": ' + b"9" * 5000 + b"}"),
    ("application/json; charset=utf-16", b"\xff\xfe{\x00"),
    ("text/plain", b"\0"),
    ("multipart/form-data", b"no boundary"),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\0\r\n--x--'),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"; filename="\0"\r\n\r\nb\r\n--x--',
    ),
    ("application/x-www-form-urlencoded; charset=utf-7", b"name=+2AA-"),
    ("application/x-www-form-urlencoded; charset=raw_unicode_escape", b"name=\\ud800"),
    ("application/x-www-form-urlencoded; charset=nonsense", b"name=x"),
    ("application/x-www-form-urlencoded", b"&".join(b"f%d=x" % number for number in range(1100))),
    ("", b"name=x"),
)
COOKIES = ("\\000", "\\355\\240\\200", "x" * 3000, "a:b:c")
HEADERS = (
    *("User-Agent", "Referer", "Authorization", "Accept-Language", "X-Forwarded-For", "HX-Request", "HX-Current-URL"),
    *("X-CSRFToken", "Accept", "If-Modified-Since", "If-None-Match", "Range", "Origin"),
)


def list_patterns(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Yield every address of the site as it is written in the urlconf."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            yield before + str(entry.pattern)
        elif isinstance(entry, URLResolver):
            yield from list_patterns(entry, before + str(entry.pattern))


def list_fields(root: Any) -> list[str]:
    """Return the names of all parameters that any view reads."""
    found: set[str] = set()
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.suffix in (".py", ".html"):
                shape = READ if path.suffix == ".py" else WRITTEN
                found.update(shape.findall(path.read_text(encoding="utf-8")))
    for form in list_forms(forms.BaseForm):
        found.update(form.base_fields)
    columns = {f"{column}{lookup}" for column in COLUMNS for lookup in LOOKUPS}
    return sorted({*found, *columns, *OF_LISTS})


def list_forms(form: type) -> Iterator[Any]:
    """Yield every form class that has fields."""
    for one in form.__subclasses__():
        if hasattr(one, "base_fields"):
            yield one
        yield from list_forms(one)


def as_bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


class Attacker:
    """Makes requests from one seed, so that a failure can be repeated."""

    def __init__(self, seed: int, fields: list[str], numbers: list[int], words: list[str]) -> None:
        self.dice, self.fields, self.numbers, self.words = random.Random(seed), fields, numbers, words

    def fill(self, pattern: str) -> str:
        """Return an address with this pattern: mostly an existing one, or else one with a hostile part."""

        def part(match: re.Match[str]) -> str:
            real = str(self.dice.choice(self.numbers if match[1].startswith("int:") else self.words))
            return real if self.dice.random() < 0.7 else quote(as_bytes(self.dice.choice(VALUES)))[:3000]

        plain = re.sub(r"\(\?P<(\w+)>[^/]*?\)(?=[/$]|$)", r"<\1>", pattern).replace("^", "").replace("$", "")
        return "/" + re.sub(r"<([^>]+)>", part, plain).replace("\\Z", "").replace("\\", "")

    def write_form(self) -> bytes:
        names = self.dice.sample(self.fields, 30) if self.dice.random() < 0.5 else self.fields[:900]
        value = quote(as_bytes(self.dice.choice(VALUES)))[:3000]
        return "&".join(f"{name}={value}" for name in names).encode()

    def attack(self, browser: Client, pattern: str) -> tuple[str, Any]:
        method, address = self.dice.choice(METHODS), self.fill(pattern)
        more: dict[str, Any] = {}
        if self.dice.random() < 0.4:
            value = quote(as_bytes(self.dice.choice(VALUES)))[:3000]
            address += "?" + "&".join(f"{name}={value}" for name in self.dice.sample(self.fields, 5))
        if self.dice.random() < 0.2:
            text = as_bytes(self.dice.choice(VALUES)).decode("latin-1")[:3000]
            more["headers"] = {self.dice.choice(HEADERS): text}
        if method not in ("get", "head", "options", "trace"):
            kind, body = "application/x-www-form-urlencoded", self.write_form()
            if self.dice.random() < 0.3:
                kind, body = self.dice.choice(BODIES)
            more |= {"data": body, "content_type": kind}
        if self.dice.random() < 0.1:
            cookie = self.dice.choice(("sessionid", "csrftoken", "device", "messages"))
            more["HTTP_COOKIE"] = f'{cookie}="{self.dice.choice(COOKIES)}"'
        return f"{method} {address[:300]} {str(more)[:300]}", lambda: browser.generic(method.upper(), address, **more)


@pytest.fixture
def scene() -> dict[str, Any]:
    now = timezone.now()
    load_demonstration(now=now)
    anna, boris = (User.objects.get(username=one.username) for one in (ANNA, BORIS))
    reader = create_user(name="Rita", now=now)
    User.objects.filter(pk=reader.pk).update(is_staff=True)
    reader.groups.add(Group.objects.get_or_create(name=READ_ONLY_JANITORS)[0])
    challenge = Challenge.objects.get(status=Challenge.Status.OPEN)
    link = make_invite_link(number=challenge.number, mage=challenge.challenger, now=now)[1]
    return {
        "people": {
            "visitor": None,
            "player": anna,
            "opponent": boris,
            "reading janitor": User.objects.get(pk=reader.pk),
            "superuser": User.objects.create_superuser("Keeper", "keeper@example.org", "six-slow-snails"),
        },
        "token": issue_api_token(user=anna, name="bot", now=now)[1],
        "numbers": [Battle.objects.get().number, challenge.number, 1],
        "words": ["warlocks", "firetop-standard", ANNA.username, ANNA.mages[0], link, str(anna.pk), "warn"],
    }


@pytest.mark.usefixtures("quiet")
def test_no_request_breaks_a_page(scene: dict[str, Any], pytestconfig: pytest.Config) -> None:
    patterns = sorted(set(list_patterns()))
    fields = list_fields(pytestconfig.rootpath)
    count = len(patterns) * 60 if LONG else SHORT_COUNT
    attacker = Attacker(20, fields, scene["numbers"], scene["words"])
    dice = random.Random(7)
    order = dice.sample(patterns, len(patterns)) * (count // len(patterns) + 1)
    faults = []
    # To log in again each time takes longer than the request. What ends a session is taken back.
    sessions = {who: log_in(user).cookies.output(header="") for who, user in scene["people"].items()}
    for pattern in order[:count]:
        who = dice.choice(list(scene["people"]))
        with transaction.atomic():
            browser = Client(raise_request_exception=True)
            browser.cookies.load(sessions[who])
            if dice.random() < 0.2:
                browser.defaults["HTTP_AUTHORIZATION"] = f"Bearer {scene['token']}"
            told, send = attacker.attack(browser, pattern)
            try:
                status = send().status_code
                if status >= 500 and status != 503:
                    faults.append(f"{who}: {told}: {status}")
            except Exception as error:
                faults.append(f"{who}: {told}: {type(error).__name__}: {str(error)[:200]}")
            transaction.set_rollback(True)
    assert not faults, "\n".join(faults)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("number", [2**63, 10**30])
def test_a_number_that_no_column_holds_breaks_no_page(scene: dict[str, Any], number: int) -> None:
    browser = log_in(scene["people"]["player"])
    patterns = [pattern for pattern in set(list_patterns()) if "<int:" in pattern]
    assert len(patterns) > 50
    for pattern in patterns:
        address = re.sub(r"<(int:)?[^>]+>", lambda part: str(number) if part[1] else "duel", pattern)
        assert browser.get(f"/{address}").status_code < 500, address


@pytest.mark.parametrize("charset", ["rot13", "base64", '"rot13"', "raw_unicode_escape", "utf-7", "nonsense", "utf-16"])
def test_an_unknown_charset_is_rejected_although_django_would_fail(charset: str) -> None:
    told = []
    body = b"name=x"
    environ = {
        **RequestFactory().post("/accounts/mages/new/").environ,
        "CONTENT_TYPE": f"application/x-www-form-urlencoded; charset={charset}",
        "CONTENT_LENGTH": str(len(body)),
        "QUERY_STRING": "a=1",
        "wsgi.input": io.BytesIO(body),
    }
    pages(environ, lambda status, headers: told.append(status))
    assert told == ["400 Bad Request"]


def test_a_field_without_a_name_is_rejected_at_the_desk(scene: dict[str, Any], client: Client) -> None:
    client.force_login(scene["people"]["superuser"])
    for table, part in product(("auth/group", "accounts/mage", "duels/battle"), ("", "1/change/", "1/delete/", "add/")):
        address = f"/admin/{table}/{part}"
        assert client.get(f"{address}?_to_field=").status_code in (400, 404), address
        assert client.post(address, {"_to_field": ""}).status_code in (400, 404), address


NAMED = (
    ("player", "get", "/challenges/?kind=%00"),
    ("player", "post", "/challenges/match/"),
    ("player", "post", "/accounts/blocks/lift/"),
    ("player", "post", "/accounts/name/"),
    ("player", "post", "/battles/NUMBER/chat/mute/"),
    ("player", "post", "/challenges/NUMBER/links/"),
    ("player", "post", "/challenges/NUMBER/change/"),
    ("superuser", "get", "/admin/duels/battle/?status__exact=%00"),
    ("visitor", "get", "/mages/%00/"),
)


def test_nul_is_a_bad_request_and_not_an_error(scene: dict[str, Any]) -> None:
    fields = dict.fromkeys(("name", "mage", "kind", "comment", "limit", "ruleset", "friend"), "\x00")
    for who, method, address in NAMED:
        client = Client()
        if scene["people"][who]:
            client.force_login(scene["people"][who])
        with transaction.atomic():
            answer = getattr(client, method)(address.replace("NUMBER", str(scene["numbers"][1])), fields)
            transaction.set_rollback(True)
        assert answer.status_code == (404 if "/mages/" in address else 400), address


def test_an_unknown_address_redirects_nowhere(scene: dict[str, Any]) -> None:
    pages = ("/accounts/login/", "/accounts/signup/", "/accounts/hold/", "/accounts/blocks/")
    elsewhere = ("{{7*7}}", "home", "accounts:mages", "//evil.example", "https://evil.example/")
    for address, following in product(pages, elsewhere):
        client = Client()
        if "/hold/" in address or "blocks" in address:
            client.force_login(scene["people"]["player"])
        sent = {"login": "Boris", "password": "firetop-boris", "name": "Clara", "next": following}
        answer = client.post(f"{address}?next={quote(following)}", sent)
        assert answer.status_code in (200, 302), (address, following)
        assert following not in answer.headers.get("Location", "")
