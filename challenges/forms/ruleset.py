"""The form fields for the rules of a battle: a ruleset and its options."""

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.errors import InvalidTerms
from duels.terms import Terms, choose_ruleset, find_rules, list_offers


class RulesetForm(forms.Form):
    """`ruleset` and a field for each option of each ruleset. A valid form has the result in `chosen_ruleset`.

    An option that the chosen ruleset does not have is an error on its field, unless it has its usual value.
    """

    ruleset = forms.ChoiceField(label=gettext_lazy("Spells"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["ruleset"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(offer.name, f"{offer.title}: {offer.words}") for offer in list_offers()]
        field.initial = Terms().ruleset
        field.help_text = format_html(
            '<a class="plain" href="{}">{}</a>', "/rules/#rulesets", _("Compare the rulesets")
        )
        after = list(self.fields).index("ruleset") + 1
        choices = {
            f"rules_{choice.key}": forms.ChoiceField(
                label=_("%(option)s (in %(ruleset)s)") % {"option": choice.name, "ruleset": offer.title},
                required=False,
                choices=list(choice.worded),
                initial=choice.usual,
            )
            for offer in list_offers()
            for choice in offer.choices
        }
        self.fields.update(choices)
        names = [name for name in self.fields if name not in choices]
        self.order_fields([*names[:after], *choices, *names[after:]])

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        data = self.cleaned_data
        name = data.get("ruleset") or Terms().ruleset
        options = []
        for offer in list_offers():
            for choice in offer.choices:
                value = data.get(f"rules_{choice.key}") or choice.usual
                if name == offer.name:
                    options.append(value)
                elif value != choice.usual:
                    message = _("Only %(ruleset)s has this option.") % {"ruleset": offer.title}
                    self.add_error(f"rules_{choice.key}", message)
        if not self.errors:
            try:
                data["chosen_ruleset"] = choose_ruleset(name=name, options=options)
            except InvalidTerms as error:
                self.add_error("ruleset", str(error))
        return cleaned


def read_choices(ruleset: str) -> dict[str, str]:
    rules = find_rules(name=ruleset)
    return {"ruleset": rules.family or ruleset, **{f"rules_{key}": value for key, value in rules.chosen.items()}}
