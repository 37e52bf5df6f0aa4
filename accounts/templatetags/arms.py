"""Arms on pages. `{% arms mage 24 %}` refers to a symbol; the `{% with_arms %}` around it draws each symbol once.

A blazon says all that its drawing shows, so the outer tag needs nothing but the text of the page: it also finds arms in
pieces that are kept (operations.templatetags.keep). Arms in a fragment that a page loads later bring their own symbols.
"""

import re
from typing import Any

from django import template
from django.template import Context, Node, NodeList
from django.template.base import Parser, Token
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts.arms.drawing import class_of, write_symbol
from accounts.arms.parts import SIGILS

USED = re.compile(r'href="#(arms-([smlx])-([\w-]+))"')
DRAWN = re.compile(r'<symbol id="(arms-[\w-]+)"')

register = template.Library()


@register.simple_tag
def arms(owner: Any, size: int, label: str = "") -> SafeString:
    """Draw the arms of a mage or user (anything with `arms`), or a blazon; nothing without one. They are beside the
    name, so screen readers skip them; where they are alone, `label` says whose they are."""
    blazon = getattr(owner, "arms", owner)
    if not blazon:
        return SafeString("")
    return format_html(
        '<svg class="arms" width="{}" height="{}" {}><use href="#arms-{}-{}"/></svg>',
        size,
        size,
        format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"'),
        class_of(size),
        blazon,
    )


@register.simple_tag
def bot_sigils() -> tuple[tuple[str, str], ...]:
    """Return name and path of each sigil, for pictures in which bots stand."""
    return tuple(SIGILS.items())


class ArmsNode(Node):
    """The tag `with_arms`."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        html = self.nodelist.render(context)
        if 'href="#arms-' not in html:
            return html
        done = set(DRAWN.findall(html))
        wanted = {name: (blazon, letter) for name, letter, blazon in USED.findall(html) if name not in done}
        if not wanted:
            return html
        symbols = "".join(write_symbol(blazon, letter, name) for name, (blazon, letter) in wanted.items())
        sprite = f'<svg class="sprite" aria-hidden="true" focusable="false">{symbols}</svg>'
        return mark_safe(html + sprite)  # drawn from blazons that the tag above wrote


@register.tag
def with_arms(parser: Parser, token: Token) -> ArmsNode:
    """Draw what is inside, and after it the symbols of the arms in it."""
    nodelist = parser.parse(("endwith_arms",))
    parser.delete_first_token()
    return ArmsNode(nodelist)
