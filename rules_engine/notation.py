"""The order grammar: a mage's orders, read in that mage's view (docs/orders.md; FM-ORDMOVE-7..32; spec: engine 2).

Each line becomes slots of a `Sheet`, or else a `Problem` with the nearest valid form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial

from rules_engine.beings import NOBODY, ORDERS
from rules_engine.errors import Problem
from rules_engine.gestures import FIRST, FRIGHTENED, GESTURES, LEFT, NOTHING, RIGHT, SECOND, STAB
from rules_engine.glossary import list_spell_names
from rules_engine.keywords import (
    HAND_NAMES,
    SECOND_NAMES,
    SURRENDERS,
    nearest_gesture,
    nearest_keyword,
    read_pair,
    read_story_gestures,
    write_plainly,
)
from rules_engine.order_reader import (
    NOT_ALLOWED,
    Reader,
    being_among,
    being_resembling,
    find_known,
    find_unborn,
    find_victim,
    hand_among,
    reject_gesture,
)
from rules_engine.orders import Sheet
from rules_engine.power_orders import read_decision, read_direct, read_fire, read_paralyze, read_power, read_suicide
from rules_engine.questions import is_frightened
from rules_engine.state import State
from rules_engine.text import say

_SHORT = re.compile(r"^\s*([FPSWDC>.\-])\s*[/ ,]\s*([FPSWDC>.\-])[,:]?(?:\s+(.*))?$", re.IGNORECASE)
# A pair with a wrong gesture: name the gesture instead of just saying "not an order".
_PAIR = re.compile(r"^\s*([^\s/]+)/([^\s/]+?)[,:]?(?:\s+(.*))?$")
# "LH = W", "RH:P", "Left hand: W", as in forms.
_HAND_SIGN = re.compile(r"^\s*([LR]H2?|LEFT2?|RIGHT2?)(?:\s+hand\b\s*[:=]?|\s*(?:[:=]|->))\s*(?=\S)", re.IGNORECASE)
_CLAP = re.compile(r"^\s*[Cc](?:\s+(.*))?$")
# "LHW": a hand and its gesture without the space.
_JOINED = re.compile(r"([LR]H2?|LEFT2?|RIGHT2?)([FPSWDC>\-])", re.IGNORECASE)
# The other hand of the same pair.
PARTNERS = {LEFT: RIGHT, RIGHT: LEFT, SECOND[LEFT]: SECOND[RIGHT], SECOND[RIGHT]: SECOND[LEFT]}
LONGEST_SPEECH = 500
MOST_MENDS = 4


@dataclass(frozen=True, slots=True)
class Read:
    """The orders in a text. `end`: END was given; `clear`: CLEAR was given, and `sheet` has only later orders;
    `emptied`: the slots whose earlier order was taken back."""

    sheet: Sheet
    end: bool
    clear: bool
    problems: tuple[Problem, ...]
    emptied: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether the text neither gives an order nor takes one back."""
        return not (self.sheet or self.clear or self.emptied)

    def change(self, before: Sheet) -> Sheet:
        """Return the sheet with these orders, which was `before`."""
        if self.clear:
            return self.sheet
        kept = Sheet({slot: value for slot, value in before if slot not in self.emptied})
        return kept.merged(self.sheet)


def read_orders(state: State, mage: str, text: str) -> Read:
    """Read the mage commands of `text`, line by line, for `mage` in the present stage.

    Keywords, hands, names and spells are read in any case; text after ``;`` is dropped except in SAY; text after END is
    ignored. Every line that is not understood or not allowed is reported; nothing is guessed.
    """
    reader = Reader(state, mage)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line, reader.text = number, line
        _read_line(reader, line)
        if reader.end:
            break
    _check_stabs(reader)
    problems = tuple(_mend(reader, each) for each in reader.problems)
    return Read(Sheet(reader.slots), reader.end, reader.clear, problems, frozenset(reader.emptied))


def _check_stabs(reader: Reader) -> None:
    """Reject a mage's stab at themself, if the rules forbid it (WH-END-4)."""
    if reader.state.ruleset.rules.stab_at_oneself:
        return
    for hand in (LEFT, RIGHT, SECOND[LEFT], SECOND[RIGHT]):
        if reader.slots.get(hand) == STAB and reader.slots.get(f"TARGET {hand}") == reader.mage:
            reader.reject(NOT_ALLOWED, say("You cannot stab yourself."), f"TARGET {hand} nobody")


