"""A user's news: a page of all of it, the panel of the bell, and following a line, which marks it as seen."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.requests import UserRequest
from accounts.selectors.news import list_news, list_news_page
from challenges.selectors.fitting import FittingDuel, list_fitting_duels
from challenges.selectors.lists import list_challenges_involving
from challenges.selectors.state import count_missing_votes
from challenges.shown import ShownChallenge
from duels.names import listed
from duels.selectors.battle_lists import ShownBattle, list_battles_waiting_for
from fm_site.notices.news_lines import NewsLine, describe_news
from notifications.kinds import FOLLOWED, YOU
from notifications.preferences import NEVER
from notifications.selectors.notices import preferences_of
from notifications.services.news import mark_news_seen
from operations.web.numbers import read_number

SHOWN_AT_HOME, SHOWN_IN_PANEL, LEAST_IN_PANEL, ON_A_PAGE = 5, 6, 3, 50
MOST_FITTING = 3
# What the tabs are called, by the part of the news that they show.
TABS = (("", gettext_lazy("Everything")), (YOU, gettext_lazy("You")), (FOLLOWED, gettext_lazy("Followed")))


@dataclass(frozen=True)
class NewsList:
    """Some lines of the reader's news, the newest first, of the `part` they chose. `older` is the line that the next
    page begins after, 0 if there are no more."""

    lines: list[NewsLine]
    part: str = ""
    older: int = 0
    tabs: tuple[tuple[str, object], ...] = TABS


def read_news(request: HttpRequest, user: User, *, most: int, now: datetime) -> NewsList:
    """Return the reader's newest news, or those that their page asks for."""
    part = request.GET.get("news", "")
    part = part if part in (YOU, FOLLOWED) else ""
    shown, is_more = list_news_page(user.pk, part=part, before=read_number(request, "before"), most=most)
    return NewsList(describe_news(shown, user, now=now), part, shown[-1].pk if is_more else 0)


def list_fitting(user: User, *, now: datetime) -> list[FittingDuel]:
    """Return the open duels that fit the user, the best first, unless they want to hear of none."""
    if user.is_guest or preferences_of(user)["page_seeks"] == NEVER:
        return []
    return list_fitting_duels(user, today=now.date())


@require_safe
@never_cache
@login_required
def show_news(request: UserRequest) -> HttpResponse:
    now = timezone.now()
    news = read_news(request, request.user, most=ON_A_PAGE, now=now)
    is_first = not news.part and "before" not in request.GET
    fitting = list_fitting(request.user, now=now)[:MOST_FITTING] if is_first else []
    return render(request, "news.html", {"nav_current": "news", "news": news, "fitting": fitting})


@dataclass(frozen=True)
class WaitingLine:
    """Something that waits for the reader. `until` is the end of their time, if there is one."""

    words: str
    url: str
    arms: str = ""
    until: datetime | None = None


def list_waiting(user: User) -> list[WaitingLine]:
    """Return what waits for the user: battles in order of the time left, then challenges, then votes."""
    involved = list_challenges_involving(user=user)
    votes = count_missing_votes(user=user) if involved.taken_part_in else {}
    return [
        *(_describe_battle(row) for row in list_battles_waiting_for(user)),
        *(_describe_challenge(row) for row in involved.waiting),
        *(
            WaitingLine(
                ngettext(
                    "%(count)s proposal in challenge %(number)s is waiting for your vote.",
                    "%(count)s proposals in challenge %(number)s are waiting for your vote.",
                    count,
                )
                % {"count": count, "number": number},
                reverse("challenges:detail", args=[number]),
            )
            for number, count in votes.items()
        ),
    ]


def _describe_battle(row: ShownBattle) -> WaitingLine:
    words = _("%(battle)s, turn %(turn)s.") % {"battle": row.battle, "turn": row.label}
    pairs = list(zip(row.mages, row.arms, strict=False))
    shown = [arms for name, arms in pairs if (name in row.mine) == (len(row.mages) > 2)]
    until = row.deadline if row.battle.is_timed else None
    return WaitingLine(words, reverse("duels:battle", args=[row.number]), shown[0] if shown else "", until)


def _describe_challenge(row: ShownChallenge) -> WaitingLine:
    slots = {"mage": row.challenger, "mages": listed(row.seating.invited)}
    words = _("%(mage)s challenges %(mages)s to a duel.") if row.seating.is_duel else _("%(mage)s invites %(mages)s.")
    return WaitingLine(words % slots, reverse("challenges:detail", args=[row.number]), row.arms)


@require_safe
@never_cache
@login_required
def show_panel(request: UserRequest) -> HttpResponse:
    """Show the panel of the bell, a piece of a page: what waits, and the newest news. It marks nothing as seen."""
    waiting = list_waiting(request.user)
    news = read_news(request, request.user, most=max(SHOWN_IN_PANEL - len(waiting), LEAST_IN_PANEL), now=timezone.now())
    return render(request, "bell_panel.html", {"waiting": waiting[:SHOWN_IN_PANEL], "news": news})


@require_safe
@never_cache
@login_required
def follow_line(request: UserRequest, pk: int) -> HttpResponse:
    """Note that the reader has seen a line of their news, and lead to its page."""
    notice = list_news(request.user.pk).filter(pk=pk).first()
    lines = describe_news([notice], request.user, now=timezone.now()) if notice else []
    if not lines:
        raise Http404(_("This is no longer in your news."))
    if request.method == "GET":
        mark_news_seen(user=request.user, lines=[pk])
    line = lines[0]
    return HttpResponseRedirect(f"{line.url}#n{pk}" if line.url == reverse("news") else line.url)


@require_POST
@never_cache
@login_required
def mark_all_seen(request: UserRequest) -> HttpResponse:
    mark_news_seen(user=request.user)
    return redirect("news")
