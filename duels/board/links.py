"""The links of the battle page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import slugify

from duels.rule_anchors import find_place
from rules_engine import Ruleset, get_ruleset

# Addresses follow from numbers and names alone.
MOST_LINKS = 4096


@dataclass(frozen=True)
class Link:
    """An address and the text of its link."""

    url: str
    text: str


@dataclass(frozen=True)
class MageLink:
    """One of the viewer's mages in this battle, and the page of the battle with that mage chosen."""

    name: str
    url: str
    current: bool


@dataclass(frozen=True)
class BattleLinks:
    """All links of one battle, for the viewer's current mage."""

    page: str
    change: str
    resign: str
    fragment: str
    draft: str
    time: str
    draw: str
    ask_draw: str
    consent: str
    api: str
    socket: str


def mage_spot(mage: str) -> str:
    """Return a mage's anchor on the battle page."""
    return f"mage-{mage}"


@lru_cache(MOST_LINKS)
def link_battle(number: int, mage: str) -> BattleLinks:
    """Return the links of a battle; `mage` is "" if the viewer has no choice of mages."""
    return BattleLinks(
        page=battle_url(number, mage),
        change=battle_url(number, mage, change="1"),
        resign=battle_url(number, mage, resign="1"),
        fragment=battle_url(number, mage, fragment="board"),
        draft=reverse("duels:draft", args=[number]),
        time=reverse("duels:time", args=[number]),
        draw=reverse("duels:draw", args=[number]),
        ask_draw=battle_url(number, mage, draw="1"),
        consent=reverse("consent", args=[number]),
        api=_with_query(reverse("api:battle", args=[number]), mage, {}),
        socket=reverse("battle_socket", urlconf="duels.live.consumers", args=[number]),
    )


def link_position(page: str) -> BattleLinks:
    """Return the links of a position that is not a battle: `page` takes its orders and draws its board."""
    live = f"{page}{'&' if '?' in page else '?'}fragment=board"
    return BattleLinks(
        page=page,
        change="",
        resign="",
        fragment=live,
        draft=live,
        time="",
        draw="",
        ask_draw="",
        consent="",
        api="",
        socket="",
    )


def battle_url(number: int, mage: str = "", **query: str) -> str:
    return _with_query(reverse("duels:battle", args=[number]), mage, query)


@lru_cache(MOST_LINKS)
def replay_url(number: int, seq: int, **query: str) -> str:
    return _with_query(reverse("studies:battle_replay_turn", args=[number, seq]), "", query)


def _with_query(path: str, mage: str, query: dict[str, str]) -> str:
    fields = {"mage": mage, **query} if mage else query
    return f"{path}?{urlencode(fields)}" if fields else path


def rules_url(ruleset: Ruleset) -> str:
    """Return the page of a battle's rules, in its own edition where that is not the newest."""
    page = reverse("ruleset", args=[ruleset.name])
    return page if ruleset.edition == get_ruleset(ruleset.name).edition else f"{page}?edition={ruleset.edition}"


def spell_url(spell: str, rules: str) -> str:
    """Return the address of a spell's description on the page `rules`."""
    return f"{rules}#{slugify(spell)}"


def link_clause(ruleset: Ruleset, clause: str) -> str:
    """Return the address of a clause's place in the rules, or ""."""
    return find_place(ruleset, clause, rules_url(ruleset)) if clause else ""
