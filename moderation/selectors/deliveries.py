"""Reading which outgoing emails a janitor may know of."""

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts.models import User
from accounts.selectors.engagements import list_users_in_battle_with
from notifications.models import Delivery


def list_deliveries_for(janitor: User, deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
    """Return the `deliveries` without those to users in a battle with `janitor`, whose times tell what an opponent
    does; also without answers to an opponent's address: an email that we could not read is answered to nobody."""
    opponents = list_users_in_battle_with(janitor)
    theirs = EmailAddress.objects.filter(user__in=opponents)
    return deliveries.exclude(user__in=opponents).exclude(address__in=theirs.values("email"))
