"""The search over all battles that are over."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.selectors import find_mage, find_nearest_name, find_user
from duels.rulebook.openings import read_line
from duels.selectors import list_battles_by_number
from duels.views.battle import read_number
from duels.views.statistics import ENDINGS, name_rulesets
from fm_site.operations.nearest import suggest
from ladder.models import BattleSide, Feat, ScoreKind
from ladder.selectors import BattleSearch, Person, list_rulesets_counted, list_spells_counted, search_battles
from rules_engine.glossary import name_spell

LONGEST_NAME = 100
MOST_TURNS = 10_000
ANY = ("", gettext_lazy("any"))
RESULTS = {
    BattleSide.Result.WON.value: gettext_lazy("won"),
    BattleSide.Result.LOST.value: gettext_lazy("lost"),
    BattleSide.Result.DREW.value: gettext_lazy("drew"),
}
KINDS = {ScoreKind.DUEL.value: gettext_lazy("duel"), ScoreKind.MELEE.value: gettext_lazy("melee")}
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
            suggest(_("No user or mage is called %(name)s.") % {"name": text}, find_nearest_name(text))
        )


class SearchForm(forms.Form):
    """The search criteria. `read` returns them once the form is valid."""

    who = PersonField(
        label=gettext_lazy("Mage or user"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs=PLAIN),
        help_text=gettext_lazy("The result, opening, spell and feat are theirs, or anyone's if you leave this empty."),
    )
    against = PersonField(
        label=gettext_lazy("Against"), max_length=LONGEST_NAME, required=False, widget=forms.TextInput(attrs=PLAIN)
    )
    result = forms.ChoiceField(label=gettext_lazy("Result"), required=False, choices=lambda: [ANY, *RESULTS.items()])
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False, choices=lambda: [ANY, *KINDS.items()])
    ruleset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        required=False,
        choices=lambda: [ANY, *name_rulesets(list_rulesets_counted())],
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
        label=gettext_lazy("Turns, at least"), required=False, min_value=1, max_value=MOST_TURNS
    )
    longest = forms.IntegerField(
        label=gettext_lazy("Turns, at most"), required=False, min_value=1, max_value=MOST_TURNS
    )

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
        if wanted.get("worked") and not wanted.get("spell") and "spell" not in self.errors:
            self.add_error("spell", _("Choose the spell that worked."))
        return wanted

    def read(self) -> BattleSearch:
        return BattleSearch(**self.cleaned_data)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show the form, and the newest battles that match; `?before=` shows older ones."""
    form = SearchForm(request.GET or None)
    context: dict[str, Any] = {"nav_current": "watch", "form": form}
    if form.is_valid():
        found = search_battles(form.read(), older_than=read_number(request, "before"))
        reader = request.user if request.user.is_authenticated else None
        context["rows"] = list_battles_by_number(found.numbers, reader)
        context["is_first"] = "before" not in request.GET
        if found.has_more:
            query = request.GET.copy()
            query["before"] = str(found.numbers[-1])
            context["older"] = query.urlencode()
    return render(request, "duels/search.html", context, status=422 if form.errors else 200)
