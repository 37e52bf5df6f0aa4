"""A turn summed up for one reader: a few sentences, those that mean most to the reader first.

Everything comes from the reader's `Memory` and from what they see before and after the turn, so a summary can tell no
secret. It is pure: the same knowledge gives the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

from rules_engine.audience import View
from rules_engine.beings import ELEMENTALS, NO_MASTER, NOBODY, is_creature
from rules_engine.causes import Learnt, Memory
from rules_engine.events import Event, Fact
from rules_engine.explanations import (
    PERMANENT_MIND,
    SPELLS_AT_WORK,
    Undoing,
    find_end_of,
    find_root_cast,
    find_stoppers,
    find_undoing,
    is_failure,
    is_felt,
    is_spent,
    name_failure,
)
from rules_engine.glossary import ENCHANTMENTS, SPELLS, join_with_and, name_enchantment
from rules_engine.learnt_turn import Bead, Entry, LearntTurn
from rules_engine.minds import MIND_SPELLS
from rules_engine.narration import capitalize, fill, narrate, pick_form
from rules_engine.rulesets import SPELL_MARKS
from rules_engine.schools import CURES, STAB, School, find_school, name_sign
from rules_engine.sentences import Forms
from rules_engine.summary_sentences import (
    ALL_END,
    BANK_EMPTIED,
    BEGINS,
    BEGUN,
    CAUSES,
    CREATURES,
    DEATHS,
    ENDS,
    FOR_GOOD,
    IN_VAIN,
    MINDS_CLASH,
    MINDS_CLASH_BUT_ONE,
    NO_SPELL,
    NOTHING_HAPPENS,
    NOTHING_SEEN,
    POINTS,
    SOURCES,
    STOPS,
    UNDIRECTED,
    WAITS,
    WHY,
)
from rules_engine.text import say_count, translate
from rules_engine.undone_spells import CURED, GIVES_WAY, REMOVED

ME, MINE, OTHERS = "me", "mine", "others"
"""Whom a line is about: the reader's mage, a creature that obeys it (or did before), or someone else."""
MOST_OPEN: Final = 4
"""How many lines stand open, unless more of them are about the reader."""

# The spell that leaves each enchantment.
_SPELL_OF: Final = {mark: spell for spell, mark in SPELL_MARKS.items()}
# Spells whose effect is over with the turn, or leaves no enchantment between turns.
_PROTECTING: Final = frozenset({"Shield", "Counter Spell", "Magic Mirror"})
_PASSING: Final = _PROTECTING | {"Anti Spell", "Time Stop"}
# Powers that may be used up in the turn in which they come.
_USED_AT_ONCE: Final = frozenset({"Permanency", "Delay Effect"})
_ILLNESSES: Final = frozenset({"sick", "poisoned"})
_BURDENS: Final = _ILLNESSES | {"afraid", "blind", "charmed", "confused", "forgetful", "maladroit", "paralysed"}
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
_STORMS: Final = frozenset({"Fire Storm", "Ice Storm"})
# Events in which something stopped a spell: how, and which facts name whom it protected and the spell.
_STOPPED: Final = {
    "absorbed": ("shield", "who", "by"),
    "unharmed": ("unharmed", "who", "by"),
    "reflected": ("mirror", "mirror", "spell"),
    "spell": ("counter", "target", "spell"),
}
_MISSED: Final = {"attack_missed": "strike", "stab_missed": "stab"}
_MISSED_DUE_TO: Final = {"shielded": "shield", "resisted": "unharmed"}
_STOPPERS: Final = {"shield": "Shield", "counter": "Counter Spell", "mirror": "Magic Mirror"}
# Why a mage died or left: the first of these events decides.
_ENDS_OF_MAGES: Final = ("drops_dead", "succumbs", "stops_heart", "times_out", "surrenders", "is_claimed")
_ENDS_OF_CREATURES: Final = ("spell", "evaporates", "monster_dies", "drops_dead", "dispelled_monster")
# Outcomes of spells that end a creature, with the fact that names it.
_CREATURE_GOES: Final = {"destroys": "target", "engulfs": "creature", "spent_on_elemental": "creature"}
_NOBODYS: Final = (NO_MASTER, NOBODY)


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


def _rank_mark(mark: str) -> _Rank:
    return _Rank.HOLD if mark in _BURDENS else _Rank.GUARD


@dataclass
class _Draft:
    """A line with what decides its place: `group` is 0 for the reader, 1 for what they did to others, 2 for others."""

    line: SummaryLine
    group: int
    rank: _Rank
    is_danger: bool


@dataclass
class _Sum:
    """Several events told in one line: hit points lost or gained, spells stopped, or a creature's end.

    `number` are the hit points; `causes` and `sources` what brought it about, as clauses and as nouns, each once;
    `agents` who did.
    """

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
    turn = LearntTurn(memory, seq, me, before, after)
    drafts = sorted(_Telling(turn).tell(), key=lambda each: (each.group, each.rank, not each.is_danger))
    lines = tuple(_join_equal(each.line for each in drafts))
    if not lines:
        key, forms = ("nothing seen", NOTHING_SEEN) if turn.is_dark else ("nothing", NOTHING_HAPPENS)
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


def _fails(event: Event) -> bool:
    return event.kind in SPELLS_AT_WORK and is_failure(event)


