"""Players' notes, turn by turn, sealed until the end."""

from itertools import groupby
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from duels.selectors.viewer import find_battle, get_battle_for_viewer, get_combatant_for_user, list_own_combatants
from studies.selectors.notes import find_note, list_notes_for_reader
from studies.services.notes import write_note
from studies.views.shared import about_studies


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_notes(request: HttpRequest, number: int) -> HttpResponse:
    """Show the notes that the reader may see, beside what happened; a POST saves one on the present turn."""
    if request.method == "POST":
        return save_note(request, number=number)
    battle = find_battle(number=number)
    context: dict[str, Any] = {"battle": battle}
    mine = list_own_combatants(battle, request.user)
    notes = list_notes_for_reader(battle, request.user)
    if not battle.is_over and mine:
        mage = get_combatant_for_user(number=number, user=request.user, mage_name=request.GET.get("mage") or None)
        context |= {"mage": mage.mage.name, "now": find_note(mage, seq=battle.seq, attempt=battle.attempt)}
        notes = tuple(row for row in notes if row.mage == mage.mage.name and row.seq != battle.seq)
    if notes:
        view = get_battle_for_viewer(number=number, user=request.user)
        headlines = {story.seq: story.headline for story in view.stories}
        context["turns"] = [
            {"label": label, "seq": seq, "headline": headlines.get(seq, ""), "notes": list(rows)}
            for (seq, label), rows in groupby(notes, key=lambda row: (row.seq, row.label))
        ]
    return render(request, "studies/notes.html", context)


@login_required
def save_note(request: HttpRequest, number: int) -> HttpResponse:
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=request.POST.get("mage") or None)
    write_note(combatant=combatant, text=request.POST.get("text", ""), now=timezone.now())
    return HttpResponseRedirect(request.path)
