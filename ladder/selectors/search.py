"""Search all battles that are over, in the rows of the records: a correction of those changes the results too."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet, Sum

from ladder.models import BattleSide, CountedBattle, Feat, Opening, SpellFigure, SpellUse

# An opening that fewer mages have played is looked up by index; more common ones are soon found among the newest
# battles.
RARE = 5_000
EVERYTHING = 10**9


@dataclass(frozen=True)
class Person:
    """A mage, or a user with all their mages: one of the two numbers is given."""

    mage_id: int | None = None
    user_id: int | None = None

    @property
    def as_side(self) -> Q:
        return Q(mage=self.mage_id) if self.mage_id else Q(user=self.user_id)


@dataclass(frozen=True)
class BattleSearch:
    """The criteria of a search; empty ones match every battle.

    `result` (won, lost, drew), `opening` (a line in its counted form), `spell` and `feat` are those of `who`, or of
    anyone if that is empty. `worked`: the spell worked at least once. `ending` is the engine's word. `with_bots`: with
    a bot, or with people alone. The battle ended at `since` or later, and before `until`.
    """

    who: Person | None = None
    against: Person | None = None
    result: str = ""
    ruleset: str = ""
    kind: str = ""
    opening: str = ""
    spell: str = ""
    worked: bool = False
    feat: str = ""
    ending: str = ""
    shortest: int | None = None
    longest: int | None = None
    with_bots: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class FoundBattles:
    """Numbers of battles, newest first, and whether there are older ones."""

    numbers: list[int]
    has_more: bool


def search_battles(criteria: BattleSearch, *, older_than: int | None = None, limit: int = 50) -> FoundBattles:
    """Return the newest battles that match, at most `limit`, with numbers below `older_than`."""
    # The subqueries need the bound too: PostgreSQL does not infer it, and would walk through all newer sides.
    older = Q() if older_than is None else Q(number__lt=older_than)
    period = _match_period(criteria)
    battles = CountedBattle.objects.filter(_match_battle(criteria), older, period)
    sides = _list_numbers_of_sides(criteria, older, period)
    if sides is not None:
        battles = battles.filter(number__in=sides)
    if criteria.against is not None:
        theirs = BattleSide.objects.filter(criteria.against.as_side, older & period)
        battles = battles.filter(number__in=theirs.values("number"))
    if criteria.feat:
        battles = battles.filter(pk__in=_list_feats(criteria).values("battle"))
    with _custom_plan():
        numbers = list(battles.order_by("-number").values_list("number", flat=True)[: limit + 1])
    return FoundBattles(numbers[:limit], len(numbers) > limit)


@contextmanager
def _custom_plan() -> Iterator[None]:
    """Let PostgreSQL plan a query for its values: one plan for a common and for a rare spell is bad for both."""
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        yield
        cursor.execute("SET LOCAL plan_cache_mode = auto")


def _match_period(criteria: BattleSearch) -> Q:
    condition = Q()
    if criteria.since is not None:
        condition &= Q(finished_at__gte=criteria.since)
    if criteria.until is not None:
        condition &= Q(finished_at__lt=criteria.until)
    return condition


def _match_battle(criteria: BattleSearch) -> Q:
    exact = {name: value for name in ("ruleset", "kind", "ending") if (value := getattr(criteria, name))}
    condition = Q(**exact)
    if criteria.shortest is not None:
        condition &= Q(turns__gte=criteria.shortest)
    if criteria.longest is not None:
        condition &= Q(turns__lte=criteria.longest)
    if criteria.with_bots is not None:
        condition &= Q(with_bots=criteria.with_bots)
    return condition


def _list_numbers_of_sides(criteria: BattleSearch, older: Q, period: Q) -> "QuerySet[Any, Any] | None":
    """Return the numbers of battles with a side that matches; None if no side is asked for."""
    casts = SpellUse.objects.filter(older, spell=criteria.spell)
    if criteria.worked:
        casts = casts.filter(worked__gt=0)
    condition = Q() if criteria.who is None else criteria.who.as_side
    if criteria.result:
        condition &= Q(result=criteria.result)
    if criteria.opening:
        condition &= Q(opening__startswith=criteria.opening)
    if not condition:
        return casts.values("number") if criteria.spell else None
    sides = BattleSide.objects.filter(condition, older, period)
    if criteria.spell:
        sides = sides.filter(pk__in=casts.values("side"))
    numbers = sides.values("number")
    # PostgreSQL cannot tell how rare an opening is, but the sums can. It computes a query with a limit by itself.
    return numbers[:EVERYTHING] if criteria.opening and _is_rare(criteria.opening) else numbers


def _is_rare(line: str) -> bool:
    played = Opening.objects.filter(line=line).aggregate(played=Sum("played"))["played"]
    return (played or 0) < RARE


def _list_feats(criteria: BattleSearch) -> QuerySet[Feat]:
    feats = Feat.objects.filter(kind=criteria.feat)
    if criteria.who is None:
        return feats
    return feats.filter(Q(mage=criteria.who.mage_id) if criteria.who.mage_id else Q(mage__user=criteria.who.user_id))


def list_spells_counted() -> list[str]:
    """Return the spells that have been cast in a battle that is over, by name."""
    return list(SpellFigure.objects.order_by("spell").values_list("spell", flat=True).distinct())