def write_orders(sheet: Sheet) -> str:
    """Return the sheet as text that `read_orders` reads back, one order a line."""
    return "\n".join(sheet.lines())


def _read_line(reader: Reader, line: str) -> None:
    said, line = line.split(), write_plainly(line)
    words = line.split()
    if not words:
        return
    if words[0].upper().rstrip(":") == "SAY":
        _read_say(reader, said)  # speech stays as it was written
        return
    line = _HAND_SIGN.sub(r"\1 ", line.split(";", 1)[0].rstrip())
    words = line.split()
    if not words:
        return
    short = _SHORT.match(line) or _PAIR.match(line)
    if short:
        _gestures(reader, short[1], short[2], short[3])
        _read_short_target(reader, f"{short[1]}/{short[2]}", short[3])
        return
    clap = _CLAP.match(line)
    if clap:
        _gestures(reader, "C", "C", clap[1])
        _read_short_target(reader, "C", clap[1])
        return
    _read_words(reader, words)


def _read_words(reader: Reader, words: Sequence[str]) -> None:
    verb = words[0].upper().rstrip(":,")
    if reader.hand(verb):
        _read_hands(reader, words)
        return
    if verb in SECOND_NAMES:
        first = verb.removesuffix("2")
        nearest = None if HAND_NAMES[first] in reader.slots else " ".join([first, *words[1:]])
        reader.reject(NOT_ALLOWED, say("You play one pair of gestures this turn."), nearest)
        return
    readers: dict[str, Callable[[Reader, Sequence[str]], None]] = {
        "TARGET": _read_target,
        "RETARGET": _read_retarget,
        "PARALYZE": read_paralyze,
        "PARALYSE": read_paralyze,
        "CHARM": read_decision,
        "ELEMENTAL": read_decision,
        "DIRECT": read_direct,
        "PERMANENT": read_power,
        "DELAY": read_power,
        "FIRE": read_fire,
        "SUICIDE": read_suicide,
        "CLEAR": _read_clear,
        "END": _read_end,
    }
    read = readers.get(verb) or (_read_choose if verb.startswith("CHO") else None)
    if read is not None:
        read(reader, words)
        return
    if verb in SURRENDERS and len(words) == 1:
        message = say("{word} is not an order. To surrender, play two palms.", word=words[0])
        reader.reject("unknown_order", message, "P/P")
        return
    parted = [_part_hand(word) for word in words]
    near, rest = (parted[0], parted[1:]) if parted[0] != words[0] else (nearest_keyword(words), list(words[1:]))
    if pair := read_pair("".join(words)) or read_story_gestures(" ".join(words)):  # "W / P.", "Linke Hand: Welle"
        near, rest = pair, []
    nearest = _find_spell_choice(reader, words) or (" ".join([near, *rest]) if near else None)
    reader.reject("unknown_order", say("{word} is not an order.", word=words[0]), nearest)


def _find_spell_choice(reader: Reader, words: Sequence[str]) -> str | None:
    """Return the CHOOSE order that a line means which begins with the name of a spell: "Fireball RH"."""
    spells = _list_spells(reader)
    for count in range(len(words), 0, -1):
        spell = spells.get(_plain(" ".join(words[:count])))
        if spell is not None:
            return f"CHOOSE {hand_among(reader, words[count:], RIGHT)} {spell}"
    return None


def _list_spells(reader: Reader) -> dict[str, str]:
    """Return the spells of these rules by their names in all languages, without case, spaces and hyphens."""
    order = reader.state.ruleset.order
    spells = {_plain(name): spell for spell in order for name in list_spell_names(spell)}
    return spells | {_plain(name): name for name in order}


def _part_hand(word: str) -> str:
    found = _JOINED.fullmatch(word.rstrip(","))
    return f"{found[1]} {found[2]}".upper() if found else word


