"""The ladder of bots, and where each rating is in the drawing of its range."""

from dataclasses import dataclass
from datetime import date

from accounts.bots import describe_bot
from ladder.selectors.bots import BotRating, list_bot_ratings

# The drawing of a rating and its range, in its own units.
WIDTH, EDGE = 200, 6


@dataclass(frozen=True)
class ShownBot:
    """A line of the ladder of bots: its place (None before its first rated battle), and where its rating and the ends
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
