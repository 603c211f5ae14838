"""Accounts for the staff. No secret of a member is shown, and no account is deleted here."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.signals import account_changed

# allauth would show the secret that one-time codes are made of; other providers are switched on by the environment.
for hidden in (Authenticator, SocialApp, SocialToken):
    admin.site.unregister(hidden)


@admin.register(User)
class LilypadUserAdmin(UserAdmin):
    """A guest has nothing to edit: a password set here would make a member of them behind their back."""

    list_display = ("username", "email", "is_guest", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_guest", "is_staff", "is_active")
    search_fields = ("username__istartswith", "email__istartswith")
    ordering = ("-id",)
    show_full_result_count = False
    readonly_fields = ("is_guest", "date_joined", "last_login")
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (
            _("Playing"),
            {
                "fields": ("is_guest",),
                "description": _("Accounts are deleted by their owners. To keep somebody out, make them inactive."),
            },
        ),
    )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not (obj and obj.is_guest)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Whatever was changed, the form of passwords included, this comes after it."""
        account_changed.send(sender=User, user=obj)
        return super().log_change(request, obj, message)


@admin.register(Authenticator)
class AuthenticatorAdmin(admin.ModelAdmin):
    """Passkeys and codes, to be removed for a member who has lost them and proved who they are."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("user__username__iexact",)
    fields = ("user", "type", "created_at", "last_used_at")
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
