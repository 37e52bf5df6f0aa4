"""Read the profile of a user or a mage: records, habits, trophies, battles. Battles in progress are left out."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Substr

from accounts.models import Mage, User
from ladder.models import BattleSide, CountedBattle, Feat, MageRecord, Pairing, SpellUse
from ladder.models.scores import ScoreKind

OPENING_LETTERS = 4
MOST_OPENINGS = 5
MOST_SPELLS = 8
MOST_OPPONENTS = 10

Sides = list[BattleSide]


@dataclass(frozen=True)
class ShownRecord:
    """Results in one kind of battle, for one ruleset or ("") all."""

    kind: str
    ruleset: str
    battles: int
    won: int
    lost: int
    drew: int


@dataclass(frozen=True)
class Rivalry:
    """A user's results against another user, or a mage's duels against another mage."""

    opponent: User | Mage
    battles: int
    won: int
    lost: int

    @property
    def drew(self) -> int:
        return self.battles - self.won - self.lost

    @property
    def percent_won(self) -> int:
        return 100 * self.won // self.battles

    @property
    def percent_drew(self) -> int:
        return 100 * self.drew // self.battles


@dataclass(frozen=True)
class Habit:
    """A habit of a user or mage: a spell or an opening, how often, and how often it worked or won."""

    name: str
    times: int
    good: int


@dataclass(frozen=True)
class OpeningHabit(Habit):
    """An opening under a ruleset in a kind of battle."""

    ruleset: str
    kind: str


@dataclass(frozen=True)
class Trophy:
    """A feat: how often it was done, and the latest battle and mage."""

    kind: str
    title: str
    times: int
    battle: int
    mage: str


@dataclass(frozen=True)
class Profile:
    """The records of a user or a mage."""

    records: tuple[ShownRecord, ...]
    rulesets: tuple[ShownRecord, ...]
    rivalries: tuple[Rivalry, ...]
    openings: tuple[OpeningHabit, ...]
    spells: tuple[Habit, ...]
    trophies: tuple[Trophy, ...]


def read_user_profile(user: User) -> Profile:
    records = MageRecord.objects.filter(mage__user=user)
    return _build_profile(BattleSide.objects.filter(user=user), records, _list_rivalries(user))


def read_mage_profile(mage: Mage) -> Profile:
    """Return the records of `mage`; the rivalries are between mages, of duels alone."""
    records = MageRecord.objects.filter(mage=mage)
    return _build_profile(BattleSide.objects.filter(mage=mage), records, _list_duels(mage))


def read_rivalry(user: User, other: User) -> Rivalry | None:
    """Return the results of `user` against `other`; None if they have not met."""
    one, two = sorted((user, other), key=lambda each: each.pk)
    pair = Pairing.objects.filter(one=one, other=two).first()
    if pair is None:
        return None
    won, lost = (pair.one_won, pair.other_won) if one.pk == user.pk else (pair.other_won, pair.one_won)
    return Rivalry(other, pair.battles, won, lost)


def list_forms(mages: Iterable[int]) -> dict[int, str]:
    """Return the last five results of each of these mages (ids) in the kind of battle that they fought last, latest
    first."""
    rows = MageRecord.objects.filter(mage__in=set(mages), ruleset="").order_by("last_at", "kind")
    return dict(rows.values_list("mage", "form"))


def list_deeds(mage: Mage) -> tuple[list[Feat], list[BattleSide]]:
    """Return the feats of a mage, and the sides of the mages who died in duels that it won, each with their battle."""
    feats = Feat.objects.filter(mage=mage).select_related("battle").order_by("battle__number")
    killed = BattleSide.objects.filter(
        battle__sides__mage=mage,
        battle__sides__result=BattleSide.Result.WON,
        kind=ScoreKind.DUEL,
        counts=True,
        end=BattleSide.End.DIED,
    )
    return list(feats), list(killed.exclude(mage=mage).select_related("battle", "mage").order_by("number"))


def list_latest_sides(*, user: User | None = None, mage: Mage | None = None, before: int = 0, limit: int) -> Sides:
    """Return the finished battles of a user or a mage, including practice, latest first: those with a number below
    `before`, or all (0). Battle, mage, and all sides of the battle with their mages are prefetched."""
    sides = BattleSide.objects.filter(user=user) if user else BattleSide.objects.filter(mage=mage)
    older = sides.filter(number__lt=before) if before else sides
    wanted = older.select_related("battle", "mage").prefetch_related("battle__sides__mage")
    return list(wanted.order_by("-number", "mage_id")[:limit])


def list_latest_battles(*, limit: int) -> list[CountedBattle]:
    """Return the latest finished battles that count, latest first, with their sides and mages prefetched."""
    counted = CountedBattle.objects.filter(counts=True).order_by("-number").prefetch_related("sides__mage")
    return list(counted[:limit])


def _build_profile(sides: QuerySet[BattleSide], records: QuerySet[MageRecord], rivalries: Iterable[Rivalry]) -> Profile:
    rows = _sum_records(records)
    return Profile(
        records=tuple(row for row in rows if not row.ruleset),
        rulesets=tuple(row for row in rows if row.ruleset),
        rivalries=tuple(rivalries),
        openings=tuple(_list_openings(sides.filter(counts=True))),
        spells=tuple(_list_spells(sides)),
        trophies=tuple(_list_trophies(sides)),
    )


def _sum_records(records: QuerySet[MageRecord]) -> list[ShownRecord]:
    sums = (
        records.order_by().values_list("kind", "ruleset").annotate(Sum("battles"), Sum("won"), Sum("lost"), Sum("drew"))
    )
    return [ShownRecord(*row) for row in sorted(sums, key=lambda row: (row[0], -row[2], row[1]))]


def _list_rivalries(user: User) -> list[Rivalry]:
    pairs = Pairing.objects.filter(Q(one=user) | Q(other=user)).select_related("one", "other")
    return [
        Rivalry(pair.other, pair.battles, pair.one_won, pair.other_won)
        if pair.one_id == user.pk
        else Rivalry(pair.one, pair.battles, pair.other_won, pair.one_won)
        for pair in pairs.order_by("-battles", "-last_at", "one", "other")[:MOST_OPPONENTS]
    ]


def _list_duels(mage: Mage) -> list[Rivalry]:
    theirs = BattleSide.objects.filter(battle__sides__mage=mage, kind=ScoreKind.DUEL, counts=True).exclude(mage=mage)
    met = (
        theirs.order_by()
        .values_list("mage")
        .annotate(
            battles=Count("pk"),
            won=Count("pk", filter=Q(result=BattleSide.Result.LOST)),
            lost=Count("pk", filter=Q(result=BattleSide.Result.WON)),
        )
    )
    rows = list(met.order_by("-battles", "mage")[:MOST_OPPONENTS])
    mages = Mage.objects.in_bulk(pk for pk, *_results in rows)
    return [Rivalry(mages[pk], battles, won, lost) for pk, battles, won, lost in rows]


def _list_openings(sides: QuerySet[BattleSide]) -> list[OpeningHabit]:
    begun = sides.exclude(opening="").order_by().annotate(line=Substr("opening", 1, OPENING_LETTERS))
    counted = begun.values_list("ruleset", "kind", "line").annotate(
        times=Count("pk"), good=Count("pk", filter=Q(result=BattleSide.Result.WON))
    )
    usual = sorted(counted, key=lambda row: (-row[3], row[2], row[0], row[1]))[:MOST_OPENINGS]
    return [OpeningHabit(line, times, good, ruleset, kind) for ruleset, kind, line, times, good in usual]


def _list_spells(sides: QuerySet[BattleSide]) -> list[Habit]:
    cast = SpellUse.objects.filter(side__in=sides.order_by()).order_by().values_list("spell")
    counted = cast.annotate(times=Sum("cast"), good=Sum("worked"))
    return [Habit(*row) for row in sorted(counted, key=lambda row: (-row[1], row[0]))[:MOST_SPELLS]]


def _list_trophies(sides: QuerySet[BattleSide]) -> list[Trophy]:
    won: dict[str, list[Feat]] = defaultdict(list)
    mages = sides.order_by().values("mage")
    for feat in Feat.objects.filter(mage__in=mages).select_related("battle", "mage").order_by("-battle__number"):
        won[feat.kind].append(feat)
    return [
        Trophy(kind.value, str(kind.label), len(won[kind]), won[kind][0].battle.number, won[kind][0].mage.name)
        for kind in Feat.Kind
        if kind in won
    ]
