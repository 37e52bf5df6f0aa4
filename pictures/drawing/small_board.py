"""A small board as a picture, drawn once for pages, SVG and PNG: a duel with its strings, a melee with its dots, or
only arms and hit points where there is little room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.board.signs import shown
from duels.names import listed
from pictures.drawing.raster import width_of
from pictures.drawing.shapes import (
    EDGE,
    INK,
    INK_2,
    LINE,
    SURFACE,
    Box,
    Disc,
    Emblem,
    Letters,
    Picture,
    Shape,
    Stroke,
    Words,
)
from pictures.selectors.small_boards import COLUMNS, Beads, SmallBoard, SmallMage

# The colours of pictures of their own, and those of the page around a drawing within it.
PLAIN = {
    "surface": SURFACE,
    "sunk": "#E1E8E5",
    "line": LINE,
    "edge": EDGE,
    "ink": INK,
    "ink-2": INK_2,
    "moss": "#136152",
}
THEME = {name: f"var(--{name})" for name in PLAIN}
# More mages than this are shown by their arms only, at every width; fewer than three have strings.
MOST_ROWS = 6
PAD = 8


@dataclass(frozen=True)
class Form:
    """The measures of one width: the height, the bead and its room, its letter (0: none), names and numbers."""

    width: int
    height: int
    bead: float
    room: float
    letter: float
    name: float
    points: float
    row: float
    arms: int
    # Of the boards that show only arms: columns, their size, the height, and how that changes for eight.
    few: tuple[int, int, int]
    many: tuple[int, int, int]


FORMS = (
    Form(160, 158, 17, 24, 12, 15, 17, 22, 20, (3, 32, 158), (4, 28, 158)),
    Form(128, 140, 15, 21, 11, 14, 15, 19, 18, (3, 28, 140), (4, 24, 140)),
    Form(96, 121, 9, 16, 0, 0, 15, 0, 20, (3, 24, 99), (4, 18, 99)),
)


def find_form(width: int) -> Form:
    """Return the largest form that is no wider."""
    return next((form for form in FORMS if form.width <= width), FORMS[-1])


def draw_small_board(board: SmallBoard, width: int, colours: Mapping[str, str] = PLAIN) -> Picture:
    """Return the board in the form for a width in pixels."""
    form = find_form(width)
    count = len(board.mages)
    drawing = _Drawing(board, form, colours)
    if count <= 2:
        return drawing.picture(form.height, drawing.duel())
    if count <= MOST_ROWS and form.row:
        return drawing.picture(form.height, drawing.melee())
    columns, size, height = form.few if count <= MOST_ROWS else form.many
    return drawing.picture(height, drawing.arms(columns, size, height))


def describe_small_board(board: SmallBoard, watching: int = 0) -> str:
    """Return the board as a sentence, for those who do not see it: "Quillon 15, Wanda 12 hit points, turn 6."."""
    seen = [mage for mage in board.mages if mage.hp is not None and not mage.is_dead]
    standing = ", ".join(f"{mage.spoken_name} {mage.hp}" for mage in seen)
    facts = [_("%(mages)s hit points") % {"mages": standing}] if seen else []
    unseen = [mage.name for mage in board.mages if mage.hp is None and not mage.is_dead]
    facts += [_("%(mages)s not seen") % {"mages": listed(unseen)}] if unseen else []
    facts += [
        _("%(mage)s dead, turn %(turn)s") % {"mage": mage.name, "turn": mage.fell}
        for mage in board.mages
        if mage.is_dead
    ]
    facts.append(_("over") if board.is_over else _("turn %(turn)s") % {"turn": board.turn})
    if watching:
        facts.append(ngettext("%(n)s watching", "%(n)s watching", watching) % {"n": watching})
    return f"{', '.join(facts)}."


@dataclass(frozen=True)
class _Drawing:
    board: SmallBoard
    form: Form
    colours: Mapping[str, str]

    def picture(self, height: int, shapes: Iterator[Shape]) -> Picture:
        width = self.form.width
        tile = Box(0.5, 0.5, width - 1, height - 1, self.colours["surface"], self.colours["line"], radius=6, stroke=1)
        return Picture((tile, *shapes), f"{self.board.title}. {describe_small_board(self.board)}", width, height)

    def duel(self) -> Iterator[Shape]:
        form, colours = self.form, self.colours
        mages = self.board.mages
        head = (form.height - 4 * form.room) / 2
        pitch = (form.width - 2 * PAD) / COLUMNS
        xs = [PAD + pitch * (place + 0.5) for place in range(COLUMNS)]
        if self.board.has_now:
            yield Box(xs[-1] - pitch / 2, head - 1, pitch, 4 * form.room + 2, colours["sunk"], radius=4)
        for place, mage in enumerate(mages):
            is_last = place == len(mages) - 1 and place > 0
            yield from self.name(mage, head / 2 + 3 if not is_last else form.height - head / 2 - 3)
            for row, beads in enumerate((mage.left, mage.right)):
                y = head + form.room * (2 * place + row + 0.5)
                yield from self.beads(beads, mage.now, xs, y, form.bead, form.letter)

    def name(self, mage: SmallMage, y: float) -> Iterator[Shape]:
        """Draw arms, name and hit points around a middle line."""
        form = self.form
        size = 18 if form.name else 20
        right = form.width - PAD
        points = "?" if mage.hp is None else str(mage.hp)
        yield Emblem(PAD, y - size / 2, size, mage.arms)
        yield Words(right, y + form.points * 0.34, points, form.points, self.colours["ink"], "end")
        if form.name:
            start = PAD + size + 4
            room = right - start - width_of(points, form.points) - 4
            yield Words(start, y + form.name * 0.34, _cut(mage.name, form.name, room), form.name, self.colours["ink"])

    def melee(self) -> Iterator[Shape]:
        form, colours = self.form, self.colours
        left, right = PAD + form.arms + 8, form.width - PAD - 1.4 * form.points
        xs = [left + 4 + (right - left - 8) * place / (COLUMNS - 1) for place in range(COLUMNS)]
        top = (form.height - form.row * len(self.board.mages)) / 2
        for place, mage in enumerate(self.board.mages):
            y = top + form.row * (place + 0.5)
            yield Emblem(PAD, y - form.arms / 2, form.arms, mage.arms)
            if mage.fell:
                yield Words(left - 4, y + 4, _say_fallen(mage), 13 if form.width > 128 else 12, colours["ink-2"])
                continue
            for row, beads in enumerate((mage.left, mage.right)):
                yield from self.beads(beads, mage.now, xs, y + form.row / 4 * (2 * row - 1), 8, 0)
            points = "?" if mage.hp is None else str(mage.hp)
            yield Words(form.width - PAD, y + form.points * 0.34, points, form.points, colours["ink"], "end")

    def arms(self, columns: int, size: int, height: int) -> Iterator[Shape]:
        rows = -(-len(self.board.mages) // columns)
        across, down = (self.form.width - 2 * PAD) / columns, (height - PAD) / rows
        for place, mage in enumerate(self.board.mages):
            x = PAD + across * (place % columns + 0.5)
            y = PAD / 2 + down * (place // columns + 0.5)
            yield Emblem(x - size / 2, y - size / 2 - 8, size, mage.arms)
            words, letters = ("?" if mage.hp is None else str(mage.hp)), 15.0
            colour = self.colours["ink"]
            if mage.fell:
                words, letters, colour = _("dead") if mage.is_dead else "–", 12.0, self.colours["ink-2"]
                if width_of(words, letters) > across:  # the broken shield says it alone
                    continue
            yield Words(x, y + size / 2 + 7, words, letters, colour, "middle")

    def beads(self, beads: Beads, now: str, xs: list[float], y: float, size: float, letters: float) -> Iterator[Shape]:
        """Draw one hand: the thread, its beads and, in the last column, the square of the turn in play."""
        colours = self.colours
        is_open = self.board.has_now and len(beads) < COLUMNS
        places = xs[COLUMNS - 1 - len(beads) : COLUMNS - 1] if is_open else xs[COLUMNS - len(beads) :]
        yield Stroke(xs[0] - size * 0.7, y, xs[-1], y, colours["edge"], 1)
        for cast in (False, True):
            there = [(x, bead) for x, bead in zip(places, beads, strict=True) if bead and bead.is_cast == cast]
            for x, _bead in there:
                fill = colours["ink" if cast else "surface"]
                yield Disc(x, y, size / 2, fill, colours["ink" if cast else "edge"], 1)
            if letters and there:
                text = "".join(shown(bead.letter) for _x, bead in there)
                colour = colours["surface" if cast else "ink"]
                yield Letters(tuple(x for x, _bead in there), y + letters * 0.34, text, letters, colour)
        if is_open and now:
            edge = colours["moss" if now == "ready" else "edge"]
            half = size / 2
            fill = colours["surface"] if now == "ready" else colours["sunk" if letters or size > 8 else "surface"]
            yield Box(
                xs[-1] - half,
                y - half,
                size,
                size,
                fill,
                edge,
                radius=min(4, size / 4),
                stroke=1.5 if now == "ready" else 1,
                is_dashed=now == "thinking",
            )


def _say_fallen(mage: SmallMage) -> str:
    if mage.is_dead:
        return _("dead, turn %(turn)s") % {"turn": mage.fell}
    return _("left, turn %(turn)s") % {"turn": mage.fell}


def _cut(text: str, size: float, room: float) -> str:
    if width_of(text, size) <= room:
        return text
    while text and width_of(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text}…"
