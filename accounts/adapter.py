"""Where allauth meets guests: signing up keeps the guest's account, logging in moves it over."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from accounts.models import User
from accounts.services import claim


class GuestAdapter(DefaultAccountAdapter):
    def new_user(self, request: HttpRequest) -> AbstractBaseUser:
        return guest_of(request) or super().new_user(request)

    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: Any, commit: bool = True
    ) -> AbstractBaseUser:
        assert isinstance(user, User)
        user.is_guest = False
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        guest = guest_of(request)
        super().login(request, user)
        if guest and guest != user and isinstance(user, User):
            claim(guest=guest, member=user)


def guest_of(request: HttpRequest) -> User | None:
    """The guest who sends this request, fresh from the database; None for members and strangers."""
    if not request.user.is_authenticated:
        return None
    return User.objects.filter(pk=request.user.pk, is_guest=True).first()
