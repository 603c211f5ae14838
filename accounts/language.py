"""Which language a page is in: a link's own, else the one chosen here, else what the browser asks for.

What somebody chose is kept in a cookie, and for members in the account, from where it comes along to other devices.
What the pages say is in locale/.
"""

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from accounts.models import User

IN_LINKS = "lang"


class LanguageOfPage(LocaleMiddleware):
    """Django's choice by cookie and browser, unless the link names a language for this one page."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        wanted = request.GET.get(IN_LINKS)
        if wanted in dict(settings.LANGUAGES):
            translation.activate(wanted)
            request.LANGUAGE_CODE = wanted


@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Have all pages in another language from now on."""
    chosen = request.POST.get("language")
    if chosen not in dict(settings.LANGUAGES):  # Django would take any language that it has itself
        raise BadRequest("No such language")
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(language=chosen)
    return set_language(request)


def settle(request: HttpRequest, user: User, answer: HttpResponse) -> None:
    """At the door the browser learns what the account says; an account that says nothing learns from the browser."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    if user.language:
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            user.language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
            secure=settings.LANGUAGE_COOKIE_SECURE,
        )
    elif chosen in dict(settings.LANGUAGES):
        User.objects.filter(pk=user.pk).update(language=chosen)
