"""URLs of WebSockets. fm_site/asgi.py adds the session, the user and the origin check."""

from django.urls import path

from duels.consumers import BattleWatcher

websocket_urlpatterns = [path("ws/battles/<int:number>/", BattleWatcher.as_asgi(), name="battle_socket")]
# Where reverse() looks for them.
urlpatterns = websocket_urlpatterns
