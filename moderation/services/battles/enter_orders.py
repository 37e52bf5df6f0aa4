"""Entering orders for a mage."""

import datetime
from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from duels.keys import StageKey
from duels.models import Battle, Combatant, Deadline, OrderSheet, Stage
from duels.services.orders import submit_orders
from duels.services.receipts import Receipt
from moderation.models import JournalEntry
from moderation.services.battles.journal import act_on_battle
from moderation.services.journal import Facts
from moderation.services.snapshots import Watched

CHANGED = "these orders have been changed since"
PLAYED = _("the turn has been resolved; rewind it instead")


def enter_orders_for_mage(
    *,
    combatant: Combatant,
    text: str,
    ready: bool,
    by: User,
    reason: str,
    now: datetime.datetime,
    stage: StageKey | None = None,
) -> Receipt:
    """Submit a janitor's orders for a mage, as the whole sheet, with the same rules as for the mage's owner.

    The sheet says that they came from a janitor. They do not count as the owner's activity: idle times and vacation
    stay. The journal says for whom it was done, never what was ordered. Raises what submit_orders and act_on_battle
    raise.
    """

    open_stage = Stage.objects.filter(battle=combatant.battle_id, closed_at=None).values_list("pk", flat=True).first()
    with act_on_battle(
        kind=JournalEntry.Kind.ORDERED,
        battle=combatant.battle,
        by=by,
        reason=reason,
        now=now,
        watch=watch_sheet,
        facts={"mage": combatant.mage.name, "stage": open_stage},
    ) as (locked, entry):
        receipt = submit_orders(
            combatant=combatant, text=text, via="janitor", now=now, stage=stage, ready=ready, replace=True
        )
        locked.refresh_from_db()
        entry.facts |= {"turn": receipt.label, "played": receipt.outcome == "resolved"}
    return receipt


def watch_sheet(battle: Battle, facts: Facts) -> Iterable[Watched]:
    """Return the mage's sheet in the stage in which the janitor entered orders."""
    stage = Stage.objects.filter(battle=battle, pk=facts["stage"])
    yield Watched(stage, ("closed_at",), PLAYED)
    mine = Combatant.objects.filter(battle=battle, mage__name=facts["mage"])
    columns = ("lines", "text", "draft", "ready", "via", "submitted_at", "clock", "commitments")
    yield Watched(OrderSheet.objects.filter(stage__in=stage, combatant__in=mine), columns, CHANGED)
    yield Watched(mine, ("bank",), CHANGED)
    yield Watched(Deadline.objects.filter(combatant__in=mine), by_themselves=True)


def say_if_played(facts: Facts, now: datetime.datetime) -> str | None:
    """Return why the orders cannot be undone: as the last ones, they resolved the turn."""
    return str(PLAYED) if facts["played"] else None
