"""What a ruleset is: a base and named differences (DESIGN: commitment 3).

`Rules` are the points on which rulesets differ, each a value with a name. A ruleset's own file says which values it
has; nothing anywhere else asks a ruleset for its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from rules_engine.spells import Book, Spell

if TYPE_CHECKING:
    from rules_engine.turn import Turn

    Step = Callable[[Turn], object]


@dataclass(frozen=True, slots=True)
class Rules:
    """The named points of difference. The defaults are the reading of document 000."""

    paralysis: Mapping[str, str] = field(default_factory=lambda: {"C": "F", "S": "D", "W": "P"})
    """What a paralysed hand's gesture turns into (FM-PARA-4..7)."""
    spells_miss_the_invisible: bool = True
    """Spells aimed at an invisible mage miss (FM-INVIS-6)."""
    invisible_work_is_hidden: bool = True
    """What an invisible mage's spell does to nobody visible is not seen (FM-INVIS-5)."""
    stopped_turn_is_announced: bool = False
    """Everybody is told who moves outside time (against FM-TIMESTOP-3)."""
    stopped_turn_uses_up_its_own: bool = True
    """What is set in a stopped turn runs down at its end; otherwise it lasts a turn longer (B8)."""
    resist_destroys_elemental: bool = True
    """A Resist at the elemental of its kind destroys it (FM-RHEAT-5, FM-RCOLD-3; B1)."""
    broken_pair_frees_hands: bool = True
    """A hand freed by a broken two-handed spell is offered its own (FM-GEST-16; B4)."""
    delay_order_expires: bool = True
    """A DELAY order for a hand that completes nothing ends with the turn (FM-DELAY-3; B6)."""
    raised_starts_afresh: bool = True
    """A raised mage's old surrender is forgotten (FM-RAISE-5; B7)."""
    stunned_monsters_lose_second_strike: bool = True
    """Paralysis, Amnesia and Fear stop a monster's second strike too (FM-PARA-8; B9)."""
    paralyses_cancel_alone: bool = True
    """Two cancelled Paralyses leave a third, different mind spell alone (FM-PARA-9; B11)."""
    newborn_of_reflected: str = "summoner"
    """Whose hand a creature counts for after a mirror: "summoner" or "mirror" (FM-ORDMOVE-13; B13)."""
    elementals_can_be_given_monsters: bool = False
    """A summons may be cast at an elemental (against FM-GOBLIN-7)."""
    powers_work_on_wizards_only: bool = True
    """Permanency and Delay Effect have no effect on monsters (FM-PERM-2, FM-DELAY-2)."""
    dispel_needs_no_target: bool = True
    """A Dispel Magic at nobody works and shields nobody (FM-DISPEL-2)."""
    dispel_is_irresistible: bool = True
    """Counters and mirrors left from before do not touch a Dispel Magic's shield (FM-DISPEL-7, FM-DISPEL-8)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which a ruleset departs from its base, as players are told it, with its clause or ruling."""

    text: str
    clause: str


@dataclass(frozen=True)
class Ruleset:
    """A complete set of rules, pinned by battles as (name, edition)."""

    name: str
    edition: int
    title: str
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

    @cached_property
    def book(self) -> Book:
        """The automaton of the series, made when it is first asked for."""
        return Book(self.series, self.once)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The spells that can be made, in their order of effect."""
        made = set(self.series.values())
        return tuple(name for name in self.spells if name in made)

    def steps(self, extra: str) -> tuple[Step, ...]:
        """The order of a turn of this kind: "" normal, "H" hastened, "T" stopped."""
        return {"": self.normal, "H": self.hastened, "T": self.stopped}[extra]
