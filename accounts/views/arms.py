"""Pictures of arms, for other sites, programs and emails: the same for everyone, in the colours of the light theme."""

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.arms.drawing import write_svg
from accounts.arms.raster import write_png
from accounts.requests import get_mage_or_404

# The sizes in pixels that are drawn.
SIZES = frozenset({18, 20, 24, 28, 32, 36, 40, 48, 72, 84, 96, 120, 240})
SIZE_OF_SVG = 120
# How long others may cache them: a mage who dies has other arms.
FRESH_SECONDS = 300


@require_safe
def show_svg(request: HttpRequest, name: str) -> HttpResponse:
    mage = get_mage_or_404(name)
    return _answer(request, write_svg(mage.arms, SIZE_OF_SVG, alt=mage.name).encode(), "image/svg+xml")


@require_safe
def show_png(request: HttpRequest, name: str, size: int) -> HttpResponse:
    if size not in SIZES:
        raise Http404(_("There is no such picture."))
    return _answer(request, write_png(get_mage_or_404(name).arms, size), "image/png")


def _answer(request: HttpRequest, picture: bytes, content_type: str) -> HttpResponse:
    """Respond with the picture, or with 304 to those who have it."""
    mark = f'"{hashlib.sha256(picture).hexdigest()[:32]}"'
    answer = HttpResponse(picture, content_type=content_type, headers={"ETag": mark})
    patch_cache_control(answer, public=True, max_age=FRESH_SECONDS)
    known: HttpResponse = get_conditional_response(request, etag=mark, response=answer) or answer
    return known
