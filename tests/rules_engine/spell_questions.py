"""The same questions about every spell: what happens if it is countered, aimed at nobody, …

A question is a battle in which Ayla completes the spell in the next turn, in a position as the question says.
Its answer is one line: the fate of the spell, then everything that changed. `tests/rules_engine/spell_tables` holds the
answers of each ruleset; this module asks the engine again. `python -m tests.rules_engine.spell_questions RULESET`
prints a table to be read, line by line, by someone with the documents at hand.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rules_engine import Asks, Done, Question, Sheet, advance, get_ruleset, new_duel, open_questions
from rules_engine.beings import FIRE_ELEMENTAL, NO_MASTER, NOBODY, Being, Monster, Wizard
from rules_engine.rulesets import Ruleset
from rules_engine.state import State
from tests.conformance.engine_facts import read_enchantments
from tests.conformance.recorded_dice import StartingDice

AYLA, CROM = "Ayla", "Crom"
GOBLIN = "RedGoblin"
HIT_POINTS = 10  # of both mages, so that cures have an effect
MOST_STAGES = 6


class FirstDice:
    """Always picks the first option: chance does not matter here."""

    def __init__(self) -> None:
        self.rolls: list[dict[str, object]] = []

    def pick(self, purpose: str, who: str, options: tuple[object, ...]) -> object:
        self.rolls.append({"purpose": purpose, "who": who, "picked": options[0]})
        return options[0]


@dataclass
class Casting:
    """A series that Ayla is about to complete: her strings, her last gestures, and the hand that casts it."""

    spell: str
    left: str
    right: str
    last: tuple[str, str]
    hand: str


def plan_casting(ruleset: Ruleset, spell: str) -> Casting:
    """Plan the spell's first series for the left hand, or for both."""
    series = next(text for text in sorted(ruleset.series) if ruleset.series[text] == spell)
    other = "".join(letter.upper() if letter.islower() else "-" for letter in series)
    both = series[-1].islower()
    return Casting(spell, series[:-1].upper(), other[:-1], (series[-1].upper(), other[-1]), "BH" if both else "LH")


Prepare = Callable[["Scene"], None]


class Scene:
    """A duel while it is set up, and the orders of both mages."""

    def __init__(self, ruleset: Ruleset, spell: str) -> None:
        self.cast = plan_casting(ruleset, spell)
        self.spell = ruleset.spells[spell]
        self.state: State = new_duel(ruleset, (AYLA, CROM), dice=StartingDice(0))
        for wizard in self.state.wizards.values():
            wizard.hp = HIT_POINTS
        self.strings: dict[str, tuple[str, str]] = {AYLA: (self.cast.left, self.cast.right), CROM: ("", "")}
        self.last = {AYLA: self.cast.last, CROM: ("-", "-")}
        self.orders: dict[str, list[str]] = {AYLA: [], CROM: []}
        self.wanted: dict[tuple[str, str], str] = {(AYLA, self.cast.hand): spell}
        self.first: tuple[str, str] | None = None  # Ayla's first pair of gestures, if the spell ends with the second

    def hasten(self) -> None:
        """Let Ayla play two pairs of gestures; the spell ends with the second."""
        left, right = self.strings[AYLA]
        self.first = left[-1:] or "-", right[-1:] or "-"
        self.strings[AYLA] = left[:-1], right[:-1]

    def aim(self, target: str) -> None:
        if self.spell.targeted or self.spell.may_be_aimed:
            self.orders[AYLA].append(f"TARGET {self.cast.hand} {target}")

    def let_cast(self, mage: str, spell: str, series: str, hand: str, target: str) -> None:
        """Let the mage complete that spell too."""
        other = "".join(letter.upper() if letter.islower() else "-" for letter in series)
        own, both = series.upper(), series[-1].islower()
        pair = (own, other) if hand != "RH" else (other, own)
        self.strings[mage] = (pair[0][:-1], pair[1][:-1])
        self.last[mage] = (pair[0][-1], pair[1][-1])
        self.wanted[mage, "BH" if both else hand] = spell
        self.orders[mage].append(f"TARGET {'BH' if both else hand} {target}")

    def add_monster(self, name: str, kind: str, master: str) -> None:
        self.state.monsters[name] = Monster(name, kind, master, NO_MASTER if master == NO_MASTER else NOBODY)
        self.state.created += 1

    def begin(self) -> State:
        """The state with the strings played, and all hands in the same column."""
        state, book = self.state, self.state.ruleset.book
        length = max(len(hand) for pair in self.strings.values() for hand in pair)
        state.columns = [str(column) for column in range(length + 1)]
        state.turn = state.seq = length + 1
        for mage, pair in self.strings.items():
            wizard = state.wizards[mage]
            left, right = (hand.rjust(length, "-") for hand in pair)
            wizard.left, wizard.right = wizard.left + left, wizard.right + right
            wizard.begun = book.states_of(left, right)
            wizard.blind_columns = wizard.unseen_columns = "0" * (length + 1)
            if mage not in state.movers:
                wizard.phase = "ready"
                wizard.left, wizard.right = wizard.left + ".", wizard.right + "."
        if self.first is not None:
            state.wizards[AYLA].go_again()
            state.doubled = True
        return state


