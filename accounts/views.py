"""The account pages that allauth does not have: what there is to change, the name, and the way out."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.forms import ReauthenticateForm
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts import services
from accounts.forms import NameForm
from accounts.limits import limited
from accounts.look import keep, known, look_of
from accounts.models import User

View = Callable[..., HttpResponseBase]


def members_only(view: View) -> View:
    """Guests are asked to sign up, strangers to log in."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and request.user.is_guest:
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return login_required(enter)


@members_only
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Everything about one's account, with a link to where it is changed."""
    assert isinstance(request.user, User)
    address = EmailAddress.objects.filter(user=request.user).order_by("-primary").first()
    codes = Authenticator.objects.filter(user=request.user).exclude(type=Authenticator.Type.RECOVERY_CODES)
    return render(request, "account/overview.html", {"address": address, "protected": codes.exists()})


@members_only
@limited("change_name")
@require_http_methods(["GET", "HEAD", "POST"])
def name(request: HttpRequest) -> HttpResponse:
    """Change the name that others see, and that one logs in by."""
    assert isinstance(request.user, User)
    account = User.objects.get(pk=request.user.pk)  # the form writes into it, the page keeps the old name
    form = NameForm(request.POST or None, instance=account)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, gettext("You are called %(name)s now.") % {"name": account.username})
        return redirect("account")
    return render(request, "account/name.html", {"form": form})


@login_required
@limited("delete_account")
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=lambda request: request.method == "POST" and _proves_otherwise(request.user))
def delete(request: HttpRequest) -> HttpResponse:
    """Delete one's account: a member gives the password again, a guest only says so."""
    assert isinstance(request.user, User)
    data = request.POST if request.method == "POST" else None
    form = ReauthenticateForm(data, user=request.user) if request.user.has_usable_password() else Form(data)
    if form.is_valid():
        user = request.user
        logout(request)
        services.close(user=user)
        messages.success(request, gettext("Your account is deleted."))
        return redirect("lobby")
    return render(request, "account/delete.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
def look(request: HttpRequest) -> HttpResponse:
    """Choose how the site looks, some of it or all; strangers too."""
    if request.method != "POST":
        return render(request, "settings/page.html")
    answer = redirect("settings")
    keep(request, answer, {} if "reset" in request.POST else look_of(request) | known(request.POST.dict()))
    return answer


def _proves_otherwise(user: User) -> bool:
    """A member who logs in by passkey or another provider alone has no password to give."""
    return not user.is_guest and not user.has_usable_password()
