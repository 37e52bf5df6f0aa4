"""The pages of the rules: all rulesets in short, each one in detail, and two compared."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.board.signs import WORDS
from duels.errors import InvalidTerms
from duels.paces import (
    MOST_EXTENSIONS,
    PACES,
    describe_pace,
    explain_first_wait,
    explain_never_moved,
    explain_pace,
    get_pace,
)
from duels.rule_anchors import anchors_of_difference
from duels.terms import find_rules, list_offers, list_rulesets, name_ruleset
from ladder.stakes import explain_limit
from operations.policy import SETTINGS, describe_policy
from operations.request_policy import recall_policy
from operations.web.numbers import read_number
from pictures.page_cards import make_page_card
from studies.rulebook.comparison import compare_rulesets, list_ways
from studies.rulebook.spells import ORDERS, list_sections, list_spells


@require_safe
def show_rules(request: HttpRequest) -> HttpResponse:
    """Show the rules in short, and the spells by name, gestures or length."""
    order = request.GET.get("order", "name")
    order = order if order in ORDERS else "name"
    policy = recall_policy()
    context = {
        "nav_current": "rules",
        "card": make_page_card("rules", path=request.path),
        "order": order,
        "orders": [(key, words) for key, (words, _) in ORDERS.items()],
        "offers": list_offers(),
        "sections": list_sections(),
        "spells": list_spells(order=order),
        "signs": list(WORDS.items())[:8],
        "numbers": describe_policy(policy),
        "most_extensions": MOST_EXTENSIONS,
        "most_absence": SETTINGS["absence_most_days"].describe(policy.absence_most_days),
        "never_moved": explain_never_moved(),
        "first_turn": explain_first_wait(),
        "limit": explain_limit(policy.wins_that_count),
        "paces": [(describe_pace(pace), explain_pace(pace)) for pace in (get_pace(name, policy) for name in PACES)],
    }
    return render(request, "rules/rules.html", context)


@require_safe
def show_ruleset(request: HttpRequest, name: str) -> HttpResponse:
    """Show a ruleset's differences from the base, its options and its spells; `?edition=` shows an older edition."""
    rules = find(name, read_number(request, "edition"))
    other = request.GET.get("with")
    if other:
        return redirect("compare_rulesets", rules.name, find(other).name)
    order = request.GET.get("order", "name")
    order = order if order in ORDERS else "name"
    context = {
        "nav_current": "rules",
        "card": make_page_card("rules", path=request.path, title=name_ruleset(rules.name)),
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
