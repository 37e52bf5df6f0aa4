"""Results of battles that a user has not seen yet, with the change of score."""

import datetime
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Mage, User
from accounts.selectors.messages import count_unread_messages
from accounts.selectors.news import count_unseen_news
from duels.models import Battle, Combatant, OrderSheet, TurnEvent
from duels.names import list_result_names
from duels.selectors.battle_facts import BattleFacts
from duels.terms import Terms
from ladder.models import ScoreEntry
from ladder.selectors.scores import scores_by_kind
from ladder.stakes import EVENT_STAKES
from operations.database.prepared_query import PreparedQuery
from rules_engine import ENDED_BY_CUP, ENDED_BY_LEAGUE, NO_RESULT

# The rules' words for a duel that its league or cup has ended.
EVENTS_THAT_ENDED = {ENDED_BY_LEAGUE: "league", ENDED_BY_CUP: "cup"}

BeforeAndAfter = tuple[int, int]
# How a mage can leave a battle that goes on without their player having ordered it, besides a claim.
FALLEN = ("dead", "absent")


@dataclass(frozen=True)
class ResultNews:
    """The result of a battle, or the end of a mage in a battle that continues without them.

    `standing` is the engine's word for the mage's state at the end. `is_dead` says that the mage is dead for good,
    `ranked` that scores are at stake. `score` is the score before and after, for the battle's kind; None while it is
    running. `was_late` says that the mage died by missing the deadline, `was_claimed` that the others have claimed the
    battle from the mage.
    """

    battle: BattleFacts
    mage: str
    others: tuple[str, ...]
    standing: str
    is_dead: bool
    ranked: bool
    score: BeforeAndAfter | None
    was_late: bool
    # Whether the battle is a duel of a league or cup: the mage can have died elsewhere meanwhile.
    in_event: bool = False
    was_claimed: bool = False

    @property
    def number(self) -> int:
        return self.battle.number

    @property
    def ended_at(self) -> datetime.datetime | None:
        return self.battle.finished_at

    @property
    def has_won(self) -> bool:
        return self.mage in list_result_names(self.battle.result, "winners")

    @property
    def is_fought_to_a_draw(self) -> bool:
        """Whether both mages of a duel died or surrendered together (ruling 2)."""
        reason = (self.battle.result or {}).get("reason")
        return self.battle.kind == "duel" and reason in ("all_dead", "all_surrendered")

    @property
    def is_called_off(self) -> bool:
        return (self.battle.result or {}).get("reason") in NO_RESULT

    @property
    def ended_by(self) -> str:
        """Whether the league or cup of the duel has ended it: "league", "cup" or ""."""
        return EVENTS_THAT_ENDED.get(str((self.battle.result or {}).get("reason")), "")


def find_unseen_results(user: User) -> QuerySet[Combatant]:
    """Return the user's mages whose battle ended, or who died in it, were claimed or left without moving, unseen by the
    user."""
    return _find_unseen(user.pk)


def _find_unseen(user: int) -> QuerySet[Combatant]:
    """Return the unseen results. A practice battle counts only if the mage died for good: nothing else is at stake."""
    ended = Q(battle__finished_at__isnull=False) & (
        Q(result_seen__isnull=True) | ~Q(result_seen=F("battle__finished_at"))
    )
    fallen = Q(standing__in=FALLEN) | (Q(standing="surrendered") & _is_out_by_clock())
    fell = Q(battle__finished_at__isnull=True, is_fall_seen=False) & fallen
    real = Q(battle__practice=False) | Q(mage__died_at__gte=F("battle__started_at"))
    return Combatant.objects.filter(ended | fell, real, mage__user=user)


def count_unseen(user: User) -> tuple[int, int, int]:
    """Return how many results, lines of their news and messages the user has not seen, in one query."""
    ((results, news, messages),) = _count_unseen(user=user.pk)
    return results, news, messages


def list_unseen_results(user: User) -> list[ResultNews]:
    """Return the unseen results: deaths first, then the latest."""
    return _describe_results(list(_with_battle(find_unseen_results(user))))


@PreparedQuery
def _count_unseen(user: int) -> "QuerySet[User, tuple[int, int, int]]":
    results = _find_unseen(user).order_by().values("mage__user").annotate(number=Count("pk")).values("number")
    return User.objects.filter(pk=user).values_list(
        Coalesce(Subquery(results), 0), count_unseen_news(user), count_unread_messages(user)
    )