def _mend(reader: Reader, problem: Problem) -> Problem:
    """Return the problem; what else is wrong in its nearest form is corrected too. A form that would be rejected again,
    for a power that the mage lacks, is no help, and left out."""
    for _ in range(MOST_MENDS):
        if problem.nearest is None:
            return problem
        trial = Reader(reader.state, reader.mage, line=problem.line, text=problem.nearest)
        _read_line(trial, problem.nearest)
        if not trial.problems:
            return problem
        problem = replace(problem, nearest=next((one.nearest for one in trial.problems if one.nearest), None))
    return replace(problem, nearest=None)


# -- one order each ---------------------------------------------------------------------------------------------------


def _read_hands(reader: Reader, words: Sequence[str]) -> None:
    """Read ``LH D``, and ``LH D RH P`` on one line, also with the signs of a form: ``LH = D, RH = P``."""
    bare = [bare for word in words for part in word.split("=") if (bare := part.strip(",:"))]
    # "LH W RHP" is rejected, but both hands are in its nearest form.
    meant = _mend_hands(reader, _split_hands(reader, [part for word in bare for part in _part_hand(word).split()]))
    for word, *rest in _split_hands(reader, bare):
        hand = reader.hand(word)
        aimed_at = being_among(reader, rest[:1], "")
        if aimed_at and not any(_is_gesture(other) for other in rest):
            reader.reject("not_a_gesture", reject_gesture(rest[0]), f"TARGET {hand} {aimed_at}")
            return
        if hand not in meant:  # BH
            _reject_word(reader, word, _write_hands(meant) or _place_gesture(reader, rest))
            return
        if not rest:
            message = say("{hand} needs a gesture: {gestures}.", hand=hand, gestures=" ".join(GESTURES))
            reader.reject("gesture_missing", message, _write_hands(meant))
        elif rest[0].upper() in ("TARGET", "CHOOSE"):
            reader.reject("not_a_gesture", reject_gesture(rest[0]), " ".join([rest[0].upper(), hand, *rest[1:]]))
            return
        else:
            _gesture(reader, hand, rest[0], meant[hand], partial(_put_gesture, meant, hand))
            if len(rest) > 1 and _is_gesture(rest[0]):
                if len(rest) == 2 and _is_gesture(rest[1]):
                    _reject_second(reader, hand, _write_hands(meant))
                else:
                    _reject_word(reader, rest[1], _write_hands(meant))
                return


def _split_hands(reader: Reader, words: Sequence[str]) -> list[Sequence[str]]:
    """Return the name of each hand in a line with the words after it."""
    starts = [place for place, word in enumerate(words) if reader.hand(word)]
    return [words[start:end] for start, end in zip(starts, [*starts[1:], len(words)], strict=True)]


