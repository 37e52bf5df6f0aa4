"""The pads, the spells within reach and the questions: the engine's choices as rows, independent of the ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.board.labels import ask_for, label_question, name_hand
from duels.board.parts import Part, once_per_language
from duels.board.signs import (
    HAND_WORDS,
    HANDS,
    SECOND_HANDS,
    SYMBOLS,
    WORDS,
    SeriesStep,
    is_second,
    plain,
    shown,
    steps,
)
from duels.names import listed
from rules_engine import Becoming, KeyHint, Option, Preview, Question, name_spell
from rules_engine.schools import find_school

GESTURES = tuple(SYMBOLS)
STAB = ">"
ROWS = 3
BLANKS = {
    "permanent": gettext_lazy("nothing"),
    "delay": gettext_lazy("nothing"),
    "fire": gettext_lazy("not now"),
    "suicide": gettext_lazy("no"),
    "target": gettext_lazy("choose"),
    "choose": gettext_lazy("choose"),
}
SPELLS_A_ROW = 2
# The lines of a key below its drawing, and the letters in one of them: fewer in bold, for what the gesture completes.
KEY_LINES, LINE_LETTERS, BOLD_LETTERS = 2, 11, 10
WIDE_WORD = 9
# So many of the spells that a gesture leads to are read out.
SPOKEN_LEADS = 2
# A question with more answers than there are cards offers the rest in a list.
CARDS = 6
# For a creature that attacks nobody, and need not, the three weakest and the list.
IDLE_CARDS = 4
NEW_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class ShownOption:
    """One answer to choose; `line` is the order that gives it, `hp` the hit points of a mage or creature it names."""

    line: str
    label: str
    allowed: bool
    reason: str
    selected: bool
    hp: int | None = None

    @property
    def pieces(self) -> list[str]:
        """The label in pieces between which a line may break: ``Red``, ``Goblin``."""
        return NEW_WORD.split(self.label)


@dataclass(frozen=True)
class Target:
    """A mage or creature to aim at: enemies come first (`rank`), and among them the weakest."""

    rank: int
    hp: int


Targets = Mapping[str, Target]


@dataclass(frozen=True)
class IdleCreature:
    """Why a creature attacks nobody, and the victim to propose, if any."""

    why: str
    proposed: str | None


@dataclass(frozen=True)
class ShownQuestion:
    """A question as a labelled select. `open`: it must still be answered. `why` links to its rule.

    A question without a default shows its first answers as `cards`, and `more` in a list. `idle` says why a creature
    attacks nobody: it is asked like that, but need not be answered.
    """

    id: str
    field: str
    kind: str
    about: str
    action: str
    options: tuple[ShownOption, ...]
    open: bool
    default_line: str
    blank: str
    why: str
    ask: str = ""
    cards: tuple[ShownOption, ...] = ()
    more: tuple[ShownOption, ...] = ()
    idle: str = ""


Rows = Mapping[str, ShownQuestion]


@dataclass(frozen=True)
class KeyNote:
    """A spell on a key, with its school if the gesture completes it.

    `look` is completes, vain (completes, but to no effect as things stand), both or leads. `more` says how many other
    spells the gesture completes for which the key has no room: ``+2``.
    """

    look: str
    name: str
    school: str = ""
    more: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether one of its words hardly fits into a line."""
        return any(len(word) > WIDE_WORD for word in self.name.split())


@dataclass(frozen=True)
class Key:
    """One gesture on a pad. `reason` says why it is not allowed; `full` describes everything it does, in sentences, and
    `spoken` what a listener has the patience for."""

    letter: str
    shown: str
    word: str
    symbol: str
    mirrors: bool
    chosen: bool
    allowed: bool
    reason: str
    notes: tuple[KeyNote, ...]
    full: str
    spoken: str


@dataclass(frozen=True)
class SpellWithin:
    """A spell within reach of a hand, and the gestures that are missing."""

    name: str
    steps: tuple[SeriesStep, ...]


@dataclass(frozen=True)
class Becomes:
    """A row at a pad: the spell that the hand casts `now`, or spells some gestures away.

    `none`: nothing is cast now; then `choosing` are the spells between which the mage must still choose. `stab`: the
    hand stabs. `vain`: what it casts does nothing as things stand.
    """

    when: str
    now: bool = False
    vain: bool = False
    spell: str = ""
    none: bool = False
    choosing: tuple[str, ...] = ()
    spells: tuple[SpellWithin, ...] = ()
    stab: bool = False

    @property
    def choosing_words(self) -> str:
        """What is left to choose: ``choose one of 3``."""
        return _("choose one of %(n)s") % {"n": len(self.choosing)}


@dataclass(frozen=True)
class Pad:
    """The keys of one hand, and the spells they lead to."""

    hand: str
    name: str
    mirror: bool
    keys: tuple[Key, ...]
    becomes: tuple[Becomes, ...]
    short: str = ""

    @property
    def chosen(self) -> Key | None:
        return next((key for key in self.keys if key.chosen), None)


