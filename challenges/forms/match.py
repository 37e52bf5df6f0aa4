"""The form of a quick match: pace and stakes."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from challenges.forms.folded import list_short_paces, list_short_stakes
from challenges.selectors import choose_stakes
from duels.terms import Terms

FIRST_PACE = "day"


class MatchForm(forms.Form):
    """The duel that a user wants; values left out have their defaults."""

    pace = forms.ChoiceField(label=_("How fast?"), required=False, choices=list_short_paces, widget=forms.RadioSelect)
    stakes = forms.ChoiceField(
        label=_("What is at stake?"), required=False, choices=list_short_stakes, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.usual = {"pace": FIRST_PACE, "stakes": choose_stakes(user)}
        for name, value in self.usual.items():
            self.fields[name].initial = value

    def terms(self) -> Terms:
        """Return the terms of the duel."""
        chosen = {name: self.cleaned_data.get(name) or value for name, value in self.usual.items()}
        return Terms(pace=chosen["pace"], stakes=chosen["stakes"])
