"""The form of a change. Only the fields the user edited are proposed, whatever else has changed since it was shown."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from challenges.changes import Change, Conditions
from challenges.forms.folded import (
    FoldedForm,
    make_bots_field,
    make_count_field,
    make_hit_points_field,
    make_mages_per_user_field,
    make_names_field,
    make_reliable_field,
    read_words,
    refuse_rest_of_live_clocks,
)
from challenges.forms.ruleset import RulesetForm, read_choices
from challenges.selectors.mages import find_mages_to_invite
from challenges.validation import COMMENT_LENGTH
from challenges.words import CHOICES, LABELS, PACE_NAMES
from duels.paces import PACES
from ladder.stakes import OFFERED_STAKES

YES, NO = "yes", "no"
OPEN, CLOSED = "open", "closed"
FLAGS = ("weekends", "nights", "orders_final", "chat", "authoritarian", "bots_may_join")


def _make_choice(name: str) -> forms.ChoiceField:
    no, yes = CHOICES[name]
    return forms.ChoiceField(
        label=LABELS[name], required=False, choices=lambda: [(YES, capfirst(str(yes))), (NO, capfirst(str(no)))]
    )


class ChangeForm(RulesetForm, FoldedForm):
    """A form with the current terms to edit. Once the form is valid, `change` is the argument of propose_change."""

    first = ("limit", "openness", "mages_per_user", "add", "everyone", "exclude")
    places: Mapping[str, str] = {"terms": "ruleset", "against": "openness", "start": "change"}

    limit = make_count_field(
        _("Number of mages"),
        _("The battle starts when this many have joined. Leave empty for no limit."),
    )
    add = make_names_field(_("Invite"), _("Names of mages, separated by commas."))
    everyone = forms.BooleanField(label=_("Invite every free mage"), required=False)
    exclude = make_names_field(_("Exclude"), _("Names of mages who have not joined. Their invitations are withdrawn."))
    openness = forms.ChoiceField(
        label=_("Who may join"),
        required=False,
        choices=[(CLOSED, _("Only invited mages")), (OPEN, _("Anyone"))],
    )
    mages_per_user = make_mages_per_user_field()
    # Drop-downs rather than radio buttons: only they carry the value that was shown, which tells what was edited.
    pace = forms.ChoiceField(
        label=LABELS["pace"],
        required=False,
        choices=lambda: [(name, capfirst(str(PACE_NAMES[name]))) for name in PACES],
    )
    weekends = _make_choice("weekends")
    nights = _make_choice("nights")
    stakes = forms.ChoiceField(
        label=LABELS["stakes"],
        required=False,
        choices=lambda: [(each.word, capfirst(each.title)) for each in OFFERED_STAKES.values()],
    )
    bots = make_bots_field()
    bots_may_join = _make_choice("bots_may_join")
    hit_points = make_hit_points_field()
    reliable = make_reliable_field()
    orders_final = _make_choice("orders_final")
    chat = _make_choice("chat")
    authoritarian = _make_choice("authoritarian")
    comment = forms.CharField(label=_("Comment"), required=False, max_length=COMMENT_LENGTH)

    def __init__(self, *args: Any, conditions: Conditions, **kwargs: Any) -> None:
        super().__init__(*args, initial=_read_initial(conditions.values), **kwargs)
        self.order_fields([*self.first, *(name for name in self.fields if name not in self.first)])
        for field in self.fields.values():
            field.show_hidden_initial = True

    def clean(self) -> dict[str, Any] | None:
        touched = set(self.changed_data)
        if "ruleset" in touched:  # The options of the former ruleset no longer apply.
            for name in [each for each in self.cleaned_data if each.startswith("rules_") and each not in touched]:
                del self.cleaned_data[name]
        refuse_rest_of_live_clocks(self)
        return super().clean()

    def clean_add(self) -> list[str]:
        return self._read_names("add")

    def clean_exclude(self) -> list[str]:
        return self._read_names("exclude")

    def change(self) -> Change:
        """Return the edited fields as a change."""
        data, touched = self.cleaned_data, set(self.changed_data)
        change: dict[str, Any] = {name: data[name] == YES for name in FLAGS if name in touched}
        change |= {name: data[name] for name in ("add", "exclude") if data[name]}
        if "stakes" in touched and data["stakes"]:
            change["stakes"] = data["stakes"]
        if "pace" in touched and data["pace"]:
            change["pace"] = data["pace"]
        change |= {name: read_words(data[name]) for name in ("bots", "hit_points") if name in touched}
        if "reliable" in touched:
            change["reliable"] = data["reliable"] or 0
        if "comment" in touched:
            change["comment"] = data["comment"]
        if "limit" in touched:
            change["limit"] = data["limit"] or None
        if touched & {"openness", "mages_per_user"}:
            change["mages_per_user"] = _read_openness(data["openness"], data["mages_per_user"])
        if any(name == "ruleset" or name.startswith("rules_") for name in touched):
            change["ruleset"] = data["chosen_ruleset"]
        return cast(Change, change)

    def _read_names(self, place: str) -> list[str]:
        mages, problems = find_mages_to_invite(text=self.cleaned_data[place], place=place)
        self.add_problems(problems)
        return [mage.name for mage in mages]


def _read_openness(openness: str, mages_per_user: int | None) -> int | None:
    if openness == CLOSED:
        return None
    return 1 if mages_per_user is None else mages_per_user


def _read_initial(values: Mapping[str, Any]) -> dict[str, Any]:
    flag: Callable[[str], str] = lambda name: YES if values[name] else NO  # noqa: E731
    per_user = values["mages_per_user"]
    return {
        **{name: flag(name) for name in FLAGS},
        **read_choices(values["ruleset"]),
        "pace": values["pace"],
        "stakes": values["stakes"],
        "reliable": values["reliable"],
        "bots": ", ".join(values["bots"]),
        "hit_points": ", ".join(map(str, values["hit_points"])),
        "limit": values["limit"],
        "openness": CLOSED if per_user is None else OPEN,
        "mages_per_user": per_user,
        "comment": values["comment"],
    }
