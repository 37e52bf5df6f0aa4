"""Reading users, mages and the outbox."""

import difflib
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.db.models import OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Lower

from accounts.errors import NoSuchMage, NotYourMage
from accounts.models import ApiToken, Block, Delivery, Mage, Notice, Preference, User, UserMerge, Vacation
from accounts.preferences import AT_ONCE, MAIL_PREFERENCE_OF, NEVER, PREFERENCES
from accounts.sealing import unseal
from accounts.selectors.absence import list_absence_warnings_of as list_absence_warnings_of
from accounts.selectors.engagements import list_battles_of as list_battles_of
from accounts.selectors.engagements import list_fellows_of as list_fellows_of
from accounts.selectors.engagements import say_if_fellow as say_if_fellow
from accounts.selectors.house import HouseState as HouseState
from accounts.selectors.house import find_silence as find_silence
from accounts.selectors.house import is_clock_in_doubt as is_clock_in_doubt
from accounts.selectors.house import is_house_closed as is_house_closed
from accounts.selectors.house import list_doubts as list_doubts
from accounts.selectors.house import list_outages_to_give_back as list_outages_to_give_back
from accounts.selectors.house import measure_lost_time as measure_lost_time
from accounts.selectors.house import read_house_state as read_house_state
from accounts.selectors.house import read_policy as read_policy
from accounts.selectors.moderation import list_reports_by as list_reports_by
from accounts.selectors.moderation import list_reports_for as list_reports_for
from accounts.selectors.moderation import read_hold as read_hold
from accounts.selectors.traces import find_shared_traces as find_shared_traces
from accounts.selectors.zones import zone_of as zone_of


def find_user(name: str) -> User | None:
    """Return the user of that name, in whatever case, or None."""
    return User.objects.alias(key=Lower("username")).filter(key=name.strip().lower()).first()


def list_janitors() -> list[User]:
    """Return the users who look after the house."""
    return list(User.objects.filter(is_staff=True, is_active=True).order_by("pk"))


def find_mage(name: str) -> Mage | None:
    """Return the mage of that name, alive or dead, in whatever case, with his user and engagement, or None."""
    found = Mage.objects.select_related("user", "engagement").alias(key=Lower("name"))
    return found.filter(key=name.strip().lower()).first()


def find_owner(name: str) -> User | None:
    """Return the user of that name, or whose mage has it, in whatever case, or None."""
    user = find_user(name)
    if user is not None:
        return user
    mage = find_mage(name)
    return mage.user if mage else None


def find_nearest_name(text: str) -> str | None:
    """Return the name of a user or living mage that is closest to `text`, or None."""
    start = text.strip()[:1]
    users = User.objects.filter(username__istartswith=start).values_list("username", flat=True)[:500]
    mages = Mage.objects.filter(name__istartswith=start, died_at=None).values_list("name", flat=True)[:500]
    nearest = difflib.get_close_matches(text.strip().capitalize(), {*users, *mages}, n=1)
    return nearest[0] if nearest else None


def get_mage_for_user(*, user: User, name: str) -> Mage:
    """Return the mage of that name if he is `user`'s. Raises NoSuchMage, NotYourMage with the nearest own name."""
    mage = find_mage(name)
    if mage is not None and mage.user_id == user.pk:
        return mage
    own = {mage.name.lower(): mage.name for mage in list_mages_of(user)}
    nearest = difflib.get_close_matches(name.lower(), own, n=1)
    error = NoSuchMage if mage is None else NotYourMage
    raise error(mage.name if mage else name, own[nearest[0]] if nearest else None)


def list_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's living mages by name, each with his engagement."""
    return Mage.objects.filter(user=user, died_at=None).select_related("engagement").order_by(Lower("name"))


def list_dead_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's dead mages, the latest death first."""
    return Mage.objects.filter(user=user, died_at__isnull=False).order_by("-died_at", Lower("name"))


def free_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's living mages who are in no challenge or battle, retired ones too, by name."""
    return list_mages_of(user).filter(engagement=None)


def address_for_notices(user: User) -> str | None:
    """Return the verified address that mails to `user` go to, or None."""
    if not user.is_active:
        return None
    verified = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    address: str | None = verified.values_list("email", flat=True).first()
    return address


def find_mail_choices(users: Iterable[User], kind: str) -> dict[int, str]:
    """Return how those of `users` want mails about notices of `kind` (find_mail_choice) who can get any: who play and
    have a verified address. By their ids, in one query."""
    key = MAIL_PREFERENCE_OF.get(kind)
    playing = [user.pk for user in users if user.is_active]
    if not playing:
        return {}
    verified = EmailAddress.objects.filter(user__in=playing, verified=True)
    if key is None:
        return dict.fromkeys(verified.values_list("user_id", flat=True), AT_ONCE)
    chosen = Preference.objects.filter(user=OuterRef("user"), key=key).values("value")
    found = verified.annotate(choice=Coalesce(Subquery(chosen), Value(PREFERENCES[key].default)))
    return dict(found.values_list("user_id", "choice"))


def list_addresses_of(user: User) -> QuerySet[EmailAddress]:
    """Return all addresses of `user`, the primary one first."""
    addresses: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user).order_by("-primary", "pk")
    return addresses


