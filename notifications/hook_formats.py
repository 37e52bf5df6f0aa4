"""The formats of hooks: what each needs, and how a message is written for it.

Names of mages and other people's texts are part of messages. No format lets them mention anybody, link or change how a
message looks: what has a meaning there is escaped, and what looks like a mention or a link is broken everywhere.
"""

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext as _

from notifications.errors import InvalidHook
from notifications.events import SiteEvent
from notifications.hook_calls import check_url, sign
from notifications.models import Hook
from operations.text.invisible_characters import mark_hidden

AGENT = "FiretopMountain"
# Discord allows 2,000 characters, of which escaping may take half.
LONGEST_TEXT = 900
LONGEST_TOKEN = 300
ROOM = re.compile(r"![\x21-\x39\x3b-\x7e]{1,200}(:[A-Za-z0-9.\-:\[\]]{1,200})?")
TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")
TOKEN = re.compile(r"[\x21-\x7e]+")
# Of Discord's messages: no previews of links.
SUPPRESS_EMBEDS = 4
# Those that don't know a message again: if it is not certain that one arrived, it is not sent again.
FORGETFUL = frozenset({Hook.Format.DISCORD, Hook.Format.SLACK, Hook.Format.NTFY})
NEEDS_TOKEN = frozenset({Hook.Format.MATRIX})
TAKES_TOKEN = frozenset({Hook.Format.MATRIX, Hook.Format.NTFY})


@dataclass(frozen=True)
class HookMessage:
    """What a hook says: a few lines of plain text, the first of which names what it is about, and a page."""

    text: str
    link: str


@dataclass(frozen=True)
class HookRequest:
    """One HTTP request."""

    method: str
    url: str
    body: bytes
    headers: Mapping[str, str]


def check_target(form: str, *, url: str, token: str = "", room: str = "") -> dict[str, str]:
    """Return what is stored of a hook of this format. Raises InvalidHook."""
    url, token, room = check_url(url.strip()), token.strip(), room.strip()
    target = {"url": url}
    if form == Hook.Format.MATRIX:
        target["url"] = _check_server(url)
        if not ROOM.fullmatch(room):
            raise InvalidHook(
                _("Enter the room's internal ID, such as !abc:matrix.example. It is in the room's settings."),
                field="room",
            )
        target["room"] = room
    elif form == Hook.Format.NTFY:
        path = urlsplit(url).path.strip("/")
        if not TOPIC.fullmatch(path) or urlsplit(url).query:
            raise InvalidHook(_("Enter the topic's whole address, such as https://ntfy.sh/my-topic."))
    if form in NEEDS_TOKEN and not token:
        raise InvalidHook(_("Enter an access token."), field="token")
    if token and form in TAKES_TOKEN:
        if len(token) > LONGEST_TOKEN or not TOKEN.fullmatch(token):
            raise InvalidHook(_("This is not an access token."), field="token")
        target["token"] = token
    return target


def _check_server(url: str) -> str:
    parts = urlsplit(url)
    if parts.path.strip("/") or parts.query:
        raise InvalidHook(
            _("Enter the address of the homeserver alone, such as https://matrix.example."),
            f"{parts.scheme}://{parts.netloc}",
        )
    return f"{parts.scheme}://{parts.netloc}"


def write_signed_event(target: Mapping[str, str], event: SiteEvent, *, timestamp: int) -> HookRequest:
    """Return the call about an event, signed as standardwebhooks.com describes."""
    body = json.dumps(event.to_json()).encode()
    headers = {
        "webhook-id": event.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(target["secret"], mark=event.id, timestamp=timestamp, body=body),
    }
    return HookRequest("POST", target["url"], body, _HEADERS | headers)


def write_message(form: str, target: Mapping[str, str], message: HookMessage, *, mark: str) -> HookRequest:
    """Return the call that says this in a chat or to a phone. `mark` is the same however often it is sent."""
    text = _break_references(mark_hidden(message.text))[:LONGEST_TEXT].strip()
    headers = dict(_HEADERS)
    if "token" in target:
        headers["Authorization"] = f"Bearer {target['token']}"
    method, url, content = "POST", target["url"], {}
    match form:
        case Hook.Format.DISCORD:
            content = {
                "content": f"{_escape_markdown(text)}\n{message.link}",
                "allowed_mentions": {"parse": []},
                "flags": SUPPRESS_EMBEDS,
            }
        case Hook.Format.SLACK:
            content = {
                "text": f"{_escape_entities(text)}\n<{message.link}>",
                "mrkdwn": False,
                "parse": "none",
                "link_names": False,
                "unfurl_links": False,
                "unfurl_media": False,
            }
        case Hook.Format.MATRIX:
            room, method = quote(target["room"], safe=""), "PUT"
            url = f"{url}/_matrix/client/v3/rooms/{room}/send/m.room.message/{mark}"
            link, shown = html.escape(message.link), html.escape(text).replace("\n", "<br>")
            content = {
                "msgtype": "m.notice",
                "body": f"{text}\n{message.link}",
                "format": "org.matrix.custom.html",
                "formatted_body": f'{shown}<br><a href="{link}">{link}</a>',
                # Without this, clients search the text for names.
                "m.mentions": {},
            }
        case Hook.Format.NTFY:
            parts = urlsplit(url)
            url = f"{parts.scheme}://{parts.netloc}/"
            title, _newline, rest = text.partition("\n")
            content = {
                "topic": parts.path.strip("/"),
                "title": title,
                "message": rest or title,
                "click": message.link,
                "markdown": False,
            }
        case _:
            raise ValueError(f"unknown format {form}")
    return HookRequest(method, url, json.dumps(content).encode(), headers)


_HEADERS = {"Content-Type": "application/json", "User-Agent": AGENT}
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def _break_references(text: str) -> str:
    """Return the text without mentions and addresses: with the wide @, and a space in each ://."""
    return text.replace("@", "\uff20").replace("://", ": //")


def _escape_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _escape_entities(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
