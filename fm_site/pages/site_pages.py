"""The operator's pages: imprint, terms, minimum age, accessibility, illegal content, and their part of privacy."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from operations.models import SitePage
from operations.selectors import find_site_page
from operations.site_page_drafts import MISSING
from operations.text.markdown import render_markdown


@dataclass(frozen=True)
class PageText:
    """What the operator wrote, in which language, and when it was last changed."""

    html: SafeString
    language: str
    saved_at: datetime


def read_page_text(name: str) -> PageText | None:
    """Return the operator's page for a reader of the language of the moment."""
    page = find_site_page(name, get_language() or "")
    if page is None:
        return None
    text = page.text.replace(MISSING, "*" + gettext("not filled in yet") + "*")
    return PageText(render_markdown(text), page.language, page.saved_at)


@require_safe
def show_site_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the operator's pages; or, as not found, that they have not written it."""
    page = read_page_text(name)
    context = {"name": name, "title": SitePage.Name(name).label, "page": page}
    return render(request, "site_page.html", context, status=200 if page else 404)
