"""Keep the statistics up to date: totals over all battles, and the records of mages and pairs of users.

One battle is added to the totals or subtracted from them; records are rebuilt from the counted battles.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import F, Q

from ladder.models import (
    BattleSide,
    CountedBattle,
    EndingFigure,
    MageRecord,
    Opening,
    OpeningReply,
    Pairing,
    ScoreEntry,
    SpellFigure,
    SpellUse,
)

Key = tuple[tuple[str, Any], ...]
Amounts = Mapping[Key, Mapping[str, int]]
FATES = ("cast", "worked", "countered", "reflected", "shielded", "failed")
LETTERS_OF_A_PAIR = 2
# After more pairs hardly two battles are alike.
MOST_PAIRS_BEFORE_A_REPLY = 3


def change_sums(*, number: int, sign: int) -> None:
    """Add the counted battle to the totals (`sign` 1) or subtract it (-1), in the transaction that counts it."""
    battle = CountedBattle.objects.get(number=number)
    spells = SpellUse.objects.filter(side__battle=battle).values_list("side__ruleset", "spell", *FATES)
    _add(SpellFigure, _sum_spells(spells), sign)
    if not battle.counts:
        return
    key = _key(ruleset=battle.ruleset, kind=battle.kind, turns=battle.turns, ending=battle.ending)
    _add(EndingFigure, {key: {"battles": 1}}, sign)
    sides = list(BattleSide.objects.filter(battle=battle))
    _add(Opening, _sum_openings(sides), sign)
    _add(OpeningReply, _sum_replies(sides), sign)


def _key(**fields: Any) -> Key:
    return tuple(fields.items())


def _sum_spells(rows: Iterable[tuple[Any, ...]]) -> dict[Key, Counter[str]]:
    sums: dict[Key, Counter[str]] = defaultdict(Counter)
    for ruleset, spell, *amounts in rows:
        sums[_key(ruleset=ruleset, spell=spell)].update(dict(zip(FATES, amounts, strict=True)))
    return sums


def _sum_openings(sides: Iterable[BattleSide]) -> dict[Key, Counter[str]]:
    sums: dict[Key, Counter[str]] = defaultdict(Counter)
    for side in sides:
        for end in range(LETTERS_OF_A_PAIR, len(side.opening) + 1, LETTERS_OF_A_PAIR):
            line = side.opening[:end]
            key = _key(ruleset=side.ruleset, kind=side.kind, line=line, parent=line[:-LETTERS_OF_A_PAIR])
            sums[key].update({"played": 1, side.result: 1})
    return sums


def _sum_replies(sides: Sequence[BattleSide]) -> dict[Key, Counter[str]]:
    sums: dict[Key, Counter[str]] = defaultdict(Counter)
    if len(sides) != 2:
        return sums
    for side, other in (sides, reversed(sides)):
        for end in range(0, LETTERS_OF_A_PAIR * MOST_PAIRS_BEFORE_A_REPLY + 1, LETTERS_OF_A_PAIR):
            pair = side.opening[end : end + LETTERS_OF_A_PAIR]
            if pair and len(other.opening) >= end:
                lines = {"mine": side.opening[:end], "theirs": other.opening[:end]}
                key = _key(ruleset=side.ruleset, **lines, pair=pair, band=side.band)
                sums[key].update({"played": 1, side.result: 1})
    return sums


def _add(model: type[models.Model], sums: Amounts, sign: int) -> None:
    """Change the rows in a fixed order, so that two workers never deadlock."""
    for key in sorted(sums):
        amounts = {name: sign * amount for name, amount in sums[key].items() if amount}
        if amounts and not _change(model, key, amounts):
            _create(model, key, amounts)
        if sign < 0:
            model._default_manager.filter(**dict(key), **{_total(model): 0}).delete()


def _change(model: type[models.Model], key: Key, amounts: Mapping[str, int]) -> int:
    changes: dict[str, Any] = {name: F(name) + amount for name, amount in amounts.items()}
    return model._default_manager.filter(**dict(key)).update(**changes)


def _create(model: type[models.Model], key: Key, amounts: Mapping[str, int]) -> None:
    try:
        with transaction.atomic():
            model._default_manager.create(**dict(key), **amounts)
    except IntegrityError:
        _change(model, key, amounts)


def _total(model: type[models.Model]) -> str:
    return {SpellFigure: "cast", EndingFigure: "battles", Opening: "played", OpeningReply: "played"}[model]


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
