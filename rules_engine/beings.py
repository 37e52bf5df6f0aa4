"""Wizards, monsters and elementals.

Marks count the turns of the enchantments on a being, and are kept only while not zero: a number of turns, 999 for
"made permanent this turn", -1 for permanent (spec: engine 1.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from rules_engine.gestures import BOW, SECOND
from rules_engine.native import mypyc_attr
from rules_engine.spells import HandStates

NOBODY: Final = "nobody"
"""A target or master that is nobody."""
NO_MASTER: Final = "none"
"""The master and target of an elemental: it obeys nobody and attacks everyone."""

JUST_PERMANENT: Final = 999
PERMANENT: Final = -1

WIZARD_HP: Final = 15
MONSTER_HP: Final = {"Goblin": 1, "Ogre": 2, "Troll": 3, "Giant": 4, "FireElemental": 3, "IceElemental": 3}
FIRE_ELEMENTAL: Final = "FireElemental"
ICE_ELEMENTAL: Final = "IceElemental"
ELEMENTALS: Final = (FIRE_ELEMENTAL, ICE_ELEMENTAL)
IGNORED_BY_ELEMENTALS: Final = ("confused", "afraid", "maladroit")
"""Marks that stay on an elemental until it attacks, cancel other marks, and do nothing else (FM-FEAR-4; WL-ENCH-6)."""

COLOURS: Final = ("Red", "Green", "Pink", "Blue", "Orange", "Mauve", "White", "Yellow")

# The marks that Remove Enchantment or Dispel Magic removes (FM-REMENCH-2, FM-SPN-6).
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

# Phases of a wizard within a turn: what they must still send.
ORDERS: Final = "orders"
CHOOSE_SPELL: Final = "choose-spell"
CHOOSE_TARGET: Final = "choose-target"
DECIDE: Final = "decide"
READY: Final = "ready"
OUT: Final = "surrendered"
DEAD: Final = "dead"
# Never gave an order, and left without dying.
ABSENT: Final = "absent"
VICTORIOUS: Final = "victorious"
LEFT_THE_BATTLE: Final = frozenset({OUT, DEAD, ABSENT})
NO_LONGER_IN: Final = LEFT_THE_BATTLE | {VICTORIOUS}

HELD: Final = 1
"""A hand that Paralysis holds, from its holder's choice on: until the turn is told, which hand it is stays secret."""
SEEN_HELD: Final = 2
"""A hand that Paralysis has held in a turn that was told: whoever saw that knows which hand stays held (FM-PARA-3)."""

CHOOSE: Final = "?"
"""A hand's spell while its mage has to choose one."""

# A being's state besides its marks: the spell in the bank, how a creature came, how a mage left.
BANKED: Final = "banked"
BORN: Final = "born"
GONE: Final = "gone"

Origins: TypeAlias = "dict[str, tuple[int, ...]]"
"""Mark (or one of the words above) → the keys of the events it came from. Replaced, never changed: copies share it."""


