"""How mages are born, stay awake and die."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from accounts.errors import NameProblem, NameTaken
from accounts.models import Mage, Name, User
from accounts.names import check_name, nearest_free_name
from accounts.services.absence_news import note_absence_news

# Mails reach him, or he was here since they began to fail.
HEARS = Q(mail_fails_since=None) | Q(last_active_at__gt=F("mail_fails_since"))


def register_mage(*, user: User, name: str, now: datetime) -> Mage:
    """Return a new mage of `user` (FM-ORDUSR-16). Raises InvalidName, NameTaken; of two at once, one wins."""
    written = check_name(name, kind=Name.Kind.MAGE, user=user)
    try:
        with transaction.atomic():
            _claim_mage_name(user, written, now=now)
            mage = Mage.objects.create(user=user, name=written, created_at=now, last_active_at=now, idle_look_at=now)
            touch_activity(user=user, now=now)
    except IntegrityError as error:
        problem = NameProblem("taken", f"The name {written} is taken.")
        raise NameTaken(name, (problem,), nearest_free_name(name, kind=Name.Kind.MAGE, user=user)) from error
    return mage


def _claim_mage_name(user: User, written: str, *, now: datetime) -> None:
    """Write the name's row, or find that it is the user's own name, which a mage of his may share."""
    key = written.lower()
    if not Name.objects.filter(key=key, kind=Name.Kind.USER, owner=user).exists():
        Name.objects.create(key=key, written=written, kind=Name.Kind.MAGE, owner=user, created_at=now)


def kill_mage(*, mage: Mage, now: datetime) -> bool:
    """Let `mage` be dead since `now`; say whether he was alive until then. His name stays his."""
    died = Mage.objects.filter(pk=mage.pk, died_at=None).update(died_at=now) == 1
    mage.refresh_from_db(fields=["died_at"])
    return died


def revive_mage(*, mage: Mage) -> bool:
    """Let a dead `mage` live again under his name, which nobody else could take; say whether he was dead.

    He comes back free, and retired if he was.
    """
    revived = Mage.objects.filter(pk=mage.pk, died_at__isnull=False).update(died_at=None) == 1
    mage.refresh_from_db(fields=["died_at"])
    return revived


def wake_mage(*, mage: Mage) -> bool:
    """Bring `mage` back from retirement; say whether he was retired."""
    retired = Mage.objects.filter(pk=mage.pk, retired_at__isnull=False)
    # Who is awake grows idle sooner than who is retired: he is to be looked at anew.
    return retired.update(retired_at=None, idle_look_at=F("last_active_at")) == 1


def touch_activity(*, user: User, mage: Mage | None = None, now: datetime) -> None:
    """Record that `user`, and `mage` when there is one, did something; never moves the clock back."""
    behind = User.objects.filter(pk=user.pk, last_active_at__lt=now)
    # As the row says it: whoever calls may have read the user before his mail began to fail.
    if not behind.filter(HEARS).update(last_active_at=now):
        _come_back(user, now)
    if mage is not None:
        Mage.objects.filter(pk=mage.pk, last_active_at__lt=now).update(last_active_at=now)


def _come_back(user: User, now: datetime) -> None:
    """What his mail could not tell him he knows now."""
    with transaction.atomic():
        if User.objects.filter(~HEARS, pk=user.pk, last_active_at__lt=now).update(last_active_at=now):
            note_absence_news(user=user, now=now)


def keep_mage(*, user: User, mage_id: int, now: datetime) -> Mage | None:
    """Take the word of `user` that a living mage of his is not forgotten, as an order for him would do; return the
    mage, or None when it is not his or dead."""
    mage = Mage.objects.filter(pk=mage_id, user=user, died_at=None).first()
    if mage is not None:
        touch_activity(user=user, mage=mage, now=now)
    return mage
