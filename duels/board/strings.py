"""The strings of one mage: a bead for each column, the growing stretch, the ties between two clapping hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.board.columns import BOW, CUT, SHOWN, UNSEEN, HandFacts, is_extra
from duels.board.dangers import ShownDanger
from duels.board.parts import once_per_language
from duels.board.signs import HAND_WORDS, HANDS, SYMBOLS, WORDS, SeriesStep, is_mirrored, shown
from duels.board.spell_sheets import WAITED, SheetMaker, SpellSheet
from rules_engine import MageView, name_spell
from rules_engine.schools import find_school
from rules_engine.spells import Book, Series

YOURS = {"LH": gettext_lazy("Your left hand"), "RH": gettext_lazy("Your right hand")}
OF_MAGE = {"LH": gettext_lazy("%(mage)s, left hand"), "RH": gettext_lazy("%(mage)s, right hand")}
# Texts for why a hand was not free, by the words of `collect_causes`.
CAUSES = {
    "forgetful": gettext_lazy("forgetful"),
    "paralysed": gettext_lazy("paralysed"),
    "confused": gettext_lazy("confused"),
    "charmed": gettext_lazy("charmed"),
}


@dataclass(frozen=True)
class Bead:
    """One gesture of a hand, or the square of the turn in play (`is_now`).

    `symbol` is the drawing beside the letter, if any; `spell` is what it completed, with its `sheet`. `now_hand`,
    `gesture` and `jump` are for squares that the viewer fills in. `spoken` of a square gets its "Now:" only in a
    string. `guess` is the turn of a gesture that the viewer does not see, and may guess.
    """

    look: str
    letter: str
    spoken: str
    place: str = ""
    look_small: str = ""
    symbol: str = ""
    mirror: bool = False
    under: str = ""
    under_span: int = 0
    last: bool = False
    tie: bool = False
    cut: bool = False
    is_now: bool = False
    now_hand: str = ""
    gesture: str = ""
    jump: str = ""
    guess: str = ""
    spell: str = ""
    sheet: SpellSheet | None = None


@dataclass(frozen=True)
class Completion:
    """A spell that a hand completes, and its target `on`, if known."""

    spell: str
    on: str = ""


@dataclass(frozen=True)
class Lead:
    """A spell that a hand can reach, and the gestures that are missing."""

    spell: str
    more: int
    steps: tuple[SeriesStep, ...]


@dataclass(frozen=True)
class StringHint:
    """What a string leads to, shown at its end: for the viewer's own, spells; for others', what they threaten."""

    completions: tuple[Completion, ...] = ()
    dangers: tuple[ShownDanger, ...] = ()
    leads: Lead | None = None
    quiet: str = ""


@dataclass(frozen=True)
class HandString:
    """The string of one hand. `now_hint` names the hand whose hint the page updates while the viewer chooses."""

    hand: str
    short: str
    long: str
    label: str
    beads: tuple[Bead, ...]
    hint: StringHint | None = None
    now_hint: str = ""

    @property
    def did(self) -> SpellSheet | None:
        """The spell that the hand completed in the last turn."""
        return next((bead.sheet for bead in self.beads if bead.last), None)


def make_strings(
    mage: MageView,
    labels: Sequence[str],
    shown_columns: Sequence[int],
    hands: HandFacts,
    book: Book | None,
    now: Mapping[str, Bead],
    *,
    yours: bool,
    sheets: SheetMaker | None = None,
) -> tuple[HandString, ...]:
    """Return both strings of a mage. `now` are the squares of the turn in play, if there are any; with `sheets`, every
    spell has its own.

    `yours` is the mage that the viewer plays here; viewers may have several in one battle.
    """
    history = {"LH": mage.left, "RH": mage.right}
    owner = f"{mage.name[0].upper()}{mage.name[1:]}"
    strings = []
    for hand in HANDS:
        own, other = history[hand], history["RH" if hand == "LH" else "LH"]
        grown = _growing_from(own, other, book)
        beads = _beads(hand, own, other, labels, shown_columns, hands, grown, sheets)
        if now:
            beads += _now_beads(now, hand, grown is not None)
        word, label = str(HAND_WORDS[hand]), str(YOURS[hand] if yours else OF_MAGE[hand] % {"mage": owner})
        strings.append(HandString(hand, word[:1], word, label, tuple(beads)))
    return tuple(strings)


def _now_beads(now: Mapping[str, Bead], hand: str, grows: bool) -> list[Bead]:
    """Return the square of this hand in the current column, or two, side by side, in a turn of two pairs."""
    place = f"c{SHOWN + 1} now" + (" grow-in" if grows else "")
    first, second = now[hand], now.get(f"{hand}2")
    spoken = _("Now: %(facts)s") % {"facts": first.spoken}
    if second is None:
        return [replace(first, place=place, spoken=spoken)]
    again = _("Now, the second time: %(facts)s") % {"facts": second.spoken}
    return [
        replace(first, place=f"{place} first", spoken=spoken),
        replace(second, place=f"c{SHOWN + 1} now second", spoken=again),
    ]


def begun_as_seen(own: str, other: str, book: Book | None) -> list[tuple[Series, int]]:
    """Return the spells that a hand has begun, as (series, gestures played), longest first; unseen gestures end a
    series."""
    if book is None:
        return []
    return book.begun(book.state_of(own.replace(UNSEEN, CUT), other.replace(UNSEEN, CUT)))


def _growing_from(own: str, other: str, book: Book | None) -> int | None:
    """Return the column of the first bead of the longest series that this hand has begun and may still finish."""
    begun = begun_as_seen(own, other, book)
    if not begun:
        return None
    made, index = begun[0][1], len(own)
    while made and index:
        index -= 1
        if own[index] != WAITED:
            made -= 1
    return index


def _beads(
    hand: str,
    own: str,
    other: str,
    labels: Sequence[str],
    shown_columns: Sequence[int],
    hands: HandFacts,
    grown: int | None,
    sheets: SheetMaker | None,
) -> list[Bead]:
    beads: list[Bead] = []
    free = SHOWN
    alike = 0
    places = {index: f"c{place}" for place, index in enumerate(shown_columns, start=SHOWN + 1 - len(shown_columns))}
    for index, place in places.items():
        letter = own[index] if index < len(own) else WAITED
        free += 1
        if letter == WAITED:
            continue
        here = hands.casts.get(index, {})
        spell = here.get(hand) or here.get("BH") or ""
        results = hands.results.get(index, {})
        result = results.get(hand) or results.get("BH")
        worked = result is None or result.worked
        bead = _bead(letter, labels[index], spell, worked, hands.causes.get(index, {}).get(hand, ""))
        bead = replace(
            bead,
            place=place + _growth(index, grown),
            tie=hand == "LH" and letter == "C" and index < len(other) and other[index] == "C",
            under_span=min(3, max(1, free)),
        )
        if index == shown_columns[-1] and letter in SYMBOLS:
            symbol, mirror = SYMBOLS[letter], is_mirrored(letter, hand)
            bead = replace(bead, last=True, look=f"{bead.look} big", symbol=symbol, mirror=mirror)
        if CUT in own[index + 1 : index + 2]:
            bead = replace(bead, cut=True, spoken=_("%(facts)s, then the string is cut") % {"facts": bead.spoken})
        if hand == "LH" and here.get("BH"):
            bead = replace(bead, under="")  # the name appears once, below the pair
        if spell and sheets:
            bead = replace(bead, sheet=sheets.make(spell, result, hand, own, other, index, labels, places))
        if bead.under:
            before = beads[-1] if beads else None
            alike = alike + 1 if spell and before and before.spell == spell else 1
            if before and alike > 1:  # equal neighbours share one name
                beads[-1] = replace(before, under="")
                bead = replace(bead, under_span=min(3, max(1, free) + before.under_span))
            name = name_spell(bead.under) if spell else bead.under
            bead = replace(bead, under=f"{name} ×{alike}" if alike > 1 else name)
            free = 0
        beads.append(bead)
    return beads


def _growth(index: int, grown: int | None) -> str:
    if grown is None or index < grown:
        return ""
    return " grow-out" if index == grown else " grow-in grow-out"


@once_per_language
def _bead(letter: str, label: str, spell: str, worked: bool, cause: str) -> Bead:
    looks = {UNSEEN: "unseen", "-": "none", BOW: "bow"}
    look = looks.get(letter, "gesture")
    facts = [_("not seen") if letter == UNSEEN else str(WORDS.get(letter, letter))]
    if is_extra(label):
        look += " extra"
        facts.append(_("extra turn"))
    if spell:
        look += f" cast {find_school(spell).value}" + ("" if worked else " idle")
        facts.append(_("completed %(spell)s") % {"spell": name_spell(spell)})
        facts += [] if worked else [_("without effect")]
    if cause:
        look += " held"
        cause = str(CAUSES.get(cause, cause))
        facts.append(cause)
    spoken = _("Turn %(turn)s: %(facts)s") % {"turn": label, "facts": ", ".join(facts)}
    guess = label if letter == UNSEEN else ""
    return Bead(look, shown(letter), spoken, look_small=look, under=spell or cause, guess=guess, spell=spell)


def veiled_bead(label: str) -> Bead:
    """Return another mage's square in turn `label`: the same whether they are thinking or ready."""
    return Bead("square veiled", "?", _("hidden until everyone is ready"), is_now=True, guess=label)


