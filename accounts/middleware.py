"""At the door a guest counts as nobody. Who may see which page is for the views to say."""

from collections.abc import Callable
from typing import Any

from allauth.account.views import logout
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User


class Nobody(AnonymousUser):
    """A guest as allauth's pages see them; templates may still tell them from a stranger."""

    is_guest = True


class GuestsAtTheDoor(MiddlewareMixin):
    """Show guests to allauth's pages as nobody.

    allauth turns away, or logs out, whoever is logged in and enters again: by a one-time code, another provider, a link
    in a mail. A guest must get in, and must not lose the session that leads to their games. And pages that change an
    account are for members alone, or a guest could get a password without becoming one.
    """

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_arguments: Any) -> None:
        if not view.__module__.startswith("allauth.") or view is logout:
            return
        if isinstance(request.user, User) and request.user.is_guest:
            request.guest = request.user  # type: ignore[attr-defined]
            request.user = Nobody()
