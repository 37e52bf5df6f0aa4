"""Searching all battles that are over. The rows are those of the records, so a correction changes what is found."""

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


def search_battles(wanted: BattleSearch, *, older_than: int | None = None, limit: int = 50) -> FoundBattles:
    """Return the newest battles that match, at most `limit`, with numbers below `older_than`."""
    # Also inside the subqueries: PostgreSQL does not carry a bound over, and would walk through all newer sides.
    older = Q() if older_than is None else Q(number__lt=older_than)
    ended = _ended(wanted)
    battles = CountedBattle.objects.filter(_about_the_battle(wanted), older, ended)
    sides = _sides(wanted, older, ended)
    if sides is not None:
        battles = battles.filter(number__in=sides)
    if wanted.against is not None:
        battles = battles.filter(number__in=_theirs(wanted.against, older & ended))
    if wanted.feat:
        battles = battles.filter(pk__in=_feats(wanted).values("battle"))
    with _planned_for_these_values():
        numbers = list(battles.order_by("-number").values_list("number", flat=True)[: limit + 1])
    return FoundBattles(numbers[:limit], len(numbers) > limit)


@contextmanager
def _planned_for_these_values() -> Iterator[None]:
    """Let PostgreSQL plan a query for its values: one plan for a common and for a rare spell is bad for both."""
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        yield
        cursor.execute("SET LOCAL plan_cache_mode = auto")


def _ended(wanted: BattleSearch) -> Q:
    condition = Q()
    if wanted.since is not None:
        condition &= Q(finished_at__gte=wanted.since)
    if wanted.until is not None:
        condition &= Q(finished_at__lt=wanted.until)
    return condition


def _theirs(person: Person, condition: Q) -> "QuerySet[Any, Any]":
    return BattleSide.objects.filter(person.as_side, condition).values("number")


def _about_the_battle(wanted: BattleSearch) -> Q:
    exact = {name: value for name in ("ruleset", "kind", "ending") if (value := getattr(wanted, name))}
    condition = Q(**exact)
    if wanted.shortest is not None:
        condition &= Q(turns__gte=wanted.shortest)
    if wanted.longest is not None:
        condition &= Q(turns__lte=wanted.longest)
    if wanted.with_bots is not None:
        condition &= Q(with_bots=wanted.with_bots)
    return condition


def _sides(wanted: BattleSearch, older: Q, ended: Q) -> "QuerySet[Any, Any] | None":
    """Return the numbers of battles with a side that matches; None if no side is asked for."""
    casts = SpellUse.objects.filter(older, spell=wanted.spell)
    if wanted.worked:
        casts = casts.filter(worked__gt=0)
    condition = Q() if wanted.who is None else wanted.who.as_side
    if wanted.result:
        condition &= Q(result=wanted.result)
    if wanted.opening:
        condition &= Q(opening__startswith=wanted.opening)
    if not condition:
        return casts.values("number") if wanted.spell else None
    sides = BattleSide.objects.filter(condition, older, ended)
    if wanted.spell:
        sides = sides.filter(pk__in=casts.values("side"))
    numbers = sides.values("number")
    # PostgreSQL cannot tell how rare an opening is, but the sums can. It computes a query with a limit by itself.
    return numbers[:EVERYTHING] if wanted.opening and _is_rare(wanted.opening) else numbers


def _is_rare(line: str) -> bool:
    played = Opening.objects.filter(line=line).aggregate(played=Sum("played"))["played"]
    return (played or 0) < RARE


def _feats(wanted: BattleSearch) -> QuerySet[Feat]:
    feats = Feat.objects.filter(kind=wanted.feat)
    if wanted.who is None:
        return feats
    return feats.filter(Q(mage=wanted.who.mage_id) if wanted.who.mage_id else Q(mage__user=wanted.who.user_id))


def list_spells_counted() -> list[str]:
    """Return the spells that have been cast in a battle that is over, by name."""
    return list(SpellFigure.objects.order_by("spell").values_list("spell", flat=True).distinct())
