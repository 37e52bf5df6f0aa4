"""Agreeing on a draw: an offer, and its answer."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import UserRequest
from duels.battle_page import about_one_battle
from duels.board.links import battle_url
from duels.errors import DuelsError
from duels.order_form import read_stage
from duels.selectors.viewer import get_combatant_for_user
from duels.services.draws import accept_draw, offer_draw, refuse_draw


@require_POST
@about_one_battle
@login_required
def change_draw(request: UserRequest, number: int) -> HttpResponse:
    """Offer a draw, accept, decline or withdraw the offer, in the turn that the page shows."""
    mage, act = request.POST.get("mage") or None, request.POST.get("act", "")
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=mage)
    stage, now = read_stage(request.POST.get("stage", "")), timezone.now()
    try:
        if act == "offer":
            offer_draw(combatant=combatant, now=now, stage=stage)
        elif act == "accept":
            accept_draw(combatant=combatant, now=now, stage=stage)
        elif act == "decline":
            refuse_draw(combatant=combatant, now=now, stage=stage, whose="theirs")
            messages.success(request, _("You declined the draw. The battle continues."))
        elif act == "withdraw":
            refuse_draw(combatant=combatant, now=now, stage=stage, whose="own")
            messages.success(request, _("You took your offer back."))
    except DuelsError as error:
        messages.warning(request, str(error))
    return HttpResponseRedirect(battle_url(number, mage or ""))
