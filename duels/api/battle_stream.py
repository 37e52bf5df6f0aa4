"""The stream of one battle (Server-Sent Events): each of its states, as the program's user sees it."""

import hashlib
import re
from typing import Any
from urllib.parse import parse_qs

from django.http import HttpResponse
from django.utils import timezone

from accounts.live.token_streams import Batch, Feed, read_header, write_message
from accounts.models import ApiToken
from duels.api import schema as api_schema
from duels.api.battle_json import write_battle
from duels.errors import BattleNotFound, NotYourCombatant, UnreadableBattle
from duels.live.fragments import read_stamp
from duels.selectors.battle_view import BattleView, Window
from duels.selectors.events import count_events
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user, read_battle_clocks
from duels.wakeups import channel_of
from operations.web.asgi import Scope
from operations.web.problems import refuse, refuse_by_status

# The turn in play, and the one before it.
LATEST = Window(latest=2)


def show_battle(*, number: int, user: Any, mage: str | None) -> api_schema.Battle:
    """Return the battle as this user sees it. Raises BattleNotFound, UnreadableBattle, and NotYourCombatant for a
    `mage` who is not theirs."""
    if mage:
        get_combatant_for_user(number=number, user=user, mage_name=mage)
    view = get_battle_for_viewer(number=number, user=user, mage_name=mage, draft="", window=LATEST)
    return write_battle(view, time=_mark_time(view), events=count_events(view))


def _mark_time(view: BattleView) -> str | None:
    """Return the time mark of this viewer, as on their page; None once the battle is over."""
    if view.over:
        return None
    return read_battle_clocks(view, now=timezone.now()).mark(view.clocks)


class BattleFeed(Feed):
    """The states of one battle for one user, from the one that the program does not have yet on. Its id is a hash of
    what it shows, so that it tells nothing that its reader can't see."""

    subject = "battle"
    address = re.compile(r"/api/(?:v1/)?battles/(\d{1,9})/stream/")

    def __init__(self, scope: Scope, token: ApiToken) -> None:
        super().__init__(scope, token)
        self.number = int(scope["path"].split("/")[-3])
        self.mage = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("mage", [None])[0]
        self.channel = channel_of(self.number)
        self.last = read_header(scope, b"last-event-id")
        self.stamp: object = None

    def begin(self, token: ApiToken) -> HttpResponse | None:
        try:
            _text, name, is_over = self._draw(token)
        except BattleNotFound as error:
            return refuse(404, "no_battle", str(error))
        except NotYourCombatant as error:
            return refuse(403, "not_your_mage", str(error), mages=list(error.mages))
        except UnreadableBattle:
            return refuse_by_status(503)
        # The program has seen the end: 204 tells it not to connect again.
        return HttpResponse(status=204) if is_over and name == self.last else None

    def read(self, token: ApiToken, *, is_woken: bool) -> Batch | None:
        stamp = read_stamp(self.number)
        if not is_woken and stamp == self.stamp:
            return Batch()
        self.stamp = stamp
        try:
            text, name, is_over = self._draw(token)
        except (BattleNotFound, NotYourCombatant, UnreadableBattle):
            return None
        is_new, self.last = name != self.last, name
        return Batch([write_message(name, "state", text)] if is_new else [], is_last=is_over)

    def _draw(self, token: ApiToken) -> tuple[str, str, bool]:
        shown = show_battle(number=self.number, user=token.user, mage=self.mage)
        text = shown.model_dump_json()
        return text, hashlib.sha256(text.encode()).hexdigest()[:32], shown.status not in ("running", "stuck")
