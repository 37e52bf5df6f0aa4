"""``{% keep board.sides user.is_guest %}...{% endkeep %}``: a piece of a page that is rendered once for each content.

*The key* is everything the piece can depend on: the place of the tag in its template, the language, the time zone, and
the values that it names, compared with ``==``, not by a hash of them.

*It cannot leak*: inside the tag, these values are all there is. No request, user or other variable of the page reaches
it, and a name that is not listed raises NotListed. So everyone who gets a kept piece has provided, in the values, every
fact that is in it. The values must be immutable (`check_constant`). ``{% csrf_token %}`` inside leaves a mark, which
becomes the reader's own token each time.

*It is bounded*: each process keeps the MOST_KEPT pieces that were used last.
"""

import itertools
import secrets
from collections.abc import Iterator
from dataclasses import fields
from datetime import date, timedelta, tzinfo
from typing import Any

from django import template
from django.template import Context, Node, NodeList, TemplateSyntaxError, Variable, VariableDoesNotExist
from django.template.base import Parser, Token
from django.utils.functional import LazyObject, Promise, empty
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

from operations.immutable_cache import LruCache

MOST_KEPT = 2000
# How often the values of a tag are checked: of which types they are does not depend on the reader.
CHECKED_DRAWINGS = 20
# Nobody can write this mark into a page: it is drawn anew for each process, and never sent.
TOKEN_MARK = secrets.token_hex(16)
CONSTANT = (str, int, float, bool, type(None), date, timedelta, tzinfo, Promise)

register = template.Library()
_serial = itertools.count()


class NotListed(Exception):
    """A kept piece uses something that is not listed in its tag."""


# The pieces kept by this process.
kept_pieces: LruCache[SafeString] = LruCache(MOST_KEPT)


class Listed:
    """A variable as a kept piece sees it: only the attributes listed in its tag."""

    def __init__(self, name: str) -> None:
        self.__name = name

    def __getattr__(self, attribute: str) -> Any:
        raise NotListed(f"{self.__name}.{attribute}")

    def __getitem__(self, key: Any) -> Any:
        raise TypeError  # so that Django asks for the attribute


class Kept(Context):
    """The context of a kept piece. Reading anything that is neither listed nor set by a tag inside is an error."""

    def __getitem__(self, key: Any) -> Any:
        for values in reversed(self.dicts):
            if key in values:
                return values[key]
        if key == "csrf_token":
            return ""
        raise NotListed(key)

    def get(self, key: Any, otherwise: Any = None) -> Any:
        """Read for tags such as ``csrf_token``, which would fall back to nothing."""
        return self[key]


class KeepNode(Node):
    """The tag. `paths` are the names in it: "name", or "name.attribute"."""

    child_nodelists = ("nodelist",)

    def __init__(self, paths: list[str], nodelist: NodeList) -> None:
        self.nodelist = nodelist
        self.paths = [tuple(path.split(".")) for path in paths]
        self.variables = [Variable(path) for path in paths]
        # Never used again: a template that is loaded anew, as in development, gets other numbers.
        self.serial = next(_serial)
        self.checks_left = CHECKED_DRAWINGS

    def render(self, context: Context) -> SafeString:
        values = tuple(self._read(variable, context) for variable in self.variables)
        has_forms = "csrf_token" in context
        key = (self.serial, get_language(), get_current_timezone_name(), has_forms, values)
        html = kept_pieces.get(key)
        if html is None:
            if self.checks_left:
                self.checks_left -= 1
                for path, value in zip(self.paths, values, strict=True):
                    check_constant(value, ".".join(path))
            html = self.draw(values, context, has_forms=has_forms)
            kept_pieces.put(key, html)
        # Reading the token makes the response set its cookie.
        return html if TOKEN_MARK not in html else mark_safe(html.replace(TOKEN_MARK, str(context["csrf_token"])))

    def draw(self, values: tuple[Any, ...], context: Context, *, has_forms: bool) -> SafeString:
        """Render the piece, with nothing but the values."""
        names: dict[str, Any] = {"csrf_token": TOKEN_MARK} if has_forms else {}
        for path, value in zip(self.paths, values, strict=True):
            if len(path) == 1:
                names[path[0]] = value
            else:
                setattr(names.setdefault(path[0], Listed(path[0])), path[1], value)
        inside = Kept(names, autoescape=context.autoescape)
        assert context.template is not None
        with inside.bind_template(context.template):
            return mark_safe(self.nodelist.render(inside))  # its own output, as of any node

    @staticmethod
    def _read(variable: Variable, context: Context) -> Any:
        try:
            value = variable.resolve(context)
        except VariableDoesNotExist:
            return None
        if isinstance(value, LazyObject):
            if value._wrapped is empty:
                value._setup()
            value = value._wrapped
        return value


@register.tag
def keep(parser: Parser, token: Token) -> KeepNode:
    """Keep what is rendered up to ``endkeep``, for each content of the variables listed."""
    paths = token.split_contents()[1:]
    if any(not part.isidentifier() for path in paths for part in path.split(".")) or any(
        path.count(".") > 1 for path in paths
    ):
        raise TemplateSyntaxError("keep takes names, and names with one attribute.")
    nodelist = parser.parse(("endkeep",))
    parser.delete_first_token()
    return KeepNode(paths, nodelist)


def check_constant(value: Any, path: str) -> None:
    """Raise TypeError unless the value is immutable and equal to another only if all of its content is."""
    if isinstance(value, CONSTANT):
        return
    if not isinstance(value, tuple) and not _is_frozen(value):
        raise TypeError(f"{path} is a {type(value).__name__}, which may change")
    for name, each in _parts_of(value):
        check_constant(each, f"{path}.{name}")


def _is_frozen(value: Any) -> bool:
    chosen: Any = getattr(type(value), "__dataclass_params__", None)
    return chosen is not None and chosen.frozen and chosen.eq


def _parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple):
        yield from ((str(place), each) for place, each in enumerate(value))
    else:
        for field in fields(value):
            if not field.compare:
                raise TypeError(f"{field.name} of {type(value).__name__} is not compared")
            yield field.name, getattr(value, field.name)
