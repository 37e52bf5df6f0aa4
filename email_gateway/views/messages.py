"""Pages that do what MESSAGE and RESEND do by email."""

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.requests import UserRequest
from accounts.selectors.names import find_nearest_name, find_owner, get_mage_for_user
from accounts.selectors.users import list_mages_of
from duels.names import listed
from email_gateway.commands.messages import LONGEST_ROWS, LONGEST_TEXT, MOST_NAMES
from email_gateway.commands.relay_messages import relay_message
from email_gateway.commands.resend import MOST_AGAIN, describe_resent, resend_mails
from email_gateway.errors import OrderRejected
from email_gateway.selectors import list_stored_mails
from notifications.selectors.notices import address_for_notices
from operations.errors import TooManyAttempts
from operations.text.suggestions import suggest
from operations.web.throttle import Throttle

# Asking twice for the same emails sends them once.
AGAIN = Throttle("resend", limit=1, seconds=60)


class MessageForm(forms.Form):
    """A message to the owners of mages and to users, as MESSAGE sends it. `cleaned_data["to"]` becomes name → user."""

    mage = forms.ChoiceField(label=gettext_lazy("From your mage"))
    to = forms.CharField(
        label=gettext_lazy("To"),
        max_length=400,
        help_text=gettext_lazy("Names of users or mages, separated by commas."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Message"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 8})
    )
    once = forms.RegexField(r"[0-9a-f]{16}", widget=forms.HiddenInput)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["mage"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(mage.name, mage.name) for mage in list_mages_of(user)]

    def clean_to(self) -> dict[str, User]:
        names = list(dict.fromkeys(name for part in self.cleaned_data["to"].split(",") if (name := part.strip())))
        if not 1 <= len(names) <= MOST_NAMES:
            raise forms.ValidationError(_("Name 1 to %(most)s users or mages.") % {"most": MOST_NAMES})
        found = {name: find_owner(name) for name in names}
        unknown = [name for name, owner in found.items() if owner is None or not owner.is_active]
        if unknown:
            message = _("Nobody is called %(names)s.") % {"names": listed(unknown, "or")}
            raise forms.ValidationError(suggest(message, find_nearest_name(unknown[0])))
        return {name: owner for name, owner in found.items() if owner is not None}

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"]).replace("\r\n", "\n")
        if len(text.splitlines()) > LONGEST_ROWS:
            raise forms.ValidationError(_("A message can have at most %(most)s lines.") % {"most": LONGEST_ROWS})
        return text


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def write_message(request: UserRequest) -> HttpResponse:
    """Write to users and owners of mages, by email; `?to=Name` fills in the recipient."""
    if not list_mages_of(request.user).exists():
        messages.info(request, _("Messages come from one of your mages. Register one first."))
        return redirect("accounts:register_mage")
    start = {"to": request.GET.get("to", "")[:80], "once": secrets.token_hex(8)}
    form = MessageForm(request.POST if request.method == "POST" else None, initial=start, user=request.user)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            unreached = relay_message(
                mage=get_mage_for_user(user=request.user, name=data["mage"]),
                recipients=data["to"].values(),
                named=[*data["to"]],
                text=data["text"],
                once=data["once"],
                now=timezone.now(),
            )
        except OrderRejected as error:
            form.add_error(None, error.reason)
        else:
            lost = [name for name, owner in data["to"].items() if owner in unreached]
            reached = [name for name in data["to"] if name not in lost]
            if reached:
                messages.success(request, _("Your message goes to %(names)s.") % {"names": listed(reached)})
            if lost:
                message = _("Not reachable by email, or not accepting messages: %(names)s.") % {"names": listed(lost)}
                messages.warning(request, message)
            return redirect("user", next(iter(data["to"].values())).username)
    status = 422 if form.errors else 200
    return render(request, "email_gateway/message.html", {"form": form}, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def send_again(request: UserRequest) -> HttpResponse:
    """Show which emails were sent to the user; a POST sends the last `count` of them again."""
    address = address_for_notices(request.user)
    kept = list_stored_mails(user=request.user, address=address, limit=MOST_AGAIN) if address else []
    problem = ""
    if request.method == "POST":
        count = request.POST.get("count", "")
        if not (count.isascii() and count.isdigit() and 1 <= int(count[:4]) <= MOST_AGAIN):
            problem = _("Choose 1 to %(most)s emails.") % {"most": MOST_AGAIN}
        else:
            try:
                AGAIN.check(str(request.user.pk))
            except TooManyAttempts:
                problem = _("You have just requested this. Wait a minute, then try again.")
            else:
                AGAIN.count(str(request.user.pk))
                sent = resend_mails(user=request.user, count=int(count), now=timezone.now())
                messages.info(request, describe_resent(sent, int(count)))
                return redirect("email_gateway:send_again")
    context = {"mails": kept, "address": address, "problem": problem}
    return render(request, "email_gateway/send_again.html", context, status=422 if problem else 200)
