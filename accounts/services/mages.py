"""Registering mages, recording their activity, their death and revival, and what they are in: at most one challenge
or battle, enforced by the unique row."""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.arms.design import EDITION, design
from accounts.errors import InvalidName, MageBusy, MageUnavailable, NameProblem
from accounts.models import Engagement, Mage, Name, User
from accounts.names import check_name, refuse_taken, split_pronoun
from accounts.services.vacations import end_vacation, request_clock_update
from operations.selectors import read_policy

# Email reaches them, or they have been active since it started to fail.
HEARS = Q(mail_fails_since=None) | Q(last_active_at__gt=F("mail_fails_since"))
# Activity only matters in hours and days, so most orders need not write it.
ACTIVITY_NOTED_EVERY = timedelta(minutes=1)
DAY = timedelta(days=1)
# How many arms are tried for a name. There are 28,672: with 10,000 living mages, about one in three is taken.
MOST_ARMS = 40


def register_mage(*, user: User, name: str, now: datetime, pronoun: str = "") -> Mage:
    """Return a new mage of `user` (FM-ORDUSR-16). Raises InvalidName or NameTaken; of two
    simultaneous calls, one wins. Without a `pronoun`, the name's suffix says it (SC-START-7)."""
    name, suffix = split_pronoun(name)
    written = check_name(name, kind=Name.Kind.MAGE, user=user)
    try:
        with transaction.atomic():
            _claim_mage_name(user, written, now=now)
            mage = Mage.objects.create(
                user=user,
                name=written,
                pronoun=pronoun or suffix,
                created_at=now,
                last_active_at=now,
                idle_check_at=now,
                **choose_arms(written),
            )
            # Locked, so that nobody closes or merges the account at the same time.
            owner = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first()
            if owner is None:
                raise InvalidName(written, [NameProblem("closed", _("This account is closed."))], None)
            if not owner.bot_strength:
                refuse_too_many_mages(owner, written, now=now)
            if owner.last_active_at < now:
                touch_activity(user=user, now=now)
    except IntegrityError as error:
        raise refuse_taken(name, written, kind=Name.Kind.MAGE, user=user) from error
    return mage


def keep_names_of_mages(*, user: User) -> None:
    """Register the names of the user's mages, living and dead, that nobody has any more: they shared the row of a name
    that the user had."""
    for mage in Mage.objects.filter(user=user).order_by("pk"):
        details = {"written": mage.name, "kind": Name.Kind.MAGE, "owner": user, "created_at": mage.created_at}
        Name.objects.get_or_create(key=mage.name.lower(), defaults=details)


def choose_arms(name: str) -> dict[str, Any]:
    """Return the fields of the arms of a new mage: the first drawn from the name that no living mage has.

    Of two mages registered at the same moment both may get them, which harms nobody.
    """
    drawn = {number: design(name, number).likeness for number in range(1, MOST_ARMS + 1)}
    living = Mage.objects.filter(arms_likeness__in=set(drawn.values()), died_at=None)
    taken = set(living.values_list("arms_likeness", flat=True))
    number = next((number for number, likeness in drawn.items() if likeness not in taken), 1)
    return {
        "arms_text": name,
        "arms_number": number,
        "arms_edition": EDITION,
        "arms_likeness": drawn[number],
    }


def refuse_too_many_mages(user: User, name: str, *, now: datetime) -> None:
    """Raise InvalidName if the mages of `user`, who is locked, are now more than anyone may have, or may get in a day.

    A user who has more keeps them, and a mage who comes back to life counts as no new one.
    """
    policy, mages = read_policy(), Mage.objects.filter(user=user)
    if mages.filter(died_at=None).count() > policy.living_mages:
        message = ngettext(
            "You have %(most)s living mage, and no user can have more.",
            "You have as many living mages as a user can have: %(most)s.",
            policy.living_mages,
        )
        raise InvalidName(name, [NameProblem("too_many_mages", message % {"most": policy.living_mages})], None)
    if mages.filter(created_at__gt=now - DAY).count() > policy.new_mages_a_day:
        message = ngettext(
            "You have registered %(most)s mage within 24 hours, and no user can register more.",
            "You have registered %(most)s mages within 24 hours, and no user can register more.",
            policy.new_mages_a_day,
        )
        raise InvalidName(name, [NameProblem("too_many_mages", message % {"most": policy.new_mages_a_day})], None)


