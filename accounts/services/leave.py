"""Retiring and removing mages, and closing accounts."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q

from accounts.errors import MageBusy, StillFighting, StillHasMages
from accounts.former_users import make_former_name, replace_user_names, replace_words
from accounts.models import (
    ApiToken,
    Block,
    CalendarLink,
    Engagement,
    Follow,
    Host,
    Mage,
    Name,
    ObituaryLine,
    PrivateNote,
    User,
)
from accounts.selectors.engagements import list_battles_of
from accounts.selectors.users import list_merged_accounts
from accounts.services.mages import lock_living_mage
from accounts.services.messages import leave_threads
from notifications.models import Preference
from operations.registry import FACTS_WITH_USER_NAMES, GOES_WITH_USER, WORDS_ABOUT_USERS, list_fields


def retire_free_mage(*, mage: Mage, now: datetime) -> None:
    """Retire a free mage until they challenge or accept; does nothing if they are retired. Raises
    MageUnavailable."""
    with transaction.atomic():
        _lock_free_mage(mage)
        Mage.objects.filter(pk=mage.pk, retired_at=None).update(retired_at=now)
    mage.refresh_from_db(fields=["retired_at"])


def remove_free_mage(*, mage: Mage, now: datetime) -> None:
    """Let a free mage leave for good, alive: they are out of play from then on. Raises MageUnavailable."""
    with transaction.atomic():
        _lock_free_mage(mage)
        Mage.objects.filter(pk=mage.pk).update(died_at=now, has_left=True)
    mage.refresh_from_db(fields=["died_at", "has_left"])


def _lock_free_mage(mage: Mage) -> None:
    """Lock a mage, as giving them a seat does first, and check that they are alive and free. Their duels of leagues and
    cups go on without them in play."""
    lock_living_mage(mage=mage)
    engagement = Engagement.objects.filter(mage=mage).first()
    if engagement is not None:
        raise MageBusy(mage.name, engagement.kind, engagement.number)


def close_user(*, user: User, now: datetime) -> None:
    """Close the account of `user`, who has no living mage (FM-ORDUSR-15) and no running battle, and those merged into
    it: they can no longer log in, and their addresses are free for new users. Nobody is told their names any more, and
    nobody gets them: only the rows that reserve them stay. Raises StillHasMages, StillFighting."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        living = list(Mage.objects.filter(user=user, died_at=None).values_list("name", flat=True))
        if living:
            raise StillHasMages(living)
        if running := list_battles_of(user):
            raise StillFighting(running)
        accounts = [user, *list_merged_accounts(user)]
        for account in accounts:
            _close_account(account, now)
        _forget_names(user, accounts)


def _close_account(user: User, now: datetime) -> None:
    EmailAddress.objects.filter(user=user).delete()
    ApiToken.objects.filter(user=user).delete()
    CalendarLink.objects.filter(user=user).delete()
    Host.objects.filter(user=user).delete()
    Preference.objects.filter(user=user).delete()
    Follow.objects.filter(Q(user=user) | Q(followed=user)).delete()
    Block.objects.filter(Q(user=user) | Q(blocked=user)).delete()
    ObituaryLine.objects.filter(writer=user).delete()
    PrivateNote.objects.filter(Q(writer=user) | Q(about_user=user)).delete()
    for model, field in list_fields(GOES_WITH_USER):
        model._default_manager.filter(**{field: user}).delete()
    leave_threads(user=user)
    user.is_active, user.email, user.mail_password, user.last_active_at = False, "", "", now
    user.username, user.about = make_former_name(user.pk), ""
    user.browser_id_allowed = user.browser_id_answered_at = None
    user.set_unusable_password()
    user.save(
        update_fields=[
            "is_active",
            "username",
            "email",
            "mail_password",
            "password",
            "about",
            "browser_id_allowed",
            "browser_id_answered_at",
            "last_active_at",
        ]
    )


def _forget_names(user: User, accounts: Sequence[User]) -> None:
    """Replace every name that the user has had in the facts of notices and of the journal, and in the log. The names
    of accounts merged into theirs are among them; `accounts` are all of these."""
    keys = list(Name.objects.filter(owner=user, kind=Name.Kind.USER).values_list("key", flat=True))
    for model, field in list_fields(FACTS_WITH_USER_NAMES):
        rows = model._default_manager
        named = rows.filter(_contains(field, keys)).values_list("pk", field)
        for pk, facts in list(named):
            rows.filter(pk=pk).update(**{field: replace_user_names(facts, keys, user.username)})
    for model, field in list_fields(WORDS_ABOUT_USERS):
        rows = model._default_manager
        for pk, stored in list(rows.filter(_contains(field, keys), user__in=accounts).values_list("pk", field)):
            rows.filter(pk=pk).update(**{field: json.loads(replace_words(json.dumps(stored), keys, user.username))})
    for entry in LogEntry.objects.filter(_contains("object_repr", keys) | _contains("change_message", keys)):
        entry.object_repr = replace_words(entry.object_repr, keys, user.username)[:200]
        entry.change_message = replace_words(entry.change_message, keys, user.username)
        entry.save(update_fields=["object_repr", "change_message"])


def _contains(field: str, keys: Collection[str]) -> Q:
    condition = Q(pk__in=())
    for key in keys:
        condition |= Q(**{f"{field}__icontains": key})
    return condition
