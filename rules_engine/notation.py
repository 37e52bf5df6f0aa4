"""The order grammar: what a mage writes, read in his own view (docs/orders.md; FM-ORDMOVE-7..32; spec: engine 2).

What is understood becomes slots of a `Sheet`; every line that is not becomes a `Problem` with the nearest valid form.
A name the mage cannot know of is answered in the same words whether or not it exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from rules_engine.audience import known_beings, known_to_move_twice
from rules_engine.beings import NOBODY, ORDERS, State
from rules_engine.errors import Problem
from rules_engine.gestures import FIRST, FRIGHTENED, GESTURES, LEFT, NOTHING, RIGHT, SECOND, STAB
from rules_engine.keywords import HAND_NAMES, SECOND_NAMES, nearest_keyword, put_in_place
from rules_engine.orders import Sheet, slot_of_all, write_line
from rules_engine.questions import is_frightened
from rules_engine.steps.taking_orders import may_end_own_life, name_holding_spells

NOBODY_NAMES = frozenset({"nobody", "noone", "no_one", "none", "no_body"})
NOT_ALLOWED = "not_allowed"
"""The code of problems with orders that were understood; every other code means not understood."""

_SHORT = re.compile(r"^\s*([FPSWDC>.\-])\s*[/ ,]\s*([FPSWDC>.\-])(?:\s+(.*))?$", re.IGNORECASE)
# A pair in which a gesture is wrong: it is named, where "not an order" would be all.
_PAIR = re.compile(r"^\s*([^\s/]+)/([^\s/]+)(?:\s+(.*))?$")
# "LH = W", "RH:P", "Left hand: W", as forms have it.
_HAND_SIGN = re.compile(r"^\s*([LR]H2?|LEFT2?|RIGHT2?)(?:\s+hand\b\s*[:=]?|\s*(?:[:=]|->))\s*(?=\S)", re.IGNORECASE)
_CLAP = re.compile(r"^\s*[Cc](?:\s+(.*))?$")
LONGEST_SPEECH = 500


@dataclass(frozen=True, slots=True)
class Read:
    """What a text orders. `end`: END was given; `clear`: CLEAR was, and `sheet` holds only what came after it."""

    sheet: Sheet
    end: bool
    clear: bool
    problems: tuple[Problem, ...]


@dataclass
class _Reader:
    state: State
    mage: str
    slots: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    end: bool = False
    clear: bool = False
    line: int = 0
    text: str = ""

    @property
    def is_doubled(self) -> bool:
        """Whether this mage makes two pairs of gestures in this turn."""
        return self.state.wizards[self.mage].again is not None

    def hand(self, written: str) -> str | None:
        """The hand that a word names, of the second pair too where there is one."""
        word = written.upper()
        return HAND_NAMES.get(word) or (SECOND_NAMES.get(word) if self.is_doubled else None)

    def refuse(self, code: str, message: str, nearest: str | None = None) -> None:
        self.problems.append(Problem(self.line, self.text.strip(), code, message, nearest))

    def refuse_name(self, message: str, written: str, near: str | None) -> None:
        """Refuse a name; the nearest form is the line with the name that is near in its place."""
        self.refuse("unknown_name", message, put_in_place(self.text.split(";", 1)[0], written, near) if near else None)

    @property
    def names(self) -> tuple[str, ...]:
        """Beings this mage may name: the dead too, whom a Raise Dead may want, and all mages (FM-ORDMOVE-12)."""
        return (*known_beings(self.state, self.mage, with_dead=True), *self.state.mages)


def read_orders(state: State, mage: str, text: str) -> Read:
    """Read the mage commands of `text`, line by line, for `mage` in the present stage.

    Keywords, hands, names and spells are read in any case; text after ``;`` is dropped except in SAY; what follows END
    is not looked at. Lines that are not understood or not allowed are all reported; none of them is guessed at.
    """
    reader = _Reader(state, mage)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line, reader.text = number, line
        _read_line(reader, line)
        if reader.end:
            break
    _check_stabs(reader)
    return Read(Sheet(reader.slots), reader.end, reader.clear, tuple(reader.problems))


def _check_stabs(reader: _Reader) -> None:
    """Where the rules forbid it, nobody sets his dagger at himself (WH-END-4)."""
    if reader.state.ruleset.rules.stab_at_oneself:
        return
    for hand in (LEFT, RIGHT, SECOND[LEFT], SECOND[RIGHT]):
        if reader.slots.get(hand) == STAB and reader.slots.get(f"TARGET {hand}") == reader.mage:
            reader.refuse(NOT_ALLOWED, "You cannot stab yourself.", f"TARGET {hand} nobody")


def write_orders(sheet: Sheet) -> str:
    """The sheet as text that `read_orders` reads back, one order a line."""
    return "\n".join(sheet.lines())


def _read_line(reader: _Reader, line: str) -> None:
    if not line.strip():
        return
    words = line.split()
    if words[0].upper().rstrip(":") == "SAY":
        _read_say(reader, words)
        return
    line = _HAND_SIGN.sub(r"\1 ", line.split(";", 1)[0].rstrip())
    words = line.split()
    if not words:
        return
    short = _SHORT.match(line) or _PAIR.match(line)
    if short:
        _gestures(reader, short[1], short[2])
        _read_short_target(reader, short[3])
        return
    clap = _CLAP.match(line)
    if clap:
        _gestures(reader, "C", "C")
        _read_short_target(reader, clap[1])
        return
    _read_words(reader, words)


def _read_words(reader: _Reader, words: Sequence[str]) -> None:
    verb = words[0].upper().rstrip(":,")
    if reader.hand(verb):
        _read_hands(reader, words)
        return
    if verb in SECOND_NAMES:
        first = verb.removesuffix("2")
        nearest = None if HAND_NAMES[first] in reader.slots else " ".join([first, *words[1:]])
        reader.refuse(NOT_ALLOWED, "You make one pair of gestures in this turn.", nearest)
        return
    readers: dict[str, Callable[[_Reader, Sequence[str]], None]] = {
        "TARGET": _read_target,
        "RETARGET": _read_retarget,
        "PARALYZE": _read_paralyze,
        "PARALYSE": _read_paralyze,
        "CHARM": _read_decision,
        "ELEMENTAL": _read_decision,
        "DIRECT": _read_direct,
        "PERMANENT": _read_power,
        "DELAY": _read_power,
        "FIRE": _read_fire,
        "SUICIDE": _read_suicide,
        "CLEAR": _read_clear,
        "END": _read_end,
    }
    read = readers.get(verb) or (_read_choose if verb.startswith("CHO") else None)
    if read is not None:
        read(reader, words)
        return
    near = nearest_keyword(words)
    nearest = _mend(reader, " ".join([near, *words[1:]])) if near else None
    reader.refuse("unknown_order", f"{words[0]} is not an order.", nearest)


def _mend(reader: _Reader, line: str) -> str:
    """The line, mended further where something else in it is misspelt too."""
    trial = _Reader(reader.state, reader.mage, line=reader.line, text=line)
    _read_line(trial, line)
    return next((problem.nearest for problem in trial.problems if problem.nearest), line)


# -- one order each ---------------------------------------------------------------------------------------------------


def _read_hands(reader: _Reader, words: Sequence[str]) -> None:
    """``LH D``, and ``LH D RH P`` on one line."""
    rest = [bare for word in words if (bare := word.strip(",:"))]
    while rest:
        hand = reader.hand(rest[0])
        if hand not in (LEFT, RIGHT, SECOND[LEFT], SECOND[RIGHT]):
            reader.refuse("hand_expected", f"{rest[0]} is not LH or RH: each hand has its own gesture.", "LH P")
            return
        if len(rest) < 2:
            reader.refuse("gesture_missing", f"{hand} needs a gesture: one of {' '.join(GESTURES)}.", f"{hand} P")
            return
        _gesture(reader, hand, rest[1])
        rest = rest[2:]


def _gestures(reader: _Reader, left: str, right: str) -> None:
    """``P/D``; the second time in a turn of two pairs it is the second pair."""
    again = reader.is_doubled and LEFT in reader.slots and RIGHT in reader.slots
    _gesture(reader, SECOND[LEFT] if again else LEFT, left)
    _gesture(reader, SECOND[RIGHT] if again else RIGHT, right)


def _gesture(reader: _Reader, hand: str, written: str) -> None:
    gesture = STAB if written == "." else written.upper()
    wizard = reader.state.wizards[reader.mage]
    if gesture not in GESTURES:
        # "wave" and "?": the gesture whose letter the word begins with, else the form.
        near = written[:1].upper() if written.isalpha() and written[:1].upper() in GESTURES else "<gesture>"
        reader.refuse("not_a_gesture", f"{written} is not a gesture: {' '.join(GESTURES)}.", f"{hand} {near}")
    elif hand in reader.slots:
        reader.refuse("hand_twice", f"{hand} is given twice.", f"{hand} {reader.slots[hand]}")
    elif wizard.phase != ORDERS and reader.mage in reader.state.owing:
        reader.refuse(NOT_ALLOWED, "Your gestures of this turn are made; only choices and targets are open.", "END")
    elif gesture in FRIGHTENED and is_frightened(reader.state, wizard):
        reader.refuse(NOT_ALLOWED, f"You are too afraid for {gesture}: C, D, F and S are out of reach.", f"{hand} P")
    else:
        reader.slots[hand] = gesture


def _read_short_target(reader: _Reader, rest: str | None) -> None:
    """The tail of ``P/D RH Bung``: targets hand by hand."""
    words = (rest or "").split()
    while words:
        hand = reader.hand(words[0])
        if hand is None or len(words) < 2:
            reader.refuse("hand_expected", f"{words[0]} is not LH, RH or BH with a target.", "P/D RH nobody")
            return
        victim = _victim(reader, words[1:2])
        if victim is not None:
            reader.slots[f"TARGET {hand}"] = victim
        words = words[2:]


def _read_target(reader: _Reader, words: Sequence[str]) -> None:
    """``TARGET LH Bung``, ``TARGET RedGoblin Bung``, ``TARGET LH:Me Bung``."""
    if len(words) < 3:
        reader.refuse("words_missing", "TARGET needs a hand or a creature, and a name.", "TARGET RH nobody")
        return
    selector = reader.hand(words[1])
    if selector is None:
        selector = _unborn(reader, words[1]) if ":" in words[1] else _known(reader, words[1])
        if selector is None:
            return
        if selector in reader.state.wizards:
            reader.refuse("not_a_creature", f"{selector} is a mage: only creatures take orders.", "TARGET RH nobody")
            return
    victim = _victim(reader, words[2:])
    if victim is None:
        return
    if victim == selector:
        reader.refuse(NOT_ALLOWED, f"{victim} cannot attack itself.", f"TARGET {selector} nobody")
        return
    reader.slots[f"TARGET {selector}"] = victim


def _read_retarget(reader: _Reader, words: Sequence[str]) -> None:
    """``RETARGET RedGoblin Bung``: whom a hastened creature strikes the second time."""
    if len(words) < 3:
        reader.refuse("words_missing", "RETARGET needs a creature, and a name.", "RETARGET RedGoblin nobody")
        return
    creature, victim = _known(reader, words[1]), _victim(reader, words[2:])
    if creature is None or victim is None:
        return
    if creature in reader.state.wizards:
        reader.refuse("not_a_creature", f"{creature} is a mage: only creatures take orders.", "TARGET RH nobody")
    elif not reader.state.ruleset.rules.haste_begins_next_turn:
        reader.refuse(NOT_ALLOWED, "No creature strikes at two in one turn.", f"TARGET {creature} {victim}")
    elif victim == creature:
        reader.refuse(NOT_ALLOWED, f"{victim} cannot attack itself.", f"RETARGET {creature} nobody")
    else:
        reader.slots[f"RETARGET {creature}"] = victim


def _read_choose(reader: _Reader, words: Sequence[str]) -> None:
    """``CHOOSE RH Magic Missile``."""
    hand, written = reader.hand(words[1]) if len(words) > 2 else None, " ".join(words[2:])
    if hand is None:
        reader.refuse("words_missing", "CHOOSE needs LH, RH or BH, and a spell.", "CHOOSE RH Shield")
        return
    spells = {_plain(name): name for name in reader.state.ruleset.order}
    spell = spells.get(_plain(written))
    if spell is None:
        near = get_close_matches(_plain(written), spells, n=1, cutoff=0.5)
        hint = f"CHOOSE {hand} {spells[near[0]]}" if near else None
        reader.refuse("not_a_spell", f"{written} is not a spell of this book.", hint)
        return
    hands = FIRST if hand in FIRST else SECOND  # of the same pair
    _drop(reader, [other for other in hands if (FIRST.get(other, other) == "BH") != (FIRST.get(hand, hand) == "BH")])
    reader.slots[f"CHOOSE {hand}"] = spell


def _drop(reader: _Reader, hands: Iterable[str]) -> None:
    for hand in hands:
        reader.slots.pop(f"CHOOSE {hand}", None)


def _read_paralyze(reader: _Reader, words: Sequence[str]) -> None:
    """``PARALYZE LH Bung``."""
    hand = HAND_NAMES.get(words[1].upper()) if len(words) == 3 else None
    if hand not in (LEFT, RIGHT):
        reader.refuse("words_missing", "PARALYZE needs LH or RH, and a mage.", "PARALYZE LH " + _foe(reader))
        return
    victim = _mage(reader, words[2])
    if victim is None:
        return
    subject = reader.state.wizards[victim]
    if f"PARALYZE {victim}" in reader.state.wizards[reader.mage].decisions:
        reader.slots[f"PARALYZE {victim}"] = hand
    elif "paralysed" not in subject.marks or subject.paralyser != reader.mage:
        reader.refuse(NOT_ALLOWED, f"You hold no paralysis over {victim}.")
    elif subject.stuck:
        reader.refuse(NOT_ALLOWED, f"{victim}'s paralysed hand is settled already.")
    else:
        reader.slots[f"PARALYZE {victim}"] = hand


def _read_decision(reader: _Reader, words: Sequence[str]) -> None:
    """``CHARM LH Bung`` and ``ELEMENTAL fire Bung``, in a turn that asks for it; of two elementals by one mage
    ``ELEMENTAL ice LH:Bung`` is said of one, and the mage's name alone of both."""
    verb = words[0].upper()
    values = (
        {"FIRE": "fire", "ICE": "ice"} if verb == "ELEMENTAL" else {k: v for k, v in HAND_NAMES.items() if v != "BH"}
    )
    value = values.get(words[1].upper()) if len(words) == 3 else None
    if value is None:
        first, needs = ("fire", "fire or ice") if verb == "ELEMENTAL" else ("LH", "LH or RH")
        reader.refuse("words_missing", f"{verb} needs {needs}, and a mage.", f"{verb} {first} " + _foe(reader))
        return
    hand, colon, name = words[2].rpartition(":")
    mage = _mage(reader, name)
    if mage is None:
        return
    asked = [slot for slot in reader.state.wizards[reader.mage].decisions if slot_of_all(slot) == f"{verb} {mage}"]
    meant = f"{verb} {HAND_NAMES.get(hand.upper(), hand.upper())}:{mage}"
    slots = [slot for slot in asked if slot == meant or not colon]
    reader.slots.update(dict.fromkeys(slots, value))
    if not slots:
        nearest = write_line(asked[0], value) if asked else None
        reader.refuse(NOT_ALLOWED, f"You are not asked for {verb}{' ' + words[2] if asked else ''} now.", nearest)


