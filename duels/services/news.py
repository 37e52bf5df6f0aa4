"""Lines of users' news about battles: how one ended, and that a live one has begun."""

import datetime
from collections.abc import Collection, Iterable, Sequence

from accounts.models import Mage, User
from accounts.selectors.ties import find_users_apart_from, list_followers_of
from duels.keys import StageKey
from duels.models import Battle, Combatant, OrderSheet
from duels.paces import is_live
from duels.selectors.battle_rows import read_combatants
from duels.selectors.result_news import EVENTS_THAT_ENDED
from duels.services.notify import facts_of_stage, name_end, notice_key, players_of
from duels.terms import read_stakes
from ladder.selectors.scores import scores_by_id
from ladder.stakes import STAKES
from notifications.models import Notice
from notifications.services.news import hide_news, mark_news_seen, show_news_again
from notifications.services.outbox import write_notices
from rules_engine import AGREED, NO_RESULT, Outcome

RESULTS = ("own_result", "followed_result")
LIVE = "followed_live"


def write_news_of_result(
    battle: Battle, outcome: Outcome, key: StageKey, label: str, *, followers: Iterable[User], now: datetime.datetime
) -> None:
    """Tell the players how the battle ended, and `followers` of it and of its players. Practice is news only if a mage
    died for good. Call it in the transaction that ends the battle, after the result has been counted."""
    hide_news(kinds=[LIVE], start=_start_of(battle))
    combatants = read_combatants(battle)
    dead = _list_dead(battle, combatants, outcome)
    if battle.practice and not dead:
        return
    facts = facts_of_stage(battle, key, label) | {
        "winners": list(outcome.winners),
        "sharing": list(outcome.sharing),
        "dead": dead,
        "late": _list_late(combatants, dead),
        "called_off": outcome.reason in NO_RESULT,
        "ended_by": EVENTS_THAT_ENDED.get(outcome.reason, ""),
        "agreed": outcome.turn if outcome.reason == AGREED else "",
    }
    players = players_of(battle)
    what = notice_key(battle, key, f"own_result/{name_end(now)}")
    write_notices(
        kind="own_result",
        entries=[(f"{what}/{user.pk}", user, facts | own) for user, own in _list_own(battle, combatants, players)],
        now=now,
    )
    readers = _list_readers(players, followers) if not facts["called_off"] else []
    what = notice_key(battle, key, f"followed_result/{name_end(now)}")
    write_notices(
        kind="followed_result",
        entries=[(f"{what}/{user.pk}", user, facts) for user in readers],
        about=[user.pk for user in players],
        now=now,
    )


def write_news_of_start(battle: Battle, key: StageKey, *, followers: Iterable[User], now: datetime.datetime) -> None:
    """Tell `followers`, and those of the players, that a live battle has begun, unless it is practice."""
    if battle.practice or not is_live(battle.terms.get("pace")):
        return
    players = players_of(battle)
    facts, what = facts_of_stage(battle, key, battle.label), notice_key(battle, key, LIVE)
    entries = [(f"{what}/{user.pk}", user, facts) for user in _list_readers(players, followers)]
    write_notices(kind=LIVE, entries=entries, about=[user.pk for user in players], now=now)


def review_news(battle: Battle) -> None:
    """Make the news of a battle true again after a janitor has changed it: a result is news only while it counts."""
    status, ended_at = Battle.objects.values_list("status", "finished_at").get(pk=battle.pk)
    hide_news(kinds=RESULTS if ended_at is None else (*RESULTS, LIVE), start=_start_of(battle))
    if status == Battle.Status.FINISHED and ended_at is not None:
        show_news_again(kinds=RESULTS, start=_start_of(battle), written_at=ended_at)


def mark_result_news_seen(*, user: User, numbers: Iterable[int]) -> None:
    """Note that the user has read how these battles ended, elsewhere than in their news."""
    lines = Notice.objects.filter(user=user, kind="own_result", is_unseen=True, facts__battle__in=list(numbers))
    mark_news_seen(user=user, lines=lines.values_list("pk", flat=True))


def _start_of(battle: Battle) -> str:
    """Return how the keys of all notices about this battle begin."""
    return f"battle/{battle.number}/"


def _list_own(
    battle: Battle, combatants: Sequence[Combatant], players: Collection[User]
) -> Iterable[tuple[User, dict[str, object]]]:
    """Return what only their own users are told about the mages: which they are, and their scores if these were at
    stake."""
    scores = {}
    if STAKES[read_stakes(battle.terms)].scores and not battle.practice:
        scores = scores_by_id([each.mage_id for each in combatants], battle.kind)
    for user in players:
        mine = [each.mage for each in combatants if each.mage.user_id == user.pk]
        score = scores.get(mine[0].pk, 0) if scores and len(mine) == 1 else None
        if not user.bot_strength:
            yield user, {"mine": [mage.name for mage in mine], "score": score}


def _list_readers(players: Collection[User], followers: Iterable[User]) -> list[User]:
    """Return the active users among `followers` and those who follow a player, without the players themselves and
    without those who block one or are blocked by one."""
    people = [user for user in players if not user.bot_strength]
    found = {user for user in (*followers, *list_followers_of(people)) if user.is_active} - set(players)
    apart = find_users_apart_from(user.pk for user in players) if found else frozenset()
    return sorted((user for user in found if user.pk not in apart), key=lambda user: user.pk)


def _list_dead(battle: Battle, combatants: Sequence[Combatant], outcome: Outcome) -> list[str]:
    """Return the names of those who died for good in the battle that has just been counted: nobody does in a league or
    cup, even if a mage died elsewhere meanwhile."""
    if not outcome.dead or STAKES[read_stakes(battle.terms)].is_event:
        return []
    mages = [each.mage_id for each in combatants if each.mage.name in outcome.dead]
    dead = Mage.objects.filter(pk__in=mages, died_at__isnull=False, has_left=False)
    return list(dead.order_by("pk").values_list("name", flat=True))


def _list_late(combatants: Sequence[Combatant], dead: Collection[str]) -> list[str]:
    """Return those of the dead whom nobody killed: their time ran out."""
    fallen = [each.pk for each in combatants if each.mage.name in dead]
    late = OrderSheet.objects.filter(combatant__in=fallen, via=OrderSheet.Via.CLOCK) if fallen else None
    return sorted(set(late.values_list("combatant__mage__name", flat=True))) if late is not None else []
