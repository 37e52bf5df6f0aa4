"""Replays games of other engines, with their names for beings and spells and without questions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine import Asks, Done, Question, Ruleset, Sheet
from rules_engine.beings import ELEMENTALS, NOBODY, ORDERS
from rules_engine.dice import Dice
from rules_engine.errors import UnrecordedRoll
from rules_engine.gestures import WAITED
from rules_engine.orders import VERBS
from rules_engine.state import State
from tests.conformance import guesses
from tests.conformance.comparison import Difference
from tests.conformance.neutral_facts import GONE, NAMES, read_deeds, read_standing
from tests.conformance.neutral_records import END_OF_LIFE, HANDS, KIND_OF_ELEMENTAL, is_monster
from tests.conformance.recorded_dice import RecordedDice
from tests.conformance.records import Chance, LateOrders, RecordedGame, RecordedTurn
from tests.conformance.replay import Replay
from tests.conformance.taking_over import follow_record, take_over


class NeutralDice(RecordedDice):
    """The rolls of one turn with the record's names for monsters; new ones have none of our names yet."""

    def __init__(
        self,
        chance: Chance,
        known: Mapping[str, str],
        *,
        unseen: bool = False,
        newborn: Sequence[tuple[str, object]] = (),
    ) -> None:
        """`newborn` has the kind and the recorded victim of each creature that the turn makes."""
        super().__init__(chance)
        self._newborn = list(newborn)
        self._unseen = unseen
        self._known = known
        drawn = {**chance.opponents, **chance.monster_targets}
        self._victims = {known[name]: victim for name, victim in drawn.items() if name in known}
        self._of_newborn = [victim for name, victim in drawn.items() if is_monster(name) and name not in known]

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """The recorded result, in our words."""
        if purpose == "confused monster":
            return self._pick_victim(purpose, who, options)
        if purpose == "random foe" and who.partition(" ")[2] not in (*HANDS.values(), ""):
            return self._pick_foe_of_newborn(purpose, who, options)
        try:
            return super().pick(purpose, who, options)
        except UnrecordedRoll:
            if purpose.startswith(("confused", "paralysed")) and not self._unseen:
                raise
            # Which of several foes: if it had no effect, the record does not say, and anyone will do.
            return options[0]

    def _pick_foe_of_newborn(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Whom a new creature attacks first, if its master has several foes: the recorded victim of one of its kind."""
        fitting = [one for one in self._newborn if who.endswith(one[0]) and one[1] in options]
        picked = fitting[0][1] if fitting else options[0]
        if fitting:
            self._newborn.remove(fitting[0])
        self.rolls.append({"purpose": purpose, "who": who, "picked": picked})
        return picked

    def _pick_victim(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        victim = self._victims.get(who)
        if victim is None and who not in self._known.values() and self._of_newborn:
            victim = self._of_newborn.pop(0)
        strangers = [name for name in options if is_monster(name) or name not in self._known.values()]
        name = self._known.get(victim or "", victim)
        if name not in options:
            if victim is None and len(options) > 1 and not self._unseen:
                raise UnrecordedRoll(f"the record has no {purpose} for {who}")
            name = (strangers or list(options))[-1] if victim is None or is_monster(victim) else options[0]
        self.rolls.append({"purpose": purpose, "who": who, "picked": name})
        return name


class NeutralReplay(Replay):
    """A game in progress. `self.known` maps the record's monsters to ours, including dead ones."""

    def __init__(self, game: RecordedGame, ruleset: Ruleset) -> None:
        super().__init__(game, ruleset)
        self.known: dict[str, str] = {}
        self.guesses: dict[int, guesses.Guess] = {}  # index of a turn -> what is tried in it
        self.at = 0

    def play_all(self) -> Difference | None:
        """Play every turn and the end; try what the record leaves open until it agrees or no options are left."""
        return guesses.play_guessing(self)

    def read_ending(self) -> Iterator[tuple[str, object]]:
        """How the game ended for the engine, and with how many hit points."""
        yield from super().read_ending()
        yield from ((f"{wizard.name} hit points", wizard.hp) for wizard in self.state.wizards.values())

    def guessed(self) -> Iterator[str]:
        for at, guess in sorted(self.guesses.items()):
            yield f"in its turn {at + 1} {guess.mage} is taken to have ordered {', '.join(guess.lines)}"

    def play(self, turn: RecordedTurn) -> None:
        """Play one turn; if the record of it is incomplete, take over its result."""
        before, excused = self.state, self.tally.excused.total()
        super().play(turn)
        if turn.absent:
            self._let_wait(turn.absent, before)
        if turn.unseen or turn.always_follows or self.tally.excused.total() > excused:
            self.state = take_over(self.state, turn.standing, self.known, self._spell_name)
            if turn.follows:
                self.state = follow_record(self.state, *turn.follows)

    def _answer(self, turn: RecordedTurn, asks: Asks, late: list[LateOrders]) -> dict[str, Sheet]:
        assert turn.answers is not None
        sheets = {}
        for mage in asks.state.owing:
            asked = {question.id: question for question in asks.questions if question.mage == mage}
            prepared = turn.answers.get(mage, {})
            told = {slot: self._localize(prepared[slot]) for slot in asked if slot in prepared}
            told = {slot: value for slot, value in told.items() if _is_offered(asked[slot], value)}
            told |= {slot: kind for slot in asked if (kind := self._find_kind(asked[slot], prepared))}
            told |= {
                question.id: value
                for question in asked.values()
                if question.required and question.id not in told and (value := _find_default(question))
            }
            sheets[mage] = self._read_sheet([asked[slot].line(value) for slot, value in told.items()])
        return sheets

    def _find_kind(self, question: Question, prepared: Mapping[str, str]) -> str | None:
        """The answer to a question about an elemental's kind: the one that appeared."""
        if KIND_OF_ELEMENTAL not in prepared:
            return None
        kinds = [option.value for option in question.options if option.value.lower().startswith(("fire", "ice"))]
        return next((kind for kind in kinds if kind.lower().startswith(prepared[KIND_OF_ELEMENTAL])), None)

    def _read_orders(self, mage: str, lines: Sequence[str]) -> Sheet:
        """The orders with guesses, and without gestures if an enchantment plays them for the mage."""
        guess = self.guesses.get(self.at)
        if guess and guess.mage == mage:
            lines = [*lines, *guess.lines]
        if self.state.wizards[mage].phase != ORDERS:
            lines = [line for line in lines if not line.startswith(("LH ", "RH "))]
        return self._read_sheet(lines)

    def _make_dice(self, turn: RecordedTurn) -> Dice:
        drawn = turn.chance.opponents
        newborn = [
            (str(turn.facts.get(f"{name} kind")), drawn.get(name) or turn.facts.get(f"{name} target"))
            for name in turn.newborn
        ]
        return NeutralDice(turn.chance, self.known, unseen=turn.unseen, newborn=newborn)

    def localized(self, lines: Sequence[str]) -> Sheet:
        """A record's order lines as a sheet with our names."""
        return self._read_sheet(lines)

    def _read_sheet(self, lines: Sequence[str]) -> Sheet:
        known = [line for line in lines if line != END_OF_LIFE or END_OF_LIFE in VERBS]
        return Sheet.from_lines([" ".join(map(self._localize, line.split(" "))) for line in known])

    def _localize(self, word: str) -> str:
        """Our name for the record's name of a monster or spell."""
        if word.startswith("@"):
            return self.known.get(word[1:], GONE)
        if word.islower() and word != NOBODY:
            return self._spell_name(word)
        return word

    def _spell_name(self, slug: str) -> str:
        book = self.state.ruleset.spells
        made = set(self.state.ruleset.series.values())
        candidates = (*NAMES.get(slug, ()), *(name for name in book if name.lower().replace(" ", "-") == slug))
        return next((name for name in candidates if name in made), slug)

    def _read_facts(self, before: State, turn: RecordedTurn, done: Done) -> Iterator[tuple[str, object]]:
        self._recognize(turn, done)
        theirs = {ours: name for name, ours in self.known.items()}
        yield "number", self.at + 1
        yield from read_deeds(before, done, theirs)
        yield "movers but the silent", frozenset(before.movers) - set(turn.absent)
        yield from read_standing(done.state, theirs, turn.uncounted)

    def _recognize(self, turn: RecordedTurn, done: Done) -> None:
        """Match their new monsters with ours: by the hand that made them, or else by kind."""
        for name, (mage, hand) in turn.newborn.items():
            made = done.record.newborn.get((mage, HANDS[hand])) or self._find_like(turn, name, done)
            if made is not None:
                self.known[name] = made

    def _find_like(self, turn: RecordedTurn, name: str, done: Done) -> str | None:
        """A monster that joined another of its kind, which they count as new, or an unmatched one of this kind."""
        kind = str(turn.facts.get(f"{name} kind"))
        if kind in ELEMENTALS and kind in done.state.monsters:
            return kind
        strangers = (one for one in done.state.monsters.values() if one.name not in self.known.values())
        return next((one.name for one in strangers if one.kind == kind), None)

    def _let_wait(self, mages: Sequence[str], before: State) -> None:
        """A mage without orders played no gestures, not even nothing: what their hands have begun continues."""
        self.state = self.state.copy()
        for mage in mages:
            then, now = before.wizards[mage], self.state.wizards[mage]
            now.left, now.right = now.left[:-1] + WAITED, now.right[:-1] + WAITED
            now.begun = then.begun


def _is_offered(question: Question, value: str) -> bool:
    return not question.options or any(option.value == value and option.allowed for option in question.options)


def _find_default(question: Question) -> str | None:
    """The default answer or, without one, the first allowed option."""
    return question.default or next((option.value for option in question.options if option.allowed), None)
