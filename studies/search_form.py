"""The form of the search over battles that are over, for the page and the API."""

import datetime
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.selectors.names import find_mage, find_nearest_name, find_user
from duels.terms import ENDINGS, name_ruleset
from ladder.models import BattleSide, Feat, ScoreKind
from ladder.selectors.search import BattleSearch, Person, list_spells_counted
from ladder.selectors.statistics import list_rulesets_counted
from operations.text.suggestions import suggest
from rules_engine.glossary import name_spell
from studies.openings import read_line

LONGEST_NAME = 100
MOST_TURNS = 10_000
ANY = ("", gettext_lazy("any"))
RESULTS = {
    BattleSide.Result.WON.value: gettext_lazy("won"),
    BattleSide.Result.LOST.value: gettext_lazy("lost"),
    BattleSide.Result.DREW.value: gettext_lazy("drew"),
}
BOTS = {"with": gettext_lazy("with bots"), "without": gettext_lazy("without bots")}
KINDS = {ScoreKind.DUEL.value: gettext_lazy("duel"), ScoreKind.MELEE.value: gettext_lazy("melee")}
ISO, FIRST_DAY, LAST_DAY = "%Y-%m-%d", datetime.date(2000, 1, 1), datetime.date(2999, 12, 31)
PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class PersonField(forms.CharField):
    """The name of a mage or of a user. It becomes a Person, or None if it is empty."""

    def clean(self, value: Any) -> Person | None:
        text = super().clean(value)
        if not text:
            return None
        mage = find_mage(text)
        if mage is not None:
            return Person(mage_id=mage.pk)
        user = find_user(text)
        if user is not None:
            return Person(user_id=user.pk)
        raise forms.ValidationError(
            suggest(_("No user or mage is called %(name)s.") % {"name": text}, find_nearest_name(text)), code="unknown"
        )


class DayField(forms.DateField):
    """A day as HTML and the API write it, or nothing."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            required=False,
            widget=forms.DateInput(attrs={"type": "date"}, format=ISO),
            input_formats=[ISO],
            validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
            error_messages={"invalid": gettext_lazy("Enter a date like 2026-11-23.")},
            **more,
        )


class SearchForm(forms.Form):
    """The search criteria. `read` returns them once the form is valid; days begin and end in `zone`."""

    who = PersonField(
        label=gettext_lazy("Mage or user"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs=PLAIN),
        help_text=gettext_lazy("The result, opening, spell and feat must be theirs. Leave empty for anyone's."),
    )
    against = PersonField(
        label=gettext_lazy("Against"), max_length=LONGEST_NAME, required=False, widget=forms.TextInput(attrs=PLAIN)
    )
    result = forms.ChoiceField(label=gettext_lazy("Result"), required=False, choices=lambda: [ANY, *RESULTS.items()])
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False, choices=lambda: [ANY, *KINDS.items()])
    ruleset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        required=False,
        choices=lambda: [ANY, *((name, name_ruleset(name)) for name in list_rulesets_counted())],
    )
    opening = forms.CharField(
        label=gettext_lazy("Opening"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs=PLAIN),
        help_text=gettext_lazy("The first pairs of gestures, like SW PD. Its mirror image counts too."),
    )
    spell = forms.ChoiceField(
        label=gettext_lazy("Spell cast"),
        required=False,
        choices=lambda: [ANY, *((spell, name_spell(spell)) for spell in list_spells_counted())],
    )
    worked = forms.BooleanField(label=gettext_lazy("and it worked"), required=False)
    feat = forms.ChoiceField(label=gettext_lazy("Feat"), required=False, choices=lambda: [ANY, *Feat.Kind.choices])
    ending = forms.ChoiceField(label=gettext_lazy("Ending"), required=False, choices=lambda: [ANY, *ENDINGS.items()])
    shortest = forms.IntegerField(
        label=gettext_lazy("Minimum number of turns"), required=False, min_value=1, max_value=MOST_TURNS
    )
    longest = forms.IntegerField(
        label=gettext_lazy("Maximum number of turns"), required=False, min_value=1, max_value=MOST_TURNS
    )
    bots = forms.ChoiceField(label=gettext_lazy("Bots"), required=False, choices=lambda: [ANY, *BOTS.items()])
    since = DayField(label=gettext_lazy("Ended on or after"))
    until = DayField(label=gettext_lazy("Ended on or before"))

    def __init__(self, data: Any = None, *, zone: datetime.tzinfo) -> None:
        super().__init__(data)
        self.zone = zone

    def clean_opening(self) -> str:
        text = self.cleaned_data["opening"]
        line = read_line(text)
        if line is None:
            sentence = _(
                '"%(text)s" is not an opening. Write pairs of gestures, like SWPD: snap and wave, then palm and digit.'
            )
            raise forms.ValidationError(sentence % {"text": text})
        return line

    def clean(self) -> dict[str, Any]:
        wanted: dict[str, Any] = super().clean() or self.cleaned_data
        shortest, longest = wanted.get("shortest"), wanted.get("longest")
        if shortest is not None and longest is not None and shortest > longest:
            self.add_error("longest", _("This is less than the minimum number of turns."))
        since, until = wanted.get("since"), wanted.get("until")
        if since is not None and until is not None and since > until:
            self.add_error("until", _("This is before the start date."))
        if wanted.get("worked") and not wanted.get("spell") and "spell" not in self.errors:
            self.add_error("spell", _("Choose the spell that worked."))
        return wanted

    def read(self) -> BattleSearch:
        """Return the criteria of a valid form."""
        wanted = dict(self.cleaned_data)
        bots, since, until = wanted.pop("bots"), wanted.pop("since"), wanted.pop("until")
        return BattleSearch(
            **wanted,
            with_bots=bots == "with" if bots else None,
            since=self._begin(since) if since else None,
            until=self._begin(until + datetime.timedelta(days=1)) if until else None,
        )

    def _begin(self, day: datetime.date) -> datetime.datetime:
        return datetime.datetime.combine(day, datetime.time.min, self.zone)
