"""The form of a new challenge: three fields, and the rest collapsed, with sensible defaults."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Mage, User
from accounts.selectors.users import free_mages_of
from challenges.forms.folded import (
    FoldedForm,
    list_short_paces,
    list_short_stakes,
    make_bots_field,
    make_count_field,
    make_hit_points_field,
    make_mages_per_user_field,
    make_names_field,
    make_reliable_field,
    refuse_rest_of_live_clocks,
    refuse_wrong_bots,
    with_words,
)
from challenges.forms.ruleset import RulesetForm
from challenges.rules import FEWEST_SEATS
from challenges.selectors.mages import choose_stakes, find_mages_to_invite
from challenges.validation import COMMENT_LENGTH
from duels.paces import PACES, describe_pace, get_pace
from duels.terms import Terms, list_offers, name_spells
from ladder.stakes import OFFERED_STAKES
from operations.selectors import read_policy

DEFAULT_PACE = Terms.pace
# The pace that the page proposes; a form without a pace has the classic one.
USUAL_PACE = "day"
# How many mages a melee has if nobody says how many.
USUAL_MELEE = 4


class NewChallengeForm(RulesetForm, FoldedForm):
    """The terms of a new challenge. Once the form is valid, `details` are the arguments of create_challenge."""

    first = ("mage", "who", "against", "limit", "pace", "stakes")

    mage = forms.ChoiceField(label=_("Your mage"))
    # Empty: the other fields say who may join.
    who = forms.ChoiceField(
        label=_("Against whom?"),
        required=False,
        choices=lambda: [
            ("anyone", with_words(_("Anyone"), _("shown in the list"))),
            ("friend", with_words(_("A friend"), _("you get a link"))),
            ("named", with_words(_("A mage I name"), _("they get an invitation"))),
            ("melee", with_words(_("Melee"), _("3 mages or more"))),
        ],
        widget=forms.RadioSelect,
    )
    against = make_names_field(
        _("Against"), _("Names of the mages you challenge, separated by commas. Leave empty to play anyone.")
    )
    limit = make_count_field(
        _("Number of mages"),
        _("2 for a duel, more for a melee. Leave empty for a duel with anyone, or for all the mages you name."),
    )
    pace = forms.ChoiceField(label=_("How fast?"), required=False, choices=list_short_paces, widget=forms.RadioSelect)
    weekends = forms.BooleanField(
        label=_("Clocks rest on weekends"),
        required=False,
        help_text=_("On Saturdays and Sundays in each player's time zone."),
    )
    nights = forms.BooleanField(
        label=_("Clocks rest at night"), required=False, help_text=_("For eight hours that each player chooses.")
    )
    stakes = forms.ChoiceField(
        label=_("What is at stake?"), required=False, choices=list_short_stakes, widget=forms.RadioSelect
    )
    bots = make_bots_field()
    bots_may_join = forms.BooleanField(
        label=_("Bots may join"),
        required=False,
        help_text=_("Bots take the free seats in seconds, if anyone may join. The battle is then practice."),
    )
    hit_points = make_hit_points_field()
    reliable = make_reliable_field()
    open_to_all = forms.BooleanField(label=_("Anyone else may join too"), required=False)
    by_link = forms.BooleanField(
        label=_("Invite by link"),
        required=False,
        help_text=_("Only mages you name and people with a link can join. You create the link on the next page."),
    )
    everyone = forms.BooleanField(label=_("Invite every free mage"), required=False)
    exclude = make_names_field(_("Exclude"), _("Mages who can't join, if anyone else can."))
    mages_per_user = make_mages_per_user_field()
    orders_final = forms.BooleanField(
        label=_("Orders are final"), required=False, help_text=_("Ready orders cannot be changed.")
    )
    silent = forms.BooleanField(label=_("No talking"), required=False, help_text=_("Mages cannot say anything."))
    authoritarian = forms.BooleanField(
        label=_("I decide all changes"),
        required=False,
        help_text=_("Otherwise everyone who has joined votes on changes."),
    )
    comment = forms.CharField(
        label=_("Comment"),
        required=False,
        max_length=COMMENT_LENGTH,
        help_text=_("One line that everyone can read, for example how often you play."),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._mages = {mage.name: mage for mage in free_mages_of(user).filter(retired_at=None)}
        self.fields["who"].initial = "named" if self.initial.get("against") else "anyone"
        self.fields["pace"].initial = USUAL_PACE
        self.usual_stakes = choose_stakes(user)
        self.fields["stakes"].initial = self.usual_stakes
        mage_field = self.fields["mage"]
        assert isinstance(mage_field, forms.ChoiceField)
        mage_field.choices = [(name, name) for name in self._mages]

    def has_free_mage(self) -> bool:
        return bool(self._mages)

    def summary_words(self) -> str:
        """Return, as JSON, the words from which the page makes one sentence of the choices: a phrase for each value.

        ``{names}`` and ``{count}`` are what the user typed.
        """
        policy = read_policy()
        words = {
            "sentence": gettext("{who}: {ruleset}, {pace}, {stakes}."),
            "who": {
                "anyone": gettext("A duel for anyone"),
                "friend": gettext("A duel with a friend, by link"),
                "named": gettext("A duel with a mage you name"),
                "names": gettext("A battle with {names}"),
                "melee": gettext("A melee of {count} mages"),
                "crowd": gettext("A melee of any number of mages"),
            },
            "count": USUAL_MELEE,
            "ruleset": {offer.name: name_spells(offer.name) for offer in list_offers()},
            "pace": {name: describe_pace(get_pace(name, policy)) for name in PACES},
            "stakes": {stake.word: stake.title for stake in OFFERED_STAKES.values()},
        }
        return json.dumps(words)

    def clean(self) -> dict[str, Any] | None:
        refuse_rest_of_live_clocks(self)
        who, data = self.cleaned_data.get("who"), self.cleaned_data
        stakes = data.get("stakes") or self.usual_stakes
        refuse_wrong_bots(self, stakes=stakes, may_join=data.get("bots_may_join", False))
        if who == "named" and not data.get("against") and "against" not in self.errors:
            self.add_error("against", _("Name the mage you challenge."))
        if who == "friend":
            data["by_link"] = True
        if who == "melee" and data.get("limit") is None and not data.get("against"):
            data["limit"] = USUAL_MELEE
        if who == "melee" and data.get("limit") == FEWEST_SEATS:
            self.add_error("limit", _("A melee needs at least 3 mages."))
        return super().clean()

    def clean_against(self) -> Sequence[Mage]:
        mages, problems = find_mages_to_invite(text=self.cleaned_data["against"])
        self.add_problems(problems)
        return mages

    def clean_exclude(self) -> Sequence[Mage]:
        mages, problems = find_mages_to_invite(text=self.cleaned_data["exclude"], place="exclude")
        self.add_problems(problems)
        return mages

    def details(self) -> dict[str, Any]:
        """Return the arguments of create_challenge, except the time."""
        data = self.cleaned_data
        named = data["against"] or data["everyone"] or data["bots"]
        has_room = bool(data["bots"]) and (data["limit"] or 0) > 1 + len(data["bots"]) + len(data["against"])
        open_to_all = data["open_to_all"] or has_room or not (named or data["by_link"])
        per_user = data["mages_per_user"]
        return {
            "challenger": self._mages[data["mage"]],
            "terms": Terms(
                ruleset=data["chosen_ruleset"],
                pace=data["pace"] or DEFAULT_PACE,
                weekends=data["weekends"],
                nights=data["nights"],
                reliable=data["reliable"] or 0,
                stakes=data["stakes"] or self.usual_stakes,
                orders_final=data["orders_final"],
                chat=not data["silent"],
                hit_points=tuple(data["hit_points"]),
                bots=tuple(data["bots"]),
                bots_may_join=data["bots_may_join"],
            ),
            "invited": data["against"],
            "everyone": data["everyone"],
            "excluded": data["exclude"],
            "by_link": data["by_link"],
            "authoritarian": data["authoritarian"],
            "open_to_all": open_to_all,
            "mages_per_user": 1 if per_user is None else per_user,
            "limit": self._limit(is_duel=not named),
            "comment": data["comment"],
        }

    def _limit(self, *, is_duel: bool) -> int | None:
        """Return the limit: 0 means none; empty means a duel with anyone, or all the mages named."""
        asked: int | None = self.cleaned_data["limit"]
        if asked is None:
            return FEWEST_SEATS if is_duel or self.cleaned_data.get("who") == "friend" else None
        return asked or None


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
        chosen = {name: self.cleaned_data.get(name) or value for name, value in self.usual.items()}
        return Terms(pace=chosen["pace"], stakes=chosen["stakes"])
