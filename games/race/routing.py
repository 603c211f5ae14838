"""The addresses of the races' websockets."""

from typing import Any, cast

from django.urls import path

from games.race.consumers import race_socket

websocket_urlpatterns = [
    path("ws/race/<slug:code>/", cast(Any, race_socket)),  # an ASGI application, not a view
]