def _read_direct(reader: _Reader, words: Sequence[str]) -> None:
    """``DIRECT LH P Bung``."""
    hand = HAND_NAMES.get(words[1].upper()) if len(words) == 4 else None
    if hand not in (LEFT, RIGHT):
        reader.refuse("words_missing", "DIRECT needs LH or RH, a gesture, and a mage.", "DIRECT LH P " + _foe(reader))
        return
    gesture = STAB if words[2] == "." else words[2].upper()
    if gesture not in GESTURES:
        message = f"{words[2]} is not a gesture: {' '.join(GESTURES)}."
        reader.refuse("not_a_gesture", message, f"DIRECT {hand} P {words[3]}")
        return
    victim = _mage(reader, words[3])
    if victim is None:
        return
    if gesture == NOTHING and not reader.state.ruleset.rules.charm_may_impose_nothing:
        message = "Charm Person may not make a hand do nothing in this battle."
        reader.refuse(NOT_ALLOWED, message, f"DIRECT {hand} P {victim}")
        return
    subject = reader.state.wizards[victim]
    if "charmed" not in subject.marks or subject.controller != reader.mage:
        reader.refuse(NOT_ALLOWED, f"You hold no charm over {victim}.")
    elif any(subject.directed.values()) or (subject.directed and hand not in subject.directed):
        reader.refuse(NOT_ALLOWED, f"What {victim} must do is settled already.")
    else:
        reader.slots[f"DIRECT {victim}"] = f"{hand} {gesture}"


