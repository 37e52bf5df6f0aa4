"""Sign up by an invite link: an account and its first mage in one step."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidName
from accounts.forms import LONGEST_ATTEMPT, NAME_HELP, SignupForm, name_refusal
from accounts.models import Name
from accounts.names import check_name


class SignupWithMageForm(SignupForm):
    """The sign-up form, plus the name of the mage who joins."""

    mage = forms.CharField(
        label=_("Mage's name"),
        max_length=LONGEST_ATTEMPT,
        help_text=_("Your mage fights for you. You can use your own name."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Your name")
        self.fields["username"].help_text = NAME_HELP
        self.order_fields(["username", "mage", "email", "password1"])

    def clean_mage(self) -> str:
        try:
            return check_name(self.cleaned_data["mage"], kind=Name.Kind.MAGE)
        except InvalidName as error:
            raise name_refusal(error) from error
