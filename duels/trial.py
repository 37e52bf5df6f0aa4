"""The trial on the front page: a few turns against a training golem, by the real rules. Nothing is stored.

The moves and the seed determine the whole trial, so each request plays it again from the first turn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from duels.board.signs import WORDS
from duels.names import listed
from rules_engine import (
    Asks,
    KeyedDice,
    Outcome,
    Sheet,
    State,
    View,
    Viewer,
    advance,
    get_ruleset,
    headline,
    look,
    narrate,
    new_duel,
    open_questions,
    preview,
)
from rules_engine.rulebook import tell_sentences

VISITOR, GOLEM = "Visitor", "Golem"
RULESET = "firetop-standard"
KEYS = ("P", "S", "D", "W", "F", ">")
HANDS = ("LH", "RH")
MOST_TURNS = 30
# The strings the golem plays over and over.
LEFT_DRILLS = ("SDSDWFP", "DSFSDSD", "WFPSDSD", "SWDDPP")
RIGHT_DRILLS = ("P>WWP", "SFWPSD", "WWPSD>", "PSFW>")
# What each spell does, in a few words; the rulebook has a sentence for the others.
SHORT = {
    "Shield": gettext_lazy("stops blades and missiles"),
    "Magic Missile": gettext_lazy("1 damage"),
    "Summon Goblin": gettext_lazy("a goblin fights for you"),
    "Protection": gettext_lazy("a shield for four turns"),
    "Cause Light Wounds": gettext_lazy("2 damage"),
    "Confusion": gettext_lazy("one hand changes its gesture"),
    "Fear": gettext_lazy("no C, D, F or S next turn"),
    "Amnesia": gettext_lazy("repeats the last gestures"),
    "Paralysis": gettext_lazy("holds one hand still"),
    "Cure Light Wounds": gettext_lazy("heals 1"),
}

Move = tuple[str, str]


@dataclass(frozen=True)
class TrialKey:
    """One gesture on offer, with what it completes or starts, in two short lines."""

    letter: str
    title: str
    words: str


@dataclass(frozen=True)
class Trial:
    """The trial after some moves, as the visitor sees it. `golem` is the golem's last pair of gestures."""

    moves: tuple[Move, ...]
    seed: str
    view: View
    golem: Move | None
    headline: str
    lines: tuple[str, ...]
    keys: dict[str, tuple[TrialKey, ...]]
    outcome: Outcome | None

    @property
    def written(self) -> str:
        """The moves in the format of the form field."""
        return ",".join(left + right for left, right in self.moves)


def read_moves(text: str) -> tuple[Move, ...]:
    """Return the moves from a `Trial.written`, up to the first invalid one."""
    moves: list[Move] = []
    for pair in text.split(","):
        if len(pair) != 2 or any(letter not in KEYS for letter in pair) or len(moves) == MOST_TURNS:
            break
        moves.append((pair[0], pair[1]))
    return tuple(moves)


def play_trial(*, moves: Sequence[Move], seed: str) -> Trial:
    """Play the moves against the golem, until one of the two falls or thirty turns are over."""
    state = new_duel(get_ruleset(RULESET), [VISITOR, GOLEM], dice=KeyedDice(seed, 0, 0))
    told: tuple[object, ...] = ()
    golem: Move | None = None
    played = 0
    for move in moves:
        if state.over:
            break
        golem = _golem_move(state, seed)
        state, told = _play_turn(state, {VISITOR: move, GOLEM: golem}, seed)
        played += 1
    me = Viewer.of(VISITOR)
    seen = [event for event in told if me.sees(event)]  # type: ignore[arg-type]
    lines = tuple(line for event in seen if (line := narrate(event, VISITOR)))  # type: ignore[arg-type]
    return Trial(
        moves=tuple(moves[:played]),
        seed=seed,
        view=look(state, me),
        golem=golem,
        headline=headline(seen, VISITOR) if seen else "",  # type: ignore[arg-type]
        lines=lines,
        keys={} if state.over else _make_keys(state) if played else _make_first_keys(get_language()),
        outcome=state.outcome,
    )


def _make_keys(state: State) -> dict[str, tuple[TrialKey, ...]]:
    return {hand: tuple(_key(state, hand, gesture) for gesture in KEYS) for hand in HANDS}


@cache
def _make_first_keys(language: str | None) -> dict[str, tuple[TrialKey, ...]]:
    """Return the keys of the first turn, which are the same in every game; their words are in `language`."""
    del language  # the reader's, who asks for the page
    return _make_keys(new_duel(get_ruleset(RULESET), [VISITOR, GOLEM], dice=KeyedDice("", 0, 0)))


def _play_turn(state: State, wanted: dict[str, Move], seed: str) -> tuple[State, tuple[object, ...]]:
    seq, told = state.seq, []
    answers = {name: Sheet({"LH": left, "RH": right}) for name, (left, right) in wanted.items()}
    while True:
        sheets = {name: _complete(state, name, answers.get(name, Sheet())) for name in state.owing}
        done = advance(state, sheets, KeyedDice(seed, seq, state.stage))
        told += list(done.told)
        state, answers = done.state, {}
        if not isinstance(done, Asks):
            return state, tuple(told)


def _complete(state: State, name: str, sheet: Sheet) -> Sheet:
    """Return the sheet with the first allowed answer to every required question."""
    for _attempt in range(4):
        missing = [q for q in open_questions(state, name, sheet) if q.required and q.answered is None]
        if not missing:
            break
        for question in missing:
            value = next(option.value for option in question.options if option.allowed)
            sheet = sheet.merged(Sheet({question.id: value}))
    return sheet


def _golem_move(state: State, seed: str) -> Move:
    drill = hashlib.sha256(seed.encode()).digest()
    left = LEFT_DRILLS[drill[0] % len(LEFT_DRILLS)]
    right = RIGHT_DRILLS[drill[1] % len(RIGHT_DRILLS)]
    move = (left[(state.seq - 1) % len(left)], right[(state.seq - 1) % len(right)])
    if "afraid" in state.wizards[GOLEM].marks:
        move = tuple("W" if letter in "CDFS" else letter for letter in move)  # type: ignore[assignment]
    return ("W", "P") if move == ("P", "P") else move


def _key(state: State, hand: str, gesture: str) -> TrialKey:
    word = str(WORDS[gesture])
    name = f"{word[:1].upper()}{word[1:]}"
    if gesture == ">":
        return TrialKey(gesture, name, _("1 damage, unless a shield is up"))
    seen = preview(state, VISITOR, Sheet({hand: gesture}))
    coming = sorted(seen.becomes.get(hand, ()), key=lambda b: (b.more, b.both))
    done = list(dict.fromkeys(each.spell for each in coming if each.more == 0))
    if done:
        words = str(SHORT.get(done[0]) or tell_sentences(state.ruleset, done[0])[0])
        return TrialKey(gesture, f"{name}: {listed(done, 'or')}", words)
    if coming:
        rest = [str(WORDS.get(letter.upper(), letter)) for letter in coming[0].rest]
        after = ngettext("%(gestures)s next turn to finish", "%(gestures)s in the next turns to finish", len(rest)) % {
            "gestures": ", ".join(rest)
        }
        starts = _("%(gesture)s: starts %(spell)s") % {"gesture": name, "spell": coming[0].spell}
        return TrialKey(gesture, starts, after)
    return TrialKey(gesture, name, "")
