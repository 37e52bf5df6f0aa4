"""The definition of a ruleset: a base and named differences (DESIGN: commitment 3).

`Rules` are the points on which rulesets differ, each a value with a name. A ruleset's own file sets its values; no
other code asks a ruleset for its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from rules_engine.gestures import SPELL_GESTURES
from rules_engine.occasions import Step, plan_steps
from rules_engine.spells import Book, Spell
from rules_engine.text import say, term, translate


class HasteKind(Enum):
    """How Haste gives a mage more gestures."""

    EXTRA_TURN = auto()
    """After each normal turn comes a hastened one, in which only the fast move (FM-HASTE-2)."""
    TWO_PAIRS = auto()
    """Fast mages play two pairs of gestures in one turn (WH-ENCH-26)."""


class CreatureOwner(Enum):
    """Whose hand counts as the maker of a creature after a mirror."""

    SUMMONER = auto()
    MIRROR = auto()


class CharmedVictim(Enum):
    """Whom a newly charmed monster attacks until its master names a victim."""

    NOBODY = auto()
    UNCHANGED = auto()
    """The one it was going to attack."""
    OPPONENT = auto()
    """Its new master's opponent."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The named points of difference. The defaults are the reading of document 000."""

    paralysis: Mapping[str, str] = field(default_factory=lambda: {"C": "F", "S": "D", "W": "P"})
    """What a paralysed hand's gesture turns into (FM-PARA-4..7)."""
    spells_miss_the_invisible: bool = True
    """Spells aimed at an invisible mage miss (FM-INVIS-6)."""
    invisible_work_is_hidden: bool = True
    """An invisible mage's spell is not seen unless it affects someone visible (FM-INVIS-5)."""
    stopped_turn_is_announced: bool = False
    """Everybody learns who moves outside time (against FM-TIMESTOP-3)."""
    stopped_turn_uses_up_its_own: bool = True
    """Enchantments cast in a stopped turn count it; otherwise they last a turn longer (B8)."""
    resist_destroys_elemental: bool = True
    """A Resist at the elemental of its kind destroys it (FM-RHEAT-5, FM-RCOLD-3; B1)."""
    broken_pair_frees_hands: bool = True
    """A hand freed by a broken two-handed spell can cast its own spell (FM-GEST-16; B4)."""
    delay_order_expires: bool = True
    """A DELAY order for a hand that completes nothing ends with the turn (FM-DELAY-3; B6)."""
    raised_starts_afresh: bool = True
    """A raised mage's old surrender is forgotten (FM-RAISE-5; B7)."""
    stunned_monsters_lose_second_strike: bool = True
    """Paralysis, Amnesia and Fear stop a monster's second strike too (FM-PARA-8; B9)."""
    paralyses_cancel_alone: bool = True
    """Two cancelled Paralyses leave a third, different mind spell alone (FM-PARA-9; B11)."""
    newborn_of_reflected: CreatureOwner = CreatureOwner.SUMMONER
    """Whose hand counts as a creature's maker after a mirror (FM-ORDMOVE-13; B13)."""
    joined_elemental_is_each_hands: bool = True
    """When two elementals of one kind join, the result counts for both hands (FM-ELEM-14)."""
    elementals_can_be_given_monsters: bool = False
    """A summons may be cast at an elemental (against FM-GOBLIN-7)."""
    powers_work_on_wizards_only: bool = True
    """Permanency and Delay Effect have no effect on monsters (FM-PERM-2, FM-DELAY-2)."""
    dispel_needs_no_target: bool = True
    """A Dispel Magic at nobody works and shields nobody (FM-DISPEL-2)."""
    dispel_is_irresistible: bool = True
    """Earlier counters and mirrors do not stop a Dispel Magic's shield (FM-DISPEL-7, FM-DISPEL-8)."""
    dispel_frees_monsters: bool = True
    """Dispel Magic also removes monsters' enchantments before their last attack (FM-DISPEL-4)."""
    permanent_outlasts_its_like: bool = True
    """If a being gets the same enchantment twice in a turn, a permanent one counts (FM-PERM-3)."""
    delay_is_renewed: bool = True
    """A Delay Effect cast while another one runs restarts the three turns (FM-DELAY-3)."""
    fired_bolt_is_free: bool = False
    """A Lightning Bolt from the bank does not use up the short series, even if it is fired with a clap (FM-BOLT-4)."""
    resist_spares_other_elemental: bool = False
    """A Resist at the elemental of the other kind does nothing (FM-RHEAT-6, FM-RCOLD-4)."""
    death_undoes_raising: bool = False
    """A Finger Of Death at a creature raised in the same turn lets it fall dead before it attacks (FM-RAISE-13)."""
    contested_raising_is_told: bool = False
    """A Raise Dead that takes away a monster's master is told so even if it heals nothing (FM-RAISE-6)."""
    falling_apart_is_final: bool = False
    """No cure of the same turn saves a monster that falls apart (FM-REMENCH-6; WL-ENCH-19)."""
    elementals_stay_held: bool = False
    """A permanent Paralysis or Amnesia holds an elemental in every turn (FM-PERM-3)."""

    # -- hit points --
    hit_point_surplus: int = 0
    """How far a cure can raise a being above its starting hit points (FM-CLW-2; WL-PROT-6)."""
    cures_come_first: bool = False
    """Cures work before the turn's harm and are cut to the ceiling at once, not at the turn's end (FM-CLW-3)."""

    # -- minds --
    held_hand_is_its_casters: bool = False
    """Only the same caster holds the same hand again, and only after acting in between (FM-PARA-3; WL-ENCH-9)."""
    minds_sleep_in_haste: bool = True
    """Mind spells do not work in a hastened turn (FM-HASTE-2; WL-ENCH-42)."""
    fear_makes: str | None = None
    """The gesture that replaces one forbidden by Fear; None: it cannot be ordered (FM-FEAR-2; WL-ENCH-14)."""
    confusion_makes: tuple[str, ...] = SPELL_GESTURES
    """The gestures from which Confusion draws (FM-CONF-3; WL-ENCH-3)."""
    anti_spell_blanks_memory: bool = False
    """Amnesia and Paralysis repeat the blank that an Anti Spell left, not the gesture (rulings)."""
    charm_is_directed_anew: bool = False
    """A charmer directs the mage turn by turn, even if the charm is permanent (FM-PERM-5; WL-ENCH-39)."""
    charmed_monster_attacks: CharmedVictim = CharmedVictim.NOBODY
    """Whom a charmed monster attacks until its new master names a victim (FM-CHARMM-3; WH-TURN-12)."""
    like_charms_cancel: bool = False
    """Two Charms or Paralyses of one kind on a being undo each other; a held hand stays held (rulings)."""
    confusion_keeps_its_first: bool = False
    """A permanent Confusion repeats its first draw: a hand and its gesture, or a monster's victim (WH-ENCH-35)."""
    permanent_mind_spells_stay: bool = False
    """A mind spell does nothing to a being under a permanent one of its kind (FM-PERM-3)."""
    amnesia_keeps_victim: bool = False
    """A forgetful monster repeats this turn's attack in the next (FM-AMNESIA-3; WH-ENCH-1)."""
    paralysed_monsters_stop_next: bool = False
    """A paralysed monster stands still in the turn after the spell (FM-PARA-8; WH-ENCH-15)."""

    # -- sight --
    sight_is_as_the_turn_began: bool = False
    """Blindness and invisibility count as they were when the turn began (rulings)."""
    effects_are_told_to_all: bool = False
    """The blind learn what spells do, and everybody learns what they do to the unseen (WL-ENCH-21, WL-ENCH-27)."""
    results_on_unseen_are_told: bool = False
    """All who can see learn what an unseen mage loses and gains and what protects them; and if effects are told to all,
    the blind too learn what spells do to hit points (rulings)."""
    mirrors_miss_the_invisible: bool = False
    """A spell that a mirror sends back misses a caster who cannot be seen (WL-ENCH-22, SC-ENCH-18)."""
    castings_of_unseen_are_seen: bool = False
    """Everybody sees which spells an invisible mage casts, but not the gestures (FM-INVIS-4; WH-ENCH-23)."""
    blind_sense_castings: bool = False
    """The blind know which spells are cast (FM-BLIND-3; SC-ENCH-15)."""
    elementals_find_the_invisible: bool = False
    """An elemental strikes the invisible too (FM-INVIS-7; rulings)."""

    # -- extra turns --
    stopped_keep_their_defences: bool = False
    """The shields and resistances of those who act in stopped time protect them there (FM-TIMESTOP-4)."""
    stopped_minds_hold_next: bool = False
    """A Paralysis or Amnesia that meets a monster in stopped time holds it in the next turn (WH-ENCH-1, WH-ENCH-15)."""
    stopped_see_each_other: bool = False
    """Those who act outside time together see each other's gestures (WL-ENCH-34)."""
    stopped_acts_are_secret: bool = False
    """Only those outside time and the victim learn whose stab it was, and those outside time learn what they do to each
    other's hit points (FM-TIMESTOP-3)."""
    stopped_turn_lays_aside: bool = False
    """In stopped time earlier enchantments do not count; those cast in it do (WL-ENCH-43)."""
    extra_turns_end_first: bool = False
    """Enchantments run down once all extra turns of a turn are over, stopped ones too (WL-ENCH-24, WL-ENCH-32)."""
    haste: HasteKind = HasteKind.EXTRA_TURN
    """Which turn comes next, who moves, and who plays two pairs of gestures (FM-HASTE-2; WH-ENCH-26)."""
    haste_begins_next_turn: bool = False
    """A hastened creature strikes twice from the turn after the spell, and may have a second target
    (FM-HASTE-7; WH-ENCH-26, WH-ENCH-29)."""
    haste_moves_elementals: bool = True
    """An elemental under Haste strikes twice (FM-HASTE-7; rulings)."""

    haste_is_lost_on_elementals: bool = False
    """Haste does not even mark an elemental (rulings)."""

    clap_is_told_as_such: bool = False
    """Reports name the Clap of Lightning as the cause of its harm, and not Lightning Bolt (WL-DMG-1)."""

    illness_counts_extra_turn: bool = True
    """A Disease or Poison cast in an extra turn kills no later than one cast in the turn before it (FM-DISEASE-2)."""

    charm_may_impose_nothing: bool = True
    """A charmed hand may be directed to do nothing (WH-ENCH-9; a house rule in document 003 forbids it, WH-ENCH-10)."""

    # -- powers --
    removal_spares_new_charm: bool = False
    """A Remove Enchantment spares a Charm Monster of the same turn (rulings)."""
    removal_undoes_creation: bool = False
    """A Remove Enchantment on a mage destroys what they are creating, after its attack (WH-PROT-2)."""
    bank_outlives_removal: bool = False
    """Neither Dispel Magic nor Remove Enchantment empties the bank (WL-ENCH-37)."""
    dispelled_once_is_kept: bool = False
    """A spell that works once in a battle may be cast again if Dispel Magic stopped it (WL-DMG-2)."""
    power_waits_for_its_spell: bool = False
    """PERMANENT and DELAY for a hand that casts no fitting spell do not use up the power (FM-PERM-8)."""

    powers_take_the_next: bool = False
    """Delay Effect and Permanency work on the next fitting spell, unordered (FM-DELAY-3; WH-ENCH-31, WH-ENCH-34)."""

    powers_catch_their_own_turn: bool = False
    """They work on a spell that their mage completes in the same turn (WH-ENCH-31, WH-ENCH-34)."""

    gifts_catch_their_own_turn: bool = False
    """They also do so if another mage gives them (WH-ENCH-31, WH-ENCH-34)."""

    banked_is_never_permanent: bool = False
    """Permanency does not work on a spell from the bank (WH-ENCH-37)."""

    # -- mirrors --
    mirror_returns_harm_only: bool = False
    """A Magic Mirror lets through spells that mages usually cast on themselves (SC-PROT-2)."""
    mirrors_turn_mirrors_back: bool = False
    """A mirror turns back a Magic Mirror that another mage casts at the same being (against FM-MIRROR-13)."""
    mirror_casters_are_asked: bool = False
    """Where targets are decided late, everyone who casts a mirror is asked for the hands of casters (rulings)."""
    two_mirrors_break: bool = False
    """A spell between two mirrors falls apart (SC-PROT-1)."""

    # -- elementals --
    elementals_can_be_charmed: bool = False
    """A Charm Monster gives an elemental a master, although it attacks everybody (SC-ENCH-7)."""
    elementals_have_victims: bool = True
    """The master of a charmed elemental is asked for its victim, although it attacks everybody (SC-ENCH-7)."""
    elementals_can_be_raised: bool = True
    """Raise Dead works on elementals (SC-PROT-3)."""

    # -- without a choice --
    targets_are_decided: bool = False
    """Targets are chosen once all gestures are known (SC-TURN-2, SC-TURN-3)."""
    choice_has_default: bool = False
    """Without a choice a mage casts the spell of both hands, or else the longest; nobody is asked in mid-turn."""
    harm_strikes_at_random: bool = False
    """With several foes, harm and stabs without a target hit one of them at random (FM-GEST-22; WL-GEN-2)."""

    # -- creatures of those who are gone --
    creatures_rest_without_master: bool = False
    """A monster whose master dies or surrenders attacks nobody until it has another, nor does one that is summoned for
    it (rulings)."""

    # -- stabs --
    stab_at_oneself: bool = True
    """Mages may stab themselves (FM-STAB-6; WH-END-4)."""
    own_stab_needs_no_sight: bool = False
    """The blind and the invisible can stab themselves (SC-ENCH-16)."""

    # -- the end --
    held_minds_may_end_life: bool = False
    """Under a permanent Amnesia, Confusion, Charm Person or Paralysis a mage may order their own death (rulings)."""
    last_to_surrender_wins: bool = False
    """A mage who surrenders while all others die wins (FM-SURR-6; WL-END-1)."""
    common_surrender_is_shared: bool = True
    """In a melee, the last mages share the points if they surrender together (FM-SURR-7; WL-END-3)."""
    common_surrender_is_won: bool = False
    """Those who share the points also count as winners; the battle is a draw otherwise (FM-SURR-7)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between a ruleset and its base, in words for players, with its clause or ruling."""

    text: str
    clause: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a family of rulesets: `values` are (value, sentence in English), the usual one first.

    All values of all choices of a family differ, so that a value alone is clear.
    """

    key: str
    title: str
    """A spell, or the series in question."""
    values: tuple[tuple[str, str], ...]

    @property
    def usual(self) -> str:
        return self.values[0][0]

    @property
    def name(self) -> str:
        """The title in the active language."""
        return term("spell", self.title)

    @property
    def worded(self) -> tuple[tuple[str, str], ...]:
        """The values with their sentences in the active language."""
        return tuple((value, translate(sentence)) for value, sentence in self.values)


@dataclass(frozen=True)
class Ruleset:
    """A complete set of rules, pinned by battles as (name, edition)."""

    name: str
    edition: int
    own_title: str
    """The title in English, without options."""
    book_name: str
    series: Mapping[str, str]
    once: frozenset[str]
    spells: Mapping[str, Spell]
    rules: Rules
    normal: tuple[Step, ...]
    hastened: tuple[Step, ...]
    stopped: tuple[Step, ...]
    differences: tuple[Difference, ...] = ()
    offered: bool = True
    """Whether new challenges may choose it."""
    most_mages: int | None = None
    """How many may play; None if the rules set no limit."""
    mage_names: tuple[str, ...] = ()
    """The names of mages who bring none (SC-START-6)."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """mark → its letter after a being's hit points (SC-UI-11)."""
    own_summary: str = ""
    """A few words in English for players who choose a ruleset."""
    as_played: bool = False
    """Whether it has the defects of the original server."""
    family: str = ""
    """The name of the ruleset that this one is a variant of; empty for none."""
    choices: tuple[Choice, ...] = ()
    """What players of its family can choose."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """The choices of this one: key of a choice → value."""

    # Computed from the above. They are fields because a compiled class has no dictionary for cached properties.
    order: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The spells that can be cast, in their order of effect."""
    once_spells: frozenset[str] = field(init=False, repr=False, compare=False)
    """The spells with a series that each mage may use once in a battle."""
    lengths: dict[str, int] = field(init=False, repr=False, compare=False)
    """spell → gestures of its longest series."""
    rank: dict[str, int] = field(init=False, repr=False, compare=False)
    """Every spell's place in the order of effect."""
    plans: dict[str, tuple[tuple[Step, ...], ...]] = field(init=False, repr=False, compare=False)
    """The steps to do, by the kind of a turn and by its occasions (see `occasions`)."""
    silent_plans: dict[str, tuple[tuple[Step, ...], ...]] = field(init=False, repr=False, compare=False)
    """The same for silent turns."""
    _book: Book | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        made = set(self.series.values())
        order = tuple([name for name in self.spells if name in made])
        keep = object.__setattr__
        keep(self, "_book", None)
        keep(self, "order", order)
        keep(self, "once_spells", frozenset([self.series[text] for text in self.once]))
        keep(self, "lengths", {name: max([len(t) for t, s in self.series.items() if s == name]) for name in order})
        keep(self, "rank", {name: place for place, name in enumerate(self.spells)})
        keep(self, "plans", {extra: plan_steps(self.steps(extra)) for extra in ("", "H", "T")})
        keep(self, "silent_plans", {extra: plan_steps(self.steps(extra), silent=True) for extra in ("", "H", "T")})

    @property
    def title(self) -> str:
        """The title in the active language, with the options that are not the usual ones."""
        unusual = [dict(each.worded)[self.chosen[each.key]] for each in self.choices if self.is_unusual(each)]
        title = translate(self.own_title) + (f" ({', '.join(unusual)})" if unusual else "")
        return say("{title}, as the original server played it", title=title) if self.as_played else title

    def is_unusual(self, choice: Choice) -> bool:
        """Return whether this ruleset has another value of the choice than the usual one."""
        return self.chosen[choice.key] != choice.usual

    @property
    def summary(self) -> str:
        """A few words in the active language for players who choose a ruleset."""
        return translate(self.own_summary) if self.own_summary else ""

    @property
    def book(self) -> Book:
        """The automaton of the series, made at the first call."""
        if self._book is None:
            object.__setattr__(self, "_book", Book(self.series, self.once))
        book = self._book
        assert book is not None
        return book

    def steps(self, extra: str) -> tuple[Step, ...]:
        """Return the order of a turn of this kind: "" normal, "H" hastened, "T" stopped."""
        return self.normal if not extra else self.hastened if extra == "H" else self.stopped
