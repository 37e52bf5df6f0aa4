"""Read scores, and check that they add up."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Lower

from accounts.models import Mage, User
from ladder.models import Placing, ScoreEntry
from ladder.stakes import STAKES


@dataclass(frozen=True)
class MageSummary:
    """A mage with their scores, the number of their battles, and what they are in now."""

    mage: Mage
    user_name: str
    duel: int
    melee: int
    # "free", "challenge" or "battle", and the number of what the mage is in.
    status: str
    number: int | None
    battles: int


@dataclass(frozen=True)
class UserRecord:
    """A user's achievements: the total scores of their living mages, and how many battles and mages they had."""

    user: User
    duel: int
    duels: int
    melee: int
    melees: int
    mages_now: int
    mages_ever: int


@dataclass(frozen=True)
class Disagreement:
    """A score row that does not follow from the one before it."""

    entry: ScoreEntry
    expected_before: int


def total_score_of(mage: Mage) -> int:
    """Return the duel and the melee score of `mage` together."""
    return ScoreEntry.objects.filter(mage=mage).aggregate(score=Sum("change"))["score"] or 0


def scores_by_id(mage_ids: Iterable[int], kind: str) -> dict[int, int]:
    """Return the scores of several mages by their ids, in one query; 0 for those without a row."""
    return scores_by_kind(mage_ids)[kind]


def scores_by_kind(mage_ids: Iterable[int]) -> dict[str, dict[int, int]]:
    """Return the duel and the melee scores of several mages by their ids, in one query; 0 for those without a row."""
    wanted = set(mage_ids)
    scores = {kind: dict.fromkeys(wanted, 0) for kind in ("duel", "melee")}
    sums = ScoreEntry.objects.filter(mage__in=wanted).order_by().values("mage", "kind").annotate(score=Sum("change"))
    for mage, kind, score in sums.values_list("mage", "kind", "score"):
        scores[kind][mage] = score
    return scores


def describe(mages: QuerySet[Mage] | list[Mage]) -> Iterator[MageSummary]:
    """Yield a MageSummary for each mage, annotated with `duel`, `melee` and `battles`."""
    for mage in mages:
        busy = mage.busy_with
        yield MageSummary(
            mage=mage,
            user_name=str(mage.user),
            duel=getattr(mage, "duel", 0),
            melee=getattr(mage, "melee", 0),
            status=busy.kind if busy else "free",
            number=busy.number if busy else None,
            battles=getattr(mage, "battles", 0),
        )


def describe_mages(mages: Iterable[Mage]) -> list[MageSummary]:
    """Return a MageSummary for each of these mages, retired ones too, by name."""
    rows = Mage.objects.filter(pk__in=[mage.pk for mage in mages]).select_related("user", "engagement")
    scored = rows.annotate(duel=sum_of_kind("duel"), melee=sum_of_kind("melee"), battles=_count())
    return list(describe(scored.order_by(Lower("name"))))


def describe_users(users: Iterable[User]) -> list[UserRecord]:
    """Return the achievements of each of these users, by name. Practice does not count (firetop-server 5.2)."""
    ids = [user.pk for user in users]
    counted = _counted().filter(user__in=ids).values("user", "battle__kind")
    counted = counted.annotate(battles=Count("battle", distinct=True))
    fought = {(row["user"], row["battle__kind"]): row["battles"] for row in counted}
    rows = ScoreEntry.objects.filter(mage__user__in=ids).values("mage__user", "kind")
    living = rows.filter(mage__died_at=None).annotate(score=Sum("change"))
    scores = {(row["mage__user"], row["kind"]): row["score"] for row in living}
    alive = Count("mages", filter=Q(mages__died_at=None))
    return [
        UserRecord(
            user=user,
            duel=scores.get((user.pk, "duel"), 0),
            duels=fought.get((user.pk, "duel"), 0),
            melee=scores.get((user.pk, "melee"), 0),
            melees=fought.get((user.pk, "melee"), 0),
            mages_now=user.mages_now,
            mages_ever=user.mages_ever,
        )
        for user in User.objects.filter(pk__in=ids)
        .annotate(mages_now=alive, mages_ever=Count("mages"))
        .order_by(Lower("username"))
    ]


def find_disagreements() -> Iterator[Disagreement]:
    """Yield every row whose `before` is not the sum of the changes before it. Constraints in the database check the
    rest of the row."""
    sums: dict[tuple[int, str], int] = {}
    for entry in ScoreEntry.objects.select_related("mage").order_by("mage_id", "kind", "pk").iterator():
        key = (entry.mage_id, entry.kind)
        expected = sums.get(key, 0)
        if entry.before != expected:
            yield Disagreement(entry, expected)
        sums[key] = expected + entry.change


def sum_of_kind(kind: str) -> Coalesce:
    rows = ScoreEntry.objects.filter(mage=OuterRef("pk"), kind=kind).order_by().values("mage")
    return Coalesce(Subquery(rows.annotate(score=Sum("change")).values("score")), 0)


def _count() -> Coalesce:
    """Count the finished battles of a mage, as the classic server counts those survived."""
    rows = _counted().filter(mage=OuterRef("pk")).order_by().values("mage")
    return Coalesce(Subquery(rows.annotate(battles=Count("battle", distinct=True)).values("battles")), 0)


def _counted() -> QuerySet[Placing]:
    """Return the placings in battles that count: no practice, no very friendly or annulled ones."""
    counting = [stake.word for stake in STAKES.values() if stake.counts]
    return Placing.objects.filter(battle__practice=False, battle__annulled_at=None, battle__stakes__in=counting)
