"""The orders a player may answer a mail with: the engine's open questions as lines of the order grammar."""

from duels.selectors import BattleView

HANDS = ("LH", "RH", "LH2", "RH2")


def write_order_block(view: BattleView) -> str:
    """Return what is asked and a block to fill in. Gestures are left open: a quoted block orders nothing by itself."""
    asked = [question for question in view.questions if question.required and question.answered is None]
    others = [question for question in asked if question.id not in HANDS]
    told = [describe_question(question) for question in others]
    lines = [f"GAME {view.battle.number} {view.me}", f"TURN {view.battle.label}"]
    lines += [f"{question.id} ?" for question in asked]
    intro = (
        "Answer this mail with your orders (or send them with a USER line).\nPut your gestures in place of the marks:"
    )
    if not any(question.id in HANDS for question in asked):
        intro = "Answer this mail with your orders:"
    return "\n".join([*told, *([""] if told else []), intro, "", *(f"  {line}" for line in lines), "  END"])


def describe_question(question: object) -> str:
    """Say what is asked, with the choices and what happens without an answer."""
    about = getattr(question, "about", "")
    options = [option for option in getattr(question, "options", ()) if option.allowed]
    choices = "\n".join(f"  {question.line(option.value)}" for option in options[:30])  # type: ignore[attr-defined]
    return f"{about}\n{choices}" if choices else str(about)
