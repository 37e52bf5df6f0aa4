"""Pages for users' own hooks."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.hook_pages import HookPlace, show_hook, show_hooks
from accounts.models import User
from accounts.reauthentication import prove_before_posting
from accounts.requests import UserRequest
from notifications.models import Hook


@login_required
@never_cache
@sensitive_post_parameters("url", "token")
@require_http_methods(["GET", "HEAD", "POST"])
@prove_before_posting
def edit_hooks(request: UserRequest) -> HttpResponse:
    return show_hooks(request, _own_place(request.user))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_hook(request: UserRequest, hook_id: int) -> HttpResponse:
    """Show, change, test, retry or remove one of the user's hooks."""
    return show_hook(request, _own_place(request.user), hook_id)


def _own_place(user: User) -> HookPlace:
    return HookPlace(
        scope=Hook.Scope.USER,
        user=user,
        page=reverse("accounts:hooks"),
        address=lambda hook_id: reverse("accounts:hook", args=[hook_id]),
        title=_("Hooks"),
        lead=_(
            "A hook tells a chat, a phone or a program what happens in your battles. It names the battle and who it "
            "waits for, and nothing that others cannot see."
        ),
        parent=(reverse("accounts:notices"), _("Notifications")),
    )
