"""The addresses of races."""

from django.urls import path, re_path

from games.race import views
from games.race.past import views as past

CODE = "(?P<code>[A-Za-z]{6})"

urlpatterns = [
    path("race/", views.lobby, name="race-lobby"),
    path("race/new/", views.new, name="race-new"),
    path("race/anyone/", views.anyone, name="race-anyone"),
    path("race/ghost/", views.ghost, name="race-ghost"),
    path("race/find/", views.find, name="race-find"),
    re_path(f"^race/{CODE}/$", views.room, name="race"),
    re_path(f"^race/{CODE}/join/$", views.join, name="race-join"),
    re_path(f"^race/{CODE}/look-again/$", views.look_again, name="race-look-again"),
    re_path(f"^race/{CODE}/qr.svg$", views.qr, name="race-qr"),
    re_path(f"^race/{CODE}/(?P<number>[0-9]{{1,5}})/$", past.replay, name="race-replay"),
    re_path(f"^race/{CODE}/(?P<number>[0-9]{{1,5}})/frames/$", past.frames, name="race-frames"),
    path("mine/races/", past.mine, name="my-races"),
]
