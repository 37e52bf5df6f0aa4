"""Moving a browser's progress into the account of the user who logs in there."""

from collections.abc import Callable

import structlog
from django.conf import settings
from django.db import InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from studies.progress import COOKIE, account_of, forget_in_browser, read_cookie
from studies.services.progress import merge_progress

log = structlog.get_logger(__name__)


def merge_progress_of_browser(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the first answer to a browser in which a user with an account is logged in moves its progress there.

    The browser forgets it, so that the next user of the same browser does not get it.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        # A stranger's page must not depend on whether anyone is logged in (fm_site.serving.page_cache).
        if request.COOKIES.get(COOKIE) and settings.SESSION_COOKIE_NAME in request.COOKIES and _merge(request):
            forget_in_browser(answer)
        return answer

    return respond


def _merge(request: HttpRequest) -> bool:
    """Store the browser's progress in the reader's account; return whether it is there.

    While the database takes no changes (a full disk, a replica), pages go on without, and the browser keeps it.
    """
    if hasattr(request, "token"):  # a program
        return False
    progress = read_cookie(request)
    try:
        user = account_of(request)
        if user is None:
            return False
        merge_progress(user=user, steps=progress.steps, puzzles=progress.puzzles, now=timezone.now())
    except (OperationalError, InternalError) as error:
        log.warning("progress not merged", error=type(error).__name__)
        return False
    return True
