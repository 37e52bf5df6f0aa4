"""The lines of resolved turns as HTML, from the cache: they never change for viewers with the same knowledge."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from django.template.loader import get_template, render_to_string
from django.utils.safestring import mark_safe

from duels.board import Board
from duels.board.story import StoryTurn
from operations.immutable_cache import ImmutableCache

TEMPLATE = "duels/_turn_lines.html"
PIECES = (TEMPLATE, "duels/_why.html")
drawn_turns: ImmutableCache[str] = ImmutableCache()


def draw_story(board: Board) -> Board:
    """Return the board with the HTML of every turn in its story."""
    story = board.story
    drawn = dict(zip(story.turns, _draw(story.turns), strict=True))
    latest = drawn[story.latest] if story.latest else None
    older, oldest = (tuple(drawn[turn] for turn in turns) for turns in (story.older, story.oldest))
    return replace(board, story=replace(story, latest=latest, older=older, oldest=oldest))


def _draw(turns: Iterable[StoryTurn]) -> list[StoryTurn]:
    keys = {turn: f"{turn.cache_key}:{_mark_templates()}" for turn in turns if turn.cache_key}
    kept = drawn_turns.recall(keys.values())
    drawn, fresh = [], {}
    for turn in turns:
        html = kept.get(keys.get(turn, ""))
        if html is None:
            html = str(render_to_string(TEMPLATE, {"turn": turn}))
            if turn in keys:
                fresh[keys[turn]] = html
        drawn.append(replace(turn, html=mark_safe(html)))
    drawn_turns.keep(fresh)
    return drawn


@cache
def _mark_templates() -> str:
    """Return a hash that changes with the templates."""
    templates: list[Any] = [get_template(name) for name in PIECES]
    sources = (each.template.source for each in templates)
    return hashlib.sha256("".join(sources).encode()).hexdigest()[:12]
