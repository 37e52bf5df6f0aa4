"""The pages of the league: all groups, one group, past seasons, the hall of fame. Open to everyone."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from league.rules.groups import count_movers
from league.selectors.group_page import read_group_page
from league.selectors.overview import (
    find_group,
    find_season,
    list_groups,
    list_most_titles,
    list_titles,
    read_overview,
)
from league.selectors.seasons import list_past_seasons
from league.words import explain_movement

NAV = {"nav_current": "ladder"}


def find_reader(request: HttpRequest) -> User | None:
    """Return the user who reads the page; None for a stranger."""
    return request.user if isinstance(request.user, User) else None


@require_safe
def show_overview(request: HttpRequest) -> HttpResponse:
    """Show the season that runs or comes next with all its leagues, how to sign up, and the last seasons."""
    overview = read_overview(reader=find_reader(request), now=timezone.now())
    return render(request, "league/overview.html", NAV | {"league": overview})


@require_safe
def show_season(request: HttpRequest, number: int) -> HttpResponse:
    """Show all leagues of a season, also long after it ended."""
    season = find_season(number)
    if season is None:
        raise Http404(_("There is no season %(number)s of the league.") % {"number": number})
    context = {"season": season, "groups": list_groups(season, find_reader(request))}
    return render(request, "league/season.html", NAV | context)


@require_safe
def show_group(request: HttpRequest, number: int, tier: int) -> HttpResponse:
    """Show the table of a league, every result, and the reader's own duels there."""
    group = find_group(number, tier)
    if group is None:
        raise Http404(_("There is no League %(tier)s in season %(number)s.") % {"tier": tier, "number": number})
    page = read_group_page(group=group, reader=find_reader(request), now=timezone.now())
    words = explain_movement(tier, page.tiers, count_movers(len(page.lines)))
    context = {"page": page, "season": group.season, "tier": tier, "movers": words}
    return render(request, "league/group.html", NAV | context)


@require_safe
def show_hall(request: HttpRequest) -> HttpResponse:
    """Show the champions of all seasons, and who won most often."""
    context = {"titles": list_titles(list_past_seasons(), find_reader(request)), "holders": list_most_titles()}
    return render(request, "league/hall.html", NAV | context)