def lands(scene: Scene) -> None:
    pass


def meets(spell: str, series: str, hand: str) -> Prepare:
    def prepare(scene: Scene) -> None:
        scene.aim(CROM)
        scene.let_cast(CROM, spell, series, hand, CROM)

    return prepare


def at_monster(scene: Scene) -> None:
    scene.add_monster(GOBLIN, "Goblin", CROM)
    scene.aim(GOBLIN)


def at_elemental(scene: Scene) -> None:
    scene.add_monster(FIRE_ELEMENTAL, FIRE_ELEMENTAL, NO_MASTER)
    scene.aim(FIRE_ELEMENTAL)


def at_newborn(scene: Scene) -> None:
    scene.let_cast(CROM, "Summon Goblin", "SFW", "RH", CROM)
    scene.aim(f"RH:{CROM}")


def at_nobody(scene: Scene) -> None:
    scene.aim(NOBODY)


def at_unseen(scene: Scene) -> None:
    scene.state.wizards[CROM].marks["invisible"] = 2
    scene.aim(CROM)


def by_blind(scene: Scene) -> None:
    scene.state.wizards[AYLA].marks["blind"] = 2
    scene.aim(CROM)


def twice(scene: Scene) -> None:
    """The victim also casts it on themself."""
    scene.aim(CROM)
    cast = scene.cast
    scene.strings[CROM], scene.last[CROM] = (cast.left, cast.right), cast.last
    scene.wanted[CROM, cast.hand] = cast.spell
    if scene.spell.targeted or scene.spell.may_be_aimed:
        scene.orders[CROM].append(f"TARGET {cast.hand} {CROM}")


def in_extra(extra: str) -> Prepare:
    def prepare(scene: Scene) -> None:
        scene.state.wizards[AYLA].marks.update({"fast": 2} if extra == "H" else {})
        scene.aim(CROM)
        if extra == "H" and scene.state.ruleset.rules.haste_begins_next_turn:
            scene.hasten()
        else:
            scene.state.extra, scene.state.movers = extra, (AYLA,)

    return prepare


def with_power(mark: str, order: str) -> Prepare:
    def prepare(scene: Scene) -> None:
        scene.state.wizards[AYLA].marks[mark] = 2
        scene.aim(CROM)
        scene.orders[AYLA].append(f"{order} {scene.cast.hand}")

    return prepare


def by_both_hands(scene: Scene) -> None:
    """Each hand casts it at a different mage; a two-handed spell is cast as usual."""
    scene.aim(CROM)
    if scene.cast.hand == "LH" and scene.cast.left + scene.cast.last[0] != "P":  # two P are a surrender
        scene.strings[AYLA] = (scene.cast.left, scene.cast.left)
        scene.last[AYLA] = (scene.cast.last[0], scene.cast.last[0])
        scene.wanted[AYLA, "RH"] = scene.cast.spell
        scene.orders[AYLA].append(f"TARGET RH {AYLA}")


QUESTIONS: dict[str, Prepare] = {
    "lands": lands,
    "countered": meets("Counter Spell", "WPP", "RH"),
    "mirrored": meets("Magic Mirror", "cw", "BH"),
    "dispelled": meets("Dispel Magic", "cDPW", "LH"),
    "shielded": meets("Shield", "P", "RH"),
    "at a monster": at_monster,
    "at an elemental": at_elemental,
    "at a newborn": at_newborn,
    "at nobody": at_nobody,
    "at the unseen": at_unseen,
    "by the blind": by_blind,
    "twice": twice,
    "hastened": in_extra("H"),
    "stopped": in_extra("T"),
    "permanent": with_power("permanency", "PERMANENT"),
    "delayed": with_power("delay", "DELAY"),
    "both hands": by_both_hands,
}


def ask(ruleset: Ruleset, spell: str, question: str) -> str:
    """The answer in one line: the fate of the spell, then what changed, separated by semicolons."""
    scene = Scene(ruleset, spell)
    QUESTIONS[question](scene)
    before = scene.begin()
    done = _play(scene, before)
    return "; ".join([_tell_fate(done, spell), *_tell_changes(before, done.state)])


