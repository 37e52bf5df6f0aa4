"""What a player has seen of how battles ended."""

from collections.abc import Iterable

from django.db.models import OuterRef, Subquery

from accounts.models import User
from duels.models import Battle, Combatant
from duels.selectors.result_news import find_unseen_results


def note_results_seen(*, user: User, numbers: Iterable[int]) -> int:
    """Note that `user` has seen how these battles ended, or that a mage fell in them; return how many were new.

    Numbers of other people's battles, and of battles that simply go on, change nothing. A battle that is reopened and
    ends again is news again. May be called twice.
    """
    unseen = find_unseen_results(user).filter(battle__number__in=list(numbers)).values("pk")
    mine = Combatant.objects.filter(pk__in=list(unseen.values_list("pk", flat=True)))
    ended = Battle.objects.filter(pk=OuterRef("battle_id")).values("finished_at")[:1]
    fallen = mine.filter(battle__finished_at__isnull=True, standing="dead").update(is_fall_seen=True)
    return fallen + mine.filter(battle__finished_at__isnull=False).update(result_seen=Subquery(ended))
