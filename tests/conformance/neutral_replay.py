"""Replays games of other engines: their names for beings and spells, and questions that they settled without asking."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine import Asks, Done, Question, Ruleset, Sheet, State
from rules_engine.beings import ELEMENTALS, NO_MASTER, NOBODY, ORDERS, Being, Monster, Wizard
from rules_engine.dice import Dice
from rules_engine.errors import UnrecordedThrow
from rules_engine.gestures import WAITED
from rules_engine.turn import Cast
from tests.conformance.engine_facts import STANDINGS, read_enchantments
from tests.conformance.neutral_records import HANDS, KIND_OF_ELEMENTAL, UNTARGETED, is_monster, name_casting
from tests.conformance.recorded_dice import RecordedDice
from tests.conformance.records import Chance, LateOrders, RecordedGame, RecordedTurn
from tests.conformance.replay import Replay

# Their slug -> the names that our rulesets give the spell; where it is not here, the slug is the name.
NAMES = {
    "counter-spell": ("Counter Spell", "Counter-spell"),
    "delayed-effect": ("Delay Effect", "Delayed Effect"),
    "lightning-bolt-quick": ("Clap Of Lightning", "Clap of Lightning", "Lightning Bolt"),
    "summon-fire-elemental": ("Summon Fire Elemental", "Summon Elemental"),
    "summon-ice-elemental": ("Summon Ice Elemental", "Summon Elemental"),
}
SLUGS = {
    name: slug for slug, names in NAMES.items() for name in names if name not in ("Lightning Bolt", "Summon Elemental")
}
PASSING = ("counter_spell", "magic_mirror", "blindness_starting", "invisibility_starting", "time_stop")
GONE = "long-gone"  # a name that nobody bears


class NeutralDice(RecordedDice):
    """The chance of one turn, where monsters bear the record's names; one just made has none of ours yet."""

    def __init__(self, chance: Chance, known: Mapping[str, str]) -> None:
        super().__init__(chance)
        self._known = known
        self._victims = {known[name]: victim for name, victim in chance.monster_targets.items() if name in known}

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """What the record says, in our words."""
        if purpose == "confused monster" and who in self._victims:
            return self._pick_victim(purpose, who, options)
        try:
            return super().pick(purpose, who, options)
        except UnrecordedThrow:
            if purpose.startswith(("confused", "paralysed")):
                raise
            # Which of several foes: where it had no effect the record is silent, and anybody will do.
            return options[0]

    def _pick_victim(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        victim = self._victims[who]
        strangers = [name for name in options if is_monster(victim) and name not in self._known.values()]
        name = self._known.get(victim, victim)
        self.throws.append({"purpose": purpose, "who": who, "picked": name})
        return name if name in options else strangers[-1]


class NeutralReplay(Replay):
    """A game in progress. `self.known` maps the record's monsters to ours, for ever: the dead are named, too."""

    def __init__(self, game: RecordedGame, ruleset: Ruleset) -> None:
        super().__init__(game, ruleset)
        self.known: dict[str, str] = {}

    def play(self, turn: RecordedTurn) -> None:
        """One turn; where the record does not know it whole, only what stands afterwards is taken over."""
        before = self.state
        super().play(turn)
        if turn.absent:
            self._let_wait(turn.absent, before)
        if turn.unseen:
            self._set_right(turn.standing)

    def _answer(self, turn: RecordedTurn, asks: Asks, late: list[LateOrders]) -> dict[str, Sheet]:
        assert turn.answers is not None
        sheets = {}
        for mage in asks.state.owing:
            asked = {question.id: question for question in asks.questions if question.mage == mage}
            prepared = turn.answers.get(mage, {})
            told = {slot: self._localize(prepared[slot]) for slot in asked if slot in prepared}
            told |= {slot: kind for slot in asked if (kind := self._find_kind(asked[slot], prepared))}
            sheets[mage] = self._read_sheet([asked[slot].line(value) for slot, value in told.items()])
        return sheets

    def _find_kind(self, question: Question, prepared: Mapping[str, str]) -> str | None:
        """The answer to a question for the kind of an elemental: the one that came."""
        if KIND_OF_ELEMENTAL not in prepared:
            return None
        kinds = [option.value for option in question.options if option.value.lower().startswith(("fire", "ice"))]
        return next((kind for kind in kinds if kind.lower().startswith(prepared[KIND_OF_ELEMENTAL])), None)

    def _read_orders(self, mage: str, lines: Sequence[str]) -> Sheet:
        """Without gestures where an enchantment makes them for him."""
        if self.state.wizards[mage].phase != ORDERS:
            lines = [line for line in lines if not line.startswith(("LH ", "RH "))]
        return self._read_sheet(lines)

    def _make_dice(self, turn: RecordedTurn) -> Dice:
        return NeutralDice(turn.chance, self.known)

    def _read_sheet(self, lines: Sequence[str]) -> Sheet:
        return Sheet.from_lines([" ".join(map(self._localize, line.split(" "))) for line in lines])

    def _localize(self, word: str) -> str:
        """A monster's or a spell's name of the record as ours."""
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
        yield "movers", frozenset(before.movers)
        for mage, (left, right) in done.record.gestures.items():
            yield f"{mage} gestures", f"{left}/{right}"
        casts = [*self._read_casts(done, theirs), *self._read_banked(done, theirs)]
        yield "castings", tuple(sorted(cast.rpartition(":")[0] for cast in casts))
        yield "outcomes", tuple(sorted(casts))
        for wizard in done.state.wizards.values():
            yield from _read_mage(wizard, theirs, turn.uncounted)
        for monster in done.state.monsters.values():
            yield from _read_monster(monster, theirs, turn.uncounted)
        yield "monsters", frozenset(theirs.get(name, name) for name in done.state.monsters)

    def _recognize(self, turn: RecordedTurn, done: Done) -> None:
        """Find out which of ours their new monsters are: by the hand that made them, else by kind."""
        for name, (mage, hand) in turn.newborn.items():
            made = done.record.newborn.get((mage, HANDS[hand])) or self._find_elemental(turn, name, done)
            if made is not None:
                self.known[name] = made

    def _find_elemental(self, turn: RecordedTurn, name: str, done: Done) -> str | None:
        """One that came to its like: for them it is the new one that stays."""
        kind = str(turn.facts.get(f"{name} kind"))
        return kind if kind in ELEMENTALS and kind in done.state.monsters else None

    def _read_casts(self, done: Done, theirs: Mapping[str, str]) -> Iterator[str]:
        for cast in done.record.casts:
            hand = "Fire" if cast.fired else cast.hand
            slug = name_casting(slugify(cast.spell.name))
            yield f"{cast.summoner} {hand} {slug} at {_target(cast, theirs)}: {_became(cast)}"

    def _read_banked(self, done: Done, theirs: Mapping[str, str]) -> Iterator[str]:
        for event in done.told:
            if event.kind == "banks":
                facts = event.facts
                slug = slugify(str(facts["spell"]))
                target = theirs.get(str(facts["target"]), facts["target"])
                yield f"{facts['who']} {facts['hand']} {slug} at {target}: put in store"

    def _let_wait(self, mages: Sequence[str], before: State) -> None:
        """Who sent no orders made no gestures, not even none: what his hands have begun goes on."""
        self.state = self.state.copy()
        for mage in mages:
            then, now = before.wizards[mage], self.state.wizards[mage]
            now.left, now.right = now.left[:-1] + WAITED, now.right[:-1] + WAITED
            now.begun = then.begun

    def _set_right(self, standing: Mapping[str, Any]) -> None:
        """After a turn that the record did not see whole, take over what it says stands there."""
        state = self.state = self.state.copy()
        for name, wizard in standing["wizards"].items():
            state.wizards[name].hp = wizard["hp"]
        theirs = {ours: name for name, ours in self.known.items()}
        there = {monster["id"]: monster for monster in standing["monsters"] if monster["alive"]}
        for name in [name for name in state.monsters if theirs.get(name) not in there]:
            del state.monsters[name]
        for name, monster in there.items():
            if self.known.get(name) not in state.monsters:
                kind = str(monster["type"]).title().replace(" ", "")
                self.known[name] = f"Unseen{kind}{name[1:]}"
                master, target = monster["owner"] or NO_MASTER, monster["target"] or NOBODY
                state.monsters[self.known[name]] = Monster(self.known[name], kind, master, target)
            state.monsters[self.known[name]].hp = monster["hp"]


def slugify(name: str) -> str:
    """Their name of a spell of ours."""
    return SLUGS.get(name, name.lower().replace(" ", "-"))


def _target(cast: Cast, theirs: Mapping[str, str]) -> str:
    if not cast.spell.targeted or slugify(cast.spell.name) in UNTARGETED:
        return NOBODY
    ordered = GONE if cast.ordered is None else cast.ordered
    return theirs.get(ordered, ordered)


def _became(cast: Cast) -> str:
    tokens = cast.outcome
    if "Reflecting" in tokens:
        return "reflected"
    names = {"Dispelled": "dispelled", "Blind": "caster blind", "Invisible": "target invisible"}
    return next((names[token] for token in tokens if token in names), "went off")


def _read_mage(wizard: Wizard, theirs: Mapping[str, str], uncounted: frozenset[str]) -> Iterator[tuple[str, object]]:
    name = wizard.name
    yield f"{name} hit points", wizard.hp
    yield f"{name} standing", STANDINGS.get(wizard.phase, "in").replace("victorious", "in")
    yield f"{name} enchantments", _enchantments(wizard, uncounted)
    bank = wizard.bank
    yield f"{name} bank", f"{slugify(bank[0])} at {theirs.get(bank[1], bank[1])}" if bank else None
    yield f"{name} held by", wizard.paralyser if "paralysed" in wizard.marks else None
    yield f"{name} charmed by", wizard.controller if "charmed" in wizard.marks else None


def _read_monster(
    monster: Monster, theirs: Mapping[str, str], uncounted: frozenset[str]
) -> Iterator[tuple[str, object]]:
    name = theirs.get(monster.name, monster.name)
    yield f"{name} kind", monster.kind
    yield f"{name} hit points", monster.hp
    yield f"{name} owner", _somebody(monster.controller)
    target = _somebody(monster.target)
    yield f"{name} target", theirs.get(target, target) if target else None
    yield f"{name} enchantments", _enchantments(monster, uncounted)


def _somebody(name: str) -> str | None:
    return None if name in (NOBODY, NO_MASTER) else name


def _enchantments(being: Being, uncounted: frozenset[str]) -> dict[str, object]:
    there: dict[str, object] = {}
    for name, count in read_enchantments(being).items():
        if name not in PASSING and name not in uncounted:
            there[name] = "permanent" if count in (-1, 999) else count
    return there
