"""The pages of hooks, the same for a user's own, for a battle's and for the site's: a list with a form to add one, and
a page for each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.forms import ChangeHookForm, HookForm
from accounts.models import User
from accounts.reauthentication import has_proven_lately
from accounts.selectors.programs import list_hook_posts
from notifications.errors import InvalidHook, NotificationRefused
from notifications.models import Hook
from notifications.services.hooks import MOST_HOOKS, add_hook, change_hook, remove_hook, retry_hook, send_test
from operations.text.suggestions import suggest
from operations.web.numbers import parse_number


@dataclass(frozen=True)
class HookPlace:
    """Whose hooks a page shows, and where its pages are. `note` is told what a user has done, in the same transaction:
    "add", "change" or "remove", with the hook and the reason, if the page `asks_reason`."""

    scope: str
    page: str
    title: str
    lead: str
    address: Callable[[int], str]
    user: User
    battle: int | None = None
    parent: tuple[str, str] = ("", "")
    # Nothing can be added any more.
    is_closed: bool = False
    asks_reason: bool = False
    note: Callable[[str, Hook, str], None] = lambda _what, _hook, _reason: None

    def list_hooks(self) -> list[Hook]:
        hooks = Hook.objects.filter(scope=self.scope, battle=self.battle).select_related("user")
        if self.scope == Hook.Scope.USER:
            hooks = hooks.filter(user=self.user)
        return list(hooks.order_by("created_at", "pk"))

    def get_hook(self, hook_id: int) -> Hook:
        """Return one of these hooks. Raises Http404."""
        for hook in self.list_hooks():
            if hook.pk == hook_id:
                return hook
        raise Http404(_("There is no such hook here."))


def show_hooks(request: HttpRequest, place: HookPlace) -> HttpResponse:
    """Show these hooks; a POST after recent proof of identity adds one and shows once what is secret."""
    is_posted = request.method == "POST" and not place.is_closed
    form = HookForm(request.POST if is_posted else None, scope=place.scope, asks_reason=place.asks_reason)
    added: dict[str, Any] = {}
    if is_posted and form.is_valid():
        if has_proven_lately(request):
            added = _add(place, form)
        else:
            form.add_error(None, _("You logged in a while ago. Log out and in again, then add the hook."))
    if added:
        form = HookForm(scope=place.scope, asks_reason=place.asks_reason)
    hooks = place.list_hooks()
    context = {
        "place": place,
        "form": form,
        "hooks": [(hook, place.address(hook.pk)) for hook in hooks],
        "is_full": len(hooks) >= MOST_HOOKS,
        "most": MOST_HOOKS,
        "added": added,
    }
    return render(request, "accounts/hooks.html", context, status=422 if form.errors else 200)


def _add(place: HookPlace, form: HookForm) -> dict[str, Any]:
    """Add the hook of this form and return what the page shows of it once; nothing if the form has errors now."""
    chosen = form.cleaned_data
    try:
        with transaction.atomic():
            hook, secret = add_hook(
                user=place.user,
                scope=place.scope,
                battle=place.battle,
                form=chosen["format"],
                name=chosen["name"],
                url=chosen["url"],
                token=chosen["token"],
                room=chosen["room"],
                events=chosen["events"],
                now=timezone.now(),
            )
            place.note("add", hook, chosen.get("reason", ""))
    except InvalidHook as error:
        form.add_error(error.field, suggest(str(error), error.nearest))
        return {}
    except NotificationRefused as error:
        form.add_error(None, str(error))
        return {}
    return {"hook": hook, "url": chosen["url"], "secret": secret}


def show_hook(request: HttpRequest, place: HookPlace, hook_id: int) -> HttpResponse:
    """Show one hook and what was sent to it; a POST changes, tests, retries or removes it (`act`)."""
    hook = place.get_hook(hook_id)
    act = request.POST.get("act", "")
    form = ChangeHookForm(
        request.POST if request.method == "POST" and act == "save" else None,
        scope=place.scope,
        asks_reason=place.asks_reason,
        initial={"name": hook.name, "events": hook.events},
    )
    if request.method == "POST" and act != "save":
        return _act(request, place, hook, act)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                change_hook(hook=hook, name=form.cleaned_data["name"], events=form.cleaned_data["events"])
                place.note("change", hook, form.cleaned_data.get("reason", ""))
        except NotificationRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Saved."))
            return redirect(place.address(hook.pk))
    context = {
        "place": place,
        "hook": hook,
        "address": place.address(hook.pk),
        "form": form,
        "posts": list_hook_posts(hook),
    }
    return render(request, "accounts/hook.html", context, status=422 if form.errors else 200)


def _act(request: HttpRequest, place: HookPlace, hook: Hook, act: str) -> HttpResponse:
    now, post = timezone.now(), request.POST.get("post", "")
    reason = request.POST.get("reason", "").strip()[:200]
    if act == "remove" and place.asks_reason and not reason:
        messages.error(request, _("Enter a reason."))
        return redirect(place.address(hook.pk))
    if act == "remove":
        with transaction.atomic():
            remove_hook(hook=hook)
            place.note("remove", hook, reason)
        messages.success(request, _("Hook removed."))
        return redirect(place.page)
    if act == "test":
        send_test(hook=hook, now=now)
        messages.success(request, _("We are sending a test to %(hook)s.") % {"hook": hook.name})
    elif act == "retry" and retry_hook(hook=hook, now=now, delivery_id=parse_number(post)):
        if not post:
            send_test(hook=hook, now=now)
        messages.success(request, _("We are calling %(hook)s again.") % {"hook": hook.name})
    else:
        raise Http404(_("There is nothing like that to send."))
    return redirect(place.address(hook.pk) if post else place.page)
