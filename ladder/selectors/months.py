"""What a month was like: who rose most and won most, and its longest duel. All of it is counted from rows, so a month
that is over stays as it is unless a result of it changes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.core.cache import cache
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, Sum

from accounts.models import Mage, User
from ladder.models import (
    BattleSide,
    CountedBattle,
    Placing,
    RatingEntry,
    RatingKind,
    Remembrance,
    ScoreEntry,
    ScoreKind,
)

# How many lines each list has.
MOST = 5
# Who rose from fewer rated duels is no news.
FEWEST_DUELS = 3
KEPT_SECONDS = 300


@dataclass(frozen=True, order=True)
class Month:
    """A calendar month of UTC."""

    first: date

    @classmethod
    def of(cls, moment: datetime) -> Month:
        return cls(moment.astimezone(UTC).date().replace(day=1))

    @property
    def begin(self) -> datetime:
        return datetime(self.first.year, self.first.month, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        return self.after.begin

    @property
    def after(self) -> Month:
        return Month((self.first + timedelta(days=31)).replace(day=1))

    @property
    def before(self) -> Month:
        return Month((self.first - timedelta(days=1)).replace(day=1))

    @property
    def key(self) -> str:
        """How addresses write it: "2026-11"."""
        return f"{self.first:%Y-%m}"


@dataclass(frozen=True)
class RatingRise:
    """A user whose duel rating rose, from their first to their last rated duel of the month."""

    user: User
    before: int
    after: int
    duels: int


@dataclass(frozen=True)
class RankRise:
    """A mage who rose among all living ones by their duel scores at the month's beginning and end."""

    mage: Mage
    before: int
    after: int
    gained: int


@dataclass(frozen=True)
class Wins:
    """How many battles that count a mage won against people."""

    mage: Mage
    wins: int


@dataclass(frozen=True)
class LongestDuel:
    number: int
    turns: int
    mages: tuple[Mage, ...]


@dataclass(frozen=True)
class MonthReport:
    """A month: battles that count among people, mages who died, and its lists, the highest first."""

    duels: int
    melees: int
    deaths: int
    rating_rises: tuple[RatingRise, ...]
    rank_rises: tuple[RankRise, ...]
    wins: tuple[Wins, ...]
    longest: LongestDuel | None


@dataclass(frozen=True)
class _Figures:
    """The same with the ids of users and mages: names are never older than the page."""

    duels: int
    melees: int
    deaths: int
    rating_rises: tuple[tuple[int, int, int, int], ...]
    rank_rises: tuple[tuple[int, int, int, int], ...]
    wins: tuple[tuple[int, int], ...]
    longest: tuple[int, int, tuple[int, ...]] | None


def find_first_month() -> Month | None:
    """Return the month in which the first battle ended; None before that."""
    first = CountedBattle.objects.aggregate(first=Min("finished_at"))["first"]
    return Month.of(first) if first else None


def read_month(month: Month) -> MonthReport:
    """Return what the month was like, with figures at most KEPT_SECONDS old."""
    key = f"month/{month.key}"
    figures: _Figures | None = cache.get(key)
    if figures is None:
        figures = _count(month)
        cache.set(key, figures, KEPT_SECONDS)
    longest = figures.longest
    pks = {row[0] for row in (*figures.rank_rises, *figures.wins)} | set(longest[2] if longest else ())
    mages = Mage.objects.select_related("user").in_bulk(pks)
    users = User.objects.in_bulk([row[0] for row in figures.rating_rises])
    return MonthReport(
        figures.duels,
        figures.melees,
        figures.deaths,
        tuple(RatingRise(users[pk], *row) for pk, *row in figures.rating_rises if pk in users),
        tuple(RankRise(mages[pk], *row) for pk, *row in figures.rank_rises if pk in mages),
        tuple(Wins(mages[pk], wins) for pk, wins in figures.wins if pk in mages),
        LongestDuel(longest[0], longest[1], tuple(mages[pk] for pk in longest[2] if pk in mages)) if longest else None,
    )


def _count(month: Month) -> _Figures:
    battles = CountedBattle.objects.filter(
        counts=True, with_bots=False, finished_at__gte=month.begin, finished_at__lt=month.end
    )
    kinds = dict(battles.order_by().values_list("kind").annotate(Count("pk")))
    died = Remembrance.objects.filter(died_at__gte=month.begin, died_at__lt=month.end)
    return _Figures(
        duels=kinds.get(ScoreKind.DUEL, 0),
        melees=kinds.get(ScoreKind.MELEE, 0),
        deaths=died.filter(mage__user__is_bot=False).count(),
        rating_rises=_list_rating_rises(month),
        rank_rises=_list_rank_rises(month),
        wins=_list_wins(month),
        longest=_find_longest(month),
    )


