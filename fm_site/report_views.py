"""Reports to the janitors: making one, and what became of mine. Here, as a report names users and battles."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.errors import CannotReport
from accounts.models import User
from accounts.selectors import find_nearest_name, find_owner, list_reports_by
from accounts.services import make_report
from duels.errors import BattleNotFound
from duels.selectors import find_battle
from fm_site.operations.nearest import suggest

LONGEST_NUMBER = 12


class ReportForm(forms.Form):
    """What a report is about, and what happened. `cleaned_data["about"]` becomes (user or None, battle or None)."""

    about = forms.CharField(
        label="User, mage or battle",
        max_length=80,
        help_text="A name, or the number of a battle.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )
    text = forms.CharField(label="What happened?", max_length=2000, widget=forms.Textarea(attrs={"rows": 6}))

    def clean_about(self) -> tuple[User | None, int | None]:
        text = self.cleaned_data["about"].strip()
        if text.isdecimal() and len(text) <= LONGEST_NUMBER:
            try:
                return None, find_battle(number=int(text)).number
            except BattleNotFound as error:
                raise forms.ValidationError(str(error)) from error
        user = find_owner(text)
        if user is None:
            raise forms.ValidationError(suggest(f"Nobody is called {text}.", find_nearest_name(text)))
        return user, None


@login_required
@never_cache
@require_safe
def list_reports(request: HttpRequest) -> HttpResponse:
    """Show what I have reported, and what the janitors say to it."""
    return render(request, "reports/list.html", {"reports": list_reports_by(request.user)})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_report(request: HttpRequest) -> HttpResponse:
    """Ask what happened, and tell the janitors."""
    form = ReportForm(request.POST or None, initial={"about": request.GET.get("about", "")[:80]})
    if request.method == "POST" and form.is_valid():
        user, battle = form.cleaned_data["about"]
        try:
            make_report(
                reporter=request.user,
                text=form.cleaned_data["text"],
                about_user=user,
                about_battle=battle,
                now=timezone.now(),
            )
        except CannotReport as error:
            form.add_error(None, list(error.problems))
        else:
            messages.success(request, "The janitors have your report.")
            return redirect("reports")
    return render(request, "reports/new.html", {"form": form}, status=422 if form.is_bound and form.errors else 200)