def _claim_mage_name(user: User, written: str, *, now: datetime) -> None:
    """Create the name's row, unless it is the user's own name, which their mage may share."""
    key = written.lower()
    if not Name.objects.filter(key=key, kind=Name.Kind.USER, owner=user).exists():
        Name.objects.create(key=key, written=written, kind=Name.Kind.MAGE, owner=user, created_at=now)


def rename_mage(*, mage: Mage, name: str, now: datetime) -> str:
    """Give `mage` a name of its own, which none of its user's is or was; return the old one. Their arms stay as they
    are. Raises InvalidName, NameTaken. The caller updates the mage's battles in the same transaction."""
    user, old = mage.user, mage.name
    written = check_name(name, kind=Name.Kind.MAGE, user=user)
    try:
        with transaction.atomic():
            Name.objects.create(key=written.lower(), written=written, kind=Name.Kind.MAGE, owner=user, created_at=now)
    except IntegrityError as error:
        raise refuse_taken(name, written, kind=Name.Kind.MAGE, user=user) from error
    mage.name = written
    mage.save(update_fields=["name"])
    return old


def redraw_arms(*, mage: Mage) -> None:
    """Draw the arms of `mage` from their present name, where no other may be kept: they are drawn from it as if they
    were registered now."""
    fields = choose_arms(mage.name)
    for name, value in fields.items():
        setattr(mage, name, value)
    mage.save(update_fields=list(fields))


def set_pronoun(*, user: User, mage_id: int, pronoun: Mage.Pronoun) -> Mage | None:
    """Use this pronoun for the mage in battles that begin from now on; return the mage, or None if they are dead or not
    `user`'s."""
    mage = Mage.objects.filter(pk=mage_id, user=user, died_at=None).first()
    if mage is not None:
        mage.pronoun = pronoun
        mage.save(update_fields=["pronoun"])
    return mage


def kill_mage(*, mage: Mage, now: datetime) -> bool:
    """Mark `mage` as dead at `now`; return whether they were alive. Their name stays reserved."""
    died = Mage.objects.filter(pk=mage.pk, died_at=None).update(died_at=now)
    if not died:
        # Those who died then and left when they were revived (revive_mage) are dead again.
        left = Mage.objects.filter(pk=mage.pk, died_at=now, has_left=True, user__is_active=False)
        died = left.update(has_left=False)
    mage.refresh_from_db(fields=["died_at", "has_left"])
    return died == 1


def revive_mage(*, mage: Mage) -> bool:
    """Revive a dead `mage`, whose name nobody else could take; return whether they were dead.

    They come back free, and retired if they were. A mage whose user's account is closed leaves alive instead, since
    they were last in play: nobody could let them go any more.
    """
    dead = Mage.objects.filter(pk=mage.pk, died_at__isnull=False)
    has_left = dead.filter(user__is_active=False).update(has_left=True)
    revived = has_left or dead.update(died_at=None, has_left=False)
    mage.refresh_from_db(fields=["died_at", "has_left"])
    return revived == 1


def wake_mage(*, mage: Mage) -> bool:
    """Bring `mage` back from retirement; return whether they were retired."""
    retired = Mage.objects.filter(pk=mage.pk, retired_at__isnull=False)
    # Active mages become idle sooner than retired ones, so check again.
    return retired.update(retired_at=None, idle_check_at=F("last_active_at")) == 1