def _joins(event: Event) -> bool:
    """Return whether a Counter Spell met another one, with which it acts as one (FM-COUNTER-8)."""
    return event.facts.get("outcome") == "countered" and event.facts["spell"] == "Counter Spell"


class _Telling:
    """Writes the lines about a turn. Each chapter leaves out what an earlier one has told."""

    def __init__(self, turn: LearntTurn) -> None:
        self.turn, self.me = turn, turn.me
        self.drafts: list[_Draft] = []
        # The places of events that need no more line, and which enchantments of whom a line has told.
        self.told: set[int] = set()
        self.begun: set[tuple[str, str]] = set()
        self.ended: set[tuple[str, str]] = set()
        self.guarded: set[int] = set()
        self.told_creatures: set[str] = set()
        self.losses: dict[str, _Sum] = {}
        self.gains: dict[str, _Sum] = {}
        self.fallen_creatures = self._find_fallen_creatures()
        self.survivors = self._find_survivors()

    def tell(self) -> list[_Draft]:
        """Write and return every line."""
        self._count_blows()
        self._tell_falls()
        self._tell_end()
        self._tell_points()
        self._tell_guards()
        self._tell_creatures()
        self._tell_fallen_creatures()
        self._tell_survivors()
        self._tell_changed_creatures()
        self._tell_vain()
        self._tell_ends(self._tell_held())
        self._tell_emptied_banks()
        self._tell_begins()
        self._tell_changed_marks()
        self._tell_rest()
        self._tell_quiet()
        return self.drafts

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
        school: School = School.TIME,
        beads: Iterable[Bead] = (),
        works: bool = True,
        agents: Iterable[str] = (),
        own: bool | None = None,
        first: bool = False,
        marks: Iterable[str] = (),
    ) -> None:
        """Add a line about `subject`, with the sign of `spell` or else of `school`.

        `own`: whether it counts among the reader's own, if not by its subject; `first`: whether it comes with those
        although it is about others. `agents` did it, besides the mages of the `beads`.
        """
        places, beads = tuple(sorted(set(places))), tuple(dict.fromkeys(beads))
        self.told.update(places)
        about = ME if self.turn.is_me(subject) else MINE if self.turn.obeys_me(subject) else OTHERS
        is_own = about != OTHERS if own is None else own
        if is_own and about == OTHERS:
            about = ME
        by_me = any(self.turn.is_me(name) for name in (*agents, *(bead.mage for bead in beads)))
        school = find_school(spell) if spell else school
        sign = name_sign(spell) if spell else school.value
        line = SummaryLine(key, school, sign, *words, about, works, places, beads, tuple(marks))
        group = 0 if is_own or first else 1 if by_me else 2
        self.drafts.append(_Draft(line, group, rank, self.turn.threatens_me(subject)))

    def _words(self, forms: Forms, facts: Mapping[str, Fact], who: str, **more: str) -> tuple[str, str]:
        """Return the bold part and the rest of a template, in the second person if `who` is the reader's mage."""
        return _write(forms, facts, self.me, second=who == self.me, **more)

    def _clause(self, forms: Forms, facts: Mapping[str, Fact], who: Fact) -> str:
        return fill(pick_form(forms, self.turn.is_me(who)), facts, self.me)

    def _name_spell(self, root: Learnt | None, spell: str, table: Mapping[str, Forms]) -> str:
        """Return a spell as a cause or source, with its caster if the cast behind it is known."""
        if root is None:
            return self._clause(table["spell of somebody"], {"spell": spell}, None)
        who = root.event.facts["who"]
        return self._clause(table["spell"], {"who": who, "spell": spell}, who)

    # -- hit points, death and the end --------------------------------------------------------------------------------

    def _count_blows(self) -> None:
        for each in self.turn.find("hurt", "healed", "stabs", "strikes"):
            is_spell = each.kind in ("hurt", "healed")
            total = (self.gains if each.kind == "healed" else self.losses).setdefault(
                each.who if is_spell else each.target, _Sum()
            )
            total.number += int(each.facts["points"] or 0)
            total.places.append(each.place)
            if is_spell:
                spell = str(each.facts["by"])
                if spell == STAB:  # in stopped time: whose it is is another event, for those who may learn it
                    if not self.turn.memory.trace(each.learnt).learnt:
                        total.causes[self._clause(CAUSES["stab of somebody"], {}, None)] = None
                        total.sources[self._clause(SOURCES["stab of somebody"], {}, None)] = None
                    continue
                for root in self._find_roots(each):
                    total.causes[self._name_spell(root, spell, CAUSES)] = None
                    total.sources[self._name_spell(root, spell, SOURCES)] = None
                    total.beads += self.turn.trace_beads(root)
                total.agents.add(each.caster)
                total.spells.append(spell)
            else:
                kind = "stab" if each.kind == "stabs" else "strike"
                total.causes[self._clause(CAUSES[kind], {"who": each.who}, each.who)] = None
                total.sources[self._clause(SOURCES[kind], {"who": each.who}, each.who)] = None
                total.beads += self.turn.find_dagger(each.who) if kind == "stab" else ()
                total.agents |= {each.who, self.turn.masters.get(each.who, each.who)}

    def _find_roots(self, each: Entry) -> list[Learnt | None]:
        """Return the casts that took or gave hit points: two storms of a kind act as one, so both did (FM-FSTORM-6)."""
        memory, storms = self.turn.memory, list[Learnt | None]()
        for cause in memory.trace(each.learnt).learnt if each.facts["by"] in _STORMS else ():
            root = find_root_cast(memory, cause)
            if root is not None and root.event.facts["spell"] == each.facts["by"]:
                storms.append(root)
        return storms or [each.root]

    def _tell_points(self) -> None:
        for who, lost in self.losses.items():
            if lost.number and who not in self.fallen_creatures:
                words = self._say_points("loses", who, lost, shows_left=who not in self.gains)
                beads, agents, harm = lost.beads, lost.agents, School.HARM
                self._add("loses", _Rank.LOSS, words, who, lost.places, school=harm, beads=beads, agents=agents)
        for who, gained in self.gains.items():
            if gained.number:
                words = self._say_points("gains", who, gained, shows_left=True)
                beads, agents, spell = gained.beads, gained.agents, gained.spells[0]
                self._add("gains", _Rank.GUARD, words, who, gained.places, spell=spell, beads=beads, agents=agents)

    def _say_points(self, key: str, who: str, total: _Sum, *, shows_left: bool) -> tuple[str, str]:
        slots = {
            "number": str(total.number),
            "causes": join_with_and(total.causes),
            "sources": join_with_and(total.sources),
        }
        if is_creature(who):
            return self._words(CREATURES[key], {"who": who}, "", **slots)
        mage = self.turn.see_after(who)
        if not shows_left or mage is None or mage.hp is None or who in self.turn.gone:
            return self._words(POINTS[key], {"who": who}, who, **slots)
        return self._words(POINTS[f"{key} left"], {"who": who}, who, left=str(mage.hp), **slots)

    def _tell_falls(self) -> None:
        turn = self.turn
        for fall in turn.find("mage_dies", "mage_leaves", "never_moves"):
            who, is_death = fall.who, fall.kind == "mage_dies"
            found = [each for each in turn.find(*_ENDS_OF_MAGES) if each.who == who]
            places = [fall.place, *(each.place for each in found)]
            if fall.kind == "never_moves":
                self._add("leaves", _Rank.DEATH, (narrate(fall.event, self.me), ""), who, places)
                continue
            beads = [bead for each in found for bead in turn.trace_beads(each.root)]
            facts: dict[str, Fact] = {"who": who}
            for each in found:
                facts.update(each.facts)
            key = found[0].kind if found else "dies" if is_death else "surrenders"
            wounds = self.losses.get(who, _Sum())
            sources = wounds.sources
            agents: set[str] = set()
            if key == "drops_dead":
                fingers = [find_root_cast(turn.memory, each) for each in turn.memory.trace(found[0].learnt).learnt]
                sources = dict.fromkeys(self._name_spell(root, "Finger Of Death", SOURCES) for root in fingers)
                key = "drops_dead" if fingers else "dies"
            elif key == "dies" and who in self.losses:
                key, agents = "dies of wounds", wounds.agents
                places += wounds.places
                beads += wounds.beads
                del self.losses[who]
            causes, number = join_with_and(wounds.causes), str(wounds.number)
            words = self._words(DEATHS[key], facts, who, causes=causes, number=number, sources=join_with_and(sources))
            school = School.HARM if is_death and key != "times_out" else School.TIME
            decides = any(turn.find("battle_ends"))
            name = "dies" if is_death else "leaves"
            self._add(name, _Rank.DEATH, words, who, places, school=school, beads=beads, agents=agents, first=decides)

    def _tell_end(self) -> None:
        for each in self.turn.find("battle_ends"):
            self._add("battle ends", _Rank.END, (narrate(each.event, self.me), ""), "", [each.place], first=True)

    # -- protection ---------------------------------------------------------------------------------------------------

    def _tell_guards(self) -> None:
        """Tell what protected whom, except what the reader did: that is told as a spell or attack in vain."""
        turn = self.turn
        groups: dict[tuple[str, str, str], _Sum] = {}
        for each in turn.find(*_STOPPED, *_MISSED):
            guard = self._find_guard(each)
            if guard is None:
                continue
            form, protected, thing, attacker = guard
            if turn.is_me(attacker) or turn.is_me(turn.masters.get(attacker)):
                continue
            found = (find_root_cast(turn.memory, stopper) for stopper in find_stoppers(turn.memory, each.learnt))
            roots = [root for root in found if root is not None]
            spell = ""
            if form in ("shield", "counter") and {str(root.event.facts["who"]) for root in roots} == {protected}:
                form, spell = "mine", str(roots[0].event.facts["spell"])
            group = groups.setdefault((protected, form, spell), _Sum())
            group.sources[thing] = None
            group.places.append(each.place)
            group.beads += turn.trace_beads(*roots)
            self.guarded.add(each.place)
        for (protected, form, spell), group in groups.items():
            marks: set[str] = set()
            # Every such spell of this turn counts: each of several Shields stopped it.
            for each in turn.find_spells("works"):
                if each.facts["spell"] == _STOPPERS.get(form, spell) and each.target == protected:
                    group.places.append(each.place)
                    group.beads += turn.trace_beads(each.root)
                    marks.update(self._note_begun(protected, str(each.facts["spell"])))
            facts = {"who": protected, "spell": spell}
            words = self._words(STOPS[form], facts, protected, things=join_with_and(group.sources))
            lasting = sorted(marks & (turn.see_marks(protected)[1] or set()))
            places, beads = group.places, group.beads
            self._add("stops", _Rank.GUARD, words, protected, places, school=School.WARD, beads=beads, marks=lasting)

    def _find_guard(self, each: Entry) -> tuple[str, str, str, str] | None:
        """Return how something was stopped, whom that protected, what was stopped and whose it was; None if nothing
        was."""
        facts = each.facts
        if each.kind in _STOPPED:
            if facts.get("outcome", "countered") != "countered" or _joins(each.event):
                return None
            form, protected, spell = _STOPPED[each.kind]
            return form, str(facts[protected]), self._name_spell(each.root, str(facts[spell]), SOURCES), each.caster
        result = str(facts["result"])
        if result not in _MISSED_DUE_TO or facts["target"] is None:
            return None
        thing = self._clause(SOURCES[_MISSED[each.kind]], {"who": each.who}, each.who)
        return _MISSED_DUE_TO[result], each.target, thing, each.who

    # -- creatures ----------------------------------------------------------------------------------------------------

    def _find_fallen_creatures(self) -> dict[str, list[Entry]]:
        """Return the creatures that died or were destroyed, each with the events that say so."""
        fallen: dict[str, list[Entry]] = {}
        for each in self.turn.find(*_ENDS_OF_CREATURES):
            slot = _CREATURE_GOES.get(str(each.facts["outcome"])) if each.kind == "spell" else "who"
            if slot is not None and is_creature(str(each.facts[slot])):
                fallen.setdefault(str(each.facts[slot]), []).append(each)
        return fallen

    def _find_survivors(self) -> dict[str, list[Entry]]:
        """Take out of the fallen creatures those that something saved: the reader sees them after the turn."""
        after = self.turn.after
        there = () if after is None or after.blind else [monster.name for monster in after.monsters]
        return {who: self.fallen_creatures.pop(who) for who in there if who in self.fallen_creatures}

    def _tell_creatures(self) -> None:
        """Tell which creatures came, and whom they obey now. Of several masters in one turn, only the last counts."""
        turn = self.turn
        charmed = list(turn.find("looks_to", "shrugs_off"))
        last = {each.who: each.place for each in charmed}
        earlier: dict[str, list[int]] = {}
        for each in turn.find_spells("creates", "raises"):
            if each.facts.get("creature") is not None:
                creature = str(each.facts["creature"])
                if creature in last or self._clashes(creature):
                    self.told.add(each.place)
                    earlier.setdefault(creature, []).append(each.place)
                    continue
                master = str(each.facts.get("master", turn.masters.get(creature, NO_MASTER)))
                self._tell_gain(creature, master, [each.place], turn.trace_beads(each.root))
        for each in charmed:
            creature, beads = each.who, turn.trace_beads(each.root)
            self.told_creatures.add(creature)
            left, is_mine = turn.is_me(turn.find_old_master(creature)), turn.is_me(each.facts["master"])
            charms = [spell.place for spell in turn.find_spells("works") if spell.facts["target"] == creature]
            school, places = School.SUMMON, [each.place, *earlier.get(creature, ())]
            if each.place != last[creature]:
                earlier.setdefault(creature, []).extend((each.place, *charms))
                self.told.update(earlier[creature])
                continue
            if each.kind == "looks_to" and each.facts["master"] not in _NOBODYS:
                places += charms
                if is_mine or not left:
                    self._tell_gain(creature, str(each.facts["master"]), places, beads)
                    continue
                school, words = School.MIND, self._words(CREATURES["leaves"], each.facts, "")
            elif left or is_mine:
                words = self._words(CREATURES["frees itself"], {"who": creature}, "")
            else:
                words = narrate(each.event, self.me), ""
            self._add("creature", _Rank.CREATURE, words, creature, places, school=school, beads=beads)

    def _clashes(self, creature: str) -> bool:
        """Return whether an elemental came and met the other one in the same turn, which destroyed both."""
        after = self.turn.after
        if not creature.endswith(ELEMENTALS) or (after is not None and creature in {m.name for m in after.monsters}):
            return False
        return any(self.turn.find_spells("clash"))

    def _tell_gain(self, creature: str, master: str, places: list[int], beads: tuple[Bead, ...]) -> None:
        """Tell that a creature has a new master, and what it did first."""
        facts: dict[str, Fact] = {"who": creature, "master": master}
        self.told_creatures.add(creature)
        key = "obeys nobody" if master in _NOBODYS else "obeys"
        for each in self.turn.find("strikes", "attack_missed"):
            target = each.facts["target"]
            if each.who != creature or key != "obeys" or target is None:
                continue
            if each.kind == "strikes" and target != self.me:
                facts["target"], key = target, "obeys and strikes"
            elif each.kind == "attack_missed" and each.facts["result"] == "shielded":
                facts["target"] = target
                key = "obeys and is stopped by you" if target == self.me else "obeys and is stopped"
                self.guarded.add(each.place)
                places = [*places, each.place]
        words = self._words(CREATURES[key], facts, master)
        own = True if self.turn.is_me(master) else None
        self._add("creature", _Rank.CREATURE, words, creature, places, school=School.SUMMON, beads=beads, own=own)

    def _tell_fallen_creatures(self) -> None:
        for creature, entries in self.fallen_creatures.items():
            self.told_creatures.add(creature)
            total = self.losses.get(creature, _Sum())
            self._add_sources(total, entries)
            mine = self.turn.is_me(self.turn.find_old_master(creature))
            forms = CREATURES["killed" if total.sources else "dies"]
            words = _write(forms, {"who": creature}, self.me, second=mine, sources=join_with_and(total.sources))
            self._add(
                "creature dies",
                _Rank.CREATURE,
                words,
                creature,
                total.places,
                school=School.SUMMON,
                beads=total.beads,
                agents=total.agents,
                own=True if mine else None,
            )

    def _tell_survivors(self) -> None:
        for creature, entries in self.survivors.items():
            total = _Sum()
            self._add_sources(total, entries)
            words = self._words(CREATURES["survives"], {"who": creature}, "", sources=join_with_and(total.sources))
            school, beads = School.SUMMON, total.beads
            self._add("creature", _Rank.CREATURE, words, creature, total.places, school=school, beads=beads)

    def _add_sources(self, total: _Sum, entries: Iterable[Entry]) -> None:
        """Add the spells that destroyed a creature."""
        for each in entries:
            total.places.append(each.place)
            if each.kind == "spell":
                spell = str(each.facts["spell"])
            elif each.root is not None and each.kind != "monster_dies":
                spell = str(each.root.event.facts["spell"])
            else:
                continue
            total.sources[self._name_spell(each.root, spell, SOURCES)] = None
            total.beads += self.turn.trace_beads(each.root)

    def _tell_changed_creatures(self) -> None:
        """Tell which creatures the reader sees come or go although no event that they learnt says so."""
        before, after = self.turn.before, self.turn.after
        if self.me is None or before is None or after is None or self.turn.is_blind:
            return
        old, new = ({monster.name: monster.controller for monster in view.monsters} for view in (before, after))
        for creature in sorted((old.keys() | new.keys()) - self.told_creatures):
            was, master = old.get(creature), new.get(creature)
            if was == master or self.me not in (was, master):
                continue
            key = "obeys" if master == self.me else "gone" if master is None else "leaves"
            if master in _NOBODYS:
                key = "frees itself"
            words = _write(CREATURES[key], {"who": creature, "master": master}, self.me, second=True)
            self._add("creature", _Rank.CREATURE, words, creature, (), school=School.SUMMON)

    # -- in vain ------------------------------------------------------------------------------------------------------

    def _tell_vain(self) -> None:
        """Tell which spells and attacks did nothing, and why."""
        turn = self.turn
        followed: dict[int, list[Entry]] = {}
        for each in turn.entries:
            if each.root is None:
                if _fails(each.event):
                    self._tell_failure(None, each)
                elif (end := find_end_of(turn.memory, each.learnt)) is not None:
                    self._tell_end_of(None, [each], end)
            elif each.learnt.key != each.root.key:
                followed.setdefault(each.root.key, []).append(each)
        for cast in turn.find("casts"):
            did = followed.get(cast.learnt.key, [])
            undoing = find_undoing(turn.memory, cast.learnt)
            failure = next((each for each in did if _fails(each.event)), None)
            if undoing is not None and undoing.reason[0] == "undone":
                self._tell_end_of(cast, did, undoing)
            elif undoing is not None and not (failure is not None and self._is_in_my_mind(undoing.learnt.event)):
                self._tell_failure(cast, next(each for each in turn.entries if each.learnt.key == undoing.learnt.key))
            elif failure is not None and not any(is_felt(each.event) for each in did):
                self._tell_failure(cast, failure)
                if failure.kind == "reflected":
                    did = [failure]  # what the spell did then is told like the effect of any other
            elif did:
                self.told.update(each.place for each in did if each.kind == "unhealed")
                continue
            else:
                key = "dispelled" if any(turn.find("dispelled")) else "silence"
                if cast.facts["target"] == NOBODY:
                    key = "nobody"
                self._add_vain("spell", cast.facts, cast.who, WHY["cast", key], cast.facts, cast, cast.place)
            self.told.update(each.place for each in did)
        for each in turn.find(*_MISSED):
            kind, result = ("attack" if each.kind == "attack_missed" else "stab"), str(each.facts["result"])
            if kind == "attack" and result == "no_target" and not turn.obeys_me(each.who):
                self.told.add(each.place)  # an idle creature of someone else changes nothing
            elif each.who.endswith(ELEMENTALS) and result == "invisible":
                continue  # it attacks everyone else
            elif each.place not in self.guarded:
                self._add_vain(kind, each.facts, each.who, WHY[each.kind, result], each.facts, None, each.place)

    def _is_in_my_mind(self, event: Event) -> bool:
        return event.facts.get("outcome") == "minds_clash" and event.facts["target"] == self.me

    def _tell_end_of(self, cast: Entry | None, did: Iterable[Entry], undoing: Undoing) -> None:
        """Tell that something later in the turn undid what a spell `did`; the cast may not be known."""
        places, turn = [each.place for each in did], self.turn
        marks = turn.see_marks(undoing.target)[1]
        if undoing.reason == GIVES_WAY and marks is not None and SPELL_MARKS["Paralysis"] in marks:
            return  # a permanent one holds
        (end,) = (each for each in turn.entries if each.learnt.key == undoing.learnt.key)
        met = turn.memory.trace(end.learnt).learnt
        if undoing.reason in (REMOVED, CURED):
            places.append(end.place)
        by = next((e.event.facts["spell"] for e in (end.learnt, *met) if e.event.kind == "spell"), None)
        if undoing.reason == CURED and by is None:
            return
        facts = {"spell": turn.entries[places[0]].facts["spell"]} if cast is None else cast.facts
        kind, who = ("spell of somebody", "") if cast is None else ("spell", cast.who)
        why_facts = {"target": undoing.target, "by": by}
        self._add_vain(kind, facts, who, WHY[undoing.reason], why_facts, cast, *places, by=end.root)

    def _tell_failure(self, cast: Entry | None, each: Entry) -> None:
        """Tell that a spell did nothing because of an event; the cast may not be known."""
        if each.place in self.guarded and (cast is None or cast.who != self.me):
            return
        if _joins(each.event):
            return  # the line about the first one says so
        if self._is_in_my_mind(each.event):
            return  # the line about the reader's own mind says so
        why = WHY.get((each.kind, str(each.facts["outcome"]) if each.kind == "spell" else each.event.clause))
        why_facts = dict(each.facts)
        if name_failure(each.event) == PERMANENT_MIND:
            why = WHY[PERMANENT_MIND]
        if each.kind == "unhealed":
            mage = self.turn.see_after(each.who)
            if mage is not None and mage.hp == mage.max_hp:
                why, why_facts["number"] = WHY["unhealed", "full"], mage.max_hp
        facts = {"spell": each.facts.get("by", ""), **each.facts, **({} if cast is None else cast.facts)}
        kind = "turned" if each.kind == "reflected" else "lost" if is_spent(each.event) else "spell"
        if cast is None:
            kind = f"{kind} of somebody"
        who = "" if cast is None else cast.who
        self._add_vain(kind, facts, who, why or WHY[each.kind, ""], why_facts, cast, each.place)

    def _add_vain(
        self,
        kind: str,
        facts: Mapping[str, Fact],
        who: str,
        why: Forms,
        why_facts: Mapping[str, Fact],
        cast: Entry | None,
        *places: int,
        by: Learnt | None = None,
    ) -> None:
        """Add a line about a spell, stab or attack (`kind`) that `who` made in vain; the cast `by` undid it."""
        turn = self.turn
        met = why_facts.get("mirror", why_facts.get("target", why_facts.get("who")))
        words = self._words(IN_VAIN[kind], facts, who, why=self._clause(why, why_facts, met))
        mine = turn.is_me(who)
        at_me = turn.is_me(met) and not mine
        self._add(
            "in vain",
            _Rank.GUARD if at_me else _Rank.VAIN,
            words,
            who,
            places,
            spell="" if kind in ("stab", "attack") else str(facts["spell"]),
            school=School.HARM,
            beads=turn.find_dagger(who) if kind == "stab" else turn.trace_beads(cast and cast.learnt, by),
            works=False,
            own=mine or at_me,
            agents=[turn.masters.get(who, "")] if kind == "attack" else [],
        )

    # -- enchantments -------------------------------------------------------------------------------------------------

    def _tell_held(self) -> dict[tuple[str, str], _Draft]:
        """Tell whose hands were not free; return the drafts by mage and mark."""
        turn = self.turn
        held: dict[tuple[str, str], _Draft] = {}
        for each in turn.find(*_HELD):
            mark = _HELD[each.kind]
            if each.kind == "hand_stuck" and any(other.who == each.who for other in turn.find("paralysed_hand")):
                self.told.add(each.place)
                continue
            causes = (find_root_cast(turn.memory, cause) for cause in turn.memory.trace(each.learnt).learnt)
            beads = turn.trace_beads(each.root, *causes)
            words = narrate(each.event, self.me), ""
            self._add("held", _Rank.HOLD, words, each.who, [each.place], spell=_SPELL_OF[mark], beads=beads)
            held[each.who, mark] = self.drafts[-1]
        return held

    def _list_marks(self) -> Iterator[tuple[str, set[str], set[str]]]:
        """Yield the mages whom the reader sees before and after the turn, with their enchantments: the reader's mage
        first."""
        mages = self.turn.after.mages if self.turn.after is not None else ()
        for who in sorted((mage.name for mage in mages), key=lambda name: name != self.me):
            old, new = self.turn.see_marks(who)
            if old is not None and new is not None and who not in self.turn.gone:
                yield who, old, new

    def _tell_ends(self, held: Mapping[tuple[str, str], _Draft]) -> None:
        for who, old, new in self._list_marks():
            ended = [mark for mark in ENDS if mark in old - new]
            self.ended |= {(who, mark) for mark in ended}
            removals = self._find_removals(who)
            if ended and removals:
                marks = join_with_and(name_enchantment(mark) for mark in ended)
                words = self._words(ALL_END, {"who": who}, who, marks=marks)
                places = [each.place for each in removals if each.target == who]
                beads = self.turn.trace_beads(*(each.root for each in removals))
                rank = min(_rank_mark(mark) for mark in ended)
                self._add("ends", rank, words, who, places, school=School.WARD, beads=beads, marks=ended)
                continue
            for mark in ended:
                bold, _ = self._words(ENDS[mark], {"who": who}, who)
                if (who, mark) in held:
                    draft = held[who, mark]
                    draft.line = draft.line._replace(rest=bold, marks=(mark,))
                    continue
                cures = [each for each in self.turn.find("recovers") if each.who == who and mark in _ILLNESSES]
                places, beads = [each.place for each in cures], self.turn.trace_beads(*(each.root for each in cures))
                spell, rank = _SPELL_OF[mark], _rank_mark(mark)
                self._add("ends", rank, (bold, ""), who, places, spell=spell, beads=beads, marks=[mark])

    def _tell_emptied_banks(self) -> None:
        """Tell which banked spells, even of this turn, were removed with the enchantments of their mages."""
        turn, is_dispelled = self.turn, any(self.turn.find("dispelled"))
        for mage in turn.after.mages if turn.after is not None else ():
            who, removals = mage.name, self._find_removals(mage.name)
            banked = [each for each in turn.find("banks") if each.who == who]
            spell = turn.find_old_bank(who)
            if mage.banked is not None or not (removals or is_dispelled) or who in turn.gone:
                continue
            if banked:
                spell = str(banked[-1].facts["spell"])
            elif any(each.who == who and each.facts["fired"] for each in turn.find("casts")):
                continue
            if spell:
                words = self._words(BANK_EMPTIED, {"who": who, "spell": spell}, who)
                removed = (each for each in removals if each.facts["spell"] == "Remove Enchantment")
                places = [each.place for each in (*banked, *removed)]
                beads = turn.trace_beads(*(each.root for each in removals))
                self._add("bank emptied", _Rank.GUARD, words, who, places, school=School.WARD, beads=beads)

    def _find_removals(self, who: str) -> list[Entry]:
        """Return the spells that ended every enchantment on a mage."""
        return [
            each
            for each in self.turn.find_spells("works", "unshielded")
            if each.facts["spell"] == "Dispel Magic"
            or (each.facts["spell"] == "Remove Enchantment" and each.target == who)
        ]

    def _tell_begins(self) -> None:
        clashed: dict[str, list[int]] = {}
        for each in self.turn.find_spells("minds_clash"):
            clashed.setdefault(each.target, []).append(each.place)
        for who, places in clashed.items():
            if who == self.me or not self.told.issuperset(places):
                winner = self._find_mind_spell(who, places[-1])
                forms = MINDS_CLASH if winner is None else MINDS_CLASH_BUT_ONE
                words = self._words(forms, {"who": who, "spell": winner}, who)
                self._add("minds clash", _Rank.HOLD, words, who, places, school=School.MIND)
        for each in self.turn.find_spells("works", "same_hand"):
            who, spell = each.target, str(each.facts["spell"])
            if each.place in self.told or spell not in BEGINS or is_creature(who):
                continue
            mark, (_, marks) = SPELL_MARKS.get(spell, ""), self.turn.see_marks(who)
            if who in self.turn.gone or (who != self.me and spell == "Shield" and self._has_stopped(who)):
                self.told.add(each.place)
                self._note_begun(who, spell)
            elif marks is None or spell in _PASSING or mark in marks:
                self._tell_begin(each, who, spell, mark)
            elif spell not in _USED_AT_ONCE or self._find_removals(who):
                self.told.add(each.place)  # it does not last

    def _find_mind_spell(self, who: str, place: int) -> str | None:
        """Return the mind spell that takes hold of a mage after others have met in their mind."""
        for each in self.turn.find_spells("works"):
            spell, marks = str(each.facts["spell"]), self.turn.see_marks(who)[1]
            if each.place > place and each.target == who and spell in MIND_SPELLS:
                return spell if marks is None or SPELL_MARKS[spell] in marks else None
        return None

    def _has_stopped(self, who: str) -> bool:
        """Return whether a line has told that a shield around this being stopped something."""
        return any(
            each.facts["who" if each.kind == "absorbed" else "target"] == who
            for each in self.turn.find("absorbed", *_MISSED)
            if each.kind == "absorbed" or each.facts["result"] == "shielded"
        )

    def _tell_begin(self, each: Entry, who: str, spell: str, mark: str) -> None:
        turn, places, roots = self.turn, [each.place], [each.root]
        lasts = each.root is not None and bool(each.root.event.facts["permanent"]) and turn.is_permanent(who, mark)
        forms = BEGINS.get(f"{spell} for good") if lasts else None
        forms = forms or (UNDIRECTED[spell] if spell in UNDIRECTED and turn.is_undirected(each) else BEGINS[spell])
        slots = {"turn": turn.find_next_label(spell), "turns": ""}
        is_known = bool(slots["turn"])
        if mark in _ILLNESSES:
            illness = next((e for e in turn.find("sickens") if e.who == who and e.facts["by"] == spell), None)
            is_known = illness is not None
            if illness is not None:
                places.append(illness.place)
                slots["turns"] = say_count("{number} turn", "{number} turns", int(illness.facts["turns"] or 0))
        else:
            places += [announcement.place for announcement in self._find_announcements(who, mark)]
        joined = [other for other in turn.find_spells("countered") if _joins(other.event) and other.target == who]
        if spell == "Counter Spell":
            places += [other.place for other in joined]
            roots += [other.root for other in joined]
        if spell == "Time Stop":
            places += [slip.place for slip in turn.find("slips_outside_time") if slip.who == who]
        bold, rest = self._words(forms, {"who": who}, who, **slots)
        if "{turn" in pick_form(forms, second=False) and not is_known:
            bold, rest = f"{bold.rstrip(':')}.", ""
        if spell in _PROTECTING and not self._is_quiet(who, spell):
            bold, rest = narrate(each.event, self.me), ""
        if lasts:
            rest = f"{rest} {translate(FOR_GOOD)}".strip()
        rank = _Rank.HOLD if find_school(spell) in (School.MIND, School.HARM) else _Rank.GUARD
        marks, beads = self._note_begun(who, spell), turn.trace_beads(*roots)
        self._add("begins", rank, (bold, rest), who, places, spell=spell, beads=beads, marks=marks)

    def _note_begun(self, who: str, spell: str) -> list[str]:
        """Note that a line tells of what a spell put on a mage; return those enchantments."""
        marks = [mark for mark in (SPELL_MARKS.get(spell, ""),) if mark in ENCHANTMENTS]
        if spell in ("Counter Spell", "Dispel Magic"):
            marks.append("shielded")
        self.begun |= {(who, mark) for mark in marks}
        return marks

    def _is_quiet(self, who: str, spell: str) -> bool:
        """Return whether nothing came for the protection to stop, as far as its mage would know."""
        turn = self.turn
        if who != self.me:
            return True
        if turn.is_blind:
            return False
        if spell == "Magic Mirror":
            return not any(each.facts["mirror"] == who for each in turn.find("reflected"))
        if any(each.facts.get("target") == who for each in turn.find("stabs", "strikes", *_MISSED)):
            return False
        countered = (each for each in turn.find_spells("countered") if not _joins(each.event))
        if spell == "Counter Spell" and any(each.target == who for each in countered):
            return False
        return not any(
            each.who == who and (spell == "Counter Spell" or each.facts["by"] == "Magic Missile")
            for each in turn.find("absorbed", "hurt", "unharmed")
        )

    def _tell_changed_marks(self) -> None:
        """Tell of enchantments that began although no event says so."""
        for who, old, new in self._list_marks():
            for mark in sorted(mark for mark in new - old if (who, mark) not in self.begun):
                announced = self._find_announcements(who, mark)
                if announced:
                    words = narrate(announced[0].event, self.me), ""
                elif mark == "shielded":
                    words = self._words(BEGINS["Protection"], {"who": who}, who)
                else:
                    words = self._words(BEGUN, {"who": who}, who, mark=name_enchantment(mark))
                places = [each.place for each in announced]
                self._add("begins", _rank_mark(mark), words, who, places, spell=_SPELL_OF[mark], marks=[mark])

    def _find_announcements(self, who: str, mark: str) -> list[Entry]:
        return [each for each in self.turn.find(*_ANNOUNCED) if each.who == who and _ANNOUNCED[each.kind] == mark]

    # -- everything else ----------------------------------------------------------------------------------------------

    def _tell_rest(self) -> None:
        """Tell, in the words of the story, what no other line has told."""
        for each in self.turn.entries:
            facts, kind = each.facts, each.kind
            if each.place in self.told or kind in _SILENT or self._is_silent(each):
                continue
            if kind in _OWN and facts["who"] != self.me:
                continue
            who = facts.get("target") if kind == "spell" else facts.get("who", facts.get("target"))
            spell = str(facts.get("spell") or facts.get("by") or _ABOUT_TIME.get(kind, ""))
            rank = _Rank.OTHER
            if kind in _ANNOUNCED:
                spell = _SPELL_OF[_ANNOUNCED[kind]]
            if kind in ("sickens", "watches_blur", *_ANNOUNCED):
                rank = _Rank.HOLD
            elif kind == "spell" and who not in self.turn.gone:
                rank = _Rank.GUARD
            words, beads = (narrate(each.event, self.me), ""), self.turn.trace_beads(each.root)
            shown = spell if spell in SPELLS else ""
            self._add(kind, rank, words, str(who or ""), [each.place], spell=shown, beads=beads)

    def _is_silent(self, each: Entry) -> bool:
        if each.kind == "spell":
            outcome = each.facts["outcome"]
            if outcome in _SILENT_OUTCOMES or (outcome == "works" and each.facts["spell"] in _STORMS | CURES):
                return True
            lasts = each.facts["spell"] in SPELL_MARKS.keys() - _PROTECTING
            return outcome == "works" and lasts and each.target in self.fallen_creatures
        if each.kind in _ANNOUNCED:
            return (each.who, _ANNOUNCED[each.kind]) in self.begun or each.who in self.turn.gone
        return each.kind in ("drops_dead", "succumbs") and each.who in self.turn.gone

    def _tell_quiet(self) -> None:
        """In a duel with one line only, say that the other mage cast no spell, if the reader saw that."""
        turn = self.turn
        if len(self.drafts) != 1 or turn.before is None or len(turn.before.mages) != 2 or self.me is None:
            return
        busy = {each.who for each in turn.find("casts", "banks", "stabs", "stab_missed")} | turn.gone | {self.me}
        for each in turn.find("gestures"):
            if each.who not in busy:
                words = self._words(NO_SPELL, {"who": each.who}, each.who)
                self._add("no spell", _Rank.OTHER, words, each.who, [each.place])


__all__ = ["ME", "MINE", "MOST_OPEN", "OTHERS", "Bead", "Summary", "SummaryLine", "summarize"]
