"""What a host chooses for a race, as it comes from the form."""

from typing import Any

from django import forms

from games.race.models import Sharing
from games.race.seats import Terms


class TermsForm(forms.Form):
    """The terms of a race; what is not said is as usual."""

    sharing = forms.ChoiceField(choices=Sharing.choices, required=False)
    redeal = forms.BooleanField(required=False)
    best_of = forms.TypedChoiceField(choices=[(count, count) for count in (1, 3, 5)], coerce=int, required=False)

    def terms(self) -> Terms:
        """The terms of a valid form."""
        said: dict[str, Any] = {name: value for name, value in self.cleaned_data.items() if value}
        return Terms(**said)
