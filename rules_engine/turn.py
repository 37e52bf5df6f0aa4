"""The turn being resolved: the only mutable object of the engine, with the three ways to report events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from rules_engine.beings import EMPTY, NOBODY, PERMANENT, Being
from rules_engine.dice import Dice
from rules_engine.errors import StepLimit
from rules_engine.events import EVENTS_PER_TURN, Audience, Event, Fact, OpenEvents, make_event
from rules_engine.native import mypyc_attr
from rules_engine.occasions import EVERYTHING
from rules_engine.orders import Sheet
from rules_engine.rules import Rules
from rules_engine.spells import Cast
from rules_engine.state import State, opponent

if TYPE_CHECKING:
    from collections.abc import Sequence

STEP_LIMIT: Final = 20_000
Keys = tuple[int, ...]


@mypyc_attr(acyclic=True)
class Turn:
    """A turn in progress over a private copy of the state. Everything here ends with the turn."""

    # Too many attributes for an instance without slots: it would need its own dictionary.
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
        "events",
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
        "silent",
        "sources",
        "state",
        "storms_clashed",
        "stunned",
        "veiled",
        "worked",
    )

    def __init__(self, state: State, dice: Dice, sheets: dict[str, Sheet] | None = None) -> None:
        self.state = state
        self.sheets: dict[str, Sheet] = {} if sheets is None else sheets
        self.occasions = EVERYTHING  # until the orders are taken
        # Whether nothing is reported (`SilentTurn`): what happens in many turns asks first, and collects no facts then.
        self.silent = False
        self.dice = dice
        self.rules: Rules = state.ruleset.rules
        self.extra = state.extra
        out, movers = state.out, state.movers
        self.movers: tuple[str, ...] = tuple([name for name in movers if name not in out]) if out else movers
        self.mages = [state.wizards[name] for name in state.mages]
        # The mages who act in this turn, in their order: only a forfeit can shorten the list.
        self.moving = self.mages
        if len(self.movers) != len(self.mages):
            self.moving = [state.wizards[name] for name in self.movers]
        self.events: list[Event] = []
        # Most of these are empty in most turns. Empty ones are shared, so replace them and never change them.
        self.casts: tuple[Cast, ...] = ()
        self.worked: tuple[Cast, ...] = ()
        self.attacks: tuple[Mapping[str, Any], ...] = ()
        self.collisions: tuple[Mapping[str, Any], ...] = ()
        self.first = state.seq * EVENTS_PER_TURN + state.event_count  # the key of the first event of this turn
        self.hits: dict[str, dict[str, list[int]]] = {}  # being → kind of blow → events that dealt it
        self.cures: tuple[tuple[str, int, int], ...] = ()  # (being, event of its gain, event of the spell)
        self.sources: Mapping[str, tuple[int, ...]] = EMPTY  # lasting effects → the events that began them
        self.collided: Mapping[str, int] = EMPTY
        self.claims: Mapping[str, tuple[str, ...]] = EMPTY  # being → who may direct it
        self.newborn: Mapping[tuple[str, str], str] = EMPTY
        self.raised_by: Mapping[str, str] = EMPTY
        self.shielded_by_dispel: tuple[str, ...] = ()
        self.confused_target: Mapping[str, str] = EMPTY
        self.stunned: tuple[str, ...] = ()
        self.paired: Mapping[str, tuple[str, str]] = EMPTY  # mage with two pairs of gestures → "<left><right>" of each
        self.quick: frozenset[str] | None = None  # creatures that were fast when the turn began, if that matters
        if self.rules.haste_begins_next_turn:
            self.quick = frozenset(name for name, monster in state.monsters.items() if "fast" in monster.marks)
        # (monster, mark) for mind spells of earlier turns that hold it in this one, in rulesets with such a delay.
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
        self.caught: tuple[tuple[str, str], ...] = ()  # (mage, power) used up in the turn of getting it
        self.aside: Mapping[str, Mapping[str, int]] = EMPTY  # marks that do not count in stopped time
        self.defenceless = self.extra == "T" and not self.rules.stopped_turn_lays_aside
        self._sight: Mapping[str, Mapping[str, int]] = EMPTY
        if self.rules.sight_is_as_the_turn_began:
            self._sight = {n: w.marks.copy() for n, w in state.wizards.items() if w.marks}
        self._steps = 0
        self.murky = self.veiled = False
        self.look_around()

    # -- who is there ---------------------------------------------------------------------------------------------

    def beings(self) -> list[Being]:
        """Return everything that is or was in the circle: wizards in their order, then monsters by creation. Do not
        change the list."""
        mages: list[Being] = self.mages  # type: ignore[assignment]  # nobody adds a creature to it
        return [*mages, *self.state.monsters.values()] if self.state.monsters else mages

    def live_beings(self) -> list[Being]:
        """Return the beings that are neither dead nor gone."""
        out = self.state.out
        return [being for being in self.beings() if being.name not in out] if out else self.beings()

    def drop_movers(self, left: Sequence[str]) -> None:
        """Let only the mages in `left` act: the others died before the turn continued."""
        self.movers = tuple([name for name in self.movers if name in left])
        self.moving = [self.state.wizards[name] for name in self.movers]

    def list_involved(self, target: str) -> Audience:
        """Return who may know who acts on a target in stopped time: those who act in it, and the target
        (FM-TIMESTOP-3). None: everyone, as outside it."""
        if self.extra != "T" or not self.rules.stopped_acts_are_secret:
            return None
        return self._audience(name for name in self.state.wizards if name in self.movers or name == target)

    def is_outside_time(self, name: str) -> bool:
        """Return whether this mage acts in stopped time now."""
        return self.extra == "T" and name in self.movers

    def mark(self, name: str, mark: str) -> int:
        """Return the count of a mark on a being; 0 if it has none."""
        being = self.state.being(name)
        return being.marks.get(mark, 0) if being is not None and being.marks else 0

    def is_unseen(self, name: str) -> bool:
        if not self.murky:
            return False
        if self.rules.sight_is_as_the_turn_began and self.extra != "T":
            return "invisible" in self._sight.get(name, ())
        return self.mark(name, "invisible") != 0

    def is_sightless(self, name: str) -> bool:
        if not self.murky:
            return False
        if self.rules.sight_is_as_the_turn_began and self.extra != "T":
            return "blind" in self._sight.get(name, ())
        return self.mark(name, "blind") != 0

    def is_defenceless(self, name: str) -> bool:
        """Return whether nothing that a being has protects it now; those who act in stopped time may keep their
        defences (FM-TIMESTOP-4)."""
        return self.defenceless and not (self.rules.stopped_keep_their_defences and name in self.movers)

    def passes_defences(self, name: str, target: str) -> bool:
        """Return whether this mage acts in stopped time and nothing protects the target from them."""
        return self.defenceless and name in self.movers and self.is_defenceless(target)

    def strip(self, being: Being) -> None:
        """Remove everything that the ruleset lets a Remove Enchantment or Dispel Magic remove."""
        self.aside = {name: marks for name, marks in self.aside.items() if name != being.name}
        self.gripped = tuple([grip for grip in self.gripped if grip[0] != being.name])
        being.strip(keep_charm=self.rules.removal_spares_new_charm, keep_bank=self.rules.bank_outlives_removal)

    def foe_of(self, name: str, hand: str) -> str:
        """Return the target of harm if none is named: see `opponent`; random, if the ruleset says so."""
        foe = opponent(self.state, name)
        if foe != NOBODY or not self.rules.harm_strikes_at_random or name in self.state.monsters:
            return foe
        others = [other for other in self.state.still_in if other != name]
        return str(self.dice.pick("random foe", f"{name} {hand}", others)) if others else NOBODY

    def count_step(self) -> None:
        """Count a step, so that no input can make a turn loop."""
        self._steps += 1
        if self._steps > STEP_LIMIT:
            raise StepLimit(f"turn {self.state.label} took more than {STEP_LIMIT} steps")

    # -- events ---------------------------------------------------------------------------------------------------

    def collect_events(self) -> tuple[Event, ...]:
        """Return the events, in order: as `OpenEvents` if all of them are public and nobody's sight was limited."""
        return tuple(self.events) if self.veiled else OpenEvents(self.events)

    def look_around(self) -> None:
        """Note whether anyone's sight is limited now; call it when blindness or invisibility changes.

        In rulesets where sight is as the turn began, the enchantments of that time may limit it.
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
        """Report to everyone. Here and below, `because` names the events that led to it."""
        self.events.append(make_event((kind, facts, None, clause, because)))

    def announce_facts(self, kind: str, clause: str, facts: dict[str, Fact]) -> None:
        """Do the same as `announce`, for events of every turn: facts in a dictionary are cheaper than keywords."""
        self.events.append(make_event((kind, facts, None, clause, ())))

    def confide(self, name: str, kind: str, clause: str, *, because: Keys = (), **facts: Fact) -> None:
        """Report to one mage only."""
        self.veiled = True
        self.events.append(make_event((kind, facts, (name,), clause, because)))

    def tell(self, audience: Audience, kind: str, clause: str, *, because: Keys = (), **facts: Fact) -> None:
        """Report to these mages only."""
        self.veiled = True
        self.events.append(make_event((kind, facts, audience, clause, because)))

    def report_about(
        self, name: str, kind: str, clause: str, *, because: Keys = (), unseen_by: str = "", **facts: Fact
    ) -> None:
        """Report something about a being (or, with NOBODY, the circle) to all who can see it now.

        `unseen_by` is a mage who learns it from another event, made for them alone.
        """
        audience = self._who_sees(name) if self.murky else None
        if unseen_by:
            self.veiled = True
            audience = tuple(n for n in (self.state.wizards if audience is None else audience) if n != unseen_by)
        self.events.append(make_event((kind, facts, audience, clause, because)))

    def report_result(
        self, name: str, kind: str, clause: str, *, because: Keys = (), magic: bool = True, **facts: Fact
    ) -> None:
        """Report what a being loses or gains, or what protects it: from spells, or else from daggers and creatures."""
        audience = self._who_learns_result(name, magic) if self.murky else None
        self.events.append(make_event((kind, facts, audience, clause, because)))

    def report_facts(self, name: str, kind: str, clause: str, facts: dict[str, Fact]) -> None:
        """Do the same as `report_about`, for events of every turn."""
        audience = self._who_sees(name) if self.murky else None
        self.events.append(make_event((kind, facts, audience, clause, ())))

    def report_effect(
        self, cast: Cast, outcome: str, clause: str = "", *, felt: bool = False, because: Keys = (), **facts: Fact
    ) -> None:
        """Report the effect of a spell: those with sight see it, and so does a blind target if it is `felt`.

        In stopped time only mages outside time see it; under a Dispel Magic everyone does.
        """
        audience: Audience = None
        if self.murky and not self.dispelled and not self.rules.effects_are_told_to_all:
            audience = self._who_notices(cast, felt, appears=outcome in ("creates", "raises"))
        rule = clause or cast.spell.clause
        if cast.mirror is not None:
            turned = {"spell": cast.spell.name, "mirror": cast.mirror, "at": cast.target}
            mirrored = (cast.event, *self.find_origins(cast.mirror, "reflecting"))
            cast.event = self.first + len(self.events)
            self.events.append(make_event(("reflected", turned, audience, "FM-MIRROR-2", mirrored)))
            cast.mirror = None
        details: dict[str, Fact] = {"spell": cast.spell.name, "outcome": outcome, "target": cast.target}
        if facts:
            details.update(facts)
        self.events.append(
            make_event(("spell", details, audience, rule, (cast.event, *because) if because else (cast.event,)))
        )

    def report_casting(self, cast: Cast, because: Keys) -> None:
        """Report that a spell leaves a hand, to those who see its caster or whom the ruleset lets know."""
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
        cast.event = self.first + len(self.events)
        self.events.append(make_event(("casts", facts, audience, spell.clause, because)))

    def _who_sees(self, name: str) -> Audience:
        wizards = self.state.wizards
        subject = wizards.get(name)
        if subject is not None and self.is_outside_time(name) and self.rules.stopped_see_each_other:
            return self._audience(self.movers)
        if subject is not None and ("invisible" in subject.marks or self.is_outside_time(name)):
            return (name,)
        return self._audience(n for n, w in wizards.items() if n == name or "blind" not in w.marks)

    def _who_learns_result(self, name: str, magic: bool) -> Audience:
        if self.is_outside_time(name) and self.rules.stopped_acts_are_secret:
            return self.list_involved(name)
        if not self.rules.results_on_unseen_are_told:
            return self._who_sees(name)
        if magic and self.rules.effects_are_told_to_all:
            return None
        if self.is_outside_time(name):
            return self._who_sees(name)
        return self._audience(n for n, w in self.state.wizards.items() if n == name or "blind" not in w.marks)

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
        return self.first + len(self.events) - 1

    def record_mark(self, being: Being, mark: str, *, more: bool = False) -> None:
        """Note that this mark comes from the last event, or with `more` also from earlier ones whose effect runs on."""
        key = self.first + len(self.events) - 1
        origins = being.origins
        if origins:
            being.origins = {**origins, mark: (*origins.get(mark, ()), key) if more else (key,)}
        else:
            being.origins = {mark: (key,)}

    def find_origins(self, name: str, mark: str) -> Keys:
        """Return the events that a being's mark comes from; none if there is no such being."""
        being = self.state.being(name)
        return being.origins.get(mark, ()) if being is not None and being.origins else ()

    def record_attack(self, attacker: str, target: str | None, result: str) -> None:
        self.attacks += ({"attacker": attacker, "target": target, "result": result},)

    def record_blow(self, name: str, kind: str) -> None:
        """Note that the last event dealt this being a blow, or a cure, that takes effect in the results."""
        self.hits.setdefault(name, {}).setdefault(kind, []).append(self.first + len(self.events) - 1)

    def record_cure(self, being: Being, blow: int) -> None:
        """Note that the last event gave this being hit points, by the spell of the event `blow`."""
        self.cures += ((being.name, self.last, blow),)

    def find_event(self, key: int) -> Event:
        return self.events[key - self.first]

    def correct_event(self, key: int, kind: str, facts: Mapping[str, Fact]) -> None:
        """Replace the kind and facts of an event that turned out differently, before anyone has seen it."""
        event = self.find_event(key)
        self.events[key - self.first] = make_event((kind, facts, event.audience, event.clause, event.cause))

    def record_source(self, what: str) -> None:
        """Note that the last event began, or joined, something in the whole circle."""
        self.sources = {**self.sources, what: (*self.sources.get(what, ()), self.last)}

    def record_clash(self, name: str, state: int) -> None:
        """Note the fate of the mind spells on a being."""
        self.collided = {**self.collided, name: state}

    # -- unborn creatures -----------------------------------------------------------------------------------------

    def record_birth(self, mage: str, hand: str, creature: str) -> None:
        self.newborn = {**self.newborn, (mage, hand): creature}

    def born_of(self, form: str) -> str | None:
        """Return the creature that an unborn form (``LH:Ayla``) means this turn; None if that hand made none."""
        hand, _, mage = form.partition(":")
        return self.newborn.get((mage, hand))

    def resolve(self, name: str) -> str:
        """Return `name`, or the creature that an unborn form means; NOBODY if there is none."""
        return (self.born_of(name) or NOBODY) if ":" in name else name


SpellEffect = Callable[[Turn, Cast], None]
TurnStep = Callable[[Turn], object]
