"""A user's news: a page of all of it, the panel of the bell, and following a line, which marks it as seen."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.requests import UserRequest
from accounts.selectors.news import list_news
from fm_site.pages.news_lines import NewsLine, describe_news
from notifications.kinds import FOLLOWED, YOU
from notifications.services.news import mark_news_seen

SHOWN_AT_HOME, SHOWN_IN_PANEL, ON_A_PAGE = 5, 6, 50
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
    found = list_news(user.pk, part=part)
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 15:
        last = list_news(user.pk).filter(pk=int(before)).values_list("created_at", flat=True).first()
        if last is not None:
            found = found.filter(created_at__lte=last).exclude(created_at=last, pk__gte=int(before))
    rows = list(found[: most + 1])
    shown = rows[:most]
    return NewsList(describe_news(shown, user, now=now), part, shown[-1].pk if len(rows) > most else 0)


@require_safe
@never_cache
@login_required
def show_news(request: UserRequest) -> HttpResponse:
    """Show all of the reader's news."""
    news = read_news(request, request.user, most=ON_A_PAGE, now=timezone.now())
    return render(request, "news.html", {"news": news})


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
    return HttpResponseRedirect(f"{line.url}#n{pk}" if line.text else line.url)


@require_POST
@never_cache
@login_required
def mark_all_seen(request: UserRequest) -> HttpResponse:
    """Note that the reader has seen all of their news."""
    mark_news_seen(user=request.user)
    return redirect("news")
