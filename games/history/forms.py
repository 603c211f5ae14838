"""What a history can be filtered by, as the page asks for it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import names

_ANY = [("", _("all"))]


class DateInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")  # what a browser's date field reads and sends, in any language


class HistoryFilter(forms.Form):
    """All fields may be left empty."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=[*_ANY, *names.NAMES.items()])
    outcome = forms.ChoiceField(label=_("Result"), required=False, choices=[*_ANY, *names.OUTCOMES.items()])
    since = forms.DateField(label=_("From"), required=False, widget=DateInput())
    until = forms.DateField(label=_("To"), required=False, widget=DateInput())

    def chosen(self) -> dict[str, Any]:
        """What was chosen; a field that cannot be read does not filter."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}
