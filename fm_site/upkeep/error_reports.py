"""Reports of our own faults to Sentry, for a site with SENTRY_DSN. Off without it, and then nothing is imported.

A report is rebuilt from a list of what it may contain: kinds of errors, where in the program they were raised, and
numbers of battles and turns. The text of an error may repeat what a player wrote, so it never leaves the site.
"""

from collections.abc import Mapping
from typing import Any

import structlog

TAGS = ("request_id", "battle", "turn", "task", "reference")
KEPT = ("event_id", "timestamp", "platform", "level", "logger", "release", "environment", "sdk", "type")
OF_FRAME = ("filename", "abs_path", "module", "function", "lineno", "in_app")


def start_error_reports(*, dsn: str, release: str, **more: Any) -> None:
    """Send faults to `dsn` from now on. `more` are options of sentry_sdk.init, for tests."""
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn,
        release=release,
        before_send=strip_report,  # type: ignore[arg-type]  # a report is a plain dict to us
        before_send_transaction=lambda *_: None,
        max_breadcrumbs=0,
        max_request_body_size="never",
        include_local_variables=False,
        include_source_context=False,
        send_default_pii=False,
        send_client_reports=False,
        auto_session_tracking=False,
        server_name="",
        **more,
    )


def strip_report(event: Mapping[str, Any], _hint: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report with only the data that may leave the site."""
    known = structlog.contextvars.get_contextvars()
    kept: dict[str, Any] = {name: event[name] for name in KEPT if name in event}
    kept["tags"] = {name: str(known[name])[:64] for name in TAGS if name in known}
    raised = (event.get("exception") or {}).get("values") or []
    kept["exception"] = {"values": [_strip_error(each) for each in raised]}
    if not raised:
        # A line of the log: where it was written is in `logger`.
        kept["message"] = "error in the log"
    return kept


def _strip_error(error: Mapping[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames") or []
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "value": "",
        "stacktrace": {"frames": [{name: frame[name] for name in OF_FRAME if name in frame} for frame in frames]},
    }
