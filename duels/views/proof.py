"""The proof of a battle's orders and rolls."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.battle_page import about_one_battle
from duels.selectors.proof import get_proof_for_anyone


@require_safe
@about_one_battle
def show_proof(request: HttpRequest, number: int) -> HttpResponse:
    """Show the battle's commitments, and a check of records that runs in the browser."""
    return render(request, "duels/proof.html", {"proof": get_proof_for_anyone(number=number)})
