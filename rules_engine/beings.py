"""Wizards, monsters and elementals, and the state of a battle between turns.

Marks are counters of what lies on a being, kept only while they are not zero: a positive number of turns, 999 for
"made permanent this turn", -1 for permanent (spec: engine 1.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from rules_engine.gestures import BOW, SECOND
from rules_engine.outcome import Outcome
from rules_engine.rules import Ruleset
from rules_engine.spells import Standing

NOBODY: Final = "nobody"
"""A target or master that is nobody."""
NO_MASTER: Final = "none"
"""The master and target of an elemental: it obeys nobody and attacks everybody."""

JUST_PERMANENT: Final = 999
PERMANENT: Final = -1

WIZARD_HP: Final = 15
MONSTER_HP: Final = {"Goblin": 1, "Ogre": 2, "Troll": 3, "Giant": 4, "FireElemental": 3, "IceElemental": 3}
FIRE_ELEMENTAL: Final = "FireElemental"
ICE_ELEMENTAL: Final = "IceElemental"
ELEMENTALS: Final = (FIRE_ELEMENTAL, ICE_ELEMENTAL)
IGNORED_BY_ELEMENTALS = ("confused", "afraid", "maladroit")
"""Marks that lie on an elemental until it attacks, cancel others there, and do nothing else (FM-FEAR-4; WL-ENCH-6)."""

COLOURS: Final = ("Red", "Green", "Pink", "Blue", "Orange", "Mauve", "White", "Yellow")

# What a Remove Enchantment or a Dispel Magic takes away (FM-REMENCH-2, FM-SPN-6).
ENCHANTMENTS: Final = [
    "struck_blind",
    "disappearing",
    "forgetful",
    "confused",
    "charmed",
    "paralysed",
    "afraid",
    "maladroit",
    "cold_resistant",
    "heat_resistant",
    "sick",
    "poisoned",
    "blind",
    "invisible",
    "fast",
    "lost",
    "shielded",
    "permanency",
    "delay",
    "time_stopped",
]

# Phases of a wizard within a turn: what he owes.
ORDERS: Final = "orders"
CHOOSE_SPELL: Final = "choose-spell"
CHOOSE_TARGET: Final = "choose-target"
DECIDE: Final = "decide"
READY: Final = "ready"
OWING: Final = frozenset({ORDERS, CHOOSE_SPELL, CHOOSE_TARGET, DECIDE})
OUT: Final = "surrendered"
DEAD: Final = "dead"
VICTORIOUS: Final = "victorious"

CHOOSE: Final = "?"
"""Stands in a hand's spell slot while its mage has to choose."""

# What a being is remembered for besides its marks: the spell in its bank, how a creature came, how somebody left.
BANKED: Final = "banked"
BORN: Final = "born"
GONE: Final = "gone"

Laid: TypeAlias = "Mapping[str, tuple[int, ...]]"
"""Mark (or one of the words above) → the keys of the events that laid it. Replaced, never changed: copies share it."""
EMPTY: Final[Mapping[Any, Any]] = MappingProxyType({})
"""What has nothing in it, shared by all who have nothing; it cannot be changed by mistake."""
NOTHING_LAID: Final[Laid] = EMPTY


_unmade: Final = object.__new__


class Being:
    """Anything that can be hurt. `controller` and `target` are names, NOBODY or NO_MASTER."""

    __slots__ = ("controller", "hp", "laid", "marks", "name", "target")

    def __init__(self, name: str, hp: int, controller: str = NOBODY, target: str = NOBODY) -> None:
        self.name = name
        self.hp = hp
        self.marks: dict[str, int] = {}
        self.laid: Laid = NOTHING_LAID
        self.controller = controller
        self.target = target

    @property
    def max_hp(self) -> int:
        """The most hit points it can end a turn with."""
        raise NotImplementedError

    def strip(self, *, keep_charm: bool = False, keep_bank: bool = False) -> None:
        """Take every enchantment off (FM-REMENCH-2), but for a charm of this turn or the spell in the bank if kept."""
        marks = self.marks
        if marks:
            for mark in ENCHANTMENTS:
                if mark in marks:
                    del marks[mark]


