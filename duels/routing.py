"""Addresses of WebSockets; fm_site/asgi.py serves them with session, user and origin check."""

from django.urls import path

from duels.consumers import BattleWatcher

websocket_urlpatterns = [path("ws/battles/<int:number>/", BattleWatcher.as_asgi(), name="battle_socket")]
# Where reverse() looks for them.
urlpatterns = websocket_urlpatterns
