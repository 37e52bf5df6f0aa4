"""Pages of collections."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.requests import UserRequest
from duels.models import Battle
from duels.selectors.viewer import find_battle
from operations.web.numbers import parse_number
from operations.web.throttle import Throttle
from studies.errors import NotYourStudy, StudyRefused
from studies.models import Study
from studies.selectors import collections as selectors
from studies.selectors.trees import get_study_for_reader
from studies.services import collections as services
from studies.views.shared import about_studies

CHANGES = Throttle("collections", limit=200, seconds=3600)


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def list_collections(request: HttpRequest) -> HttpResponse:
    """Show the user's collections and the public ones; a POST creates one."""
    if request.method == "POST":
        return make(request)
    mine = selectors.list_collections_of(request.user) if request.user.is_authenticated else []
    public = selectors.list_public_collections(request.user)
    return render(request, "studies/collections.html", {"mine": mine, "public": public})


@login_required
def make(request: Any) -> HttpResponse:
    """Make a collection, and add what the form names."""
    count(request)
    battle, study = read_about(request, request.POST)
    made = services.make_collection(owner=request.user, name=request.POST.get("name", ""), now=timezone.now())
    if battle or study:
        services.add_to_collection(
            collection=made, user=request.user, words="", now=timezone.now(), battle=battle, study=study
        )
    return HttpResponseRedirect(reverse("studies:collection", args=[made.slug]))


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_collection(request: HttpRequest, collection: str) -> HttpResponse:
    """Show a collection; its owner's POST changes it."""
    if request.method == "POST":
        return change(request, collection=collection)
    kept = selectors.get_collection_for_reader(slug=collection, user=request.user)
    context: dict[str, Any] = {
        "collection": kept,
        "entries": selectors.list_entries_for_reader(kept, request.user),
        "is_mine": kept.owner_id == request.user.pk,
    }
    return render(request, "studies/collection.html", context)


@login_required
def change(request: Any, collection: str) -> HttpResponse:
    """Change the words, remove an entry, or delete the collection."""
    kept = selectors.get_collection_for_reader(slug=collection, user=request.user)
    if kept.owner_id != request.user.pk:
        raise NotYourStudy
    count(request)
    sent, user = request.POST, request.user
    act = sent.get("act")
    if act == "change":
        services.change_collection(
            collection=kept,
            user=user,
            name=sent.get("name", ""),
            words=sent.get("words", ""),
            access=sent.get("access", ""),
        )
    elif act == "remove" and (entry := parse_number(sent.get("entry", ""))) is not None:
        services.remove_from_collection(collection=kept, user=user, entry=entry)
    elif act == "delete":
        services.delete_collection(collection=kept, user=user)
        return HttpResponseRedirect(reverse("studies:collections"))
    else:
        raise StudyRefused("form_incomplete")
    return HttpResponseRedirect(reverse("studies:collection", args=[kept.slug]))


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
@login_required
def add(request: UserRequest) -> HttpResponse:
    """Choose a collection for a battle or a study; a POST adds it."""
    sent = request.POST if request.method == "POST" else request.GET
    battle, study = read_about(request, sent)
    if not (battle or study):
        raise StudyRefused("nothing_to_add")
    if request.method != "POST":
        context = {"battle": battle, "study": study, "mine": selectors.list_collections_of(request.user)}
        return render(request, "studies/add_to_collection.html", context)
    count(request)
    kept = selectors.get_collection_for_reader(slug=sent.get("collection", ""), user=request.user)
    services.add_to_collection(
        collection=kept,
        user=request.user,
        words=sent.get("words", ""),
        now=timezone.now(),
        battle=battle,
        study=study,
    )
    return HttpResponseRedirect(reverse("studies:collection", args=[kept.slug]))


def read_about(request: UserRequest, sent: QueryDict) -> tuple[Battle | None, Study | None]:
    """Return the battle or the study that a form names. Raises BattleNotFound, StudyNotFound, StudyRefused."""
    number, slug = parse_number(sent.get("battle", "")), sent.get("study", "")
    if number is not None:
        return find_battle(number=number), None
    return None, get_study_for_reader(slug=slug, user=request.user) if slug else None


def count(request: UserRequest) -> None:
    CHANGES.check_and_count(str(request.user.pk))
