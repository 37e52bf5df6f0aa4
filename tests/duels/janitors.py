"""Janitors for tests, and a snapshot of every row that a janitor's action may change."""

from typing import Any

from django.contrib.auth.models import Group

from accounts.janitors import JANITORS, READ_ONLY_JANITORS
from accounts.models import Engagement, Mage, User
from duels.models import Battle, ClockStop, Combatant, Deadline, MissedTurn, OrderSheet, Stage, Turn, TurnEvent
from ladder.models import ScoredBattle, ScoreEntry
from tests.scenes import make_user

WHY = "the mail was lost"


OPENED = ("seed", "commitment", "earlier_seeds")


def make_janitor(name: str = "Jane", *, reads_only: bool = False) -> User:
    user = make_user(name)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.groups.add(Group.objects.get_or_create(name=READ_ONLY_JANITORS if reads_only else JANITORS)[0])
    return User.objects.get(pk=user.pk)


def picture_rows() -> dict[str, list[dict[str, Any]]]:
    """Everything in every row of the game. The book, the log and what was told are no part of it."""
    models = (Battle, Combatant, Turn, Stage, OrderSheet, TurnEvent, Engagement, Mage)
    models += (Deadline, ClockStop, MissedTurn)
    rows = {model._meta.label: list(model.objects.order_by("pk").values()) for model in models}
    # Nothing makes an opened seed secret again: whatever lets a battle continue leaves it with a new one.
    rows["duels.Battle"] = [{k: v for k, v in row.items() if k not in OPENED} for row in rows["duels.Battle"]]
    for model in (ScoreEntry, ScoredBattle):
        # A result that counts again is written in new rows with the same contents.
        found = [{k: v for k, v in row.items() if k != "id"} for row in model.objects.order_by("pk").values()]
        rows[model._meta.label] = sorted(found, key=str)
    return rows
