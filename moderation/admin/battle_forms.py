"""The forms for actions on battles. Choices come from the battle; nothing secret is shown."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from duels.keys import StageKey
from duels.models import ChatLine, MissedTurn, Turn
from duels.names import listed
from duels.order_form import read_stage
from duels.selectors.stage_keys import key_of, names_waited_for
from moderation.admin.row_actions import AmountField, ReasonForm, RowField
from moderation.models import JournalEntry
from moderation.selectors.journal import find_answers
from moderation.services.battles.change_clocks import MOST_HOURS
from moderation.services.battles.set_result import list_uncounted
from moderation.services.battles.undo import may_be_undone


def list_names(battle: Any) -> list[tuple[str, str]]:
    names = battle.combatants.order_by("position").values_list("mage__name", flat=True)
    return [(name, name) for name in names]


class LookForm(ReasonForm):
    mage = forms.ChoiceField(label=_("Through the eyes of"))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.offer("mage", list_names(self.about))


def name_turn(turn: Turn) -> str:
    message = gettext("turn %(turn)s") if turn.resolved_at else gettext("turn %(turn)s (current)")
    return message % {"turn": turn.label}


class TurnForm(ReasonForm):
    turn = forms.TypedChoiceField(label=_("Back to the start of"), coerce=int)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        turns = Turn.objects.filter(battle=self.about, taken_back_by=None).order_by("-seq")
        self.named_turns = [(turn.seq, name_turn(turn)) for turn in turns]
        self.offer("turn", self.named_turns)


class RewindForm(TurnForm):
    without_consent = forms.CharField(
        label=_("Reason to proceed without everyone's consent"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        told = []
        for seq, words in self.named_turns[:3]:
            answers = find_answers(self.about, seq)
            if answers.agreed or answers.refused:
                facts = {"turn": words, "agreed": len(answers.agreed), "refused": len(answers.refused)}
                told.append(gettext("Back to %(turn)s: %(agreed)s agreed, %(refused)s refused.") % facts)
        self.fields["without_consent"].help_text = " ".join(
            [gettext("Required unless everyone has agreed to exactly that turn. The players see it."), *told]
        )


class OrdersForm(ReasonForm):
    mage = forms.ChoiceField(label=_("For"))
    orders = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 5, "cols": 40, "spellcheck": "false"}),
        help_text=_("One order per line, as in an email: LH F, RH P, TARGET RH Bung. They replace the whole sheet."),
    )
    ready = forms.BooleanField(required=False, initial=True, label=_("Mark the orders ready"))
    stage = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.offer("mage", list_names(self.about))
        late = names_waited_for(self.about)
        self.fields["mage"].help_text = (
            gettext("The battle is waiting for: %(mages)s.") % {"mages": ", ".join(late)}
            if late
            else gettext("The battle isn't waiting for anyone.")
        )
        self.fields["stage"].initial = str(key_of(self.about))

    def clean_stage(self) -> StageKey:
        stage = read_stage(self.cleaned_data["stage"])
        if stage is None:
            raise forms.ValidationError(
                gettext("This form does not say which turn the orders are for. Open the page again.")
            )
        return stage


class TimeForm(ReasonForm):
    mage = forms.ChoiceField(label=_("For"))
    hours = AmountField(label=_("Hours"), min_value=1, max_value=MOST_HOURS, initial=72)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.offer("mage", [(name, name) for name in names_waited_for(self.about)])


def name_missed_turn(row: MissedTurn) -> str:
    return gettext("%(mage)s, turn %(turn)s") % {"mage": row.combatant.mage, "turn": row.stage.turn.label}


class ExcuseForm(ReasonForm):
    missed = RowField(
        label=_("Missed turn"),
        rows=MissedTurn,
        words=name_missed_turn,
        error_messages={"required": _("Choose a missed turn. Turns already excused are not listed.")},
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        missed = MissedTurn.objects.filter(combatant__battle=self.about, excused_at=None)
        self.offer_rows("missed", missed.select_related("combatant__mage", "combatant__battle", "stage__turn"))


def name_line(line: ChatLine) -> str:
    return f"{line.created_at:%Y-%m-%d %H:%M} UTC, {line.user.username}: “{line.words}”"


class LineForm(ReasonForm):
    line = RowField(label=_("Line"), rows=ChatLine, words=name_line)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        lines = ChatLine.objects.filter(battle=self.about, removed_at=None)
        self.offer_rows("line", lines.select_related("user", "battle").order_by("-pk"))


class ResultForm(ReasonForm):
    winners = forms.MultipleChoiceField(
        label=_("Winners"), required=False, widget=forms.CheckboxSelectMultiple, help_text=_("Leave empty for a draw.")
    )
    dead = forms.MultipleChoiceField(label=_("Dead"), required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        uncounted = list_uncounted(battle=self.about)
        for name in ("winners", "dead"):
            self.offer(name, [choice for choice in list_names(self.about) if choice[0] not in uncounted])
        if uncounted:
            words = gettext("Not listed, because they left without ever moving: %(mages)s.")
            self.fields["dead"].help_text = words % {"mages": listed(uncounted)}


def name_entry(entry: JournalEntry) -> str:
    facts = {"number": entry.number, "kind": entry.get_kind_display(), "turn": entry.label, "reason": entry.reason}
    return gettext("%(number)s: %(kind)s in turn %(turn)s, %(reason)s") % facts


class UndoForm(ReasonForm):
    entry = forms.TypedChoiceField(
        label=_("Entry"),
        coerce=int,
        error_messages={"required": _("Choose an entry. Only entries that can still be undone are listed.")},
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        entries = self.about.journal.filter(undone_at=None).order_by("-number")
        self.offer(
            "entry",
            [(entry.number, name_entry(entry)) for entry in entries if may_be_undone(entry=entry, now=timezone.now())],
        )
