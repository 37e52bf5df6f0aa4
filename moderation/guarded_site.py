"""Access to the desk and Django's admin: the site's login plus a second factor."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.options import TO_FIELD_VAR
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from accounts.reauthentication import has_proven_second_factor, has_second_factor
from accounts.requests import is_own_address

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class GuardedSite(admin.AdminSite):
    """Django's admin for janitors who have proven a second factor in this session."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_proven_second_factor(request)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            # Django looks up a field by this name and fails if it is blank.
            if "" in (request.GET.get(TO_FIELD_VAR), request.POST.get(TO_FIELD_VAR)):
                raise BadRequest("The name of a field is missing.")
            return guarded(request, *args, **kwargs)

        return cast(View, checked)

    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        """Redirect to the missing step. There is no login form here, so that guesses are counted in one place."""
        return redirect_to_login(request)


@never_cache
def redirect_to_login(request: HttpRequest) -> HttpResponse:
    """Send strangers to the login, and janitors to their second factor and then to the desk."""
    wanted = request.GET.get("next", "")
    wanted = wanted if is_own_address(wanted, request) else reverse("desk")
    following = urlencode({"next": wanted})
    user = request.user
    if not user.is_authenticated:
        return redirect(f"{reverse('account_login')}?{following}")
    if not user.is_staff or not user.is_active:
        return render(request, "403.html", status=403)
    if not has_second_factor(request):
        return render(request, "admin/second_factor.html", status=403)
    if not has_proven_second_factor(request):
        return redirect(f"{reverse('mfa_reauthenticate')}?{following}")
    return redirect(wanted)
