"""The site's statements about its security: to browsers (Permissions-Policy, Content-Security-Policy), and to people
who find a vulnerability."""

from datetime import timedelta
from urllib.parse import urljoin

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from operations.web.middleware import GetResponse

# Nothing here uses any of them, so no injected script or frame may either. Only names that Chromium knows: any other
# fills the console with warnings.
UNUSED = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media"),
    *("fullscreen", "geolocation", "gyroscope", "hid", "identity-credentials-get", "idle-detection", "local-fonts"),
    *("magnetometer", "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-create"),
    *("publickey-credentials-get", "screen-wake-lock", "serial", "storage-access", "usb"),
    *("window-management", "xr-spatial-tracking"),
)
POLICY = ", ".join(f"{name}=()" for name in UNUSED)
# RFC 9116 asks for less than a year.
VALID_FOR = timedelta(days=180)


def state_permissions(get_response: GetResponse) -> GetResponse:
    """Middleware: every response declares that it needs none of the browser's powers."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", POLICY)
        return response

    return respond


class OnePolicy(CSPMiddleware):
    """django-csp's middleware, which writes the policy once: it is the same for every response, except those of views
    with a policy of their own. No page uses a nonce."""

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self.policy = build_policy()

    def process_request(self, request: HttpRequest) -> None:
        """Prepare no nonce."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Send the policy."""
        if settings.DEBUG or any(name.startswith("_csp_") for name in vars(response)):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.policy)
        return response


@require_safe
def show_security_txt(request: HttpRequest) -> HttpResponse:
    """Say where to report a vulnerability, in the form of RFC 9116."""
    # To the day, so that the response is the same all day.
    expires = (timezone.now() + VALID_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        f"Contact: {settings.FM_SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en, de",
        f"Canonical: {urljoin(settings.FM_SITE_URL, '/.well-known/security.txt')}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
