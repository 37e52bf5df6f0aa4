"""Markdown from anyone as HTML that is safe on a page."""

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence
    from typing import Any

    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import OptionsDict

MOST_KEPT = 64
LOWEST_HEADING = 6


def _lower_heading(
    renderer: "RendererHTML",
    tokens: "Sequence[Token]",
    place: int,
    options: "OptionsDict",
    env: "MutableMapping[str, Any]",
) -> str:
    """Draw a heading one level lower: the page has the only h1."""
    level = min(int(tokens[place].tag[1:]) + 1, LOWEST_HEADING)
    return f"<h{level}>" if tokens[place].nesting == 1 else f"</h{level}>\n"


def _make_parser() -> MarkdownIt:
    # Raw HTML is shown as text, addresses such as "javascript:" make no link, and there are no images: another site's
    # image would tell that site who reads the page.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("heading_open", _lower_heading)
    parser.add_render_rule("heading_close", _lower_heading)
    return parser


_parser = _make_parser()


@lru_cache(MOST_KEPT)
def render_markdown(text: str) -> SafeString:
    """Return the HTML of a text in Markdown (CommonMark and tables)."""
    html: str = _parser.render(text)
    return mark_safe(html)  # the parser escapes everything that it does not draw itself
