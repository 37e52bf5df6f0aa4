"""Notices about battles, each sent once. They contain only facts; what a reader may see is decided when the email is
composed."""

import datetime
from collections.abc import Iterable
from typing import Any

from accounts.models import User
from duels.keys import StageKey
from duels.models import Battle, ClockStop, Combatant
from duels.selectors.absences import PAUSES
from duels.selectors.battle_rows import OpenStage, read_combatants
from duels.selectors.stage_keys import key_of
from notifications.kinds import LAST_MISSING
from notifications.services.outbox import write_notices
from notifications.services.remind_unconfirmed import remind_unconfirmed

# The only notices for users without a confirmed address: those about their own deadline.
REMINDERS = frozenset({"deadline_reminder", "deadline_alarm", "deadline_final"})


def notify_users(
    users: Iterable[User],
    kind: str,
    battle: Battle,
    key: StageKey,
    label: str,
    *,
    now: datetime.datetime,
    once: str = "",
    **more: str,
) -> None:
    """Write one notice of `kind` about that stage for each of `users`; the same call again writes nothing.

    `once` distinguishes several notices of one kind in the same stage.
    """
    recipients = _order_people(users)
    if not recipients:
        return
    facts = facts_of_stage(battle, key, label) | more
    what = notice_key(battle, key, f"{kind}/{once}" if once else kind)
    write_notices(kind=kind, entries=[(f"{what}/{user.pk}", user, facts) for user in recipients], now=now)
    if kind in REMINDERS:
        remind_unconfirmed(users=recipients, facts=facts, now=now)


def notify_of_turn(
    users: Iterable[User], battle: Battle, key: StageKey, label: str, *, now: datetime.datetime, once: str = ""
) -> None:
    """Notify `users` that this turn has resolved; `once` names the result of one that was stuck.

    The caller has just closed its last stage under the battle's lock, so nobody else can have written these notices,
    unless a janitor had the turn played before and undid that.
    """
    recipients = _order_people(users)
    what = notice_key(battle, key, f"turn_resolved/{once}" if once else "turn_resolved")
    facts = facts_of_stage(battle, key, label)
    notices = [(f"{what}/{user.pk}", user, facts) for user in recipients]
    write_notices(kind="turn_resolved", entries=notices, now=now, are_new=not once)


def notify_of_last_missing(battle: Battle, opened: OpenStage, *, now: datetime.datetime) -> None:
    """Tell the hooks of the user whose orders alone are missing, if one's are; once in each stage."""
    waiting = [sheet.combatant for sheet in opened.sheets if not sheet.ready]
    users = {each.mage.user for each in waiting if not each.stand_in}
    if len(users) == 1 and len(waiting) < len(opened.sheets):
        notify_users(
            [user for user in users if user.has_webhook], LAST_MISSING, battle, key_of(battle), battle.label, now=now
        )


def _order_people(users: Iterable[User]) -> list[User]:
    """Return each user once, without the site's bots, who read nothing."""
    return sorted({user for user in users if not user.bot_strength}, key=lambda each: each.pk)


def notice_key(battle: Battle, key: StageKey, what: str) -> str:
    """Return the key of a notice of that stage, to which the id of its user is added."""
    return f"battle/{battle.number}/{key.seq}/{key.attempt}/{key.stage}/{what}"


def name_end(ended_at: datetime.datetime) -> str:
    """Return what tells an end of a battle from an earlier one, in the same stage, that a janitor has undone."""
    return f"{ended_at:%Y%m%dT%H%M%S%f}"


def notify_of_request(battle: Battle, combatant: Combatant, kind: str, *, now: datetime.datetime, **more: str) -> None:
    """Notify the other players of a request by the user of `combatant` that needs everyone's consent; once a day."""
    notify_users(
        others_than(combatant, battle),
        kind,
        battle,
        key_of(battle),
        battle.label,
        now=now,
        once=f"{combatant.pk}/{now:%Y%m%d}",
        who=combatant.mage.name,
        **more,
    )


def notify_of_resumption(battle: Battle, pause: ClockStop, *, now: datetime.datetime) -> None:
    """Notify the players that a pause is over, unless another one lasts. Once for each end: a janitor can undo an early
    one."""
    if ClockStop.objects.filter(battle=battle, reason__in=PAUSES, ended_at=None).exists():
        return
    once = f"{pause.pk}/{now:%Y%m%d%H%M%S}"
    notify_users(players_of(battle), "battle_resumed", battle, key_of(battle), battle.label, now=now, once=once)


def others_than(combatant: Combatant, battle: Battle) -> list[User]:
    """Return the users with a mage in the battle, except the owner of this one."""
    return [user for user in players_of(battle) if user.pk != combatant.mage.user_id]


def others_still_in(combatant: Combatant, battle: Battle) -> list[User]:
    """Return the users whom the battle keeps waiting for this mage: those with another that is still in it."""
    left = {each.mage.user_id for each in read_combatants(battle) if each.standing == "in"}
    return [user for user in others_than(combatant, battle) if user.pk in left]


def facts_of_stage(battle: Battle, key: StageKey, label: str) -> dict[str, Any]:
    """Return the facts of a notice about that stage: the battle, the stage, and the mages."""
    return {
        "battle": battle.number,
        "kind": battle.kind,
        "seq": key.seq,
        "attempt": key.attempt,
        "stage": key.stage,
        "label": label,
        "mages": [combatant.mage.name for combatant in read_combatants(battle)],
    }


def players_of(battle: Battle) -> list[User]:
    """Return the users with a mage in the battle, each once."""
    return sorted({combatant.mage.user for combatant in read_combatants(battle)}, key=lambda each: each.pk)


def users_of_mages(battle: Battle, names: Iterable[str]) -> list[User]:
    """Return the users of those mages of the battle, each once."""
    called = set(names)
    users = {combatant.mage.user for combatant in read_combatants(battle) if combatant.mage.name in called}
    return sorted(users, key=lambda each: each.pk)


def followers_of(battle: Battle) -> list[User]:
    return list(User.objects.filter(subscriptions__battle=battle).order_by("pk"))
