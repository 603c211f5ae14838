"""The account pages: our own few, allauth's, and other providers' where some are switched on."""

from allauth.urls import build_provider_urlpatterns
from django.conf import settings
from django.urls import include, path

from accounts import views

urlpatterns = [
    path("", views.overview, name="account"),
    path("name/", views.name, name="account_name"),
    path("delete/", views.delete, name="account_delete"),
    path("", include("allauth.account.urls")),
    path("2fa/", include("allauth.mfa.urls")),
]
if settings.SIGN_IN_WITH:
    urlpatterns += [path("3rdparty/", include("allauth.socialaccount.urls")), *build_provider_urlpatterns()]
