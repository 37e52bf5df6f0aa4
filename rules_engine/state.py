"""The state of a battle between turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules_engine.beings import NOBODY, Being, Monster, Wizard
from rules_engine.native import mypyc_attr
from rules_engine.outcome import Outcome
from rules_engine.rules import Ruleset

_LABELS: Final = [str(number) for number in range(1000)]
"""The labels of normal turns: every turn asks for one."""
_LONG: Final = 200
_COLUMNS: Final = [_LABELS[:length] for length in range(_LONG + 1)]
"""The labels of a battle's columns while all of its turns are normal, by their number. Battles share these lists."""


@mypyc_attr(acyclic=True, free_list_len=1)
class State:
    """A battle between two calls of `advance`. Treat it as a value: `advance` never changes its argument.

    `turn` and `extra` make the label: extra is "" (normal), "H" (hastened) or "T" (stopped time). `columns` labels the
    finished columns of every history. `wizards` keeps the order of the mages for the whole battle.
    """

    __slots__ = (
        "at",
        "colours",
        "columns",
        "created",
        "doubled",
        "event_count",
        "extra",
        "mages",
        "monsters",
        "movers",
        "out",
        "outcome",
        "ruleset",
        "seq",
        "stage",
        "substituted",
        "tombstone",
        "turn",
        "wizards",
    )

    ruleset: Ruleset
    mages: tuple[str, ...]  # all who began, in their order
    wizards: dict[str, Wizard]
    monsters: dict[str, Monster]
    # A turn replaces these three lists and never changes them: copies share them, and battles share `columns`.
    tombstone: list[str]
    out: list[str]
    columns: list[str]
    movers: tuple[str, ...]
    turn: int
    extra: str
    seq: int
    stage: int
    substituted: bool
    doubled: bool  # a mage plays two pairs of gestures in this turn
    event_count: int  # how many events of this turn came before it stopped for answers
    at: int  # the step of the turn that waits for answers
    created: int
    colours: tuple[str, ...]
    outcome: Outcome | None

    def __init__(
        self, ruleset: Ruleset, mages: tuple[str, ...], colours: tuple[str, ...], like: State | None = None
    ) -> None:
        """Create a battle about to begin or, for `copy`, one with the contents of another."""
        self.ruleset = ruleset
        self.mages = mages
        self.colours = colours
        if like is not None:
            wizards = self.wizards = {}
            for name in mages:
                wizard = like.wizards[name]
                wizards[name] = Wizard(name, wizard.begun, wizard)
            monsters = like.monsters
            self.monsters = {n: m.copy() for n, m in monsters.items()} if monsters else {}
            self.tombstone = like.tombstone
            self.out = like.out
            self.movers = like.movers
            self.turn = like.turn
            self.extra = like.extra
            self.seq = like.seq
            self.stage = like.stage
            self.substituted = like.substituted
            self.doubled = like.doubled
            self.event_count = like.event_count
            self.at = like.at
            self.created = like.created
            self.columns = like.columns
            self.outcome = like.outcome
            return
        self.wizards = {name: Wizard(name, ruleset.book.start) for name in mages}
        self.monsters = {}
        self.tombstone = []
        self.out = []
        self.movers = mages
        self.turn = 1
        self.extra = ""
        self.seq = 1
        self.stage = 0
        self.substituted = False
        self.doubled = False
        self.event_count = 0
        self.at = 0
        self.created = 0
        self.columns = _COLUMNS[1]
        self.outcome = None

    @property
    def label(self) -> str:
        """The turn's name as players know it: ``8``, ``8H``, ``9T``."""
        turn = self.turn
        return f"{turn}{self.extra}" if self.extra or turn >= len(_LABELS) else _LABELS[turn]

    @property
    def kind(self) -> str:
        """ "duel" for two mages, "melee" for more; never changes."""
        return "duel" if len(self.mages) == 2 else "melee"

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def still_in(self) -> list[str]:
        """The mages neither dead nor surrendered, in their order."""
        out = self.out
        return [name for name in self.mages if name not in out] if out else list(self.mages)

    @property
    def owing(self) -> tuple[str, ...]:
        """The mages who owe orders for this stage."""
        if self.outcome is not None:
            return ()
        return tuple([name for name, wizard in self.wizards.items() if wizard.owes_orders])

    def being(self, name: str) -> Being | None:
        """Return the wizard (dead or alive) or living monster of that name."""
        wizard = self.wizards.get(name)
        if wizard is not None:
            return wizard
        return self.monsters.get(name) if self.monsters else None

    def is_live(self, name: str) -> bool:
        """Return whether `name` is in the circle: a monster there, or a wizard neither dead nor surrendered."""
        if self.monsters and name in self.monsters:
            return True
        return name in self.wizards and not (self.out and name in self.out)

    def copy(self) -> State:
        """Return a copy that shares nothing that a turn changes."""
        return State(self.ruleset, self.mages, self.colours, self)


def add_column(columns: list[str], label: str) -> list[str]:
    """Return these labels with one more: a list that is there already, if all of the turns were normal."""
    length = len(columns)
    if length < _LONG and columns is _COLUMNS[length] and label == _LABELS[length]:
        return _COLUMNS[length + 1]
    return columns + [label]  # noqa: RUF005 - compiled, this is twice as fast


def share_columns(columns: Sequence[str]) -> list[str]:
    """Return the list that battles share, if these labels are those of normal turns only."""
    own = list(columns)
    return _COLUMNS[len(own)] if len(own) <= _LONG and own == _COLUMNS[len(own)] else own


def opponent(state: State, name: str) -> str:
    """Return the target of harm if none is named (FM-GEST-22; spec: engine 2.6).

    A monster's opponent is its target. A mage's is always the other mage in a duel; in a melee, nobody while more than
    two mages are left, then the first other one.
    """
    monster = state.monsters.get(name) if state.monsters else None
    if monster is not None:
        return monster.target
    mages = state.mages
    if len(mages) == 2:
        return mages[0] if mages[0] != name else mages[1]
    left = state.still_in
    if len(left) > 2:
        return NOBODY
    for other in left:
        if other != name:
            return other
    return NOBODY
