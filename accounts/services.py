"""The only way to make, merge or close accounts; forms and passwords are allauth's business."""

import secrets

from django.contrib.auth import login
from django.db import transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.signals import account_closing, guest_claimed


def guest_for(request: HttpRequest) -> User:
    """Whoever sends this request; somebody unknown gets a guest account, bound to the session."""
    if request.method != "POST":
        raise ValueError("Looking at a page must not make an account")
    if isinstance(request.user, User):
        return request.user
    guest = User.objects.create_user(username=f"guest-{secrets.token_urlsafe(16)}", is_guest=True)
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


@transaction.atomic
def claim(*, guest: User, member: User) -> None:
    """Let a guest who turns out to be a member keep what they did as a guest. A second time nothing happens."""
    locked = User.objects.select_for_update().filter(pk__in=[guest.pk, member.pk]).order_by("pk")
    if {user.pk: user.is_guest for user in locked} == {guest.pk: True, member.pk: False}:
        guest_claimed.send(sender=User, guest=guest, member=member)
        guest.delete()


@transaction.atomic
def close(*, user: User) -> None:
    """Delete an account for good, with all that is this person's alone."""
    account_closing.send(sender=User, user=User.objects.select_for_update().get(pk=user.pk))
    user.delete()
