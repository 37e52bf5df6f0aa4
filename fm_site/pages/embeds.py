"""Replays and posters for the frames of other sites, and oEmbed, by which sites find them.

The pages know no visitor (fm_site.serving.without_visitor) and contain what pictures of battles show: only what
everyone may see.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from duels.errors import BattleNotFound, UnreadableBattle
from duels.share import name_battle_in_full
from operations.web.numbers import read_number
from pictures.answers import FRESH_SECONDS
from studies.position_picture import describe_position
from studies.replay_board import build_replay_board
from studies.replay_cards import make_turn_card
from studies.selectors.battle_replays import (
    Replay,
    find_replay_for_anyone,
    get_whole_replay_for_anyone,
    list_replay_turns,
)

MOST_ON_POSTER = 60
# The size of a frame, unless a site asks for less; the picture is 1200 × 630, and words and links need ROOM.
WIDTH, ROOM, NARROWEST, WIDEST = 640, 120, 240, 10_000
POSTER_HEIGHT = 480
OURS = re.compile(r"/(?:embed/)?battles/(\d{1,12})/(?:(poster)/|(?:replay/)?(?:(\d{1,6})/)?)?", re.ASCII)

View = Callable[..., HttpResponseBase]


def embeddable(view: View) -> View:
    """Decorator: any site may show the page in a frame. It has no scripts and no forms, and lives for a while in
    caches."""

    @xframe_options_exempt
    @csp(
        {
            "default-src": [NONE],
            "style-src": [SELF],
            "img-src": [SELF],
            "font-src": [SELF],
            "base-uri": [NONE],
            "form-action": [NONE],
            "frame-ancestors": ["*"],
        }
    )
    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        try:
            response = view(request, *args, **more)
        except (BattleNotFound, UnreadableBattle) as error:
            raise Http404(str(error)) from error
        patch_cache_control(response, public=True, max_age=FRESH_SECONDS)
        return response

    return require_safe(respond)


@embeddable
def embed_replay(request: HttpRequest, number: int, seq: int | None = None) -> HttpResponse:
    """Show a turn of a battle, by default the last one that is over, with links to the others."""
    replay = _find_replay(number, seq)
    if replay is None:
        raise Http404(_("There is no such turn."))
    board = build_replay_board(replay)
    seqs = [turn.seq for turn in replay.turns]
    at = seqs.index(replay.turn.seq)
    context = {
        "board": board,
        "alt": describe_position(board),
        "title": name_battle_in_full(replay.past),
        "site": settings.FM_SITE_URL,
        "steps": [
            (word, seqs[to] if 0 <= to < len(seqs) and to != at else None)
            for word, to in ((_("First"), 0), (_("Back"), at - 1), (_("Next"), at + 1), (_("Last"), len(seqs) - 1))
        ],
        "last": replay.turns[-1].label,
    }
    return render(request, "embed.html", context)


@embeddable
def embed_poster(request: HttpRequest, number: int) -> HttpResponse:
    """Show a picture of every turn of a battle that is over."""
    replays = get_whole_replay_for_anyone(number=number)
    if not replays:
        raise Http404(_("There is nothing to show before the end of the battle."))
    boards = [build_replay_board(each) for each in replays[-MOST_ON_POSTER:]]
    context = {
        "board": boards[-1],
        "turns": [(board, describe_position(board)) for board in boards],
        "title": name_battle_in_full(replays[-1].past),
        "site": settings.FM_SITE_URL,
    }
    return render(request, "embed.html", context)


@require_safe
def show_oembed(request: HttpRequest) -> HttpResponse:
    """Say how to embed one of our battles, replays or posters (oembed.com); 404 for every other address."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse(_("Only JSON is supported."), status=501, content_type="text/plain; charset=utf-8")
    found = _read_own_address(request.GET.get("url", ""))
    if found is None:
        raise Http404(_("This address cannot be embedded."))
    number, is_poster, seq = found
    try:
        replay = _find_replay(number, seq)
    except (BattleNotFound, UnreadableBattle) as error:
        raise Http404(str(error)) from error
    if replay is None or (is_poster and not replay.past.battle.is_over):
        raise Http404(_("This address cannot be embedded."))
    card = make_turn_card(replay)
    width = min(WIDTH, _read_limit(request, "maxwidth"))
    height = min(POSTER_HEIGHT if is_poster else width * 630 // 1200 + ROOM, _read_limit(request, "maxheight"))
    if is_poster:
        path = reverse("embed_poster", args=[number])
    else:
        path = reverse("embed_turn", args=[number, seq]) if seq else reverse("embed", args=[number])
    answer = JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": card.title,
            "provider_name": "Firetop Mountain",
            "provider_url": settings.FM_SITE_URL,
            "cache_age": FRESH_SECONDS,
            "thumbnail_url": card.image,
            "thumbnail_width": 1200,
            "thumbnail_height": 630,
            "width": width,
            "height": height,
            "html": format_html(
                '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0"></iframe>',
                settings.FM_SITE_URL + path,
                width,
                height,
                card.title,
            ),
        }
    )
    patch_cache_control(answer, public=True, max_age=FRESH_SECONDS)
    # Scripts of other sites may read it: it says nothing about the visitor.
    answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer


def _find_replay(number: int, seq: int | None) -> Replay | None:
    """Return a turn of the replay as everyone may see it; without `seq`, the last one that is over."""
    if seq is None:
        turns = list_replay_turns(number=number)
        if not turns:
            return None
        seq = turns[-1].seq
    return find_replay_for_anyone(number=number, seq=seq)


def _read_own_address(text: str) -> tuple[int, bool, int | None] | None:
    """Return which battle an address of this site leads to, whether to its poster, and which turn it names; None for
    every other address."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    own = urlsplit(settings.FM_SITE_URL)
    found = OURS.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != own.netloc.lower() or found is None:
        return None
    number, poster, seq = found.groups()
    return int(number), poster is not None, int(seq) if seq else None


def _read_limit(request: HttpRequest, name: str) -> int:
    number = read_number(request, name)
    return WIDEST if number is None else min(max(NARROWEST, number), WIDEST)