class Wizard(Being):
    """A mage in battle, with both strings of gestures and what he is about to do."""

    __slots__ = (
        "again",
        "bank",
        "begun",
        "blind_columns",
        "decisions",
        "directed",
        "forced",
        "habit",
        "left",
        "monster_orders",
        "offers",
        "paralyser",
        "permanent",
        "phase",
        "reached",
        "retargets",
        "right",
        "saving",
        "says",
        "second",
        "short_bolt_used",
        "spells",
        "spent",
        "stuck",
        "surrendered",
        "targets",
        "unseen_columns",
    )

    def __init__(self, name: str, begun: Standing) -> None:
        super().__init__(name, WIZARD_HP)
        self.left = self.right = BOW
        self.begun = self.reached = begun  # where his hands stand before the turn's own column, and with it
        self.blind_columns = self.unseen_columns = "0"
        self.phase = ORDERS
        # What is ordered for one turn. All maps but the marks are replaced, never changed: a copy shares them, and most
        # of them are empty most of the time.
        self.spells: Mapping[str, str] = EMPTY  # hand or FIRE -> spell or CHOOSE
        self.targets: Mapping[str, str] = EMPTY  # hand or FIRE -> being, NOBODY or unborn form
        self.offers: Mapping[str, tuple[str, ...]] = EMPTY  # while choosing: hand -> spells
        self.monster_orders: Mapping[str, str] = EMPTY
        self.retargets: Mapping[str, str] = EMPTY  # creature -> whom it strikes the second time
        self.says = ""
        self.permanent: tuple[str, ...] = ()
        self.spent: Mapping[str, int] = EMPTY  # powers given up by these orders, which nobody may notice before its end
        self.decisions: Mapping[str, str] = EMPTY  # slot -> answer to what was asked when all had shown their gestures
        self.forced: Mapping[str, tuple[str, bool]] = EMPTY  # hand -> (cause, made no difference)
        # What goes on.
        self.saving: tuple[str, ...] = ()
        self.bank: tuple[str, str] | None = None
        self.paralyser = NOBODY
        self.stuck: Mapping[str, int] = EMPTY  # hand -> 1 while held by Paralysis
        self.directed: Mapping[str, str] = EMPTY  # hand -> gesture, while charmed; "" where only the hand is settled
        self.habit: Mapping[str, str] = EMPTY  # hand -> gesture, what Confusion drew last where that can last
        self.short_bolt_used = False
        self.surrendered = False
        self.again: Wizard | None = None  # himself in the second of two pairs of gestures, in a turn that has them
        self.second = False  # whether this is such a second self

    @property
    def max_hp(self) -> int:
        return WIZARD_HP

    @property
    def halves(self) -> tuple[Wizard, ...]:
        """Himself, and himself again where he makes two pairs of gestures."""
        return (self,) if self.again is None else (self, self.again)

    def hand(self, slot: str) -> str:
        """The name of a hand in orders: in the second pair LH2 for LH."""
        return SECOND.get(slot, slot) if self.second else slot

    def go_again(self) -> None:
        """He makes a second pair of gestures in this turn (WH-ENCH-26)."""
        again = self.again = Wizard(self.name, self.begun)
        again.second = True
        again.left, again.right = self.left, self.right
        again.bear(self)

    def bear(self, wizard: Wizard) -> None:
        """What lies on the mage lies on his second self: the very same, not its like."""
        self.marks, self.laid, self.stuck = wizard.marks, wizard.laid, wizard.stuck
        self.directed, self.habit = wizard.directed, wizard.habit

    @property
    def gestures(self) -> tuple[str, str]:
        """The last column: (left, right)."""
        return self.left[-1], self.right[-1]

    def forget_orders(self) -> None:
        """Nothing is ordered, offered, forced or decided any more."""
        self.spells = self.targets = self.offers = self.monster_orders = self.retargets = EMPTY
        self.spent = self.decisions = self.forced = EMPTY
        self.permanent, self.says = (), ""

    def let_go(self) -> None:
        """Nobody holds or directs a hand of his any more."""
        self.stuck = self.directed = EMPTY

    def strip(self, *, keep_charm: bool = False, keep_bank: bool = False) -> None:
        super().strip()
        self.let_go()
        if not keep_bank:
            self.bank = None

    def copy(self) -> Wizard:
        """A copy that shares nothing mutable."""
        twin = _unmade(Wizard)
        twin.name = self.name
        twin.hp = self.hp
        twin.controller = self.controller
        twin.target = self.target
        twin.marks = self.marks.copy()
        twin.laid = self.laid
        twin.left = self.left
        twin.right = self.right
        twin.begun = self.begun
        twin.reached = self.reached
        twin.blind_columns = self.blind_columns
        twin.unseen_columns = self.unseen_columns
        twin.phase = self.phase
        twin.spells = self.spells
        twin.targets = self.targets
        twin.offers = self.offers
        twin.monster_orders = self.monster_orders
        twin.retargets = self.retargets
        twin.says = self.says
        twin.permanent = self.permanent
        twin.spent = self.spent
        twin.decisions = self.decisions
        twin.forced = self.forced
        twin.saving = self.saving
        twin.bank = self.bank
        twin.paralyser = self.paralyser
        twin.stuck = self.stuck
        twin.directed = self.directed
        twin.habit = self.habit
        twin.short_bolt_used = self.short_bolt_used
        twin.surrendered = self.surrendered
        twin.second = self.second
        twin.again = None
        if self.again is not None:
            twin.again = self.again.copy()
            twin.again.bear(twin)
        return twin


