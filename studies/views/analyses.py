"""The analysis of a battle that is over."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from duels.selectors import find_battle
from fm_site.operations.throttle import Throttle
from studies.errors import NoAnalysis
from studies.selectors.analyses import HEIGHT, WIDTH, read_report, read_study_report
from studies.selectors.trees import get_study_for_reader
from studies.services.analyses import ask_for_analysis, ask_for_study_analysis
from studies.views.shared import about_studies

ASKED = Throttle("analyses", limit=20, seconds=3600)


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_analysis(request: HttpRequest, number: int) -> HttpResponse:
    """Show the analysis of a battle, or its progress; a POST requests it."""
    if request.method == "POST":
        return queue_analysis(request, number=number)
    battle = find_battle(number=number)
    if not battle.is_over:
        raise NoAnalysis(_("A battle can be analysed only when it is over."))
    report = read_report(battle, request.user)
    context = {"battle": battle, "about": battle, "report": report, "width": WIDTH, "height": HEIGHT}
    return render(request, "studies/analysis.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_study_analysis(request: HttpRequest, study: str) -> HttpResponse:
    """Show the analysis of an imported battle; a POST requests it."""
    if request.method == "POST":
        return queue_study_analysis(request, study=study)
    kept = get_study_for_reader(slug=study, user=request.user)
    if not kept.recorded:
        raise NoAnalysis(_("Only battles can be analysed. In a position set up by hand, let a bot answer."))
    report = read_study_report(kept, request.user)
    context = {"study": kept, "about": kept, "report": report, "width": WIDTH, "height": HEIGHT}
    return render(request, "studies/analysis.html", context)


@login_required
def queue_study_analysis(request: HttpRequest, study: str) -> HttpResponse:
    user = User.objects.get(username=request.user.get_username())
    ASKED.check(str(user.pk))
    ASKED.count(str(user.pk))
    kept = get_study_for_reader(slug=study, user=user)
    ask_for_study_analysis(study=kept, user=user, now=timezone.now())
    return HttpResponseRedirect(request.path)


@login_required
def queue_analysis(request: HttpRequest, number: int) -> HttpResponse:
    user = User.objects.get(username=request.user.get_username())
    ASKED.check(str(user.pk))
    ASKED.count(str(user.pk))
    ask_for_analysis(battle=find_battle(number=number), user=user, now=timezone.now())
    return HttpResponseRedirect(request.path)
