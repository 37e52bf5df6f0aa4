"""Forms with a part folded away, that show the problems a service found at the fields they belong to."""

from collections.abc import Iterable, Mapping, Sequence

from django import forms
from django.forms import BoundField
from django.utils.html import format_html

from challenges.errors import Problem
from challenges.rules import MOST_SEATS
from duels.paces import PACES, describe_pace, explain_pace, get_pace
from fm_site.operations.nearest import suggest
from fm_site.operations.selectors import read_policy
from ladder.stakes import LADDER, STAKES


def make_names_field(label: str, help_text: str) -> forms.CharField:
    """A field for the names of mages."""
    widget = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"})
    return forms.CharField(label=label, required=False, max_length=700, help_text=help_text, widget=widget)


def make_count_field(label: str, help_text: str) -> forms.IntegerField:
    """A field for how many mages; empty and 0 mean what its help says."""
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=MOST_SEATS, help_text=help_text)


def make_mages_per_user_field() -> forms.IntegerField:
    return make_count_field(
        "Mages each user may bring", "Counts where anyone may join. Empty: 1. 0: as many as they like."
    )


def make_pace_field() -> forms.ChoiceField:
    """A field for how fast the battle goes, each choice with what it means in this house."""
    return forms.ChoiceField(label="Pace", required=False, choices=list_paces, widget=forms.RadioSelect)


def list_paces() -> list[tuple[str, str]]:
    """Return the paces with their words and the house's numbers."""
    policy = read_policy()
    paces = [get_pace(name, policy) for name in PACES]
    return [(pace.name, _with_words(describe_pace(pace).capitalize(), explain_pace(pace))) for pace in paces]


def _with_words(name: str, words: str) -> str:
    """A choice by its name, and smaller what it means."""
    return format_html('{}. <span class="help">{}</span>', name, words)


def make_reliable_field() -> forms.IntegerField:
    """A field for how many of their turns those who join must keep."""
    return forms.IntegerField(
        label="Players who keep their turns",
        required=False,
        min_value=0,
        max_value=100,
        help_text="Percent of turns kept within a year. Whoever is new may join too. Empty: anybody.",
    )


def make_stakes_field() -> forms.ChoiceField:
    """A field for what the battle is fought for, each choice with what it means."""
    choices = [(each.word, _with_words(each.title.capitalize(), each.words)) for each in STAKES.values()]
    return forms.ChoiceField(
        label="At stake", required=False, choices=choices, initial=LADDER, widget=forms.RadioSelect
    )


class FoldedForm(forms.Form):
    """A form that shows its `first` fields and folds the others away, and takes Problems.

    `places` says which field shows those of a place that is no field of its own.
    """

    first: Sequence[str] = ()
    places: Mapping[str, str] = {}

    def first_fields(self) -> list[BoundField]:
        return [self[name] for name in self.first]

    def folded_fields(self) -> list[BoundField]:
        return [field for field in self.visible_fields() if field.name not in self.first]

    def has_folded_problems(self) -> bool:
        """Whether the folded part must stand open, because something in it is to be mended."""
        return any(field.errors for field in self.folded_fields())

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Put each problem at its field, with what may have been meant."""
        for problem in problems:
            place = self.places.get(problem.place, problem.place)
            error = forms.ValidationError(suggest(problem.message, problem.nearest), code=problem.code)
            self.add_error(place if place in self.fields else None, error)


def refuse_rest_of_live_clocks(form: forms.Form) -> None:
    """Say at its field that the clocks of a battle at this pace do not rest."""
    data = form.cleaned_data
    pace = data.get("pace")
    if pace in PACES and not get_pace(pace, read_policy()).rests:
        for name in ("weekends", "nights"):
            if data.get(name) in (True, "yes"):
                form.add_error(name, f"At {pace} pace the clocks rest neither at night nor on weekends.")
