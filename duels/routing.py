"""Addresses of WebSockets; fm_site/asgi.py serves them with session, user and origin check."""

from typing import Any

websocket_urlpatterns: list[Any] = []
