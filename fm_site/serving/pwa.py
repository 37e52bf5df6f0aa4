"""What makes the site a progressive web app, which a browser can install: its manifest and its service worker."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

DAY = 24 * 3600
ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))


@require_safe
@cache_control(public=True, max_age=DAY)
def show_manifest(request: HttpRequest) -> HttpResponse:
    icons = [
        *(
            {"src": static(f"icons/{name}.png"), "type": "image/png", "sizes": f"{side}x{side}", "purpose": purpose}
            for name, side, purpose in ICONS
        ),
        {"src": static("icons/quiet.svg"), "type": "image/svg+xml", "sizes": "any"},
    ]
    manifest = {
        "name": "Firetop Mountain",
        "short_name": "Firetop",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#edf1f0",
        "theme_color": "#edf1f0",
        "lang": settings.LANGUAGE_CODE,
        "icons": icons,
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def show_worker(request: HttpRequest) -> HttpResponse:
    """Send the service worker. It is at the root, because it may only answer for addresses below it."""
    context = {"session_seconds": settings.SESSION_COOKIE_AGE}
    return render(request, "sw.js", context, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=DAY)
def show_favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that look for the icon at the root to its file."""
    return HttpResponseRedirect(static("icons/favicon.ico"))