class Monster(Being):
    """A summoned creature. `kind` is Goblin, Ogre, Troll, Giant, FireElemental or IceElemental."""

    __slots__ = ("charmer", "habit", "kind")

    def __init__(self, name: str, kind: str, controller: str, target: str) -> None:
        super().__init__(name, MONSTER_HP[kind], controller, target)
        self.kind = kind
        self.charmer: str | None = None  # who gains control in this turn's results
        self.habit = ""  # whom a permanent Confusion sent it at first, where it repeats that

    @property
    def max_hp(self) -> int:
        return MONSTER_HP[self.kind]

    @property
    def strength(self) -> int:
        """Points of damage of one attack."""
        return MONSTER_HP[self.kind]

    @property
    def is_elemental(self) -> bool:
        return self.kind in ELEMENTALS

    def strip(self, *, keep_charm: bool = False, keep_bank: bool = False) -> None:
        super().strip()
        if not keep_charm:
            self.charmer = None

    def copy(self) -> Monster:
        """A copy that shares nothing mutable."""
        twin = Monster.__new__(Monster)
        twin.name, twin.hp, twin.controller, twin.target = self.name, self.hp, self.controller, self.target
        twin.marks = self.marks.copy()
        twin.laid = self.laid
        twin.kind, twin.charmer, twin.habit = self.kind, self.charmer, self.habit
        return twin


