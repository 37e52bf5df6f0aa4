"""Totals over all counted battles: spells, endings, openings and replies. A battle is added or subtracted."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import F

from ladder.models import BattleSide, CountedBattle, EndingFigure, Opening, OpeningReply, SpellFigure, SpellUse

Key = tuple[tuple[str, Any], ...]
Amounts = Mapping[Key, Mapping[str, int]]
LETTERS_OF_A_PAIR = 2
# After more pairs hardly two battles are alike.
MOST_PAIRS_BEFORE_A_REPLY = 3
# The column whose rows go when it is 0.
_TOTALS: dict[type[models.Model], str] = {
    SpellFigure: "cast",
    EndingFigure: "battles",
    Opening: "played",
    OpeningReply: "played",
}


def change_totals(*, number: int, sign: int) -> None:
    """Add the counted battle to the totals (`sign` 1) or subtract it (-1), in the transaction that counts it."""
    battle = CountedBattle.objects.get(number=number)
    spells = SpellUse.objects.filter(side__battle=battle).values_list("side__ruleset", "spell", *SpellFigure.FATES)
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
        sums[_key(ruleset=ruleset, spell=spell)].update(dict(zip(SpellFigure.FATES, amounts, strict=True)))
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
            model._default_manager.filter(**dict(key), **{_TOTALS[model]: 0}).delete()


def _change(model: type[models.Model], key: Key, amounts: Mapping[str, int]) -> int:
    changes: dict[str, Any] = {name: F(name) + amount for name, amount in amounts.items()}
    return model._default_manager.filter(**dict(key)).update(**changes)


def _create(model: type[models.Model], key: Key, amounts: Mapping[str, int]) -> None:
    try:
        with transaction.atomic():
            model._default_manager.create(**dict(key), **amounts)
    except IntegrityError:
        _change(model, key, amounts)