def note_orders(*, mage: Mage, is_away: bool, now: datetime) -> bool:
    """Record that the player of `mage`, just read with its user, gave orders; return whether that ended a vacation.
    `is_away`: they were on one."""
    seen = min(mage.last_active_at, mage.user.last_active_at)
    # Always if email to the user has bounced: this activity ends that.
    if mage.user.mail_fails_since is not None or now - seen >= ACTIVITY_NOTED_EVERY:
        touch_activity(user=mage.user, mage=mage, now=now)
    return is_away and end_vacation(user=mage.user, now=now)


def note_joining(*, mage: Mage, now: datetime) -> None:
    """Record that the player of `mage` creates or joins something with it. As orders do, that ends their vacation."""
    touch_activity(user=mage.user, mage=mage, now=now)
    end_vacation(user=mage.user, now=now)


def touch_activity(*, user: User, mage: Mage | None = None, now: datetime) -> None:
    """Record activity of `user`, and of `mage` if given; never moves the time back."""
    behind = User.objects.filter(pk=user.pk, last_active_at__lt=now)
    # Ask the row: the caller may have read the user before their email started to fail.
    if not behind.filter(HEARS).update(last_active_at=now):
        _come_back(user, now)
    if mage is not None:
        Mage.objects.filter(pk=mage.pk, last_active_at__lt=now).update(last_active_at=now)


def _come_back(user: User, now: datetime) -> None:
    """Update the clocks of a user whose email failed: they have now seen what it could not deliver."""
    with transaction.atomic():
        if User.objects.filter(~HEARS, pk=user.pk, last_active_at__lt=now).update(last_active_at=now):
            request_clock_update(user=user, now=now)


def keep_mage_active(*, user: User, mage_id: int, now: datetime) -> Mage | None:
    """Record that `user` wants to keep a living mage, as an order for them would; return the mage, or None if they are
    dead or not `user`'s."""
    mage = Mage.objects.filter(pk=mage_id, user=user, died_at=None).first()
    if mage is not None:
        touch_activity(user=user, mage=mage, now=now)
    return mage


def lock_living_mage(*, mage: Mage) -> None:
    """Lock a mage to the end of the transaction, so that they cannot retire or leave before it
    (accounts.services.leave). Raises MageUnavailable if they are dead or have left."""
    locked = Mage.objects.select_for_update(of=("self",)).get(pk=mage.pk)
    if not locked.is_alive:
        raise MageUnavailable("left" if locked.has_left else "dead", mage=mage.name)


def engage_mage(*, mage: Mage, kind: str, number: int) -> Engagement:
    """Put `mage` into the challenge or battle (`kind`) `number`; does nothing if they are already in it.

    Raises MageBusy if they are in another one, or MageUnavailable. Call it inside the transaction that joins them.
    """
    with transaction.atomic(savepoint=False):
        lock_living_mage(mage=mage)
        Engagement.objects.bulk_create([Engagement(mage=mage, kind=kind, number=number)], ignore_conflicts=True)
        engagement = Engagement.objects.get(mage=mage)
    if (engagement.kind, engagement.number) != (kind, number):
        raise MageBusy(mage.name, engagement.kind, engagement.number)
    return engagement


def release_mage(*, mage: Mage, kind: str, number: int) -> bool:
    """Release `mage` from `kind` `number`; return whether they were in it."""
    deleted, _ = Engagement.objects.filter(mage=mage, kind=kind, number=number).delete()
    return deleted == 1


def move_engagement(*, mage: Mage, number: int) -> None:
    """Move `mage` from the challenge `number` to the battle it became, without ever leaving them free in between.

    Raises MageBusy if they have joined something else since. A free mage is engaged.
    """
    found = Engagement.objects.filter(mage=mage, kind=Engagement.Kind.CHALLENGE, number=number)
    if not found.update(kind=Engagement.Kind.BATTLE):
        engage_mage(mage=mage, kind=Engagement.Kind.BATTLE, number=number)
