"""One process for everything: pages synchronously in threads, WebSockets natively (docs/decisions/0002)."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")
# Sets Django up, which the imports below need.
pages = get_wsgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from accounts.live.event_stream import EventFeed  # noqa: E402
from accounts.live.token_streams import TokenStreams  # noqa: E402
from challenges.consumers import websocket_urlpatterns as of_challenges  # noqa: E402
from challenges.live_lobby import websocket_urlpatterns as of_lobby  # noqa: E402
from duels.api.battle_stream import BattleFeed  # noqa: E402
from duels.live.consumers import websocket_urlpatterns as of_duels  # noqa: E402
from fm_site.serving.buffered_pages import BufferedPages  # noqa: E402
from fm_site.serving.page_stamps import PageStamps  # noqa: E402
from fm_site.serving.request_text import name_charset  # noqa: E402
from fm_site.serving.socket_limits import FailureMiddleware, LimitMiddleware, answer_unknown_url  # noqa: E402

# Extra bytes, so that a page can reject a slightly too long form with its own message.
FORM_WRAPPING = 100_000
sockets = URLRouter([*of_challenges, *of_lobby, *of_duels, re_path(r"", answer_unknown_url)])  # type: ignore[arg-type]  # Channels routes sockets with it

buffered_pages = BufferedPages(
    name_charset(pages),
    threads=settings.FM_PAGE_THREADS,
    body_limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE + FORM_WRAPPING,
)

application = ProtocolTypeRouter(
    {
        "lifespan": PageStamps(buffered_pages),
        "http": TokenStreams(TokenStreams(buffered_pages, BattleFeed), EventFeed),
        "websocket": FailureMiddleware(AllowedHostsOriginValidator(AuthMiddlewareStack(LimitMiddleware(sockets)))),
    }
)
