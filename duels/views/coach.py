"""The coach of the first duel."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.requests import UserRequest
from notifications.services.preferences import set_preference


@require_POST
@login_required
@never_cache
def close(request: UserRequest, number: int) -> HttpResponse:
    """Close the coach for good (the settings bring it back), and return to the battle."""
    set_preference(user=request.user, key="coach", value="no")
    return redirect("duels:battle", number)
