"""The page on which a user retires a mage, or lets them leave for good."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.errors import MageUnavailable
from accounts.requests import get_mage_or_404, user_of
from accounts.selectors.engagements import find_duels_besides
from challenges.services.retire_mages import quit_mage, retire_mage
from challenges.views.shared import render_page
from ladder.selectors.scores import total_score_of


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def let_go(request: HttpRequest, name: str) -> HttpResponse:
    """Explain what retiring and leaving mean for this mage; a POST does one of them."""
    mage = get_mage_or_404(name)
    if mage.user_id != user_of(request).pk:
        raise PermissionDenied(_("%(mage)s is not your mage.") % {"mage": mage})
    if not mage.is_alive:
        return redirect("mage", mage.name)
    act, problem = request.POST.get("act", ""), ""
    if request.method == "POST":
        try:
            if act == "retire":
                became = retire_mage(mage=mage, now=timezone.now())
            elif act == "quit":
                quit_mage(mage=mage, now=timezone.now())
                became = "removed"
            else:
                problem = _("Choose one of the two.")
        except MageUnavailable as error:
            problem = str(error)
        if not problem:
            message = (
                _("%(mage)s is retired.") if became == "retired" else _("%(mage)s has left the mountain for good.")
            )
            messages.success(request, message % {"mage": mage})
            return redirect("accounts:mages")
    context: dict[str, object] = {
        "nav_current": "",
        "mage": mage,
        "score": total_score_of(mage),
        "problem": problem,
        "engagement": mage.busy_with,
        "duels": find_duels_besides([mage]).get(mage.pk, []),
    }
    return render_page(request, "let_go", context, status=422 if problem else 200)
