"""The bridge: accepts challenges by the rules, and lets the program play every battle of the user's mages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

from firetop_client import AsyncFiretop, ClientError, Problem
from firetop_client.models import Battle, BattleSummary, Challenge

from firetop_bridge.accepting import find_invited, judge
from firetop_bridge.config import Config, check_names
from firetop_bridge.program import Program, ProgramFailed

log = logging.getLogger("firetop_bridge")
# The stream of events says at once what has happened. This often the bridge looks by itself, in case it missed it.
LOOK_SECONDS = 30.0
# The pause after a failure of the program, doubled each time.
FIRST_PAUSE = 1.0
# Refusals that usually mean: the battle has gone on since.
LATE = {"stale", "nothing_to_order", "too_late", "final"}


class Player:
    """One mage in one battle, played by a process of the program."""

    def __init__(self, site: AsyncFiretop, config: Config, number: int, mage: str) -> None:
        self.site, self.config, self.number, self.mage = site, config, number, mage
        self.program = Program(
            config.command, folder=config.folder, patience=config.patience, hidden=[config.token_env]
        )
        self.woken = asyncio.Event()
        # The stage in which the program has failed too often.
        self.given_up = ""
        # The last stage for which orders came too late.
        self.late = ""

    async def play(self) -> None:
        """Play until the battle is over. Whatever was missed is read from the site."""
        log.info("battle %d: %s plays", self.number, self.mage)
        try:
            while True:
                self.woken.clear()
                battle = await self._look()
                if battle is not None and battle.is_over:
                    share = find_share(battle, self.mage)
                    log.info("battle %d is over: %s has %.2f of the point", self.number, self.mage, share)
                    await self.program.tell_end(self.mage, share)
                    return
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self.woken.wait()
                except TimeoutError:
                    pass
        finally:
            await self.program.stop()

    async def _look(self) -> Battle | None:
        """Read the battle, and answer if it waits for the mage; None if the site could not be read."""
        try:
            battle = await self.site.read_battle(self.number, mage=self.mage)
            if battle.owes_orders and str(battle.key) != self.given_up:
                await self._answer(battle)
            elif battle.owes_orders and self.config.on_failure == "surrender":
                await self._surrender()
            return battle
        except ClientError as error:
            log.warning("battle %d: %s", self.number, error)
            return None

    async def _answer(self, battle: Battle) -> None:
        """Ask the program, as often as the configuration allows, and give its orders."""
        for attempt in range(self.config.tries):
            if attempt:
                await asyncio.sleep(FIRST_PAUSE * 2 ** (attempt - 1))
            try:
                await self._ask_and_give()
                return
            except ProgramFailed as failure:
                log.error("battle %d, turn %s: the program failed: %s", self.number, battle.turn, failure)
            except Problem as problem:
                if problem.code in LATE:
                    log.info("battle %d, turn %s: the orders came too late: %s", self.number, battle.turn, problem)
                    # At once only the first time: the stage may last until the site has noticed that it is over.
                    if str(battle.key) != self.late:
                        self.late = str(battle.key)
                        self.woken.set()
                    return
                if problem.status not in (400, 413, 422):
                    raise
                log.error("battle %d, turn %s: the orders are refused:\n%s", self.number, battle.turn, problem)
                await self.program.stop()
        self.given_up = str(battle.key)
        if self.config.on_failure == "surrender":
            await self._surrender()
        else:
            log.error("battle %d: the orders of turn %s are left to you", self.number, battle.turn)

    async def _surrender(self) -> None:
        """Give up in the stage in which the program has failed, at each look until the site takes it."""
        log.error("battle %d: %s surrenders", self.number, self.mage)
        await self.site.surrender(self.number, mage=self.mage, key=self.given_up)

    async def _ask_and_give(self) -> None:
        path = f"/battles/{self.number}/position/"
        # As it comes, so that the program gets what is newer than this bridge too.
        position = await self.site.call("GET", path, dict[str, Any], query={"mage": self.mage})
        key = str(position.pop("key"))
        lines = await self.program.ask({name: each for name, each in position.items() if name != "battle"})
        orders = "\n".join(lines)
        receipt = await self.site.send_orders(
            self.number, orders=orders, mage=self.mage, key=key, ready=True, replace=True
        )
        for warning in receipt.warnings:
            log.info("battle %d, turn %s: %s", self.number, receipt.turn, warning.message)
        if receipt.missing:
            await self.program.stop()
            raise ProgramFailed(f"its orders answer nothing to {', '.join(each.id for each in receipt.missing)}")
        if receipt.outcome == "resolved":
            self.woken.set()


class Bridge:
    """Everything that one configuration plays."""

    def __init__(self, site: AsyncFiretop, config: Config, *, most_battles: int | None = None) -> None:
        self.site, self.config, self.most_battles = site, config, most_battles
        self.players: dict[tuple[int, str], asyncio.Task[None]] = {}
        self.wakers: dict[int, list[Player]] = {}
        self.finished = 0
        self.changed = asyncio.Event()
        # Those that were refused once are not judged again until they change, or other mages may join: their revision,
        # and who could.
        self.refused: dict[int, tuple[int, list[str]]] = {}

    async def run(self) -> None:
        """Play until cancelled, or until `most_battles` are over. Raises ConfigError, Problem."""
        await self.check()
        listening = asyncio.create_task(self._listen())
        try:
            while self.most_battles is None or self.finished < self.most_battles:
                self.changed.clear()
                if listening.done():
                    listening.result()  # raises what ended it
                try:
                    await self.look()
                except ClientError as error:
                    if isinstance(error, Problem) and error.status in (401, 403):
                        raise
                    log.warning("%s", error)
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self.changed.wait()
                except TimeoutError:
                    pass
        finally:
            tasks = [listening, *self.players.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def check(self) -> None:
        """Compare the configuration with the site. Raises ConfigError, Problem."""
        described = await self.site.call("GET", "/openapi.json", dict[str, Any])
        members = described["components"]["schemas"]["Challenge"]["properties"]
        known = {
            f"{name}s".replace("stakess", "stakes"): members[name]["enum"] for name in ("ruleset", "pace", "stakes")
        }
        me = await self.site.read_me()
        scopes = me.token.scopes if me.token is not None else []
        self.config = check_names(self.config, known, [mage.name for mage in me.mages if not mage.retired], scopes)
        log.info("playing as %s on %s", me.user, self.config.url)

    async def look(self) -> None:
        """Begin to play the battles that run, and answer the challenges."""
        listed = await self.site.list_battles()
        for row in listed.battles:
            self._begin(row)
        challenges = (await self.site.list_challenges()).challenges
        own = {mage.name for mage in (await self.site.read_me()).mages if self._plays(mage.name)}
        waiting = len({seat.mage for each in challenges for seat in each.seats if seat.state == "joined"} & own)
        for each in challenges:
            waiting += await self._judge(each, own, busy=len(self.players) + waiting)

    def _plays(self, mage: str) -> bool:
        return not self.config.mages or mage in self.config.mages

    def _begin(self, row: BattleSummary) -> None:
        if row.status not in ("running", "stuck"):
            return
        for mage in row.you:
            if not self._plays(mage) or (row.battle, mage) in self.players:
                continue
            player = Player(self.site, self.config, row.battle, mage)
            self.wakers.setdefault(row.battle, []).append(player)
            task = asyncio.create_task(player.play())
            self.players[row.battle, mage] = task
            task.add_done_callback(partial(self._end, (row.battle, mage)))

    def _end(self, place: tuple[int, str], _task: asyncio.Task[None]) -> None:
        task = self.players.pop(place)
        self.wakers[place[0]] = [each for each in self.wakers[place[0]] if each.mage != place[1]]
        if not task.cancelled():
            if task.exception() is not None:
                log.error("battle %d stopped", place[0], exc_info=task.exception())
            else:
                self.finished += 1
        self.changed.set()

    async def _judge(self, challenge: Challenge, own: set[str], *, busy: int) -> bool:
        """Accept a challenge, decline it, or leave it alone; return whether one of the `own` mages has joined it."""
        number, invited = challenge.challenge, find_invited(challenge, own)
        state = (challenge.revision, [name for name in challenge.may_join if name in own])
        if self.refused.get(number) == state or not state[1]:
            return False
        verdict = judge(challenge, self.config.rules, mages=own)
        if verdict.mage and busy >= self.config.at_once:
            return False  # when there is room again
        try:
            if verdict.mage:
                await self.site.accept_challenge(number, mage=verdict.mage, terms_key=challenge.terms_key)
                log.info("challenge %d: %s joins", number, verdict.mage)
                self.changed.set()
                return True
            log.info("challenge %d is not accepted: %s", number, verdict.broken)
            if invited and self.config.rules.decline:
                reason: Mapping[str, Any] = {"reason": verdict.reason} if verdict.reason else {}
                for mage in invited:
                    await self.site.decline_challenge(number, mage=mage, **reason)
        except Problem as problem:
            if problem.status == 429 or problem.status >= 500:
                raise  # the site is busy, so try again at the next look
            log.warning("challenge %d: %s", number, problem)
        self.refused[number] = state
        return False

    async def _listen(self) -> None:
        """Wake whatever an event is about."""
        async for event in self.site.events():
            for player in self.wakers.get(event.battle or 0, ()):
                player.woken.set()
            self.changed.set()


def find_share(battle: Battle, mage: str) -> float:
    """Return the mage's part of the point, as a match counts it: all who stand at the end share it, or everyone."""
    best = [each.name for each in battle.mages if each.standing == "victorious"]
    best = best or [each.name for each in battle.mages]
    return 1.0 / len(best) if mage in best else 0.0
