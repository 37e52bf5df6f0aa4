"""Which battles people watch: the order in which a board shows them, those that ended lately, and the battle of the
week. Only facts that every spectator sees decide."""

import datetime
from collections import Counter
from collections.abc import Sequence

from django.db.models import Avg, Exists, F, OuterRef, Q, QuerySet

from duels.errors import UnreadableBattle
from duels.models import Battle, Combatant, Turn
from duels.paces import LIVE, is_live
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.spectators import count_spectators
from operations.database.prepared_query import PreparedQuery
from rules_engine import Viewer, look

# A battle that is not live is shown so long after a turn.
RECENTLY = datetime.timedelta(minutes=10)
WEEK = datetime.timedelta(days=7)
# Where a mage's hit points are hidden, how close the battle is cannot be known: such a battle comes last.
UNKNOWN = 1000


def list_featured_battles(*, now: datetime.datetime) -> list[int]:
    """Return the numbers of the battles of people that a board shows, the first one first.

    Live battles by number of spectators, then those in which a turn was resolved lately; within each, the highest mean
    rating comes first, then the least distance in hit points.
    """
    rows = _read_candidates(since=now - RECENTLY)
    spectators = count_spectators(number for number, pace in rows if is_live(pace))
    ranks: dict[int, tuple[float, ...]] = {
        number: (not is_live(pace), -spectators.get(number, 0)) for number, pace in rows
    }
    ratings = _average_ratings(_find_tied(ranks))
    ranks = {number: (*rank, -ratings.get(number, 0)) for number, rank in ranks.items()}
    distances = _measure_distances(_find_tied(ranks))
    return sorted(ranks, key=lambda number: (ranks[number], distances.get(number, 0), number))


def _find_tied(ranks: dict[int, tuple[float, ...]]) -> list[int]:
    held_by = Counter(ranks.values())
    return [number for number, rank in ranks.items() if held_by[rank] > 1]


@PreparedQuery
def _read_candidates(since: datetime.datetime) -> "QuerySet[Battle, tuple[int, str]]":
    """Return number and pace of the running battles of people that are live or had a turn since then."""
    of_people = Q(company=Battle.Company.PEOPLE) | Q(company=Battle.Company.MIXED, practice=False)
    resolved = Turn.objects.filter(battle=OuterRef("pk"), taken_back_by=None, resolved_at__gte=since)
    lively = Q(terms__pace__startswith=LIVE) | Exists(resolved)
    running = Battle.objects.filter(of_people, lively, finished_at=None, status=Battle.Status.RUNNING)
    return running.order_by().values_list("number", F("terms__pace"))


def _average_ratings(numbers: Sequence[int]) -> dict[int, float]:
    """Return the mean rating of the people in each of these battles, for its kind; none if nobody has one."""
    if not numbers:
        return {}
    people = Combatant.objects.filter(battle__number__in=numbers, mage__user__is_bot=False)
    rated = people.filter(mage__user__ratings__kind=F("battle__kind")).order_by().values_list("battle__number")
    return dict(rated.annotate(Avg("mage__user__ratings__rating")))


def _measure_distances(numbers: Sequence[int]) -> dict[int, int]:
    """Return how far apart the mages' hit points are, as spectators see them, of each of these battles."""
    if not numbers:
        return {}
    battles = Battle.objects.filter(number__in=numbers).only("number", "ruleset", "edition", "state")
    return {battle.number: _measure_distance(battle) for battle in battles}


def _measure_distance(battle: Battle) -> int:
    try:
        view = look(read_battle_state(battle), Viewer.spectator())
    except UnreadableBattle:
        return UNKNOWN
    points = [mage.hp for mage in view.mages if mage.standing == "in"]
    known = [hp for hp in points if hp is not None]
    return max(known) - min(known) if known and len(known) == len(points) else UNKNOWN


def find_battle_of_the_week(*, now: datetime.datetime) -> int | None:
    """Return the number of the battle of the week: the last one that a janitor chose within a week, else the most
    watched one of those that ended within a week, else the last one that ended; None if there is none."""
    since = now - WEEK
    ended = Battle.objects.filter(status=Battle.Status.FINISHED, turns__resolved_at__isnull=False).order_by()
    of_people = ~Q(company=Battle.Company.BOTS)
    # One that ended within the week was chosen within it, if it ever was.
    of_week = ended.filter(
        Q(week_chosen_at__gte=since) | Q(of_people, finished_at__gte=since, most_spectators__gt=0)
    ).order_by(F("week_chosen_at").desc(nulls_last=True), "-most_spectators", "-finished_at")
    last = ended.filter(of_people).order_by("-finished_at", "-number")
    found = (each.values_list("number", flat=True).first() for each in (of_week, last))
    return next((number for number in found if number is not None), None)
