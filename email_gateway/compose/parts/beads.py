"""Gesture strings as beads of an HTML email: letters in cells, dark if they completed a spell."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.arms.blazons import State, change_state
from duels.names import read_banked
from duels.selectors.battle_view import BattleView
from email_gateway.compose.parts.classic import describe_state, sort_mages, write_turns
from email_gateway.compose.parts.view_protocols import SeenMage, SeenMonster

# How many fit beside their label at 320 pixels.
MOST_BEADS = 7


@dataclass(frozen=True)
class Bead:
    letter: str
    dark: bool


@dataclass(frozen=True)
class Strings:
    """One mage in an HTML email."""

    name: str
    user: str
    arms: str
    mine: bool
    state: str
    left: tuple[Bead, ...]
    right: tuple[Bead, ...]


def list_strings(view: BattleView) -> list[Strings]:
    """Return the mages as the reader may see them: opponents first, their own last, as on the battle page."""
    mages = sorted(sort_mages(view), key=lambda mage: mage.mine)
    users = {row.name: row.user for row in view.combatants}
    arms = {row.name: row.arms for row in view.combatants}
    return [
        Strings(
            name=mage.name,
            user=users[mage.name],
            arms=change_state(arms[mage.name], State.DEAD) if mage.standing == "dead" else arms[mage.name],
            mine=mage.mine,
            state=", ".join(describe_mage(view, mage)),
            left=string_beads(view, mage, "LH", mage.left),
            right=string_beads(view, mage, "RH", mage.right),
        )
        for mage in mages
    ]


def describe_mage(view: BattleView, mage: SeenMage) -> Iterator[str]:
    if mage.hp is None:
        yield _("out of your sight")
    else:
        points = _("%(points)s of %(most)s hit points") % {"points": mage.hp, "most": mage.max_hp}
        yield f"{points} {mage.letters}".rstrip()
        for one in mage.enchantments:
            yield f"{one.name} ({write_turns(one)})"
    if mage.banked:
        yield _("%(spell)s banked, at %(target)s") % read_banked(mage.banked)
    yield describe_state(view, mage)


def describe_monster(monster: SeenMonster) -> str:
    """Describe a creature: its master, its condition, and its target."""
    words = [monster.name]
    if monster.controller:
        words[0] = _("%(mage)s's %(creature)s") % {"mage": monster.controller, "creature": monster.name}
    points = ngettext("%(count)s hit point", "%(count)s hit points", monster.hp)
    words.append(f"{points % {'count': monster.hp}} {monster.letters}".rstrip())
    words += [f"{one.name} ({write_turns(one)})" for one in monster.enchantments]
    if monster.target:
        words.append(_("attacks %(target)s") % {"target": monster.target})
    elif monster.controller:
        words.append(_("attacks nobody"))
    return f"{', '.join(words)}."


def string_beads(view: BattleView, mage: SeenMage, hand: str, letters: str) -> tuple[Bead, ...]:
    dark = find_dark_columns(view, mage.name, hand)
    beads = [Bead(letter, place in dark) for place, letter in enumerate(letters)]
    return tuple(beads[-MOST_BEADS:])


def find_dark_columns(view: BattleView, mage: str, hand: str) -> set[int]:
    """Return the columns in which this hand completed a spell that the reader knows of."""
    labels = {turn.seq: turn.label for turn in view.turns}
    columns = list(view.view.columns)
    dark = set()
    for seq, hands in view.casts.get(mage, {}).items():
        label = labels.get(seq)
        if label in columns and (hand in hands or "BH" in hands):
            dark.add(columns.index(label))
        if label in columns and (f"{hand}2" in hands or "BH2" in hands):  # the second pair of that turn
            dark.add(columns.index(label) + 1)
    return dark
