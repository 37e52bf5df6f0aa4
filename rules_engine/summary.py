"""A turn summed up for one reader: a few sentences, those that mean most to the reader first.

Everything comes from the reader's `Memory` and from what they see before and after the turn, so a summary can tell no
secret. It is pure: the same knowledge gives the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

from rules_engine.audience import MageView, View
from rules_engine.beings import MONSTER_HP, NO_MASTER, NOBODY
from rules_engine.causes import Learnt, Memory
from rules_engine.events import Event, Fact
from rules_engine.explanations import SPELLS_AT_WORK, find_root_cast, is_failure, is_undoing
from rules_engine.gestures import LEFT, RIGHT, SECOND
from rules_engine.glossary import ENCHANTMENTS, SPELLS, join_with_and, name_enchantment
from rules_engine.narration import capitalize, fill, narrate, pick_form
from rules_engine.rulesets import SPELL_MARKS, get_ruleset
from rules_engine.schools import CURES, School, find_school, name_sign
from rules_engine.sentences import Forms
from rules_engine.summary_sentences import (
    ALL_END,
    BEGINS,
    BEGUN,
    CAUSES,
    CREATURES,
    DEATHS,
    ENDS,
    IN_VAIN,
    MINDS_CLASH,
    NO_SPELL,
    NOTHING_HAPPENS,
    NOTHING_SEEN,
    POINTS,
    SOURCES,
    STOPS,
    WAITS,
    WHY,
)
from rules_engine.text import say_count

ME, MINE, OTHERS = "me", "mine", "others"
"""Whom a line is about: the reader's mage, a creature that obeys it (or did before), or someone else."""
MOST_OPEN: Final = 4
"""How many lines stand open, unless more of them are about the reader."""

# The spell that puts each enchantment on a being.
_SPELL_OF: Final = {mark: spell for spell, mark in SPELL_MARKS.items()}
# Spells whose effect is over with the turn, or leaves no mark between turns.
_PASSING: Final = frozenset({"Shield", "Counter Spell", "Magic Mirror", "Anti Spell", "Time Stop"})
_ILLNESSES: Final = {"sick": "Disease", "poisoned": "Poison"}
_BURDENS: Final = frozenset(
    {"afraid", "blind", "charmed", "confused", "forgetful", "maladroit", "paralysed", "poisoned", "sick"}
)
# Events that show a mind spell at work on a mage's hands.
_HELD: Final = {
    "repeats": "forgetful",
    "hand_stuck": "paralysed",
    "confused_hands": "confused",
    "frightened_hands": "afraid",
    "maladroit_hands": "maladroit",
    "paralysed_hand": "paralysed",
    "directed_hand": "charmed",
}
_ANNOUNCED: Final = {"struck_blind": "blind", "disappears": "invisible", "mind_blank": "forgetful"}
# Events that other lines tell, or that change nothing by themselves.
_SILENT: Final = frozenset(
    {"turn_begins", "says", "gestures", "gestures_again", "casts", "directs", "holds_back", "new_choice"}
    | {"storm_rages", "dispelled", "mage_dies", "monster_dies"}
)
# Events that matter only to the mage whom they are about.
_OWN: Final = frozenset({"wishes_in_vain", "scorned", "repeats_itself", "watches_blur"})
_ABOUT_TIME: Final = {"watches_blur": "Haste", "slips_outside_time": "Time Stop"}
_SILENT_OUTCOMES: Final = frozenset({"hits", "reaches", "heals"})
_STORMS: Final = ("Fire Storm", "Ice Storm")
_FELT: Final = frozenset({"hurt", "healed", "recovers", "drops_dead"})
_GUARDS: Final = ("absorbed", "attack_missed", "stab_missed", "spell", "unharmed", "reflected")
_ENDS_OF_CREATURES: Final = ("spell", "evaporates", "monster_dies", "drops_dead", "dispelled_monster")
_CREATURE_GOES: Final = {"destroys": "target", "engulfs": "creature", "spent_on_elemental": "creature"}


class Bead(NamedTuple):
    """A gesture that completed a spell, or a stab: whose, which hand, in the turn with which `seq`."""

    mage: str
    hand: str
    seq: int


class SummaryLine(NamedTuple):
    """One sentence (or two) of a summary: `bold` first, then `rest`.

    `sign` names the sign of the school; the line `works` unless it is about a spell or attack without effect. `places`
    are those of the events that it sums up, among all that the reader learnt in the turn. `marks` are the enchantments
    that it says begin or end.
    """

    key: str
    school: School
    sign: str
    bold: str
    rest: str
    about: str
    works: bool
    places: tuple[int, ...]
    beads: tuple[Bead, ...]
    marks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.bold} {self.rest}".strip()


class Summary(NamedTuple):
    """A turn for one reader: the lines, what means most to them first, and how many of them stand open."""

    lines: tuple[SummaryLine, ...]
    open_count: int

    @property
    def open_lines(self) -> tuple[SummaryLine, ...]:
        return self.lines[: self.open_count]

    @property
    def text(self) -> str:
        """The open lines, to be read aloud or sent."""
        return " ".join(line.text for line in self.open_lines)


class _Rank(IntEnum):
    """The order of lines about the same person."""

    DEATH = 0
    END = 1
    LOSS = 2
    HOLD = 3
    GUARD = 4
    CREATURE = 5
    VAIN = 6
    OTHER = 7


@dataclass
class _Draft:
    """A line with what decides its place: `group` is 0 for the reader, 1 for what they did to others, 2 for others."""

    line: SummaryLine
    group: int
    rank: _Rank
    is_danger: bool


