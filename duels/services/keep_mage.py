"""Keeping a guest's mage: the guest becomes a user, and their battles and links stay."""

import datetime
import json
import secrets
from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.services.keep_guest import turn_guest_into_user
from duels.models import Battle, Combatant, OrderSheet, Replay, Turn, TurnEvent
from duels.services.lock import lock_battle
from duels.wakeups import wake_watchers_on_commit

# Where the name of a mage is written in a battle.
COLUMNS = (
    (Battle, "pk", ("state", "result")),
    (Turn, "battle", ("before", "throws")),
    (TurnEvent, "battle", ("facts", "audience")),
    (OrderSheet, "stage__battle", ("lines", "text", "draft")),
)
AT_ONCE = 200


def keep_guest(*, user: User, now: datetime.datetime, **details: Any) -> None:
    """Turn the guest `user` into a user with these `details` (accounts' turn_guest_into_user, which says what they are
    and what is raised). Their mage, and every battle it is or was in, continue under its new name."""
    with transaction.atomic():
        old, new = turn_guest_into_user(user=user, now=now, **details)
        for pk in Battle.objects.filter(combatants__mage__user=user).order_by("pk").values_list("pk", flat=True):
            _rename_in_battle(lock_battle(pk), old, new)


def _rename_in_battle(battle: Battle, old: str, new: str) -> None:
    """Replace the old name with the new one. A guest's name cannot occur in anything else."""
    for model, path, columns in COLUMNS:
        rows: Any = model._default_manager.filter(**{path: battle.pk})
        for row in rows.only(*columns).iterator(AT_ONCE):
            before = {column: getattr(row, column) for column in columns}
            after = {column: _renamed(value, old, new) for column, value in before.items()}
            if after != before:
                rows.filter(pk=row.pk).update(**after)
    # The rolls and commitments made under the old name stay, and are verified with it.
    Combatant.objects.filter(battle=battle, mage__name=new).update(former_name=old)
    # Stories are cached under the mark.
    for turn in Turn.objects.filter(battle=battle).exclude(mark=""):
        Turn.objects.filter(pk=turn.pk).update(mark=secrets.token_hex(8))
    Replay.objects.filter(battle=battle).delete()
    wake_watchers_on_commit(battle.number)


def _renamed(value: Any, old: str, new: str) -> Any:
    return value if value is None else json.loads(json.dumps(value).replace(old, new))
