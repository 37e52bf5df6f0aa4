"""A user's private notes on other users and on battles."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.errors import AccountRefused
from accounts.models import User
from accounts.models.private_note import PRIVATE_NOTE_LENGTH
from accounts.requests import UserRequest
from accounts.selectors.names import find_user
from accounts.selectors.private_notes import find_private_note
from accounts.services.private_notes import write_private_note
from duels.errors import BattleNotFound
from duels.selectors.viewer import find_battle


class PrivateNoteForm(forms.Form):
    """The text of a note; the service checks its length, as it is then stored."""

    text = forms.CharField(
        label=gettext_lazy("Your private note"),
        required=False,
        max_length=2 * PRIVATE_NOTE_LENGTH,
        help_text=format_lazy(
            gettext_lazy("At most {most} characters. Save an empty note to delete it."), most=PRIVATE_NOTE_LENGTH
        ),
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": PRIVATE_NOTE_LENGTH}),
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def note_user(request: UserRequest, name: str) -> HttpResponse:
    user = find_user(name)
    if user is None or not user.is_active or user.is_guest or user.pk == request.user.pk:
        raise Http404(_("No other user is called %(name)s.") % {"name": name[:20]})
    return _show_note(request, subject=str(user), back=reverse("user", args=[user.username]), about_user=user)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def note_battle(request: UserRequest, number: int) -> HttpResponse:
    """Show and save the reader's note on a battle."""
    try:
        battle = find_battle(number=number)
    except BattleNotFound as error:
        raise Http404(str(error)) from error
    return _show_note(
        request, subject=str(battle), back=reverse("duels:battle", args=[number]), about_battle=battle.number
    )


def _show_note(
    request: UserRequest, *, subject: str, back: str, about_user: User | None = None, about_battle: int | None = None
) -> HttpResponse:
    note = find_private_note(request.user, about_user=about_user, about_battle=about_battle)
    form = PrivateNoteForm(request.POST if request.method == "POST" else None, initial={"text": note})
    if request.method == "POST" and form.is_valid():
        try:
            write_private_note(
                writer=request.user,
                text=form.cleaned_data["text"],
                about_user=about_user,
                about_battle=about_battle,
                now=timezone.now(),
            )
        except AccountRefused as error:
            form.add_error("text", str(error))
        else:
            messages.success(request, _("Saved."))
            return redirect(back)
    context = {"form": form, "subject": subject, "back": back}
    return render(request, "private_note.html", context, status=422 if form.errors else 200)
