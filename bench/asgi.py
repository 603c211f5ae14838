"""The server that is measured: the site as it is, and beside it its rivals, which the site itself knows nothing of."""

from typing import Any, cast

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from django.urls import path

from config.asgi import application as site

from bench.rivals import Echo, Naive  # isort: skip  config.asgi has to load the apps first

rivals = URLRouter(
    [
        path("ws/echo/<str:code>/", cast(Any, Echo.as_asgi())),
        path("ws/naive/<str:code>/", cast(Any, AuthMiddlewareStack(Naive.as_asgi()))),
    ]
)


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Rivals by their addresses, and the site for all else."""
    served = rivals if scope["path"].startswith(("/ws/echo/", "/ws/naive/")) else site
    await cast(Any, served)(scope, receive, send)
