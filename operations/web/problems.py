"""API errors as problem details (RFC 9457): one shape for every error under /api/."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext_lazy as _

API = "/api/"
CONTENT_TYPE = "application/problem+json"

# The title of each code. The problem's type is a URL of this site that ends with the code.
TITLES = {
    "bad_request": _("The request cannot be read"),
    "after": _("The parameter “after” cannot be read"),
    "parameter": _("A parameter cannot be read"),
    "body": _("The body cannot be read"),
    "body_too_long": _("The body is too long"),
    "not_json": _("The body was not sent as JSON"),
    "log_in": _("A token or a session is needed"),
    "token": _("The token is not valid"),
    "scope": _("The token does not allow that"),
    "csrf": _("The CSRF check failed"),
    "forbidden": _("You don't have permission to do that"),
    "held": _("Your account is on hold"),
    "not_your_mage": _("The mage is not yours"),
    "no_battle": _("No such battle"),
    "not_found": _("No such address"),
    "method": _("The method is not allowed here"),
    "not_over": _("The battle is not over"),
    "not_played": _("No turn has been played"),
    "not_analysed": _("Nobody has asked for an analysis"),
    "stale": _("The turn is over"),
    "nothing_to_order": _("There is nothing to order"),
    "too_late": _("The orders came too late"),
    "final": _("The orders are final"),
    "cannot_chat": _("The line was not written"),
    "conflict": _("The battle has moved on"),
    "not_understood": _("Some orders cannot be read"),
    "not_allowed": _("Some orders are not allowed"),
    "cannot_play": _("The battle cannot begin"),
    "cannot_become_bot": _("This account cannot become a bot"),
    "not_confirmed": _("Confirm it with the name of your account"),
    "no_challenge": _("No such challenge"),
    "no_ladder": _("No such ladder"),
    "no_league": _("No such league"),
    "no_cup": _("No such cup"),
    "no_hook": _("You have no such hook"),
    "no_webhook": _("You have no webhook"),
    "webhook": _("The webhook cannot be used"),
    "refused": _("That is not possible now"),
    "not_offered": _("That cannot be chosen"),
    "not_valid": _("The terms are not valid"),
    "key": _("The idempotency key cannot be used"),
    "too_many": _("Too many requests"),
    "error": _("The site had an error"),
    "unavailable": _("The site cannot answer now"),
    "unreadable": _("The battle's rules are not available"),
}
# The code for an error that was not raised by an API view.
BY_STATUS = {
    400: "bad_request",
    401: "log_in",
    403: "forbidden",
    404: "not_found",
    405: "method",
    409: "conflict",
    413: "body_too_long",
    415: "not_json",
    429: "too_many",
    500: "error",
    503: "unavailable",
}


class Refusal(Exception):
    """An error response on its way out of an API call."""

    def __init__(self, answer: JsonResponse) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


def refuse(status: int, code: str, detail: str, **more: Any) -> JsonResponse:
    """Return a problem response for programs (`code` and `more`) and people (`detail`)."""
    body = {
        "type": f"{settings.FM_SITE_URL}{API}problems/{code}/",
        "title": str(TITLES[code]),
        "status": int(status),
        "detail": detail,
        "code": code,
    }
    answer = JsonResponse(body | more, status=status, content_type=CONTENT_TYPE)
    answer["Cache-Control"] = "no-store"
    return answer


Refusals = dict[type[Exception], Callable[[HttpRequest, Any], JsonResponse]]


def refuse_as(status: int, code: str) -> Callable[[HttpRequest, Exception], JsonResponse]:
    """Return a function that answers an error with the error's own sentence."""

    def answer(request: HttpRequest, error: Exception) -> JsonResponse:
        return refuse(status, code, str(error))

    return answer


def refuse_by_status(status: int) -> JsonResponse:
    code = BY_STATUS.get(status, "bad_request" if status < 500 else "error")
    return refuse(status, code, f"{TITLES[code]}.")
