"""Results on the home page, which their reader dismisses."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.requests import UserRequest
from duels.services.finish import mark_results_seen
from operations.web.numbers import parse_number

MOST_DISMISSED = 500


@require_POST
@never_cache
@login_required
def dismiss_results(request: UserRequest) -> HttpResponse:
    """Remove results from the home page: those of the battles numbered in the form."""
    numbers = [number for text in request.POST.getlist("number") if (number := parse_number(text)) is not None]
    mark_results_seen(user=request.user, numbers=numbers[:MOST_DISMISSED])
    return redirect("home")
