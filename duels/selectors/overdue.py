"""Battles that a sweep has to look after."""

from django.db.models import Exists, OuterRef, QuerySet

from duels.models import Battle, OrderSheet, Stage
from duels.release import current_release


def list_unresolved_battles() -> QuerySet[Battle]:
    """Battles whose open stage waits for nobody and yet has not been played."""
    waiting = OrderSheet.objects.filter(stage=OuterRef("pk"), ready=False)
    complete = Stage.objects.filter(~Exists(waiting), battle=OuterRef("pk"), closed_at__isnull=True)
    return Battle.objects.filter(Exists(complete), status=Battle.Status.RUNNING).order_by("number")


def list_battles_to_retry() -> QuerySet[Battle]:
    """Battles that other code than this could not play on."""
    return Battle.objects.filter(status=Battle.Status.STUCK).exclude(stuck_release=current_release()).order_by("number")
