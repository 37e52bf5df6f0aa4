"""Reading notices, deliveries and preferences."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from notifications.chosen_preferences import recall_choices, remember_choices, remembers
from notifications.kinds import KINDS
from notifications.models import Delivery, Notice, Preference
from notifications.preferences import AT_ONCE, NEVER, PREFERENCES, find_end_of_quiet
from operations.database.prepared_query import PreparedQuery
from operations.encryption import unseal
from operations.policy import Policy
from operations.text.dates import UTC, write_moment


def address_for_notices(user: AbstractBaseUser) -> str | None:
    """Return the verified address for email to `user`, or None."""
    if not user.is_active:
        return None
    verified = EmailAddress.objects.filter(user=user.pk, verified=True).order_by("-primary", "pk")
    first: str | None = verified.values_list("email", flat=True).first()
    return first


def find_mail_choices(users: Iterable[AbstractBaseUser], kind: str) -> dict[int, str]:
    """Return the choice (find_mail_choice) for notices of `kind` of those `users` who are active and have a verified
    address, by user id, in one query."""
    key = KINDS[kind].preference
    playing = [user.pk for user in users if user.is_active]
    if not playing:
        return {}
    default = PREFERENCES[key].default if key else AT_ONCE
    like = PREFERENCES[key].like if key else ""
    return {user: choice or default for user, choice in _read_mail_choices(users=playing, key=key, like=like)}


@PreparedQuery
def _read_mail_choices(users: list[int], key: str, like: str) -> "QuerySet[EmailAddress, tuple[int, str | None]]":
    """Return which of these users have a verified address, and what each chose for the preference `key`, or else for
    the preference `like`."""
    chosen, other = (Preference.objects.filter(user=OuterRef("user"), key=each).values("value") for each in (key, like))
    choice = Coalesce(Subquery(chosen), Subquery(other))
    verified = EmailAddress.objects.filter(user__in=users, verified=True).annotate(choice=choice)
    choices: QuerySet[EmailAddress, tuple[int, str | None]] = verified.values_list("user_id", "choice")
    return choices


def list_users_who_want(key: str) -> list[int]:
    """Return the ids of the users who have chosen anything but "no" for the preference `key`, which is off until
    someone turns it on."""
    chosen = Preference.objects.filter(key=key).exclude(value=NEVER)
    return list(chosen.order_by("user_id").values_list("user_id", flat=True))


def find_choices(users: Iterable[int], key: str) -> dict[int, str]:
    """Return each of these users' (ids) choice for the preference `key`, or its default."""
    wanted = set(users)
    chosen = Preference.objects.filter(user__in=wanted, key=key).values_list("user_id", "value")
    return dict.fromkeys(wanted, PREFERENCES[key].default) | dict(chosen)


def address_for_delivery(delivery: Delivery) -> str | None:
    """Return where the email goes: the address it confirms, or the user's verified one; None if there is none."""
    return delivery.address or (address_for_notices(delivery.notice.user) if delivery.notice else None)


def facts_with_secrets(notice: Notice) -> dict[str, Any]:
    """Return the notice's facts with its secrets, only for writing the email; never store them."""
    return {**notice.facts, **unseal(notice.sealed)}


def preferences_of(user: AbstractBaseUser) -> dict[str, str]:
    """Return all of `user`'s preferences, with defaults for those not chosen.

    They are read once for a user object that remembers them (notifications.chosen_preferences).
    """
    chosen = recall_choices(user)
    if chosen is None:
        chosen = dict(Preference.objects.filter(user=user.pk).values_list("key", "value"))
        remember_choices(user, chosen)
    return {key: chosen.get(key, chosen.get(kind.like, kind.default)) for key, kind in PREFERENCES.items()}


def wants_mail(user: AbstractBaseUser, kind: str) -> bool:
    return find_mail_choice(user, kind) != NEVER


def find_mail_choice(user: AbstractBaseUser, kind: str) -> str:
    """Return how `user` wants email about notices of `kind`: "yes" (immediately), "digest" or "no"."""
    key = KINDS[kind].preference
    if not key:
        return AT_ONCE
    if remembers(user):
        return preferences_of(user)[key]
    like = PREFERENCES[key].like
    chosen = dict(Preference.objects.filter(user=user.pk, key__in=(key, like)).values_list("key", "value"))
    return chosen.get(key) or chosen.get(like) or PREFERENCES[key].default


def find_push_time(user: AbstractBaseUser, kind: str, *, now: datetime) -> datetime | None:
    """Return when the user's devices get a notice of `kind`: now, or after their quiet hours; None if they don't want
    it."""
    known = KINDS[kind]
    chosen = preferences_of(user)
    if chosen.get(f"push_{known.subject}") == "no":
        return None
    if known.breaks_quiet or chosen["quiet_hours"] == "no":
        return now
    local = now.astimezone(ZoneInfo(chosen["time_zone"]))
    return find_end_of_quiet(local, start=chosen["quiet_from"], end=chosen["quiet_until"])


def wants_hook(user: AbstractBaseUser, kind: str) -> bool:
    """Return whether the user's webhook is called about notices of `kind`."""
    return preferences_of(user).get(f"hook_{KINDS[kind].subject}") != "no"


def find_next_digest(user: AbstractBaseUser, *, now: datetime) -> datetime:
    """Return when `user`'s next daily email is due: the hour they chose, in their time zone."""
    chosen = preferences_of(user)
    local = now.astimezone(ZoneInfo(chosen["time_zone"]))
    today = local.replace(hour=int(chosen["digest_hour"]), minute=0, second=0, microsecond=0)
    return today if today > local else today + timedelta(days=1)


def find_newest_notice(
    *, user: AbstractBaseUser, kinds: Collection[str], battle: int, written_at: datetime
) -> Notice | None:
    """Return the newest notice of these kinds to `user` about the battle that was written at exactly that moment."""
    written = Notice.objects.filter(user=user.pk, kind__in=kinds, created_at=written_at, facts__battle=battle)
    return written.order_by("-pk").first()


def find_last_message_id(notice: Notice, start: str) -> str:
    """Return the Message-ID of the last email to the same user for a notice whose key starts with `start`, or ""."""
    sent = Delivery.objects.filter(
        Delivery.EMAILS,
        notice__key__startswith=start,
        notice__user=notice.user_id,
        state=Delivery.State.SENT,
        notice__lt=notice.pk,
    )
    return sent.order_by("-notice").values_list("message_id", flat=True).first() or ""


def count_answers(*, address: str, user: AbstractBaseUser | None, since: datetime) -> int:
    """Return how many emails without a notice were written to this user at this address since then; with None, how many
    to a stranger there."""
    written = Delivery.objects.filter(notice=None, address=address.lower(), created_at__gt=since)
    return (written.filter(user_id=user.pk) if user else written.filter(user=None)).count()


def find_email_delay(now: datetime, policy: Policy, zone: ZoneInfo) -> str:
    """Return since when outgoing email has waited, if that is longer than `policy` allows, else ""."""
    oldest = Delivery.objects.filter(Delivery.EMAILS, state__in=Delivery.WAITING).aggregate(due=Min("due_at"))["due"]
    if oldest is None or now - oldest <= timedelta(minutes=policy.outbox_minutes):
        return ""
    return _("Outgoing email has been waiting since %(moment)s.") % {"moment": write_moment(oldest, zone)}


def zone_of(user: object) -> ZoneInfo:
    """Return the time zone for this reader; UTC for a stranger."""
    if not isinstance(user, AbstractBaseUser):
        return UTC
    return ZoneInfo(preferences_of(user)["time_zone"])
