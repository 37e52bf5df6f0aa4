"""The page /api/docs/, which shows the description of the API (OpenAPI) to people."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from fm_site.api.routers import describe_api

Schema = dict[str, Any]
TYPES = {"string": "text", "integer": "number", "boolean": "true or false", "null": "null", "object": "object"}
SOURCES = {"path": "in the path", "query": "in the query", "header": "header"}


@dataclass(frozen=True)
class Row:
    """One member, parameter or error: its name, type, place or rule, and meaning."""

    name: str
    type: str
    note: str
    words: str


@dataclass(frozen=True)
class ApiCall:
    """One call. `inputs` are the parameters that a form can fill in."""

    id: str
    method: str
    path: str
    summary: str
    words: str
    scopes: str
    parameters: tuple[Row, ...]
    inputs: tuple[Row, ...]
    body: str
    members: tuple[Row, ...]
    example: str
    line: str
    answer: str
    errors: str


@dataclass(frozen=True)
class Data:
    """One kind of data that calls accept or return."""

    name: str
    words: str
    members: tuple[Row, ...]


@require_safe
def show_docs(request: HttpRequest) -> HttpResponse:
    """Show every call with its parameters, its data and its errors."""
    groups, kinds = read_description()
    return render(request, "api_docs.html", {"groups": groups, "kinds": kinds})


@cache
def read_description() -> tuple[dict[str, list[ApiCall]], list[Data]]:
    """Return the calls by tag, and the kinds of data."""
    schema = describe_api()
    groups: dict[str, list[ApiCall]] = {}
    for path, calls in schema["paths"].items():
        for method, call in calls.items():
            groups.setdefault(call["tags"][0], []).append(read_call(path, method, call, schema))
    known = schema["components"]["schemas"]
    kinds = [Data(name, each.get("description", ""), tuple(list_members(each))) for name, each in known.items()]
    return groups, sorted(kinds, key=lambda kind: kind.name)


def read_call(path: str, method: str, call: Schema, schema: Schema) -> ApiCall:
    parameters = tuple(
        Row(each["name"], name_type(each["schema"]), SOURCES[each["in"]], each.get("description", ""))
        for each in call["parameters"]
    )
    request = call.get("requestBody", {}).get("content", {}).get("application/json")
    body = name_type(request["schema"]) if request else ""
    success = next(response for status, response in call["responses"].items() if int(status) < 300)
    answer = success.get("content", {}).get("application/json")
    members = tuple(list_members(schema["components"]["schemas"][body])) if body else ()
    return ApiCall(
        id=call["operationId"],
        method=method.upper(),
        path=path,
        summary=call["summary"],
        words=call["description"],
        scopes=" ".join(name.lower().removesuffix("own") for need in call["security"] for name in need),
        parameters=parameters,
        inputs=tuple(row for row in parameters if row.note != SOURCES["header"]),
        body=body,
        members=members,
        example=json.dumps(request["example"]) if body else "",
        line=call["x-codeSamples"][0]["source"],
        answer=name_type(answer["schema"]) if answer else "",
        errors=", ".join(str(status) for status in call["responses"] if int(status) >= 400),
    )


def list_members(schema: Schema) -> Iterator[Row]:
    """Yield the members of one kind of data."""
    required = schema.get("required", ())
    for name, each in schema.get("properties", {}).items():
        note = "required" if name in required else ""
        yield Row(name, name_type(each), note, each.get("description", ""))


def name_type(schema: Schema) -> str:
    """Return the type in words: "text or null", "list of Clock"."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(name_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {name_type(schema['items'])}"
    return TYPES.get(schema.get("type", ""), "any")
