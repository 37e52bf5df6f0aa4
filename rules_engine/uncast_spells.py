"""Explains why a mage did not cast a spell: the gestures as the reader saw them, and the reasons for changes and
cuts."""

from __future__ import annotations

from rules_engine.audience import MageView, View
from rules_engine.causes import Learnt, Memory
from rules_engine.events import Event
from rules_engine.explanations import Reason, begin, explain, explain_event, find_casts, recount, write_piece
from rules_engine.gestures import BREAK, HANDS, LEFT, WAITED
from rules_engine.glossary import join_with_or
from rules_engine.rules import Ruleset
from rules_engine.spells import Series

# Kinds of events about gestures that someone else changed.
_CHANGES = frozenset(
    {
        "repeats",
        "hand_stuck",
        "confused_hands",
        "frightened_hands",
        "maladroit_hands",
        "paralysed_hand",
        "directed_hand",
    }
)
_ONE_PER_GESTURE, _IN_SEQUENCE, _ONCE = "FM-GEST-8", "FM-GEST-7", "FM-BOLT-4"


def explain_uncast(
    memory: Memory, view: View, ruleset: Ruleset, label: str, who: str, spell: str, me: str | None = None
) -> tuple[Reason, ...]:
    """Return why `who` did not cast `spell` in the turn called `label`, as far as the viewer saw the gestures.

    `view` is of the same viewer, after that turn. Raises KeyError for a mage who is not in the battle.
    """
    mage = view.mage(who)
    if spell not in ruleset.spells or spell not in ruleset.series.values():
        return (Reason(write_piece("no spell", me, {"spell": spell}, ruleset=ruleset.title), "", None),)
    if label not in view.columns[1:]:
        return (Reason(write_piece("no turn", me, turn=label), "", None),)
    at = view.columns.index(label, 1)
    for hand in HANDS:
        made = _find_completed(ruleset, mage, at, hand, spell)
        if made is not None:
            return (_explain_other_spell(memory, ruleset, label, mage, hand, made, me),)
    return _explain_incomplete(memory, view, ruleset, label, mage, at, spell, me)


def _find_completed(ruleset: Ruleset, mage: MageView, at: int, hand: str, spell: str) -> Series | None:
    own, other = (mage.left, mage.right) if hand == LEFT else (mage.right, mage.left)
    state = ruleset.book.state_of(own[: at + 1], other[: at + 1])
    ended = (*ruleset.book.single(state), *ruleset.book.both(state))
    return next((series for series in ended if series.spell == spell), None)


def _explain_other_spell(
    memory: Memory, ruleset: Ruleset, label: str, mage: MageView, hand: str, made: Series, me: str | None
) -> Reason:
    """Return the reason if the gestures were there: they cast another spell, or could not cast this one again."""
    start = _begin(me, mage, made.spell, label)
    instead = [c for c in find_casts(memory, label, mage.name) if c.event.facts["hand"] in (hand, "BH")]
    if not instead and made.text in ruleset.once:
        return explain(start, write_piece("used up", me, series=_spell_out(made.text)), _ONCE, None)
    if not instead:
        return explain(start, write_piece("kept", me, {"who": mage.name, "hand": hand}), _ONE_PER_GESTURE, None)
    other = instead[0]
    why = write_piece("other spell", me, {"who": mage.name, "hand": hand, "other": other.event.facts["spell"]})
    return explain(start, why, _ONE_PER_GESTURE, other.number)


def _explain_incomplete(
    memory: Memory, view: View, ruleset: Ruleset, label: str, mage: MageView, at: int, spell: str, me: str | None
) -> tuple[Reason, ...]:
    texts = [text for text, made in ruleset.series.items() if made == spell]
    start = _begin(me, mage, spell, label)
    if mage.left[at] == WAITED:
        return (explain(start, write_piece("not there", me, {"who": mage.name}), _IN_SEQUENCE, None),)
    first = max(1, at - max(map(len, texts)) + 1)
    changes = _find_changes(memory, view.columns[first : at + 1], mage, BREAK in mage.left[first : at + 1])
    if not changes:
        series = join_with_or([_spell_out(text) for text in sorted(texts)])
        return (explain(start, write_piece("not made", me, {"who": mage.name}, series=series), _IN_SEQUENCE, None),)
    last = changes[-1]
    cut = last.event.kind == "spell"
    why = write_piece("cut" if cut else "disturbed", me, {"who": mage.name})
    head = explain(start, why, last.event.clause, last.number)
    return (head, *(reason for each in changes for reason in (recount(each, me), *explain_event(memory, each, me))))


def _begin(me: str | None, mage: MageView, spell: str, label: str) -> str:
    return begin("not cast", me, {"who": mage.name, "spell": spell, "turn": label})


def _find_changes(memory: Memory, labels: tuple[str, ...], mage: MageView, cut: bool) -> list[Learnt]:
    return [each for each in memory if each.label in labels and _changes(each.event, mage.name, cut)]


def _changes(event: Event, who: str, cut: bool) -> bool:
    facts = event.facts
    if event.kind in _CHANGES:
        return facts["who"] == who and not facts.get("vain")
    anti = event.kind == "spell" and (facts["spell"], facts["outcome"]) == ("Anti Spell", "works")
    return cut and anti and facts["target"] == who


def _spell_out(series: str) -> str:
    return " ".join(series)
