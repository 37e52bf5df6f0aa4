"""The comments of computer opponents: a hint in practice, and their reasons when the battle is over."""

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from duels.battle_page import about_one_battle
from duels.errors import NoHint
from duels.models import Battle
from duels.selectors.viewer import find_battle, get_combatant_for_user, list_own_combatants
from operations.errors import TooManyAttempts
from operations.web.client_address import client_address, network_of
from operations.web.throttle import Throttle
from studies.selectors.bot_thoughts import list_bot_reasons, list_hints, refuse_reasons_near_running

# A hint takes a tenth of a second of computing, a reason up to half a second.
HINTS = Throttle("hints", limit=30, seconds=600)
REASONS = Throttle("bot-reasons", limit=60, seconds=3600)
KEPT_SECONDS = 24 * 3600
TOO_MANY = 429


@require_POST
@about_one_battle
def show_hint(request: HttpRequest, number: int) -> HttpResponse:
    """Show three moves that the Magus would consider, to the player of a mage in practice."""
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=request.POST.get("mage") or None)
    subject = str(request.user.pk)
    try:
        HINTS.check_and_count(subject)
        hints = list_hints(combatant=combatant)
    except TooManyAttempts:
        return _show(
            request, number, problem=_("You have asked for too many hints. Wait a few minutes."), status=TOO_MANY
        )
    except NoHint as error:
        return _show(request, number, problem=str(error), status=409)
    return _show(request, number, hints=hints)


@require_safe
@about_one_battle
def show_reasons(request: HttpRequest, number: int) -> HttpResponse:
    """Show why the bots gave their last gestures: to anyone after the battle, before that to players in practice."""
    battle = find_battle(number=number)
    try:
        if battle.is_over or battle.practice:
            refuse_reasons_near_running(battle=battle, reader=request.user)
    except NoHint as error:
        return _show(request, number, problem=str(error), status=409)
    if not battle.is_over and battle.practice and list_own_combatants(battle, request.user):
        return _show_reasons_in_practice(request, battle)
    if not battle.is_over:
        return _show(request, number, problem=_("The bots give their reasons when the battle is over."), status=409)
    ended = battle.finished_at.timestamp() if battle.finished_at else 0
    key = f"bot-reasons:{number}:{ended}:{get_language()}"
    reasons = cache.get(key)
    if reasons is None:
        network = network_of(client_address(request))
        try:
            REASONS.check_and_count(network)
        except TooManyAttempts:
            return _show(
                request, number, problem=_("You have asked too many questions. Come back later."), status=TOO_MANY
            )
        reasons = list_bot_reasons(battle=Battle.objects.get(number=number))
        cache.set(key, reasons, KEPT_SECONDS)
    return _show(request, number, reasons=reasons)


def _show_reasons_in_practice(request: HttpRequest, battle: Battle) -> HttpResponse:
    asker = get_combatant_for_user(number=battle.number, user=request.user)
    try:
        HINTS.check_and_count(str(request.user.pk))
    except TooManyAttempts:
        problem = _("You have asked too many questions. Wait a few minutes.")
        return _show(request, battle.number, problem=problem, status=TOO_MANY)
    return _show(request, battle.number, reasons=list_bot_reasons(battle=battle, asker=asker), is_running=True)


def _show(request: HttpRequest, number: int, *, status: int = 200, **more: object) -> HttpResponse:
    return render(request, "studies/bot_thoughts.html", {"number": number, **more}, status=status)
