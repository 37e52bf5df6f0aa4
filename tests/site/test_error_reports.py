"""Error reports to Sentry: kinds of errors and places in the program, never anything that a user wrote."""

import json
import logging

import pytest
import sentry_sdk
import structlog
from django.test import Client
from sentry_sdk.transport import Transport

from fm_site.upkeep import error_reports
from fm_site.upkeep.error_reports import start_error_reports

SECRET = "LH W RH P surrender hunter2"


class Box(Transport):
    """Keeps the reports instead of sending them."""

    def __init__(self):
        super().__init__()
        self.reports = []

    def capture_envelope(self, envelope):
        self.reports += [item.get_event() or item.get_transaction_event() for item in envelope.items]


@pytest.fixture
def box():
    box = Box()
    begun = sentry_sdk.Scope.get_global_scope().client
    start_error_reports(dsn="https://key@sentry.example.org/1", release="r1", transport=box)
    yield box
    sentry_sdk.Scope.get_global_scope().set_client(begun)


def fail(orders):
    raise ValueError(f"cannot read {orders}")


def test_a_fault_in_a_page_is_reported_without_the_request(box, settings, db, monkeypatch):
    settings.DEBUG = False
    monkeypatch.setattr("fm_site.pages.home.show_front", lambda request: fail(SECRET))
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "hunter2"
    answer = client.get(f"/?orders={SECRET}", headers={"authorization": "Bearer hunter2"}, REMOTE_ADDR="192.0.2.77")
    assert answer.status_code == 500
    (report,) = [each for each in box.reports if each]
    (error,) = report["exception"]["values"]
    assert error["type"] == "ValueError" and error["value"] == ""
    assert error["stacktrace"]["frames"][-1]["function"] == "fail"
    assert report["tags"]["request_id"] == answer["X-Request-ID"]
    text = json.dumps(report, default=str)
    for word in ("hunter2", "surrender", "192.0.2.77", "sessionid", "vars", "context_line", 'request":'):
        assert word not in text


def test_a_line_of_the_log_is_reported_by_its_place_alone(box):
    structlog.contextvars.clear_contextvars()
    with structlog.contextvars.bound_contextvars(battle=12, turn="3", orders=SECRET):
        try:
            fail(SECRET)
        except ValueError:
            structlog.stdlib.get_logger("duels.services.resolve").exception("battle is stuck", orders=SECRET)
        logging.getLogger("duels").error("mail from %s", SECRET)
    assert len(box.reports) == 2
    assert [each["tags"] for each in box.reports] == [{"battle": "12", "turn": "3"}] * 2
    assert "hunter2" not in json.dumps(box.reports, default=str)


def test_nothing_but_faults_is_sent(box, db):
    with sentry_sdk.start_transaction(op="http", name="page"):
        Client().get("/rules/")
    assert box.reports == []


def test_without_a_dsn_it_is_off(settings):
    assert settings.SENTRY_DSN == "" and not sentry_sdk.get_client().is_active()
    assert "sentry_sdk" not in vars(error_reports)
