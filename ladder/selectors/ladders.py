"""Read the ladders for pages and emails: places as of the last refresh, everything else as of now.

Every query uses an index and a limit, so a long ladder costs no more than a short one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import Mage, Name, User
from ladder.models import Ladder, LadderPlace, MageRecord, ScoreEntry, ScoreKind
from ladder.selectors.scores import MageSummary, describe_mages, sum_of_kind

MOST_FOUND = 50
MOST_NAMES = 200
NEIGHBOURS = 2
MOVERS = 5
MOST_NEW = 1000
BUSY = {"free": 0, "challenge": 1, "battle": 2}


@dataclass(frozen=True)
class ShownPlace:
    """One line of a ladder. `rank` is None for a mage who never fought a battle of this kind. `doing` is "free",
    "challenge" or "battle", `number` that of the challenge or battle."""

    place: int
    rank: int | None
    mage: Mage
    user_name: str
    score: int
    gained: int
    battles: int
    form: str
    rating: int | None
    is_provisional: bool
    doing: str
    number: int | None

    @property
    def lost(self) -> int:
        """Return how many points the mage lost in the week, as a positive number."""
        return -self.gained


@dataclass(frozen=True)
class LadderPage:
    """A part of a ladder, and whether it is the first or the last."""

    rows: tuple[ShownPlace, ...]
    is_first: bool
    is_last: bool


def find_ladder(*, kind: str, ruleset: str = "", retired: bool = False) -> Ladder | None:
    """Return that ladder, or None if it has never been refreshed."""
    return Ladder.objects.filter(kind=kind, ruleset=ruleset, retired=retired).first()


def list_ladder_rulesets(kind: str) -> list[str]:
    ladders = Ladder.objects.filter(kind=kind, retired=False, mages__gt=0).exclude(ruleset="")
    return list(ladders.order_by("ruleset").values_list("ruleset", flat=True))


def read_ladder_page(ladder: Ladder, *, after: int = 0, length: int) -> LadderPage:
    """Return `length` places below the place `after`."""
    rows = _describe(_places(ladder).filter(place__gt=after)[: length + 1])
    return LadderPage(tuple(rows[:length]), is_first=after <= 0, is_last=len(rows) <= length)


def list_honour_roll(kind: str, *, limit: int) -> tuple[list[MageSummary], int]:
    """Return the top mages with their current scores, and the number of living mages who are not retired.

    Highest `kind` score first, those who never fought last; then free mages, mages in a challenge, mages in a battle;
    then by user and mage (firetop-server 5.6). Mages far down are assumed to be where the last refresh saw them.
    """
    ladder = find_ladder(kind=kind)
    top = LadderPlace.objects.filter(ladder=ladder).order_by("place").values_list("mage", flat=True)[:limit]
    newer_than = (ladder.last_entry, ladder.last_mage) if ladder else (0, 0)
    moved = ScoreEntry.objects.filter(kind=kind, pk__gt=newer_than[0]).values_list("mage", flat=True)[:MOST_NEW]
    active = Mage.objects.filter(died_at=None, retired_at=None, user__is_bot=False, user__is_guest=False)
    new = active.filter(pk__gt=newer_than[1]).order_by().values_list("pk", flat=True)[:MOST_NEW]
    count = active.count()
    mages = active.filter(pk__in={*top, *moved, *new}) if count > limit else active
    return _sort_by_honour(describe_mages(mages), kind)[:limit], count


def list_retired(kind: str, *, limit: int) -> tuple[list[MageSummary], int]:
    """Return the retired mages with the highest scores of a kind, and how many retired mages there are."""
    retired = Mage.objects.filter(died_at=None, retired_at__isnull=False, user__is_bot=False, user__is_guest=False)
    top = retired.annotate(kept=sum_of_kind(kind)).order_by("-kept", Lower("name"))[:limit]
    return _sort_by_honour(describe_mages(top), kind), retired.count()


def _sort_by_honour(rows: list[MageSummary], kind: str) -> list[MageSummary]:
    mages = [row.mage.pk for row in rows]
    fought = set(ScoreEntry.objects.filter(kind=kind, mage__in=mages).order_by().values_list("mage", flat=True))
    fought |= set(MageRecord.objects.filter(kind=kind, ruleset="", mage__in=mages).values_list("mage", flat=True))

    def honour(row: MageSummary) -> tuple[bool, int, int, str, str]:
        score = row.melee if kind == ScoreKind.MELEE else row.duel
        never_fought = row.mage.pk not in fought
        return never_fought, -score, BUSY[row.status], row.user_name.lower(), row.mage.name.lower()

    return sorted(rows, key=honour)


def find_on_ladder(ladder: Ladder, text: str) -> list[ShownPlace]:
    """Return the places of mages whose name, or whose user's name, begins with `text`, ignoring case."""
    names = Name.objects.filter(key__startswith=text.strip().lower()).values_list("written", "kind", "owner_id")
    matches = list(names.order_by("key")[:MOST_NAMES])
    mages = {written for written, _, _ in matches}
    users = {owner for _, kind, owner in matches if kind == Name.Kind.USER}
    # First the mages, by their own indexes: a condition on both sides of a join would read the whole ladder.
    wanted = list(Mage.objects.filter(Q(name__in=mages) | Q(user__in=users), died_at=None).values_list("pk", flat=True))
    return _describe(_places(ladder).filter(mage__in=wanted)[:MOST_FOUND])