def address_for_delivery(delivery: Delivery) -> str | None:
    """Return where the mail goes now: the address it is to prove, or the user's verified one; None when he has none."""
    return delivery.address or address_for_notices(delivery.notice.user)


def facts_of_delivery(delivery: Delivery) -> dict[str, Any]:
    """Return the notice's facts with its secrets; only for the mail that is being written, never to be stored."""
    return {**delivery.notice.facts, **unseal(delivery.notice.sealed)}


def preferences_of(user: User) -> dict[str, str]:
    """Return every preference of `user`, those never chosen by their default."""
    chosen = dict(Preference.objects.filter(user=user).values_list("key", "value"))
    return {key: chosen.get(key, kind.default) for key, kind in PREFERENCES.items()}


def wants_mail(user: User, kind: str) -> bool:
    """Say whether `user` wants mails about notices of `kind`."""
    return find_mail_choice(user, kind) != NEVER


def find_mail_choice(user: User, kind: str) -> str:
    """Return how `user` wants mails about notices of `kind`: "yes" (at once), "digest" or "no"."""
    key = MAIL_PREFERENCE_OF.get(kind)
    if key is None:
        return AT_ONCE
    chosen = Preference.objects.filter(user=user, key=key).values_list("value", flat=True).first()
    return chosen or PREFERENCES[key].default


def find_next_digest(user: User, *, now: datetime) -> datetime:
    """Return when the next daily mail of `user` is due: the hour he chose, in his zone."""
    chosen = preferences_of(user)
    local = now.astimezone(ZoneInfo(chosen["time_zone"]))
    today = local.replace(hour=int(chosen["digest_hour"]), minute=0, second=0, microsecond=0)
    return today if today > local else today + timedelta(days=1)


def list_blocked_by(user: User) -> QuerySet[User]:
    """Return the users that `user` blocks, by name."""
    return User.objects.filter(blocked_by__user=user).order_by(Lower("username"))


def find_users_apart_from(user_ids: Iterable[int]) -> frozenset[int]:
    """Return the ids of all users who block one of these or whom one of these blocks."""
    ids = set(user_ids)
    pairs = Block.objects.filter(Q(user__in=ids) | Q(blocked__in=ids)).values_list("user_id", "blocked_id")
    return frozenset(other for pair in pairs for one, other in (pair, pair[::-1]) if one in ids)


def list_blocked_pairs(user_ids: Iterable[int]) -> set[frozenset[int]]:
    """Return the pairs among these users of whom one blocks the other."""
    ids = set(user_ids)
    pairs = Block.objects.filter(user__in=ids, blocked__in=ids).values_list("user_id", "blocked_id")
    return {frozenset(pair) for pair in pairs}


def list_api_tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens, newest first."""
    return ApiToken.objects.filter(user=user)


def find_vacation(user: User, *, now: datetime) -> Vacation | None:
    """Return the vacation that `user` is on at `now`, or None."""
    return Vacation.objects.filter(user=user, ended_at=None, starts_at__lte=now, until__gt=now).first()


def find_users_away(*, now: datetime) -> frozenset[int]:
    """Return the ids of the users who are on vacation at `now`."""
    away = Vacation.objects.filter(ended_at=None, starts_at__lte=now, until__gt=now)
    return frozenset(away.values_list("user_id", flat=True))


def find_users_away_by_name(*, now: datetime) -> frozenset[str]:
    """Return the names of the users who are on vacation at `now`."""
    return frozenset(User.objects.filter(pk__in=find_users_away(now=now)).values_list("username", flat=True))


def count_people() -> tuple[int, int]:
    """Return how many users play, guests left out, and how many mages live."""
    users = User.objects.filter(is_active=True, is_guest=False)
    return users.count(), Mage.objects.filter(died_at=None).count()


def list_users_by_activity(*, limit: int) -> list[User]:
    """Return the users who play, guests left out, the one who did something last first."""
    return list(User.objects.filter(is_active=True, is_guest=False).order_by("-last_active_at", "pk")[:limit])


def list_mages_by_activity(*, limit: int) -> list[Mage]:
    """Return the living mages, the one who did something last first."""
    return list(Mage.objects.filter(died_at=None).order_by("-last_active_at", "pk")[:limit])


def find_newest_notice(*, user: User, kinds: Collection[str], battle: int, written_at: datetime) -> Notice | None:
    """Return the newest notice of these kinds that was written at that very moment to tell `user` of the battle."""
    written = Notice.objects.filter(user=user, kind__in=kinds, created_at=written_at, facts__battle=battle)
    return written.order_by("-pk").first()


def find_last_message_id(notice: Notice, start: str) -> str:
    """Return the Message-ID of the last mail to the same user about a notice whose key begins with `start`, or ""."""
    told = Delivery.objects.filter(
        notice__key__startswith=start, notice__user=notice.user_id, state=Delivery.State.SENT, notice__lt=notice.pk
    )
    return told.order_by("-notice").values_list("message_id", flat=True).first() or ""


def list_uncounted_merges(*, limit: int) -> list[UserMerge]:
    """Return the merges, and undone merges, by which the ladder has not counted yet, the oldest first."""
    return list(UserMerge.objects.filter(is_counted=False).order_by("pk")[:limit])