@dataclass(frozen=True)
class OrderPads(Part):
    """The form for orders: the pads, the mage's words, and all other questions, the required ones first.

    `turn` is the label of the turn, `events` how many events the story of the last one has.
    """

    stage: str
    turn: str
    events: int
    state: str
    mage: str
    pads: tuple[Pad, ...]
    questions: tuple[ShownQuestion, ...]
    say: str
    longest_speech: int
    # Whether the mage can say something at all.
    speaks: bool

    @property
    def open(self) -> int:
        """The number of questions that the page puts forward: they must be answered, or a creature is idle."""
        return sum(question.open or bool(question.idle) for question in self.questions)


def make_question(question: Question, why: str, targets: Targets, idle: IdleCreature | None = None) -> ShownQuestion:
    """Return a question of the engine as answers whose values are order lines; `targets` are seen by the viewer.

    `idle`: the question is about a creature that attacks nobody.
    """
    answer = question.answered if question.answered is not None else question.default
    if idle is not None:
        answer = idle.proposed
    options = tuple(
        ShownOption(
            question.line(option.value),
            option.label,
            option.allowed,
            option.reason,
            option.value == answer,
            targets[option.value].hp if option.value in targets else None,
        )
        for option in question.options
    )
    is_dealt = idle is not None or (question.required and question.default is None)
    most = IDLE_CARDS if idle else CARDS
    cards, more = _split_into_cards(options, question, targets, most) if is_dealt else ((), ())
    return ShownQuestion(
        id=question.id,
        field=f"q-{slugify(question.id.replace(':', '-'))}",
        kind=question.kind,
        about=label_question(question),
        action=question.about,
        options=options,
        open=question.required and question.answered is None and question.default is None,
        default_line=question.line(question.default) if question.default is not None and not idle else "",
        blank="" if answer is not None else str(BLANKS.get(question.kind) or _("leave it open")),
        why=why,
        ask=_ask(question, idle) if idle or cards else "",
        cards=cards,
        more=more,
        idle=idle.why if idle else "",
    )


def _ask(question: Question, idle: IdleCreature | None) -> str:
    return ask_for(question) if idle is None else _("%(creature)s attacks nobody") % {"creature": question.about}


def _split_into_cards(
    options: Sequence[ShownOption], question: Question, targets: Targets, most: int
) -> tuple[tuple[ShownOption, ...], tuple[ShownOption, ...]]:
    """Return the answers to show as cards, and the others: the weakest enemies come first."""
    ranked = {question.line(name): (target.rank, target.hp) for name, target in targets.items()}
    last = (max((rank for rank, _ in ranked.values()), default=0) + 1, 0)
    in_order = tuple(sorted(options, key=lambda row: ranked.get(row.line, last)))
    count = most if len(in_order) <= most else most - 1
    return in_order[:count], in_order[count:]


def make_pads(questions: Iterable[Question], preview: Preview | None, rows: Rows) -> tuple[Pad, ...]:
    """Return a pad for each hand that needs a gesture; two for each if the turn has two pairs of gestures."""
    asked = {q.id: q for q in questions if q.kind == "gesture"}
    return tuple(_make_pad(hand, asked[hand], preview, rows) for hand in (*HANDS, *SECOND_HANDS) if hand in asked)


def _make_pad(hand: str, question: Question, preview: Preview | None, rows: Rows) -> Pad:
    allowed = {option.value: option for option in question.options}
    hints = preview.keys.get(hand, {}) if preview else {}
    vain = list_vain(hand, preview)
    return Pad(
        hand=hand,
        name=name_hand(hand),
        mirror=plain(hand) == "LH",
        keys=tuple(
            _make_key(g, allowed.get(g), hints.get(g), question.answered, vain if g == question.answered else ())
            for g in GESTURES
        ),
        becomes=_make_becomes(hand, preview, rows, stabs=question.answered == STAB),
        short=f"{HAND_WORDS[plain(hand)]} {'2' if is_second(hand) else ''}".rstrip(),
    )


@once_per_language
def _make_key(
    gesture: str, option: Option | None, hint: KeyHint | None, answered: str | None, vain: tuple[str, ...]
) -> Key:
    is_allowed = option is not None and option.allowed and (hint is None or hint.allowed)
    reasons = [choice.reason for choice in (option, hint) if choice is not None and choice.reason]
    return Key(
        letter=gesture,
        shown=shown(gesture),
        word=str(WORDS[gesture]),
        symbol=SYMBOLS[gesture],
        mirrors=gesture != "C",
        chosen=answered == gesture,
        allowed=is_allowed,
        reason=reasons[0] if reasons and not is_allowed else "",
        notes=_make_key_notes(hint, vain) if hint and is_allowed else (),
        full=_describe_key(hint) if hint and is_allowed else "",
        spoken=_describe_key(hint, SPOKEN_LEADS) if hint and is_allowed else "",
    )


