"""Importing battles and watching their replays, setting up positions, exporting records, and copying studies."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import UserRequest
from operations.web.throttle import Throttle
from rules_engine import Problem
from rules_engine.glossary import ENCHANTMENTS
from rules_engine.positions import set_up
from rules_engine.possible import find_possible
from rules_engine.records import FORMS, InvalidRecord, write_json, write_record
from rules_engine.rulesets import RULESETS
from studies.models import TITLE_LENGTH
from studies.replay_board import build_replay_board
from studies.selectors.replays import place_replay, read_replay
from studies.selectors.trees import get_record_for_reader, get_study_for_reader
from studies.services.begin import copy_study, import_study, set_up_study
from studies.views.shared import about_studies

# Rebuilding a battle from a table may take seconds.
IMPORTS = Throttle("imports", limit=20, seconds=3600)
COPIES = Throttle("copies", limit=60, seconds=3600)
POSITIONS = Throttle("positions", limit=120, seconds=3600)
MOST_BYTES, MOST_POSITION = 400_000, 5_000
MOST_PROBLEMS = 50
SAMPLE = """ruleset firetop-standard
mage Ayla 12
left WPF
right SSD
has blind 2
mage Crom 9
left DSF
right W-W
creature Goblin of Ayla at Crom
"""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@about_studies
def import_one(request: UserRequest) -> HttpResponse:
    """Show the form for a battle from elsewhere; a POST reads it and redirects to its study, or lists the problems."""
    sent = request.POST
    context: dict[str, Any] = {
        "rulesets": [(name, ruleset.title) for name, ruleset in RULESETS.items()],
        "forms": FORMS,
        "text": sent.get("text", ""),
        "form": sent.get("form", ""),
        "ruleset": sent.get("ruleset", ""),
        "title": sent.get("title", "")[:TITLE_LENGTH],
    }
    if request.method != "POST":
        return render(request, "studies/import.html", context)
    IMPORTS.check_and_count(str(request.user.pk))
    try:
        study = import_study(
            owner=request.user,
            text=read_text(request),
            form=context["form"] if context["form"] in FORMS else "",
            ruleset=context["ruleset"],
            title=context["title"],
            now=timezone.now(),
        )
    except InvalidRecord as error:
        return render(request, "studies/import.html", {**context, **list_problems(error)}, status=422)
    return HttpResponseRedirect(reverse("studies:study", args=[study.slug]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@about_studies
def set_up_one(request: UserRequest) -> HttpResponse:
    """Show the form for a position; a POST checks it and redirects to its study, or lists the problems."""
    sent = request.POST
    ruleset = request.GET.get("ruleset", "")
    usual = SAMPLE.replace("firetop-standard", ruleset if ruleset in RULESETS else "firetop-standard")
    text = sent.get("text", "") if request.method == "POST" else usual
    context: dict[str, Any] = {"text": text[:MOST_POSITION], "title": sent.get("title", "")[:TITLE_LENGTH]}
    if request.method == "POST":
        POSITIONS.check_and_count(str(request.user.pk))
        try:
            if len(text) > MOST_POSITION:
                words = _("The text has %(size)s characters. Shorten it to %(most)s.")
                about = {"size": len(text), "most": MOST_POSITION}
                raise InvalidRecord((Problem(1, "", "too_long", words % about),))
            study = set_up_study(owner=request.user, state=set_up(text), title=context["title"], now=timezone.now())
        except InvalidRecord as error:
            context |= {**list_problems(error), **describe_rules(text)}
            return render(request, "studies/position.html", context, status=422)
        return HttpResponseRedirect(reverse("studies:study", args=[study.slug]))
    return render(request, "studies/position.html", {**context, **describe_rules(text)})


def list_problems(error: InvalidRecord) -> dict[str, Any]:
    """Return the first problems of a text, and how many more it has."""
    return {"problems": error.problems[:MOST_PROBLEMS], "more": max(0, len(error.problems) - MOST_PROBLEMS)}


def describe_rules(text: str) -> dict[str, Any]:
    """Return what can be set up under the ruleset that the text names."""
    name = next(
        (line.split()[1] for line in text.split("\n") if line.split()[:1] == ["ruleset"] and line.split()[1:]), ""
    )
    rules = RULESETS.get(name, RULESETS["firetop-standard"])
    possible = find_possible(rules)
    return {
        "rules": rules,
        "rulesets": [(name, ruleset.title) for name, ruleset in RULESETS.items()],
        "kinds": sorted(possible.kinds),
        "marks": sorted((ENCHANTMENTS[mark], turns) for mark, turns in possible.marks["mage"].items()),
        "lasting": sorted(ENCHANTMENTS[mark] for mark in possible.lasting["mage"]),
        "banked": possible.banked,
    }


def read_text(request: HttpRequest) -> str:
    """Return the pasted or uploaded text. Raises InvalidRecord for a file that is not text, or too large."""
    sent = request.FILES.get("file")
    if sent is None:
        return request.POST.get("text", "")
    if (sent.size or 0) > MOST_BYTES:
        words = _("The file has %(size)s bytes. Choose one of at most %(most)s.")
        raise InvalidRecord((Problem(1, "", "too_long", words % {"size": sent.size, "most": MOST_BYTES}),))
    try:
        return bytes(sent.read()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        words = _("This file is not text in UTF-8.")
        raise InvalidRecord((Problem(1, "", "not_text", words),)) from error


@require_safe
@about_studies
def show_replay(request: HttpRequest, study: str, seq: int | None = None) -> HttpResponse:
    """Show one turn of an imported battle's replay, the first one without a number; with `?fragment=turn` only what
    changes from turn to turn."""
    kept = get_study_for_reader(slug=study, user=request.user)
    replay = read_replay(slug=study, user=request.user, seq=seq, eyes=request.GET.get("eyes", ""))
    if replay is None:
        raise Http404(_("There is no such turn."))
    template = "studies/_replay_live.html" if request.GET.get("fragment") == "turn" else "studies/replay.html"
    return render(request, template, {"board": build_replay_board(replay, place_replay(kept, replay))})


@require_safe
@about_studies
def download_record(request: HttpRequest, study: str) -> HttpResponse:
    record = get_record_for_reader(slug=study, user=request.user)
    return write_file(write_record(record), "text/plain; charset=utf-8", "import.txt")


@require_safe
@about_studies
def download_json(request: HttpRequest, study: str) -> HttpResponse:
    record = get_record_for_reader(slug=study, user=request.user)
    return write_file(write_json(record), "application/json", "import.json")


def write_file(text: str, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_POST
@about_studies
@login_required
def copy_one(request: UserRequest, study: str) -> HttpResponse:
    """Copy a study that the user may read into one of their own."""
    COPIES.check_and_count(str(request.user.pk))
    source = get_study_for_reader(slug=study, user=request.user)
    copied = copy_study(study=source, owner=request.user, now=timezone.now())
    return HttpResponseRedirect(reverse("studies:study", args=[copied.slug]))
