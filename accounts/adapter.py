"""Where allauth meets guests: signing up keeps the guest's account, logging in moves it over."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.language import settle
from accounts.limits import address
from accounts.models import User
from accounts.services import claim


class GuestAdapter(DefaultAccountAdapter):
    def get_client_ip(self, request: HttpRequest) -> str:
        """Of whom allauth's throttles count."""
        return address(request)

    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: Any, commit: bool = True
    ) -> AbstractBaseUser:
        with in_place_of_guest(request, user):
            saved: User = super().save_user(request, user, form, commit)
        return saved

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        guest = getattr(request, "guest", None)
        super().login(request, user)
        if guest and guest != user and isinstance(user, User):
            claim(guest=guest, member=user)

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **how: Any) -> HttpResponse:
        answer: HttpResponse = super().post_login(request, user, **how)
        if isinstance(user, User):
            settle(request, user, answer)
        return answer


class ProviderAdapter(DefaultSocialAccountAdapter):
    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> Any:
        with in_place_of_guest(request, sociallogin.user):
            return super().save_user(request, sociallogin, form)


@contextmanager
def in_place_of_guest(request: HttpRequest, user: AbstractBaseUser) -> Iterator[None]:
    """Let an account that is being made become the guest's own row, so that all that points there stays.

    Of two clicks on the button one makes the account, the other is sent to log in.
    """
    guest = getattr(request, "guest", None)
    try:
        with transaction.atomic():
            if guest and user.pk != guest.pk:
                if not User.objects.filter(pk=guest.pk, is_guest=True).update(is_guest=False):
                    raise IntegrityError("a member already")
                user.pk, user.date_joined = guest.pk, guest.date_joined  # type: ignore[attr-defined]
            yield
    except IntegrityError:
        raise ImmediateHttpResponse(redirect("account_login")) from None