def _list_rating_rises(month: Month) -> tuple[tuple[int, int, int, int], ...]:
    """Return users (ids) with their rating before and after, and their rated duels. Entries follow each other, so the
    sum of their changes is the change."""
    entries = RatingEntry.objects.filter(
        kind=RatingKind.DUEL, ended_at__gte=month.begin, ended_at__lt=month.end, user__is_bot=False
    )
    risen = (
        entries.order_by()
        .values("user")
        .annotate(rise=Sum(F("rating") - F("rating_before")), duels=Count("pk"))
        .filter(duels__gte=FEWEST_DUELS, rise__gt=0)
        .order_by("-rise", "user")
        .values_list("user", "duels")[:MOST]
    )
    found = dict(risen)
    before: dict[int, float] = {}
    after: dict[int, float] = {}
    rows = entries.filter(user__in=found).order_by("ended_at", "battle")
    for user, rating_before, rating in rows.values_list("user", "rating_before", "rating"):
        before.setdefault(user, rating_before)
        after[user] = rating
    shown = ((user, round(before[user]), round(after[user]), duels) for user, duels in found.items())
    return tuple(row for row in shown if row[2] > row[1])


def _list_rank_rises(month: Month) -> tuple[tuple[int, int, int, int], ...]:
    """Return mages (ids) with their rank before and after, and the points that they gained. A mage without a battle
    before has the rank of a score of 0."""
    scores = (
        ScoreEntry.objects.filter(kind=ScoreKind.DUEL, created_at__lt=month.end)
        .filter(mage__user__is_bot=False, mage__user__is_guest=False)
        .exclude(mage__died_at__lt=month.begin)
        .order_by()
        .values("mage", "mage__died_at")
        .annotate(
            was=Sum("change", filter=Q(created_at__lt=month.begin), default=0),
            gained=Sum("change", filter=Q(created_at__gte=month.begin), default=0),
            had=Count("pk", filter=Q(created_at__lt=month.begin)),
        )
        .values_list("mage", "mage__died_at", "was", "gained", "had")
    )
    rows = list(scores)
    before = sorted(-was for _mage, _died, was, _gained, had in rows if had)
    living = [row for row in rows if row[1] is None or row[1] >= month.end]
    after = sorted(-(was + gained) for _mage, _died, was, gained, _had in living)
    ranks = [
        (mage, bisect_left(before, -was) + 1, bisect_left(after, -(was + gained)) + 1, gained)
        for mage, _died, was, gained, _had in living
        if gained > 0
    ]
    risen = [row for row in ranks if row[2] < row[1]]
    return tuple(sorted(risen, key=lambda row: (row[2] - row[1], row[2], row[0]))[:MOST])


def _list_wins(month: Month) -> tuple[tuple[int, int], ...]:
    """Return mages (ids) with their wins over people; one over a user whom they had beaten too often is none."""
    beaten = Placing.objects.filter(battle=OuterRef("battle"), won=False, is_repeated=False)
    counted = CountedBattle.objects.filter(counts=True, with_bots=False, number=OuterRef("battle__number"))
    won = Placing.objects.filter(
        Exists(beaten),
        Exists(counted),
        won=True,
        battle__annulled_at=None,
        battle__scored_at__gte=month.begin,
        battle__scored_at__lt=month.end,
    )
    ordered = won.order_by().values("mage").annotate(wins=Count("pk"), last=Max("battle__scored_at"))
    # Of equals, who was there first.
    return tuple(ordered.order_by("-wins", "last", "mage").values_list("mage", "wins")[:MOST])


def _find_longest(month: Month) -> tuple[int, int, tuple[int, ...]] | None:
    """Return the number of the longest duel, its turns and its mages (ids); of equals, the earlier one."""
    duels = CountedBattle.objects.filter(
        kind=ScoreKind.DUEL, counts=True, with_bots=False, finished_at__gte=month.begin, finished_at__lt=month.end
    )
    longest = duels.order_by("-turns", "number").values_list("number", "turns").first()
    if longest is None:
        return None
    mages = BattleSide.objects.filter(number=longest[0]).order_by("pk").values_list("mage", flat=True)
    return longest[0], longest[1], tuple(mages)
