"""A player's actions on time in a battle: more time, pauses, and dealing with absent players."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django.views.decorators.http import require_POST

from accounts.requests import UserRequest
from duels.battle_page import about_one_battle
from duels.board.links import battle_url
from duels.errors import DuelsError
from duels.models import Combatant
from duels.names import listed
from duels.paces import span
from duels.selectors.absences import Consent
from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.battle_clocks import record_presence
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.extra_time import give_time, take_time
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.seat_offers import offer_seat
from operations.web.arrival import find_arrival
from operations.web.numbers import parse_number

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


@dataclass(frozen=True)
class Agreement:
    """What those who wait for an absent player may do if all of them agree, with the messages to one who agrees."""

    carry_out: Callable[..., Consent]
    # While %(names)s, whose number is `count`, have not agreed.
    saved: "StrPromise"
    done: "StrPromise"

    def agree(self, combatant: Combatant, now: datetime) -> str:
        missing = self.carry_out(combatant=combatant, now=now, agrees=True).missing
        return self.saved % {"names": listed(list(missing)), "count": len(missing)} if missing else str(self.done)


# By the button that agrees.
AGREEMENTS = {
    "end": Agreement(
        call_off_battle,
        ngettext_lazy(
            "Saved. The battle ends when %(names)s agrees too.",
            "Saved. The battle ends when %(names)s agree too.",
            "count",
        ),
        gettext_lazy("The battle is over. No score changes and nobody dies."),
    ),
    "claim": Agreement(
        claim_battle,
        ngettext_lazy(
            "Saved. The battle is claimed when %(names)s agrees too.",
            "Saved. The battle is claimed when %(names)s agree too.",
            "count",
        ),
        gettext_lazy("The battle is claimed."),
    ),
    "offer_seat": Agreement(
        offer_seat,
        ngettext_lazy(
            "Saved. A bot plays when %(names)s agrees too.",
            "Saved. A bot plays when %(names)s agree too.",
            "count",
        ),
        gettext_lazy("A bot is playing now, and the battle is practice."),
    ),
}
# The buttons that keep waiting instead.
KEEPS = {"keep": "end", "keep_claim": "claim", "keep_seat": "offer_seat"}


@require_POST
@about_one_battle
@login_required
def change_time(request: UserRequest, number: int) -> HttpResponse:
    """Take or give extra time, ask for a pause or withdraw that, or choose what to do about an absence."""
    mage = request.POST.get("mage") or None
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=mage)
    try:
        message = act_on_time(request.POST, combatant, arrived_at=find_arrival(request))
    except DuelsError as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, message)
    return HttpResponseRedirect(battle_url(number, mage or ""))


def act_on_time(form: QueryDict, combatant: Combatant, *, arrived_at: datetime) -> str:
    """Carry out the button's action and return the message for the user. Raises DuelsError if it is not possible."""
    act, now = form.get("act"), timezone.now()
    if act == "take":
        take_time(combatant=combatant, now=now, arrived_at=arrived_at, deadline=form.get("deadline"))
        return _("Your deadline is extended.")
    if act == "here":
        missing = record_presence(combatant=combatant, now=now)
        return (
            _("You are here. The battle is waiting for %(names)s.") % {"names": listed(missing)}
            if missing
            else _("Everyone is here. The clocks are running.")
        )
    if act == "give":
        other, deadline = form.get("other", ""), form.get("deadline")
        _now, length = give_time(giver=combatant, mage_name=other, now=now, deadline=deadline)
        return _("You gave %(mage)s %(length)s more.") % {"mage": form.get("other"), "length": span(length)}
    if act in AGREEMENTS:
        return AGREEMENTS[act].agree(combatant, now)
    if act in KEEPS:
        AGREEMENTS[KEEPS[act]].carry_out(combatant=combatant, now=now, agrees=False)
        return _("You keep waiting.")
    days = 0 if "minutes" in form else read_count(form, "days")
    minutes = read_count(form, "minutes") if "minutes" in form else 0
    wanted = days or minutes
    if ask_pause(combatant=combatant, days=days, minutes=minutes, now=now):
        return _("The battle is paused.") if wanted else _("The battle resumes.")
    return _("You asked the other players for a pause.") if wanted else _("Your choice is saved.")


def read_count(form: QueryDict, name: str) -> int:
    """Return a number from the form, or -1 if it is not a number."""
    number = parse_number(form.get(name, ""))
    return -1 if number is None else number
