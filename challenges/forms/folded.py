"""Forms with a part folded away, that show the problems a service found at the fields they belong to."""

from collections.abc import Iterable, Mapping, Sequence

from django import forms
from django.forms import BoundField

from challenges.errors import Problem

# How names are typed.
NAMES_WIDGET = {"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}


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
            hint = f" Do you mean {problem.nearest}?" if problem.nearest else ""
            place = self.places.get(problem.place, problem.place)
            error = forms.ValidationError(problem.message + hint, code=problem.code)
            self.add_error(place if place in self.fields else None, error)
