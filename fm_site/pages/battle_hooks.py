"""The hooks of a battle: its players add and remove them."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.hook_pages import HookPlace, show_hook, show_hooks
from accounts.models import User
from accounts.reauthentication import prove_before_posting
from accounts.requests import UserRequest
from duels.models import Combatant
from duels.services.open_hooks import note_hooks_of_battle
from notifications.models import Hook


@login_required
@never_cache
@sensitive_post_parameters("url", "token")
@require_http_methods(["GET", "HEAD", "POST"])
@prove_before_posting
def edit_battle_hooks(request: UserRequest, number: int) -> HttpResponse:
    return show_hooks(request, _find_place(request.user, number))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_battle_hook(request: UserRequest, number: int, hook_id: int) -> HttpResponse:
    """Show, change, test, retry or remove one of a battle's hooks."""
    return show_hook(request, _find_place(request.user, number), hook_id)


def _find_place(user: User, number: int) -> HookPlace:
    """Return where the hooks of the battle are. Raises Http404 for those who do not play in it."""
    mine = Combatant.objects.filter(battle__number=number, mage__user=user).select_related("battle")
    own = mine.first()
    if own is None:
        raise Http404(_("You have no mage in this battle."))
    name = str(own.battle)
    return HookPlace(
        scope=Hook.Scope.BATTLE,
        battle=number,
        user=user,
        page=reverse("battle_hooks", args=[number]),
        address=lambda hook_id: reverse("battle_hook", args=[number, hook_id]),
        title=_("Hooks of %(battle)s") % {"battle": name},
        lead=_(
            "Everyone who plays in this battle can add a hook here, and remove any. It says what spectators see: that "
            "a turn is over, who the battle waits for, and how it ended. A week after the end it is deleted."
        ),
        parent=(reverse("duels:battle", args=[number]), name),
        is_closed=own.battle.is_over,
        note=lambda _what, _hook, _reason: note_hooks_of_battle(number=number),
    )
