"""Reads battles from the output of other programs: the SHOW table of a Firetop Mountain server, and the pages of
Warlocks battles, copied as text. Reports every problem with its line and the nearest valid form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache

from rules_engine.errors import InvalidRecord, Problem
from rules_engine.gestures import GESTURES
from rules_engine.records.foreign.seen_turns import HIDDEN, SeenCast, SeenTurn
from rules_engine.rulesets import RULESETS
from rules_engine.text import say, say_count

_ROW = re.compile(r"\s*(\d{1,3})([A-Z]?)\s*:(.*)")
_CELL = re.compile(r" (\S[* ?]) (\S[* ?]) (-?\d{1,2}| \d|##)(?: .*)?")
MOST_MAGES, LONGEST_NAME = 8, 30
TABLE_HEAD = " LH RH HP"
_NO_HANDS = {".", "#"}


@dataclass(frozen=True, slots=True)
class SeenBattle:
    """The mages in their order, and the turns."""

    mages: tuple[str, ...]
    turns: tuple[SeenTurn, ...]


def read_table(text: str) -> SeenBattle:
    """Read a SHOW table. Raises InvalidRecord with every problem."""
    lines = text.replace("\r\n", "\n").split("\n")
    problems: list[Problem] = []
    head = next((n for n, line in enumerate(lines) if line.lstrip().startswith("Turn:") and TABLE_HEAD in line), None)
    if head is None or head == 0:
        form = "Turn: LH RH HP Spells  Owned Beasts  :"
        raise InvalidRecord((Problem(1, lines[0][:60], "no_table", say("This is not a SHOW table."), form),))
    above = next((line for line in reversed(lines[:head]) if line.strip()), "")
    names = [name.strip() for name in above.split(":")[:-1]]
    order = _read_order(lines[:head], names)
    last = max((n for n, line in enumerate(lines) if _is_of_table(line, len(names))), default=head)
    turns = list(_read_rows(lines[: last + 1], head + 1, names, problems))
    problems += _find_gap(turns)
    if not turns and not problems:
        problems.append(Problem(head + 1, lines[head], "no_turns", say("There is no turn below this line.")))
    if problems:
        raise InvalidRecord(tuple(problems))
    return SeenBattle(order, tuple(turns))


def check_mages(mages: Collection[str]) -> None:
    """Raise InvalidRecord for too many or too few mages, or for one whose name cannot be a mage's."""
    if not 2 <= len(mages) <= MOST_MAGES:
        words = say_count(
            "There is one mage. A battle here has 2 to {most}.",
            "There are {number} mages. A battle here has 2 to {most}.",
            len(mages),
            most=MOST_MAGES,
        )
        raise InvalidRecord((Problem(1, "", "mages", words),))
    for name in mages:
        if len(name) > LONGEST_NAME or not name.replace("_", "").replace("-", "").isalnum():
            words = say(
                "{name} cannot be a mage's name. Use up to {most} letters and digits.",
                name=name[:40],
                most=LONGEST_NAME,
            )
            near = "".join(letter for letter in name if letter.isalnum())[:LONGEST_NAME]
            raise InvalidRecord((Problem(1, "", "name", words, near or None),))


def is_row(line: str) -> bool:
    return _ROW.fullmatch(line.rstrip()) is not None


def _is_of_table(line: str, mages: int) -> bool:
    """Return whether a line is a row, or looks like one; what follows the last one is a signature or the like."""
    return is_row(line) or line.count(":") > mages or line.strip().startswith(":")


