"""URLs of the WebSockets of challenges."""

from django.urls import path

from challenges.consumers import ChallengeWatcher

websocket_urlpatterns = [path("ws/challenges/<int:number>/", ChallengeWatcher.as_asgi())]
