"""Every call of the API with values made from its own description (schemathesis): each answer is one that the
description allows, for a stranger and for a player with every right."""

import json

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import ApiToken
from accounts.services.bots import ensure_bots
from accounts.services.tokens import issue_api_token
from fm_site.api.routers import api
from fm_site.wsgi import pages
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.services.plugin import LONG

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
# Of each call, for each of the two: about two minutes in all.
EXAMPLES = 30
NO_LIMITS = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def read_calls():
    described = schemathesis.openapi.from_dict(json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"))))
    described.app = pages
    described.config.update(base_url="http://localhost/")
    return [each.ok() for each in described.get_all_operations()]


CALLS = read_calls() if LONG else []  # reading the description takes seconds, in every process that collects tests
NAMES = [f"{call.method} {call.path}" for call in CALLS]


@pytest.fixture
def site(settings):
    settings.FM_API_CALLS_PER_MINUTE = settings.FM_API_CALLS_OF_NETWORK = 10**9
    cache.clear()
    ensure_bots(now=timezone.now())
    # As Django's own client does: the test's transaction outlives a request.
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield start_fight(make_mage("Froodal"), make_mage("Bung"))
    for signal in signals:
        signal.connect(close_old_connections)


def try_call(call, headers):
    """Call with many values, valid and invalid ones by turns."""

    @NO_LIMITS
    @given(st.data())
    def attempt(data):
        mode = data.draw(st.sampled_from([schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]))
        case = data.draw(call.as_strategy(generation_mode=mode))
        # The werkzeug client does not unpack compressed pages.
        case.call_and_validate(headers={"Accept-Encoding": "identity", **headers}, checks=CHECKS)

    attempt()


def test_the_description_has_calls():
    assert len(CALLS) >= 18


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_a_stranger_gets_what_the_description_allows(call, site):
    try_call(call, {})


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_a_player_gets_what_the_description_allows(call, site):
    token = issue_api_token(user=site.user("Froodal"), name="all", scopes=ApiToken.Scope.values, now=timezone.now())[1]
    try_call(call, {"Authorization": f"Bearer {token}"})
