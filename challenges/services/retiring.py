"""Mages who rest or leave (FM-ORDUSR-8 to FM-ORDUSR-14): what that does to their scores and invitations."""

from datetime import datetime
from typing import Literal

from django.db import transaction

from accounts.models import Mage
from accounts.services import remove_free_mage, retire_free_mage, touch_activity
from challenges.services.answers import decline_elsewhere_on_commit
from ladder.selectors import total_score_of


def retire_mage(*, mage: Mage, now: datetime) -> Literal["retired", "removed"]:
    """Let a free mage rest: with a score above zero it stays in the honour roll, cannot be challenged, and comes back
    by challenging or accepting; with none it leaves for good. Its invitations are declined. Raises accounts' MageBusy,
    MageDead."""
    with transaction.atomic():
        stays = total_score_of(mage) > 0
        if stays:
            retire_free_mage(mage=mage, now=now)
        else:
            remove_free_mage(mage=mage, now=now)
        touch_activity(user=mage.user, mage=mage, now=now)
        decline_elsewhere_on_commit(mage, now)
    return "retired" if stays else "removed"


def quit_mage(*, mage: Mage, now: datetime) -> None:
    """Let a free mage leave for good, scores and all. Its invitations are declined. Raises accounts' MageBusy,
    MageDead."""
    with transaction.atomic():
        remove_free_mage(mage=mage, now=now)
        touch_activity(user=mage.user, now=now)
        decline_elsewhere_on_commit(mage, now)
