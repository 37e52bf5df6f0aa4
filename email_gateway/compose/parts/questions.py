"""A player's next orders: the engine's open questions as lines to fill in, and the spells they have begun."""

import textwrap
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.board.labels import label_question, label_spell
from duels.board.sides import list_threats
from duels.board.strings import Completion
from duels.selectors.battle_view import BattleView
from email_gateway.text.layout import WIDTH, wrap

HANDS = ("LH", "RH", "LH2", "RH2")
MOST_MISSING = 2
HAND_NAMES = {"LH": gettext_lazy("Left"), "RH": gettext_lazy("Right")}


def write_order_block(view: BattleView) -> str:
    """Return the questions and a block to fill in. Gestures are left open, so a quoted block orders nothing."""
    asked = [question for question in view.questions if is_asked(view, question)]
    others = [question for question in asked if question.id not in HANDS]
    told = [describe_question(question) for question in others]
    lines = [f"GAME {view.battle.number} {view.me}", f"TURN {view.battle.label}"]
    lines += [write_question_line(question) for question in asked]
    intro = _(
        "Reply to this email with your orders, or send them with a USER line.\nReplace the question marks with your "
        "gestures:"
    )
    if not any(question.id in HANDS for question in asked):
        intro = _("Reply to this email with your orders:")
    return "\n".join([*told, *([""] if told else []), wrap(intro), "", *(f"  {line}" for line in lines), "  END"])


def write_question_line(question: Any) -> str:
    """Return the line that answers a question, with the default or left open."""
    is_open = question.required or question.default is None
    return str(question.line("?" if is_open else question.default))


def is_asked(view: BattleView, question: Any) -> bool:
    """Return whether the email asks this: required questions and, in a turn that stopped for answers, all others that
    have a default."""
    if question.answered is not None:
        return False
    return question.required or (view.stage_key.stage > 0 and question.default is not None)


def describe_question(question: Any) -> str:
    """Describe the question, its choices and its default."""
    options = [option for option in question.options if option.allowed]
    choices = [f"  {question.line(option.value)}" for option in options[:30]]
    otherwise = _("If you don't answer: %(order)s") % {"order": question.line(question.default)}
    return "\n".join([f"{label_question(question)}:", *choices, *([] if question.required else [otherwise])])


def write_running_series(view: BattleView) -> str:
    """Return the spells that are one or two gestures away for the mage's hands; "" if
    gestures are not asked."""
    preview = view.preview
    if preview is None or not view.owes or view.stage_key.stage:
        return ""
    rows: list[str] = []
    for hand, word in HAND_NAMES.items():
        near = [
            one for one in preview.becomes.get(hand, ()) if 0 < one.more <= MOST_MISSING and one.more < len(one.series)
        ]
        lines = [
            f"{label_spell(one.spell)} ({' '.join(one.rest)})"
            for one in sorted(near, key=lambda one: (one.more, one.spell))
        ]
        if lines:
            head = f"  {f'{word}:':<6} "
            rows += textwrap.wrap(", ".join(lines), WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
    heading = _("Spells you have begun, and the gestures they still need (small letters: both hands):")
    return "\n".join([wrap(heading), *rows]) if rows else ""


def write_threats(view: BattleView) -> str:
    """Return the spells that the others' hands can complete with one more gesture, as the page shows them; "" if
    gestures are not asked."""
    if not view.owes or view.stage_key.stage:
        return ""
    rows: list[str] = []
    for mage, threats in list_threats(view):
        rows.append(f"  {mage}")
        for threat in threats:
            lines = [f"{label_spell(one.spell)} ({write_last(one)})" for one in threat.completions]
            head = f"    {f'{HAND_NAMES[threat.slot]}:':<6} "
            rows += textwrap.wrap(", ".join(lines), WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
    heading = _("Spells that others complete with one more gesture (small letters: both hands):")
    return "\n".join([wrap(heading), *rows]) if rows else ""


def write_last(completion: Completion) -> str:
    return completion.letter.lower() if completion.both else completion.letter
