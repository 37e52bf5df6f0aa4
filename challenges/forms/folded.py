"""Forms with a collapsed part, which show each problem that a service found at its field."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from django import forms
from django.forms import BoundField
from django.utils.html import format_html
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.bots import BOTS
from challenges.errors import ChallengeProblem
from challenges.rules import MOST_SEATS
from challenges.words import PACE_NAMES
from duels.bot_terms import MOST_POINTS, find_bot_problems, find_handicap_problems, tidy_bots, tidy_hit_points
from duels.paces import PACES, Pace, get_pace, span
from ladder.stakes import FRIENDLY, LADDER, OFFERED_STAKES, VERY_FRIENDLY
from operations.selectors import read_policy
from operations.text.suggestions import suggest

# The most popular choices, which come first in lists.
USUAL_PACES = ("live3", "day", "classic")
USUAL_STAKES = (LADDER, FRIENDLY, VERY_FRIENDLY)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def make_names_field(label: "StrOrPromise", help_text: "StrOrPromise") -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"})
    return forms.CharField(label=label, required=False, max_length=700, help_text=help_text, widget=widget)


def make_count_field(label: "StrOrPromise", help_text: "StrOrPromise") -> forms.IntegerField:
    """Return a field for a number of mages; its help says what empty and 0 mean."""
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=MOST_SEATS, help_text=help_text)


def make_mages_per_user_field() -> forms.IntegerField:
    return make_count_field(
        _("Mages per user"), _("Applies if anyone may join. Leave empty for 1; 0 means any number.")
    )


def with_words(name: "StrOrPromise", words: "StrOrPromise") -> str:
    """Return a choice with its name, and its meaning in small print."""
    return format_html('{} <span class="help">{}</span>', name, words)


def list_short_paces() -> list[tuple[str, str]]:
    """Return the paces and how long a turn can take, the most popular first."""
    policy = read_policy()
    known = [get_pace(name, policy) for name in (*USUAL_PACES, *(each for each in PACES if each not in USUAL_PACES))]
    return [(pace.name, with_words(capfirst(str(pace.title)), _name_length(pace))) for pace in known]


def _name_length(pace: Pace) -> str:
    if pace.bank:
        return gettext("%(time)s, and %(more)s more each turn") % {
            "time": span(pace.bank.start),
            "more": span(pace.bank.increment),
        }
    return gettext("%(time)s a turn") % {"time": span(pace.longest)}


def list_short_stakes() -> list[tuple[str, str]]:
    """Return the stakes and the risk, the most popular first."""
    known = sorted(OFFERED_STAKES.values(), key=lambda each: each.word not in USUAL_STAKES)
    return [(each.word, with_words(capfirst(each.title), each.risk)) for each in known]


def make_reliable_field() -> forms.IntegerField:
    """Return a field for the share of orders that players must have sent on time to join."""
    return forms.IntegerField(
        label=_("Reliable players"),
        required=False,
        min_value=0,
        max_value=100,
        help_text=_(
            "Percentage of orders sent on time in the last year. New players can always join. Leave empty for anyone."
        ),
    )


def make_bots_field() -> forms.CharField:
    """Return a field for the strengths of bots with reserved seats."""
    strengths = ", ".join(bot.strength for bot in BOTS)
    return make_names_field(
        _("Seats for bots"),
        format_lazy(
            _("Strengths, separated by commas: {strengths}. They join at once, and the battle is practice."),
            strengths=strengths,
        ),
    )


def make_hit_points_field() -> forms.CharField:
    """Return a field for a handicap: the hit points of each seat."""
    return make_names_field(
        _("Hit points"),
        format_lazy(
            _(
                "A handicap: starting hit points, in the order the mages join, for example 15, 10. "
                "Leave empty for {most} each."
            ),
            most=MOST_POINTS,
        ),
    )


def read_words(text: str) -> list[str]:
    """Return the words of a field that takes several."""
    return [word for word in re.split(r"[\s,;:]+", text) if word]


def refuse_wrong_bots(form: forms.Form, *, stakes: str, may_join: bool) -> None:
    """Add an error for each problem of the handicap and the seats for bots."""
    data = form.cleaned_data
    data["hit_points"] = list(tidy_hit_points(read_words(data.get("hit_points", ""))))
    data["bots"] = list(tidy_bots(read_words(data.get("bots", ""))))
    for problem in find_handicap_problems(tuple(data["hit_points"]), stakes):
        form.add_error("hit_points", problem)
    for problem in find_bot_problems(tuple(data["bots"]), stakes, may_join=may_join):
        form.add_error("bots", problem)


class FoldedForm(forms.Form):
    """A form that shows its `first` fields, collapses the others, and takes Problems.

    `places` says which field shows the problems of a place that is not a field.
    """

    first: Sequence[str] = ()
    places: Mapping[str, str] = {}

    def first_fields(self) -> list[BoundField]:
        return [self[name] for name in self.first]

    def folded_fields(self) -> list[BoundField]:
        return [field for field in self.visible_fields() if field.name not in self.first]

    def has_folded_problems(self) -> bool:
        """Return whether the collapsed part must be open, because a field in it has an error."""
        return any(field.errors for field in self.folded_fields())

    def add_problems(self, problems: Iterable[ChallengeProblem]) -> None:
        """Add each problem to its field, with the nearest valid value."""
        for problem in problems:
            place = self.places.get(problem.place, problem.place)
            error = forms.ValidationError(suggest(problem.message, problem.nearest), code=problem.code)
            self.add_error(place if place in self.fields else None, error)


def refuse_rest_of_live_clocks(form: forms.Form) -> None:
    """Add an error to a field that asks for resting clocks at a pace that has none."""
    data = form.cleaned_data
    pace = data.get("pace")
    if pace in PACES and not get_pace(pace, read_policy()).rests:
        sentence = gettext("At %(pace)s pace the clocks cannot rest at night or on weekends.")
        for name in ("weekends", "nights"):
            if data.get(name) in (True, "yes"):
                form.add_error(name, sentence % {"pace": PACE_NAMES[pace]})
