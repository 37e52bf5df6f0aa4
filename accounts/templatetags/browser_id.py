"""Asks people who compete, on the pages where they do, whether we may know their browsers again."""

from typing import Any

from django import template

register = template.Library()


@register.inclusion_tag("accounts/_browser_id.html", takes_context=True)
def ask_for_browser_id(context: template.Context) -> dict[str, Any]:
    """Ask the reader, of whom the page knows that they compete, unless they have answered."""
    request = context["request"]
    is_asked = request.user.browser_id_allowed is None and not request.user.is_bot
    return {"is_asked": is_asked, "next": request.get_full_path(), "csrf_token": context.get("csrf_token")}