class Empty(dict[Any, Any]):
    """A dictionary that stays empty: reading one is quicker than reading a `MappingProxyType`."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("shared by everything that has nothing: replace it")

    def setdefault(self, key: Any, default: Any = None) -> Any:
        raise TypeError("shared by everything that has nothing: replace it")

    def update(self, *others: Any, **items: Any) -> None:
        raise TypeError("shared by everything that has nothing: replace it")


EMPTY: Final[dict[Any, Any]] = Empty()
"""An empty dictionary, shared by every being that has nothing; it cannot be changed by mistake."""
NO_ORIGINS: Final[Origins] = EMPTY


@mypyc_attr(acyclic=True)
class Being:
    """A mage or creature. `controller` and `target` are names, NOBODY or NO_MASTER."""

    __slots__ = ("controller", "hp", "marks", "name", "origins", "target")

    name: str
    hp: int
    marks: dict[str, int]
    origins: Origins
    controller: str
    target: str

    def __init__(self, name: str, hp: int, controller: str = NOBODY, target: str = NOBODY) -> None:
        self.name = name
        self.hp = hp
        self.marks = {}
        self.origins = NO_ORIGINS
        self.controller = controller
        self.target = target

    @property
    def max_hp(self) -> int:
        """The most hit points it can end a turn with."""
        raise NotImplementedError

    def strip(self, *, keep_charm: bool = False, keep_bank: bool = False) -> None:
        """Remove every enchantment (FM-REMENCH-2), except a charm of this turn or the spell in the bank if kept."""
        marks = self.marks
        if marks:
            for mark in ENCHANTMENTS:
                if mark in marks:
                    del marks[mark]


@mypyc_attr(acyclic=True, free_list_len=1)
class Wizard(Being):
    """A mage in battle, with both strings of gestures and the orders for this turn."""

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

    left: str
    right: str
    begun: HandStates  # the states of both hands before this turn's column
    reached: HandStates  # and after it
    blind_columns: str
    unseen_columns: str
    phase: str
    # The orders of one turn. All maps except the marks are replaced, never changed: a copy shares them, and most of
    # them are empty most of the time.
    spells: dict[str, str]  # hand or FIRE -> spell or CHOOSE
    targets: dict[str, str]  # hand or FIRE -> being, NOBODY or unborn form
    offers: Mapping[str, tuple[str, ...]]  # while choosing: hand -> spells
    monster_orders: Mapping[str, str]
    retargets: Mapping[str, str]  # creature -> the target of its second attack
    says: str
    permanent: tuple[str, ...]
    spent: Mapping[str, int]  # powers used by these orders; secret until the turn ends
    decisions: Mapping[str, str]  # slot -> answer to a question asked after the gestures
    forced: Mapping[str, tuple[str, bool]]  # hand -> (cause, made no difference)
    # Lasts beyond the turn.
    saving: tuple[str, ...]
    bank: tuple[str, str] | None
    paralyser: str
    stuck: dict[str, int]  # hand -> HELD or SEEN_HELD, while held by Paralysis
    directed: dict[str, str]  # hand -> gesture, while charmed; "" if only the hand is decided
    habit: Mapping[str, str]  # hand -> gesture that Confusion drew last, if it can be permanent
    short_bolt_used: bool
    surrendered: bool
    again: Wizard | None  # the same mage in the second pair of gestures, if the turn has one
    second: bool  # whether this is such a second self

    def __init__(self, name: str, begun: HandStates, like: Wizard | None = None) -> None:
        """Create a mage as the battle begins, or a copy of another. mypyc needs this method."""
        if like is not None:
            self.name = like.name
            self.hp = like.hp
            self.controller = like.controller
            self.target = like.target
            self.marks = like.marks.copy()
            self.origins = like.origins
            self.left = like.left
            self.right = like.right
            self.begun = like.begun
            self.reached = like.reached
            self.blind_columns = like.blind_columns
            self.unseen_columns = like.unseen_columns
            self.phase = like.phase
            self.spells = like.spells
            self.targets = like.targets
            self.offers = like.offers
            self.monster_orders = like.monster_orders
            self.retargets = like.retargets
            self.says = like.says
            self.permanent = like.permanent
            self.spent = like.spent
            self.decisions = like.decisions
            self.forced = like.forced
            self.saving = like.saving
            self.bank = like.bank
            self.paralyser = like.paralyser
            self.stuck = like.stuck
            self.directed = like.directed
            self.habit = like.habit
            self.short_bolt_used = like.short_bolt_used
            self.surrendered = like.surrendered
            self.second = like.second
            self.again = None
            if like.again is not None:
                self.again = Wizard(self.name, self.begun, like.again)
                self.again.bear(self)
            return
        super().__init__(name, WIZARD_HP)
        self.left = self.right = BOW
        self.begun = self.reached = begun
        self.blind_columns = self.unseen_columns = "0"
        self.phase = ORDERS
        self.spells = self.targets = self.offers = self.monster_orders = self.retargets = EMPTY
        self.says = ""
        self.permanent = self.saving = ()
        self.spent = self.decisions = self.forced = EMPTY
        self.bank = None
        self.paralyser = NOBODY
        self.stuck = self.directed = self.habit = EMPTY
        self.short_bolt_used = self.surrendered = self.second = False
        self.again = None

    @property
    def max_hp(self) -> int:
        return WIZARD_HP

    @property
    def owes_orders(self) -> bool:
        """Whether they must still send something for this turn."""
        return self.phase in (ORDERS, CHOOSE_SPELL, CHOOSE_TARGET, DECIDE)

    @property
    def halves(self) -> tuple[Wizard, ...]:
        """The mage, and their second self if they play two pairs of gestures."""
        return (self,) if self.again is None else (self, self.again)

    def hand(self, slot: str) -> str:
        """Return the name of a hand in orders: in the second pair LH2 for LH."""
        return SECOND.get(slot, slot) if self.second else slot

    def go_again(self) -> None:
        """Prepare a second pair of gestures for this turn (WH-ENCH-26)."""
        again = self.again = Wizard(self.name, self.begun)
        again.second = True
        again.left, again.right = self.left, self.right
        again.bear(self)

    def bear(self, wizard: Wizard) -> None:
        """Share the mage's enchantments with the second self: the same objects, not copies."""
        self.marks, self.origins, self.stuck = wizard.marks, wizard.origins, wizard.stuck
        self.directed, self.habit = wizard.directed, wizard.habit

    @property
    def gestures(self) -> tuple[str, str]:
        """The last column: (left, right)."""
        return self.left[-1], self.right[-1]

    def forget_orders(self) -> None:
        """Clear everything ordered, offered, forced or decided."""
        self.spells = self.targets = self.offers = self.monster_orders = self.retargets = EMPTY
        self.spent = self.decisions = self.forced = EMPTY
        self.permanent, self.says = (), ""

    def let_go(self) -> None:
        """Free the mage's hands from anyone who holds or directs them."""
        self.stuck = self.directed = EMPTY

    def strip(self, *, keep_charm: bool = False, keep_bank: bool = False) -> None:
        super().strip()
        self.let_go()
        if not keep_bank:
            self.bank = None

    def copy(self) -> Wizard:
        """Return a copy that shares nothing mutable."""
        return Wizard(self.name, self.begun, self)


@mypyc_attr(acyclic=True)
class Monster(Being):
    """A summoned creature. `kind` is Goblin, Ogre, Troll, Giant, FireElemental or IceElemental."""

    __slots__ = ("charmer", "habit", "kind")

    kind: str
    charmer: str | None  # the mage who gains control in this turn's results
    habit: str  # its first victim under a permanent Confusion, if it repeats that

    def __init__(self, name: str, kind: str, controller: str, target: str, like: Monster | None = None) -> None:
        if like is not None:
            self.name = name
            self.kind = kind
            self.controller = controller
            self.target = target
            self.hp = like.hp
            self.marks = like.marks.copy()
            self.origins = like.origins
            self.charmer = like.charmer
            self.habit = like.habit
            return
        super().__init__(name, MONSTER_HP[kind], controller, target)
        self.kind = kind
        self.charmer = None
        self.habit = ""

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
        """Return a copy that shares nothing mutable."""
        return Monster(self.name, self.kind, self.controller, self.target, self)


def is_creature(name: str) -> bool:
    """Return whether a being is a creature: no mage's name may end with a kind."""
    return name.endswith(tuple(MONSTER_HP))
