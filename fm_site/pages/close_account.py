"""Pages on which users download their data and close their account."""

import json
from functools import partial

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models.functions import Lower
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import InvalidName, MageUnavailable, StillFighting
from accounts.forms import CloseAccountForm
from accounts.models import Mage, User
from accounts.reauthentication import has_proven_lately, prove_before_download, prove_before_posting
from accounts.requests import UserRequest
from accounts.selectors.engagements import find_battles_of_mages
from accounts.selectors.names import list_namesakes
from accounts.selectors.users import list_mages_of
from challenges.services.retire_mages import leave_site
from duels.services.rename_mage import can_be_renamed
from fm_site.pages.export import export_user
from league.selectors.leaving import find_what_leaving_costs


@require_POST
@login_required
@never_cache
@partial(prove_before_download, page="close_account")
def export_account(request: UserRequest) -> HttpResponse:
    """Send everything this site stores about the user, as a file."""
    if not has_proven_lately(request):
        messages.error(request, _("You logged in a while ago. Log out and in again, then close your account."))
        return redirect("close_account")
    exported = export_user(request.user, now=timezone.now())
    written = json.dumps(exported, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    answer = HttpResponse(written + "\n", content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="firetop-{request.user.username.lower()}.json"'
    return answer


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@prove_before_posting
def close_account(request: UserRequest) -> HttpResponse:
    """Explain what closing the account means; a POST with the account's name closes it and logs out."""
    if request.user.is_guest:
        return redirect("keep")
    namesakes = list_namesakes(request.user)
    renamable = [mage for mage in namesakes if can_be_renamed(mage=mage)]
    form = CloseAccountForm(request.POST if request.method == "POST" else None, user=request.user, namesakes=renamable)
    mages = list(list_mages_of(request.user))
    if request.method == "POST" and form.is_valid():
        if not has_proven_lately(request):
            form.add_error(None, _("You logged in a while ago. Log out and in again, then confirm."))
        else:
            try:
                leave_site(user=request.user, new_names=form.list_new_names(), now=timezone.now())
            except InvalidName as error:
                form.refuse_new_name(error)
            except (MageUnavailable, StillFighting) as error:
                form.add_error(None, str(error))
            else:
                logout(request)
                messages.success(request, _("Your account is closed. You can sign up again at any time."))
                return redirect("home")
    context = {
        "form": form,
        "mages": mages,
        "league": find_what_leaving_costs(request.user),
        "renamable": renamable,
        "keeping": [mage for mage in namesakes if mage not in renamable],
        "busy": _list_busy(request.user),
    }
    return render(request, "close_account.html", context, status=422 if form.errors else 200)


def _list_busy(user: User) -> list[tuple[str, str, int]]:
    """Return what the user's mages, living or not, must finish first: the mage, "battle" or "challenge", and its
    number."""
    mages = list(Mage.objects.filter(user=user).select_related("engagement").order_by(Lower("name")))
    battles = find_battles_of_mages(mages)
    waiting = [
        (mage.name, busy.kind, busy.number)
        for mage in mages
        if (busy := mage.busy_with) is not None and busy.number not in battles.get(mage.pk, ())
    ]
    return waiting + [(mage.name, "battle", number) for mage in mages for number in battles.get(mage.pk, ())]
