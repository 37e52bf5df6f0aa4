"""The coach of a first duel: one line on the nearest danger and what stops it, or else on what is left to do."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from duels.board.parts import Part
from duels.board.signs import WORDS
from duels.selectors.battle_view import BattleView
from rules_engine import Danger, Weight, find_dangers, get_ruleset, name_spell
from rules_engine.bots.lesson import ATTACKS
from rules_engine.schools import find_school

# The lesson that teaches what stops a danger, by the defence; and the one on attacks.
LESSONS = {"Shield": "shield", "Counter Spell": "counter", "Magic Mirror": "counter"}
READING, ATTACKING = "reading", "first-spell"


@dataclass(frozen=True)
class Coach(Part):
    """The line, with links to lessons, and the sign beside it."""

    line: SafeString
    sign: str


def make_coach(view: BattleView) -> Coach | None:
    """Return the coach's line while the player chooses gestures in a first duel; None at any other time."""
    if not view.terms.lesson or view.me is None or view.over or not view.owes or view.stage_key.stage:
        return None
    foes = [each for each in view.view.mages if not each.mine and each.standing == "in"]
    if not foes:
        return None
    ruleset = get_ruleset(view.battle.ruleset, view.battle.edition)
    found = [each for each in find_dangers(view.view, ruleset, foes[0].name) if each.weight <= Weight.HURTS]
    # A stab needs no preparation: there is nothing to see coming.
    near = [each for each in found if each.more == 1 and each.parts[0].what in ruleset.spells]
    if near:
        return _warn(near[0])
    return _name_attacks(foes[0].name, foes[0].hp)


def _warn(danger: Danger) -> Coach:
    part = danger.parts[0]
    letter = part.rest[0].upper()
    slots = {
        "mage": danger.mage,
        "word": WORDS[letter],
        "letter": _draw_letters(letter),
        "spell": format_html("<b>{}</b>", name_spell(part.what)),
    }
    line = format_html(_("{mage} needs one more {word} {letter} for {spell}."), **slots)
    stops = [each for each in danger.stops if each.in_time]
    if stops:
        best = min(stops, key=lambda each: len(each.rest))
        told = format_html(
            _("A {spell} {gestures} stops it."),
            spell=_link(name_spell(best.spell), LESSONS.get(best.spell, READING)),
            gestures=_draw_letters(best.rest.upper()),
        )
        line = format_html("{} {}", line, told)
    return Coach(line, find_school(part.what).value)


def _name_attacks(mage: str, points: int | None) -> Coach:
    (one, first), (other, second) = ATTACKS.items()
    line = format_html(
        _("{mage} has {points}. {one} {first} takes 1, {other} {second} takes 2."),
        mage=mage,
        points=points,
        one=_link(name_spell(one), ATTACKING),
        first=_draw_letters(first),
        other=_link(name_spell(other), ATTACKING),
        second=_draw_letters(second),
    )
    return Coach(line, "time")


def _link(word: str, lesson: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse("studies:lesson_start", args=[lesson]), word)


def _draw_letters(letters: str) -> SafeString:
    return format_html_join(" ", '<span class="letter">{}</span>', ((letter,) for letter in letters))
