"""The addresses of the websockets."""

from typing import Any, cast

from django.urls import path

from games.consumers import table_socket

websocket_urlpatterns = [path("ws/play/<str:code>/", cast(Any, table_socket))]  # ASGI, not a view
