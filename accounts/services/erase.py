"""Erasing what a closed account has left."""

from django.db import transaction
from django.db.models.functions import Lower

from accounts.models import Message, Name, User
from accounts.selectors.users import list_merged_accounts
from notifications.models import Delivery, Notice
from operations.registry import ERASED_WITH_USER, GOES_WITH_USER, list_fields


def erase_user(*, user: User, besides: Notice | None = None) -> None:
    """Delete what closing the account of `user`, and those merged into it, has left: what they wrote to others, and
    what is recorded about them.

    Anyone may take their name from now on, unless a mage of theirs has it. Battles, results and the janitors' journal
    stay, without the name. Nobody can undo it; a second time deletes nothing. The notice `besides` stays: it tells them
    that the account is closed.
    """
    with transaction.atomic():
        for account in (user, *list_merged_accounts(user)):
            _erase_account(account, besides)
        names = Name.objects.filter(owner=user, kind=Name.Kind.USER)
        names.filter(key__in=user.mages.values(key=Lower("name"))).update(kind=Name.Kind.MAGE)
        names.delete()


def _erase_account(user: User, besides: Notice | None) -> None:
    # What readers were told of the messages that go.
    Notice.objects.filter(message__in=Message.objects.filter(writer=user)).delete()
    Delivery.objects.filter(user=user).exclude(notice=besides).delete()
    Notice.objects.filter(user=user).exclude(pk__in=[besides.pk] if besides else []).delete()
    for model, field in list_fields((*ERASED_WITH_USER, *GOES_WITH_USER)):
        model._default_manager.filter(**{field: user}).delete()
