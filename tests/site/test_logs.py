"""Nothing secret reaches a log line."""

import logging

import pytest
import structlog
from django.http import HttpResponse
from django.test import Client, RequestFactory

from fm_site.serving.request_log import mark_request
from fm_site.upkeep.logs import REDACTED, make_logging, redact, redact_text
from tests.cpu_time import count_loops
from tests.duels.fights import start_fight
from tests.scenes import make_mage

SECRETS = [
    ("GET /accounts/password/reset/key/1-cxyz-0123abcd/ 404", "cxyz-0123abcd"),
    ("Not Found: /accounts/confirm-email/MTI:1vABC:zzzsig/", "zzzsig"),
    ("Not Found: /mail/stop/MTI:1vABC:zzzsig/", "zzzsig"),
    ("Not Found: /calendar/zzzsecret.ics", "zzzsecret"),
    ("GET /battles/12/?token=opensesame&page=2", "opensesame"),
    ("USER bung hunter2", "hunter2"),
    ("line one\n  user bung hunter2\nLH F", "hunter2"),
    ("bounce for reply+12-3-signature@example.org", "signature"),
    ("('127.0.0.1', 42072) recip: t-5-4-7-0-am5ultbowrejguc42lnv@localhost", "am5ultbowrejguc42lnv"),
    ("cannot reach postgres://fm:hunter2@db.example.org/fm", "hunter2"),
    ("Authorization: Bearer abc.def", "abc.def"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_removed_by_its_form(text, secret):
    redacted = redact_text(text)
    assert secret not in redacted
    assert REDACTED in redacted


@pytest.mark.parametrize(
    "piece", ["a.", "a-", "t-a", "a+", "+a", "redis://:", "key/", "Bearer ", "USER a\n", "&key=", "\n", " \n"]
)
def test_no_requested_address_takes_long_to_clean(piece):
    text = "Not Found: /" + piece * (60_000 // len(piece))
    assert count_loops(lambda: redact_text(text)) < 20


@pytest.mark.parametrize("text", ["GET /battles/12/ 200", "mage Bung casts Shield", "2 users, 3 keys", "USER"])
def test_ordinary_lines_do_not_change(text):
    assert redact_text(text) == text


def test_a_secret_is_removed_by_its_name_at_any_depth():
    logged = redact({"user": "bung", "form": [{"password1": "a", "mail_password": "hunter2", "login_code": "123456"}]})
    assert "hunter2" not in str(logged)
    assert "123456" not in str(logged)
    assert logged["user"] == "bung"


def test_a_status_code_is_not_a_secret():
    assert redact({"status_code": 404}) == {"status_code": 404}


@pytest.mark.parametrize("as_json", [True, False])
def test_every_line_is_cleaned_even_tracebacks_and_lines_of_libraries(as_json, monkeypatch):
    monkeypatch.setattr(structlog, "configure", lambda **_: None)
    settings = make_logging(level="INFO", as_json=as_json)["formatters"]["lines"]
    formatter = settings.pop("()")(**settings)
    try:
        raise ValueError("token=opensesame?token=opensesame")
    except ValueError as error:
        caught = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("django", logging.ERROR, "x.py", 1, "at %s", ("/key/hunter2/",), caught)
    line = formatter.format(record)
    assert "hunter2" not in line
    assert "?token=opensesame" not in line
    assert "ValueError" in line


@pytest.mark.django_db
def test_a_request_for_another_host_writes_no_traceback(caplog):
    assert Client().get("/", headers={"Host": "evil.example"}).status_code == 400
    assert "evil.example" not in caplog.text and "Traceback" not in caplog.text


@pytest.mark.django_db
def test_lines_name_the_request_the_battle_and_the_turn():
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    structlog.contextvars.clear_contextvars()
    seen = []

    def note(request):
        duel.order("Froodal", "LH W", ready=False)
        seen.append(structlog.contextvars.get_contextvars())
        return HttpResponse()

    request = RequestFactory().get(f"/battles/{duel.number}/")
    answer = mark_request(note)(request)
    assert seen[0] == {"request_id": answer["X-Request-ID"], "battle": duel.number, "turn": duel.battle.label}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("proxies", "given", "is_taken"),
    [
        ([], "abcdef-123456", False),
        (["127.0.0.1"], "abcdef-123456", True),
        (["127.0.0.1"], "a line\nof the log", False),
        (["127.0.0.1"], "x" * 65, False),
        (["192.0.2.1"], "abcdef-123456", False),
    ],
)
def test_a_request_has_an_id_that_only_a_trusted_proxy_may_choose(settings, proxies, given, is_taken):
    settings.FM_TRUSTED_PROXIES = proxies
    ids = [Client().get("/health/live", headers={"x-request-id": given})["X-Request-ID"] for _ in range(2)]
    assert (ids == [given] * 2) is is_taken
    assert is_taken or ids[0] != ids[1]
