"""The addresses of the websockets."""

from typing import Any, cast

from django.urls import path, re_path

from games.consumers import no_socket, table_socket

websocket_urlpatterns = [
    path("ws/play/<slug:code>/", cast(Any, table_socket)),  # ASGI applications, not views
    re_path("", cast(Any, no_socket)),
]