def _mend_hands(reader: Reader, pieces: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the gesture that each hand in a line probably has. Each piece is the name of a hand and the words after
    it. A hand without any gets nothing: two palms would be a surrender."""
    meant: dict[str, str] = {}
    spare: dict[str, str] = {}
    for word, *rest in pieces:
        hand = reader.hand(word)
        if hand is None or hand not in PARTNERS or hand in meant:
            continue
        gestures = [STAB if word == "." else word.upper() for word in rest if _is_gesture(word)]
        if gestures[1:] and rest[0] == NOTHING and _is_gesture(rest[1]):  # "LH - D": a dash instead of a colon
            meant[hand] = gestures[1]
            continue
        meant[hand] = gestures[0] if gestures else nearest_gesture(rest[0]) if rest else NOTHING
        if len(gestures) == len(rest) == 2:  # "LH D W"
            spare[PARTNERS[hand]] = gestures[1]
    return meant | {hand: gesture for hand, gesture in spare.items() if hand not in meant}


def _is_gesture(word: str) -> bool:
    return word == "." or word.upper() in GESTURES


def _write_hands(gestures: Mapping[str, str]) -> str:
    return " ".join(f"{hand} {gesture}" for hand, gesture in gestures.items())


def _put_gesture(gestures: Mapping[str, str], hand: str, gesture: str) -> str:
    return _write_hands({**gestures, hand: gesture})


def _reject_word(reader: Reader, word: str, nearest: str) -> None:
    message = say("{word} is not LH or RH. Each hand has its own gesture.", word=word)
    reader.reject("hand_expected", message, nearest)


def _reject_second(reader: Reader, hand: str, nearest: str) -> None:
    reader.reject("hand_twice", say("{hand} has two gestures. Give it one.", hand=hand), nearest)


def _place_gesture(reader: Reader, words: Sequence[str]) -> str:
    """Return the order that words without a hand probably mean: their gesture, for a hand that has none yet."""
    gesture = next((word.upper() for word in words if word.upper() in GESTURES), NOTHING)
    hand = next((hand for hand in (LEFT, RIGHT) if hand not in reader.slots), LEFT)
    return f"{hand} {gesture}"


def _gestures(reader: Reader, left: str, right: str, tail: str | None) -> None:
    """Read ``P/D``; in a turn with two pairs, the second such line is the second pair. `tail` is the rest of the line,
    for its nearest form."""
    again = reader.is_doubled and LEFT in reader.slots and RIGHT in reader.slots
    hands = (SECOND[LEFT], SECOND[RIGHT]) if again else (LEFT, RIGHT)
    after = f" {tail}" if tail else ""
    _gesture(reader, hands[0], left, nearest_gesture(left), lambda gesture: f"{gesture}/{right}{after}")
    _gesture(reader, hands[1], right, nearest_gesture(right), lambda gesture: f"{left}/{gesture}{after}")


def _gesture(reader: Reader, hand: str, written: str, meant: str, form: Callable[[str], str]) -> None:
    """Read the gesture of one hand. For a rejection, `meant` is the likely gesture, and `form` puts one in the line."""
    gesture = STAB if written == "." else written.upper()
    wizard = reader.state.wizards[reader.mage]
    if gesture not in GESTURES:
        reader.reject("not_a_gesture", reject_gesture(written), form(meant))
    elif hand in reader.slots:
        _reject_second(reader, hand, f"{hand} {reader.slots[hand]}")
    elif wizard.phase != ORDERS and reader.mage in reader.state.owing:
        message = say("Your gestures for this turn are final. You can still choose spells and targets.")
        reader.reject(NOT_ALLOWED, message, "END")
    elif gesture in FRIGHTENED and is_frightened(reader.state, wizard):
        message = say("You are too afraid to play {gesture}. You cannot play C, D, F or S.", gesture=gesture)
        reader.reject(NOT_ALLOWED, message, form(NOTHING))
    else:
        reader.slots[hand] = gesture


def _read_short_target(reader: Reader, pair: str, rest: str | None) -> None:
    """Read the tail of ``P/D RH Bung``: targets hand by hand."""
    words, read = (rest or "").split(), pair
    while words:
        hand = reader.hand(words[0])
        if hand is None or len(words) < 2:
            message = say("{word} is not LH, RH or BH with a target.", word=words[0])
            named = hand_among(reader, words, "BH" if pair == "C" else RIGHT)
            # Without a name it aims at nobody only if it names a hand: "W/P thanks" must not waste the spell.
            victim = being_resembling(reader, words) or (NOBODY if hand else None)
            reader.reject("hand_expected", message, f"{read} {named} {victim}" if victim else read)
            return
        victim = find_victim(reader, words[1:2])
        if victim is not None:
            reader.slots[f"TARGET {hand}"] = victim
        read += " " + " ".join(words[:2])
        words = words[2:]


def _read_target(reader: Reader, words: Sequence[str]) -> None:
    """Read ``TARGET LH Bung``, ``TARGET RedGoblin Bung``, ``TARGET LH:Me Bung``."""
    if len(words) < 3:
        reader.miss(say("TARGET needs a hand or a creature, and a name."), _mend_target(reader, words[1:]))
        return
    selector, rest = reader.take_hand(words[1:])
    if selector is not None and not rest:
        reader.miss(say("TARGET needs a hand or a creature, and a name."), _mend_target(reader, words[1:]))
        return
    if selector is None:
        selector, rest = find_unborn(reader, words[1]) if ":" in words[1] else find_known(reader, words[1]), words[2:]
        if selector is None:
            return
        if selector in reader.state.wizards:
            _reject_mage(reader, selector, words[1:])
            return
    victim = find_victim(reader, rest)
    if victim is None:
        return
    if victim == selector:
        _reject_attack(reader, f"TARGET {selector}", victim)
        return
    reader.slots[f"TARGET {selector}"] = victim


def _read_retarget(reader: Reader, words: Sequence[str]) -> None:
    """Read ``RETARGET RedGoblin Bung``: the target of a hastened creature's second attack."""
    if not reader.state.ruleset.rules.haste_begins_next_turn:
        reader.reject(NOT_ALLOWED, say("A creature attacks once a turn."), " ".join(["TARGET", *words[1:]]))
        return
    if len(words) < 3:
        reader.miss(say("RETARGET needs a creature, and a name."), "RETARGET RedGoblin nobody")
        return
    creature, victim = find_known(reader, words[1]), find_victim(reader, words[2:])
    if creature is None or victim is None:
        return
    if creature in reader.state.wizards:
        _reject_mage(reader, creature, words[1:])
    elif victim == creature:
        _reject_attack(reader, f"RETARGET {creature}", victim)
    else:
        reader.slots[f"RETARGET {creature}"] = victim


def _reject_mage(reader: Reader, name: str, words: Sequence[str]) -> None:
    message = say("{mage} is a mage. Only creatures take orders.", mage=name)
    reader.reject("not_a_creature", message, _mend_target(reader, words))


def _mend_target(reader: Reader, words: Sequence[str]) -> str:
    """Return the TARGET order that the words after it come nearest to: ``TARGET Bung`` probably aims a hand at Bung."""
    hand = hand_among(reader, words, RIGHT)
    known = [name for word in words if (name := being_among(reader, [word], ""))]
    if len(words) < 2 and known and known[0] in reader.state.monsters:
        return f"TARGET {known[0]} {NOBODY}"
    return f"TARGET {hand} {known[-1] if known else NOBODY}"


def _reject_attack(reader: Reader, order: str, creature: str) -> None:
    reader.reject(NOT_ALLOWED, say("{creature} cannot attack itself.", creature=creature), f"{order} nobody")


def _read_choose(reader: Reader, words: Sequence[str]) -> None:
    """Read ``CHOOSE RH Magic Missile``, with the hand and the spell also as a story in another language calls them."""
    hand, rest = reader.take_hand(words[1:])
    written = " ".join(rest)
    spells = _list_spells(reader)
    if hand is None or not rest:
        named = _plain(" ".join(word for word in words[1:] if reader.hand(word) is None))
        nearest = f"CHOOSE {hand_among(reader, words[1:], RIGHT)} {spells.get(named, 'Shield')}"
        reader.miss(say("CHOOSE needs LH, RH or BH, and a spell."), nearest)
        return
    spell = spells.get(_plain(written))
    if spell is None:
        near = get_close_matches(_plain(written), spells, n=1, cutoff=0.5)
        hint = f"CHOOSE {hand} {spells[near[0]]}" if near else None
        reader.reject("not_a_spell", say("{written} is not a spell in these rules.", written=written), hint)
        return
    hands = FIRST if hand in FIRST else SECOND  # of the same pair
    _drop(reader, [other for other in hands if (FIRST.get(other, other) == "BH") != (FIRST.get(hand, hand) == "BH")])
    reader.slots[f"CHOOSE {hand}"] = spell


def _drop(reader: Reader, hands: Iterable[str]) -> None:
    for hand in hands:
        reader.slots.pop(f"CHOOSE {hand}", None)


def _read_say(reader: Reader, words: Sequence[str]) -> None:
    said = " ".join(words[1:])
    if not said:
        reader.miss(say("SAY needs something to say."), "SAY Hello")
    elif len(said) > LONGEST_SPEECH:
        message = say("SAY takes at most {number} characters.", number=LONGEST_SPEECH)
        reader.reject("too_long", message, f"SAY {said[:LONGEST_SPEECH]}")
    elif said.lower() == "none":
        reader.slots.pop("SAY", None)
        reader.emptied.add("SAY")
    else:
        reader.slots["SAY"] = said


def _read_clear(reader: Reader, words: Sequence[str]) -> None:
    reader.slots.clear()
    reader.clear = True


def _read_end(reader: Reader, words: Sequence[str]) -> None:
    reader.end = True


def _plain(text: str) -> str:
    """Return a spell's name without case, spaces and hyphens, for comparison (spec: engine 2.3)."""
    return re.sub(r"[\s_\-]", "", text).lower()