def _read_power(reader: _Reader, words: Sequence[str]) -> None:
    """``PERMANENT LH`` and ``DELAY BH``."""
    verb = words[0].upper().rstrip(":,")
    hand = reader.hand(words[1]) if len(words) == 2 else None
    if hand is None:
        reader.refuse("words_missing", f"{verb} needs LH, RH or BH.", f"{verb} RH")
        return
    mark = "permanency" if verb == "PERMANENT" else "delay"
    if mark not in reader.state.wizards[reader.mage].marks:
        what = "make a spell permanent" if verb == "PERMANENT" else "bank a spell"
        reader.refuse(NOT_ALLOWED, f"You have no power to {what} now.")
        return
    reader.slots[verb] = hand


def _read_fire(reader: _Reader, words: Sequence[str]) -> None:
    if len(words) > 1:
        reader.refuse("too_many_words", "FIRE takes nothing more.", "FIRE")
    elif reader.state.wizards[reader.mage].bank is None:
        reader.refuse(NOT_ALLOWED, "You have no banked spell to fire.")
    else:
        reader.slots["FIRE"] = "FIRE"


def _read_suicide(reader: _Reader, words: Sequence[str]) -> None:
    """``SUICIDE``; nothing that is misspelt is taken for it."""
    wizard = reader.state.wizards[reader.mage]
    if len(words) > 1:
        reader.refuse("too_many_words", "SUICIDE takes nothing more.", "SUICIDE")
    elif not reader.state.ruleset.rules.held_minds_may_end_life:
        reader.refuse(NOT_ALLOWED, "These rules do not know SUICIDE. Two palms surrender.", "P/P")
    elif not may_end_own_life(reader.state.ruleset, wizard):
        spells = name_holding_spells(reader.state.ruleset.order)
        reader.refuse(NOT_ALLOWED, f"SUICIDE needs a permanent {spells} on you. Two palms surrender.", "P/P")
    else:
        reader.slots["SUICIDE"] = "SUICIDE"


