"""Finished battles for the dump, by month, with their changes of scores and ratings."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import TruncMonth

from accounts.models import User
from duels.models import Battle, Combatant
from duels.selectors.journal import find_decided_battles
from ladder.selectors.dump import LadderFacts, list_ends_reopened, read_ladder_facts
from rules_engine import UnknownRuleset, UnknownState
from rules_engine.records import build_record, write_record
from studies.selectors.stored_battle import read_stored_battle

AT_A_TIME = 200
# How long before the dump began a battle may have been reopened that it still took for finished.
OVERLAP = timedelta(minutes=10)


def list_months() -> list[str]:
    """Return the months (UTC, "2031-05") in which battles ended, oldest first."""
    months = _finished().annotate(month=TruncMonth("finished_at", tzinfo=UTC)).order_by("month")
    return [f"{month:%Y-%m}" for month in months.values_list("month", flat=True).distinct()]


def list_withheld_months(*, written_at: datetime) -> frozenset[str]:
    """Return the months whose files, of a dump written then, may have a battle that was reopened since: its hidden
    gestures are secret again."""
    return frozenset(f"{end.astimezone(UTC):%Y-%m}" for end in list_ends_reopened(since=written_at - OVERLAP))


def mark_month(month: str) -> str:
    """Return a hash that changes whenever the content of the month's files would change."""
    rows = list(_of_month(month).values_list("number", "result", "finished_at"))
    facts = read_ladder_facts([number for number, *_ in rows])
    names = _name_players([number for number, *_ in rows])
    content = [rows, [names[number] for number, *_ in rows], [[number, vars(each)] for number, each in facts.items()]]
    return hashlib.sha256(json.dumps(content, default=str, sort_keys=True).encode()).hexdigest()


def read_month(month: str) -> Iterator[dict[str, Any]]:
    """Yield the battles of a month by number, except annulled ones and those the ladder does not know."""
    numbers = list(_of_month(month).values_list("number", flat=True))
    for start in range(0, len(numbers), AT_A_TIME):
        some = numbers[start : start + AT_A_TIME]
        facts, names = read_ladder_facts(some), _name_players(some)
        decided = find_decided_battles(some)
        for battle in Battle.objects.filter(number__in=facts).order_by("number"):
            yield _write(battle, facts[battle.number], names[battle.number], decided)


def _finished() -> QuerySet[Battle]:
    return Battle.objects.filter(status=Battle.Status.FINISHED)


def _of_month(month: str) -> QuerySet[Battle]:
    start = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    end = start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
    return _finished().filter(finished_at__gte=start, finished_at__lt=end).order_by("number")


def _name_players(numbers: list[int]) -> dict[int, list[tuple[str, str, int]]]:
    """Return mage, user and user id of each seat. Users who have left get a neutral name."""
    names: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
    rows = Combatant.objects.filter(battle__number__in=numbers).select_related("mage__user", "battle")
    for row in rows.order_by("battle", "position"):
        names[row.battle.number].append((row.mage.name, name_publicly(row.mage.user), row.mage.user_id))
    return names


def name_publicly(user: User) -> str:
    """Return the user's name, or a neutral one if they have left."""
    return user.username if user.is_active else f"former_user_{user.pk}"


def _write(
    battle: Battle, facts: LadderFacts, names: list[tuple[str, str, int]], decided: Collection[int]
) -> dict[str, Any]:
    return {
        "battle": battle.number,
        "kind": battle.kind,
        "ruleset": battle.ruleset,
        "edition": battle.edition,
        "terms": battle.terms,
        "practice": facts.practice,
        "deadly": facts.deadly,
        "stakes": facts.stakes,
        # A janitor has set another result than the last turn gave.
        "corrected": facts.corrected or battle.number in decided,
        "started_at": battle.started_at.astimezone(UTC).isoformat(),
        "ended_at": facts.ended_at,
        "mages": [
            {"mage": mage, "user": user, "user_id": key, "won": mage in facts.won, "died": mage in facts.died}
            for mage, user, key in names
        ],
        "result": battle.result,
        "paid": facts.paid,
        "scores": facts.scores,
        "ratings": facts.ratings,
        "record": _write_record(battle, {mage: user for mage, user, _ in names}),
    }


def _write_record(battle: Battle, users: dict[str, str]) -> str | None:
    """Return the record with the names of the dump; None if no turn was played or this release cannot read it."""
    try:
        stored = replace(read_stored_battle(battle), users=users)
        return write_record(build_record(stored)) if stored.turns else None
    except (UnknownRuleset, UnknownState):
        return None
