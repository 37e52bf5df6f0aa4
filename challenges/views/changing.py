"""Proposing a change: a form that shows how the challenge is now."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import Mage
from challenges import services
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.forms import ChangeForm
from challenges.selectors import get_conditions
from challenges.views.visiting import choose_mage, follow, get_row, render_page

NOT_YOURS = "Only those who have a say in challenge {number} change it."


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, number: int) -> HttpResponse:
    """Show the form; change the challenge or propose to, as the vote of those who have joined wants it."""
    row = get_row(request, number)
    mage = choose_mage(request) if request.method == "POST" else None
    form = ChangeForm(request.POST or None, conditions=get_conditions(number=number))
    if mage is not None and form.is_valid():
        answer = _propose(request, number, mage, form)
        if answer is not None:
            return answer
    if not row.actions.propose:
        messages.error(request, row.why_not if row.is_over else NOT_YOURS.format(number=number))
        return redirect("challenges:detail", number)
    context = {"form": form, "challenge": row, "actions": row.actions, "chosen": request.POST.get("mage", "")}
    return render_page(request, "change", context, status=422 if request.method == "POST" else 200)


def _propose(request: HttpRequest, number: int, mage: Mage, form: ChangeForm) -> HttpResponse | None:
    """The answer to a change that was made or proposed, or refused; None if the form has problems to show."""
    everyone = form.cleaned_data["everyone"]
    try:
        outcome = services.propose_change(
            number=number, mage=mage, change=form.change(), everyone=everyone, now=timezone.now()
        )
    except InvalidChallenge as error:
        form.add_problems(error.problems)
        return None
    except ChallengeRefused as error:
        messages.error(request, error.message)
        return redirect("challenges:detail", number)
    done = f"{mage.name} proposes change {outcome.proposed}. The others vote on it." if outcome.proposed else ""
    return follow(request, outcome, done)
