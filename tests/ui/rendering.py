"""Battle pages as text: rendered from a real view, or fetched for a user."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.template.loader import render_to_string
from django.test import Client

from duels.board import build_board
from duels.selectors.battle_view import BattleView
from tests.html import flat
from tests.scenes import NOW


def draw(view: BattleView, **more: Any) -> str:
    """The live part of the battle page."""
    shown = {"board": build_board(view, now=NOW, **more), "csrf_token": "t"}
    return flat(render_to_string("duels/_live.html", shown))


def words(html: str) -> str:
    """The text that is read out: without tags, drawings and hidden parts, and with single spaces."""
    html = re.sub(r'<span class="bead[^>]*aria-hidden="true".*?</span>(?=<|$)', " ", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def spoken(html: str, label: str) -> list[str]:
    """The spoken items of the string with that label."""
    strings = re.findall(rf'<ol aria-label="{re.escape(label)}">(.*?)</ol>', html, re.S)
    return [unescape(item) for text in strings for item in re.findall(r'<span class="vh">(.*?)</span>', text)]


def client_of(user: Any = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend="accounts.backends.ByName")
    return client
