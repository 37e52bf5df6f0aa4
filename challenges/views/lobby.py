"""The lobby: open challenges with one press to join, who is here, and the room of talk."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import AccountsError
from accounts.live.present_people import note_reader
from accounts.models import Mage, User
from accounts.requests import user_of
from accounts.selectors.names import find_user, get_mage_for_user
from accounts.services.ties import block_user
from challenges.errors import ChallengeNotFound, ChallengeRefused, RoomRefused
from challenges.lobby_rows import describe_count
from challenges.models import ROOM_LINE_LENGTH, RoomLine
from challenges.own_mages import list_busy_mages, list_living_mages, name_free_mages
from challenges.selectors.lists import get_challenge_for_user
from challenges.selectors.lobby import describe_today, read_lobby
from challenges.selectors.room import find_line_for, read_room
from challenges.selectors.tell_me import describe_tell_me
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.services.room import take_down_line, write_line
from challenges.services.room_mails import PREFERENCE as TALK
from challenges.views.shared import redirect_after, redirect_to_registration
from notifications.preferences import PREFERENCES
from notifications.selectors.notices import preferences_of, zone_of
from notifications.services.preferences import choose_notices
from operations.web.numbers import parse_number, read_number
from operations.web.once import is_once_key, make_once_key

# These mean that somebody else was quicker.
TAKEN = ("started", "full", "withdrawn", "stale")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby. A POST writes a line in its room; a script that sends one is only told whether it was written."""
    problem, text = "", ""
    is_script = "at_once" in request.POST
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect(f"{reverse('account_login')}?next={request.path}")
        text = request.POST.get("text", "")
        problem = _write(request.user, text, request.POST.get("once", ""))
        if is_script:
            status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
            return JsonResponse({"problem": problem}, status=status)
        if not problem:
            return redirect(f"{request.path}#end")
    note_reader(request.user)
    return render(request, "challenges/lobby.html", _describe(request, problem, text), status=422 if problem else 200)


def _write(writer: User, text: str, once: str) -> str:
    """Write the line; return why it was not written, or ""."""
    try:
        if not is_once_key(once):
            raise RoomRefused("page_out_of_date")
        write_line(writer=writer, text=text, via=RoomLine.Via.PAGE, once=once, now=timezone.now())
    except RoomRefused as error:
        return str(error)
    return ""


@login_required
@require_POST
def choose_talk_by_email(request: HttpRequest) -> HttpResponse:
    """Save whether and how often the reader gets the talk by email."""
    how = request.POST.get("how", "")
    if how not in dict(PREFERENCES[TALK].values):
        raise Http404(_("Choose how often you want the talk by email."))
    choose_notices(user=user_of(request), wanted={TALK: how})
    messages.success(request, _("Saved."))
    return redirect("lobby")


def _describe(request: HttpRequest, problem: str, text: str) -> dict[str, object]:
    now = timezone.now()
    user = request.user if isinstance(request.user, User) else None
    is_guest = user is not None and user.is_guest
    is_known = user is not None and not is_guest
    shown = read_lobby(now=now, with_people=is_known).show_to(user)
    room = read_room(reader=user, now=now, before=read_number(request, "before"))
    living = list_living_mages(user)
    free = name_free_mages(living)
    zone = zone_of(user)
    return {
        "nav_current": "play",
        "lobby": shown,
        "count": describe_count(shown),
        "lines": room.lines,
        "earlier": room.lines[0].pk if room.is_more else None,
        "refusal": room.refusal,
        "is_some_hidden": room.is_some_hidden,
        "is_guest": is_guest,
        "ways_by_email": PREFERENCES[TALK].values,
        "by_email": preferences_of(user)[TALK] if user is not None else "",
        "is_known": is_known,
        "may_join": bool(free) and not is_guest,
        "free_mages": free,
        "tell_me": describe_tell_me(user) if user and not is_guest else None,
        "busy_mages": list_busy_mages(living),
        "today": describe_today(reader=user, zone=zone, now=now) if user and not is_guest and not shown.here else None,
        "zone": str(zone),
        "problem": problem,
        "text": text if problem else "",
        "once": make_once_key(),
        "most": ROOM_LINE_LENGTH,
    }


@login_required
@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Join a challenge of the list with the mage that the form names, or end one's own search (`stop`)."""
    stop = request.POST.get("stop", "")
    text, _dot, terms = (stop or request.POST.get("seek", "")).partition(".")
    number = parse_number(text)
    if number is None:
        raise Http404(_("Choose one of the challenges."))
    if stop:
        return _stop(request, number)
    mage = _find_mage(request)
    if mage is None:
        return redirect_to_registration(request, reverse("lobby"))
    try:
        outcome = accept_challenge(number=number, mage=mage, terms_key=terms, now=timezone.now())
    except ChallengeNotFound as error:
        raise Http404(str(error)) from error
    except ChallengeRefused as error:
        messages.error(request, _say_taken(number, user_of(request)) if error.code in TAKEN else str(error))
        return redirect("lobby")
    words = {"mage": mage.name, "number": outcome.number}
    return redirect_after(request, outcome, _("%(mage)s has joined challenge %(number)s.") % words)


def _say_taken(number: int, user: User) -> str:
    challenge = get_challenge_for_user(number=number, user=user)
    if challenge.status in ("withdrawn", "stale"):
        return _("%(mage)s is no longer looking for a duel.") % {"mage": challenge.challenger}
    taken = _("%(mage)s's duel is taken. Someone joined a moment before you.")
    return taken % {"mage": challenge.challenger}


def _find_mage(request: HttpRequest) -> Mage | None:
    """Return the mage that the form names, or else the first free one; None if the user has none."""
    user = user_of(request)
    living = list_living_mages(user)
    name = request.POST.get("mage") or next(iter([*name_free_mages(living), *(mage.name for mage in living)]), "")
    try:
        return get_mage_for_user(user=user, name=name) if name else None
    except AccountsError as error:
        raise Http404(_("You have no mage with this name.")) from error


def _stop(request: HttpRequest, number: int) -> HttpResponse:
    """Withdraw the reader's challenge, or give up their seat in another's."""
    now = timezone.now()
    try:
        actions = get_challenge_for_user(number=number, user=user_of(request)).own.actions
        for name in actions.leave[:1]:
            decline_challenge(number=number, mage=get_mage_for_user(user=user_of(request), name=name), now=now)
        if actions.withdraw:
            mage = get_mage_for_user(user=user_of(request), name=actions.withdraw)
            withdraw_challenge(number=number, mage=mage, now=now)
    except ChallengeNotFound as error:
        raise Http404(str(error)) from error
    except ChallengeRefused as error:
        messages.error(request, str(error))
    return redirect("lobby")


@login_required
@require_POST
def act_on_line(request: HttpRequest) -> HttpResponse:
    """Remove a line of one's own, or block the writer of another."""
    user, now = user_of(request), timezone.now()
    remove, block = parse_number(request.POST.get("remove", "")), request.POST.get("block", "")
    if remove is not None:
        line = find_line_for(pk=remove, reader=user)
        if line is not None:
            try:
                take_down_line(line=line, by=user, now=now)
            except RoomRefused as error:
                messages.error(request, str(error))
        return redirect(f"{reverse('lobby')}#end")
    blocked = find_user(block)
    if blocked is None or blocked.pk == user.pk:
        raise Http404(_("There is nobody with that name to block here."))
    block_user(user=user, blocked=blocked, now=now)
    messages.success(request, _("You have blocked %(name)s.") % {"name": blocked.username})
    return redirect("lobby")
