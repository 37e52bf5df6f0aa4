"""The rematch of a battle: its challenge or battle, and who asked for it."""

from accounts.models import Mage
from duels.errors import BattleNotFound
from duels.models import Battle
from duels.services.lock import lock_battle
from duels.wakeups import wake_watchers_on_commit


def lock_for_rematch(*, number: int) -> Battle:
    """Return the battle, locked until the end of the transaction, so that the second of two simultaneous requests sees
    the result of the first. Raises BattleNotFound."""
    key = Battle.objects.filter(number=number).values_list("pk", flat=True).first()
    if key is None:
        raise BattleNotFound(number)
    # A write, because SQLite ignores row locks.
    Battle.objects.filter(pk=key).update(number=number)
    return lock_battle(key)


def lock_battle_of_rematch(*, number: int) -> None:
    """Lock the battle whose rematch is challenge `number`, until the transaction ends. Call it before you lock a
    challenge that you may end: asking for a rematch locks the two in the same order."""
    list(Battle.objects.select_for_update().filter(rematch=number).order_by("pk").values_list("pk"))


def record_rematch(*, battle: Battle, number: int, asked_by: Mage) -> None:
    """Record on a locked battle that challenge or battle `number` is its rematch, and wake its open pages."""
    Battle.objects.filter(pk=battle.pk).update(rematch=number, rematch_by=asked_by.name)
    wake_watchers_on_commit(battle.number)


def announce_rematch(*, number: int) -> None:
    """Wake the open pages of the battle whose rematch, battle `number`, has begun."""
    for battle in Battle.objects.filter(rematch=number).values_list("number", flat=True):
        wake_watchers_on_commit(battle)


def clear_rematch(*, number: int) -> None:
    """Clear the rematch that is challenge `number`: it ended without a battle, so another one may be requested."""
    for battle in Battle.objects.filter(rematch=number).values_list("number", flat=True):
        Battle.objects.filter(number=battle, rematch=number).update(rematch=None, rematch_by="")
        wake_watchers_on_commit(battle)
