"""What the server runs: pages through Django, websockets through Channels."""

import gc
import os
import warnings
from typing import Any, cast

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()  # loads the apps, so it comes before anything that imports models

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.db import DatabaseError  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from config import sight  # noqa: E402
from games import routing  # noqa: E402
from games.doors import Door  # noqa: E402
from games.race import routing as race_routing  # noqa: E402
from games.sockets import AWAY, turn_away  # noqa: E402


def with_user(application: Any) -> Any:
    """Say who it is, then step aside: Channels would stay, and look at the session again for every message sent."""

    async def known(scope: Any, receive: Any, send: Any) -> None:
        found: dict[str, Any] = {}

        async def inside(scope: Any, *_: Any) -> None:
            found.update(scope)

        try:
            await cast(Any, AuthMiddlewareStack(cast(Any, inside)))(scope, receive, send)
        except DatabaseError:
            await turn_away(receive, send, AWAY)
        else:
            await application(found, receive, send)

    return known


sockets = AllowedHostsOriginValidator(
    Door(with_user(URLRouter([*race_routing.websocket_urlpatterns, *routing.websocket_urlpatterns])))
)
http = URLRouter(
    [
        path("healthz", cast(Any, sight.healthz)),  # ASGI applications, not views
        path("readyz", cast(Any, sight.readyz)),
        path("metrics", cast(Any, sight.metrics)),
        re_path("", cast(Any, pages)),
    ]
)
application = ProtocolTypeRouter({"http": http, "websocket": sockets})

# WhiteNoise streams files from a plain iterator; Django warns about each, and it is meant so.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

# What is loaded by now stays for good; the collector need not walk through it while people play.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 50)  # a move makes many objects and hardly a circle of them: walk through them less often
