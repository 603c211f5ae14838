"""The addresses of the games' pages."""

from django.urls import include, path

from games import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("new/", views.new, name="new"),
    path("play/<slug:code>/", views.table, name="table"),
    path("play/<slug:code>/proof/", views.proof, name="proof"),
    path("rules/<slug:slug>/", views.rules, name="rules"),
    path("", include("games.examples.urls")),
    path("data/", include("games.data.urls")),
    path("", include("games.history.urls")),
    path("", include("games.deals.urls")),
]
