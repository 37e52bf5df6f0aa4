"""Lists of studies; changing a study: who gives orders, names, sharing, and removal."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import UserRequest
from duels.selectors.viewer import find_battle
from studies.errors import StudyRefused
from studies.selectors import starts, trees
from studies.services.edit_study import delete_study, name_branch, remove_branch, set_answers, share_study
from studies.views.shared import about_studies


@require_POST
@about_studies
@login_required
def change_study(request: UserRequest, study: str, branch: int) -> HttpResponse:
    """Change a study: who answers, a branch's name, who may read it; or remove a branch, or the whole study."""
    kept = trees.get_study_for_reader(slug=study, user=request.user)
    sent, user = request.POST, request.user
    act, back = sent.get("act"), branch
    if act == "answers":
        chosen = {key.removeprefix("for:"): sent[key] for key in sent if key.startswith("for:")}
        set_answers(study=kept, user=user, answers=chosen)
    elif act == "name":
        name_branch(study=kept, user=user, number=branch, name=sent.get("name", ""), comment=sent.get("comment", ""))
    elif act == "share":
        access, title = sent.get("access", ""), sent.get("title", "")
        share_study(study=kept, user=user, access=access, title=title, now=timezone.now())
    elif act == "remove":
        parent = trees.get_branch(kept, branch).parent
        remove_branch(study=kept, user=user, number=branch)
        back = parent.number if parent else 0
    elif act == "delete":
        delete_study(study=kept, user=user)
        return HttpResponseRedirect(reverse("studies:mine"))
    else:
        raise StudyRefused("form_incomplete")
    return HttpResponseRedirect(reverse("studies:branch", args=[kept.slug, back]))


@require_safe
@about_studies
def list_for_battle(request: HttpRequest, number: int) -> HttpResponse:
    """Show the turns at which a what-if study of a battle can start, and the studies of it that the reader may see."""
    battle = find_battle(number=number)
    context: dict[str, Any] = {"battle": battle, "studies": trees.list_studies_for_reader(battle, request.user)}
    if battle.is_over:
        context["starts"] = starts.list_starts(battle)
    else:
        context["now"] = starts.read_start(number=number, user=request.user)
    return render(request, "studies/of_battle.html", context)


@require_safe
@never_cache
@login_required
def list_own(request: UserRequest) -> HttpResponse:
    return render(request, "studies/mine.html", {"studies": trees.list_studies_of(request.user)})
