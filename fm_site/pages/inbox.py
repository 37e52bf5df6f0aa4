"""The inbox: a user's threads, one thread, and writing to someone."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import dateformat, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.errors import AccountRefused
from accounts.models import Message, User
from accounts.models.message import MESSAGE_LENGTH
from accounts.requests import UserRequest
from accounts.selectors.messages import Thread, list_messages_between, list_threads
from accounts.selectors.names import find_nearest_name, find_owner, find_renamed_user, find_user
from accounts.selectors.ties import list_blocked_by
from accounts.selectors.users import list_mages_of
from accounts.services.messages import check_message, delete_thread, mark_read, send_message
from challenges.selectors.lobby import is_shown_as_here
from duels.board.links import battle_url, replay_url
from duels.errors import BattleNotFound
from duels.models import Battle, Turn
from fm_site.notices.news_lines import write_age
from notifications.preferences import NEVER
from notifications.selectors.notices import find_mail_choices, zone_of
from operations.text.suggestions import suggest
from operations.web.numbers import parse_number, read_number
from studies.selectors.battle_replays import list_replay_turns

ON_A_PAGE, THREADS_ON_A_PAGE, MOST_OFFERED = 50, 40, 40


@dataclass(frozen=True)
class ThreadLine:
    """A line of the list: the thread, and when its newest message was written, as short as can be."""

    thread: Thread
    when: str
    is_mine: bool


@dataclass(frozen=True)
class ShownMessage:
    """A message in its thread. `place` is the turn that it was sent from, with its page, at the first of several."""

    message: Message
    is_mine: bool
    place: tuple[str, str] | None


class MessageText(forms.CharField):
    """The field of a message. Its length is counted as it will be sent: a new line is one character."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class ReplyForm(forms.Form):
    """A message in a thread. `battle` and `turn` say which turn it was sent from."""

    text = MessageText(label=gettext_lazy("Message"), max_length=MESSAGE_LENGTH)
    once = forms.RegexField(r"[0-9a-f]{16}", widget=forms.HiddenInput)
    battle = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    turn = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class MessageForm(forms.Form):
    """A message to a user, or to the owner of a mage. `cleaned_data["to"]` becomes the user."""

    to = forms.CharField(
        label=gettext_lazy("To"),
        max_length=80,
        help_text=gettext_lazy("A user or a mage."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false", "list": "known"}
        ),
    )
    text = MessageText(
        label=gettext_lazy("Message"),
        max_length=MESSAGE_LENGTH,
        help_text=gettext_lazy("At most 2,000 characters. They get it here and, if they wish, by email."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    once = forms.RegexField(r"[0-9a-f]{16}", widget=forms.HiddenInput)

    def clean_to(self) -> User:
        name = self.cleaned_data["to"].strip()
        owner = find_owner(name)
        if owner is None or not owner.is_active:
            message = _("Nobody is called %(names)s.") % {"names": name}
            raise forms.ValidationError(suggest(message, find_nearest_name(name)))
        return owner


@login_required
@never_cache
@require_safe
def show_inbox(request: UserRequest) -> HttpResponse:
    """Show the user's threads, and on a wide page the newest one beside them. That marks nothing as read."""
    before = read_number(request, "before") or 0
    lines = _list_lines(request.user, before=before)
    context = {"lines": lines, "nav_current": "inbox", "older_threads": _find_older(lines)}
    if lines and not before:
        context |= _read_thread(request, lines[0].thread.other) | {"form": _start_reply(request)}
    return render(request, "inbox/inbox.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_thread(request: UserRequest, name: str) -> HttpResponse:
    """Show the thread with a user, which marks its messages as read; a POST sends one. The name of a mage leads to the
    thread with their owner; `?battle=` is the battle that a message is sent from."""
    other = find_user(name) or find_renamed_user(name) or find_owner(name)
    if other is None or other.pk == request.user.pk or other.is_guest or other.bot_strength:
        raise Http404(suggest(_("You have no messages from %(name)s.") % {"name": name[:20]}, find_nearest_name(name)))
    if other.username != name and request.method != "POST":
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(reverse("thread", args=[other.username]) + query)
    form = ReplyForm(request.POST) if request.method == "POST" else _start_reply(request)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        number, seq = _check_place(data["battle"], data["turn"])
        try:
            sent = send_message(
                writer=request.user,
                reader=other,
                text=data["text"],
                once=data["once"],
                battle=number,
                turn=seq,
                now=timezone.now(),
            )
        except AccountRefused as error:
            form.add_error("text", str(error))
        else:
            return redirect(f"{reverse('thread', args=[other.username])}#m{sent.pk}")
    context = {
        "lines": _list_lines(request.user),
        "form": form,
        "nav_current": "inbox",
        "is_thread": True,
        **_read_thread(request, other, before=read_number(request, "before") or 0),
    }
    if request.method == "GET" and context["newest"]:
        mark_read(reader=request.user, writer=other, up_to=context["newest"])
    return render(request, "inbox/inbox.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def write_message(request: UserRequest) -> HttpResponse:
    """Write to a user or the owner of a mage; `?to=Name` fills in the recipient."""
    start = {"to": request.GET.get("to", "")[:80], "once": secrets.token_hex(8)}
    form = MessageForm(request.POST if request.method == "POST" else None, initial=start)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            sent = send_message(
                writer=request.user, reader=data["to"], text=data["text"], once=data["once"], now=timezone.now()
            )
        except AccountRefused as error:
            form.add_error(None, str(error))
        else:
            return redirect(f"{reverse('thread', args=[data['to'].username])}#m{sent.pk}")
    known = [thread.other for thread in list_threads(request.user, limit=MOST_OFFERED)]
    context = {"form": form, "known": [user for user in known if user.is_active], "nav_current": "inbox"}
    return render(request, "inbox/write.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_POST
def remove_thread(request: UserRequest, name: str) -> HttpResponse:
    """Delete a thread for this user, up to the newest message that they saw."""
    other, up_to = find_user(name), parse_number(request.POST.get("up_to", ""))
    if other is None or up_to is None:
        raise Http404(_("You have no messages from %(name)s.") % {"name": name[:20]})
    delete_thread(user=request.user, other=other, up_to=up_to)
    messages.success(request, _("Your messages with %(name)s are deleted. They keep theirs.") % {"name": other})
    return redirect("inbox")


def _list_lines(user: User, *, before: int = 0) -> list[ThreadLine]:
    """Return the user's newest threads, or those before one (the id of its newest message), without those with users
    whom they block."""
    now = timezone.now()
    blocked = set(list_blocked_by(user).values_list("pk", flat=True))
    threads = list_threads(user, limit=THREADS_ON_A_PAGE, before=before)
    zone = zone_of(user)
    return [
        ThreadLine(each, write_short(each.last.written_at, now=now, zone=zone), each.last.writer_id == user.pk)
        for each in threads
        if each.other.pk not in blocked
    ]


def _find_older(lines: Sequence[ThreadLine]) -> int:
    return lines[-1].thread.last.pk if len(lines) >= THREADS_ON_A_PAGE else 0


def write_short(moment: datetime, *, now: datetime, zone: ZoneInfo) -> str:
    """Return when something was, as short as can be: "2 h", "yesterday", "Tue", "19 Nov"."""
    local, today = moment.astimezone(zone), now.astimezone(zone).date()
    days = (today - local.date()).days
    if days <= 0:
        return write_age(moment, now=now)
    if days == 1:
        return _("yesterday")
    return dateformat.format(local, "D" if days < 7 else pgettext("date format", "j M"))


def _read_thread(request: UserRequest, other: User, *, before: int = 0) -> dict[str, Any]:
    """Return the context of a thread: its newest messages, or those before one (its id), by day."""
    user, now = request.user, timezone.now()
    found = list_messages_between(user, other)
    newest = found.values_list("pk", flat=True).first() or 0
    rows = list((found.filter(pk__lt=before) if before else found)[: ON_A_PAGE + 1])
    shown = rows[:ON_A_PAGE][::-1]
    refusal = ""
    try:
        check_message(writer=user, reader=other)
    except AccountRefused as error:
        refusal = str(error)
    mages = [] if refusal or not other.is_active else list(list_mages_of(other).select_related("engagement")[:20])
    free = [mage.name for mage in mages if not mage.is_retired and not hasattr(mage, "engagement")]
    mailed = find_mail_choices([other], "message").get(other.pk, NEVER) != NEVER and not other.is_email_stopped
    return {
        "other": other,
        "days": _group_by_day(shown, user, now=now),
        "newest": newest,
        "older": shown[0].pk if len(rows) > ON_A_PAGE else 0,
        "refusal": refusal,
        "blocks": list_blocked_by(user).filter(pk=other.pk).exists() if refusal else False,
        "plays": mages[0].name if mages else "",
        "is_here": not refusal and is_shown_as_here(other, now=now),
        "challenged": free[0] if free else "",
        "is_mailed": mailed,
        "place": _name_place(request),
    }


def _group_by_day(shown: Sequence[Message], user: User, *, now: datetime) -> list[tuple[str, list[ShownMessage]]]:
    zone, places = zone_of(user), _name_places(shown)
    days = []
    before = None
    for day, group in groupby(shown, key=lambda each: each.written_at.astimezone(zone).date()):
        lines = []
        for each in group:
            place = places.get((each.battle, each.turn))
            lines.append(ShownMessage(each, each.writer_id == user.pk, place if place != before else None))
            before = place
        days.append((_name_day(day, now.astimezone(zone).date()), lines))
    return days


def _name_day(day: Any, today: Any) -> str:
    if day == today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    return dateformat.format(day, pgettext("date format", "j F Y"))


def _name_places(shown: Iterable[Message]) -> dict[tuple[int | None, int | None], tuple[str, str]]:
    """Return, for each battle and turn that these messages were sent from, its name and its page."""
    wanted = {(each.battle, each.turn) for each in shown if each.battle}
    if not wanted:
        return {}
    numbers, seqs = {number for number, _seq in wanted if number}, {seq for _number, seq in wanted if seq}
    found = Battle.objects.filter(number__in=numbers).only("number", "kind")
    battles = {battle.number: str(battle) for battle in found}
    turns = Turn.objects.filter(battle__number__in=numbers, taken_back_by=None, seq__in=seqs)
    labels = {(number, seq): label for number, seq, label in turns.values_list("battle__number", "seq", "label")}
    named: dict[tuple[int | None, int | None], tuple[str, str]] = {}
    for number, seq in ((number, seq) for number, seq in wanted if number):
        label = labels.get((number, seq or 0))
        if number in battles and label:
            words = _("%(battle)s, turn %(turn)s") % {"battle": battles[number], "turn": label}
            named[number, seq] = (words, replay_url(number, seq))
        elif number in battles:
            named[number, seq] = (battles[number], battle_url(number))
    return named


def _check_place(number: int | None, seq: int | None) -> tuple[int | None, int | None]:
    """Return the battle and its turn if there is such a battle; without such a turn, its last one that is over."""
    if number is None:
        return None, None
    try:
        turns = [turn.seq for turn in list_replay_turns(number=number)]
    except BattleNotFound:
        return None, None
    return number, seq if seq in turns else max(turns, default=None)


def _start_reply(request: UserRequest) -> ReplyForm:
    number, seq = _check_place(*_read_place(request))
    return ReplyForm(initial={"once": secrets.token_hex(8), "battle": number, "turn": seq})


def _read_place(request: UserRequest) -> tuple[int | None, int | None]:
    return read_number(request, "battle") or None, read_number(request, "turn") or None


def _name_place(request: UserRequest) -> str:
    """Return the name of the turn that the reader comes from, or ""."""
    number, seq = _check_place(*_read_place(request))
    named = _name_places([Message(battle=number, turn=seq)]) if number else {}
    return next((words for words, _page in named.values()), "")
