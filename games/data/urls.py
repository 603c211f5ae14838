"""The addresses of one's own data."""

from django.urls import path

from games.data import views

urlpatterns = [
    path("", views.data, name="data"),
    path("lilypad.json", views.export_json, name="data-json"),
    path("lilypad.csv", views.export_csv, name="data-csv"),
]
