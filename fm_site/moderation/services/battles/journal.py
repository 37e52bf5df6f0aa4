"""The janitors' book of a battle, and the one way in which an intervention is carried out."""

import datetime
from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from duels.models import Battle
from duels.selectors.standing import key_of
from duels.services.locking import lock_battle
from duels.services.telling import facts_of_stage, followers_of, players_of
from duels.wakeups import wake_watchers_on_commit
from fm_site.moderation.intervention_words import describe_intervention
from fm_site.moderation.models import Intervention
from fm_site.moderation.services import log_janitor
from fm_site.moderation.services.battles.permission import refuse_unless_may_act
from fm_site.moderation.services.kept_rows import Kept, Watched, keep_rows
from fm_site.notifications.services import write_notice

Facts = dict[str, Any]
Watch = Callable[[Battle, Facts], Iterable[Watched]]
Act = Callable[[Battle, Intervention], None]


def carry_out(
    *,
    kind: Intervention.Kind,
    battle: Battle,
    by: User,
    reason: str,
    now: datetime.datetime,
    act: Act,
    watch: Watch | None = None,
    facts: Facts | None = None,
) -> Intervention:
    """Let `act` change the battle, all or nothing: entered in its book, logged, told to its players and followers.

    `act` gets the locked battle and the entry, whose facts it may complete; `watch` names the rows that undoing puts
    back. Raises NoJanitor, StandsInBattle, ReasonMissing, and what `act` raises; nothing is changed then.
    """
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        refuse_unless_may_act(battle, by, reason)
        before: Kept = keep_rows(watch(battle, facts or {})) if watch else {}
        entry = enter(kind=kind, battle=battle, by=by, reason=reason, facts=facts or {}, now=now)
        act(battle, entry)
        entry.before, entry.after = before, keep_rows(watch(battle, entry.facts)) if watch else {}
        entry.save(update_fields=["facts", "before", "after"])
        log_janitor(by=by, about=battle, message=describe_intervention(entry.kind, entry.facts, reason), now=now)
        tell_of_entry(battle, entry, now=now)
        wake_watchers_on_commit(battle.number)
    return entry


def enter(
    *, kind: Intervention.Kind, battle: Battle, by: User, reason: str, facts: Facts, now: datetime.datetime
) -> Intervention:
    """Write the next entry in the book of a battle whose row is locked."""
    last = Intervention.objects.filter(battle=battle).aggregate(last=Max("number"))["last"] or 0
    return Intervention.objects.create(
        battle=battle,
        number=last + 1,
        kind=kind,
        seq=battle.seq,
        attempt=battle.attempt,
        label=battle.label,
        by=by,
        reason=reason.strip(),
        facts=facts,
        made_at=now,
    )


def tell_of_entry(battle: Battle, entry: Intervention, *, now: datetime.datetime, undone: bool = False) -> None:
    """Tell players and followers of the entry, or that it was undone, once, with how the battle stands now."""
    facts = facts_of_stage(battle, key_of(battle), battle.label) | {"entry": entry.number, "undone": undone}
    key = f"battle/{battle.number}/entry/{entry.number}{'/undone' if undone else ''}"
    for user in sorted({*players_of(battle), *followers_of(battle)}, key=lambda each: each.pk):
        write_notice(key=f"{key}/{user.pk}", user=user, kind="battle_intervened", facts=facts, now=now)
