"""The two sides of the board: each mage with hit points, enchantments, strings, creatures and threats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.board.columns import Column
from duels.board.dangers import ShownDanger, are_many
from duels.board.links import mage_spot, spell_url
from duels.board.pads import ShownQuestion
from duels.board.parts import Part
from duels.board.strings import HandString
from duels.names import read_banked
from rules_engine import Enchantment, MageView, MonsterView
from rules_engine.rulesets import SPELL_MARKS
from rules_engine.schools import name_sign

BADLY_HURT = 5
COLOURS = 8
# The spell that explains each enchantment. Two leave a shield; Shield is the later one.
_SPELLS = {mark: spell for spell, mark in SPELL_MARKS.items()}
ICONS = {
    "afraid": "mind",
    "blind": "unseen",
    "charmed": "mind",
    "cold_resistant": "guard",
    "confused": "mind",
    "countering": "guard",
    "delay": "clock",
    "fast": "clock",
    "forgetful": "mind",
    "heat_resistant": "guard",
    "invisible": "unseen",
    "maladroit": "mind",
    "paralysed": "mind",
    "permanency": "clock",
    "poisoned": "drop",
    "reflecting": "guard",
    "shielded": "guard",
    "sick": "drop",
    "time_stopped": "clock",
}


@dataclass(frozen=True)
class Chip:
    """An enchantment: the sign of its spell's school, the turns it has left, and the link to its rule."""

    icon: str
    sign: str
    name: str
    left: str
    url: str


@dataclass(frozen=True)
class SideNote:
    """Another effect on a mage, in words."""

    icon: str
    text: str


@dataclass(frozen=True)
class ShownBeing:
    """A creature and its target. `slot`: the viewer commands it, and its target changes with their orders."""

    name: str
    hp: int
    letters: str
    chips: tuple[Chip, ...]
    slot: str
    does: str

    @property
    def spot(self) -> str:
        """Its anchor on the page, by which the story points at it."""
        return f"being-{self.name}"


@dataclass(frozen=True)
class Side:
    """One mage. `state` is thinking, ready, dead, surrendered, victorious or ""; `kept` the share of turns kept."""

    name: str
    arms: str
    colour: int
    you: bool
    hp: int | None
    max_hp: int
    ticks: tuple[bool, ...]
    badly_hurt: bool
    state: str
    chips: tuple[Chip, ...]
    letters: str
    notes: tuple[SideNote, ...]
    strings: tuple[HandString, ...]
    dangers: tuple[ShownDanger, ...]
    beings: tuple[ShownBeing, ...]
    kept: str
    is_bot: bool = False
    # Hit points before the last turn, if it changed them and the viewer knows both.
    was: int | None = None

    @property
    def spot(self) -> str:
        """Its anchor on the page, by which the story points at it."""
        return mage_spot(self.name)

    @property
    def tick_looks(self) -> tuple[str, ...]:
        """How each tick of the hit points looks: "", "lost" before the last turn, "gone" or "healed" in it."""
        if self.hp is None:
            return ()
        was = self.hp if self.was is None else self.was
        shown = range(max(len(self.ticks), was))
        return tuple(("healed" if k >= was else "") if k < self.hp else "gone" if k < was else "lost" for k in shown)

    @property
    def has_many_dangers(self) -> bool:
        """Whether a hand threatens too much to say it beside its string."""
        return are_many(self.dangers)

    @property
    def head(self) -> Side:
        """The mage without the strings, which change with every choice of a gesture."""
        return replace(self, strings=())


@dataclass(frozen=True)
class Masterless:
    """The creatures without a master."""

    beings: tuple[ShownBeing, ...]


@dataclass(frozen=True)
class Sides(Part):
    """The board: the others above, the viewer (for a spectator the last mage) below, the turn numbers between them."""

    above: tuple[Side, ...]
    below: Side
    columns: tuple[Column, ...]
    masterless: Masterless | None
    melee: bool
    over: bool
    sealed: bool


def make_chips(enchantments: Sequence[Enchantment], rules: str) -> tuple[Chip, ...]:
    """Return a chip for each enchantment; `rules` is the page of the battle's rules."""
    return tuple(_make_chip(enchantment, rules) for enchantment in enchantments)


def _make_chip(enchantment: Enchantment, rules: str) -> Chip:
    turns, left = enchantment.turns, ""
    if enchantment.permanent:
        left = _("permanent")
    elif turns > 0:
        left = ngettext("%(n)s turn left", "%(n)s turns left", turns) % {"n": turns}
    icon, spell = ICONS.get(enchantment.mark, "spark"), _SPELLS.get(enchantment.mark, "")
    name = enchantment.label
    sign, url = (name_sign(spell), spell_url(spell, rules)) if spell else ("", "")
    return Chip(icon, sign, f"{name[:1].upper()}{name[1:]}", left, url)


def make_side(
    mage: MageView,
    *,
    position: int,
    state: str,
    you: bool,
    strings: tuple[HandString, ...],
    dangers: tuple[ShownDanger, ...],
    beings: tuple[ShownBeing, ...],
    kept: str,
    rules: str,
    arms: str,
    is_bot: bool = False,
    was: int | None = None,
) -> Side:
    """Return the side of one mage, the `position`-th of the battle; `was` is how many hit points they had before the
    last turn, if the viewer knows it."""
    return Side(
        name=mage.name,
        arms=arms,
        colour=position % COLOURS + 1,
        you=you,
        hp=mage.hp,
        max_hp=mage.max_hp,
        ticks=() if mage.hp is None else tuple(k < mage.hp for k in range(max(mage.max_hp, mage.hp))),
        badly_hurt=mage.hp is not None and 0 < mage.hp <= BADLY_HURT,
        state=state,
        chips=make_chips(mage.enchantments, rules),
        letters=mage.letters,
        notes=_make_notes(mage),
        strings=strings,
        dangers=dangers,
        beings=beings,
        kept=kept,
        is_bot=is_bot,
        was=was if mage.hp is not None and was != mage.hp else None,
    )


def _make_notes(mage: MageView) -> tuple[SideNote, ...]:
    if not mage.banked:
        return ()
    banked = read_banked(mage.banked)
    words = _("%(spell)s is banked, aimed at %(target)s") if banked["target"] else _("%(spell)s is banked")
    return (SideNote("clock", words % banked),)


def _name_attack(target: str | None, me: str | None) -> str:
    """Describe a creature's target: the viewer's mage, a name, or nobody."""
    if not target or target.lower() in ("nobody", "noone", "-"):
        return _("attacks nobody")
    if target == me:
        return _("attacks you")
    return _("attacks %(target)s") % {"target": target}


def make_being(monster: MonsterView, question: ShownQuestion | None, rules: str, me: str | None) -> ShownBeing:
    """Return the row of a creature, as the mage `me` sees it.

    With a `question`, its target is the owner's choice there.
    """
    chosen = next((option.label for option in question.options if option.selected), "") if question else ""
    return ShownBeing(
        name=monster.name,
        hp=monster.hp,
        letters=monster.letters,
        chips=make_chips(monster.enchantments, rules),
        slot=question.field if question else "",
        does=_name_attack(chosen or monster.target, me),
    )
