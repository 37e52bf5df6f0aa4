"""The order bar: a summary of the sheet, its problems, and the one button."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.board.columns import is_extra
from duels.board.ending import End, make_end
from duels.board.labels import STAB
from duels.board.links import Link, spell_url
from duels.board.pads import ShownQuestion
from duels.board.parts import Part
from duels.board.signs import WORDS
from duels.names import listed
from duels.real_deaths import explain_unreal_deaths
from duels.selectors.battle_view import BattleView
from duels.selectors.ending import Ending
from duels.stuck_words import may_change_orders
from rules_engine import Problem, Sheet, Warning

PageState = Literal["over", "spectator", "watch", "stale", "draft", "sealed"]


@dataclass(frozen=True)
class BarNote:
    """A warning: the fact, and its consequence."""

    tone: str
    fact: str
    rest: str


@dataclass(frozen=True)
class IdleNote:
    """Something that does nothing as things stand: the fact, its consequence, and the rule of the spell."""

    fact: str
    rest: str
    rule: str


@dataclass(frozen=True)
class Button:
    """The button that sends the orders; `held` while a question must be answered first."""

    word: str
    tone: str
    held: bool


@dataclass(frozen=True)
class ShownProblem:
    """One problem with the orders: where, what, and the nearest valid form."""

    text: str
    message: str
    nearest: str | None


@dataclass(frozen=True)
class Bar(Part):
    """The bar in one state of the page; "incomplete" is a draft that cannot be sent yet.

    `example` is a name for example orders, `gestures` says whether gestures are needed, `end` is the next step
    after the battle. `idle` is what does nothing as things stand. `confirm`: the button must be pressed again;
    `keeps_fighting`: the other choice is to fight on.
    """

    state: PageState | Literal["incomplete"]
    fact: str = ""
    rest: str = ""
    line: str = ""
    placeholder: str = ""
    next: Link | None = None
    change_url: str = ""
    notes: tuple[BarNote, ...] = ()
    idle: tuple[IdleNote, ...] = ()
    repeats: str = ""
    confirm: bool = False
    keeps_fighting: bool = False
    review: str = ""
    kept: bool = False
    button: Button | None = None
    problems: tuple[ShownProblem, ...] = ()
    example: str = ""
    gestures: bool = False
    end: End | None = None


def make_bar(
    view: BattleView,
    state: PageState,
    *,
    open_questions: Sequence[ShownQuestion],
    problems: Sequence[Problem],
    typed: str,
    late: str,
    too_late: str,
    ask_to_confirm: bool,
    change_url: str,
    next_battle: Link | None,
    ending: Ending | None,
    example: str,
    rules: str,
) -> Bar:
    """Return the bar: `typed` is a line with a problem, `late` are orders that came too late, and `too_late` says
    why if their turn is still open.

    `ending` is the effect of the battle's end on the player, `rules` the page of the battle's rules.
    """
    others = [name for name in view.waiting_for if name != view.me]
    if state == "over":
        return Bar(state, end=make_end(view, ending, next_battle))
    if state == "spectator":
        return Bar(state, rest=_("You are watching this battle. You see what every mage in it can see."))
    if view.stuck and state in ("sealed", "watch"):
        may_change = state == "sealed" and may_change_orders(view)
        rest = _("The turn is stuck until the janitors repair it.")
        return Bar(state, rest=rest, next=next_battle, change_url=change_url if may_change else "")
    if state == "sealed":
        return Bar(
            state,
            rest=_describe_sealed(others),
            next=next_battle,
            change_url="" if view.terms.orders_final else change_url,
        )
    if state == "stale":
        rest = _("Your orders were not used. You can find them below.") if late else _("Your orders were not used.")
        return Bar(state, fact=too_late or _("That turn is over."), rest=rest, line=late)
    if state == "watch":
        rest = _("The turn resolves by itself.")
        if others:
            rest = _("The battle is waiting for %(names)s.") % {"names": listed(others)}
        return Bar(state, fact=_describe_idleness(view), rest=rest)
    return _make_draft_bar(
        view, state, open_questions, problems, typed=typed, ask_to_confirm=ask_to_confirm, example=example, rules=rules
    )


def _make_draft_bar(
    view: BattleView,
    state: PageState,
    open_questions: Sequence[ShownQuestion],
    problems: Sequence[Problem],
    *,
    typed: str,
    ask_to_confirm: bool,
    example: str,
    rules: str,
) -> Bar:
    """Return the bar while orders are being written."""
    found = view.preview.warnings if view.preview else ()
    warnings = sorted((each for each in found if not each.idle), key=lambda w: (not w.severe, not w.odd))
    severe = warnings[0].code if warnings and warnings[0].severe else ""
    is_odd = bool(warnings) and warnings[0].odd
    # A surrender needs no choice of spell and no target. Mages who end their life still cast this turn.
    surrenders = severe not in ("", "suicide")
    held = any(not surrenders or question.kind not in ("choose", "target") for question in open_questions)
    gestures = any(question.kind == "gesture" for question in view.questions)
    return Bar(
        state="incomplete" if held else state,
        notes=(_make_note(view, warnings[0], ask_to_confirm),) if warnings else (),
        idle=tuple(_make_idle_note(each, rules) for each in found if each.idle and not _is_asked(view, each)),
        repeats=_describe_repetition(view.repeated),
        confirm=ask_to_confirm and (bool(severe) or is_odd),
        keeps_fighting=bool(severe),
        review=_describe_surrender(view) if severe == "surrender" else view.preview.review if view.preview else "",
        kept=bool(view.draft),
        line=typed,
        placeholder=canonical_line(view.sheet) or ("P/D" if gestures else ""),
        button=_make_button(severe, ask_to_confirm, held, is_odd=is_odd),
        problems=tuple(ShownProblem(problem.text, problem.message, problem.nearest) for problem in problems),
        example=example,
        gestures=gestures,
    )


def _describe_surrender(view: BattleView) -> str:
    if len(view.view.mages) == 2:
        return _("You surrender. The duel ends.")
    return _("You surrender and leave the battle.")


def _describe_sealed(others: Sequence[str]) -> str:
    """Say what sealed orders wait for: the mages who are not ready."""
    if not others:
        return _("The turn resolves now.")
    words = ngettext(
        "Your orders stay sealed until %(names)s is ready too.",
        "Your orders stay sealed until %(names)s are ready too.",
        len(others),
    )
    return words % {"names": listed(others)}


def _describe_idleness(view: BattleView) -> str:
    """Return why a mage of the battle has nothing to do now."""
    if is_extra(view.view.label) and view.own and not view.own.asked:
        if view.view.label.endswith("T"):
            return _("This turn is outside time, and you have no move in it.")
        return _("This is an extra turn, and you have no move in it.")
    dead = [row.name for row in view.combatants if row.name == view.me and row.standing == "dead"]
    return " ".join(filter(None, [_("You have nothing to do now."), explain_unreal_deaths(view, dead)]))


def _describe_repetition(gestures: Mapping[str, str] | None) -> str:
    """Describe the turn under Amnesia; "" for any other turn."""
    if gestures is None:
        return ""
    words = {hand: WORDS.get(letter, letter) for hand, letter in gestures.items()}
    if "LH2" in words:
        message = _(
            "Your left hand repeats %(LH)s, your right hand %(RH)s; the second time %(LH2)s and %(RH2)s. "
            "Press Ready to continue."
        )
    else:
        message = _("Your left hand repeats %(LH)s, your right hand %(RH)s. Press Ready to continue.")
    return message % words


def _make_note(view: BattleView, warning: Warning, ask_to_confirm: bool) -> BarNote:
    asks = ask_to_confirm and (warning.severe or warning.odd)
    unreal = explain_unreal_deaths(view, [view.me]) if warning.code == "suicide" and view.me else ""
    rest = [warning.follows, unreal, _("Press again to confirm.") if asks else ""]
    return BarNote("warn", warning.fact, " ".join(filter(None, rest)))


def _is_asked(view: BattleView, warning: Warning) -> bool:
    """Return whether a question of the page says it already: whom an idle creature attacks in a melee."""
    return warning.code == "idle_creature" and len(view.view.mages) > 2


def _make_idle_note(warning: Warning, rules: str) -> IdleNote:
    is_spell = bool(warning.hand) and warning.about != STAB
    return IdleNote(warning.fact, warning.follows, spell_url(warning.about, rules) if is_spell else "")


def _make_button(severe: str, ask_to_confirm: bool, held: bool, *, is_odd: bool) -> Button:
    """Return the button that sends the orders; `severe` is the code of a warning to confirm, or ""."""
    if severe and ask_to_confirm:
        return Button(_("End your life") if severe == "suicide" else _("Surrender"), "blood", held=False)
    if severe:
        return Button(_("End your life…") if severe == "suicide" else _("Surrender…"), "blood", held)
    return Button(_("Play it anyway") if is_odd and ask_to_confirm else _("Ready"), "main", held)


def canonical_line(sheet: Sheet | None) -> str:
    """Return the sheet in one line: ``P/D``, then every other order after a semicolon."""
    if not sheet:
        return ""
    hands = {hand: gesture for hand in ("LH", "RH") if (gesture := sheet.get(hand))}
    rest = [line for line in sheet.lines() if not line.startswith(("LH ", "RH ", "SAY"))]
    first = f"{hands['LH']}/{hands['RH']}" if len(hands) == 2 else "; ".join(f"{h} {g}" for h, g in hands.items())
    return "; ".join(part for part in (first, *rest) if part)
