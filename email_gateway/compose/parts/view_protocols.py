"""Protocols for the parts of a view's mages and monsters that emails use: the engine is two layers below."""

from collections.abc import Sequence
from typing import Protocol


class SeenEnchantment(Protocol):
    """An enchantment on a being."""

    @property
    def name(self) -> str: ...
    @property
    def turns(self) -> int: ...
    @property
    def permanent(self) -> bool: ...


class SeenBeing(Protocol):
    """The attributes that mages and monsters share."""

    @property
    def name(self) -> str: ...
    @property
    def enchantments(self) -> Sequence[SeenEnchantment]: ...
    @property
    def letters(self) -> str: ...


class SeenMage(SeenBeing, Protocol):
    """A mage as the reader may see it; `hp` is None out of sight."""

    @property
    def hp(self) -> int | None: ...
    @property
    def max_hp(self) -> int: ...
    @property
    def standing(self) -> str: ...
    @property
    def banked(self) -> tuple[str, str] | None: ...
    @property
    def left(self) -> str: ...
    @property
    def right(self) -> str: ...
    @property
    def mine(self) -> bool: ...


class SeenMonster(SeenBeing, Protocol):
    """A monster as the reader may see it."""

    @property
    def hp(self) -> int: ...
    @property
    def controller(self) -> str: ...
    @property
    def target(self) -> str: ...
