"""Read the statistics of all counted battles, for pages and emails."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, Sum

from accounts.models import User
from ladder.models import BattleSide, CountDue, EndingFigure, Opening, OpeningReply, ScoreKind, SpellFigure
from ladder.selectors.search import EVERYTHING, RARE

# How many of a user's duels are compared with those of everyone.
MOST_OWN = 5000


@dataclass(frozen=True)
class ShownSpell:
    """The results of a spell: how often it was cast, and how often with each result; percentages are of all casts."""

    spell: str
    cast: int
    worked: int
    countered: int
    reflected: int
    shielded: int
    failed: int

    @property
    def percent_worked(self) -> int:
        return share(self.worked, self.cast)

    @property
    def percent_countered(self) -> int:
        return share(self.countered, self.cast)

    @property
    def percent_reflected(self) -> int:
        return share(self.reflected, self.cast)

    @property
    def percent_shielded(self) -> int:
        return share(self.shielded, self.cast)

    @property
    def percent_failed(self) -> int:
        return share(self.failed, self.cast)


@dataclass(frozen=True)
class ShownLength:
    """How many battles ended after this many turns."""

    turns: int
    battles: int


@dataclass(frozen=True)
class LengthFigures:
    """Lengths of battles: their number, the median and the longest, and a row for each length."""

    battles: int
    median: int
    longest: int
    rows: tuple[ShownLength, ...]


@dataclass(frozen=True)
class ShownOpening:
    """One continuation of an opening: the whole line, its last pair, and the results of mages who played it."""

    line: str
    pair: str
    played: int
    won: int
    lost: int
    drew: int

    @property
    def percent_won(self) -> int:
        return share(self.won, self.played)

    @property
    def percent_drew(self) -> int:
        """Return 100 less the rounded shares of wins and losses."""
        return max(0, 100 - self.percent_won - share(self.lost, self.played)) if self.drew else 0


def share(part: int, whole: int) -> int:
    """Return `part` as a percentage of `whole`, rounded; 0 if `whole` is 0."""
    return (200 * part + whole) // (2 * whole) if whole else 0


def list_counts_due(*, limit: int, tried_before: datetime | None = None) -> list[tuple[int, int]]:
    """Return the battles that are due to be counted and how often that was requested, those tried longest ago first."""
    due = CountDue.objects.all()
    if tried_before is not None:
        due = due.filter(Q(tried_at=None) | Q(tried_at__lt=tried_before))
    return list(due.order_by(F("tried_at").asc(nulls_first=True), "battle").values_list("battle", "times")[:limit])


def list_rulesets_counted() -> list[str]:
    """Return the rulesets with a counted battle, by name."""
    return list(SpellFigure.objects.order_by("ruleset").values_list("ruleset", flat=True).distinct())


def list_spell_figures(*, ruleset: str = "") -> list[ShownSpell]:
    """Return the statistics of each spell, for one ruleset or all, the most cast first, then by name."""
    rows = SpellFigure.objects.filter(ruleset=ruleset) if ruleset else SpellFigure.objects.all()
    sums = rows.order_by().values_list("spell").annotate(*(Sum(fate) for fate in SpellFigure.FATES))
    figures = [ShownSpell(*row) for row in sums]
    return sorted(figures, key=lambda row: (-row.cast, row.spell))


def read_length_figures(*, kind: str, ruleset: str = "") -> LengthFigures:
    """Return the lengths of battles of a kind, for one ruleset or all."""
    rows = EndingFigure.objects.filter(kind=kind, **({"ruleset": ruleset} if ruleset else {}))
    count = dict(rows.order_by("turns").values_list("turns").annotate(Sum("battles")))
    total = sum(count.values())
    listed = tuple(ShownLength(turns, battles) for turns, battles in count.items())
    return LengthFigures(total, _median(count.items(), total), max(count, default=0), listed)


def _median(rows: Iterable[tuple[int, int]], total: int) -> int:
    passed = 0
    for turns, battles in rows:
        passed += battles
        if 2 * passed >= total:
            return turns
    return 0


def count_battles_fought() -> dict[str, int]:
    """Return how many finished battles count, by kind, from the totals."""
    totals = EndingFigure.objects.order_by().values_list("kind").annotate(Sum("battles"))
    return dict.fromkeys(ScoreKind.values, 0) | dict(totals)


def list_endings(*, kind: str, ruleset: str = "") -> list[tuple[str, int]]:
    """Return how battles of a kind ended (the engine's words) and how often, the most frequent first."""
    rows = EndingFigure.objects.filter(kind=kind, **({"ruleset": ruleset} if ruleset else {}))
    counted = rows.order_by().values_list("ending").annotate(Sum("battles"))
    return sorted(counted, key=lambda row: (-row[1], row[0]))


def find_opening(*, ruleset: str, kind: str, line: str) -> ShownOpening | None:
    """Return the results of mages who began with `line`, or None if nobody did."""
    opening = Opening.objects.filter(ruleset=ruleset, kind=kind, line=line).first()
    return _opening_row(opening) if opening else None


def list_openings_after(*, ruleset: str, kind: str, line: str) -> list[ShownOpening]:
    """Return what mages played after `line` ("" for the first pair), the most frequent first."""
    rows = Opening.objects.filter(ruleset=ruleset, kind=kind, parent=line, played__gt=0)
    return [_opening_row(row) for row in rows.order_by("-played", "line")]


def _opening_row(row: Opening) -> ShownOpening:
    return ShownOpening(row.line, row.line[-2:], row.played, row.won, row.lost, row.drew)


def list_replies(*, ruleset: str, mine: str, theirs: str, band: str = "") -> list[ShownOpening]:
    """Return what mages played in duels after `mine` against `theirs`, the most frequent first; `band` (one of
    `BattleSide.Band`) limits it to users with such a rating."""
    rows = OpeningReply.objects.filter(ruleset=ruleset, mine=mine, theirs=theirs, played__gt=0)
    rows = rows.filter(band=band) if band else rows
    sums = rows.order_by().values_list("pair").annotate(Sum("played"), Sum("won"), Sum("lost"), Sum("drew"))
    replies = [ShownOpening(mine + pair, pair, *results) for pair, *results in sums]
    return sorted(replies, key=lambda row: (-row.played, row.line))


def list_replies_of_user(*, user: User, ruleset: str, mine: str, theirs: str) -> dict[str, ShownOpening]:
    """Return the same of one user's latest duels, by pair."""
    own = BattleSide.objects.filter(user=user, kind=ScoreKind.DUEL, counts=True, ruleset=ruleset)
    latest = own.order_by("-finished_at", "-number").values("pk")[:MOST_OWN]
    sides = BattleSide.objects.filter(pk__in=latest, opening__startswith=mine)
    if theirs:
        other = BattleSide.objects.filter(battle=OuterRef("battle"), opening__startswith=theirs)
        sides = sides.filter(Exists(other.exclude(pk=OuterRef("pk"))))
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for opening, result in sides.values_list("opening", "result"):
        pair = opening[len(mine) : len(mine) + 2]
        if pair:
            sums[pair].update({"played": 1, result: 1})
    return {
        pair: ShownOpening(mine + pair, pair, each["played"], each["won"], each["lost"], each["drew"])
        for pair, each in sums.items()
    }


def list_sides_with_opening(*, ruleset: str, kind: str, line: str, limit: int) -> list[BattleSide]:
    """Return the latest mages who began with `line`, each with its battle."""
    sides = BattleSide.objects.filter(ruleset=ruleset, kind=kind, opening__startswith=line, counts=True)
    begun = find_opening(ruleset=ruleset, kind=kind, line=line)
    if begun is None or begun.played < RARE:
        # As in searches: the limit keeps PostgreSQL from reading the newest battles until it has found enough.
        sides = BattleSide.objects.filter(pk__in=sides.values("pk")[:EVERYTHING])
    return list(sides.select_related("mage", "battle").order_by("-number", "mage__name")[:limit])