def _find_gap(turns: Sequence[SeenTurn]) -> list[Problem]:
    """Return the problem of the first turn that does not follow the turn above it, if there is one."""
    before = 0
    for turn in turns:
        number = int(turn.label.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        if number not in (before, before + 1):
            words = say("Turn {number} is missing here. Paste the whole battle in order.", number=before + 1)
            return [Problem(turn.line, f"turn {turn.label}", "missing_turn", words)]
        before = number
    return []


def _read_order(above: Sequence[str], names: list[str]) -> tuple[str, ...]:
    """Return the order of the title, which is that of joining; the columns are sorted."""
    title = next((line for line in above if " between " in line), "")
    known = {name.casefold(): name for name in names}
    words = re.sub(r"\([^()]*\)", "", title.partition(" between ")[2]).replace(",", " ").split()
    titled = [known[word.casefold()] for word in words if word.casefold() in known]
    return tuple(titled) if sorted(titled) == sorted(names) else tuple(names)


def _read_rows(lines: list[str], first: int, names: list[str], problems: list[Problem]) -> Iterator[SeenTurn]:
    for number, line in enumerate(lines[first:], start=first + 1):
        if not line.strip() or set(line.strip()) == {"-"} or line.strip().startswith(":"):
            continue
        row = _ROW.fullmatch(line.rstrip())
        if row is None:
            words = say("This is not a row of the table.")
            problems.append(Problem(number, line.strip(), "malformed", words, "  3 : P* F* 15 P C           :"))
            continue
        label, rest = row[1] + row[2], row[3]
        if any(cell[1:2] == "#" for cell in rest.split(":")[: len(names)]):
            continue  # an Anti Spell cut the strings; the rules do it too
        turn = _read_row(number, label, rest, lines[number:], names, problems)
        if turn is not None:
            yield turn


def _read_row(
    number: int, label: str, rest: str, below: Sequence[str], names: list[str], problems: list[Problem]
) -> SeenTurn | None:
    """Return one row, with the lines below it that continue its cells."""
    cells = [*rest.split(":"), *([""] * len(names))][: len(names)]
    more: list[list[str]] = [[] for _name in names]
    for line in below:
        if not line.strip():
            continue
        if not line.strip().startswith(":"):
            break
        for place, cell in enumerate(line[line.index(":") + 1 :].split(":")[: len(names)]):
            more[place].append(cell)
    gestures, hp, casts = {}, {}, []
    for name, cell, wrapped in zip(names, cells, more, strict=True):
        match = _CELL.fullmatch(cell.rstrip().ljust(9))
        if match is None:
            words = say("We cannot read the cell of {name}.", name=name)
            problems.append(Problem(number, cell.strip(), "malformed", words, "P* F* 15 P C"))
            return None
        left, right = match[1], match[2]
        if left[0] in _NO_HANDS:
            continue
        if left[0] == HIDDEN:
            gestures[name] = (HIDDEN, HIDDEN)
            continue
        wrong = [hand for hand in (left[0], right[0]) if hand not in (*GESTURES, HIDDEN)]
        for hand in wrong:
            near = get_close_matches(hand.upper(), GESTURES, n=1)
            words = say("{letter} is not a gesture. Use one of {letters}.", letter=hand, letters=" ".join(GESTURES))
            problems.append(Problem(number, cell.strip(), "gesture", words, near[0] if near else "-"))
        gestures[name] = (left[0], right[0])
        if match[3] != "##":
            hp[name] = int(match[3])
        words_of = " ".join([cell[10:17], *(each[10:17] for each in wrapped)]).split()
        casts += list(_place_casts(name, left, right, words_of))
    return SeenTurn(number, label, gestures, tuple(casts), hp)


def _place_casts(name: str, left: str, right: str, spells: list[str]) -> Iterator[SeenCast]:
    """Yield which hand cast which: a star marks a hand that cast; the order is left, right, both, bank."""
    starred = [hand for hand, shown in (("LH", left), ("RH", right)) if shown.endswith("*")]
    if len(starred) == 2 and left[0] == right[0] == "C":
        starred = ["BH"]  # nothing else ends with a clap
    for place, spell in enumerate(spells):
        if len(starred) == 2 and len(spells) == 1:
            yield SeenCast(name, spell, "BH")
        else:
            yield SeenCast(name, spell, starred[place] if place < len(starred) else "FIRE")


# -- Warlocks ---------------------------------------------------------------------------------------------------------

_G = r"(?:his|her|its|their)"
_HAND = rf"{_G} (?P<hand>left|right) hand"
_PHRASES = {
    "F": (rf"wiggles the fingers of {_HAND}", "wiggles the fingers of their left hand."),
    "P": (rf"proffers the palm of {_HAND}", "proffers the palm of their left hand."),
    "S": (rf"snaps the fingers of {_HAND}", "snaps the fingers of their left hand."),
    "W": (rf"waves {_HAND}", "waves their left hand."),
    "D": (rf"points the digit of {_HAND}", "points the digit of their left hand."),
    "C": (rf"(?:claps|(?:\w+ )?half-claps with {_HAND})", "claps."),
    ">": (rf"stabs with {_HAND}", "stabs with their left hand."),
    "-": (rf"makes no gesture with {_HAND}", "makes no gesture with their left hand."),
}
_GESTURES = [(letter, re.compile(rf"(?P<who>\S+) {pattern}[.!]")) for letter, (pattern, _form) in _PHRASES.items()]
_FORMS = [form for _pattern, form in _PHRASES.values()]
_BOWS = re.compile(r"(\S+) bows\.")
_TURN = re.compile(r"Turn (\d{1,3})")
_CASTS = re.compile(r"(\S+) casts (.+?)(?: (?:at|on) (.+?))?[.!]")
_DIRECTS = re.compile(r"(\S+) directs (.+) to attack (.+?)[.!]")
_SUMMONED = re.compile(r"(.+?) (Goblin|Ogre|Troll|Giant|Elemental) is summoned to serve (\S+)\.")
_SELF = {"himself", "herself", "itself", "themself", "themselves"}
_STATUS = re.compile(r"(?:Registered!\s+)?(\S+?)\(\d+\)\s.*")
_HEALTH = re.compile(r"\bHealth:\s*([1-9]\d{0,2})\b")
_STRING = re.compile(r"(LH|RH):(\S.*)")
_ENDED = (".", "!", '"', "?")
# Longer ones are not of the game, and the forms above would take long to reject them.
_LONGEST_SENTENCE = 1000


_ToldTurn = tuple[int, str, list[tuple[int, str]]]
"""Its line, its label, and its sentences with their lines."""


@dataclass
class _Page:
    mages: dict[str, None] = field(default_factory=dict)
    turns: list[_ToldTurn] = field(default_factory=list)
    strings: dict[str, dict[str, str]] = field(default_factory=dict)
    health: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_warlocks_page(text: str) -> SeenBattle:
    """Read the page of a Warlocks battle, copied as text. Raises InvalidRecord with every problem."""
    page = _Page()
    _sort_sentences(page, list(_join_lines(text)))
    if len(page.mages) < 2:
        words = say("The page needs a turn 0 in which two or more mages bow.")
        page.problems.append(Problem(1, text.strip().split("\n")[0][:60], "no_mages", words, "Ayla bows."))
        raise InvalidRecord(tuple(page.problems))
    check_mages(page.mages)  # each turn looks for all of them
    turns = [_read_turn(page, *turn) for turn in _drop_repeated(page.turns) if turn[1] != "0"]
    page.problems += _find_gap(turns)
    if turns:  # the page ends with the hit points after its last turn
        turns[-1] = replace(turns[-1], hp=page.health)
    else:
        page.problems.append(Problem(1, "", "no_turns", say("There is no turn after turn 0."), "Turn 1"))
    if page.problems:
        raise InvalidRecord(tuple(page.problems))
    return SeenBattle(tuple(page.mages), tuple(turns))


def _drop_repeated(turns: list[_ToldTurn]) -> Iterator[_ToldTurn]:
    """Yield the turns without those that were pasted twice."""
    known: dict[str, list[str]] = {}
    for line, label, sentences in turns:
        words = [sentence for _number, sentence in sentences]
        before = known.setdefault(label, [])
        shared = min(len(before), len(words))
        if not shared or before[:shared] != words[:shared]:
            yield line, label, sentences
        known[label] = words


def _join_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield sentences with their lines, joining wrapped ones."""
    start, sentence = 0, ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        words = line.strip()
        alone = not words or _TURN.fullmatch(words) or _STRING.fullmatch(words) or _STATUS.fullmatch(words)
        if sentence and alone:
            yield start, sentence
            sentence = ""
        if not words:
            continue
        if alone:
            yield number, line.strip() if not _STRING.fullmatch(words) else line.lstrip().rstrip("\n")
            continue
        start = number if not sentence else start
        sentence = f"{sentence} {words}".strip()
        if sentence.endswith(_ENDED) or len(sentence) > _LONGEST_SENTENCE:
            yield start, sentence[:_LONGEST_SENTENCE]
            sentence = ""
    if sentence:
        yield start, sentence


def _sort_sentences(page: _Page, sentences: list[tuple[int, str]]) -> None:
    owner = ""
    for number, sentence in sentences:
        if turn := _TURN.fullmatch(sentence):
            page.turns.append((number, turn[1], []))
        elif (status := _STATUS.fullmatch(sentence)) and status[1] in page.mages:
            owner = status[1]
            if health := _HEALTH.search(sentence):
                page.health[owner] = int(health[1])
        elif (string := _STRING.fullmatch(sentence)) and owner:
            page.strings.setdefault(owner, {})[string[1]] = string[2]
        elif page.turns:
            page.turns[-1][2].append((number, sentence))
            if (bow := _BOWS.fullmatch(sentence)) and page.turns[-1][1] == "0":
                page.mages[bow[1]] = None


def _read_turn(page: _Page, line: int, label: str, sentences: list[tuple[int, str]]) -> SeenTurn:
    hands: dict[str, dict[str, str]] = {}
    casts, directs, newborn, rest = list[SeenCast](), dict[str, str](), list[tuple[str, str]](), list[tuple[int, str]]()
    outside = any("outside of time" in sentence for _number, sentence in sentences)
    for number, sentence in sentences:
        if not _read_gesture(page, sentence, hands):
            rest.append((number, sentence))
        if cast := _CASTS.fullmatch(sentence):
            _read_cast(page, number, cast, casts)
        elif order := _DIRECTS.fullmatch(sentence):
            directs[order[2]] = order[1] if order[3] in _SELF else order[3]
        elif born := _SUMMONED.fullmatch(sentence):
            element = born[1].split()[-1]
            kind = f"{element}Elemental" if born[2] == "Elemental" else born[2]
            newborn.append((f"{born[1]} {born[2]}", kind))
    gestures = {}
    for mage in page.mages:
        made = _find_gestures(page, mage, int(label), hands.get(mage, {}))
        if made is None:
            continue
        slip = _find_slip(mage, rest) if HIDDEN in made and not outside else None
        if slip:
            page.problems.append(slip)
        gestures[mage] = made
    return SeenTurn(line, label, gestures, tuple(casts), creature_targets=directs, newborn=tuple(newborn))


def _read_gesture(page: _Page, sentence: str, hands: dict[str, dict[str, str]]) -> bool:
    for letter, pattern in _GESTURES:
        match = pattern.fullmatch(sentence)
        if match and match["who"] in page.mages:
            hand = match["hand"]
            for each in (hand,) if hand else ("left", "right"):
                hands.setdefault(match["who"], {})[each] = letter
            return True
    return False


def _read_cast(page: _Page, number: int, cast: re.Match[str], casts: list[SeenCast]) -> None:
    who, spell, at = cast[1], cast[2], cast[3] or ""
    if who not in page.mages:
        return
    known = _list_spells()
    name = known.get(spell.casefold().replace("-", " "))
    if name is None:
        near = get_close_matches(spell.casefold(), known, n=1)
        words = say("There is no spell called {spell}.", spell=spell)
        page.problems.append(Problem(number, cast[0], "spell", words, known[near[0]] if near else None))
        return
    target = who if at in _SELF else at
    casts.append(SeenCast(who, name, "", "" if target in ("someone", "nobody") else target))


@cache
def _list_spells() -> Mapping[str, str]:
    """Return the spells of Warlocks by their names in small letters."""
    family = RULESETS["warlocks"].family
    kin = (ruleset for ruleset in RULESETS.values() if ruleset.family == family)
    return {spell.casefold(): spell for ruleset in kin for spell in ruleset.spells}


def _find_gestures(page: _Page, mage: str, turn: int, said: dict[str, str]) -> tuple[str, str] | None:
    """Return the gestures in the sentences, otherwise those of the strings at the end of the page; None for mages who
    did not act."""
    strings = page.strings.get(mage, {})
    shown = [strings.get(hand, "")[turn : turn + 1] for hand in ("LH", "RH")]
    left, right = (
        said.get(side) or (letter if letter in GESTURES else "")
        for side, letter in zip(("left", "right"), shown, strict=True)
    )
    if not left and not right and not any(letter == HIDDEN for letter in shown) and strings:
        return None
    return left or HIDDEN, right or HIDDEN


def _find_slip(mage: str, rest: list[tuple[int, str]]) -> Problem | None:
    """Return a sentence that is nearly one about a gesture."""
    forms = {f"{mage} {form}".replace("left", side): form for form in _FORMS for side in ("left", "right")}
    for number, sentence in rest:
        plain = re.sub(r"\b(?:his|her|its)\b", "their", sentence)
        near = get_close_matches(plain, forms, n=1, cutoff=0.85)
        if near:
            return Problem(
                number, sentence, "gesture", say("We cannot read a gesture of {mage} here.", mage=mage), near[0]
            )
    return None
