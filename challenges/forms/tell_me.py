"""Whom to tell the user of when they look for a duel, and where."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from challenges.seek_choices import CHANNELS, PACES
from notifications.preferences import AT_ONCE, NEVER, PREFERENCES


class TellMeForm(forms.Form):
    """The channels, and for each kind of pace how strong the other may be."""

    TITLES = dict(zip(CHANNELS, (_("By email"), _("By push, on your devices"), _("By hook")), strict=True))

    def __init__(self, *args: Any, chosen: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for key, title in self.TITLES.items():
            self.fields[key] = forms.BooleanField(required=False, label=title)
            self.initial[key] = chosen[key] != NEVER
        for key in PACES:
            kind = PREFERENCES[key]
            self.fields[key] = forms.ChoiceField(label=kind.question, choices=kind.values, initial=chosen[key])

    def list_choices(self) -> dict[str, str]:
        """Return the preferences that were chosen, by their keys."""
        data = self.cleaned_data
        return {key: (AT_ONCE if data[key] else NEVER) if key in CHANNELS else data[key] for key in self.fields}
