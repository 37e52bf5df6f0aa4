"""The analysis of a battle that is over, by the Magus or the Archmage."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.requests import user_of
from duels.selectors.viewer import find_battle
from operations.web.throttle import Throttle
from studies.errors import StudyRefused
from studies.models import Analysis
from studies.selectors.analyses import HEIGHT, WIDTH, AnalysisReport, count_mages, read_report, read_study_report
from studies.selectors.trees import get_study_for_reader
from studies.services.analyses import ask_for_analysis, ask_for_study_analysis
from studies.views.shared import about_studies

REQUESTS = Throttle("analyses", limit=20, seconds=3600)


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_analysis(request: HttpRequest, number: int) -> HttpResponse:
    """Show the analysis of a battle, or its progress; a POST requests it."""
    if request.method == "POST":
        return queue_analysis(request, number=number)
    battle = find_battle(number=number)
    if not battle.is_over:
        raise StudyRefused("not_over")
    by = choose_bot(request.GET.get("by"))
    mages = battle.combatants.count()
    return render_report(request, by, read_report(battle, request.user, by), mages, battle=battle, about=battle)


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_study_analysis(request: HttpRequest, study: str) -> HttpResponse:
    """Show the analysis of an imported battle; a POST requests it."""
    if request.method == "POST":
        return queue_study_analysis(request, study=study)
    kept = get_study_for_reader(slug=study, user=request.user)
    if not kept.recorded:
        raise StudyRefused("set_up_by_hand")
    by = choose_bot(request.GET.get("by"))
    report = read_study_report(kept, request.user, by)
    return render_report(request, by, report, count_mages(kept), study=kept, about=kept)


def choose_bot(name: str | None) -> str:
    """Return the bot of that name if it makes analyses, or the Magus."""
    return name if name in Analysis.Strength.values else Analysis.Strength.MAGUS


def render_report(
    request: HttpRequest, by: str, report: AnalysisReport | None, mages: int, **about: Any
) -> HttpResponse:
    """Show the analysis by one bot, with links to those by the others that can make one."""
    bots = [bot for bot in Analysis.Strength.values if mages == 2 or bot == Analysis.Strength.MAGUS]
    context = {"by": by, "bots": bots, "report": report, "width": WIDTH, "height": HEIGHT, **about}
    return render(request, "studies/analysis.html", context)


def redirect_to(request: HttpRequest, analysis: Analysis) -> HttpResponse:
    return HttpResponseRedirect(f"{request.path}?by={analysis.strength}")


@login_required
def queue_analysis(request: HttpRequest, number: int) -> HttpResponse:
    user = count_request(request)
    battle, by = find_battle(number=number), choose_bot(request.POST.get("by"))
    return redirect_to(request, ask_for_analysis(battle=battle, user=user, now=timezone.now(), strength=by))


@login_required
def queue_study_analysis(request: HttpRequest, study: str) -> HttpResponse:
    user = count_request(request)
    kept, by = get_study_for_reader(slug=study, user=user), choose_bot(request.POST.get("by"))
    return redirect_to(request, ask_for_study_analysis(study=kept, user=user, now=timezone.now(), strength=by))


def count_request(request: HttpRequest) -> User:
    """Return the user who asks for an analysis. Raises TooManyAttempts."""
    user = user_of(request)
    REQUESTS.check_and_count(str(user.pk))
    return user
