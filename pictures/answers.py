"""Responses with pictures: drawn once, and then from the cache."""

import hashlib
from collections.abc import Callable, Iterable

from django.core.cache import cache
from django.http import HttpResponse
from django.utils.cache import patch_cache_control

from duels.board.sides import Sides
from duels.rules_release import current_rules_release
from pictures.drawing.card import draw_card
from pictures.drawing.position import draw_sides
from pictures.drawing.raster import write_png

KEPT_SECONDS = 7 * 24 * 3600
# How long others may cache a picture: at the end of the battle it shows more.
FRESH_SECONDS = 300


def answer_card(title: str, facts: Iterable[str], arms: str = "") -> HttpResponse:
    """Respond with a card with this text, and the arms of a mage if it is theirs."""
    words = [title, *facts]
    key = f"card:{hashlib.sha256(repr((current_rules_release(), words, arms)).encode()).hexdigest()}"
    return answer_picture(recall_picture(key, lambda: write_png(draw_card(title, words[1:], arms))), "image/png")


def answer_board(sides: Sides, *, title: str, facts: Iterable[str]) -> HttpResponse:
    """Respond with a board with a title and a line below, for links to its page. The caller ensures that it is
    public."""
    foot = " ".join(facts)
    picture = draw_sides(sides, title=title, foot=foot, alt=f"{title}. {foot}")
    key = f"board:{hashlib.sha256(repr((current_rules_release(), picture)).encode()).hexdigest()}"
    return answer_picture(recall_picture(key, lambda: write_png(picture)), "image/png")


def recall_picture(key: str, draw: Callable[[], bytes]) -> bytes:
    """Return the picture from the cache, or draw it; with an empty key it is always drawn."""
    drawn: bytes | None = cache.get(key) if key else None
    if drawn is None:
        drawn = draw()
        if key:
            cache.set(key, drawn, KEPT_SECONDS)
    return drawn


def answer_picture(picture: bytes, content_type: str) -> HttpResponse:
    """Respond with a picture, which others may cache for a while."""
    answer = HttpResponse(picture, content_type=content_type)
    patch_cache_control(answer, public=True, max_age=FRESH_SECONDS)
    return answer
