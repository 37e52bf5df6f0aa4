"""Shared by all API calls: the classes that describe their data, and reading a body.

Every class and member has an English description: the document at /api/v1/openapi.json and the page /api/docs/ are
generated from them.
"""

import json
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from operations.text.suggestions import find_nearest_word, suggest
from operations.web.problems import TITLES, Refusal, refuse

JSON = "application/json"
LONGEST_BODY = 16_000
# The largest number of a row or line that a column holds.
MOST_NUMBER = 2**63 - 1
DEEPEST = 8
# The most problems named for one body, and the most characters quoted of a wrong name.
MOST_ITEMS = 50
LONGEST_PLACE = 100
HALF = re.compile("[\ud800-\udfff]")
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
BRACKETS = re.compile(rb"[\[\]{}]")


# By the beginning of pydantic's name for the error.
TYPES = {
    "int": gettext_lazy('"%(name)s" must be a whole number.'),
    "bool": gettext_lazy('"%(name)s" must be true or false.'),
    "string_type": gettext_lazy('"%(name)s" must be text.'),
    "list": gettext_lazy('"%(name)s" must be a list.'),
    "dict": gettext_lazy('"%(name)s" must be an object.'),
    "model": gettext_lazy('"%(name)s" must be an object.'),
}


class NotJson(ValueError):
    """A body that Python accepts but JSON forbids or leaves undefined; the message says why."""


class Outgoing(BaseModel):
    """Data that we send."""


class Incoming(BaseModel):
    """Data that a program sends: nothing is converted, and members without a description are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


def show(example: dict[str, Any]) -> JsonDict:
    """Return what makes this an example of the data in the description; each kind of body has one of its own."""
    return {"examples": [example]}


def refuse_unwritable(text: str) -> str:
    """Return the text. Raises PydanticCustomError for NUL and unpaired surrogates, which JSON allows and the database
    does not."""
    if "\0" in text:
        raise PydanticCustomError("nul", "NUL")
    if HALF.search(text):
        raise PydanticCustomError("half", "half a character")
    return text


Text = Annotated[str, AfterValidator(refuse_unwritable)]


class ProblemItem(Outgoing):
    """One thing that is wrong with what you sent."""

    place: str = Field(description="The member or parameter that is wrong, such as `orders` or `invited.0`.")
    code: str = Field(description="What is wrong, for programs.")
    message: str = Field(description="What is wrong and what to do, for people.")
    nearest: str | None = Field(description="The valid form that is closest to what you sent.")
    line: int | None = Field(None, description="The line of the orders, counted from 1.")
    text: str | None = Field(None, description="The line as you sent it.")


class Problem(Outgoing):
    """An error (RFC 9457), sent as `application/problem+json`. Some errors have more members."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="A link to what the code means.")
    title: str = Field(description="What the code means.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What is wrong and what to do, for people.")
    code: str = Field(description="What is wrong, for programs.")
    problems: list[ProblemItem] | None = Field(None, description="Everything that is wrong with what you sent.")


def may_refuse(*statuses: int) -> dict[int, type[Problem]]:
    """Return the error responses of a call: for these statuses, and for those that any call may have."""
    return dict.fromkeys(sorted({401, 403, 429, 503, *statuses}), Problem)


# What is added to the description of an answer that can be a stream of Server-Sent Events, too.
STREAM: dict[str, Any] = {"content": {"text/event-stream": {"schema": {"type": "string"}}}}


def write_problem_item(
    place: str, code: str, message: str, nearest: str | None = None, **more: int | str | None
) -> dict[str, Any]:
    """Return one problem of a body or a parameter."""
    return {"place": place, "code": code, "message": message, "nearest": nearest, **more}


def refuse_items(status: int, code: str, items: Sequence[Mapping[str, Any]]) -> JsonResponse:
    """Return the problem response that names every item."""
    return refuse(status, code, " ".join(each["message"] for each in items), problems=list(items))


