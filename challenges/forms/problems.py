"""Showing the problems that a service found at the fields they belong to."""

from collections.abc import Iterable, Mapping

from django import forms

from challenges.errors import Problem


class ProblemsMixin(forms.Form):
    """A form that takes Problems. `places` says which field shows those of a place that is no field of its own."""

    places: Mapping[str, str] = {}

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Put each problem at its field, with what may have been meant."""
        for problem in problems:
            hint = f" Do you mean {problem.nearest}?" if problem.nearest else ""
            place = self.places.get(problem.place, problem.place)
            error = forms.ValidationError(problem.message + hint, code=problem.code)
            self.add_error(place if place in self.fields else None, error)
