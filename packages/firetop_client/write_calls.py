"""Write the client's calls and models: ``python -m packages.firetop_client.write_calls``, with .venv's Python.

They come from the description of the API. What is written is committed, and tests/packages/test_client_calls.py fails
if it is not what the API describes.
"""

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "src" / "firetop_client"
NOTE = "Written by write_calls.py from the description of the API."
# Calls that are streams: client.py has them under the same names.
STREAMS = {"follow_battle"}
# What a model can do besides being read.
METHODS = {
    "Key": '''
    def __str__(self) -> str:
        """The key as orders name it."""
        return f"{self.seq}.{self.attempt}.{self.stage}"
''',
    "Battle": '''
    @property
    def is_over(self) -> bool:
        """Whether the battle has ended, with a result or without."""
        return self.status not in ("running", "stuck")

    @property
    def owes_orders(self) -> bool:
        """Whether it waits for orders of the mage that `orders` is for."""
        return self.orders is not None and not self.orders.ready
''',
}
Described = Mapping[str, Any]


def write_all(described: Described) -> dict[str, str]:
    """Return the text of each module by its name."""
    return {"models.py": write_models(described), "calls.py": write_calls(described)}


# --- Models -----------------------------------------------------------------------------------------------------------


def write_models(described: Described) -> str:
    """Return the classes of what the API sends, and of what is sent inside a body."""
    kinds = described["components"]["schemas"]
    sent, answered = find_kinds(described)
    classes = [write_typed_dict(name, kinds[name]) for name in sorted(sent)]
    classes += [write_dataclass(name, kinds[name]) for name in sorted(answered)]
    imports = "from dataclasses import dataclass\nfrom datetime import datetime\nfrom typing import Any, Literal"
    imports += ", NotRequired, TypedDict"
    head = f'"""What the API says, as typed values. {NOTE}"""\n\nfrom __future__ import annotations\n\n{imports}\n'
    names = "".join(f'    "{name}",\n' for name in sorted(sent | answered))
    return format_code("\n\n".join([head, f"__all__ = [\n{names}]", *classes]))


def find_kinds(described: Described) -> tuple[set[str], set[str]]:
    """Return the names of the kinds of data inside bodies, and of those in answers."""
    kinds = described["components"]["schemas"]
    sent: set[str] = set()
    answered: set[str] = set()
    for _path, _method, call in list_calls(described):
        body = find_body(described, call)
        if body is not None:
            for member in body["properties"].values():
                add_kinds(member, kinds, sent)
        answer = find_answer(call)
        if answer is not None:
            add_kinds({"$ref": f"/{answer}"}, kinds, answered)
    return sent, answered | {"ProblemItem"}


def add_kinds(schema: Any, kinds: Described, found: set[str]) -> None:
    """Add the names of all kinds that a schema refers to."""
    if isinstance(schema, dict):
        name = schema.get("$ref", "").rpartition("/")[2]
        if name and name not in found:
            found.add(name)
            add_kinds(kinds[name], kinds, found)
        for each in schema.values():
            add_kinds(each, kinds, found)
    elif isinstance(schema, list):
        for each in schema:
            add_kinds(each, kinds, found)


def write_dataclass(name: str, schema: Described) -> str:
    members = [
        f"    {member}: {write_type(each, is_sent=False)}\n{write_text(each.get('description', ''), 4)}"
        for member, each in schema["properties"].items()
    ]
    return (
        f"@dataclass(frozen=True, slots=True)\nclass {name}:\n{write_text(schema['description'], 4)}\n"
        + "".join(members)
        + METHODS.get(name, "")
    )


def write_typed_dict(name: str, schema: Described) -> str:
    required = schema.get("required", ())
    members = ""
    for member, each in schema["properties"].items():
        kind = write_type(each, is_sent=True)
        members += f"    {member}: {kind if member in required else f'NotRequired[{kind}]'}\n"
        members += write_text(each.get("description", ""), 4)
    return f"class {name}(TypedDict):\n{write_text(schema['description'], 4)}\n{members}"


