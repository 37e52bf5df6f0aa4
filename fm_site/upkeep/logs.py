"""Logging with structlog, with all secrets removed first.

Two filters: values with a revealing name, and patterns in any text (reset links, signed addresses, a USER line).
"""

import re
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

REDACTED = "[redacted]"
SECRET_NAMES = re.compile(
    r"pass(word|wd|phrase)?$|secret|token|(?<!status_)code$|authorization|cookie|session|api_?key", re.I
)
# What stands before a secret in the path of an address: /accounts/password/reset/key/1-abc-def/, /mail/stop/...,
# /challenges/join/..., /calendar/... The log of nginx leaves out the same (deploy/nginx/firetop.conf).
SECRET_PATHS = (
    *("key", "confirm-email", "confirm", "stop", "login/code", "token"),
    *("challenges/join", "calendar", "studies", "collections"),
)
SECRET_SHAPES = (
    (re.compile(rf"(/(?:{'|'.join(SECRET_PATHS)})/)[^\s/?\"']+"), rf"\1{REDACTED}"),
    (re.compile(r"([?&](?:token|key|code|password|signature)=)[^&\s\"']+", re.I), rf"\1{REDACTED}"),
    # orders with a mail password, and those that may contain one for a newcomer
    (re.compile(r"(?im)^([^\S\n]*(?:USER|NEWUSER|PASSWORD)\s+\S+\s+).*$"), rf"\1{REDACTED}"),
    # <letter>-<numbers>-<signature>@host and reply+<signed>@host: the part before the @ gives access
    (re.compile(r"\b[tcn](?:-[0-9a-z]{1,13}){1,4}-[a-z2-7]{20}(?=@)", re.I), REDACTED),
    (re.compile(r"(\b[\w.-]{1,64}\+)[^\s@<>]{1,64}(?=@)"), rf"\1{REDACTED}"),
    (
        re.compile(r"((?:postgres(?:ql)?|rediss?|smtps?|smtp\+\w+)://[^\s:/@]{0,100}:)[^\s@]{1,200}(?=@)"),
        rf"\1{REDACTED}",
    ),
    (re.compile(r"((?:Bearer|Token)\s+)\S+", re.I), rf"\1{REDACTED}"),
)


def redact_text(text: str) -> str:
    """Return `text` without secrets that match a pattern."""
    for shape, replacement in SECRET_SHAPES:
        text = shape.sub(replacement, text)
    return text


def redact(value: Any) -> Any:
    """Return `value` with secrets replaced, also inside mappings and sequences."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, Mapping):
        return {name: REDACTED if is_secret_name(name) else redact(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redact(inner) for inner in value]
    return value


def is_secret_name(name: object) -> bool:
    """Return whether a value called `name` must not be logged."""
    return isinstance(name, str) and bool(SECRET_NAMES.search(name))


def redact_event(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return the structlog processor: the last one before a line is written."""
    for name, value in event.items():
        if not name.startswith("_"):
            event[name] = REDACTED if is_secret_name(name) else redact(value)
    return event


def make_logging(*, level: str, as_json: bool) -> dict[str, Any]:
    """Return Django's LOGGING setting: one handler and one format for libraries and our own code."""
    before: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    last = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *before,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": before,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, redact_event, last],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["console"], "level": level},
        # Their own handlers would print every line twice and email admins.
        "loggers": {name: {"handlers": [], "propagate": True} for name in ("django", "django.server")}
        # A line for every start and every sweep would hide the rest. (mail.log is aiosmtpd: every command of every
        # connection, including reply addresses.)
        | {name: {"level": "WARNING"} for name in ("celery", "mail.log", "uvicorn")}
        # Scanners name any host. The answer is 400; a traceback each time would fill logs and error reports.
        | {"django.security.DisallowedHost": {"level": "CRITICAL"}},
    }
