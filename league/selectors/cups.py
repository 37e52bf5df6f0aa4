"""Cups in lists: the next ones to join, those that run, and those that are over; and where a user stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet

from accounts.models import User
from duels.models import Combatant
from league.models import Cup, Pairing, Place

ROUND_ROBIN = Cup.Kind.ROUND_ROBIN


@dataclass(frozen=True)
class NextCup:
    """A cup that people can join: how many are in, and the reader's own place."""

    cup: Cup
    taken: int
    own: Place | None

    @property
    def is_full(self) -> bool:
        return self.taken >= self.cup.size


@dataclass(frozen=True)
class PastCup:
    """A cup that is over, with its winner; or that was cancelled, for as many entrants as there were."""

    cup: Cup
    winner: Place | None
    entrants: int


def list_next_cups(reader: User | None, *, now: datetime) -> list[NextCup]:
    """Return the cups that people can join now, the soonest first."""
    open_ones = Cup.objects.filter(started_at=None, cancelled_at=None, begins_at__gt=now)
    cups = list(open_ones.annotate(taken=Count("places")).order_by("begins_at", "pk"))
    own = _find_own(cups, reader)
    return [NextCup(cup, cup.taken, own.get(cup.pk)) for cup in cups]


def list_running_cups() -> QuerySet[Cup]:
    """Return the cups that are being played, the latest first."""
    return Cup.objects.filter(started_at__isnull=False, closed_at=None).order_by("-begins_at", "pk")


def list_past_cups(*, limit: int, of_bots: bool | None = None) -> list[PastCup]:
    """Return cups that are over or were cancelled, the latest first: those of bots, of people, or both (None).

    A round robin that no bot entered is left out: it would be one each week on a site without users' bots.
    """
    over = Cup.objects.exclude(closed_at=None, cancelled_at=None).annotate(entrants=Count("places"))
    over = over.exclude(kind=ROUND_ROBIN, entrants=0)
    if of_bots is not None:
        over = over.filter(kind=ROUND_ROBIN) if of_bots else over.exclude(kind=ROUND_ROBIN)
    cups = list(over.order_by("-begins_at", "-pk")[:limit])
    won = Place.objects.filter(cup__in=cups, rank=1).select_related("mage__user", "user")
    winners = {place.cup_id: place for place in won}
    return [PastCup(cup, winners.get(cup.pk), cup.entrants) for cup in cups]


def find_cup(pk: int) -> Cup | None:
    return Cup.objects.filter(pk=pk).first()


def find_own_place(cup: Cup, user: User | None) -> Place | None:
    """Return the place of `user` in a cup, also after they left it; None if they never had one."""
    return _find_own([cup], user).get(cup.pk)


def list_entrants(cup: Cup) -> list[Place]:
    """Return who has joined a cup that has not begun, the first first."""
    return list(cup.places.select_related("user", "mage__user").order_by("signed_up_at", "pk"))


def list_open_pairings(places: Iterable[Place]) -> dict[int, Pairing]:
    """Return the duel that runs in a cup for each of these places, by place; none for those who wait."""
    wanted = [place.pk for place in places]
    found = Pairing.objects.filter(Q(first__in=wanted) | Q(second__in=wanted), cup__isnull=False, decided_at=None)
    mine: dict[int, Pairing] = {}
    for pairing in found.select_related("battle").defer("battle__state"):
        mine |= {pk: pairing for pk in (pairing.first_id, pairing.second_id) if pk in wanted}
    return mine


def list_places_won(user: User) -> list[Place]:
    """Return the places with which `user` won cups, the latest first."""
    won = Place.objects.filter(user=user, rank=1, cup__closed_at__isnull=False)
    return list(won.select_related("cup", "mage__user").order_by("-cup__begins_at", "-pk"))


@dataclass(frozen=True)
class CupResult:
    """A duel of a cup that was fought, with a winner (`one`) or drawn; `battle` is its number."""

    cup: Cup
    round: int
    one: str
    other: str
    is_draw: bool
    battle: int
    at: datetime


def list_latest_cup_duels(limit: int) -> list[CupResult]:
    """Return the latest results of people's duels in cups, the latest first; not those that both lost."""
    decided = Pairing.objects.filter(cup__isnull=False, battle__isnull=False, decided_at__isnull=False)
    decided = decided.exclude(cup__kind=ROUND_ROBIN)
    known = decided.exclude(result=Pairing.Result.NONE).select_related("cup", "battle")
    fighters = Prefetch("battle__combatants", Combatant.objects.order_by("position").select_related("mage"))
    latest = known.defer("battle__state").prefetch_related(fighters).order_by("-decided_at", "-pk")
    return [_describe_result(each) for each in latest[:limit]]


def _describe_result(pairing: Pairing) -> CupResult:
    cup, battle = pairing.cup, pairing.battle
    assert cup is not None and battle is not None and pairing.decided_at is not None
    one, other = (each.mage.name for each in battle.combatants.all())
    if pairing.result == Pairing.Result.SECOND:
        one, other = other, one
    is_draw = pairing.result == Pairing.Result.DRAW
    return CupResult(cup, pairing.round, one, other, is_draw, battle.number, pairing.decided_at)


def _find_own(cups: Iterable[Cup], user: User | None) -> dict[int, Place]:
    if user is None:
        return {}
    mine = Place.objects.filter(cup__in=list(cups), user=user).select_related("mage__user")
    return {place.cup_id: place for place in mine if place.cup_id is not None}