def _read_say(reader: _Reader, words: Sequence[str]) -> None:
    said = " ".join(words[1:])
    if not said:
        reader.refuse("words_missing", "SAY needs something to say.", "SAY Hello")
    elif len(said) > LONGEST_SPEECH:
        reader.refuse("too_long", f"SAY takes at most {LONGEST_SPEECH} characters.", f"SAY {said[:LONGEST_SPEECH]}")
    elif said.lower() == "none":
        reader.slots.pop("SAY", None)
    else:
        reader.slots["SAY"] = said


def _read_clear(reader: _Reader, words: Sequence[str]) -> None:
    reader.slots.clear()
    reader.clear = True


def _read_end(reader: _Reader, words: Sequence[str]) -> None:
    reader.end = True


# -- names ------------------------------------------------------------------------------------------------------------


def _victim(reader: _Reader, words: Sequence[str]) -> str | None:
    """A being, an unborn form, or nobody; the words are glued together."""
    written = "".join(words)
    if written.lower() in NOBODY_NAMES:
        return NOBODY
    return _unborn(reader, written) if ":" in written else _known(reader, written)


def _unborn(reader: _Reader, written: str) -> str | None:
    hand, _, name = written.partition(":")
    mage = next((m for m in reader.state.mages if m.lower() == name.lower()), None)
    selector = HAND_NAMES.get(hand.upper())
    if mage in known_to_move_twice(reader.state, reader.mage):
        selector = selector or SECOND_NAMES.get(hand.upper())
    if selector is not None and mage is not None:
        return f"{selector}:{mage}"
    nearest = f"{selector or 'LH'}:{mage or reader.mage}"
    reader.refuse_name(f"{written} names no hand of a mage.", written, nearest)
    return None


def _known(reader: _Reader, written: str) -> str | None:
    """A being of that name, if this mage knows of it. The hidden is refused in the same words as the absent."""
    names = {name.lower(): name for name in reader.names}
    found = names.get(written.lower())
    if found is None:
        near = get_close_matches(written.lower(), names, n=1, cutoff=0.5)
        reader.refuse_name(f"You know of nobody called {written}.", written, names[near[0]] if near else None)
    return found


def _mage(reader: _Reader, written: str) -> str | None:
    """A mage who is still in the battle."""
    still_in = {name.lower(): name for name in reader.state.still_in}
    found = still_in.get(written.lower())
    if found is None:
        near = get_close_matches(written.lower(), still_in, n=1, cutoff=0.5)
        reader.refuse_name(f"{written} is no mage in this battle.", written, still_in[near[0]] if near else None)
    return found


def _foe(reader: _Reader) -> str:
    return next((name for name in reader.state.still_in if name != reader.mage), reader.mage)


def _plain(text: str) -> str:
    """Spell names are compared without case, blanks and hyphens (spec: engine 2.3)."""
    return re.sub(r"[\s_\-]", "", text).lower()
