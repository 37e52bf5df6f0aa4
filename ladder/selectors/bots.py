"""Read the ladder of bots: their ratings with bots, how certain these are, and how often the bots met."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, datetime

from accounts.arms.blazons import blazon_bot
from accounts.models import User
from ladder.models import Placing, RatingEntry, ScoredBattle, UserRating
from ladder.pool import ABOUT, find_start
from ladder.selectors.ratings import describe_rating
from ladder.stakes import BOTS, WITH_BOTS

# The rating is within this many deviations with a probability of 95 %.
SURE = 1.96
MOST_ROWS = 200


@dataclass(frozen=True)
class BotRating:
    """A bot on the ladder of bots. The rating is right within `margin` with 95 %. A bot of the site starts with a
    rating from the pool; `is_about` until it has played enough. `strength` is "" for the bot of a user."""

    name: str
    strength: str
    rating: int | None = None
    margin: int | None = None
    battles: int = 0

    @property
    def is_about(self) -> bool:
        return bool(self.strength) and self.rating is not None and self.battles < ABOUT

    @property
    def arms(self) -> str:
        return blazon_bot(self.name, self.strength)


def list_bot_ratings(*, today: date) -> list[BotRating]:
    """Return the site's bots, and users' bots that have played rated battles, the highest rating first."""
    ratings = []
    rated = {row.user_id: row for row in UserRating.objects.filter(kind="bots", user__is_bot=True)}
    for user in User.objects.filter(is_bot=True, is_active=True).order_by("pk"):
        row = rated.get(user.pk)
        if row is None:
            ratings += [_before_any_battle(user)] if user.bot_strength else []
            continue
        shown = describe_rating(row, today=today)
        margin = margin_of(shown.deviation)
        ratings.append(BotRating(user.username, user.bot_strength, shown.rating, margin, shown.battles))
    ordered = sorted(ratings, key=lambda bot: (bot.rating is None, -(bot.rating or 0)))
    return ordered[:MOST_ROWS]


def _before_any_battle(bot: User) -> BotRating:
    start = find_start(bot.bot_strength)
    if start is None:
        return BotRating(bot.username, bot.bot_strength)
    return BotRating(bot.username, bot.bot_strength, round(start.rating), margin_of(start.deviation))


def margin_of(deviation: float) -> int:
    """Return half the range that contains a rating with that deviation with a probability of 95 %."""
    return round(SURE * deviation)


def count_bot_meetings() -> dict[frozenset[str], int]:
    """Return how often two of the site's bots met in rated battles that are over, by their strengths."""
    rows = Placing.objects.filter(battle__stakes=BOTS, battle__annulled_at=None).exclude(user__bot_strength="")
    met: dict[int, set[str]] = defaultdict(set)
    for battle, strength in rows.values_list("battle_id", "user__bot_strength"):
        met[battle].add(strength)
    return Counter(frozenset(each) for each in met.values() if len(each) > 1)


def find_last_rated_with_bots() -> datetime | None:
    """Return the end of the last battle that counts in the ratings with bots."""
    last = RatingEntry.objects.filter(kind="bots").order_by("-ended_at").values_list("ended_at", flat=True)
    return last.first()


def count_rated_with_bots() -> tuple[int, int]:
    """Return how many rated battles bots played with each other, and how many with people."""
    rated = ScoredBattle.objects.filter(stakes__in=WITH_BOTS, annulled_at=None, practice=False)
    mixed = rated.filter(placings__user__is_bot=False).distinct().count()
    return rated.count() - mixed, mixed
