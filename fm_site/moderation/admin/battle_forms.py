"""The forms for actions on battles. Choices come from the battle; nothing secret is shown."""

from typing import Any

from django import forms

from duels.keys import StageKey
from duels.models import MissedTurn, Turn
from duels.order_form import read_stage
from duels.selectors import key_of, names_waited_for
from fm_site.moderation.admin.acting import AmountField, ReasonForm
from fm_site.moderation.selectors import find_answers
from fm_site.moderation.services.battles import MOST_HOURS, may_be_undone


def list_names(battle: Any) -> list[tuple[str, str]]:
    names = battle.combatants.order_by("position").values_list("mage__name", flat=True)
    return [(name, name) for name in names]


class LookForm(ReasonForm):
    mage = forms.ChoiceField(label="Through the eyes of")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["mage"].choices = list_names(self.about)


class TurnForm(ReasonForm):
    turn = forms.TypedChoiceField(label="Back to the start of", coerce=int)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        turns = Turn.objects.filter(battle=self.about, taken_back_by=None).order_by("-seq")
        self.fields["turn"].choices = [
            (turn.seq, f"turn {turn.label}" + ("" if turn.resolved_at else ", which is open")) for turn in turns
        ]


class RewindForm(TurnForm):
    without_consent = forms.CharField(
        label="Reason to proceed without everyone's consent",
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        told = []
        for seq, words in self.fields["turn"].choices[:3]:
            answers = find_answers(self.about, seq)
            if answers.agreed or answers.refused:
                told.append(f"Back to {words}: {len(answers.agreed)} agreed, {len(answers.refused)} refused.")
        self.fields["without_consent"].help_text = " ".join(
            ["Required unless everyone has agreed to exactly that turn. The players see it.", *told]
        )


class OrdersForm(ReasonForm):
    mage = forms.ChoiceField(label="For")
    orders = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 5, "cols": 40, "spellcheck": "false"}),
        help_text="One order per line, as in an email: LH F, RH P, TARGET RH Bung. They replace the whole sheet.",
    )
    ready = forms.BooleanField(required=False, initial=True, label="Mark the orders ready")
    stage = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["mage"].choices = list_names(self.about)
        self.fields[
            "mage"
        ].help_text = f"The battle is waiting for {' and '.join(names_waited_for(self.about)) or 'nobody'}."
        self.fields["stage"].initial = str(key_of(self.about))

    def clean_stage(self) -> StageKey:
        stage = read_stage(self.cleaned_data["stage"])
        if stage is None:
            raise forms.ValidationError("This form does not say which turn the orders are for. Open the page again.")
        return StageKey(*stage)


class TimeForm(ReasonForm):
    mage = forms.ChoiceField(label="For")
    hours = AmountField(label="Hours", min_value=1, max_value=MOST_HOURS, initial=72)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["mage"].choices = [(name, name) for name in names_waited_for(self.about)]


class ExcuseForm(ReasonForm):
    missed = forms.ModelChoiceField(
        label="Missed turn",
        queryset=MissedTurn.objects.none(),
        empty_label=None,
        error_messages={"required": "Choose a missed turn. Turns already excused are not listed."},
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        missed = MissedTurn.objects.filter(combatant__battle=self.about, excused_at=None)
        field = self.fields["missed"]
        field.queryset = missed.select_related("combatant__mage", "combatant__battle", "stage__turn")
        field.label_from_instance = lambda row: f"{row.combatant.mage}, turn {row.stage.turn.label}"


class ResultForm(ReasonForm):
    winners = forms.MultipleChoiceField(
        label="Winners", required=False, widget=forms.CheckboxSelectMultiple, help_text="Leave empty for a draw."
    )
    dead = forms.MultipleChoiceField(label="Dead", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["winners"].choices = self.fields["dead"].choices = list_names(self.about)


class UndoForm(ReasonForm):
    entry = forms.TypedChoiceField(
        label="Entry",
        coerce=int,
        error_messages={"required": "Choose an entry. Only entries that can still be undone are listed."},
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        entries = self.about.journal.filter(undone_at=None).order_by("-number")
        self.fields["entry"].choices = [
            (entry.number, f"{entry.number}: {entry.get_kind_display().lower()} in turn {entry.label}, {entry.reason}")
            for entry in entries
            if may_be_undone(entry=entry)
        ]
