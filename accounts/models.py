"""The one account model. What people did is kept elsewhere."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext, gettext_lazy as _


class User(AbstractUser):
    """A person. A guest has no password; the session is all that leads back to the account."""

    is_guest = models.BooleanField(_("guest"), default=False)

    @property
    def display_name(self) -> str:
        return gettext("Guest") if self.is_guest else self.username
