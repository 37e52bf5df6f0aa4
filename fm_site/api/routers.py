"""The API: the routers of all apps under one version, its description (OpenAPI 3.1), and its errors."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import override
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import ValidationError, ValidationErrorContext
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.parser import Parser
from pydantic import BaseModel

from accounts import api as of_accounts
from challenges.api import calls as challenge_calls
from challenges.api import lobby as of_lobby
from challenges.api import routes as of_challenges
from duels.api import draw_routes as of_draws
from duels.api import routes as of_battles
from duels.api import time_routes as of_time
from fm_site.api import news as of_news
from fm_site.api.examples import add_examples
from fm_site.api.guard import guard
from ladder import api as of_ladders
from league.api import cups as of_cups
from league.api import leagues as of_leagues
from operations.web.api_schema import Incoming, refuse_invalid
from operations.web.problems import API, CONTENT_TYPE, Refusal, Refusals
from studies.api import analysis_routes as of_analyses
from studies.api import position as of_positions
from studies.api import routes as of_records

VERSION = "v1"
DESCRIPTION = """Programs can do here what people do on the site's pages, and see exactly what the same user sees there.

Send `Authorization: Bearer fm_…` with a token from *Settings → API tokens*. Without a token you are a spectator.
Errors are problem details (RFC 9457) and name everything that is wrong. `docs/api.md` is an introduction."""


class ReadBody(Parser):
    """Hands over the body that accounts.api_access has read."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        body: dict[str, Any] = request.sent  # type: ignore[attr-defined]
        return body


class SiteApi(NinjaAPI):
    """All API calls, with their shared behaviour."""

    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """Add what operations.web.api_schema needs to name the nearest valid form."""
        error_list = super().validation_error_from_error_contexts(error_contexts)
        more = [
            {"input": error["input"], "members": list_members(context.model)}
            for context in error_contexts
            for error in context.pydantic_validation_error.errors(include_url=False)
        ]
        return ValidationError([error | added for error, added in zip(error_list.errors, more, strict=True)])

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of the call: programs that are generated from the description name their functions so."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **more: Any) -> OpenAPISchema:
        """Return the description, in English, with the media type of errors, and the scope and an example of each
        call."""
        with override("en"):
            schema = super().get_openapi_schema(**more)
        schema["servers"] = [{"url": settings.FM_SITE_URL, "description": "This site"}]
        add_examples(schema)
        for calls in schema["paths"].values():
            for method, call in calls.items():
                describe_guard(method, call)
        return schema


TEXT = {"type": "string"}
HEADERS = {
    "RateLimit": ("How many calls are left, and for how many seconds this counts.", '"calls";r=599;t=42'),
    "RateLimit-Policy": ("How many calls you may make in how many seconds.", '"calls";q=600;w=60'),
}
ETAG = ("A mark of the answer: send it as `If-None-Match`, and you get 304 until the answer changes.", '"0f343b09"')
IDEMPOTENCY_KEY = (
    "Idempotency-Key",
    "A text of your own, such as a UUID. A call that is sent again with the same key within a day has no second effect "
    "and gets the same answer.",
)
IF_NONE_MATCH = ("If-None-Match", "The `ETag` of the answer that you have.")


def describe_guard(method: str, call: dict[str, Any]) -> None:
    """Add the effects of fm_site.api.guard to the description of a call."""
    reads = method == "get"
    name, description = IF_NONE_MATCH if reads else IDEMPOTENCY_KEY
    call["parameters"].append(
        {"in": "header", "name": name, "required": False, "description": description, "schema": TEXT}
    )
    for status, answer in call["responses"].items():
        if int(status) >= 400 and "content" in answer:
            answer["content"] = {CONTENT_TYPE: answer["content"]["application/json"]}
        headers = HEADERS | ({"ETag": ETAG} if reads and int(status) == 200 else {})
        answer["headers"] = {
            header: {"description": words, "schema": TEXT, "example": example}
            for header, (words, example) in headers.items()
        }
    if call["security"] == [{"Read": []}]:
        call["security"].append({})  # strangers may call it too
    if reads:
        call["responses"][304] = {"description": "Not modified: you have the answer already"}


def list_members(sent: type[BaseModel]) -> list[str]:
    """Return the names of the members of the bodies among the arguments of a call."""
    bodies = [field.annotation for field in sent.model_fields.values()]
    return [
        name for body in bodies if isinstance(body, type) and issubclass(body, Incoming) for name in body.model_fields
    ]


def _refuse(request: HttpRequest, refusal: Refusal) -> JsonResponse:
    return refusal.answer


def _refuse_invalid(request: HttpRequest, error: ValidationError) -> JsonResponse:
    return refuse_invalid(error.errors)


def _leave_to_middleware(request: HttpRequest, error: Exception) -> JsonResponse:
    # With DEBUG, ninja would answer any fault with its traceback, also that the database is away.
    raise error


def make_api() -> SiteApi:
    """Return the API with the routers of all apps."""
    made = SiteApi(
        title="Firetop Mountain",
        version="1",
        description=DESCRIPTION,
        openapi_url=None,
        docs_url=None,
        urls_namespace="api",
        parser=ReadBody(),
    )
    made.add_router("/battles", of_battles.router)
    made.add_router("/battles", of_time.router)
    made.add_router("/battles", of_draws.router)
    made.add_router("/battles", of_records.router)
    made.add_router("/battles", of_positions.router)
    made.add_router("/battles", of_analyses.router)
    made.add_router("", of_challenges.router)
    made.add_router("/challenges", challenge_calls.router)
    made.add_router("/lobby", of_lobby.router)
    made.add_router("/ladder", of_ladders.router)
    made.add_router("/leagues", of_leagues.router)
    made.add_router("/cups", of_cups.router)
    made.add_router("", of_accounts.router)
    made.add_router("/news", of_news.router)
    refusals: Refusals = {
        Refusal: _refuse,
        ValidationError: _refuse_invalid,
        Exception: _leave_to_middleware,
        **of_battles.REFUSALS,
        **of_time.REFUSALS,
        **of_records.REFUSALS,
        **of_analyses.REFUSALS,
        **challenge_calls.REFUSALS,
        **of_lobby.REFUSALS,
        **of_leagues.REFUSALS,
        **of_cups.REFUSALS,
        **of_accounts.REFUSALS,
    }
    for error, answer in refusals.items():
        made.add_exception_handler(error, answer)
    return made


def guard_all(patterns: list[URLPattern | URLResolver]) -> list[URLPattern]:
    """Return the URLs of the calls, guarded."""
    guarded = {
        (str(each.pattern), each.name): URLPattern(each.pattern, guard(each.callback), each.default_args, each.name)
        for each in patterns
        if isinstance(each, URLPattern) and each.name != "api-root"
    }
    return list(guarded.values())


api = make_api()


@cache
def describe_api() -> dict[str, Any]:
    """Return the description of the API (OpenAPI 3.1) as JSON data."""
    return dict(api.get_openapi_schema(path_prefix=f"{API}{VERSION}/"))


@require_safe
def show_openapi(request: HttpRequest) -> HttpResponse:
    """Return the description of the API (OpenAPI 3.1)."""
    return JsonResponse(describe_api())


calls = guard_all(api.urls[0])
urlpatterns = [path("openapi.json", show_openapi, name="openapi"), *calls]
