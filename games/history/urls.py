"""The addresses of what was played."""

from django.urls import path

from games.history import figures, views

urlpatterns = [
    path("mine/", views.mine, name="mine"),
    path("mine/statistics/", figures.statistics, name="statistics"),
    path("play/<slug:code>/replay/", views.replay, name="replay"),
    path("play/<slug:code>/replay/frames/", views.frames, name="replay-frames"),
    path("play/<slug:code>/replay/share/", views.share, name="replay-share"),
    path("play/<slug:code>/replay/unshare/", views.unshare, name="replay-unshare"),
    path("play/<slug:code>/replay/take-over/", views.take_over, name="replay-take-over"),
    path("play/<slug:code>/replay/review/", views.review, name="replay-review"),
    path("replays/<slug:share_code>/", views.shared, name="shared-replay"),
    path("replays/<slug:share_code>/frames/", views.shared_frames, name="shared-replay-frames"),
]
