"""The pages of the games."""

from django.urls import path
from django.views.generic import TemplateView

urlpatterns = [
    path("", TemplateView.as_view(template_name="base.html"), name="lobby"),
    path("mine/", TemplateView.as_view(template_name="base.html"), name="mine"),
]
