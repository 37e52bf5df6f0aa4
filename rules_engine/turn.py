"""The turn being resolved: the only mutable object of the engine, with the three ways to tell what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from rules_engine.beings import EMPTY, NOBODY, PERMANENT, Being
from rules_engine.dice import Dice
from rules_engine.errors import StepLimit
from rules_engine.events import EVENTS_PER_TURN, Audience, Event, Fact, OpenEvents, make_event
from rules_engine.occasions import EVERYTHING
from rules_engine.orders import Sheet
from rules_engine.rules import Rules
from rules_engine.spells import Cast
from rules_engine.state import State, opponent

if TYPE_CHECKING:
    from collections.abc import Sequence

STEP_LIMIT: Final = 20_000
Keys = tuple[int, ...]


class Turn:
    """A turn in progress over a private copy of the state. Everything here ends with the turn."""

    # More attributes than an instance without slots holds without a dictionary of its own.
    __slots__ = (
        "_sight",
        "_steps",
        "aside",
        "attacks",
        "casts",
        "caught",
        "claims",
        "collided",
        "collisions",
        "confused_target",
        "cures",
        "defenceless",
        "dice",
        "dispelled",
        "elementals_clashed",
        "extra",
        "fire_storm",
        "fireball_absorbed",
        "first",
        "gripped",
        "hits",
        "ice_storm",
        "mages",
        "marks_before",
        "movers",
        "moving",
        "murky",
        "newborn",
        "occasions",
        "paired",
        "penalties",
        "quick",
        "raised_by",
        "rules",
        "sheets",
        "shielded_by_dispel",
        "sources",
        "state",
        "storms_clashed",
        "stunned",
        "told",
        "veiled",
        "worked",
    )

    def __init__(self, state: State, dice: Dice, sheets: Mapping[str, Sheet] = EMPTY) -> None:
        self.state = state
        self.sheets = sheets
        self.occasions = EVERYTHING  # until the orders are taken
        self.dice = dice
        self.rules: Rules = state.ruleset.rules
        self.extra = state.extra
        out, movers = state.out, state.movers
        self.movers: tuple[str, ...] = tuple([name for name in movers if name not in out]) if out else movers
        self.mages = list(state.wizards.values())
        # The mages who act in this turn, in their order: nobody leaves in it but by forfeit.
        self.moving = self.mages
        if len(self.movers) != len(self.mages):
            self.moving = [state.wizards[name] for name in self.movers]
        self.told: list[Event] = []
        # Most turns have nothing of most of this: what is empty is shared, and so replaced, never changed.
        self.casts: tuple[Cast, ...] = ()
        self.worked: tuple[Cast, ...] = ()
        self.attacks: tuple[Mapping[str, Any], ...] = ()
        self.collisions: tuple[Mapping[str, Any], ...] = ()
        self.first = state.seq * EVENTS_PER_TURN + state.told  # the key of the first event it tells
        self.hits: dict[str, dict[str, list[int]]] = {}  # being → kind of blow → events that dealt it
        self.cures: tuple[tuple[str, int, int], ...] = ()  # (being, event of its gain, event of the spell)
        self.sources: Mapping[str, tuple[int, ...]] = EMPTY  # what lasts in the whole circle → events that began it
        self.collided: Mapping[str, int] = EMPTY
        self.claims: Mapping[str, tuple[str, ...]] = EMPTY  # being → who may have the word over it
        self.newborn: Mapping[tuple[str, str], str] = EMPTY
        self.raised_by: Mapping[str, str] = EMPTY
        self.shielded_by_dispel: tuple[str, ...] = ()
        self.confused_target: Mapping[str, str] = EMPTY
        self.stunned: tuple[str, ...] = ()
        self.paired: Mapping[str, tuple[str, str]] = EMPTY  # who made two pairs of gestures → "<left><right>" of each
        self.quick: frozenset[str] | None = None  # creatures that were fast as the turn began, where that counts
        if self.rules.haste_begins_next_turn:
            self.quick = frozenset(name for name, monster in state.monsters.items() if "fast" in monster.marks)
        # (monster, mark) for mind spells of earlier turns that take hold of it in this one, where they take that long.
        self.gripped: tuple[tuple[str, str], ...] = ()
        if state.monsters and (self.rules.paralysed_monsters_stop_next or self.rules.amnesia_keeps_victim):
            self.gripped = tuple(
                (name, mark)
                for name, monster in state.monsters.items()
                for mark in ("paralysed", "forgetful")
                if monster.marks.get(mark) in (1, PERMANENT)
            )
        self.dispelled = False
        self.fire_storm = self.ice_storm = self.elementals_clashed = False
        self.storms_clashed = self.fireball_absorbed = False
        self.penalties: tuple[str, ...] = ()
        self.marks_before: Mapping[str, Mapping[str, int]] = EMPTY
        if state.extra == "T":
            self.marks_before = {b.name: b.marks.copy() for b in self.beings()}
        self.caught: tuple[tuple[str, str], ...] = ()  # (mage, power) used up in the turn in which it is given
        self.aside: Mapping[str, Mapping[str, int]] = EMPTY  # marks that count for nothing in stopped time
        self.defenceless = self.extra == "T" and not self.rules.stopped_turn_lays_aside
        self._sight: Mapping[str, Mapping[str, int]] = EMPTY
        if self.rules.sight_is_as_the_turn_began:
            self._sight = {n: w.marks.copy() for n, w in state.wizards.items() if w.marks}
        self._steps = 0
        self.murky = self.veiled = False
        self.look_around()

    # -- who is there ---------------------------------------------------------------------------------------------

    def beings(self) -> list[Being]:
        """Everything in the circle or once in it: wizards in their order, then monsters by creation."""
        found: list[Being] = list(self.state.wizards.values())
        if self.state.monsters:
            found += self.state.monsters.values()
        return found

    def live_beings(self) -> list[Being]:
        """Those who are neither dead nor gone."""
        out = self.state.out
        return [being for being in self.beings() if being.name not in out] if out else self.beings()

    def drop_movers(self, left: Sequence[str]) -> None:
        """Let only those act who are `left`: the others have fallen before the turn went on."""
        self.movers = tuple([name for name in self.movers if name in left])
        self.moving = [self.state.wizards[name] for name in self.movers]

    def is_outside_time(self, name: str) -> bool:
        """Whether this mage acts in stopped time now."""
        return self.extra == "T" and name in self.movers

    def mark(self, name: str, mark: str) -> int:
        """The count of a mark on a being; 0 if it has none."""
        state = self.state
        being = state.wizards.get(name) or state.monsters.get(name)
        return 0 if being is None else being.marks.get(mark, 0)

    def is_unseen(self, name: str) -> bool:
        """Whether a being cannot be seen now."""
        if not self.murky:
            return False
        if self.rules.sight_is_as_the_turn_began and self.extra != "T":
            return "invisible" in self._sight.get(name, ())
        return self.mark(name, "invisible") != 0

    def is_sightless(self, name: str) -> bool:
        """Whether a mage sees nothing now."""
        if not self.murky:
            return False
        if self.rules.sight_is_as_the_turn_began and self.extra != "T":
            return "blind" in self._sight.get(name, ())
        return self.mark(name, "blind") != 0

    def passes_defences(self, name: str) -> bool:
        """Whether this mage acts in stopped time and nothing protects from him (FM-TIMESTOP-4)."""
        return self.defenceless and name in self.movers

    def strip(self, being: Being) -> None:
        """Take off everything that the ruleset lets a Remove Enchantment or Dispel Magic take."""
        self.aside = {name: marks for name, marks in self.aside.items() if name != being.name}
        self.gripped = tuple([grip for grip in self.gripped if grip[0] != being.name])
        being.strip(keep_charm=self.rules.removal_spares_new_charm, keep_bank=self.rules.bank_outlives_removal)

    def foe_of(self, name: str, hand: str) -> str:
        """Whom harm goes to when nobody is named: see `opponent`; by chance, where the ruleset has it so."""
        foe = opponent(self.state, name)
        if foe != NOBODY or not self.rules.harm_strikes_at_random or name in self.state.monsters:
            return foe
        others = [other for other in self.state.still_in if other != name]
        return str(self.dice.pick("random foe", f"{name} {hand}", others)) if others else NOBODY

    def count_step(self) -> None:
        """No input may make a turn loop."""
        self._steps += 1
        if self._steps > STEP_LIMIT:
            raise StepLimit(f"turn {self.state.label} took more than {STEP_LIMIT} steps")

    # -- telling --------------------------------------------------------------------------------------------------

    def all_told(self) -> tuple[Event, ...]:
        """What was told, in order: as `OpenEvents` where nobody's sight was ever hindered and nothing confided."""
        return tuple(self.told) if self.veiled else OpenEvents(self.told)

    def look_around(self) -> None:
        """Take note whether anybody's sight of anybody is hindered now; call when blindness or hiding changes.

        Where sight is as the turn began, whatever lay on anybody then may hinder it.
        """
        self.murky = False
        for wizard in self.mages:
            if wizard.marks and ("blind" in wizard.marks or "invisible" in wizard.marks):
                self.murky = True
        if self.extra == "T" or self._sight:
            self.murky = True
        if self.murky:
            self.veiled = True

    def announce(self, kind: str, clause: str, *, because: Keys = (), **facts: Fact) -> None:
        """Tell everybody. Here and below `because` names the events that it follows from."""
        self.told.append(make_event((kind, facts, None, clause, because)))

    def announce_facts(self, kind: str, clause: str, facts: dict[str, Fact]) -> None:
        """`announce` for what every turn tells: facts in a dictionary are cheaper than keywords."""
        self.told.append(make_event((kind, facts, None, clause, ())))

    def confide(self, name: str, kind: str, clause: str, *, because: Keys = (), **facts: Fact) -> None:
        """Tell one mage alone."""
        self.veiled = True
        self.told.append(make_event((kind, facts, (name,), clause, because)))

    def tell_about(
        self, name: str, kind: str, clause: str, *, because: Keys = (), unseen_by: str = "", **facts: Fact
    ) -> None:
        """Tell what is seen of a being (or, with NOBODY, of the circle) by all who can see it now.

        `unseen_by` is a mage who learns of it in another event, made for him alone.
        """
        audience = self._who_sees(name) if self.murky else None
        if unseen_by:
            self.veiled = True
            audience = tuple(n for n in (self.state.wizards if audience is None else audience) if n != unseen_by)
        self.told.append(make_event((kind, facts, audience, clause, because)))

    def tell_facts(self, name: str, kind: str, clause: str, facts: dict[str, Fact]) -> None:
        """`tell_about` for what every turn tells."""
        audience = self._who_sees(name) if self.murky else None
        self.told.append(make_event((kind, facts, audience, clause, ())))

    def tell_effect(
        self, cast: Cast, outcome: str, clause: str = "", *, felt: bool = False, because: Keys = (), **facts: Fact
    ) -> None:
        """Tell what a spell did: the sighted see it, and a blind target where it is `felt`.

        In stopped time only those outside time see it; under a Dispel Magic everybody does.
        """
        audience: Audience = None
        if self.murky and not self.dispelled and not self.rules.effects_are_told_to_all:
            audience = self._who_notices(cast, felt, appears=outcome in ("creates", "raises"))
        rule = clause or cast.spell.clause
        if cast.mirror is not None:
            turned = {"spell": cast.spell.name, "mirror": cast.mirror, "at": cast.target}
            mirrored = (cast.event, *self.laid_on(cast.mirror, "reflecting"))
            cast.event = self.first + len(self.told)
            self.told.append(make_event(("reflected", turned, audience, "FM-MIRROR-2", mirrored)))
            cast.mirror = None
        told: dict[str, Fact] = {"spell": cast.spell.name, "outcome": outcome, "target": cast.target}
        if facts:
            told.update(facts)
        self.told.append(
            make_event(("spell", told, audience, rule, (cast.event, *because) if because else (cast.event,)))
        )

    def tell_casting(self, cast: Cast, because: Keys) -> None:
        """Tell of a spell leaving a hand: who sees its caster, and whom the ruleset lets know besides."""
        spell, caster = cast.spell, cast.caster
        facts: dict[str, Fact] = {
            "who": caster,
            "spell": spell.name,
            "target": None if cast.target == NOBODY and not spell.targeted else cast.target,
            "hand": cast.hand,
            "fired": cast.fired,
            "permanent": cast.permanent,
        }
        audience = self._who_sees(caster) if self.murky else None
        if audience is not None and self.extra != "T":
            seen = self.rules.castings_of_unseen_are_seen or not self.mark(caster, "invisible")
            audience = self._audience(
                n
                for n, w in self.state.wizards.items()
                if n == caster or (seen and ("blind" not in w.marks or self.rules.blind_sense_castings))
            )
        cast.event = self.first + len(self.told)
        self.told.append(make_event(("casts", facts, audience, spell.clause, because)))

    def _who_sees(self, name: str) -> Audience:
        wizards = self.state.wizards
        subject = wizards.get(name)
        if subject is not None and self.is_outside_time(name) and self.rules.stopped_see_each_other:
            return self._audience(self.movers)
        if subject is not None and ("invisible" in subject.marks or self.is_outside_time(name)):
            return (name,)
        return self._audience(n for n, w in wizards.items() if n == name or "blind" not in w.marks)

    def _who_notices(self, cast: Cast, felt: bool, *, appears: bool) -> Audience:
        wizards = self.state.wizards
        if self.extra == "T":
            return self._audience(n for n in wizards if n in self.movers)
        hidden = self.rules.invisible_work_is_hidden and not appears and self._touches_nobody_visible(cast)
        return self._audience(
            n
            for n, w in wizards.items()
            if ("blind" not in w.marks or (felt and n == cast.target))
            and not (hidden and n not in (cast.caster, cast.target, cast.summoner))
        )

    def _touches_nobody_visible(self, cast: Cast) -> bool:
        if not cast.spell.targeted or "invisible" not in self.state.wizards[cast.summoner].marks:
            return False
        target = self.state.being(cast.target)
        return target is None or "invisible" in target.marks

    def _audience(self, names: Any) -> Audience:
        audience = tuple(names)
        return None if len(audience) == len(self.state.wizards) else audience

    # -- what follows from what -----------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The key of the event told last."""
        return self.first + len(self.told) - 1

    def note_laid(self, being: Being, mark: str, *, more: bool = False) -> None:
        """The event told last laid this mark; `more`: on top of what laid it before and still runs."""
        key = self.first + len(self.told) - 1
        laid = being.laid
        if laid:
            being.laid = {**laid, mark: (*laid.get(mark, ()), key) if more else (key,)}
        else:
            being.laid = {mark: (key,)}

    def laid_on(self, name: str, mark: str) -> Keys:
        """The events that laid a mark on a being; none for what nobody is there to bear."""
        being = self.state.being(name)
        return () if being is None else being.laid.get(mark, ())

    def note_attack(self, attacker: str, target: str | None, result: str) -> None:
        """Keep a record of an attack for callers that check or count."""
        self.attacks += ({"attacker": attacker, "target": target, "result": result},)

    def note_blow(self, name: str, kind: str) -> None:
        """The event told last dealt this being a blow, or a cure, to be felt in the results."""
        self.hits.setdefault(name, {}).setdefault(kind, []).append(self.first + len(self.told) - 1)

    def note_cure(self, being: Being, blow: int) -> None:
        """The event told last gave this being hit points, by the spell told of in `blow`."""
        self.cures += ((being.name, self.last, blow),)

    def told_as(self, key: int) -> Event:
        """An event of this turn by its key."""
        return self.told[key - self.first]

    def retell(self, key: int, kind: str, facts: Mapping[str, Fact]) -> None:
        """Put right what was told before all of it was known. Nobody has heard it yet, and the audience stays."""
        event = self.told_as(key)
        self.told[key - self.first] = make_event((kind, facts, event.audience, event.clause, event.cause))

    def note_source(self, what: str) -> None:
        """The event told last began, or joined in, something in the whole circle."""
        self.sources = {**self.sources, what: (*self.sources.get(what, ()), self.last)}

    def note_clash(self, name: str, state: int) -> None:
        """What has become of the mind spells at a being."""
        self.collided = {**self.collided, name: state}

    # -- unborn creatures -----------------------------------------------------------------------------------------

    def note_birth(self, mage: str, hand: str, creature: str) -> None:
        """What a hand has made is this creature."""
        self.newborn = {**self.newborn, (mage, hand): creature}

    def born_of(self, form: str) -> str | None:
        """The creature that an unborn form (``LH:Ayla``) means this turn; None if that hand made none."""
        hand, _, mage = form.partition(":")
        return self.newborn.get((mage, hand))

    def resolve(self, name: str) -> str:
        """`name`, or the creature that an unborn form means; NOBODY where there is none."""
        return (self.born_of(name) or NOBODY) if ":" in name else name


SpellEffect = Callable[[Turn, Cast], None]
TurnStep = Callable[[Turn], object]
