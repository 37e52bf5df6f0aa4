"""A player's next orders: the engine's open questions as lines to fill in, and the spells they have begun."""

import textwrap
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.board.dangers import ShownDanger, list_dangers
from duels.board.labels import label_question, label_spell
from duels.names import listed
from duels.order_form import ALL_HANDS, NOBODY
from duels.selectors.battle_view import BattleView
from email_gateway.text.layout import WIDTH, wrap

MOST_MISSING = 2
MOST_LINES = 30
HAND_NAMES = {"LH": gettext_lazy("Left"), "RH": gettext_lazy("Right")}


def write_order_block(view: BattleView) -> str:
    """Return the questions and a block to fill in. Gestures are left open, so a quoted block orders nothing."""
    asked = [question for question in view.questions if is_asked(view, question)]
    others = [question for question in asked if question.id not in ALL_HANDS]
    told = [describe_question(question) for question in others]
    lines = [f"GAME {view.battle.number} {view.me}", f"TURN {view.battle.label}"]
    lines += [write_question_line(question) for question in asked]
    intro = _(
        "Reply to this email with your orders, or send them with a USER line.\nReplace the question marks with your "
        "gestures:"
    )
    if not any(question.id in ALL_HANDS for question in asked):
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
    """Return a question and its answers: nobody first, a line for each being, and all others in one sentence."""
    values = [option.value for option in question.options if option.allowed]
    values.sort(key=lambda value: (value != NOBODY, ":" in value))
    short = [value for value in values if ":" not in value][:MOST_LINES]
    choices = [f"  {question.line(value)}" for value in short]
    others = [question.line(value) for value in values[len(short) :]]
    more = [wrap(_("Also possible: %(orders)s") % {"orders": listed(others, "or")})] if others else []
    otherwise = _("If you don't answer: %(order)s") % {"order": question.line(question.default)}
    return "\n".join([f"{label_question(question)}:", *choices, *more, *([] if question.required else [otherwise])])


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
    """Return what the others threaten, the worst first, and what stops it, as the page says it; "" if gestures are not
    asked."""
    if not view.owes or view.stage_key.stage:
        return ""
    rows: list[str] = []
    for mage, dangers in list_dangers(view):
        rows.append(f"  {mage}")
        for danger in dangers:
            rows += textwrap.wrap(_write_danger(danger), WIDTH, initial_indent="    ", subsequent_indent="      ")
            if danger.ends:
                for line in danger.defences:
                    rows += textwrap.wrap(line, WIDTH, initial_indent="      ", subsequent_indent="        ")
    heading = _("What the others can do next (small letters: both hands):")
    return "\n".join([wrap(heading), *rows]) if rows else ""


def _write_danger(row: ShownDanger) -> str:
    """Return one row of the board in a line: ``Kills you: right hand D, Lightning Bolt, 5 damage``."""
    parts = []
    for item in row.items:
        letters = " ".join(step.letter.lower() if step.both else step.letter for step in item.steps)
        hand = HAND_NAMES.get(item.slot, "") if letters else ""
        parts.append(f"{hand} {letters} {item.name}".strip())
    words = ", ".join(part for part in (" + ".join(parts), row.damage) if part)
    return f"{row.pill}: {words}"
