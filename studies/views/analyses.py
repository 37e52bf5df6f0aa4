"""The analysis of a battle that is over, by the Magus or the Archmage."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.requests import user_of
from duels.board.links import Link, battle_url, replay_url
from duels.models import Battle
from duels.selectors.viewer import MaybeUser, find_battle
from studies.analysis_page import AnalysisPage, build_analysis_page, choose_turn
from studies.errors import StudyRefused
from studies.models import Analysis, Study
from studies.replay_board import ReplayPlaces
from studies.selectors.analyses import AnalysisReport, count_mages, read_report, read_study_report
from studies.selectors.battle_replays import find_replay_for_viewer
from studies.selectors.own_mistakes import list_mistakes
from studies.selectors.replays import link_turn, place_replay, read_replay
from studies.selectors.trees import get_study_for_reader
from studies.services.analyses import ask_for_analysis, ask_for_study_analysis
from studies.services.ask_bots import ANALYSES
from studies.views.shared import about_studies


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
    report = read_report(battle, request.user, by)
    about = {"by": by, "bots": list_bots(report, battle.combatants.count), "battle": battle, "about": battle}
    if report is None or not report.facts:
        return render_progress(request, report, **about)
    seq = choose_turn(report, request.GET.get("turn"))
    replay = find_replay_for_viewer(number=number, user=request.user, seq=seq)
    if replay is None:
        raise Http404(_("There is no such turn."))
    places = place_battle(battle, by, seq)
    about["mistakes"] = count_unsolved(battle, request.user) if replay.past.me else 0
    return render_turn(request, build_analysis_page(report, replay, places), **about)


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
    about = {"by": by, "bots": list_bots(report, partial(count_mages, kept)), "study": kept, "about": kept}
    if report is None or not report.facts:
        return render_progress(request, report, **about)
    replay = read_replay(slug=study, user=request.user, seq=choose_turn(report, request.GET.get("turn")))
    if replay is None:
        raise Http404(_("There is no such turn."))
    places = place_study(kept, place_replay(kept, replay), by, replay.turn.seq)
    return render_turn(request, build_analysis_page(report, replay, places), **about)


def choose_bot(name: str | None) -> str:
    """Return the bot of that name if it makes analyses, or the Magus."""
    return name if name in Analysis.Strength.values else Analysis.Strength.MAGUS


def list_bots(report: AnalysisReport | None, count: Callable[[], int]) -> list[str]:
    """Return the bots that can analyse this battle: the Archmage analyses duels only."""
    mages = len(report.facts[0]["mages"]) if report and report.facts else count()
    return [bot for bot in Analysis.Strength.values if mages == 2 or bot == Analysis.Strength.MAGUS]


def count_unsolved(battle: Battle, user: MaybeUser) -> int:
    """Return how many mistakes of their own a player can still solve."""
    return sum(not each.is_solved for each in list_mistakes(battle=battle, user=user)) if isinstance(user, User) else 0


def place_battle(battle: Battle, by: str, seq: int) -> ReplayPlaces:
    """Return where the turns of a battle's analysis are."""
    page = reverse("studies:analysis", args=[battle.number])
    return ReplayPlaces(
        home=battle_url(battle.number),
        name=str(battle),
        link_turn=partial(link_analysed_turn, page, by),
        more=(
            Link(replay_url(battle.number, seq), _("Replay")),
            Link(reverse("studies:try", args=[battle.number, seq]), _("What if")),
        ),
    )


def place_study(study: Study, places: ReplayPlaces, by: str, seq: int) -> ReplayPlaces:
    """Return where the turns of an import's analysis are."""
    page = reverse("studies:study_analysis", args=[study.slug])
    more = (Link(link_turn(study, seq), _("Replay")), places.more[0])
    return replace(places, link_turn=partial(link_analysed_turn, page, by), more=more)


def link_analysed_turn(page: str, by: str, seq: int, eyes: str) -> str:
    """Return the address of a turn in an analysis, which always sees everything."""
    return f"{page}?{urlencode({'by': by, 'turn': seq})}"


def render_progress(request: HttpRequest, report: AnalysisReport | None, **about: Any) -> HttpResponse:
    """Show how far an analysis is, or that nobody has asked for it."""
    return render(request, "studies/analysis.html", {"report": report, **about})


def render_turn(request: HttpRequest, analysis: AnalysisPage, **about: Any) -> HttpResponse:
    """Show a turn of an analysis; with `?fragment=turn` only what changes from turn to turn."""
    template = "studies/_analysis_live.html" if request.GET.get("fragment") == "turn" else "studies/analysed_turn.html"
    return render(request, template, {"analysis": analysis, "board": analysis.board, **about})


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
    ANALYSES.check_and_count(str(user.pk))
    return user
