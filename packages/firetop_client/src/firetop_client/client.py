"""The two clients: every call of the API, the two streams, and orders for a battle that was read."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from types import TracebackType
from typing import Any

from firetop_client.calls import AsyncCalls, Calls
from firetop_client.models import Battle, Event, Receipt
from firetop_client.reading import read_value

# Of the stream of events, so that one that comes twice is told once.
REMEMBERED = 500


class Firetop(Calls):
    """A site, called as the owner of a token. Use it in one thread, or give each thread one of its own."""

    def __enter__(self) -> Firetop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def events(self, *, after: str = "") -> Iterator[Event]:
        """Yield what happens to you, for as long as you like: from now on, or after the event with this id. The
        connection is opened again whenever it breaks, and no event is missed or comes twice. Raises Problem."""
        known = Known(after)
        for message in self.stream("/events/", last=after):
            if known.is_new(message.id):
                yield read_value(Event, json.loads(message.data))

    def follow_battle(self, number: int, *, mage: str | None = None, last: str = "") -> Iterator[Battle]:
        """Yield the battle as you see it: now, and whenever it changes for you, until it is over. `last` is the id of
        the state that you have. Raises Problem."""
        for message in self.stream(f"/battles/{number}/stream/", query={"mage": mage}, last=last):
            battle = read_value(Battle, json.loads(message.data))
            yield battle
            if battle.is_over:
                return

    def turns(self, number: int, *, mage: str | None = None) -> Iterator[Battle]:
        """Yield the battle once for each stage in which it waits for your orders, and for each of your mages, until it
        is over. Raises Problem."""
        asked = ("", "")
        for battle in self.follow_battle(number, mage=mage):
            if battle.owes_orders and name_stage(battle) != asked:
                asked = name_stage(battle)
                yield battle

    def give_orders(self, battle: Battle, orders: str | Iterable[str], *, ready: bool = True) -> Receipt:
        """Give the mage whose orders the battle shows these as the whole sheet, for the stage that was read: orders
        that come too late never count for another turn. Raises Problem."""
        return self.send_orders(battle.battle, **write_orders(battle, orders, ready))


class AsyncFiretop(AsyncCalls):
    """A site, called as the owner of a token, for asyncio."""

    async def __aenter__(self) -> AsyncFiretop:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def events(self, *, after: str = "") -> AsyncIterator[Event]:
        """See Firetop.events."""
        known = Known(after)
        async for message in self.stream("/events/", last=after):
            if known.is_new(message.id):
                yield read_value(Event, json.loads(message.data))

    async def follow_battle(self, number: int, *, mage: str | None = None, last: str = "") -> AsyncIterator[Battle]:
        """See Firetop.follow_battle."""
        async for message in self.stream(f"/battles/{number}/stream/", query={"mage": mage}, last=last):
            battle = read_value(Battle, json.loads(message.data))
            yield battle
            if battle.is_over:
                return

    async def turns(self, number: int, *, mage: str | None = None) -> AsyncIterator[Battle]:
        """See Firetop.turns."""
        asked = ("", "")
        async for battle in self.follow_battle(number, mage=mage):
            if battle.owes_orders and name_stage(battle) != asked:
                asked = name_stage(battle)
                yield battle

    async def give_orders(self, battle: Battle, orders: str | Iterable[str], *, ready: bool = True) -> Receipt:
        """See Firetop.give_orders."""
        return await self.send_orders(battle.battle, **write_orders(battle, orders, ready))


class Known:
    """The ids of the latest events."""

    def __init__(self, after: str) -> None:
        self.ids = dict.fromkeys([after])

    def is_new(self, name: str) -> bool:
        """Return whether this event has not come yet, and remember it."""
        if name in self.ids:
            return False
        self.ids[name] = None
        if len(self.ids) > REMEMBERED:
            del self.ids[next(iter(self.ids))]
        return True


def name_stage(battle: Battle) -> tuple[str, str]:
    """Return which mage owes orders for which stage: a user can have several mages in a battle."""
    return battle.orders.mage if battle.orders is not None else "", str(battle.key)


def write_orders(battle: Battle, orders: str | Iterable[str], ready: bool) -> dict[str, Any]:
    """Return the arguments of send_orders."""
    mage = battle.orders.mage if battle.orders is not None else None
    text = orders if isinstance(orders, str) else "\n".join(orders)
    return {"orders": text, "mage": mage, "key": str(battle.key), "ready": ready, "replace": True}
