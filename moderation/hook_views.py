"""The hooks of the site: janitors add and remove them, with entries in the journal."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.hook_pages import HookPlace, show_hook, show_hooks
from accounts.janitors import is_janitor
from accounts.models import User
from accounts.reauthentication import prove_before_posting
from accounts.requests import user_of
from moderation.services.site_hooks import note_site_hook
from notifications.models import Hook


@never_cache
@sensitive_post_parameters("url", "token")
@require_http_methods(["GET", "HEAD", "POST"])
@prove_before_posting
def edit_site_hooks(request: HttpRequest) -> HttpResponse:
    return show_hooks(request, _find_place(user_of(request)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_site_hook(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Show, change, test, retry or remove one of the site's hooks."""
    return show_hook(request, _find_place(user_of(request)), hook_id)


def _find_place(janitor: User) -> HookPlace:
    """Return where the site's hooks are. Raises PermissionDenied."""
    if not is_janitor(janitor):
        raise PermissionDenied
    return HookPlace(
        scope=Hook.Scope.SITE,
        user=janitor,
        page=reverse("site_hooks"),
        address=lambda hook_id: reverse("site_hook", args=[hook_id]),
        title=_("Hooks of the site"),
        lead=_(
            "A hook of the site tells a chat or a program what everyone may know: battles between people that begin "
            "and end, and announcements. Each change is in the journal."
        ),
        parent=(reverse("desk"), _("Desk")),
        asks_reason=True,
        note=lambda what, hook, reason: note_site_hook(
            what=what, hook=hook, by=janitor, reason=reason, now=timezone.now()
        ),
    )
