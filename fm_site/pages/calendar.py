"""A user's deadlines for their calendar program, by a secret link. The page knows no visitor
(fm_site.serving.without_visitor): the secret says whose it is."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.languages import in_language_of
from accounts.services.calendar_links import find_calendar_user
from duels.board.links import battle_url
from duels.selectors.battle_lists import list_own_deadlines
from operations.text.icalendar import Moment, write_calendar


@require_safe
def show_calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """Send the deadlines of the user whose link this is."""
    user = find_calendar_user(secret=secret)
    if user is None:
        raise Http404(_("This link is wrong, or a newer one has replaced it."))
    site = settings.FM_SITE_URL
    # To the hour, so that nothing changes between two visits but the deadlines.
    stamp = timezone.now().replace(minute=0, second=0, microsecond=0)
    with in_language_of(user):
        written = write_calendar(
            name=_("Firetop Mountain: your deadlines"),
            moments=[
                Moment(
                    uid=f"battle-{row.number}-{row.mage}@{urlsplit(site).hostname}",
                    at=row.at,
                    summary=_("%(battle)s: orders for %(mage)s are due") % {"battle": row, "mage": row.mage},
                    url=site + battle_url(row.number),
                )
                for row in list_own_deadlines(user)
            ],
            stamp=stamp,
        )
    response = HttpResponse(written.encode(), content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'inline; filename="firetop.ics"'
    response.headers["Referrer-Policy"] = "no-referrer"
    patch_cache_control(response, private=True)
    return response
