"""The page that does what RESEND does by email."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.requests import UserRequest
from email_gateway.commands.resend import MOST_AGAIN, describe_resent, resend_mails
from email_gateway.selectors import list_stored_mails
from notifications.selectors.notices import address_for_notices
from operations.errors import TooManyAttempts
from operations.web.throttle import Throttle

# Asking twice for the same emails sends them once.
AGAIN = Throttle("resend", limit=1, seconds=60)


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