class State:
    """A battle between two calls of `advance`. Treat it as a value: `advance` never changes the one it is given.

    `turn` and `extra` make the label: extra is "" (normal), "H" (hastened) or "T" (stopped time). `columns` labels the
    finished columns of every history. `wizards` keeps the order of the mages for the whole battle.
    """

    __slots__ = (
        "at",
        "colours",
        "columns",
        "created",
        "doubled",
        "extra",
        "monsters",
        "movers",
        "out",
        "outcome",
        "ruleset",
        "seq",
        "stage",
        "substituted",
        "told",
        "tombstone",
        "turn",
        "wizards",
    )

    def __init__(self, ruleset: Ruleset, mages: tuple[str, ...], colours: tuple[str, ...]) -> None:
        self.ruleset = ruleset
        self.wizards: dict[str, Wizard] = {name: Wizard(name, ruleset.book.start) for name in mages}
        self.monsters: dict[str, Monster] = {}
        self.tombstone: list[str] = []
        self.out: list[str] = []
        self.movers: tuple[str, ...] = mages
        self.turn = 1
        self.extra = ""
        self.seq = 1
        self.stage = 0
        self.substituted = False
        self.doubled = False  # somebody makes two pairs of gestures in this turn
        self.told = 0  # events of this turn, told before it stopped for answers
        self.at = 0  # the step of the turn that waits for answers
        self.created = 0
        self.colours = colours
        self.columns: list[str] = ["0"]
        self.outcome: Outcome | None = None

    @property
    def label(self) -> str:
        """The turn's name as players know it: ``8``, ``8H``, ``9T``."""
        return f"{self.turn}{self.extra}"

    @property
    def kind(self) -> str:
        """ "duel" for two mages, "melee" for more; never changes."""
        return "duel" if len(self.wizards) == 2 else "melee"

    @property
    def mages(self) -> tuple[str, ...]:
        """All who began, in their order."""
        return tuple(self.wizards)

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return self.outcome is not None

    @property
    def still_in(self) -> list[str]:
        """The mages neither dead nor surrendered, in their order."""
        out = self.out
        return [name for name in self.wizards if name not in out] if out else list(self.wizards)

    @property
    def owing(self) -> tuple[str, ...]:
        """The mages who owe orders for this stage."""
        if self.outcome is not None:
            return ()
        return tuple([name for name, wizard in self.wizards.items() if wizard.phase in OWING])

    def being(self, name: str) -> Being | None:
        """The wizard (dead or alive) or living monster of that name."""
        return self.wizards.get(name) or self.monsters.get(name)

    def is_live(self, name: str) -> bool:
        """Whether `name` is in the circle: a monster there, or a wizard neither dead nor surrendered."""
        return name in self.monsters or (name in self.wizards and name not in self.out)

    def copy(self) -> State:
        """A copy that shares nothing mutable."""
        twin = State.__new__(State)
        twin.ruleset = self.ruleset
        twin.wizards = {name: w.copy() for name, w in self.wizards.items()}
        twin.monsters = {name: m.copy() for name, m in self.monsters.items()} if self.monsters else {}
        twin.tombstone, twin.out = self.tombstone.copy(), self.out.copy()
        twin.movers, twin.turn, twin.extra = self.movers, self.turn, self.extra
        twin.seq, twin.stage, twin.substituted = self.seq, self.stage, self.substituted
        twin.at, twin.doubled, twin.told = self.at, self.doubled, self.told
        twin.created, twin.colours = self.created, self.colours
        twin.columns = self.columns.copy()
        twin.outcome = self.outcome
        return twin


def opponent(state: State, name: str) -> str:
    """Whom harm goes to when nobody is named (FM-GEST-22; spec: engine 2.6).

    A monster's opponent is its target; in a duel the other mage, always; in a melee nobody while more than two mages
    are still in, then the first other one.
    """
    monster = state.monsters.get(name)
    if monster is not None:
        return monster.target
    if len(state.wizards) > 2 and len(state.still_in) > 2:
        return NOBODY
    for other in state.wizards if len(state.wizards) == 2 else state.still_in:
        if other != name:
            return other
    return NOBODY


def monster_name(state: State, kind: str) -> str:
    """The next monster's name: colour words and its kind in one word (FM-MON-9; spec: engine 6.1)."""
    if kind in ELEMENTALS:
        return kind
    colours = list(state.colours)
    index, name = state.created, ""
    while index > len(colours) - 1:
        at = index % (len(colours) - 1)
        name += colours[at] + "ish"
        del colours[at]
        index = index // (len(colours) - 1) - 1
    return name + colours[index] + kind
