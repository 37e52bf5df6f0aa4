"""Dice that answer the engine's keys from a record."""

from collections.abc import Sequence
from typing import Any

from rules_engine.beings import COLOURS
from rules_engine.dice import Roll
from rules_engine.errors import UnrecordedRoll
from tests.conformance.records import Chance


class RecordedDice:
    """The rolls of one recorded turn. Raises UnrecordedRoll if the record lacks a roll."""

    def __init__(self, chance: Chance) -> None:
        self._answers: dict[tuple[str, str], Any] = {
            **{("paralysed hand", mage): hand for mage, hand in chance.paralysis.items()},
            **{("confused monster", monster): target for monster, target in chance.monster_targets.items()},
        }
        for mage, (hand, gesture) in chance.confusion.items():
            self._answers["confused hand", mage] = hand
            self._answers["confused gesture", mage] = gesture
        self._opponents = chance.opponents
        self.rolls: list[Roll] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """The recorded result; it must be one of `options`."""
        picked = self._answers.get((purpose, who)) or self._opponents.get(who.partition(" ")[0])
        if picked is None and len(options) == 1:
            picked = options[0]
        if picked is None:
            raise UnrecordedRoll(f"the record has no {purpose} for {who}")
        if picked not in options:
            raise UnrecordedRoll(f"the record has {picked} as the {purpose} for {who}, the rules offer {options}")
        self.rolls.append({"purpose": purpose, "who": who, "picked": picked})
        return picked


class StartingDice:
    """The one roll before a battle: how far to rotate the list of monster colours."""

    def __init__(self, colours: int) -> None:
        self._colours = colours
        self.rolls: list[Roll] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """The option at the recorded index; there is one for each rotation of the list."""
        return options[self._colours % len(COLOURS)]