@dataclass
class _Blows:
    """What one being lost or gained in the turn, by source."""

    number: int = 0
    causes: dict[str, None] = field(default_factory=dict)
    sources: dict[str, None] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)
    beads: list[Bead] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    spells: list[str] = field(default_factory=list)


def summarize(
    memory: Memory,
    seq: int,
    me: str | None = None,
    *,
    label: str = "",
    before: View | None = None,
    after: View | None = None,
    over: bool = True,
) -> Summary:
    """Return the summary of a turn for the reader whose mage is `me` (None: a spectator).

    `before` and `after` are what the reader sees as the turn begins and when it is over. Without them, the summary
    names neither the hit points that are left nor enchantments that end by themselves. `label` is the turn's. While the
    turn is not `over`, nothing is said of it.
    """
    if not over:
        return _say_only("waits", WAITS, {})
    turn = _Turn(memory, seq, me, before, after)
    turn.tell()
    drafts = sorted(turn.drafts, key=lambda each: (each.group, each.rank, not each.is_danger))
    lines = tuple(_join_equal(each.line for each in drafts))
    if not lines:
        key, forms = ("nothing seen", NOTHING_SEEN) if turn.sees_nothing else ("nothing", NOTHING_HAPPENS)
        return _say_only(key, forms, {"turn": label or turn.label})
    own = {each.line.text for each in drafts if each.group == 0}
    return Summary(lines, max(sum(line.text in own for line in lines), min(MOST_OPEN, len(lines))))


def _say_only(key: str, forms: Forms, facts: Mapping[str, Fact]) -> Summary:
    bold, rest = _write(forms, facts, None, second=False)
    return Summary((SummaryLine(key, School.TIME, School.TIME.value, bold, rest, OTHERS, True, (), ()),), 1)


def _join_equal(lines: Iterable[SummaryLine]) -> Iterator[SummaryLine]:
    """Join lines that say the same: a Shield cast twice is one sentence."""
    joined: dict[str, SummaryLine] = {}
    for line in lines:
        known = joined.get(line.text)
        if known is not None:
            line = known._replace(
                places=tuple(sorted({*known.places, *line.places})),
                beads=tuple(dict.fromkeys((*known.beads, *line.beads))),
            )
        joined[line.text] = line
    yield from joined.values()


def _write(forms: Forms, facts: Mapping[str, Fact], me: str | None, *, second: bool, **more: str) -> tuple[str, str]:
    """Return the bold part and the rest of a template, filled. No name contains an asterisk."""
    _, bold, rest = fill(pick_form(forms, second), facts, me, **more).split("*", 2)
    return capitalize(bold.strip()), rest.strip()


def is_creature(name: str) -> bool:
    """Return whether a being is a creature: no mage's name may end with a kind."""
    return name.endswith(tuple(MONSTER_HP))


