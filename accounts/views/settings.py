"""Pages about a user's settings: language, preferences, name, mail password and devices."""

from typing import cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import AccountRefused, InvalidMailPassword, InvalidName
from accounts.forms import AboutForm, ChangeNameForm, MailPasswordForm, NoticesForm, PreferencesForm, name_refusal
from accounts.models import User
from accounts.push_cookie import name_browser, read_browser
from accounts.requests import UserRequest, is_own_address, next_address
from accounts.selectors.programs import list_push_devices
from accounts.selectors.users import list_addresses_of
from accounts.selectors.without_push import explain_without_push
from accounts.services.mail_passwords import set_mail_password
from accounts.services.push_devices import (
    add_push_device,
    read_public_push_key,
    remove_push_device,
    renew_push_device,
)
from accounts.services.rename import rename_user
from accounts.services.users import set_about, set_language, set_theme
from accounts.sessions import hash_session_key
from notifications.errors import InvalidHook
from notifications.matrix import PRESETS, choose_preset, find_preset
from notifications.preferences import NEVER
from notifications.selectors.hooks import list_own_hooks
from notifications.selectors.notices import preferences_of
from notifications.services.preferences import choose_notices, set_preference
from operations.web.same_site import refuse_other_sites


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_preferences(request: UserRequest) -> HttpResponse:
    """Show and save the theme and preferences."""
    chosen = {"language": request.user.language, "theme": request.user.theme, **preferences_of(request.user)}
    form = PreferencesForm(request.POST or None, chosen=chosen)
    if request.method == "POST" and form.is_valid():
        set_theme(user=request.user, theme=form.cleaned_data["theme"])
        set_language(user=request.user, language=form.cleaned_data["language"])
        for key in form.preferences:
            set_preference(user=request.user, key=key, value=form.cleaned_data[key])
        response = redirect("accounts:preferences")
        if not form.cleaned_data["language"]:
            response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
            request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
        with translation.override(form.cleaned_data["language"] or translation.get_language_from_request(request)):
            messages.success(request, _("Settings saved."))
        return response
    context = {"form": form, "daily_puzzle": {chosen["mail_daily"], chosen["push_daily"]} != {NEVER}}
    return render(request, "accounts/preferences.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_about(request: UserRequest) -> HttpResponse:
    """Ask what the user says about themselves on their page, and save it."""
    form = AboutForm(request.POST if request.method == "POST" else None, initial={"text": request.user.about})
    if request.method == "POST" and form.is_valid():
        try:
            set_about(user=request.user, text=form.cleaned_data["text"])
        except AccountRefused as error:
            form.add_error("text", str(error))
        else:
            messages.success(request, _("Saved."))
            return redirect("user", request.user.username)
    return render(request, "accounts/about.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_notices(request: UserRequest) -> HttpResponse:
    """Show and save everything about notices: their kinds and channels, devices, sounds, quiet hours. A `preset` makes
    all choices of the matrix at once; with `at_once` a script asks, for each change."""
    chosen = preferences_of(request.user)
    preset = request.POST.get("preset", "")
    if preset in PRESETS:
        choose_notices(user=request.user, wanted=choose_preset(preset, chosen))
        return redirect("accounts:notices")
    form = NoticesForm(request.POST or None, chosen=chosen)
    is_script = "at_once" in request.POST
    if request.method == "POST" and form.is_valid():
        choose_notices(user=request.user, wanted=form.list_choices())
        if is_script:
            return JsonResponse({"preset": find_preset(preferences_of(request.user))})
        messages.success(request, _("Settings saved."))
        return redirect("accounts:notices")
    if is_script:
        problems = [str(problem) for each in form.errors.values() for problem in each]
        return JsonResponse({"problem": " ".join(problems)}, status=422)
    return _show_notices(request, form, status=422 if form.errors else 200)


def _show_notices(request: UserRequest, form: NoticesForm, *, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "addresses": list_addresses_of(request.user),
        "devices": list_push_devices(request.user),
        "hooks": [(hook, reverse("accounts:hook", args=[hook.pk])) for hook in list_own_hooks(request.user)],
        "without_push": explain_without_push(request.user),
        "problem": problem,
        "preset": find_preset(preferences_of(request.user)),
    }
    return render(request, "accounts/notices.html", context, status=status)


@csrf_exempt  # so that visitors get no cookie before they choose; refuse_other_sites replaces it
@never_cache
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember a language for this browser, and for the user if they are logged in; then return to the page."""
    refuse_other_sites(request)
    chosen = request.POST.get("language", "")
    response = HttpResponseRedirect(_page_before(request))
    if chosen in dict(settings.LANGUAGES):
        if request.user.is_authenticated:
            set_language(user=request.user, language=chosen)
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
        )
    return response


@login_required
@never_cache
@sensitive_post_parameters("raw")
@require_http_methods(["GET", "HEAD", "POST"])
def edit_mail_password(request: UserRequest) -> HttpResponse:
    """Set the mail password; an empty one switches it off."""
    form = MailPasswordForm(request.POST or None)
    if request.method == "POST":
        # An empty post must be a bound form too: it switches the password off.
        form = MailPasswordForm(request.POST)
        if form.is_valid() and _set_mail_password(request, form):
            return redirect("accounts:mail_password")
    context = {"form": form, "is_on": bool(request.user.mail_password)}
    return render(request, "accounts/mail_password.html", context, status=422 if form.errors else 200)


def _set_mail_password(request: UserRequest, form: MailPasswordForm) -> bool:
    raw = form.cleaned_data["raw"]
    try:
        set_mail_password(user=request.user, raw=raw, now=timezone.now())
    except InvalidMailPassword as error:
        form.add_error("raw", list(error.problems))
        return False
    messages.success(request, _("Mail password saved.") if raw else _("Orders with a mail password are switched off."))
    return True


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_name(request: UserRequest) -> HttpResponse:
    """Change the user's name, at most once every 30 days."""
    form = ChangeNameForm(request.POST if request.method == "POST" else None)
    if request.user.is_guest:
        return redirect("keep")
    if request.method == "POST" and form.is_valid():
        try:
            name = rename_user(user=request.user, name=form.cleaned_data["name"], now=timezone.now())
        except InvalidName as error:
            form.add_error("name", name_refusal(error))
        except AccountRefused as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, _("Your name is now %(name)s.") % {"name": name})
            return redirect("accounts:preferences")
    return render(request, "accounts/change_name.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_devices(request: UserRequest) -> HttpResponse:
    """Lead to the page of notices; a POST adds the browser that it comes from."""
    response = redirect("accounts:notices")
    if request.method == "POST":
        try:
            _add_this_device(request, response)
        except (AccountRefused, InvalidHook) as error:
            form = NoticesForm(chosen=preferences_of(request.user))
            return _show_notices(request, form, problem=str(error), status=422)
        messages.success(request, _("This device now gets your notifications."))
    return response


def _add_this_device(request: UserRequest, response: HttpResponse) -> None:
    add_push_device(
        user=request.user,
        session_key=hash_session_key(request.session.session_key or ""),
        browser=name_browser(request, response),
        user_agent=request.headers.get("User-Agent", ""),
        now=timezone.now(),
        **_read_subscription(request),
    )


def _read_subscription(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}


@csrf_exempt  # a service worker has no token; refuse_other_sites replaces it
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_this_device(request: HttpRequest) -> HttpResponse:
    """Tell a script whether the browser whose subscription has the hash `mark` rings for the reader, and the site's
    key. A POST turns it on; with `renew`, its service worker replaces the subscription of a browser that already
    rings, even while nobody is logged in. The answer doesn't say whether there was one."""
    user = request.user if isinstance(request.user, User) else None
    if request.method != "POST":
        marks = {device.endpoint_hash for device in list_push_devices(user) if not device.stopped_at} if user else ()
        return JsonResponse({"on": request.GET.get("mark", "") in marks, "key": read_public_push_key()})
    refuse_other_sites(request)
    response = HttpResponse(status=204)
    try:
        if "renew" in request.POST:
            browser = read_browser(request)
            renew_push_device(browser=browser, user=user, **_read_subscription(request))
        elif user is None:
            raise PermissionDenied(_("Log in to get notifications."))
        else:
            _add_this_device(cast("UserRequest", request), response)
    except (AccountRefused, InvalidHook) as error:
        return HttpResponse(str(error), content_type="text/plain; charset=utf-8", status=422)
    return response


@login_required
@require_POST
def remove_device(request: UserRequest, device_id: int) -> HttpResponse:
    if not remove_push_device(user=request.user, device_id=device_id):
        raise Http404(_("You have no such device."))
    messages.success(request, _("This device no longer gets notifications."))
    return redirect("accounts:notices")


def _page_before(request: HttpRequest) -> str:
    """Return the page with the form: with its query if the browser names it, else without."""
    before = urlsplit(request.headers.get("Referer", ""))
    address = f"{before.path}?{before.query}" if before.query else before.path
    return (
        address if before.netloc == request.get_host() and is_own_address(address, request) else next_address(request)
    )
