"""An example of each call, for the description of the API: what to send, and the same as a line for a shell."""

import json
import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

NUMBER = 12
# By the name of the call: the parameters that its example has, if it has any.
QUERIES: Mapping[str, Mapping[str, object]] = {
    "read_events": {"after": 7},
    "search_finished_battles": {"who": "Bung", "result": "won", "kind": "duel"},
    "read_analysis": {"by": "Magus"},
    "list_challenges": {"joinable": True},
    "read_ladder": {"ruleset": "firetop-standard"},
    "read_own_news": {"part": "you"},
}


def add_examples(described: dict[str, Any]) -> None:
    """Add an example to the description of each call. Those of bodies come from their classes."""
    for path, calls in described["paths"].items():
        for method, call in calls.items():
            _add_example(path, method, call, described["components"]["schemas"])


def _add_example(path: str, method: str, call: dict[str, Any], kinds: Mapping[str, Any]) -> None:
    query, places = QUERIES.get(call["operationId"], {}), {}
    for parameter in call["parameters"]:
        name = parameter["name"]
        if parameter["in"] == "path":
            parameter["example"] = places[name] = parameter["schema"].get("enum", [NUMBER])[0]
        elif parameter["in"] == "query" and name in query:
            parameter["example"] = query[name]
    body = None
    if "requestBody" in call:
        media = call["requestBody"]["content"]["application/json"]
        body = media["example"] = kinds[media["schema"]["$ref"].rpartition("/")[2]]["examples"][0]
    line = _write_line(path.format(**places), method, query, body)
    call["x-codeSamples"] = [{"lang": "Shell", "label": "curl", "source": line}]


def _write_line(path: str, method: str, query: Mapping[str, object], body: Mapping[str, object] | None) -> str:
    """Return the call as a line for a shell, with the token in TOKEN."""
    words = ["curl", '-H "Authorization: Bearer $TOKEN"']
    if method not in ("get", "post") or (method == "post" and body is None):
        words.append(f"-X {method.upper()}")
    if body is not None:
        words += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(body))}"]
    written = {key: value if isinstance(value, str) else json.dumps(value) for key, value in query.items()}
    address = settings.FM_SITE_URL + path + (f"?{urlencode(written)}" if written else "")
    return " ".join([*words, shlex.quote(address)])
