"""The addresses of deals: by code, by number, by day."""

from django.urls import path

from games.deals import daily, views

urlpatterns = [
    path("deals/", views.index, name="deals"),
    path("deals/<slug:code>/", views.page, name="deal"),
    path("deals/<slug:code>/play/", views.play, name="deal-play"),
    path("deals/<slug:code>/private/", views.private, name="deal-private"),
    path("deals/<slug:code>/picture.webp", views.picture, {"form": "webp"}, name="deal-picture"),
    path("deals/<slug:code>/picture.png", views.picture, {"form": "png"}, name="deal-preview"),
    path("deals/<slug:code>/qr.svg", views.qr, name="deal-qr"),
    path("deals/<slug:code>/deal.txt", views.text, name="deal-text"),
    path("daily/", daily.today, name="daily"),
    path("daily/<str:day>/", daily.past, name="daily-day"),
    path("<slug:game>/<int:number>/", views.page, name="numbered"),
    path("<slug:game>/<int:number>/play/", views.play, name="numbered-play"),
    path("<slug:game>/<int:number>/picture.webp", views.picture, {"form": "webp"}, name="numbered-picture"),
    path("<slug:game>/<int:number>/picture.png", views.picture, {"form": "png"}, name="numbered-preview"),
    path("<slug:game>/<int:number>/qr.svg", views.qr, name="numbered-qr"),
    path("<slug:game>/<int:number>/deal.txt", views.text, name="numbered-text"),
]
