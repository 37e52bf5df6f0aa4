"""The pages of the dump of all finished battles, which anyone can download."""

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from duels.dump import find_part, read_index


@require_safe
@never_cache
def show_dump(request: HttpRequest) -> HttpResponse:
    """List the files with their sizes and checksums."""
    written_at, parts = read_index(settings.FM_DUMP_DIR)
    months: dict[str, list[object]] = {}
    for part in sorted(parts, key=lambda each: each.month, reverse=True):
        months.setdefault(part.month, []).append(part)
    context = {
        "nav_current": "ladder",
        "written_at": parse_datetime(written_at) if written_at else None,
        "months": list(months.items()),
    }
    return render(request, "statistics/dump.html", context)


@require_safe
@never_cache
def download_part(request: HttpRequest, name: str) -> HttpResponseBase:
    """Download one file of the dump."""
    del request
    path = find_part(settings.FM_DUMP_DIR, name)
    if path is None:
        raise Http404(f"The dump has no file {name[:40]}.")
    return FileResponse(path.open("rb"), as_attachment=True, filename=name)