def idle_bead() -> Bead:
    """Return the viewer's square if this hand does not move: in another mage's extra turn."""
    return Bead("none", shown("-"), _("no move"), is_now=True)


def made_bead() -> Bead:
    """Return the viewer's square in a turn that waits for answers: played, but with an unknown result."""
    return Bead("square ready", "✓", _("gesture played"), is_now=True)


def repeated_bead(hand: str, letter: str) -> Bead:
    """Return the viewer's square if Amnesia makes the hand repeat its last gesture (FM-AMNESIA-2)."""
    return Bead(
        "square held" + (" big" if letter in SYMBOLS else ""),
        shown(letter),
        _("%(gesture)s, repeated") % {"gesture": WORDS.get(letter, letter)},
        symbol=SYMBOLS.get(letter, ""),
        mirror=is_mirrored(letter, hand),
        is_now=True,
    )


def my_bead(hand: str, letter: str | None, spell: str, sealed: bool, *, vain: bool = False) -> Bead:
    """Return the viewer's square: empty, chosen, completing (`vain`: to no effect as things stand) or sealed."""
    look = "square " + ("ready" if sealed else "mine") + (" vain" if vain else " completes" if spell else "")
    look += "" if letter else " empty"
    jump = "" if sealed else f"pad-{hand}"
    if not letter:
        return Bead(look, "" if sealed else "+", _("not chosen"), is_now=True, now_hand=hand, jump=jump)
    facts = [str(WORDS[letter])]
    facts += [_("completes %(spell)s") % {"spell": spell}] if spell else []
    facts += [_("sealed")] if sealed else []
    return Bead(
        look,
        shown(letter),
        ", ".join(facts),
        symbol=SYMBOLS[letter],
        mirror=is_mirrored(letter, hand),
        is_now=True,
        now_hand=hand,
        gesture=letter,
        jump=jump,
    )
