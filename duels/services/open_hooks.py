"""What the hooks of a battle and of the site are told about battles, and which battles have hooks."""

import datetime

from duels.keys import StageKey
from duels.models import Battle
from duels.selectors.battle_rows import OpenStage
from duels.selectors.stage_keys import key_of
from duels.services.notify import facts_of_stage, name_end, notice_key
from notifications.hook_events import ENDS, LAST, STARTS, TURNS
from notifications.models import Hook
from notifications.services.open_hooks import tell_open_hooks

# How long the hooks of a battle stay after its end, in case that is still to be told, or the battle is reopened.
KEPT = datetime.timedelta(days=7)


def tell_hooks_of_start(battle: Battle, key: StageKey, label: str, *, now: datetime.datetime) -> None:
    _tell(battle, "open_start", STARTS, key, label, now=now)


def tell_hooks_of_turn(battle: Battle, key: StageKey, label: str, *, now: datetime.datetime) -> None:
    if battle.has_hooks:
        _tell(battle, "open_turn", TURNS, key, label, now=now)


def tell_hooks_of_last_missing(battle: Battle, opened: OpenStage, *, now: datetime.datetime) -> None:
    """Tell the battle's hooks that one mage's orders alone are missing, if so; once in each stage."""
    if battle.has_hooks and len(opened.sheets) > 1 and sum(not sheet.ready for sheet in opened.sheets) == 1:
        _tell(battle, "open_last", LAST, key_of(battle), battle.label, now=now)


def tell_hooks_of_end(battle: Battle, key: StageKey, label: str, *, now: datetime.datetime) -> None:
    _tell(battle, "open_end", ENDS, key, label, once=f"/{name_end(now)}", now=now)


def _tell(
    battle: Battle, kind: str, event: str, key: StageKey, label: str, *, once: str = "", now: datetime.datetime
) -> None:
    is_for_site = event in (STARTS, ENDS) and battle.company == Battle.Company.PEOPLE and not battle.practice
    if battle.has_hooks or is_for_site:
        tell_open_hooks(
            kind=kind,
            event=event,
            key=notice_key(battle, key, f"{kind}{once}"),
            facts=facts_of_stage(battle, key, label),
            battle=battle.number if battle.has_hooks else None,
            of_site=is_for_site,
            now=now,
        )


def note_hooks_of_battle(*, number: int) -> None:
    """Store whether the battle has hooks: it is read with the battle, so that a turn costs no query more."""
    hooks = Hook.objects.filter(scope=Hook.Scope.BATTLE, battle=number)
    Battle.objects.filter(number=number).update(has_hooks=hooks.exists())


def remove_hooks_of_old_battles(*, now: datetime.datetime) -> int:
    """Delete the hooks of battles that have been over for a week, or are gone; return how many."""
    of_battles = Hook.objects.filter(scope=Hook.Scope.BATTLE)
    numbers = {number for number in of_battles.values_list("battle", flat=True) if number is not None}
    kept = Battle.objects.filter(number__in=numbers).exclude(finished_at__lt=now - KEPT)
    old = numbers - set(kept.values_list("number", flat=True))
    return of_battles.filter(battle__in=old).delete()[1].get("notifications.Hook", 0)
