"""Turns in which mages complete the spells that a test names, in any ruleset, without playing earlier turns."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine import Asks, Done, Question, Sheet, advance, new_duel, open_questions
from rules_engine.beings import ELEMENTALS, NO_MASTER, NOBODY, ORDERS, Being, Monster, Wizard
from rules_engine.rulesets import Ruleset
from rules_engine.state import State
from tests.conformance.recorded_dice import StartingDice

AYLA, CROM, DARA = "Ayla", "Crom", "Dara"
FIRE, ICE, GOBLIN = "FireElemental", "IceElemental", "RedGoblin"
PAST = 12
MOST_STAGES = 8
Casting = tuple[str, ...]
"""(mage, spell, target), and "RH" for one by the right hand."""


class ChosenDice:
    """Rolls what the test names by purpose, or else the first option."""

    def __init__(self, rolls: Mapping[str, Any]) -> None:
        self.chosen = rolls
        self.rolls: list[dict[str, Any]] = []
        self.offered: dict[str, tuple[Any, ...]] = {}

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        self.offered[purpose] = tuple(options)
        picked = self.chosen.get(purpose, options[0])
        assert picked in options
        self.rolls.append({"purpose": purpose, "who": who, "picked": picked})
        return picked


class Stage:
    """A battle of two or three mages in the middle: each has ten hit points and hands with nothing begun."""

    def __init__(self, ruleset: Ruleset, *, hp: int = 10, mages: tuple[str, ...] = (AYLA, CROM)) -> None:
        self.ruleset = ruleset
        self.state: State = new_duel(ruleset, mages, dice=StartingDice(0))
        self.state.columns = [str(column) for column in range(PAST + 1)]
        self.state.turn = self.state.seq = PAST + 1
        for wizard in self.state.wizards.values():
            wizard.hp = hp
            wizard.left, wizard.right = wizard.left + "-" * PAST, wizard.right + "-" * PAST
            wizard.blind_columns = wizard.unseen_columns = "0" * (PAST + 1)
        self.done: Done
        self.events: list[Any] = []
        self.dice = ChosenDice({})
        self.demanded: set[str] = set()  # kinds of required questions without an answer in the orders

    def creature(self, name: str, *, of: str = CROM, after: str = NOBODY, hp: int | None = None) -> None:
        """Put a creature into the circle: RedGoblin, BlueTroll, FireElemental."""
        kind = name if name in ELEMENTALS else name[len(name.rstrip("abcdefghijklmnopqrstuvwxyz")) - 1 :]
        master, victim = (NO_MASTER, NO_MASTER) if name in ELEMENTALS else (of, after)
        self.state.monsters[name] = Monster(name, kind, master, victim)
        self.state.created += 1
        if hp is not None:
            self.state.monsters[name].hp = hp

    def mark(self, name: str, **marks: int) -> None:
        self.being(name).marks.update(marks)

    def being(self, name: str) -> Being:
        being = self.state.being(name)
        assert being is not None, f"{name} is gone"
        return being

    def wizard(self, name: str) -> Wizard:
        return self.state.wizards[name]

    def hp(self, name: str) -> int:
        return self.being(name).hp

    def is_there(self, name: str) -> bool:
        return self.state.is_live(name)

    def has(self, name: str, mark: str) -> bool:
        return mark in self.being(name).marks

    def sees(self, name: str, kind: str, **facts: object) -> bool:
        """Whether a mage saw such an event in the last turn."""
        return any(
            event.kind == kind and event.is_visible_to((name,)) and facts.items() <= dict(event.facts).items()
            for event in self.events
        )

    def fate(self, spell: str, caster: str = AYLA) -> str:
        """Return the fate of a spell in the last turn: the gate's word, or "" if it was not cast."""
        return " ".join(
            word
            for cast in self.done.record.casts
            if cast.spell.name == spell and cast.summoner == caster
            for word in cast.outcome
        )

    def question(self, mage: str, about: str) -> Question:
        """The open question with that id."""
        return next(question for question in open_questions(self.state, mage, Sheet()) if question.id == about)

    def kinds_asked(self, mage: str) -> set[str]:
        """The kinds of a mage's open questions."""
        return {question.kind for question in open_questions(self.state, mage, Sheet())}

    def choices(self, mage: str, gestures: Mapping[str, str]) -> set[str]:
        """The spells from which a mage could choose after these gestures."""
        asked = open_questions(self.state, mage, Sheet(dict(gestures)))
        return {option.value for question in asked if question.kind == "choose" for option in question.options}

    def turn(
        self,
        *casts: Casting,
        gestures: Mapping[str, str] | None = None,
        orders: Mapping[str, list[str]] | None = None,
        rolls: Mapping[str, Any] | None = None,
    ) -> "Stage":
        """Play one turn that completes the spells; `gestures` are those of mages who cast nothing ("F/-").

        `orders` are further lines, including answers to questions in mid-turn.
        """
        state, pairs = self.state.copy(), dict(gestures or {})
        lines: dict[str, list[str]] = {mage: list(more) for mage, more in (orders or {}).items()}
        wanted: dict[tuple[str, str], str] = {}
        for mage in {cast[0] for cast in casts}:
            mine = [cast for cast in casts if cast[0] == mage]
            pairs[mage] = self._prepare(state.wizards[mage], mine, lines.setdefault(mage, []), wanted)
        self.dice, self.events = ChosenDice(rolls or {}), []
        sheets = {
            mage: self._write(state, mage, pairs.get(mage, "-/-"), lines.get(mage, []), wanted) for mage in state.owing
        }
        for _ in range(MOST_STAGES):
            result = advance(state, sheets, self.dice)  # type: ignore[arg-type]
            self.events += list(result.events)
            state = result.state
            if isinstance(result, Done):
                self.done, self.state = result, state
                return self
            assert isinstance(result, Asks)
            sheets = {mage: self._answer(state, mage, Sheet(), lines.get(mage, []), wanted) for mage in state.owing}
        raise AssertionError("still asking")

    def turns(self, count: int) -> "Stage":
        """Play normal turns in which nobody does anything, and any extra turns between them."""
        until = self.state.turn + count
        while self.state.turn < until and not self.state.over:
            self.turn()
        return self

    def _prepare(
        self, wizard: Wizard, casts: list[Casting], lines: list[str], wanted: dict[tuple[str, str], str]
    ) -> str:
        made = []
        for _, spell, target, *hands in casts:
            text = min((t for t, s in self.ruleset.series.items() if s == spell), key=lambda t: (t[-1].islower(), t))
            hand = "BH" if text[-1].islower() else "".join(hands) or "LH"
            other = "".join(letter.upper() if letter.islower() else "-" for letter in text)
            made.append((text.upper(), other) if hand != "RH" else (other, text.upper()))
            wanted[wizard.name, hand] = spell
            entry = self.ruleset.spells[spell]
            if target and (entry.targeted or entry.may_be_aimed):
                lines.append(f"TARGET {hand} {target}")
        length = max(len(left) for left, _ in made)
        hands = [
            "".join(max(c, key=lambda g: g != "-") for c in zip(*(p[at].rjust(length, "-") for p in made), strict=True))
            for at in (0, 1)
        ]
        past = [hand[:-1].rjust(PAST, "-") for hand in hands]
        wizard.begun = wizard.reached = self.ruleset.book.states_of(*past)
        wizard.left, wizard.right = wizard.left[:-PAST] + past[0], wizard.right[:-PAST] + past[1]
        return f"{hands[0][-1]}/{hands[1][-1]}"

    def _write(self, state: State, mage: str, pair: str, lines: list[str], wanted: dict[tuple[str, str], str]) -> Sheet:
        sheet, wizard = Sheet(), state.wizards[mage]
        if wizard.phase == ORDERS:
            first, _, second = pair.partition(" ")
            left, right = first.split("/")
            gestures = [f"LH {left}", f"RH {right}"]
            if wizard.again is not None:
                left, right = (second or "-/-").split("/")
                gestures += [f"LH2 {left}", f"RH2 {right}"]
            sheet = Sheet.from_lines(gestures)
        return self._answer(state, mage, sheet, lines, wanted)

    def _answer(
        self, state: State, mage: str, sheet: Sheet, lines: list[str], wanted: dict[tuple[str, str], str]
    ) -> Sheet:
        sheet = sheet.merged(Sheet.from_lines(lines)) if lines else sheet
        for _ in range(6):
            questions = [q for q in open_questions(state, mage, sheet) if q.required and q.answered is None]
            if not questions:
                break
            question = questions[0]
            self.demanded.add(question.kind)
            allowed = [option.value for option in question.options if option.allowed]
            spell = wanted.get((mage, question.about))
            value = spell if question.kind == "choose" and spell in allowed else question.default or allowed[0]
            sheet = sheet.merged(Sheet.from_lines([question.line(str(value))]))
        return sheet
