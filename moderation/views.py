"""The janitors' desk, users' reports, and players' answers to janitors' questions."""

from dataclasses import dataclass

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.janitors import is_janitor, is_reading_janitor
from accounts.models import User
from accounts.requests import UserRequest, user_of
from accounts.selectors.messages import list_messages_between
from accounts.selectors.names import find_nearest_name, find_owner, find_user
from accounts.selectors.users import read_about
from challenges.selectors.room import find_line_for as find_room_line
from duels.errors import BattleNotFound, NotYourCombatant
from duels.selectors.chat import find_line_for_reader
from duels.selectors.viewer import find_battle, get_combatant_for_user
from moderation.desk import describe_site, list_sections
from moderation.errors import ModerationRefused
from moderation.selectors.reports import list_reports_by
from moderation.services.battles.ask_for_consent import answer_question
from moderation.services.reports import make_report
from operations.models import Maintenance
from operations.text.suggestions import suggest
from operations.web.numbers import parse_number, read_number
from studies.selectors.obituaries import find_line as find_obituary_line


@dataclass(frozen=True)
class Quote:
    """A text of a user that is reported. We quote it, so that it is what was there."""

    user: User
    battle: int | None
    source: str
    text: str


class ReportForm(forms.Form):
    """The subject and text of a report. `cleaned_data["about"]` becomes (user or None, battle or None)."""

    about = forms.CharField(
        label=_("User, mage or battle"),
        max_length=80,
        help_text=_("Enter a name or a battle number."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )
    text = forms.CharField(label=_("What happened?"), max_length=2000, widget=forms.Textarea(attrs={"rows": 6}))

    def clean_about(self) -> tuple[User | None, int | None]:
        text = self.cleaned_data["about"].strip()
        if (number := parse_number(text)) is not None:
            try:
                return None, find_battle(number=number).number
            except BattleNotFound as error:
                raise forms.ValidationError(str(error)) from error
        user = find_owner(text)
        if user is None:
            raise forms.ValidationError(
                suggest(gettext("No user or mage is called %(name)s.") % {"name": text}, find_nearest_name(text))
            )
        return user, None


@login_required
@never_cache
@require_safe
def list_reports(request: UserRequest) -> HttpResponse:
    return render(request, "reports/list.html", {"reports": list_reports_by(request.user)})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_report(request: UserRequest) -> HttpResponse:
    """Ask what happened and send the report."""
    quoted = _find_line(request) or _find_about(request) or _find_obituary_line(request) or _find_room_line(request)
    start = quoted.user.username if quoted else request.GET.get("about", "")[:80]
    other = None if quoted else _find_correspondent(request)
    start = other.username if other else start
    form = ReportForm(request.POST or None, initial={"about": start})
    if request.method == "POST" and form.is_valid():
        user, battle = form.cleaned_data["about"]
        quote = ""
        if quoted is not None:
            user, battle = quoted.user, quoted.battle
            quote = f"{quoted.source}: “{quoted.text}”\n\n"
        user, battle = (other, None) if other is not None else (user, battle)
        try:
            make_report(
                with_messages=other is not None,
                reporter=request.user,
                text=quote + form.cleaned_data["text"],
                about_user=user,
                about_battle=battle,
                now=timezone.now(),
            )
        except ModerationRefused as error:
            form.add_error(None, list(error.problems))
        else:
            messages.success(request, gettext("Report sent to the janitors."))
            return redirect("reports")
    context = {"form": form, "quoted": quoted, "other": other}
    return render(request, "reports/new.html", context, status=422 if form.errors else 200)


def _find_correspondent(request: UserRequest) -> User | None:
    """Return the user in `?messages_of=`, if the reader has messages with them and the report is about those."""
    name = request.GET.get("messages_of", "")
    other = find_user(name) if name else None
    return other if other is not None and list_messages_between(request.user, other).exists() else None


def _find_line(request: UserRequest) -> Quote | None:
    """Return the line of a chat that the report is about, if the reader can read it."""
    key = read_number(request, "line")
    line = None if key is None else find_line_for_reader(pk=key, user=request.user)
    if line is None:
        return None
    source = f"{line.created_at:%Y-%m-%d %H:%M} UTC, {line.user.username}"
    return Quote(user=line.user, battle=line.battle.number, source=source, text=line.words)


def _find_room_line(request: UserRequest) -> Quote | None:
    """Return the line of the lobby's room that the report is about, if the reader can read it."""
    key = read_number(request, "room_line")
    line = None if key is None else find_room_line(pk=key, reader=request.user)
    if line is None:
        return None
    source = gettext("Line %(number)s in the lobby") % {"number": line.pk}
    return Quote(
        user=line.writer, battle=None, source=f"{source}, {line.written_at:%Y-%m-%d %H:%M} UTC", text=line.text
    )


def _find_obituary_line(request: UserRequest) -> Quote | None:
    """Return the line on a dead mage that the report is about, if the reader can read it."""
    key = read_number(request, "obituary")
    line = None if key is None else find_obituary_line(key, reader=request.user, now=timezone.now())
    if line is None:
        return None
    source = gettext("Line %(number)s about %(mage)s") % {"number": line.pk, "mage": line.mage.name}
    return Quote(user=line.writer, battle=None, source=source, text=line.text)


def _find_about(request: UserRequest) -> Quote | None:
    """Return what the user in `?words_of=` says about themselves, if the report is about that."""
    name = request.GET.get("words_of", "")
    user = find_user(name) if name else None
    if user is None or not read_about(user, now=timezone.now()):
        return None
    return Quote(user=user, battle=None, source=gettext("Words about themselves"), text=user.about)


@require_POST
@login_required
@never_cache
def answer_janitor(request: UserRequest, number: int) -> HttpResponse:
    """Save a player's answer to a janitor's question about a rewind."""
    entry, agrees = parse_number(request.POST.get("entry", "")), request.POST.get("agrees")
    try:
        get_combatant_for_user(number=number, user=request.user)
        if entry is None or agrees not in ("yes", "no"):
            raise ModerationRefused("not_asked", number=number)
        answer_question(
            battle=find_battle(number=number),
            user=request.user,
            number=entry,
            agrees=agrees == "yes",
            now=timezone.now(),
        )
    except BattleNotFound as error:
        raise Http404(str(error)) from error
    except NotYourCombatant as error:
        raise PermissionDenied(str(error)) from error
    except ModerationRefused as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, gettext("You agreed.") if agrees == "yes" else gettext("You refused."))
    return redirect("duels:battle", number=number)


def show_desk(request: HttpRequest) -> HttpResponse:
    """Show the janitors' desk: what needs attention, and the site's controls."""
    if not is_reading_janitor(request.user):
        raise PermissionDenied
    now, janitor = timezone.now(), user_of(request)
    context = {
        **admin.site.each_context(request),
        "title": gettext("Desk"),
        "site": describe_site(janitor, now),
        "sections": list_sections(janitor, now),
        "acts": is_janitor(janitor),
        "closed": Maintenance.objects.filter(ended_at=None).first(),
    }
    return TemplateResponse(request, "admin/desk.html", context)
