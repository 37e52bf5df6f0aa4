"""One process for everything: pages synchronously in threads, WebSockets natively (docs/decisions/0002)."""

import os

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")
# Sets Django up, which the imports below need.
pages = get_wsgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402

from challenges.routing import websocket_urlpatterns as of_challenges  # noqa: E402
from duels.routing import websocket_urlpatterns as of_duels  # noqa: E402
from fm_site.request_text import name_charset  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": WSGIMiddleware(name_charset(pages), workers=settings.FM_PAGE_THREADS),
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter([*of_challenges, *of_duels]))),
    }
)
