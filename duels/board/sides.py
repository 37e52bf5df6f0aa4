"""One mage's side of the board: name, hit points, what holds him, his beings, what threatens from his hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duels.board.names import spell_url
from duels.board.signs import HAND_WORDS, shown
from duels.board.strings import begun_as_seen

RULES = "/rules/"
BADLY_HURT = 5
# Of each mark the small drawing before its word, and the spell that tells what it does.
MARKS = {
    "afraid": ("mind", "Fear"),
    "blind": ("unseen", "Blindness"),
    "charmed": ("mind", "Charm Person"),
    "cold_resistant": ("guard", "Resist Cold"),
    "confused": ("mind", "Confusion"),
    "countering": ("guard", "Counter Spell"),
    "delay": ("clock", "Delay Effect"),
    "fast": ("clock", "Haste"),
    "forgetful": ("mind", "Amnesia"),
    "heat_resistant": ("guard", "Resist Heat"),
    "invisible": ("unseen", "Invisibility"),
    "maladroit": ("mind", "Maladroitness"),
    "paralysed": ("mind", "Paralysis"),
    "permanency": ("clock", "Permanency"),
    "poisoned": ("drop", "Poison"),
    "reflecting": ("guard", "Magic Mirror"),
    "shielded": ("guard", "Shield"),
    "sick": ("drop", "Disease"),
    "time_stopped": ("clock", "Time Stop"),
}


def make_chips(enchantments: Sequence[Any], rules: str = RULES) -> list[dict[str, str]]:
    """Each enchantment with the turns it has left and the way to its rule."""
    chips = []
    for enchantment in enchantments:
        if getattr(enchantment, "permanent", False):
            left = "permanent"
        else:
            turns = enchantment.turns
            left = f"{turns} turn{'' if turns == 1 else 's'} left" if turns and turns > 0 else ""
        icon, spell = MARKS.get(enchantment.mark, ("spark", ""))
        name = enchantment.name
        url = spell_url(spell, rules) if spell else ""
        chips.append({"icon": icon, "name": f"{name[:1].upper()}{name[1:]}", "left": left, "url": url})
    return chips


def make_side(
    mage: Any, position: int, state: str, strings: list[dict[str, Any]], rules: str = RULES
) -> dict[str, Any]:
    """What stands above or below the strings of one mage."""
    return {
        "name": mage.name,
        "initial": mage.name[:1].upper(),
        "colour": position % 8 + 1,
        "you": mage.mine,
        "hp": mage.hp,
        "max_hp": mage.max_hp,
        "ticks": [] if mage.hp is None else [k < mage.hp for k in range(max(mage.max_hp, mage.hp))],
        "badly_hurt": mage.hp is not None and 0 < mage.hp <= BADLY_HURT,
        "state": state,
        "chips": make_chips(mage.enchantments, rules),
        "letters": mage.letters,
        "notes": _banked(mage),
        "strings": strings,
        "threats": [],
        "beings": [],
    }


def _banked(mage: Any) -> list[dict[str, str]]:
    if not mage.banked:
        return []
    spell, target = mage.banked
    return [{"icon": "clock", "text": f"{spell} is held back" + (f", for {target}" if target else "")}]


def make_threats(mage: Any, book: Any, rules: str = RULES) -> list[dict[str, Any]]:
    """What one more gesture of each visible hand would complete; a spell of one gesture threatens always and nobody."""
    found = []
    for hand, own, other in (("LH", mage.left, mage.right), ("RH", mage.right, mage.left)):
        near = [series for series, made in begun_as_seen(own, other, book) if len(series.text) - made == 1]
        items = {(series.spell, series.text[-1]): _completion(series, rules) for series in near}
        if items:
            found.append({"hand": HAND_WORDS[hand], "slot": hand, "completions": list(items.values())})
    return found


def _completion(series: Any, rules: str) -> dict[str, Any]:
    last = series.text[-1]
    return {
        "letter": shown(last.upper()),
        "both": last.islower(),
        "spell": series.spell,
        "url": spell_url(series.spell, rules),
    }


def words_for(target: str) -> str:
    """A target in words: a being's name, or nobody."""
    return "nobody" if target.lower() in ("nobody", "noone", "-") else target


def make_being(monster: Any, question: dict[str, Any] | None, rules: str = RULES) -> dict[str, Any]:
    """A monster's row: whom it attacks, or the select to say so."""
    target = monster.target
    return {
        "name": monster.name,
        "hp": monster.hp,
        "letters": monster.letters,
        "chips": make_chips(monster.enchantments, rules),
        "question": question,
        "does": f"attacks {words_for(target)}" if target else "attacks nobody",
    }
