"""Accounts for the staff."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.models import User


@admin.register(User)
class LilypadUserAdmin(UserAdmin):
    list_display = ("username", "email", "is_guest", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Playing"), {"fields": ("is_guest",)}))