def write_type(schema: Described, *, is_sent: bool) -> str:
    """Return the annotation of a value. What is sent has one of the listed values; what is answered may have others."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(write_type(each, is_sent=is_sent) for each in schema["anyOf"])
    if "enum" in schema and is_sent:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    kind = schema.get("type")
    if kind == "array":
        return f"list[{write_type(schema['items'], is_sent=is_sent)}]"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"dict[str, {write_type(inner, is_sent=is_sent) if isinstance(inner, dict) else 'Any'}]"
    if kind == "string" and schema.get("format") == "date-time":
        return "datetime"
    known = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", None: "Any"}
    return known[kind]


# --- Calls ------------------------------------------------------------------------------------------------------------


def write_calls(described: Described) -> str:
    """Return the two classes with a method for each call."""
    listed = [each for each in list_calls(described) if each[2]["operationId"] not in STREAMS]
    names = sorted(set().union(*find_kinds(described)))
    body = [
        f'"""A method for each call of the API. {NOTE}"""',
        "from __future__ import annotations",
        "from typing import Literal",
        f"from firetop_client.models import {', '.join(names)}",
        "from firetop_client.transport import UNSET, AsyncTransport, SyncTransport, Unset",
        '__all__ = ["AsyncCalls", "Calls"]',
    ]
    for name, base, is_async in (("Calls", "SyncTransport", False), ("AsyncCalls", "AsyncTransport", True)):
        text = f'class {name}({base}):\n    """The calls of the API, named as in its description."""\n\n'
        text += "\n".join(write_method(described, *each, is_async=is_async) for each in listed)
        body.append(text)
    return format_code("\n\n".join(body))


def list_calls(described: Described) -> Iterator[tuple[str, str, Described]]:
    """Yield the path, the method and the description of each call."""
    for path, calls in described["paths"].items():
        for method, call in calls.items():
            yield re.sub(r"^/api/v\d+", "", path), method, call


def find_body(described: Described, call: Described) -> Described | None:
    """Return the schema of what a call is sent."""
    if "requestBody" not in call:
        return None
    name = call["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    schema: Described = described["components"]["schemas"][name]
    return schema


def find_answer(call: Described) -> str | None:
    """Return the name of what a call answers, None for nothing."""
    answers = [each for status, each in call["responses"].items() if 200 <= int(status) < 300]
    # A stream that is over answers nothing (204).
    answers = [each for each in answers if "content" in each] or answers
    # One that is not finished yet (202) has the members of the finished one.
    (schema,) = {each["content"]["application/json"]["schema"]["$ref"] if "content" in each else "" for each in answers}
    return str(schema.rpartition("/")[2]) or None


def write_method(described: Described, path: str, method: str, call: Described, *, is_async: bool) -> str:
    places = [each for each in call["parameters"] if each["in"] == "path"]
    query = [each for each in call["parameters"] if each["in"] == "query"]
    given = [f"{each['name']}: {write_type(each['schema'], is_sent=True)}" for each in places]
    named = [write_argument(each["name"], each["schema"], is_required=each["required"]) for each in query]
    body = find_body(described, call)
    members = dict(body["properties"]) if body is not None else {}
    required = body.get("required", ()) if body is not None else ()
    for name in sorted(members, key=lambda name: name not in required):
        named.append(write_argument(name, members[name], is_required=name in required))
    arguments = ["self", *given, *(["*", *named] if named else [])]
    answer = find_answer(call)
    parts = [repr(method.upper()), f'f"{path}"' if places else f'"{path}"', answer or "None"]
    if query:
        parts.append(f"query={write_dict([each['name'] for each in query])}")
    if body is not None:
        parts.append(f"body={write_dict(list(members))}")
    made = f"self.call({', '.join(parts)})"
    made = f"await {made}" if is_async else made
    told = [each for each in [*query] if each.get("description")]
    details = [(each["name"], each["description"]) for each in told]
    details += [(name, each["description"]) for name, each in members.items() if each.get("description")]
    text = call["description"] + "".join(f"\n\n`{name}`: {words}" for name, words in details)
    begin = "async def" if is_async else "def"
    head = f"    {begin} {call['operationId']}({', '.join(arguments)}) -> {answer or 'None'}:\n"
    return f"{head}{write_text(text, 8)}        {'return ' if answer else ''}{made}\n"


def write_argument(name: str, schema: Described, *, is_required: bool) -> str:
    kind = write_type(schema, is_sent=True)
    return f"{name}: {kind}" if is_required else f"{name}: Unset | {kind} = UNSET"


def write_dict(names: list[str]) -> str:
    return "{" + ", ".join(f'"{name}": {name}' for name in names) + "}"


def write_text(words: str, indent: int) -> str:
    """Return the words as a docstring, or nothing."""
    if not words:
        return ""
    margin = " " * indent
    paragraphs = [
        textwrap.wrap(" ".join(each.split()), 112 - indent, break_long_words=False, break_on_hyphens=False)
        for each in words.replace("\\", "\\\\").split("\n\n")
    ]
    lines = "\n\n".join("\n".join(f"{margin}{line}" for line in each) for each in paragraphs).lstrip()
    is_long = "\n" in lines or len(lines) + indent + 6 > 120
    return f'{margin}"""{lines}{f"{chr(10)}{margin}" if is_long else ""}"""\n'


def format_code(text: str) -> str:
    """Return the code as ruff writes it, without imports that it doesn't need."""
    ruff = [sys.executable, "-m", "ruff"]
    checked = [*ruff, "check", "--quiet", "--fix-only", "--select", "F401,I", "--stdin-filename", "made.py", "-"]
    for command in (checked, [*ruff, "format", "--quiet", "--stdin-filename", "made.py", "-"]):
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return text


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")
    import django

    django.setup()
    from fm_site.api.routers import describe_api

    for name, text in write_all(describe_api()).items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
