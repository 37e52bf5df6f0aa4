"""The pages of one ruleset and of two compared."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.errors import InvalidTerms
from duels.rulebook import ORDERS, anchors_of_difference, compare_rulesets, list_sections, list_spells, list_ways
from duels.terms import find_rules, list_offers, list_rulesets


@require_safe
def show_ruleset(request: HttpRequest, name: str) -> HttpResponse:
    """Show a ruleset's differences, options and spells; `?edition=` shows an older edition."""
    edition = request.GET.get("edition", "")
    rules = find(name, int(edition) if edition.isascii() and edition.isdigit() and len(edition) < 5 else None)
    other = request.GET.get("with")
    if other:
        return redirect("compare_rulesets", rules.name, find(other).name)
    order = request.GET.get("order", "name")
    order = order if order in ORDERS else "name"
    context = {
        "nav_current": "rules",
        "rules": rules,
        "differences": [(each, anchors_of_difference(rules, each)) for each in rules.differences],
        "newest": find(name),
        "ways": list_ways(rules),
        "sections": list_sections(rules.name, edition=rules.edition),
        "order": order,
        "orders": [(key, words) for key, (words, _) in ORDERS.items()],
        "spells": list_spells(rules.name, edition=rules.edition, order=order),
        "others": [(other, title) for other, title in list_rulesets() if other != name],
    }
    return render(request, "rules/ruleset.html", context)


@require_safe
def compare(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """Compare two rulesets, differences first."""
    context = {
        "nav_current": "rules",
        "comparison": compare_rulesets(find(name), find(other)),
        "offers": list_offers(),
    }
    return render(request, "rules/compare.html", context)


def find(name: str, edition: int | None = None) -> Any:
    """Return the ruleset, or raise 404 with the nearest name."""
    try:
        return find_rules(name=name, edition=edition)
    except InvalidTerms as error:
        raise Http404(str(error)) from error
