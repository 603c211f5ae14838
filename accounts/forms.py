"""Forms that allauth does not have."""

from allauth.account.adapter import get_adapter
from django import forms

from accounts.models import User


class NameForm(forms.ModelForm):
    """Another name for the account."""

    class Meta:
        model = User
        fields = ("username",)

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        own = name.lower() == self.instance.username.lower()  # only small and capital letters differ
        cleaned: str = get_adapter().clean_username(name, shallow=own)
        return cleaned
