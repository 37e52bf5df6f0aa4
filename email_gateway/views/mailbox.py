"""The page that stops emails, for anyone who has one; and the local mailbox: emails that this site would have sent,
only with DEBUG and only on this machine."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from csp.decorators import csp_replace, csp_update
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import UserRequest
from email_gateway.arms import embed_arms
from email_gateway.commands.new_users import confirm_newuser, read_confirm_token
from email_gateway.compose.parts import read_stop_token, stop_mails
from email_gateway.deliver.bounces import resume_email
from email_gateway.errors import OrderRejected
from email_gateway.mailbox_access import is_mailbox_open
from email_gateway.selectors import OpenedMail, find_local_mail, find_requested_name, list_local_mails

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
MailView = Callable[[HttpRequest, int], HttpResponse]
# django-csp types a view as taking only the request.
Guard = Callable[[MailView], MailView]


ABOUT = {
    "mail_turns": gettext_lazy("your battles"),
    "mail_ends": gettext_lazy("battles that begin or end"),
    "mail_challenges": gettext_lazy("new challenges to your mages"),
    "mail_seats": gettext_lazy("mages who join or leave your challenges"),
    "mail_changes": gettext_lazy("changes to your challenges"),
    "mail_messages": gettext_lazy("messages from other players"),
    "mail_league": gettext_lazy("your league and cups"),
    "mail_reminders": gettext_lazy("the end of a vacation"),
    "mail_news": gettext_lazy("announcements by the janitors"),
    "mail_puzzles": gettext_lazy("puzzles from your own battles"),
    "mail_daily": gettext_lazy("the puzzle of the day"),
    "mail_streaks": gettext_lazy("the end of a puzzle streak"),
    "mail_talk": gettext_lazy("the talk in the lobby"),
    "mail_unconfirmed": gettext_lazy("battles, before you confirm this address"),
}


@csrf_exempt  # mail providers post here for their users, without showing one of our pages first (RFC 8058)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to stop a kind of email; a POST stops it. A GET never does, because programs follow links."""
    stopped = read_stop_token(token)
    user = User.objects.filter(pk=stopped[0], is_active=True).first() if stopped else None
    if stopped is None or user is None:
        raise Http404
    what = stopped[1]
    about = ABOUT.get(what) or _("battle %(number)s") % {"number": what.partition(".")[2]}
    if request.method == "POST":
        stop_mails(user=user, what=what)
    context = {"name": user.username, "about": about, "stopped": request.method == "POST"}
    return render(request, "email_gateway/stop.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for confirmation of a NEWUSER; a POST creates the user. A GET never does."""
    number = read_confirm_token(token)
    name = find_requested_name(request_id=number) if number is not None else None
    if number is None or name is None:
        raise Http404
    context: dict[str, object] = {"name": name, "problem": "", "user_made": None}
    if request.method == "POST":
        try:
            context["user_made"] = confirm_newuser(request_id=number, now=timezone.now())[0]
        except OrderRejected as error:
            context["problem"] = error.reason
    return render(request, "email_gateway/confirm.html", context)


@login_required
@require_POST
def mail_again(request: UserRequest) -> HttpResponse:
    """Send email again to a user to whom it was stopped, as they ask."""
    resume_email(user=request.user, now=timezone.now())
    messages.success(request, _("We're emailing you again. If an email bounces, you'll see it here."))
    return redirect("account_email")


def only_at_home(view: View) -> View:
    """Answer 404 to everyone who may not read the local mailbox."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not is_mailbox_open(request):
            raise Http404
        return view(request, *args, **kwargs)

    return cast(View, guarded)


@require_safe
@never_cache
@only_at_home
def show_mailbox(request: HttpRequest) -> HttpResponse:
    """Show the newest emails; ?to= selects those to an address."""
    mails = list_local_mails(to=request.GET.get("to", ""))
    return render(request, "email_gateway/mailbox.html", {"mails": mails, "to": request.GET.get("to", "")})


@require_safe
@never_cache
@only_at_home
@cast(Guard, csp_update({"frame-src": ["'self'"]}))
def show_mail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one email: its text, and its HTML part in a frame."""
    return render(request, "email_gateway/mail.html", {"mail": fetch(pk)})


@require_safe
@never_cache
@only_at_home
@xframe_options_sameorigin
@cast(
    Guard,
    csp_replace(
        {
            "default-src": ["'none'"],
            "script-src": ["'none'"],
            "style-src": ["'unsafe-inline'"],
            "img-src": ["data:"],
            "frame-ancestors": ["'self'"],
            "sandbox": ["allow-popups", "allow-popups-to-escape-sandbox"],
        }
    ),
)
def show_mail_html(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the HTML part as a mail program would: with its own styles, without scripts or external content."""
    return HttpResponse(embed_arms(fetch(pk).html) or "<p>This mail has no HTML part.</p>")


@require_safe
@never_cache
@only_at_home
def show_mail_source(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the email as it would have been sent, with its headers."""
    return HttpResponse(fetch(pk).source, content_type="text/plain; charset=utf-8")


def fetch(pk: int) -> OpenedMail:
    mail = find_local_mail(pk=pk)
    if mail is None:
        raise Http404
    return mail
