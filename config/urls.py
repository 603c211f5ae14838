"""Which address belongs to which app. The pages themselves are in accounts/ and games/."""

import time

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest
from django.urls import include, path
from django.utils.translation import get_language
from django.views.decorators.http import etag
from django.views.i18n import JavaScriptCatalog

from accounts.language import switch
from accounts.views import look
from config import pages

# Throttled and with one-time codes, as for everybody.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
STARTED = int(time.time())


def catalogue_tag(request: HttpRequest, **kwargs: object) -> str:
    """Texts change only with the language and with a new release, which is a new process."""
    return f'"{get_language()}-{STARTED}"'


handler400 = pages.refused
handler500 = pages.broken
urlpatterns = [
    path("accounts/", include("accounts.urls")),
    path("settings/", look, name="settings"),
    path("admin/", admin.site.urls),
    path("manifest.webmanifest", pages.manifest, name="manifest"),
    path("service-worker.js", pages.service_worker, name="service-worker"),
    path("offline/", pages.offline, name="offline"),
    path("language/", switch, name="language"),
    path("jsi18n/", etag(catalogue_tag)(JavaScriptCatalog.as_view(packages=["games"])), name="javascript-catalog"),
    path("", include("games.race.urls")),
    path("", include("games.urls")),
]
