"""What search engines read: robots.txt, and the pages that anyone may want to find."""

from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from duels.terms import list_rulesets
from studies.lesson_tasks import LESSONS
from studies.models import Puzzle
from studies.selectors.classics import list_classics
from studies.selectors.puzzles import list_open_puzzles

DAY = 24 * 3600
# Pages that are for one user, or that cost more than a search engine gives back.
CLOSED = (
    *("/accounts/", "/admin/", "/api/", "/challenges/", "/desk/", "/dump/", "/keep/", "/mail/", "/mailbox/"),
    *("/battles/*/chat/", "/battles/*/what-if/", "/battles/search/", "/collections/", "/reports/", "/studies/"),
)
PAGES = (
    *("home", "play", "bots", "rules", "ladder", "statistics", "openings", "privacy", "api_docs"),
    *("battles", "studies:lessons", "studies:puzzles", "studies:classics"),
    *("league:overview", "league:rules", "league:hall", "league:cups"),
)


@require_safe
@cache_control(public=True, max_age=DAY)
def show_robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED)]
    text = "\n".join([*lines, "", f"Sitemap: {settings.FM_SITE_URL}{reverse('sitemap')}", ""])
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


class Pages(Sitemap):  # type: ignore[type-arg]
    """The pages that are always there."""

    def items(self) -> list[str]:
        return [
            *(reverse(name) for name in PAGES),
            *(reverse("ruleset", args=[name]) for name, _title in list_rulesets()),
            *(reverse("studies:lesson", args=[lesson.slug, 1]) for lesson in LESSONS),
            *(reverse("studies:classic", args=[row.slug]) for row in list_classics()),
        ]

    def location(self, item: str) -> str:
        return item


class Puzzles(Sitemap):  # type: ignore[type-arg]
    def items(self) -> Any:
        return list_open_puzzles()

    def location(self, item: Puzzle) -> str:
        return reverse("studies:puzzle", args=[item.pk])


SITEMAPS: dict[str, Any] = {"pages": Pages, "puzzles": Puzzles}


@require_safe
def show_sitemap(request: HttpRequest) -> HttpResponse:
    return sitemap(request, SITEMAPS)
