"""How a battle ended for a player and what that cost, in words for the home page."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from duels.board.names import listed
from duels.selectors import ResultNews


@dataclass(frozen=True)
class ResultRow:
    """One result: a headline, what happened, what it cost. `runs`: the battle continues without the mage."""

    number: int
    headline: str
    title: str
    happened: str
    cost: str
    is_dead: bool
    runs: bool
    ended_at: datetime.datetime | None


def describe_result(news: ResultNews) -> ResultRow:
    """Return the row of one result."""
    return ResultRow(
        number=news.number,
        headline=_headline(news),
        title=f"{news.battle} against {listed(news.others)}",
        happened=_happened(news),
        cost=_cost(news),
        is_dead=news.is_dead,
        runs=news.ended_at is None,
        ended_at=news.ended_at,
    )


def call_results(news: Sequence[ResultNews]) -> str:
    """What the page calls out: the one result, or how many there are."""
    if len(news) == 1:
        return _headline(news[0])
    dead = [row.mage for row in news if row.is_dead]
    if dead:
        return f"{listed(dead)} {'is' if len(dead) == 1 else 'are'} dead"
    return f"{len(news)} battles have ended"


def _headline(news: ResultNews) -> str:
    if news.ended_at is None:
        return f"{news.mage} died in {news.battle}"
    if news.battle.status == "annulled":
        return f"{news.battle} is annulled"
    if news.is_dead:
        return f"{news.mage} is dead"
    if news.has_won:
        return f"{news.mage} has won {news.battle}"
    if news.standing in ("dead", "surrendered"):
        return f"{news.mage} has lost {news.battle}"
    return f"{news.battle} ended without a winner" if not _winners(news) else f"{news.mage} has lost {news.battle}"


def _winners(news: ResultNews) -> list[str]:
    winners = (news.battle.result or {}).get("winners")
    return [str(name) for name in winners] if isinstance(winners, list | tuple) else []


def _happened(news: ResultNews) -> str:
    said = []
    if news.battle.status == "annulled":
        return "A janitor annulled it. It does not count."
    if news.was_late:
        said.append(f"{news.mage} died because no orders came before the deadline.")
    elif news.standing == "dead":
        said.append(f"{news.mage} was killed.")
    elif news.standing == "surrendered":
        said.append(f"{news.mage} surrendered.")
    if news.ended_at is None:
        said.append("The battle continues.")
    elif not news.has_won:
        winners = _winners(news)
        said.append(f"Victory to {listed(winners)}." if winners else "Nobody won.")
    return " ".join(said)


def _cost(news: ResultNews) -> str:
    if news.battle.status == "annulled":
        return ""
    if news.ended_at is None:
        return "The cost is settled when the battle ends."
    if news.is_dead:
        gone = news.score[0] if news.score else 0
        points = f" {news.mage}'s score of {gone} is lost." if gone else ""
        return f"A dead mage cannot fight again.{points} Your other mages and your account stay."
    said = []
    if news.standing == "dead":
        said.append(f"The death was not real: {news.mage} lives.")
    if not news.ranked or news.score is None:
        said.append("No score was at stake.")
    else:
        before, after = news.score
        said.append(f"Score: {before} to {after}." if before != after else f"The score stays at {after}.")
    return " ".join(said)
