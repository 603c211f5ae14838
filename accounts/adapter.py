"""Where allauth meets guests: signing up keeps the guest's account, logging in moves it over."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect

from accounts.models import User
from accounts.services import claim


class GuestAdapter(DefaultAccountAdapter):
    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: Any, commit: bool = True
    ) -> AbstractBaseUser:
        take_row_of_guest(request, user)
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, user, form, commit)
        except IntegrityError:  # a second click on the button was faster, and has made the account
            raise ImmediateHttpResponse(redirect("account_login")) from None
        return saved

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        guest = guest_of(request)
        super().login(request, user)
        if guest and guest != user and isinstance(user, User):
            claim(guest=guest, member=user)


class ProviderAdapter(DefaultSocialAccountAdapter):
    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> Any:
        take_row_of_guest(request, sociallogin.user)
        return super().save_user(request, sociallogin, form)


def take_row_of_guest(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Let an account that is being made become the guest's own row, so that all that points there stays."""
    assert isinstance(user, User)
    if user._state.adding and (guest := guest_of(request)):
        user.pk, user.date_joined = guest.pk, guest.date_joined


def guest_of(request: HttpRequest) -> User | None:
    """The guest who sends this request, fresh from the database; None for members and strangers."""
    guest = getattr(request, "guest", None)
    return User.objects.filter(pk=guest.pk, is_guest=True).first() if guest else None
