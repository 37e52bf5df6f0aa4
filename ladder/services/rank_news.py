"""News of mages who moved up on the ladder."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from accounts.models import Mage
from accounts.selectors.ties import list_followers_of
from notifications.services.outbox import write_notice, write_notices

# Followers are told of these ranks only.
HIGH = 10


class Rise(NamedTuple):
    """A mage whose own points brought them to a better rank than before."""

    mage_id: int
    rank: int


def write_news_of_ranks(*, kind: str, rises: Iterable[Rise], now: datetime) -> None:
    """Tell the mages' users, and followers of the high ranks; of each rank of a mage once, however often they lose and
    regain it. Call it in the transaction that stores the ladder."""
    ranks = {rise.mage_id: rise.rank for rise in rises}
    for mage in Mage.objects.filter(pk__in=ranks).select_related("user").order_by("pk"):
        rank, user = ranks[mage.pk], mage.user
        facts, what = {"mage": mage.name, "rank": rank, "kind": kind}, f"rank/{kind}/{mage.pk}/{rank}"
        write_notice(key=what, user=user, kind="own_rank", facts=facts, now=now)
        if rank <= HIGH:
            entries = [(f"{what}/{follower.pk}", follower, facts) for follower in list_followers_of([user])]
            write_notices(kind="followed_rank", entries=entries, about=[user.pk], now=now)
