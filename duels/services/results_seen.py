"""Which results of battles a player has seen."""

from collections.abc import Iterable

from django.db.models import OuterRef, Subquery

from accounts.models import User
from duels.models import Battle, Combatant
from duels.selectors.result_news import find_unseen_results


def note_results_seen(*, user: User, numbers: Iterable[int]) -> int:
    """Note that `user` has seen how these battles ended, or that their mage died in them; return how many were new.

    Other users' battles and running battles are ignored. If a battle is reopened and ends again, that is news. Safe to
    call twice.
    """
    unseen = find_unseen_results(user).filter(battle__number__in=list(numbers)).values("pk")
    mine = Combatant.objects.filter(pk__in=list(unseen.values_list("pk", flat=True)))
    ended = Battle.objects.filter(pk=OuterRef("battle_id")).values("finished_at")[:1]
    fallen = mine.filter(battle__finished_at__isnull=True, standing="dead").update(is_fall_seen=True)
    return fallen + mine.filter(battle__finished_at__isnull=False).update(result_seen=Subquery(ended))
