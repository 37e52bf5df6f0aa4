"""Wizards, monsters and elementals.

Marks are counters of what lies on a being, kept only while they are not zero: a positive number of turns, 999 for
"made permanent this turn", -1 for permanent (spec: engine 1.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from rules_engine.gestures import BOW, SECOND
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
