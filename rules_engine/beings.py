"""Wizards, monsters and elementals, and the state of a battle between turns.

Marks are counters of what lies on a being, kept only while they are not zero: a positive number of turns, 999 for
"made permanent this turn", -1 for permanent (spec: engine 1.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from rules_engine.gestures import BOW, SECOND

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from rules_engine.outcome import Outcome
    from rules_engine.rulesets import Ruleset

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
NOTHING_LAID: Final[Laid] = {}


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

    def strip(self, spared: Container[str] = (), *, keep_bank: bool = False) -> None:
        """Take every enchantment off but those `spared` (FM-REMENCH-2)."""
        marks = self.marks
        if marks:
            for mark in ENCHANTMENTS:
                if mark in marks and mark not in spared:
                    del marks[mark]


class Wizard(Being):
    """A mage in battle, with both strings of gestures and what he is about to do."""

    __slots__ = (
        "again",
        "bank",
        "blind_columns",
        "decisions",
        "directed",
        "forced",
        "habit",
        "left",
        "left_state",
        "monster_orders",
        "offers",
        "paralyser",
        "permanent",
        "phase",
        "retargets",
        "right",
        "right_state",
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

    def __init__(self, name: str) -> None:
        super().__init__(name, WIZARD_HP)
        self.left = self.right = BOW
        self.left_state = self.right_state = 0  # of the book's automaton, before the turn's own column
        self.blind_columns = self.unseen_columns = "0"
        self.phase = ORDERS
        self.spells: dict[str, str] = {}  # hand or FIRE -> spell or CHOOSE
        self.targets: dict[str, str] = {}  # hand or FIRE -> being, NOBODY or unborn form
        self.offers: dict[str, tuple[str, ...]] = {}  # while choosing: hand -> spells
        self.monster_orders: dict[str, str] = {}
        self.says = ""
        self.permanent: tuple[str, ...] = ()
        self.saving: tuple[str, ...] = ()
        self.spent: dict[str, int] = {}  # powers given up by this turn's orders, which nobody may notice before its end
        self.bank: tuple[str, str] | None = None
        self.paralyser = NOBODY
        self.stuck: dict[str, int] = {}  # hand -> 1 while held by Paralysis
        self.directed: dict[str, str] = {}  # hand -> gesture, while charmed; "" where only the hand is settled
        self.decisions: dict[str, str] = {}  # slot -> answer to what this turn asked when all had shown their gestures
        self.forced: dict[str, tuple[str, bool]] = {}  # hand -> (cause, made no difference), this turn
        self.habit: dict[str, str] = {}  # hand -> gesture, what Confusion drew last where that can last
        self.short_bolt_used = False
        self.surrendered = False
        self.again: Wizard | None = None  # himself in the second of two pairs of gestures, in a turn that has them
        self.second = False  # whether this is such a second self
        self.retargets: dict[str, str] = {}  # creature -> whom it strikes the second time

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
        again = self.again = Wizard(self.name)
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
        """Nothing is ordered, offered, forced or decided any more. Most of it is empty most of the time."""
        if self.spells:
            self.spells = {}
        if self.targets:
            self.targets = {}
        if self.offers:
            self.offers = {}
        if self.monster_orders:
            self.monster_orders = {}
        if self.forced:
            self.forced = {}
        if self.spent:
            self.spent = {}
        if self.decisions:
            self.decisions = {}
        if self.retargets:
            self.retargets = {}
        self.permanent, self.says = (), ""

    def let_go(self) -> None:
        """Nobody holds or directs a hand of his any more."""
        if self.stuck:
            self.stuck = {}
        if self.directed:
            self.directed = {}

    def strip(self, spared: Container[str] = (), *, keep_bank: bool = False) -> None:
        super().strip(spared)
        self.let_go()
        if not keep_bank:
            self.bank = None

    def copy(self) -> Wizard:
        """A copy that shares nothing mutable. Most of the maps are empty most of the time."""
        twin = _unmade(Wizard)
        twin.name = self.name
        twin.hp = self.hp
        twin.controller, twin.target = self.controller, self.target
        twin.marks = self.marks.copy() if self.marks else {}
        twin.laid = self.laid
        twin.left, twin.right = self.left, self.right
        twin.left_state, twin.right_state = self.left_state, self.right_state
        twin.blind_columns, twin.unseen_columns = self.blind_columns, self.unseen_columns
        twin.phase, twin.says = self.phase, self.says
        twin.spells = self.spells.copy() if self.spells else {}
        twin.targets = self.targets.copy() if self.targets else {}
        twin.offers = self.offers  # replaced as a whole, never changed
        twin.monster_orders = self.monster_orders.copy() if self.monster_orders else {}
        twin.permanent, twin.saving, twin.bank = self.permanent, self.saving, self.bank
        twin.spent = self.spent.copy() if self.spent else {}
        twin.paralyser = self.paralyser
        twin.stuck = self.stuck.copy() if self.stuck else {}
        twin.directed = self.directed.copy() if self.directed else {}
        twin.habit = self.habit.copy() if self.habit else {}
        twin.decisions = self.decisions.copy() if self.decisions else {}
        twin.forced = self.forced.copy() if self.forced else {}
        twin.short_bolt_used, twin.surrendered = self.short_bolt_used, self.surrendered
        twin.second, twin.again = self.second, None
        twin.retargets = self.retargets.copy() if self.retargets else {}
        if self.again is not None:
            twin.again = self.again.copy()
            twin.again.bear(twin)
        return twin


class Monster(Being):
    """A summoned creature. `kind` is Goblin, Ogre, Troll, Giant, FireElemental or IceElemental."""

    __slots__ = ("charmer", "kind")

    def __init__(self, name: str, kind: str, controller: str, target: str) -> None:
        super().__init__(name, MONSTER_HP[kind], controller, target)
        self.kind = kind
        self.charmer: str | None = None  # who gains control in this turn's results

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

    def strip(self, spared: Container[str] = (), *, keep_bank: bool = False) -> None:
        super().strip(spared)
        if "charmer" not in spared:
            self.charmer = None

    def copy(self) -> Monster:
        """A copy that shares nothing mutable."""
        twin = Monster.__new__(Monster)
        twin.name, twin.hp, twin.controller, twin.target = self.name, self.hp, self.controller, self.target
        twin.marks = self.marks.copy()
        twin.laid = self.laid
        twin.kind, twin.charmer = self.kind, self.charmer
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
        self.wizards: dict[str, Wizard] = {name: Wizard(name) for name in mages}
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
