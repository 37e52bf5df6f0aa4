"""Show a moment inside a translated sentence."""

from datetime import datetime
from typing import Any

from django import template
from django.template.loader import get_template
from django.utils import timezone

from duels.board.call import span_in_words

register = template.Library()


@register.filter
def span_until(until: datetime) -> str:
    """Return the time until then as the battle page says it, "2 days 4 hours"; "" under a minute."""
    seconds = int((until - timezone.now()).total_seconds())
    return span_in_words(seconds) if seconds >= 60 else ""


@register.simple_tag(takes_context=True)
def moment(context: dict[str, Any], value: datetime, part: str = "parts/moment.html") -> str:
    """Return a moment in the reader's time zone as `part` shows it: `{% moment link.expires_at as until %}`."""
    shown = {"moment": value, "zone": context["zone"], "zone_name": context["zone_name"]}
    return str(get_template(part).render(shown))
