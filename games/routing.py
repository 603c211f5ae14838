"""Which websocket address leads to which consumer."""

from django.urls import URLPattern

websocket_urlpatterns: list[URLPattern] = []
