"""Report to the janitors: scores that disagree with their rows, and pairs of users who may be farming or self-playing.

Nobody is punished by these reports: only the published band rule (`ladder.stakes`) withholds points.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import combinations, islice

import structlog
from django.db import transaction

from accounts.selectors.users import find_shared_traces, list_janitors
from ladder.fought_battles import AGREED
from ladder.models import BattleSide, PairWatch, ScoredBattle
from ladder.selectors.scores import find_disagreements
from ladder.stakes import EVENT_STAKES
from notifications.services.outbox import write_notice
from operations.registry import USERS_OF_EVENTS, find_function

log = structlog.get_logger(__name__)

MOST_NAMED = 10


def report_disagreements(*, now: datetime) -> int:
    """Return how many score rows do not follow from those before them; if any, notify the janitors once a day."""
    disagreements = find_disagreements()
    named = [str(each.entry) for each in islice(disagreements, MOST_NAMED)]
    if not named:
        return 0
    rows = len(named) + sum(1 for _ in disagreements)
    log.error("scores disagree with their rows", rows=rows, first=named[0])
    for user in list_janitors():
        write_notice(
            key=f"scores/{now:%Y-%m-%d}/{user.pk}",
            user=user,
            kind="scores_disagree",
            facts={"rows": rows, "named": named},
            now=now,
        )
    return rows


SPAN = timedelta(days=30)
# Fewer meetings mean nothing. From there, half of a user's battles is often, and nine wins in ten is one-sided.
OFTEN = 6
OFTEN_PERCENT = 50
ONE_SIDED_PERCENT = 90
# So many draws on which both agreed, in leagues too: ratings can be handed out by them.
AGREE_OFTEN = 3

Pair = tuple[int, int]
Wins = Counter[int | None]


def watch_pairs(*, now: datetime) -> int:
    """Rebuild the list of suspicious pairs from the battles that counted in the last 30 days, and from the leagues and
    cups that run; return its length. A network has many households, so it only counts in one league or cup."""
    met, fought = _count_meetings(since=now - SPAN)
    events: list[frozenset[int]] = find_function(USERS_OF_EVENTS)()
    together = {pair for users in events for pair in combinations(sorted(users), 2)}
    chosen, fought_by_choice = _count_meetings(since=now - SPAN, chosen=True)
    shared = find_shared_traces({user for pair in (*met, *together) for user in pair})
    rows = [
        _describe(
            pair,
            met.get(pair, Counter()),
            fought,
            (chosen[pair], fought_by_choice),
            shared.get(frozenset(pair), frozenset()),
            in_one_event=pair in together,
            now=now,
        )
        for pair in sorted({*met, *together})
    ]
    agreed = _count_agreed_draws(since=now - SPAN)
    for row in rows:
        row.agreed = agreed[row.one_id, row.other_id]
        row.agrees_often = row.agreed >= AGREE_OFTEN
    suspicious = [row for row in rows if _is_suspicious(row)]
    with transaction.atomic():
        PairWatch.objects.all().delete()
        PairWatch.objects.bulk_create(suspicious, batch_size=500)
    return len(suspicious)


def _is_suspicious(row: PairWatch) -> bool:
    has_traces = row.same_address or row.same_device or (row.same_network and row.in_one_event)
    return row.meets_often or row.is_one_sided or row.agrees_often or has_traces


def _describe(
    pair: Pair,
    wins: Wins,
    fought: Counter[int],
    by_choice: tuple[Wins, Counter[int]],
    shared: frozenset[str],
    *,
    in_one_event: bool,
    now: datetime,
) -> PairWatch:
    """Describe a pair by all their battles. Only those that they chose to fight, `by_choice`, can be too many or too
    one-sided: a league or cup pairs whom it must."""
    one, other = pair
    battles = wins.total()
    shares = [100 * battles // (fought[user] or 1) for user in pair]
    chosen, fought_by_choice = by_choice
    met = chosen.total()
    most = max(100 * met // (fought_by_choice[user] or 1) for user in pair)
    return PairWatch(
        one_id=one,
        other_id=other,
        battles=battles,
        one_won=wins[one],
        other_won=wins[other],
        one_share=shares[0],
        other_share=shares[1],
        meets_often=met >= OFTEN and most >= OFTEN_PERCENT,
        is_one_sided=met >= OFTEN and 100 * max(chosen[one], chosen[other]) >= ONE_SIDED_PERCENT * met,
        same_address="address" in shared,
        same_device="device" in shared,
        same_network="network" in shared,
        in_one_event=in_one_event,
        seen_at=now,
    )


def _count_meetings(*, since: datetime, chosen: bool = False) -> tuple[dict[Pair, Wins], Counter[int]]:
    """Return how often each user beat each other (None: neither or both won), and how often each fought. With `chosen`,
    duels of leagues and cups are left out."""
    met: dict[Pair, Wins] = defaultdict(Counter)
    fought: Counter[int] = Counter()
    for won in _read_battles(since, chosen=chosen):
        fought.update(won.keys())
        for one, other in combinations(sorted(won), 2):
            met[one, other][None if won[one] == won[other] else one if won[one] else other] += 1
    return met, fought


def _read_battles(since: datetime, *, chosen: bool) -> Iterator[dict[int, bool]]:
    """Yield the users of each battle, and whether they won."""
    battles: dict[int, dict[int, bool]] = defaultdict(dict)
    sides = BattleSide.objects.filter(finished_at__gte=since, counts=True)
    if chosen:
        events = ScoredBattle.objects.filter(stakes__in=EVENT_STAKES, scored_at__gte=since)
        sides = sides.exclude(number__in=events.values("number"))
    rows = sides.values_list("number", "user_id", "result")
    for number, user, result in rows.iterator(chunk_size=2000):
        battles[number][user] = battles[number].get(user, False) or result == BattleSide.Result.WON
    yield from battles.values()


def _count_agreed_draws(*, since: datetime) -> Counter[Pair]:
    """Return on how many draws each pair of users agreed."""
    users: dict[int, set[int]] = defaultdict(set)
    sides = BattleSide.objects.filter(finished_at__gte=since, counts=True, battle__ending=AGREED)
    for number, user in sides.values_list("number", "user_id"):
        users[number].add(user)
    return Counter(pair for each in users.values() for pair in combinations(sorted(each), 2))
