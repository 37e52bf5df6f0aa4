"""The rules of leagues and cups, on one page for players."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.rule_texts import CHAPTERS


@require_safe
def show_rules(request: HttpRequest) -> HttpResponse:
    return render(request, "league/rules.html", {"nav_current": "ladder", "chapters": CHAPTERS})