def read_object(request: HttpRequest) -> dict[str, Any]:
    """Return the body as a JSON object, {} if there is none. Raises Refusal. Size and depth are checked before
    parsing."""
    try:
        raw = request.body
    except RequestDataTooBig:
        raw = None
    if raw is None or len(raw) > LONGEST_BODY:
        detail = _("The body is longer than %(most)s bytes.") % {"most": LONGEST_BODY}
        raise Refusal(refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body_too_long", detail))
    if not raw:
        return {}
    if request.content_type not in ("", JSON):
        detail = _("Send the body as %(type)s.") % {"type": JSON}
        raise Refusal(refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not_json", detail))
    message = ""
    data: Any = None
    if not is_shallow(raw):
        message = _("The body is nested more than %(most)s levels deep.") % {"most": DEEPEST}
    else:
        try:
            data = json.loads(raw.decode(), object_pairs_hook=_read_members, parse_constant=_refuse_constant)
        except NotJson as error:
            message = str(error)
        except ValueError:
            message = _("The body is not JSON.")
        else:
            message = "" if isinstance(data, dict) else _("The body is not a JSON object.")
    if message:
        raise Refusal(refuse_items(HTTPStatus.BAD_REQUEST, "body", [write_problem_item("", "body", message)]))
    found: dict[str, Any] = data
    return found


def _read_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of an object. Reject a name that is given twice: programs differ about which one counts."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotJson(_('"%(name)s" is given twice.') % {"name": HALF.sub("", twice)[:LONGEST_PLACE]})
    return members


def _refuse_constant(name: str) -> None:
    raise NotJson(_("%(name)s is not JSON.") % {"name": name})


def is_shallow(raw: bytes) -> bool:
    """Return whether the nesting of brackets outside strings is within the limit."""
    depth = 0
    for bracket in BRACKETS.findall(STRING.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            return False
    return True


def refuse_invalid(errors: Sequence[Mapping[str, Any]]) -> JsonResponse:
    """Return the problem response for the errors that validation found. Each has pydantic's `type`, `loc` (where it
    was sent first), `input`, `msg` and `ctx`, and `members`, the known ones."""
    items, code = [], "body"
    for error in errors[:MOST_ITEMS]:
        source, *place = error["loc"]
        if source != "body":
            # The code of a parameter is its own name, if that has a meaning.
            code = next((str(name) for name in place if name in TITLES), "parameter")
        else:
            place = place[1:]  # without the name of the argument
        items.append(_write_item(".".join(map(str, place))[:LONGEST_PLACE], error))
    left = len(errors) - MOST_ITEMS
    if left > 0:
        words = ngettext("One more member is invalid.", "%(n)s more members are invalid.", left) % {"n": left}
        items.append(write_problem_item("", "more", words))
    return refuse_items(HTTPStatus.BAD_REQUEST, code, items)


def _write_item(place: str, error: Mapping[str, Any]) -> dict[str, Any]:
    kind, context, nearest = error["type"], error.get("ctx") or {}, None
    name = {"name": place}
    if kind == "extra_forbidden":
        nearest = find_nearest_word(place, error["members"], cutoff=0.6)
        message = suggest(_('"%(name)s" is unknown.') % name, nearest and f'"{nearest}"')
    elif kind == "missing" and not place:
        message = _("The body is empty. Send a JSON object.")
    elif kind == "missing":
        message = _('"%(name)s" is missing.') % name
    elif kind == "nul":
        message = _('"%(name)s" contains a NUL character.') % name
    elif kind == "half":
        message = _('"%(name)s" contains an incomplete character.') % name
    elif kind == "string_too_long":
        message = _('"%(name)s" is longer than %(most)s characters.') % {**name, "most": context["max_length"]}
    elif kind == "string_too_short":
        message = _('"%(name)s" is empty.') % name
    elif kind == "too_long":
        message = _('"%(name)s" has more than %(most)s entries.') % {**name, "most": context["max_length"]}
    elif kind in ("literal_error", "enum"):
        known = [each.strip("'") for each in re.split(r", | or ", context["expected"])]
        sent = error["input"]
        nearest = find_nearest_word(sent, known) if isinstance(sent, str) else None
        message = suggest(_('"%(name)s" must be one of: %(known)s.') % {**name, "known": ", ".join(known)}, nearest)
    elif kind.startswith("said_"):
        message, nearest = error["msg"], context.get("nearest")
    elif kind == "greater_than_equal":
        message = _('"%(name)s" must be at least %(least)s.') % {**name, "least": context["ge"]}
    elif kind in ("less_than_equal", "less_than"):
        most = context["le"] if "le" in context else context["lt"] - 1
        message = _('"%(name)s" must be at most %(most)s.') % {**name, "most": most}
    else:
        known_type = next((words for start, words in TYPES.items() if kind.startswith(start)), None)
        message = (str(known_type) if known_type else _('"%(name)s" has the wrong type.')) % name
    return write_problem_item(place, kind.removeprefix("said_"), message, nearest)


def reject_member(code: str, message: str, nearest: str | None = None) -> PydanticCustomError:
    """Return what a validator raises to reject a member with its own message."""
    return PydanticCustomError(f"said_{code}", message, {"nearest": nearest} if nearest else None)
