"""Health probes for monitoring: `/health/live` and `/health/ready`; `/up/` is an older name of the latter.

Live: the process answers, so a restart would not help. Ready: it can serve pages, which needs a database that takes
changes and has this release's tables, a clock that agrees with it, room to write, and this release's static files,
collected before the process started. Whatever else is wrong is
reported, and is a failure only for a monitor that asks with `?strict=1`: a site without its background work still
serves pages.

`/metrics` answers here too: like the probes, it uses plain HTTP and has no session (fm_site/upkeep/metrics_page.py).
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from fm_site.serving.static_files import are_static_files_collected
from fm_site.upkeep.health_checks import CheckState, HealthCheck, run_health_checks
from fm_site.upkeep.metrics_page import METRICS, show_metrics
from operations.web.middleware import GetResponse

LIVE, READY = "/health/live", "/health/ready"


def answer_probes(get_response: GetResponse) -> GetResponse:
    """Middleware, one of the first: probes use plain HTTP and an IP address, and have no session."""
    # Once, because the files of another release may be collected into the same folder while this one runs.
    files = HealthCheck("static_files", CheckState.OK if are_static_files_collected() else CheckState.DOWN)

    def respond(request: HttpRequest) -> HttpResponseBase:
        path = request.path_info.rstrip("/")
        if path not in (LIVE, READY, METRICS, "/up"):
            return get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        if path == METRICS:
            return show_metrics(request) or get_response(request)
        if path == LIVE:
            return _answer({"status": "live"}, 200)
        return look_whether_ready(files, strict=request.GET.get("strict") == "1")

    return respond


def look_whether_ready(files: HealthCheck, *, strict: bool) -> HttpResponse:
    """Report the state of everything: 200, or 503 if pages cannot be served (`strict`: if anything is wrong)."""
    checks = [*run_health_checks(timezone.now()), files]
    states = {each.state for each in checks}
    status = "down" if CheckState.DOWN in states else "degraded" if CheckState.WARN in states else "ok"
    failed = status == "down" or (strict and status != "ok")
    return _answer(
        {"status": status, "checks": {each.name: _write_check(each) for each in checks}}, 503 if failed else 200
    )


def _write_check(check: HealthCheck) -> dict[str, Any]:
    number = {} if check.number is None else {check.unit: round(check.number, 4)}
    return {"status": check.state, **number}


def _answer(facts: dict[str, Any], status: int) -> HttpResponse:
    answer = JsonResponse(facts, status=status)
    answer["Cache-Control"] = "no-store"
    if status == 503:
        answer["Retry-After"] = str(settings.FM_RETRY_AFTER_SECONDS)
    return answer
