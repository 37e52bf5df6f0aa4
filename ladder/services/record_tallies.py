"""The records of mages and of pairs of users: rebuilt from the counted battles."""

from collections import Counter, defaultdict
from collections.abc import Collection
from itertools import combinations

from django.db.models import Q

from ladder.models import BattleSide, MageRecord, Pairing, ScoreEntry

FORM = 5
LETTERS = {"won": "W", "lost": "L", "drew": "D"}


def tally_mages(*, mages: Collection[int]) -> None:
    """Rebuild the records of these mages (ids) from the battles that count."""
    results: dict[tuple[int, str, str], list[BattleSide]] = defaultdict(list)
    for side in BattleSide.objects.filter(mage__in=mages, counts=True).order_by("-finished_at", "-number"):
        for ruleset in ("", side.ruleset):
            results[side.mage_id, side.kind, ruleset].append(side)
    points: Counter[tuple[int, int]] = Counter()
    for mage, battle, change in ScoreEntry.objects.filter(mage__in=mages).values_list("mage", "battle", "change"):
        points[mage, battle] += change
    MageRecord.objects.filter(mage__in=mages).delete()
    MageRecord.objects.bulk_create(
        _record(mage, kind, ruleset, sides, sum(points[mage, side.number] for side in sides))
        for (mage, kind, ruleset), sides in sorted(results.items())
    )


def _record(mage: int, kind: str, ruleset: str, sides: list[BattleSide], points: int) -> MageRecord:
    count = Counter(side.result for side in sides)
    return MageRecord(
        mage_id=mage,
        kind=kind,
        ruleset=ruleset,
        battles=len(sides),
        won=count["won"],
        lost=count["lost"],
        drew=count["drew"],
        points=points,
        form="".join(LETTERS[side.result] for side in sides[:FORM]),
        last_at=sides[0].finished_at,
    )


def tally_pairs(*, users: Collection[int]) -> None:
    """Rebuild the pairings of these users (ids) with each other."""
    for one, other in combinations(sorted(users), 2):
        Pairing.objects.filter(one=one, other=other).delete()
        met = _list_meetings(one, other)
        if met:
            Pairing.objects.create(
                one_id=one,
                other_id=other,
                battles=len(met),
                one_won=sum("won" in met[number][one] and "won" not in met[number][other] for number in met),
                other_won=sum("won" in met[number][other] and "won" not in met[number][one] for number in met),
                last_at=BattleSide.objects.filter(number__in=met).latest("finished_at").finished_at,
            )


def _list_meetings(one: int, other: int) -> dict[int, dict[int, set[str]]]:
    """Return the results of both in their shared battles: number → user → results of their mages."""
    both = Q(counts=True) & (Q(battle__sides__user=other, user=one) | Q(battle__sides__user=one, user=other))
    met: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for number, user, result in BattleSide.objects.filter(both).values_list("number", "user", "result").distinct():
        met[number][user].add(result)
    return met
