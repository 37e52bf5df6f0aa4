"""The operator's pages: imprint, terms, minimum age, accessibility, illegal content, and their part of privacy."""

import re
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.selectors.names import find_owner
from duels.errors import BattleNotFound
from duels.selectors.viewer import find_battle
from moderation.errors import ModerationRefused
from moderation.services.reports import LONGEST, LONGEST_NAME, LONGEST_PLACE, make_strangers_report
from operations.errors import TooManyAttempts
from operations.models import SitePage
from operations.selectors import find_site_page
from operations.site_page_drafts import MISSING
from operations.text.markdown import render_markdown
from operations.web.client_address import client_address
from operations.web.throttle import Throttle


@dataclass(frozen=True)
class PageText:
    """What the operator wrote, in which language, and when it was last changed."""

    html: SafeString
    language: str
    saved_at: datetime


def read_page_text(name: str) -> PageText | None:
    """Return the operator's page for a reader of the language of the moment."""
    page = find_site_page(name, get_language() or "")
    if page is None:
        return None
    text = page.text.replace(MISSING, "*" + gettext("not filled in yet") + "*")
    return PageText(render_markdown(text), page.language, page.saved_at)


# Reports of strangers, of one network address and of all together.
REPORTS = Throttle("strangers-reports", limit=5, seconds=3600)
ALL_REPORTS = Throttle("all-strangers-reports", limit=60, seconds=3600)
PLACE = re.compile(r"/(?:(?:users|mages)/(?P<name>[^/]+)|battles/(?P<number>[0-9]{1,12}))(?:/|$)")


class StrangersReportForm(forms.Form):
    """A report of illegal content by someone without an account."""

    where = forms.CharField(label=_("Address of the page, or a name"), max_length=LONGEST_PLACE)
    text = forms.CharField(label=_("Why is it illegal?"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 6}))
    name = forms.CharField(
        label=_("Your name"), max_length=LONGEST_NAME, required=False, widget=forms.TextInput({"autocomplete": "name"})
    )
    email = forms.EmailField(
        label=_("Your email address"),
        required=False,
        help_text=_("For a receipt and our answer; then we delete it and your name."),
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    faith = forms.BooleanField(label=_("I believe in good faith that this is correct and complete."))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_illegal_content(request: HttpRequest) -> HttpResponse:
    """Show the contact for illegal content; strangers report here, users as they report everything."""
    if request.method == "POST" and request.user.is_authenticated:
        return redirect("new_report")
    form = None if request.user.is_authenticated else StrangersReportForm(request.POST or None)
    if form is not None and request.method == "POST" and form.is_valid():
        try:
            REPORTS.check_and_count(client_address(request))
            ALL_REPORTS.check_and_count("all")
            report = make_strangers_report(
                where=form.cleaned_data["where"],
                text=form.cleaned_data["text"],
                name=form.cleaned_data["name"],
                email=form.cleaned_data["email"].lower(),
                language=get_language() or "",
                about=_find_subject(form.cleaned_data["where"]),
                now=timezone.now(),
            )
        except (TooManyAttempts, ModerationRefused) as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, gettext("Report %(number)s sent to the janitors.") % {"number": report.pk})
            return redirect("illegal_content")
    context = {
        "name": SitePage.Name.ILLEGAL.value,
        "title": SitePage.Name.ILLEGAL.label,
        "page": read_page_text(SitePage.Name.ILLEGAL),
        "form": form,
    }
    return render(request, "site_page.html", context, status=422 if form and form.errors else 200)


def _find_subject(where: str) -> tuple[User | None, int | None]:
    """Return the user or the number of the battle that an address or a name leads to, as (user, number)."""
    found = PLACE.search(unquote(where))
    number = found and found["number"]
    if number:
        try:
            return None, find_battle(number=int(number)).number
        except BattleNotFound:
            return None, None
    return find_owner(found["name"] if found else where.strip()), None


@require_safe
def show_site_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the operator's pages; or, as not found, that they have not written it."""
    page = read_page_text(name)
    context = {"name": name, "title": SitePage.Name(name).label, "page": page}
    return render(request, "site_page.html", context, status=200 if page else 404)
