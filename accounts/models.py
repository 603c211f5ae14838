"""The one account model. What people did is kept elsewhere."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext, gettext_lazy as _


class User(AbstractUser):
    """A person. A guest has no password; the session is all that leads back to the account."""

    is_guest = models.BooleanField(_("guest"), default=False)
    look = models.JSONField(_("look"), null=True, blank=True, editable=False)  # see look.py; null: never chosen
    language = models.CharField(_("language"), max_length=7, blank=True, default="", editable=False)  # "": never chosen

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            # One logs in by name whatever the case; PostgreSQL looks it up in upper case too, by this very index.
            models.UniqueConstraint(Upper("username"), name="user_named_once_in_any_case"),
        ]

    @property
    def display_name(self) -> str:
        return gettext("Guest") if self.is_guest else self.username
