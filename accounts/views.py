"""Pages about a user's own mages and account."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import selectors, services
from accounts.adapter import is_own_address
from accounts.errors import (
    CannotBlock,
    InvalidMailPassword,
    InvalidName,
    InvalidPushDevice,
    InvalidVacation,
    RenamedLately,
)
from accounts.forms import (
    BlockForm,
    ChangeNameForm,
    MailPasswordForm,
    PreferencesForm,
    PronounForm,
    RegisterMageForm,
    VacationForm,
    name_refusal,
)
from accounts.models import Mage
from accounts.requests import UserRequest
from fm_site.notifications.preferences import PREFERENCES
from fm_site.notifications.selectors import address_for_notices, preferences_of
from fm_site.notifications.services import set_preference
from fm_site.operations.same_site import refuse_other_sites
from fm_site.operations.selectors import read_policy


@login_required
@require_safe
def list_mages(request: UserRequest) -> HttpResponse:
    """Show the user's mages: the living with their challenge or battle, then the dead."""
    context = {
        "mages": selectors.list_mages_of(request.user),
        "warnings": selectors.list_absence_warnings_of(request.user, now=timezone.now()),
        "dead": selectors.list_dead_mages_of(request.user),
        "pronouns": Mage.Pronoun.choices,
    }
    return render(request, "accounts/mages.html", context)


@login_required
@require_POST
def keep_mage(request: UserRequest, mage_id: int) -> HttpResponse:
    """Confirm that the user wants to keep a mage."""
    mage = services.keep_mage(user=request.user, mage_id=mage_id, now=timezone.now())
    if mage is None:
        raise Http404(_("None of your mages has that name."))
    messages.success(request, _("%(mage)s stays on the mountain.") % {"mage": mage})
    return redirect("accounts:mages")


