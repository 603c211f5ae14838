"""How a person wants the site to look, sound and listen: what there is to choose, and where the choice is kept.
What a choice does is for styles and scripts, which read it from the page's first element."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.conf import settings
from django.forms.utils import flatatt
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from accounts.models import User

Look = dict[str, str]

COOKIE = "look"

DEVICE = _("As the device")
ON, OFF = pgettext_lazy("setting", "On"), pgettext_lazy("setting", "Off")

# What may be chosen, with what it is called; the first value of each is the usual one.
CHOICES: dict[str, tuple[Promise, dict[str, Promise]]] = {
    "theme": (_("Colours"), {"device": DEVICE, "light": _("Light"), "dark": _("Dark")}),
    "contrast": (_("Contrast"), {"device": DEVICE, "high": _("High")}),
    "table": (pgettext_lazy("setting", "Table"), {"felt": _("Felt"), "paper": _("Paper")}),
    "face": (_("Cards"), {"classic": _("Classic"), "large": _("Large print")}),
    "suits": (_("Colours of the suits"), {"two": _("Two"), "four": _("Four")}),
    "hand": (_("Board for"), {"right": _("The right hand"), "left": _("The left hand")}),
    "motion": (_("Motion"), {"device": DEVICE, "full": _("Full"), "none": _("None")}),
    "sound": (_("Sounds"), {"race": _("In races"), "all": _("In all games"), "none": pgettext_lazy("sounds", "None")}),
    "keys": (_("Single-key shortcuts"), {"on": ON, "off": OFF}),
    "clock": (_("Clock"), {"hidden": _("Hidden"), "shown": _("Shown")}),
    "calm": (_("Calm table, without counts and clock"), {"off": OFF, "on": ON}),
}
USUAL: Look = {name: next(iter(values)) for name, (_label, values) in CHOICES.items()}


def known(chosen: Mapping[str, Any]) -> Look:
    """Of what somebody sent or kept, that which can be chosen."""
    return {name: chosen[name] for name, (_label, values) in CHOICES.items() if chosen.get(name) in [*values]}


def look_of(request: HttpRequest) -> Look:
    """The account's look, if it was ever chosen there, else the browser's."""
    kept = request.user.look if isinstance(request.user, User) else None
    return USUAL | known(kept) if isinstance(kept, dict) else look_of_browser(request)


def look_of_browser(request: HttpRequest) -> Look:
    """The look that was last chosen in this browser; needs neither the account nor the database."""
    return USUAL | known(_read(request.COOKIES.get(COOKIE, "")))


def keep(request: HttpRequest, response: HttpResponse, look: Look) -> None:
    """In the browser always, so that it stays when one logs out, and in the account if there is one."""
    written = ".".join(f"{name}:{value}" for name, value in look.items())
    age = settings.SESSION_COOKIE_AGE
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(COOKIE, written, age, httponly=True, samesite="Lax", secure=secure)
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(look=look)


def _read(cookie: str) -> Look:
    pairs = (part.partition(":") for part in cookie.split("."))
    return {name: value for name, _colon, value in pairs}


def context(request: HttpRequest) -> dict[str, Any]:
    """For every template: the look, also as attributes, and the lines of the panel where it is chosen."""
    look = look_of(request)
    return said(look) | {"look_panel": partial(_panel, look)}


def said(look: Look) -> dict[str, Any]:
    """What base.html says of a look."""
    return {"look": look, "look_attributes": flatatt({f"data-{name}": value for name, value in look.items()})}


def _panel(look: Look) -> Iterator[dict[str, Any]]:
    for name, (label, values) in CHOICES.items():
        options = [(value, called, value == look[name], value == USUAL[name]) for value, called in values.items()]
        yield {"name": name, "label": label, "options": options}
