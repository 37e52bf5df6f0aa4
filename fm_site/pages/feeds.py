"""Atom feeds (RFC 4287): the finished battles of a player and of the site, results of the league, and announcements.

They know no visitor (fm_site.serving.without_visitor): everyone gets what a stranger may see, and names of mages only.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.text import Truncator
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.selectors.names import find_user
from duels.board.links import battle_url
from duels.names import listed
from duels.selectors.draws import name_agreed_draws
from ladder.models import BattleSide, CountedBattle
from ladder.selectors.profiles import list_latest_battles, list_latest_sides
from league.cup_words import name_cup, name_round
from league.selectors.cups import CupResult, PastCup, list_latest_cup_duels, list_past_cups
from league.selectors.overview import LeagueResult, Title, list_latest_duels, list_titles
from league.selectors.seasons import list_past_seasons
from league.words import name_league, write_points
from operations.selectors import list_public_announcements
from operations.text.invisible_characters import mark_hidden

MOST_ENTRIES = 30
# How long a feed is kept: here, and by those who fetch it.
KEPT_SECONDS, FRESH_SECONDS = 60, 300
LONGEST_TITLE = 100
ATOM = "application/atom+xml; charset=utf-8"


@dataclass(frozen=True)
class Entry:
    """One entry: its permanent id is its address."""

    title: str
    words: str
    path: str
    at: datetime


class SteadyFeed(Atom1Feed):
    """A feed whose text changes only with its entries: without any, it was updated when it began."""

    def latest_post_date(self) -> datetime:
        dates = [item["updateddate"] for item in self.items]
        begun: datetime = self.feed["begun"]
        return max(dates, default=begun)


def feed(build: Callable[..., str]) -> Callable[..., HttpResponseBase]:
    """Decorator: send the text of a feed, kept for a minute, with an ETag, or 304 to those who have it."""

    @require_safe
    @wraps(build)
    def respond(request: HttpRequest, *args: str) -> HttpResponseBase:
        key = f"feed/{get_language()}/{hashlib.sha256(request.path_info.encode()).hexdigest()}"
        text: str | None = cache.get(key)
        if text is None:
            text = build(request, *args)
            cache.set(key, text, KEPT_SECONDS)
        written = text.encode()
        etag = f'"{hashlib.sha256(written).hexdigest()[:32]}"'
        response = HttpResponse(written, content_type=ATOM, headers={"ETag": etag})
        patch_cache_control(response, public=True, max_age=FRESH_SECONDS)
        answer: HttpResponseBase = get_conditional_response(request, etag=etag, response=response) or response
        return answer

    return respond


def show_player_feed(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send the latest finished battles of a user."""
    user = find_user(name)
    if user is None or not user.is_active or user.is_guest:
        raise Http404(_("No user is called %(name)s.") % {"name": name[:20]})
    return _send_player_feed(request, user.username)


@feed
def _send_player_feed(request: HttpRequest, name: str) -> str:
    user = find_user(name)
    assert user is not None
    sides = list_latest_sides(user=user, limit=MOST_ENTRIES)
    return _write(
        request,
        title=_("Battles of %(name)s") % {"name": user.username},
        page=reverse("user", args=[user.username]),
        begun=user.created_at,
        entries=_list_entries([side.battle for side in sides]),
    )


@feed
def show_battle_feed(request: HttpRequest) -> str:
    """Send the latest finished battles that count."""
    battles = list_latest_battles(limit=MOST_ENTRIES)
    return _write(
        request,
        title=_("Finished battles"),
        page=reverse("battles"),
        begun=_EPOCH,
        entries=_list_entries(battles),
    )


@feed
def show_announcement_feed(request: HttpRequest) -> str:
    """Send the latest announcements of the janitors."""
    return _write(
        request,
        title=_("Announcements"),
        page=reverse("status"),
        begun=_EPOCH,
        entries=[
            Entry(
                title=Truncator(" ".join(text.split())).chars(LONGEST_TITLE),
                words=text,
                path=f"{reverse('status')}#announcement-{row.pk}",
                at=row.starts_at,
            )
            for row in list_public_announcements(now=timezone.now(), limit=MOST_ENTRIES)
            for text in [mark_hidden(row.text)]
        ],
    )


@feed
def show_league_feed(request: HttpRequest) -> str:
    """Send the latest results of the league and of cups: their duels, the champions of seasons and the winners."""
    entries = [*map(_describe_title, list_titles(list_past_seasons()[:MOST_ENTRIES], None))]
    entries += map(_describe_league_duel, list_latest_duels(MOST_ENTRIES))
    entries += map(_describe_past_cup, list_past_cups(limit=MOST_ENTRIES))
    entries += map(_describe_cup_duel, list_latest_cup_duels(MOST_ENTRIES))
    return _write(
        request,
        title=_("Results of the league and of cups"),
        page=reverse("league:overview"),
        begun=_EPOCH,
        entries=sorted(entries, key=lambda entry: entry.at, reverse=True)[:MOST_ENTRIES],
    )