def _play(scene: Scene, state: State) -> Done:
    sheets = {mage: _write_sheet(scene, state, mage) for mage in state.owing}
    dice = FirstDice()
    for _ in range(MOST_STAGES):
        result = advance(state, sheets, dice)  # type: ignore[arg-type]
        if isinstance(result, Done):
            return result
        assert isinstance(result, Asks)
        state = result.state
        sheets = {mage: _answer([q for q in result.questions if q.mage == mage]) for mage in state.owing}
    raise AssertionError("still asking")


def _write_sheet(scene: Scene, state: State, mage: str) -> Sheet:
    left, right = scene.last[mage]
    lines = [f"LH {left}", f"RH {right}", *scene.orders[mage]]
    if mage == AYLA and scene.first is not None:
        again = [re.sub(r"\b([LRB]H)\b(?!:)", r"\g<1>2", line) for line in lines]
        lines = [f"LH {scene.first[0]}", f"RH {scene.first[1]}", *again]
    sheet = Sheet.from_lines(lines)
    for question in open_questions(state, mage, sheet):
        wanted = scene.wanted.get((mage, question.about.removesuffix("2")))
        if question.kind == "choose" and wanted in {option.value for option in question.options}:
            sheet = sheet.merged(Sheet.from_lines([question.line(str(wanted))]))
    return _answer_rest(state, mage, sheet)


def _answer_rest(state: State, mage: str, sheet: Sheet) -> Sheet:
    """Answer every other question with the first option."""
    for _ in range(4):
        open_ = [q for q in open_questions(state, mage, sheet) if q.kind == "choose" and q.required and not q.answered]
        if not open_:
            break
        sheet = sheet.merged(_answer(open_[:1]))
    return sheet


def _answer(questions: list[Question]) -> Sheet:
    lines = []
    for question in questions:
        allowed = [option.value for option in question.options if option.allowed]
        if question.required and question.answered is None and allowed:
            lines.append(question.line(question.default or allowed[0]))
    return Sheet.from_lines(lines)


def _tell_fate(done: Done, spell: str) -> str:
    fates = [f"{' '.join(cast.outcome)} at {cast.target}" for cast in done.record.casts if cast.spell.name == spell]
    banked = [event for event in done.events if event.kind == "banks"]
    return " and ".join([*fates, *(f"banked at {event.facts['target']}" for event in banked)]) or "not cast"


def _tell_changes(before: State, after: State) -> Iterator[str]:
    for name, wizard in after.wizards.items():
        yield from _tell_wizard(before.wizards[name], wizard, name in after.out)
    for name, monster in after.monsters.items():
        was = before.monsters.get(name)
        if was is None:
            yield f"new {name} of {monster.controller} after {monster.target}"
        elif (was.controller, was.target) != (monster.controller, monster.target):
            yield f"{name} of {monster.controller} after {monster.target}"
        yield from _tell_being(was, monster)
    yield from (f"{name} is gone" for name in before.monsters if name not in after.monsters)
    if after.extra and not after.over:
        yield f"next is {after.label}"


def _tell_wizard(was: Wizard, now: Wizard, out: bool) -> Iterator[str]:
    yield from _tell_being(was, now)
    if out:
        yield f"{now.name} {'dead' if now.hp <= 0 else 'left'}"
    if "#" in now.left:
        yield f"{now.name} cut"
    if now.short_bolt_used:
        yield f"{now.name} has used the short bolt"
    if now.bank:
        yield f"{now.name} banks {now.bank[0]} at {now.bank[1]}"


def _tell_being(was: Being | None, now: Being) -> Iterator[str]:
    if was is not None and was.hp != now.hp:
        yield f"{now.name} {now.hp - was.hp:+d}"
    counts = {} if was is None else read_enchantments(was)
    for name, count in sorted(read_enchantments(now).items()):
        # Enchantments of the set-up run down by one turn: that is not part of the answer.
        if counts.get(name) not in (count, count + 1):
            yield f"{now.name} has {name} {'for ever' if count in (-1, 999) else count}"
    yield from (f"{now.name} loses {name}" for name in sorted(counts) if name not in read_enchantments(now))


def write_table(ruleset: Ruleset) -> Iterator[str]:
    """The whole table of a ruleset, spell by spell."""
    yield f"# {ruleset.title}: what becomes of every spell (tests/rules_engine/spell_questions.py)"
    for spell in ruleset.order:
        yield ""
        yield f"spell {spell}"
        yield from (f"  {question + ':':<17}{ask(ruleset, spell, question)}" for question in QUESTIONS)


if __name__ == "__main__":
    print("\n".join(write_table(get_ruleset(sys.argv[1]))))
