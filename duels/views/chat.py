"""The chat beside a battle: reading, writing a line, and muting a user."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.requests import UserRequest
from accounts.selectors.names import find_user
from duels.battle_page import about_one_battle
from duels.errors import CannotChat
from duels.models.chat import LINE_LENGTH
from duels.selectors.chat import get_chat_for_reader
from duels.selectors.viewer import find_battle
from duels.services.chat import mute_in_chat, unmute_in_chat, write_chat_line
from operations.web.numbers import read_number
from operations.web.once import is_once_key, make_once_key


@require_http_methods(["GET", "HEAD", "POST"])
@about_one_battle
def show_chat(request: HttpRequest, number: int) -> HttpResponse:
    """Show the lines that the reader may read (only the changing part, for scripts); a POST writes a line."""
    problem, text = "", ""
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect(f"{reverse('account_login')}?next={request.path}")
        battle, once = find_battle(number=number), request.POST.get("once", "")
        try:
            if not is_once_key(once):
                raise CannotChat("page_out_of_date")
            write_chat_line(
                battle=battle,
                user=request.user,
                text=request.POST.get("text", ""),
                phrase=request.POST.get("phrase", ""),
                once=once,
                now=timezone.now(),
            )
        except CannotChat as error:
            problem, text = str(error), request.POST.get("text", "")
        else:
            if not is_part(request):
                return redirect(f"{request.path}#end")
    chat = get_chat_for_reader(
        number=number, user=request.user, now=timezone.now(), before=read_number(request, "before")
    )
    context = {
        "chat": chat,
        "problem": problem,
        "text": text,
        "once": make_once_key(),
        "most": LINE_LENGTH,
    }
    template = "duels/_chat.html" if is_part(request) else "duels/chat.html"
    return render(request, template, context, status=422 if problem else 200)


def is_part(request: HttpRequest) -> bool:
    """Return whether a script asks for the part of the page that changes."""
    return request.GET.get("fragment") == "chat"


@require_POST
@about_one_battle
@login_required
def mute(request: UserRequest, number: int) -> HttpResponse:
    """Hide a user's chat lines, or with `act=stop` show them again."""
    find_battle(number=number)
    muted = find_user(request.POST.get("name", ""))
    if muted is None or muted.pk == request.user.pk:
        raise Http404(_("There is nobody with that name to mute here."))
    if request.POST.get("act") == "stop":
        unmute_in_chat(user=request.user, muted=muted)
        messages.success(request, _("You have unmuted %(name)s.") % {"name": muted.username})
    else:
        mute_in_chat(user=request.user, muted=muted, now=timezone.now())
        messages.success(request, _("You have muted %(name)s.") % {"name": muted.username})
    return redirect("duels:chat", number)