def _describe_title(title: Title) -> Entry:
    season, champion = title.season, title.champion
    slots = {"number": season.number, "mage": champion.mage if champion else ""}
    words = _("Champion of %(league)s with %(points)s of %(duels)s.") % {
        "league": name_league(1),
        "points": write_points(title.points),
        "duels": title.duels,
    }
    path = reverse("league:season", args=[season.number])
    return Entry(_("Season %(number)s: %(mage)s") % slots, words, path, season.closed_at or _EPOCH)


def _describe_league_duel(duel: LeagueResult) -> Entry:
    slots = {"league": name_league(duel.tier), "round": duel.round, "one": duel.one, "other": duel.other}
    if duel.is_draw:
        title = _("%(league)s, round %(round)s: %(one)s and %(other)s drew") % slots
    else:
        title = _("%(league)s, round %(round)s: %(one)s beat %(other)s") % slots
    words = _("Season %(number)s of the league.") % {"number": duel.season}
    path = battle_url(duel.battle) if duel.battle else reverse("league:group", args=[duel.season, duel.tier])
    return Entry(title, words, path, duel.at)


def _describe_past_cup(past: PastCup) -> Entry:
    cup, name = past.cup, name_cup(past.cup.kind, past.cup.begins_at)
    path = reverse("league:cup", args=[cup.pk])
    if cup.is_cancelled:
        title = _("%(cup)s: cancelled") % {"cup": name}
        words = _("It could not begin in time.") if cup.was_too_late else _("Too few had signed up.")
        return Entry(title, words, path, cup.cancelled_at or _EPOCH)
    slots = {"cup": name, "mage": past.winner.mage.name if past.winner else ""}
    title = (_("%(cup)s: won by %(mage)s") if past.winner else _("%(cup)s: won by nobody")) % slots
    return Entry(title, _("The cup is over."), path, cup.closed_at or _EPOCH)


def _describe_cup_duel(duel: CupResult) -> Entry:
    cup = duel.cup
    slots = {
        "cup": name_cup(cup.kind, cup.begins_at),
        "round": name_round(cup.kind, duel.round, cup.size),
        "one": duel.one,
        "other": duel.other,
    }
    if duel.is_draw:
        title = _("%(cup)s, %(round)s: %(one)s and %(other)s drew") % slots
    else:
        title = _("%(cup)s, %(round)s: %(one)s beat %(other)s") % slots
    return Entry(title, _("A duel of a cup."), battle_url(duel.battle), duel.at)


_EPOCH = datetime(2026, 1, 1, tzinfo=timezone.get_default_timezone())


def _list_entries(battles: Sequence[CountedBattle]) -> list[Entry]:
    agreed = name_agreed_draws(battles)
    return [_describe(battle, list(battle.sides.all()), agreed.get(battle.number, "")) for battle in battles]


def _describe(battle: CountedBattle, sides: Iterable[BattleSide], agreed: str) -> Entry:
    """Return the entry of a finished battle, which names its mages; `agreed` is the draw on which they agreed."""
    ordered = sorted(sides, key=lambda side: side.mage.name)
    won = [side.mage.name for side in ordered if side.result == BattleSide.Result.WON]
    others = [side.mage.name for side in ordered if side.result != BattleSide.Result.WON]
    names = {"number": battle.number, "mages": listed(won), "others": listed(others)}
    if won and others:
        duel, melee = _("Duel %(number)s: %(mages)s beat %(others)s"), _("Melee %(number)s: %(mages)s beat %(others)s")
    else:
        names["mages"] = listed(won or others)
        duel, melee = _("Duel %(number)s: a draw of %(mages)s"), _("Melee %(number)s: a draw of %(mages)s")
    turns = ngettext("It ended after %(n)s turn.", "It ended after %(n)s turns.", battle.turns) % {"n": battle.turns}
    if agreed:
        turns = f"{agreed}."
    title = (melee if battle.kind == "melee" else duel) % names
    return Entry(title=title, words=turns, path=battle_url(battle.number), at=battle.finished_at)


def _write(request: HttpRequest, *, title: str, page: str, begun: datetime, entries: Iterable[Entry]) -> str:
    site = settings.FM_SITE_URL
    written = SteadyFeed(
        title=f"{title} · Firetop Mountain",
        link=site + page,
        description="",
        language=get_language(),
        feed_url=site + request.path,
        feed_guid=site + request.path,
        author_name="Firetop Mountain",
        begun=begun,
    )
    for entry in entries:
        written.add_item(
            title=entry.title,
            link=site + entry.path,
            description=entry.words,
            unique_id=site + entry.path,
            pubdate=entry.at,
            updateddate=entry.at,
        )
    text: str = written.writeString("utf-8")
    return text
