"""The comments of computer opponents: a hint in practice, and their reasons when the battle is over."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from duels.battle_page import about_one_battle
from duels.errors import NoHint
from operations.errors import TooManyAttempts
from operations.web.client_address import client_address, network_of
from studies.errors import StudyRefused
from studies.services.ask_bots import ask_for_hints, ask_for_reasons

TOO_MANY = 429


@require_POST
@about_one_battle
def show_hint(request: HttpRequest, number: int) -> HttpResponse:
    """Show three moves that the Magus would consider, to the player of a mage in practice."""
    try:
        hints = ask_for_hints(number=number, user=request.user, mage=request.POST.get("mage") or None)
    except TooManyAttempts:
        return _show(
            request, number, problem=_("You have asked for too many hints. Wait a few minutes."), status=TOO_MANY
        )
    except NoHint as error:
        return _show(request, number, problem=str(error), status=409)
    return _show(request, number, hints=[each.text() for each in hints])


@require_safe
@about_one_battle
def show_reasons(request: HttpRequest, number: int) -> HttpResponse:
    """Show why the bots gave their last gestures: to anyone after the battle, before that to players in practice."""
    network = network_of(client_address(request))
    try:
        told = ask_for_reasons(number=number, user=request.user, network=network)
    except (NoHint, StudyRefused) as error:
        return _show(request, number, problem=str(error), status=409)
    except TooManyAttempts:
        problem = _("You have asked too many questions. Come back later.")
        return _show(request, number, problem=problem, status=TOO_MANY)
    return _show(request, number, reasons=told.reasons, is_running=told.is_running)


def _show(request: HttpRequest, number: int, *, status: int = 200, **more: object) -> HttpResponse:
    return render(request, "studies/bot_thoughts.html", {"number": number, **more}, status=status)
