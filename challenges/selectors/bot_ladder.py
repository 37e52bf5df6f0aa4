"""The ladder of bots, and where each rating is in the drawing of its range."""

from dataclasses import dataclass
from datetime import date

from accounts.bots import BY_STRENGTH, describe_bot
from ladder.pool import PoolResult, list_pool_results
from ladder.selectors.bots import BotRating, list_bot_ratings

# The drawing of a rating and its range, in its own units.
WIDTH, EDGE = 200, 6


@dataclass(frozen=True)
class ShownBot:
    """A line of the ladder of bots: its place (None without a rating), and where its rating and the ends
    of its range are in the drawing."""

    place: int | None
    bot: BotRating
    words: str
    low: int = 0
    middle: int = 0
    high: int = 0


def list_bot_rows(*, today: date) -> list[ShownBot]:
    """Return the lines of the ladder, the highest rating first."""
    bots = list_bot_ratings(today=today)
    ends = [
        end for bot in bots if bot.rating and bot.margin for end in (bot.rating - bot.margin, bot.rating + bot.margin)
    ]
    low, high = min(ends, default=0), max(ends, default=1)
    scale = (WIDTH - 2 * EDGE) / max(high - low, 1)
    rows, words = [], {bot.strength: describe_bot(bot.strength) for bot in bots}
    for place, bot in enumerate(bots, start=1):
        if bot.rating is None or bot.margin is None:
            rows.append(ShownBot(None, bot, words[bot.strength]))
            continue
        marks = [
            round(EDGE + (each - low) * scale)
            for each in (bot.rating - bot.margin, bot.rating, bot.rating + bot.margin)
        ]
        rows.append(ShownBot(place, bot, words[bot.strength], *marks))
    return rows


@dataclass(frozen=True)
class PoolRow:
    """A program of the pool, and what each bot took from it, in the order of `list_pool_bots`."""

    program: str
    results: tuple[PoolResult | None, ...]


def list_pool_bots() -> list[str]:
    """Return the bots that have met the pool, the strongest first, as the ladder above the table has them."""
    return list(dict.fromkeys(result.bot for result in reversed(_list_met_programs())))


def list_pool_rows() -> list[PoolRow]:
    """Return the table of the pool, a row for each program."""
    found = {(result.bot, result.program): result for result in _list_met_programs()}
    programs = sorted({result.program for result in _list_met_programs()})
    return [PoolRow(name, tuple(found.get((bot, name)) for bot in list_pool_bots())) for name in programs]


def _list_met_programs() -> list[PoolResult]:
    return [result for result in list_pool_results() if result.program not in BY_STRENGTH]
