"""The addresses of worked examples."""

from django.urls import path

from games.examples import views

urlpatterns = [
    path("rules/<slug:slug>/example/", views.frames, name="example"),
    path("rules/<slug:slug>/example/play/", views.play, name="example-play"),
]
