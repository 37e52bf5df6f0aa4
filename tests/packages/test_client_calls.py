"""The client says what the API describes: every call with its parameters, every model with its members."""

import inspect
from dataclasses import fields, is_dataclass

import firetop_client
import pytest
from firetop_client import models
from firetop_client.client import AsyncFiretop, Firetop
from firetop_client.wire import UNSET

from fm_site.api.routers import describe_api
from packages.firetop_client.write_calls import FOLDER, find_body, list_calls, write_all


@pytest.fixture(scope="module")
def described():
    return describe_api()


def test_what_is_written_is_what_the_api_describes(described):
    again = "run .venv/bin/python -m packages.firetop_client.write_calls"
    for name, text in write_all(described).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, again


@pytest.mark.parametrize("client", [Firetop, AsyncFiretop])
def test_every_call_is_a_method_with_its_parameters(described, client):
    for _path, _method, call in list_calls(described):
        arguments = inspect.signature(getattr(client, call["operationId"])).parameters
        given = {each["name"] for each in call["parameters"] if each["in"] != "header"}
        body = find_body(described, call)
        required = {each["name"] for each in call["parameters"] if each["required"] and each["in"] != "header"}
        if body is not None:
            given |= set(body["properties"])
            required |= set(body.get("required", ()))
        own = {"self"} | ({"last"} if call["operationId"] == "follow_battle" else set())
        assert set(arguments) - own == given, call["operationId"]
        assert {name for name, each in arguments.items() if each.default is each.empty} - own == required
        assert all(each.default in (UNSET, each.empty) for each in arguments.values()) or own != {"self"}


def test_every_model_has_the_members_of_its_schema(described):
    kinds = described["components"]["schemas"]
    for name in models.__all__:
        model = getattr(models, name)
        members = {each.name for each in fields(model)} if is_dataclass(model) else set(model.__annotations__)
        assert members == set(kinds[name]["properties"]), name


def test_what_it_exports_is_there():
    assert all(hasattr(firetop_client, name) for name in firetop_client.__all__)
