"""Turns as a table or a page shows them, and their distance from turns as played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules_engine.errors import Problem
from rules_engine.gestures import FIRE, LEFT, RIGHT
from rules_engine.records.chronicle import PlayedTurn, find_result
from rules_engine.records.record import Result
from rules_engine.spells import Series
from rules_engine.text import say

HIDDEN = "?"
"""A gesture that the text does not show."""
_SMALL_WORDS = frozenset({"of"})
# The cost of a difference: a wrong gesture is worse than a wrong spell, and that is worse than a wrong number.
GESTURE_COST, _SPELL_COST, _TARGET_COST, _POINT_COST = 20, 8, 4, 1


@dataclass(frozen=True, slots=True)
class SeenCast:
    """A spell as a text shows it: its name, or only the initials. `hand` "" and `target` "" are not shown."""

    mage: str
    spell: str
    hand: str = ""
    target: str = ""

    def means(self, spell: str, hand: str) -> bool:
        return (not self.hand or self.hand == hand) and self.spell.casefold() in (spell.casefold(), initials(spell))


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """One row or paragraph: `line` is its line in the text. Mages without gestures there did not act."""

    line: int
    label: str
    gestures: Mapping[str, tuple[str, str]]
    casts: tuple[SeenCast, ...] = ()
    hp: Mapping[str, int] = field(default_factory=dict)
    creature_targets: Mapping[str, str] = field(default_factory=dict)
    """creature → whom it was told to attack"""
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(mage, slot) → what is known of the orders themselves: a gesture that was changed, whom a stab was for"""
    newborn: tuple[tuple[str, str], ...] = ()
    """(name, kind) of the creatures that came in this turn; the text may name them otherwise than the rules do"""


def initials(name: str) -> str:
    """Return how a table shortens a spell: ``FD`` for Finger Of Death, in small letters to compare."""
    return "".join(word[0] for word in name.casefold().split() if word not in _SMALL_WORDS)


def count_misfits(turns: Sequence[SeenTurn], series: Sequence[Series]) -> int:
    """Return how often a book of series cannot explain the text: a spell whose gestures are not those that its mage
    has played, or gestures that complete a spell where the text shows none."""
    strings: dict[str, tuple[str, str]] = {}
    misfits = 0
    for turn in turns:
        for mage, hands in turn.gestures.items():
            left, right = strings.get(mage, ("", ""))
            strings[mage] = left + hands[0], right + hands[1]
            cast = [each for each in turn.casts if each.mage == mage and each.hand != FIRE]
            misfits += sum(not _can_cast(each, *strings[mage], series) for each in cast)
            for hand, own, other in _each_hand(*strings[mage]):
                is_shown = any(each.hand not in (LEFT, RIGHT) or each.hand == hand for each in cast)
                if not is_shown and any(_ends(own, other, each.text, hidden="") for each in series):
                    misfits += 1
    return misfits


def _each_hand(left: str, right: str) -> tuple[tuple[str, str, str], ...]:
    return (LEFT, left, right), (RIGHT, right, left)


def _can_cast(cast: SeenCast, left: str, right: str, series: Sequence[Series]) -> bool:
    """Return whether the strings end with gestures of this spell."""
    return any(
        cast.means(each.spell, cast.hand) and _ends(own, other, each.text, hidden=HIDDEN)
        for hand, own, other in _each_hand(left, right)
        if cast.hand not in (LEFT, RIGHT) or cast.hand == hand
        for each in series
    )


def _ends(own: str, other: str, text: str, *, hidden: str) -> bool:
    """Return whether a hand's string ends with a series; `hidden` stands for any gesture."""
    if len(own) < len(text):
        return False
    return all(
        mine in (letter.upper(), hidden) and (letter.isupper() or theirs in (letter.upper(), hidden))
        for mine, theirs, letter in zip(reversed(own), reversed(other), reversed(text), strict=False)
    )


def count_cost(seen: SeenTurn, result: Result) -> int:
    """Return the distance between a turn as played and as shown."""
    return sum(cost for cost, _words in _compare(seen, result))


def list_doubts(seen: SeenTurn, turn: PlayedTurn) -> Iterator[Problem]:
    """Yield every difference, in words."""
    for _cost, words in _compare(seen, find_result(turn)):
        yield Problem(seen.line, f"turn {turn.label}", "differs", words)
    hidden = [mage for mage, hands in seen.gestures.items() if HIDDEN in hands]
    if hidden:
        words = say("The text hides gestures of {mages}; here they do nothing.", mages=", ".join(hidden))
        yield Problem(seen.line, f"turn {turn.label}", "hidden", words)


def _compare(seen: SeenTurn, result: Result) -> Iterator[tuple[int, str]]:
    """Yield every difference, with its cost and in words."""
    for mage, (left, right) in seen.gestures.items():
        made = tuple(hand[:1] for hand in result.gestures.get(mage, ("", "")))
        wrong = sum(shown not in (HIDDEN, there) for shown, there in zip((left, right), made, strict=True))
        if wrong:
            words = say(
                "{mage} plays {shown} in the text, {played} by these rules.",
                mage=mage,
                shown=f"{left}/{right}",
                played="/".join(made),
            )
            yield wrong * GESTURE_COST, words
    yield from _compare_casts(seen, result)
    for mage, points in seen.hp.items():
        if mage in result.hp and result.hp[mage] != points:
            off = min(abs(result.hp[mage] - points), 5) * _POINT_COST
            words = say(
                "{mage} has {shown} hit points in the text, {played} by these rules.",
                mage=mage,
                shown=points,
                played=result.hp[mage],
            )
            yield off, words


def _compare_casts(seen: SeenTurn, result: Result) -> Iterator[tuple[int, str]]:
    hidden = {mage for mage, hands in seen.gestures.items() if HIDDEN in hands}
    shown = set(seen.gestures) - hidden
    left = [cast for cast in result.casts if cast.mage in shown]
    for cast in seen.casts:
        if cast.mage in hidden:
            continue
        same = [each for each in left if each.mage == cast.mage and cast.means(each.spell, each.hand)]
        match = next((each for each in same if cast.target in ("", each.target)), same[0] if same else None)
        if match is None:
            words = say("{mage} casts {spell} in the text, but not by these rules.", mage=cast.mage, spell=cast.spell)
            yield _SPELL_COST, words
            continue
        left.remove(match)
        if cast.target and match.target not in (cast.target, None):
            words = say(
                "{mage} casts {spell} on {shown} in the text, on {played} by these rules.",
                mage=cast.mage,
                spell=match.spell,
                shown=cast.target,
                played=match.target,
            )
            yield _TARGET_COST, words
    for extra in left:
        words = say("{mage} casts {spell} by these rules, but not in the text.", mage=extra.mage, spell=extra.spell)
        yield _SPELL_COST, words