def find_death(mage: Mage) -> ResultNews | None:
    """Return how `mage` died for good in a battle; None if they live, or left in another way."""
    if mage.is_alive or mage.has_left:
        return None
    # Nobody dies for good in a duel of a league or cup, which can have begun before the mage died elsewhere or after.
    fallen = Combatant.objects.filter(mage=mage, standing="dead").exclude(battle__terms__stakes__in=EVENT_STAKES)
    deaths = _with_battle(fallen)
    last = deaths.order_by("-battle__started_at", "-pk")[:1]
    return next(iter(_describe_results(list(last))), None)


def find_last_turn(news: ResultNews) -> int | None:
    """Return the turn (its `seq`) in which the mage died, as everyone saw it; None if that was never public."""
    events = TurnEvent.objects.filter(
        battle__number=news.number, kind__in=("mage_dies", "times_out"), audience__isnull=True
    )
    rows = events.filter(turn__taken_back_by=None).order_by("-n").values_list("turn__seq", "facts")
    return next((seq for seq, facts in rows if facts.get("who") == news.mage), None)


def _with_battle(wanted: QuerySet[Combatant]) -> QuerySet[Combatant]:
    """Return these combatants as `_describe_results` needs them."""
    rows = wanted.select_related("battle", "mage").defer("battle__state", "battle__seed")
    return rows.annotate(out_by_clock=_is_out_by_clock())


def _is_out_by_clock() -> Exists:
    """Return whether a combatant has left by a sheet that no player wrote: by their own deadline, or by a claim."""
    return Exists(OrderSheet.objects.filter(combatant=OuterRef("pk"), via=OrderSheet.Via.CLOCK))


def _describe_results(combatants: list[Any]) -> list[ResultNews]:
    if not combatants:
        return []
    mages = _names_by_battle(each.battle_id for each in combatants)
    entries = _read_score_entries(combatants)
    scores = scores_by_kind(each.mage_id for each in combatants)
    news = [
        ResultNews(
            battle=BattleFacts.of(each.battle),
            mage=each.mage.name,
            others=tuple(name for name in mages[each.battle_id] if name != each.mage.name),
            standing=each.standing,
            is_dead=each.standing == "dead"
            and each.mage.died_at is not None
            and not Terms.from_json(each.battle.terms).stake.is_event,
            ranked=Terms.from_json(each.battle.terms).stake.scores and not each.battle.practice,
            score=_find_score_change(
                each, entries[each.battle.number, each.mage_id], scores[each.battle.kind][each.mage_id]
            ),
            was_late=each.out_by_clock and each.standing == "dead",
            was_claimed=each.out_by_clock and each.standing == "surrendered",
            in_event=Terms.from_json(each.battle.terms).stake.is_event,
        )
        for each in combatants
    ]
    newest = sorted(news, key=lambda row: row.ended_at or row.battle.started_at, reverse=True)
    return sorted(newest, key=lambda row: not row.is_dead)


def _names_by_battle(battles: Iterable[int]) -> dict[int, list[str]]:
    names: dict[int, list[str]] = defaultdict(list)
    rows = Combatant.objects.filter(battle__in=set(battles)).order_by("battle", "position")
    for battle, name in rows.values_list("battle", "mage__name"):
        names[battle].append(name)
    return names


def _read_score_entries(combatants: Iterable[Combatant]) -> dict[tuple[int, int], list[ScoreEntry]]:
    by_battle: dict[tuple[int, int], list[ScoreEntry]] = defaultdict(list)
    pairs = {(each.battle.number, each.mage_id) for each in combatants}
    entries = ScoreEntry.objects.filter(
        battle__in={number for number, _ in pairs}, mage__in={mage for _, mage in pairs}
    )
    for entry in entries.order_by("pk"):
        by_battle[entry.battle, entry.mage_id].append(entry)
    return by_battle


def _find_score_change(combatant: Combatant, entries: list[ScoreEntry], score: int) -> BeforeAndAfter | None:
    if combatant.battle.status != Battle.Status.FINISHED:
        return None
    return (entries[0].before, entries[-1].after) if entries else (score, score)
