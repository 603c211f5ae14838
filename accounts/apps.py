"""Tells Django that this app is here."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