def _make_key_notes(hint: KeyHint, vain: tuple[str, ...]) -> tuple[KeyNote, ...]:
    """Return the lines on a key: what the gesture completes, with a second spell if that takes one line, then what it
    leads to, while there is room. The names are those of the rules, so a long one takes two lines."""
    completed = [
        KeyNote("vain" if spell in vain else "completes", name_spell(spell), find_school(spell).value)
        for spell in hint.completes
    ]
    both_fit = len(completed) > 1 and _count_lines(completed[1].name, BOLD_LETTERS) == 1
    notes = completed[: 2 if both_fit else 1]
    if left := len(completed) - len(notes):
        notes[-1] = replace(notes[-1], more=f"+{left}")
    both = [KeyNote("both", _("both: %(spell)s") % {"spell": name_spell(spell)}) for spell in hint.with_both]
    for note in (*both, *(KeyNote("leads", name_spell(spell)) for spell in dict(hint.leads))):
        if notes and sum(_count_lines(each.name) for each in (*notes, note)) > KEY_LINES:
            break
        notes.append(note)
    return tuple(notes)


def _count_lines(name: str, letters: int = LINE_LETTERS) -> int:
    """Return how many lines of a key a name takes."""
    lines, room = 1, letters
    for word in name.split():
        if room < len(word) and room < letters:
            lines, room = lines + 1, letters
        room -= len(word) + 1
    return lines


def list_vain(hand: str, preview: Preview | None) -> tuple[str, ...]:
    """Return the spells of a hand that do nothing as things stand."""
    hands = (hand, _both(hand))
    return tuple(each.about for each in preview.warnings if each.idle and each.hand in hands) if preview else ()


def _describe_key(hint: KeyHint, most_leads: int | None = None) -> str:
    """Describe what the gesture does with this hand, in sentences: of the spells that it leads to, only the nearest
    `most_leads`."""
    sentences = []
    if hint.completes:
        sentences.append(_("Completes %(spells)s.") % {"spells": _list_spells(hint.completes)})
    if hint.with_both:
        sentences.append(_("Completes %(spells)s with both hands.") % {"spells": _list_spells(hint.with_both)})
    away = _("%(spell)s (%(n)s more)")
    # Two series of one spell: the nearest counts.
    nearest: dict[str, int] = {}
    for spell, more in (*hint.leads, *hint.begun):
        nearest[spell] = min(more, nearest.get(spell, more))
    led_to = [away % {"spell": name_spell(spell), "n": more} for spell, more in [*nearest.items()][:most_leads]]
    if led_to:
        sentences.append(_("Leads to %(spells)s.") % {"spells": listed(led_to)})
    return " ".join(sentences)


def _list_spells(spells: Iterable[str]) -> str:
    return listed([name_spell(each) for each in spells])


def spells_to_choose(hand: str, rows: Rows) -> tuple[str, ...]:
    """Return the spells that this hand completes if its mage must still choose one; otherwise empty."""
    asked = [rows.get(f"CHOOSE {slot}") for slot in (hand, _both(hand))]
    named = [option.label for row in asked if row and row.open for option in row.options]
    return tuple(dict.fromkeys(named))


def spell_cast_by(hand: str, preview: Preview) -> str:
    """Return the spell that this hand casts now, alone or with the other; "" for none."""
    return preview.casts.get(hand) or preview.casts.get(_both(hand)) or ""


def _both(hand: str) -> str:
    return "BH2" if is_second(hand) else "BH"


def _make_becomes(hand: str, preview: Preview | None, rows: Rows, *, stabs: bool) -> tuple[Becomes, ...]:
    target = rows.get(f"TARGET {hand}") or (rows.get(f"TARGET {_both(hand)}") if plain(hand) == "LH" else None)
    action = spell_cast_by(hand, preview) if preview else ""
    stab = stabs and target is not None and not action
    if target and (target.id == f"TARGET {_both(hand)}" or not action):
        action = target.action  # a stab is aimed too
    choosing = spells_to_choose(hand, rows)
    vain = bool(list_vain(hand, preview))
    first = Becomes(_("now"), now=True, vain=vain, spell=action, none=not action, choosing=choosing, stab=stab)
    return (first, *_within_reach(preview.becomes.get(hand, ()) if preview else ()))


def _within_reach(coming: Sequence[Becoming]) -> Iterator[Becomes]:
    """Return the rows of spells that are one, two and three gestures away."""
    for more in range(1, ROWS + 1):
        spells = [SpellWithin(spell.spell, steps(spell.rest)) for spell in coming if spell.more == more]
        if spells:
            yield Becomes(_("%(n)s more") % {"n": more}, spells=tuple(spells[:SPELLS_A_ROW]))


def place_questions(rows: Rows) -> tuple[ShownQuestion, ...]:
    """Return every question except gestures and speech: those that must still be answered come first."""
    asked = [row for row in rows.values() if row.kind not in ("gesture", "say")]
    return tuple(sorted(asked, key=lambda row: not row.open))