class _Turn:
    """The events of one turn that a reader learnt, and the lines about them."""

    def __init__(self, memory: Memory, seq: int, me: str | None, before: View | None, after: View | None) -> None:
        self.memory, self.seq, self.me = memory, seq, me
        self.before, self.after = before, after
        self.seen = [each for each in memory if each.seq == seq]
        self.label = self.seen[0].label if self.seen else ""
        self.roots = {each.key: find_root_cast(memory, each) for each in self.seen}
        self.drafts: list[_Draft] = []
        self.told: set[int] = set()
        self.masters = self._find_masters()
        self.losses: dict[str, _Blows] = {}
        self.gains: dict[str, _Blows] = {}
        self.dead = {str(e.facts["who"]) for e in self._events("mage_dies", "mage_leaves", "never_moves")}
        # Which enchantments of whom a line has told.
        self.begun: set[tuple[str, str]] = set()
        self.ended: set[tuple[str, str]] = set()
        self.guarded: set[int] = set()
        self.told_creatures: set[str] = set()

    def tell(self) -> None:
        """Write every line."""
        self._count_blows()
        self._tell_falls()
        self._tell_end()
        self._tell_points()
        self._tell_guards()
        self._tell_creatures()
        self._tell_vain()
        self._tell_ends(self._tell_held())
        self._tell_begins()
        self._tell_changed_marks()
        self._tell_rest()
        self._tell_quiet()

    @property
    def sees_nothing(self) -> bool:
        """Whether the reader's mage could not have seen what others did."""
        blind = any(view is not None and view.blind for view in (self.before, self.after))
        return self.me is not None and (blind or all(each.event.kind == "turn_begins" for each in self.seen))

    # -- what is known ------------------------------------------------------------------------------------------------

    def _events(self, *kinds: str) -> Iterator[Event]:
        return (each.event for each in self.seen if each.event.kind in kinds)

    def _learnt(self, *kinds: str) -> Iterator[tuple[int, Learnt, Event]]:
        for place, each in enumerate(self.seen):
            if each.event.kind in kinds:
                yield place, each, each.event

    def _spells(self, *outcomes: str) -> Iterator[tuple[int, Learnt, Event]]:
        return (found for found in self._learnt("spell") if not outcomes or found[2].facts["outcome"] in outcomes)

    def _find_masters(self) -> dict[str, str]:
        masters: dict[str, str] = {}
        for view in (self.before, self.after):
            if view is not None:
                masters.update({monster.name: monster.controller for monster in view.monsters})
        for event in self._events("spell"):
            if event.facts["outcome"] in ("creates", "raises") and "master" in event.facts:
                masters.setdefault(str(event.facts["creature"]), str(event.facts["master"]))
        return masters

    def _old_master(self, creature: str) -> str:
        if self.before is not None:
            found = next((each.controller for each in self.before.monsters if each.name == creature), None)
            if found is not None:
                return found
        return self.masters.get(creature, "")

    def _obeys_me(self, creature: str) -> bool:
        """Return whether a creature obeys the reader's mage, or did before."""
        return self.me is not None and self.me in (self._old_master(creature), self.masters.get(creature))

    def _see(self, view: View | None, name: str) -> MageView | None:
        mage = None if view is None else next((each for each in view.mages if each.name == name), None)
        return mage if mage is not None and mage.seen else None

    def _marks(self, view: View | None, name: str) -> set[str] | None:
        mage = self._see(view, name)
        return None if mage is None else {each.mark for each in mage.enchantments}

    def _root(self, each: Learnt) -> Learnt | None:
        return self.roots[each.key] if each.key in self.roots else find_root_cast(self.memory, each)

    def _beads(self, *roots: Learnt | None) -> tuple[Bead, ...]:
        beads = [
            Bead(str(root.event.facts["who"]), str(root.event.facts["hand"]), root.seq)
            for root in roots
            if root is not None and root.event.kind == "casts" and not root.event.facts["fired"]
        ]
        return tuple(dict.fromkeys(beads))

    def _dagger(self, mage: str) -> tuple[Bead, ...]:
        for event in self._events("gestures", "gestures_again"):
            if event.facts["who"] == mage:
                again = event.kind == "gestures_again"
                for side, hand in (("left", LEFT), ("right", RIGHT)):
                    if event.facts[side] == ">":
                        return (Bead(mage, SECOND[hand] if again else hand, self.seq),)
        return ()

    def _next_turn(self) -> str:
        """Return the label of the turn in which a mind spell of this turn is felt; "" if it is not known."""
        after = self.after
        if after is None or after.over:
            return ""
        digits = "".join(character for character in after.label if character.isdigit())
        sleeps = after.extra == "T" or (after.extra == "H" and get_ruleset(after.ruleset).rules.minds_sleep_in_haste)
        return str(int(digits) + 1) if sleeps and digits else after.label

    # -- adding lines -------------------------------------------------------------------------------------------------

    def _add(
        self,
        key: str,
        rank: _Rank,
        words: tuple[str, str],
        subject: str,
        places: Iterable[int],
        *,
        spell: str = "",
        school: School | None = None,
        beads: Iterable[Bead] = (),
        works: bool = True,
        agents: Iterable[str] = (),
        own: bool | None = None,
        first: bool = False,
        marks: Iterable[str] = (),
    ) -> None:
        """Add a line about `subject`. `own`: whether it counts among the reader's own, if not by its subject; `first`:
        whether it comes with those although it is about others."""
        places, beads = tuple(sorted(set(places))), tuple(dict.fromkeys(beads))
        about = ME if subject and subject == self.me else OTHERS
        if about == OTHERS and self._obeys_me(subject):
            about = MINE
        is_own = about != OTHERS if own is None else own
        by_me = self.me is not None and (self.me in agents or any(bead.mage == self.me for bead in beads))
        self.told.update(places)
        shown = find_school(spell) if spell else school or School.TIME
        sign = name_sign(spell) if spell else shown.value
        about = ME if is_own and about == OTHERS else about
        line = SummaryLine(key, shown, sign, *words, about, works, places, beads, tuple(marks))
        self.drafts.append(_Draft(line, 0 if is_own or first else 1 if by_me else 2, rank, self._is_danger(subject)))

    def _is_danger(self, creature: str) -> bool:
        monsters = self.after.monsters if self.after is not None and self.me is not None else ()
        return any(monster.name == creature and monster.target == self.me for monster in monsters)

    def _words(self, forms: Forms, facts: Mapping[str, Fact], who: str, **more: str) -> tuple[str, str]:
        return _write(forms, facts, self.me, second=who == self.me, **more)

    def _clause(self, forms: Forms, facts: Mapping[str, Fact], who: Fact, **more: str) -> str:
        return fill(pick_form(forms, who is not None and who == self.me), facts, self.me, **more)

    def _source(self, each: Learnt, spell: str, table: Mapping[str, Forms]) -> str:
        root = self._root(each)
        if root is None:
            return self._clause(table["spell of somebody"], {"spell": spell}, None)
        who = root.event.facts["who"]
        return self._clause(table["spell"], {"who": who, "spell": spell}, who)

    # -- hit points, death and the end --------------------------------------------------------------------------------

    def _count_blows(self) -> None:
        for place, each, event in self._learnt("hurt", "healed", "stabs", "strikes"):
            facts = event.facts
            is_felt = event.kind in ("hurt", "healed")
            who = str(facts["who" if is_felt else "target"])
            blows = (self.gains if event.kind == "healed" else self.losses).setdefault(who, _Blows())
            blows.number += int(facts["points"] or 0)
            blows.places.append(place)
            if is_felt:
                spell = str(facts["by"])
                blows.causes[self._source(each, spell, CAUSES)] = None
                blows.sources[self._source(each, spell, SOURCES)] = None
                blows.beads += self._beads(self._root(each))
                root = self._root(each)
                blows.agents |= set() if root is None else {str(root.event.facts["who"])}
                blows.spells.append(spell)
                continue
            kind, by = ("stab" if event.kind == "stabs" else "strike"), str(facts["who"])
            blows.causes[self._clause(CAUSES[kind], {"who": by}, by)] = None
            blows.sources[self._clause(SOURCES[kind], {"who": by}, by)] = None
            blows.beads += self._dagger(by) if kind == "stab" else ()
            blows.agents |= {by, self.masters.get(by, by)}

    def _tell_points(self) -> None:
        for key, every in (("loses", self.losses), ("gains", self.gains)):
            for who, blows in every.items():
                if not blows.number:
                    continue
                number = str(blows.number)
                slots = {"number": number, "causes": _list(blows.causes), "sources": _list(blows.sources)}
                spell = blows.spells[0] if key == "gains" else ""
                rank = _Rank.LOSS if key == "loses" else _Rank.GUARD
                if is_creature(who):
                    words = self._words(CREATURES[key], {"who": who}, "", **slots)
                else:
                    mage = self._see(self.after, who)
                    told_later = key == "loses" and who in self.gains
                    shows_left = mage is not None and mage.hp is not None and who not in self.dead and not told_later
                    left = str(mage.hp) if mage is not None and shows_left else ""
                    form = POINTS[f"{key} left" if shows_left else key]
                    words = self._words(form, {"who": who}, who, left=left, **slots)
                self._add(
                    key, rank, words, who, blows.places, spell=spell, school=School.HARM, beads=blows.beads,
                    agents=blows.agents,
                )  # fmt: skip

    def _tell_falls(self) -> None:
        for place, _, event in self._learnt("mage_dies", "mage_leaves", "never_moves"):
            self._tell_fall(place, str(event.facts["who"]), event)

    def _tell_fall(self, place: int, who: str, event: Event) -> None:
        facts: dict[str, Fact] = {"who": who}
        of = ("drops_dead", "succumbs", "stops_heart", "times_out", "surrenders", "is_claimed")
        found = [(p, e, ev) for p, e, ev in self._learnt(*of) if ev.facts["who"] == who]
        places = [place, *(p for p, _, _ in found)]
        beads: list[Bead] = []
        agents: set[str] = set()
        sources: dict[str, None] = {}
        for _, each, cause in found:
            beads += self._beads(self._root(each))
            facts.update(cause.facts)
        key = found[0][2].kind if found else "dies"
        blows = self.losses.get(who)
        if key == "drops_dead":
            for each in self.memory.trace(found[0][1]).learnt:
                sources[self._source(each, "Finger Of Death", SOURCES)] = None
            if not sources:
                key = "dies"
        elif event.kind == "never_moves":
            self._add("leaves", _Rank.DEATH, (narrate(event, self.me), ""), who, places)
            return
        elif key == "dies" and event.kind == "mage_leaves":
            key = "surrenders"
        elif key == "dies" and blows is not None and event.kind == "mage_dies":
            key = "dies of wounds"
            places += blows.places
            beads += blows.beads
            agents |= blows.agents
            del self.losses[who]
        number = str(blows.number) if blows else ""
        more = {"number": number, "sources": _list(blows.sources if blows and not sources else sources)}
        words = self._words(DEATHS[key], facts, who, causes=_list(blows.causes) if blows else "", **more)
        school = School.TIME if event.kind == "mage_leaves" or key == "times_out" else School.HARM
        name = "dies" if event.kind == "mage_dies" else "leaves"
        decides = any(self._events("battle_ends"))
        self._add(name, _Rank.DEATH, words, who, places, school=school, beads=beads, agents=agents, first=decides)

    def _tell_end(self) -> None:
        for place, _, event in self._learnt("battle_ends"):
            self._add("battle ends", _Rank.END, (narrate(event, self.me), ""), "", [place], first=True)

    # -- protection ---------------------------------------------------------------------------------------------------

    def _tell_guards(self) -> None:
        """Tell what protected whom, except what the reader did: that is told as a spell or attack in vain."""
        groups: dict[tuple[str, str, str], _Blows] = {}
        for place, each, event in self._learnt(*_GUARDS):
            guard = self._find_guard(each, event)
            if guard is None:
                continue
            form, protected, thing, attacker, stoppers = guard
            if self.me is not None and self.me in (attacker, self.masters.get(attacker)):
                continue
            roots = [root for stopper in stoppers if (root := self._root(stopper)) is not None]
            spell = ""
            if form in ("shield", "counter") and {str(r.event.facts["who"]) for r in roots} == {protected}:
                spell = str(roots[0].event.facts["spell"])
                form = "mine"
            group = groups.setdefault((protected, form, spell), _Blows())
            group.sources[thing] = None
            group.places.append(place)
            group.beads += self._beads(*roots)
            self.guarded.add(each.key)
        for (protected, form, spell), group in groups.items():
            facts = {"who": protected, "spell": spell}
            words = self._words(STOPS[form], facts, protected, things=_list(group.sources))
            guards = self._find_guards(protected, form, spell)
            beads = [*group.beads, *self._beads(*(self._root(each) for _, each in guards))]
            places = [*group.places, *(place for place, _ in guards)]
            self._add("stops", _Rank.GUARD, words, protected, places, school=School.WARD, beads=beads)

    def _find_guard(self, each: Learnt, event: Event) -> tuple[str, str, str, str, Sequence[Learnt]] | None:
        """Return (form, protected, what was stopped, whose it was, what stopped it)."""
        facts, root = event.facts, self._root(each)
        caster = "" if root is None else str(root.event.facts["who"])
        met = self.memory.trace_keys(event.cause[1:]).learnt
        if event.kind == "absorbed":
            return "shield", str(facts["who"]), self._source(each, str(facts["by"]), SOURCES), caster, met
        if event.kind == "unharmed":
            return "unharmed", str(facts["who"]), self._source(each, str(facts["by"]), SOURCES), caster, met
        if event.kind == "reflected":
            return "mirror", str(facts["mirror"]), self._source(each, str(facts["spell"]), SOURCES), caster, met
        if event.kind == "spell":
            if facts["outcome"] != "countered":
                return None
            return "counter", str(facts["target"]), self._source(each, str(facts["spell"]), SOURCES), caster, met
        if facts["result"] not in ("shielded", "resisted") or facts["target"] is None:
            return None
        who = str(facts["who"])
        kind = "stab" if event.kind == "stab_missed" else "strike"
        form = "shield" if facts["result"] == "shielded" else "unharmed"
        thing = self._clause(SOURCES[kind], {"who": who}, who)
        return form, str(facts["target"]), thing, who, self.memory.trace(each).learnt

    def _find_guards(self, protected: str, form: str, spell: str) -> list[tuple[int, Learnt]]:
        """Return every spell of this turn that stopped something: each of several Shields did."""
        wanted = {"shield": "Shield", "counter": "Counter Spell", "mirror": "Magic Mirror"}.get(form, spell)
        return [
            (place, each)
            for place, each, event in self._spells("works")
            if event.facts["spell"] == wanted and event.facts["target"] == protected
        ]

    # -- creatures ----------------------------------------------------------------------------------------------------

    def _tell_creatures(self) -> None:
        for place, each, event in self._spells("creates", "raises"):
            creature = event.facts.get("creature")
            if creature is not None:
                master = str(event.facts.get("master", self.masters.get(str(creature), NO_MASTER)))
                self._tell_gain(str(creature), master, [place], self._beads(self._root(each)))
        for place, each, event in self._learnt("looks_to", "shrugs_off"):
            creature, beads = str(event.facts["who"]), self._beads(self._root(each))
            self.told_creatures.add(creature)
            charms = [p for p, _, e in self._spells("works") if e.facts["target"] == creature]
            left = self.me is not None and self._old_master(creature) == self.me
            if event.kind == "shrugs_off" or event.facts["master"] in (NO_MASTER, NOBODY):
                if left or event.facts["master"] == self.me:
                    words = self._words(CREATURES["frees itself"], {"who": creature}, "")
                else:
                    words = narrate(event, self.me), ""
                self._add("creature", _Rank.CREATURE, words, creature, [place], school=School.SUMMON, beads=beads)
            elif left and event.facts["master"] != self.me:
                words = self._words(CREATURES["leaves"], event.facts, "")
                self._add(
                    "creature", _Rank.CREATURE, words, creature, [place, *charms], school=School.MIND, beads=beads
                )
            else:
                self._tell_gain(creature, str(event.facts["master"]), [place, *charms], beads)
        self._tell_dead_creatures()
        self._tell_changed_creatures()

    def _tell_changed_creatures(self) -> None:
        """Tell which creatures the reader sees come or go although no event that they learnt says so."""
        if self.me is None or self.before is None or self.after is None or self.before.blind or self.after.blind:
            return
        old, new = (
            {monster.name: monster.controller for monster in view.monsters} for view in (self.before, self.after)
        )
        for creature in sorted((old.keys() | new.keys()) - self.told_creatures):
            was, master = old.get(creature), new.get(creature)
            if was == master or self.me not in (was, master):
                continue
            key = "obeys" if master == self.me else "gone" if master is None else "leaves"
            if master in (NOBODY, NO_MASTER):
                key = "frees itself"
            words = _write(CREATURES[key], {"who": creature, "master": master}, self.me, second=True)
            self._add("creature", _Rank.CREATURE, words, creature, (), school=School.SUMMON)

    def _tell_gain(self, creature: str, master: str, places: list[int], beads: Sequence[Bead]) -> None:
        facts: dict[str, Fact] = {"who": creature, "master": master}
        self.told_creatures.add(creature)
        key = "obeys nobody" if master in (NO_MASTER, NOBODY) else "obeys"
        for place, _, event in self._learnt("strikes", "attack_missed"):
            if event.facts["who"] != creature or key != "obeys":
                continue
            target = event.facts["target"]
            if event.kind == "strikes" and target != self.me:
                facts["target"], key = target, "obeys and strikes"
            elif event.kind == "attack_missed" and event.facts["result"] == "shielded" and target is not None:
                facts["target"] = target
                key = "obeys and is stopped by you" if target == self.me else "obeys and is stopped"
                self.guarded.add(self.seen[place].key)
                places = [*places, place]
        words = self._words(CREATURES[key], facts, master)
        own = True if self.me is not None and master == self.me else None
        self._add("creature", _Rank.CREATURE, words, creature, places, school=School.SUMMON, beads=beads, own=own)

    def _tell_dead_creatures(self) -> None:
        gone: dict[str, tuple[list[int], dict[str, None], list[Bead]]] = {}
        for place, each, event in self._learnt(*_ENDS_OF_CREATURES):
            slot = _CREATURE_GOES.get(str(event.facts["outcome"])) if event.kind == "spell" else "who"
            if slot is None or not is_creature(str(event.facts[slot])):
                continue
            places, sources, beads = gone.setdefault(str(event.facts[slot]), ([], {}, []))
            places.append(place)
            root = self._root(each)
            if event.kind == "spell":
                sources[self._source(each, str(event.facts["spell"]), SOURCES)] = None
                beads += self._beads(root)
            elif root is not None and event.kind != "monster_dies":
                sources[self._source(each, str(root.event.facts["spell"]), SOURCES)] = None
                beads += self._beads(root)
        for creature, (places, sources, beads) in gone.items():
            self.told_creatures.add(creature)
            agents: set[str] = set()
            blows = self.losses.get(creature)
            if blows is not None:
                self._drop_loss(creature)
                places, sources, beads = [*places, *blows.places], {**blows.sources, **sources}, [*blows.beads, *beads]
                agents = blows.agents
            mine = self.me is not None and self._old_master(creature) == self.me
            facts: dict[str, Fact] = {"who": creature}
            form = CREATURES["killed" if sources else "dies"]
            words = _write(form, facts, self.me, second=mine, sources=_list(sources))
            self._add(
                "creature dies", _Rank.CREATURE, words, creature, places, school=School.SUMMON, beads=beads,
                agents=agents, own=True if mine else None,
            )  # fmt: skip

    def _drop_loss(self, creature: str) -> None:
        """Take back the line about the hit points that a creature lost: it is dead of them."""
        places = tuple(sorted(set(self.losses[creature].places)))
        self.drafts = [d for d in self.drafts if d.line.key != "loses" or d.line.places != places]

    # -- in vain ------------------------------------------------------------------------------------------------------

    def _tell_vain(self) -> None:
        """Tell which spells and attacks did nothing, and why."""
        by_root: dict[int, list[tuple[int, Learnt]]] = {}
        for place, each in enumerate(self.seen):
            root = self._root(each)
            if root is not None and each.key != root.key:
                by_root.setdefault(root.key, []).append((place, each))
            elif root is None and each.event.kind in SPELLS_AT_WORK and is_failure(each.event):
                self._tell_one_in_vain(None, place, each)
        for place, cast, event in self._learnt("casts"):
            followed = by_root.get(cast.key, [])
            failed = [(p, e) for p, e in followed if e.event.kind in SPELLS_AT_WORK and is_failure(e.event)]
            worked = [(p, e) for p, e in followed if (p, e) not in failed]
            undone = next(
                ((p, e) for p, e in enumerate(self.seen) if is_undoing(e.event) and cast.key != self._key_of(e)
                 and self._led_to(cast, e)),
                None,
            )  # fmt: skip
            if undone is not None:
                self._tell_one_in_vain(cast, *undone)
                self.told.update(p for p, _ in followed)
            elif failed and not any(e.event.kind in _FELT for _, e in worked):
                for p, e in failed[:1]:
                    self._tell_one_in_vain(cast, p, e)
                self.told.update(p for p, _ in followed)
            elif not followed:
                key = "nobody" if event.facts["target"] == NOBODY else "silence"
                if key == "silence" and any(self._events("dispelled")):
                    key = "dispelled"
                facts = event.facts
                self._add_vain("spell", facts, str(facts["who"]), WHY["cast", key], facts, cast, [place])
        for place, each, event in self._learnt("attack_missed", "stab_missed"):
            kind, who = ("attack" if event.kind == "attack_missed" else "stab"), str(event.facts["who"])
            if kind == "attack" and event.facts["result"] == "no_target" and not self._obeys_me(who):
                self.told.add(place)  # an idle creature of someone else changes nothing
            elif each.key not in self.guarded:
                why = WHY[event.kind, str(event.facts["result"])]
                self._add_vain(kind, event.facts, who, why, event.facts, None, [place])

    def _key_of(self, each: Learnt) -> int:
        root = self._root(each)
        return -1 if root is None else root.key

    def _led_to(self, cast: Learnt, each: Learnt) -> bool:
        return any(self._key_of(cause) == cast.key for cause in self.memory.trace(each).learnt)

    def _tell_one_in_vain(self, cast: Learnt | None, place: int, each: Learnt) -> None:
        event = each.event
        if each.key in self.guarded and (cast is None or cast.event.facts["who"] != self.me):
            return
        key = str(event.facts["outcome"]) if event.kind == "spell" else event.clause
        why = WHY.get((event.kind, key)) or WHY[event.kind, ""]
        more: dict[str, Fact] = dict(event.facts)
        if event.kind == "unhealed":
            mage = self._see(self.after, str(event.facts["who"]))
            if mage is not None and mage.hp == mage.max_hp:
                why, more["number"] = WHY["unhealed", "full"], mage.max_hp
        facts: dict[str, Fact] = dict(event.facts)
        facts.setdefault("spell", facts.get("by", ""))
        if cast is not None:
            facts.update(cast.event.facts)
        kind = "turned" if event.kind == "reflected" else "spell"
        who = "" if cast is None else str(cast.event.facts["who"])
        if event.kind == "spell" and event.facts["outcome"] == "minds_clash" and event.facts["target"] == self.me:
            return  # the line about the reader's own mind says so
        self._add_vain(kind if cast else f"{kind} of somebody", facts, who, why, more, cast, [place])

    def _add_vain(
        self,
        kind: str,
        facts: Mapping[str, Fact],
        who: str,
        why: Forms,
        why_facts: Mapping[str, Fact],
        cast: Learnt | None,
        places: list[int],
    ) -> None:
        met = why_facts.get("mirror", why_facts.get("target", why_facts.get("who")))
        reason = self._clause(why, why_facts, met)
        words = self._words(IN_VAIN[kind], facts, who, why=reason)
        is_stab, is_attack = kind == "stab", kind == "attack"
        spell = "" if is_stab or is_attack else str(facts["spell"])
        mine = self.me is not None and who == self.me
        at_me = self.me is not None and not mine and met == self.me
        masters = [self.masters.get(who, "")] if is_attack else []
        beads = self._dagger(who) if is_stab else self._beads(cast)
        rank = _Rank.GUARD if at_me else _Rank.VAIN
        self._add(
            "in vain", rank, words, who, places, spell=spell, school=School.HARM, beads=beads, works=False,
            own=mine or at_me, agents=masters,
        )  # fmt: skip

    # -- enchantments -------------------------------------------------------------------------------------------------

    def _tell_held(self) -> dict[tuple[str, str], _Draft]:
        """Tell whose hands were not free; return the drafts by mage and mark."""
        held: dict[tuple[str, str], _Draft] = {}
        for place, each, event in self._learnt(*_HELD):
            who, mark = str(event.facts["who"]), _HELD[event.kind]
            if event.kind == "hand_stuck" and any(e.facts["who"] == who for e in self._events("paralysed_hand")):
                self.told.add(place)
                continue
            beads = self._beads(self._root(each), *(self._root(c) for c in self.memory.trace(each).learnt))
            words = narrate(event, self.me), ""
            self._add("held", _Rank.HOLD, words, who, [place], spell=_SPELL_OF[mark], beads=beads)
            held[who, mark] = self.drafts[-1]
        return held

    def _list_mages(self) -> list[str]:
        names = [mage.name for mage in self.after.mages] if self.after is not None else []
        return sorted(names, key=lambda name: name != self.me)

    def _tell_ends(self, held: Mapping[tuple[str, str], _Draft]) -> None:
        for who in self._list_mages():
            old, new = self._marks(self.before, who), self._marks(self.after, who)
            if old is None or new is None or who in self.dead:
                continue
            ended = [mark for mark in ENDS if mark in old - new]
            if not ended:
                continue
            stripped = self._find_removals(who)
            rank = _Rank.HOLD if _BURDENS & set(ended) else _Rank.GUARD
            self.ended |= {(who, mark) for mark in ended}
            if stripped:
                marks = join_with_and([name_enchantment(mark) for mark in ended])
                words = self._words(ALL_END, {"who": who}, who, marks=marks)
                roots = [self._root(each) for _, each in stripped]
                places = [place for place, each in stripped if each.event.facts["target"] == who]
                self._add(
                    "ends", rank, words, who, places, school=School.WARD, beads=self._beads(*roots), marks=ended,
                )  # fmt: skip
                continue
            for mark in ended:
                bold, _ = self._words(ENDS[mark], {"who": who}, who)
                if (who, mark) in held:
                    draft = held[who, mark]
                    draft.line = draft.line._replace(rest=bold, marks=(mark,))
                    continue
                cured = [(p, e) for p, e, ev in self._learnt("recovers") if ev.facts["who"] == who]
                cured = cured if _ILLNESSES.get(mark) else []
                self._add(
                    "ends", _Rank.HOLD if mark in _BURDENS else _Rank.GUARD, (bold, ""), who, [p for p, _ in cured],
                    spell=_SPELL_OF[mark], beads=self._beads(*(self._root(e) for _, e in cured)), marks=[mark],
                )  # fmt: skip

    def _tell_begins(self) -> None:
        turn = self._next_turn()
        clashed: dict[str, list[int]] = {}
        for place, _, event in self._spells("minds_clash"):
            clashed.setdefault(str(event.facts["target"]), []).append(place)
        for who, places in clashed.items():
            if who == self.me or not set(places) <= self.told:
                words = self._words(MINDS_CLASH, {"who": who}, who)
                self._add("minds clash", _Rank.HOLD, words, who, places, school=School.MIND)
        for place, each, event in self._spells("works", "same_hand"):
            who, spell = str(event.facts["target"]), str(event.facts["spell"])
            if place in self.told or spell not in BEGINS or is_creature(who):
                continue
            mark, marks = SPELL_MARKS.get(spell, ""), self._marks(self.after, who)
            if who in self.dead or (who != self.me and spell == "Shield" and self._has_stopped(who)):
                self.told.add(place)
                continue
            if marks is not None and spell not in _PASSING and mark not in marks:
                if who in clashed or (who, mark) in self.ended or self._find_removals(who):
                    self.told.add(place)
                continue
            self._tell_begin(place, each, who, spell, turn)

    def _has_stopped(self, who: str) -> bool:
        """Return whether a line has told that a shield around this being stopped something."""
        return any(
            event.facts["who" if event.kind == "absorbed" else "target"] == who
            for _, _, event in self._learnt("absorbed", "attack_missed", "stab_missed")
            if event.kind == "absorbed" or event.facts["result"] == "shielded"
        )

    def _find_removals(self, who: str) -> list[tuple[int, Learnt]]:
        """Return the spells that ended every enchantment on a mage."""
        return [
            (place, each)
            for place, each, event in self._spells("works", "unshielded")
            if event.facts["spell"] == "Dispel Magic"
            or (event.facts["spell"] == "Remove Enchantment" and event.facts["target"] == who)
        ]

    def _tell_begin(self, place: int, each: Learnt, who: str, spell: str, turn: str) -> None:
        mark = SPELL_MARKS.get(spell, "")
        places, forms = [place], BEGINS[spell]
        more = {"turn": turn, "turns": ""}
        is_known = bool(turn)
        if mark in _ILLNESSES:
            found = [(p, e) for p, _, e in self._learnt("sickens") if e.facts["who"] == who and e.facts["by"] == spell]
            is_known = bool(found)
            if found:
                places.append(found[0][0])
                more["turns"] = say_count("{number} turn", "{number} turns", int(found[0][1].facts["turns"] or 0))
        else:
            places += [place for place, _ in self._find_announcements(who, mark)]
        bold, rest = self._words(forms, {"who": who}, who, **more)
        if "{turn" in pick_form(forms, second=False) and not is_known:
            bold, rest = f"{bold.rstrip(':')}.", ""
        if spell in ("Shield", "Counter Spell", "Magic Mirror") and not self._is_quiet(who, spell):
            bold, rest = narrate(each.event, self.me), ""
        rank = _Rank.HOLD if find_school(spell) in (School.MIND, School.HARM) else _Rank.GUARD
        marks = [mark] if mark in ENCHANTMENTS else []
        if spell in ("Counter Spell", "Dispel Magic"):
            marks.append("shielded")
        self.begun |= {(who, one) for one in marks}
        beads = self._beads(self._root(each))
        self._add("begins", rank, (bold, rest), who, places, spell=spell, beads=beads, marks=marks)

    def _is_quiet(self, who: str, spell: str) -> bool:
        """Return whether nothing came for the protection to stop, as far as its mage would know."""
        if who != self.me or any(view is not None and view.blind for view in (self.before, self.after)):
            return who != self.me
        if spell == "Magic Mirror":
            return not any(e.facts["mirror"] == who for e in self._events("reflected"))
        if any(e.facts.get("target") == who for e in self._events("stabs", "strikes", "attack_missed", "stab_missed")):
            return False
        if spell == "Counter Spell" and any(
            e.facts["target"] == who and e.facts["outcome"] == "countered" for e in self._events("spell")
        ):
            return False
        return not any(
            e.facts["who"] == who and (spell == "Counter Spell" or e.facts["by"] == "Magic Missile")
            for e in self._events("absorbed", "hurt", "unharmed")
        )

    def _tell_changed_marks(self) -> None:
        """Tell of enchantments that began although no event says so."""
        for who in self._list_mages():
            old, new = self._marks(self.before, who), self._marks(self.after, who)
            if old is None or new is None or who in self.dead:
                continue
            for mark in sorted(new - old):
                if (who, mark) not in self.begun:
                    if mark == "shielded":
                        words = self._words(BEGINS["Protection"], {"who": who}, who)
                    else:
                        words = self._words(BEGUN, {"who": who}, who, mark=name_enchantment(mark))
                    spell = _SPELL_OF[mark]
                    rank = _Rank.HOLD if mark in _BURDENS else _Rank.GUARD
                    announced = self._find_announcements(who, mark)
                    if announced:
                        words = narrate(announced[0][1], self.me), ""
                    places = [place for place, _ in announced]
                    self._add("begins", rank, words, who, places, spell=spell, marks=[mark])

    def _find_announcements(self, who: str, mark: str) -> list[tuple[int, Event]]:
        found = self._learnt(*_ANNOUNCED)
        return [(place, e) for place, _, e in found if e.facts["who"] == who and _ANNOUNCED[e.kind] == mark]

    # -- everything else ----------------------------------------------------------------------------------------------

    def _tell_rest(self) -> None:
        """Tell, in the words of the story, what no other line has told."""
        for place, each in enumerate(self.seen):
            event, facts = each.event, each.event.facts
            if place in self.told or event.kind in _SILENT or self._is_silent(event):
                continue
            if event.kind in _OWN and facts["who"] != self.me:
                continue
            who = facts.get("target") if event.kind == "spell" else facts.get("who", facts.get("target"))
            name = "" if who is None else str(who)
            spell = str(facts.get("spell") or facts.get("by") or _ABOUT_TIME.get(event.kind, ""))
            if event.kind in _ANNOUNCED:
                spell = _SPELL_OF[_ANNOUNCED[event.kind]]
            rank = _Rank.OTHER
            if event.kind in ("spell", "sickens", "watches_blur", *_ANNOUNCED):
                rank = _Rank.HOLD if event.kind != "spell" else _Rank.GUARD
            if name in self.dead and event.kind == "spell":
                rank = _Rank.OTHER
            self._add(
                event.kind, rank, (narrate(event, self.me), ""), name, [place], spell=spell if spell in SPELLS else "",
                beads=self._beads(self._root(each)),
            )  # fmt: skip

    def _is_silent(self, event: Event) -> bool:
        facts = event.facts
        if event.kind == "spell":
            outcome = facts["outcome"]
            return outcome in _SILENT_OUTCOMES or (outcome == "works" and facts["spell"] in (*_STORMS, *CURES))
        if event.kind in _ANNOUNCED:
            return (str(facts["who"]), _ANNOUNCED[event.kind]) in self.begun or facts["who"] in self.dead
        return event.kind in ("drops_dead", "succumbs") and facts["who"] in self.dead

    def _tell_quiet(self) -> None:
        """In a duel with one line only, say that the other mage cast no spell, if the reader saw that."""
        if len(self.drafts) != 1 or self.before is None or len(self.before.mages) != 2 or self.me is None:
            return
        busy = {str(e.facts["who"]) for e in self._events("casts", "banks", "stabs", "stab_missed")}
        for place, _, event in self._learnt("gestures"):
            who = str(event.facts["who"])
            if who not in busy and who != self.me and who not in self.dead:
                self._add("no spell", _Rank.OTHER, self._words(NO_SPELL, {"who": who}, who), who, [place])


def _list(words: Iterable[str]) -> str:
    return join_with_and(list(words))


__all__ = ["ME", "MINE", "MOST_OPEN", "OTHERS", "Bead", "Summary", "SummaryLine", "summarize"]
