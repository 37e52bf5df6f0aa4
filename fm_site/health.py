"""Health probes for monitoring: `/health/live` and `/health/ready`; `/up/` is an older name of the latter.

Live: the process answers, so a restart would not help. Ready: it can serve pages, which needs the database and a clock
that agrees with it. Pages also work without Valkey, so its absence is reported but is not a failure.
"""

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import Error as RowsError
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from redis.exceptions import RedisError

from fm_site.operations.clock_check import find_clock_fault

LIVE, READY = "/health/live", "/health/ready"

Answer = Callable[[HttpRequest], HttpResponseBase]


def answer_probes(get_response: Answer) -> Answer:
    """Middleware, one of the first: probes use plain HTTP and an IP address, and have no session."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        path = request.path_info.rstrip("/")
        if path not in (LIVE, READY, "/up"):
            return get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        return _answer(["live"], 200) if path == LIVE else look_whether_ready()

    return respond


def look_whether_ready() -> HttpResponse:
    """Report whether everything that pages need is available: 200, or 503 if pages cannot be served."""
    lines, ready = [], True
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        lines.append("database: ok")
        fault = find_clock_fault(fresh=True)
        lines.append(f"clock: {'off' if fault else 'ok'}")
        ready = not fault
    except RowsError:
        connection.close()
        lines.append("database: down")
        ready = False
    lines.append(f"valkey: {'ok' if is_valkey_there() else 'down (pages work without it)'}")
    return _answer(["ready" if ready else "not ready", *lines], 200 if ready else 503)


def is_valkey_there() -> bool:
    """Return whether the cache server answers."""
    try:
        return bool(cache.ping()) if hasattr(cache, "ping") else True
    except (RedisError, OSError):
        return False


def _answer(lines: list[str], status: int) -> HttpResponse:
    answer = HttpResponse("\n".join(lines) + "\n", content_type="text/plain", status=status)
    answer["Cache-Control"] = "no-store"
    if status == 503:
        answer["Retry-After"] = str(settings.FM_RETRY_AFTER_SECONDS)
    return answer
