"""The stream of events (Server-Sent Events): one connection of a program for all battles and challenges of its user.

It sends the events of notifications.events: ids and links.
"""

import json
import re
from collections.abc import Sequence
from http import HTTPStatus

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.live.token_streams import Batch, Feed, read_header, write_message
from accounts.models import ApiToken
from notifications.events import SiteEvent, channel_of, find_newest, is_event_id, list_events, write_place_now
from operations.presence import see_program
from operations.web.asgi import Scope
from operations.web.problems import refuse

# The number of remembered ids of sent events, so that none is sent twice.
REMEMBERED = 500


class EventFeed(Feed):
    """The events of one user, from the program's last one on, otherwise from now on."""

    subject = "events"
    address = re.compile(r"/api/(?:v1/)?events/")

    def __init__(self, scope: Scope, token: ApiToken) -> None:
        super().__init__(scope, token)
        self.channel = channel_of(self.user_id)
        self.after = ""
        self.sent: dict[str, None] = {}

    def begin(self, token: ApiToken) -> HttpResponse | None:
        last = read_header(self.scope, b"last-event-id")
        if last and not is_event_id(last):
            detail = _("The last event's id must be one that the stream has sent.")
            return refuse(HTTPStatus.BAD_REQUEST, "after", detail)
        self.after = last or write_place_now(user=token.user, now=timezone.now())
        self.place = self.after
        self.sent = dict.fromkeys([self.after])
        return None

    def read(self, token: ApiToken, *, is_woken: bool) -> Batch | None:
        events, has_more = read_more(token, self.after, tuple(self.sent))
        self.sent |= dict.fromkeys(event.id for event in events)
        if events:
            self.after = find_newest(self.after, events)
        for old in list(self.sent)[:-REMEMBERED]:
            del self.sent[old]
        return Batch([write_event(event) for event in events], has_more)


def read_more(token: ApiToken, after: str, known: Sequence[str]) -> tuple[list[SiteEvent], bool]:
    """Return the events after `after` that are not `known`, and whether there are more. Note that the program of a bot
    is here."""
    if token.user.is_bot:
        see_program(token.user_id)
    return list_events(user=token.user, after=after, known=known)


def write_event(event: SiteEvent) -> str:
    return write_message(event.id, event.type, json.dumps(event.to_json()))