@login_required
@require_POST
def set_pronoun(request: UserRequest, mage_id: int) -> HttpResponse:
    """Choose how sentences speak of a mage."""
    form = PronounForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest(_("Choose they, she, he or it."))
    mage = services.set_pronoun(user=request.user, mage_id=mage_id, pronoun=Mage.Pronoun(form.cleaned_data["pronoun"]))
    if mage is None:
        raise Http404(_("None of your mages has that name."))
    messages.success(
        request,
        _("From their next battle on, reports refer to %(mage)s as “%(pronoun)s”.")
        % {"mage": mage, "pronoun": mage.get_pronoun_display()},
    )
    return redirect("accounts:mages")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_hold(request: UserRequest) -> HttpResponse:
    """Show the user's warnings and suspension; a POST acknowledges the warnings."""
    if request.method == "POST":
        services.acknowledge_warnings(user=request.user, now=timezone.now())
        return redirect(_next_address(request))
    hold = selectors.read_hold(request.user, timezone.now())
    return render(request, "accounts/hold.html", {"hold": hold, "next": _next_address(request, default="")})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def register_mage(request: UserRequest) -> HttpResponse:
    """Ask for a name and register the mage, then continue to the page the user wanted, or home."""
    form = RegisterMageForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            mage = services.register_mage(
                user=request.user,
                name=form.cleaned_data["name"],
                pronoun=form.cleaned_data["pronoun"],
                now=timezone.now(),
            )
        except InvalidName as error:  # taken between the check and now
            form.add_error("name", name_refusal(error))
        else:
            messages.success(request, _("%(mage)s is registered.") % {"mage": mage})
            return redirect(_next_address(request))
    context = {
        "form": form,
        "first": not selectors.list_mages_of(request.user).exists(),
        "next": _next_address(request, default=""),
        "unverified": "" if address_for_notices(request.user) else request.user.email,
    }
    return render(request, "accounts/register_mage.html", context, status=_status(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_preferences(request: UserRequest) -> HttpResponse:
    """Show and save the theme and preferences."""
    chosen = {"language": request.user.language, "theme": request.user.theme, **preferences_of(request.user)}
    form = PreferencesForm(request.POST or None, chosen=chosen)
    if request.method == "POST" and form.is_valid():
        services.set_theme(user=request.user, theme=form.cleaned_data["theme"])
        services.set_language(user=request.user, language=form.cleaned_data["language"])
        for key in PREFERENCES:
            set_preference(user=request.user, key=key, value=form.cleaned_data[key])
        response = redirect("accounts:preferences")
        if not form.cleaned_data["language"]:
            response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
            request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
        with translation.override(form.cleaned_data["language"] or translation.get_language_from_request(request)):
            messages.success(request, _("Settings saved."))
        return response
    context = {"form": form, "addresses": selectors.list_addresses_of(request.user)}
    return render(request, "accounts/preferences.html", context, status=_status(form))


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
            services.set_language(user=request.user, language=chosen)
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
    return render(request, "accounts/mail_password.html", context, status=_status(form))


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
            name = services.rename_user(user=request.user, name=form.cleaned_data["name"], now=timezone.now())
        except InvalidName as error:
            form.add_error("name", name_refusal(error))
        except RenamedLately as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, _("Your name is now %(name)s.") % {"name": name})
            return redirect("accounts:preferences")
    return render(request, "accounts/change_name.html", {"form": form}, status=_status(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_devices(request: UserRequest) -> HttpResponse:
    """Show the devices that get the user's notifications; a POST adds the browser that it comes from."""
    problem = ""
    if request.method == "POST":
        try:
            services.add_push_device(
                user=request.user,
                session_key=request.session.session_key or "",
                user_agent=request.headers.get("User-Agent", ""),
                now=timezone.now(),
                **{name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")},
            )
        except InvalidPushDevice as error:
            problem = str(error)
        else:
            messages.success(request, _("This device now gets your notifications."))
            return redirect("accounts:devices")
    context = {
        "devices": selectors.list_push_devices(request.user),
        "public_key": services.read_public_push_key(),
        "problem": problem,
    }
    return render(request, "accounts/devices.html", context, status=422 if problem else 200)


@login_required
@require_POST
def remove_device(request: UserRequest, device_id: int) -> HttpResponse:
    """Stop notifying one of the user's devices."""
    if not services.remove_push_device(user=request.user, device_id=device_id):
        raise Http404(_("You have no such device."))
    messages.success(request, _("This device no longer gets notifications."))
    return redirect("accounts:devices")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_blocks(request: UserRequest) -> HttpResponse:
    """Show the users that this user blocks; a POST blocks another and returns to the previous page."""
    form = BlockForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        blocked = form.cleaned_data["name"]
        try:
            services.block_user(user=request.user, blocked=blocked, now=timezone.now())
        except CannotBlock as error:
            form.add_error("name", str(error))
        else:
            messages.success(
                request, _("You and %(name)s can no longer meet in challenges.") % {"name": blocked.username}
            )
            return redirect(_next_address(request, default=reverse("accounts:blocks")))
    context = {"form": form, "blocked": selectors.list_blocked_by(request.user)}
    return render(request, "accounts/blocks.html", context, status=_status(form))


@login_required
@require_POST
def unblock(request: UserRequest) -> HttpResponse:
    """Unblock a user."""
    blocked = selectors.find_user(request.POST.get("name", ""))
    if blocked is None or not services.unblock_user(user=request.user, blocked=blocked):
        raise Http404(_("You haven't blocked anyone with this name."))
    messages.success(request, _("You no longer block %(name)s.") % {"name": blocked.username})
    return redirect(_next_address(request, default=reverse("accounts:blocks")))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def go_on_vacation(request: UserRequest) -> HttpResponse:
    """Show the user's vacation; a POST starts or changes it, and 0 days end it."""
    now = timezone.now()
    form = VacationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data["days"]
        try:
            if days:
                services.start_vacation(user=request.user, days=days, now=now)
            else:
                services.end_vacation(user=request.user, now=now)
        except InvalidVacation as error:
            form.add_error("days", str(error))
        else:
            messages.success(request, _("You are on vacation.") if days else _("Welcome back."))
            return redirect("accounts:vacation")
    context = {
        "form": form,
        "vacation": selectors.find_vacation(request.user, now=now),
        "policy": read_policy(),
    }
    return render(request, "accounts/vacation.html", context, status=_status(form))


def _set_mail_password(request: UserRequest, form: MailPasswordForm) -> bool:
    raw = form.cleaned_data["raw"]
    try:
        services.set_mail_password(user=request.user, raw=raw, now=timezone.now())
    except InvalidMailPassword as error:
        form.add_error("raw", list(error.problems))
        return False
    messages.success(request, _("Mail password saved.") if raw else _("Orders with a mail password are switched off."))
    return True


def _page_before(request: HttpRequest) -> str:
    """Return the page with the form: with its query if the browser names it, else without."""
    before = urlsplit(request.headers.get("Referer", ""))
    address = f"{before.path}?{before.query}" if before.query else before.path
    return (
        address if before.netloc == request.get_host() and is_own_address(address, request) else _next_address(request)
    )


def _next_address(request: HttpRequest, default: str = "/") -> str:
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return wanted if is_own_address(wanted, request) else default


def _status(form: BaseForm) -> int:
    return 422 if form.is_bound and form.errors else 200