def list_own_places(ladder: Ladder, user: User) -> list[ShownPlace]:
    """Return the places of the user's mages, highest first."""
    return _describe(_places(ladder).filter(mage__user=user))


def is_ranked(user: User) -> bool:
    """Return whether a mage of `user` has a rank."""
    return LadderPlace.objects.filter(mage__user=user, rank__isnull=False).exists()


def list_neighbours(ladder: Ladder, place: int) -> list[ShownPlace]:
    """Return that place with the two above and the two below it."""
    return _describe(_places(ladder).filter(place__range=(place - NEIGHBOURS, place + NEIGHBOURS)))


def list_movers(ladder: Ladder) -> list[ShownPlace]:
    """Return the mages who gained most and lost most in the last week: biggest gain first, biggest loss last."""
    places = LadderPlace.objects.filter(ladder=ladder).select_related("mage__user", "mage__engagement")
    up = places.filter(gained__gt=0).order_by("-gained", "place")[:MOVERS]
    down = places.filter(gained__lt=0).order_by("gained", "place")[:MOVERS]
    return [*_describe(up), *reversed(_describe(down))]


def list_places_of(mage: Mage) -> list[LadderPlace]:
    """Return the places of a mage on the ladders of all rulesets, duels first; none of a kind they never fought in."""
    places = LadderPlace.objects.filter(mage=mage, ladder__ruleset="").select_related("ladder")
    places = places.filter(Q(battles__gt=0) | ~Q(score=0))
    return list(places.order_by("ladder__kind"))


def find_best_rank_of(user: User) -> int | None:
    """Return the best rank among the user's mages on the ladder of duels; None if none of them has one."""
    ladder = {"ladder__kind": ScoreKind.DUEL, "ladder__ruleset": "", "ladder__retired": False}
    places = LadderPlace.objects.filter(mage__user=user, mage__died_at=None, rank__isnull=False, **ladder)
    return places.order_by("rank").values_list("rank", flat=True).first()


def find_rank_of_score(*, kind: str, score: int) -> int | None:
    """Return the rank that a mage with this score has, or had, among all mages of a kind; None without a ladder."""
    ladder = find_ladder(kind=kind)
    if ladder is None:
        return None
    ranked = LadderPlace.objects.filter(ladder=ladder, rank__isnull=False)
    return ranked.filter(score__gt=score).count() + 1


def _places(ladder: Ladder) -> QuerySet[LadderPlace]:
    places = LadderPlace.objects.filter(ladder=ladder, mage__died_at=None)
    return places.select_related("mage__user", "mage__engagement").order_by("place")


def _describe(places: Iterable[LadderPlace]) -> list[ShownPlace]:
    return [
        ShownPlace(
            place=row.place,
            rank=row.rank,
            mage=row.mage,
            user_name=str(row.mage.user),
            score=row.score,
            gained=row.gained,
            battles=row.battles,
            form=row.form,
            rating=row.rating,
            is_provisional=row.is_provisional,
            doing=row.mage.busy_with.kind if row.mage.busy_with else "free",
            number=row.mage.busy_with.number if row.mage.busy_with else None,
        )
        for row in places
    ]
