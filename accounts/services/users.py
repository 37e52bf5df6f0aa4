"""Creating users, and changing their address and theme."""

import secrets
from datetime import datetime

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from accounts.errors import AccountRefused, AddressTaken
from accounts.models import Mage, Name, User, UserMerge
from accounts.models.user import ABOUT_LENGTH
from accounts.names import check_name, refuse_taken
from accounts.reserved_words import GUEST_START
from accounts.services.mages import choose_arms, register_mage
from accounts.services.vacations import request_clock_update
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from operations.text.invisible_characters import mark_line

GUEST_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
# A wizard without a name is called after a colour (SC-START-6). With the letters, the name is 20 characters at most.
GUEST_COLOURS = (
    *("Amber", "Azure", "Black", "Blue", "Bronze", "Brown", "Copper", "Coral", "Cream", "Crimson", "Gold", "Green"),
    *("Grey", "Indigo", "Ivory", "Jade", "Lilac", "Mauve", "Ochre", "Olive", "Orange", "Pink", "Plum", "Purple"),
    *("Red", "Ruby", "Rust", "Sepia", "Silver", "Teal", "Umber", "Violet", "White", "Yellow"),
)


def create_user(
    *, name: str, email: str = "", password: str | None = None, now: datetime, email_verified: bool = False
) -> User:
    """Return a new user with their name and primary address, if given.

    `email_verified` says that the address is confirmed, for example by the reply that confirms NEWUSER. Without a
    password the user logs in with emailed codes. Raises InvalidName, NameTaken, and AddressTaken for an address that
    another user has confirmed.
    """
    with transaction.atomic():
        if email and email_verified:
            _lock_address(email)
            if EmailAddress.objects.filter(email__iexact=email.strip(), verified=True).exists():
                raise AddressTaken("address_taken")
        user = _add_user(name=name, email=email, password=password, now=now)
        if user.email:
            EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=email_verified)
    return user


def create_user_from_signup(
    *, name: str, email: str, password: str | None, time_zone: str = "", language: str = "", now: datetime
) -> User:
    """Like `create_user`, for the sign-up page, whose library adds the row of the address itself.

    Times are shown in `time_zone`, and emails are in `language`; blank leaves that to the settings. Raises ValueError
    for an unknown one. Other users may have given the same address, confirmed or not: a refusal would tell strangers
    about it, and the one who came first could keep its owner out. Only one of them can confirm it.
    """
    with transaction.atomic():
        user = _add_user(name=name, email=email, password=password, now=now)
        if time_zone:
            set_preference(user=user, key="time_zone", value=time_zone)
        if language:
            set_language(user=user, language=language)
    return user


def create_guest(*, now: datetime) -> User:
    """Return a new user without address and password, named after a colour as only guests are."""
    letters = "".join(secrets.choice(GUEST_LETTERS) for _ in range(6))
    written = f"{GUEST_START.capitalize()}{secrets.choice(GUEST_COLOURS)}_{letters}"
    with transaction.atomic():
        user = User(username=written, is_guest=True, created_at=now, last_active_at=now, idle_check_at=now)
        user.set_unusable_password()
        user.save(force_insert=True)
        _claim_user_name(user, now=now)
    return user


def create_guest_mage(*, user: User, name: str = "", now: datetime) -> Mage:
    """Return the only mage of a guest, which has the guest's own name or the `name` that they chose.

    Raises InvalidName, NameTaken.
    """
    if name:
        return register_mage(user=user, name=name, now=now)
    name = user.username
    arms = choose_arms(name)
    return Mage.objects.create(user=user, name=name, created_at=now, last_active_at=now, idle_check_at=now, **arms)


def change_address(*, user: User, address: str, now: datetime) -> None:
    """Make `address`, which has been confirmed, the only one of `user`. Raises AddressTaken if another user has it.

    The old address is notified.
    """
    new = address.strip().lower()
    old = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    with transaction.atomic():
        EmailAddress.objects.filter(user=user).delete()
        try:
            with transaction.atomic():
                EmailAddress.objects.create(user=user, email=new, primary=True, verified=True)
        except IntegrityError as error:
            raise AddressTaken("address_taken") from error
        if user.mail_fails_since is not None:
            request_clock_update(user=user, now=now)
        user.email, user.mail_fails_since, user.mail_refused_since = new, None, None
        user.save(update_fields=["email", "mail_fails_since", "mail_refused_since"])
        if old is not None:
            write_notice(
                key=f"account_changed:{user.pk}:address:{now.isoformat()}",
                user=user,
                kind="account_changed",
                facts={"what": "email_changed"},
                address=old.email,
                now=now,
            )


def mark_email_failing(*, user: User, now: datetime) -> None:
    """Record that email to `user` fails from now on; an earlier record stays."""
    with transaction.atomic():
        if User.objects.filter(pk=user.pk, mail_fails_since=None).update(mail_fails_since=now):
            request_clock_update(user=user, now=now)


def mark_email_working(*, user: User, now: datetime) -> None:
    """Record that email to `user` arrives again."""
    with transaction.atomic():
        if User.objects.filter(pk=user.pk, mail_fails_since__isnull=False).update(mail_fails_since=None):
            request_clock_update(user=user, now=now)


def mark_email_refused(*, user: User, now: datetime) -> None:
    """Record that `user` doesn't want our email, by a complaint to their provider; an earlier record stays."""
    User.objects.filter(pk=user.pk, mail_refused_since=None).update(mail_refused_since=now)


def mark_email_wanted(*, user: User) -> None:
    """Record that `user` wants our email again, as they say."""
    User.objects.filter(pk=user.pk).update(mail_refused_since=None)


def set_theme(*, user: User, theme: str) -> None:
    """Save `user`'s theme. Raises ValueError for an unknown theme."""
    user.theme = User.Theme(theme).value
    user.save(update_fields=["theme"])


def set_language(*, user: User, language: str) -> None:
    """Save the language of pages and emails for `user`; blank: the browser's. Raises ValueError if unknown."""
    if language and language not in dict(settings.LANGUAGES):
        raise ValueError(f"no language {language!r}")
    user.language = language
    user.save(update_fields=["language"])


def set_about(*, user: User, text: str) -> None:
    """Save what `user` says about themselves, as one paragraph; "" removes it. Raises AccountRefused."""
    text = mark_line(text)
    if user.is_guest:
        raise AccountRefused("guest_about")
    if len(text) > ABOUT_LENGTH:
        raise AccountRefused("text_too_long", length=len(text), most=ABOUT_LENGTH)
    user.about = text
    user.save(update_fields=["about"])


def mark_merge_counted(*, merge: UserMerge) -> bool:
    """Record that the ladder has processed this merge; return whether it had not before. Call it in the transaction
    that asks for the recount."""
    return UserMerge.objects.filter(pk=merge.pk, is_counted=False).update(is_counted=True) == 1


def _lock_address(email: str) -> None:
    """Let only one transaction at a time create a user with this address. SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"address:{email.strip().lower()}"]
            )


def _add_user(*, name: str, email: str, password: str | None, now: datetime) -> User:
    written = check_name(name, kind=Name.Kind.USER)
    user = User(username=written, email=email.strip().lower(), created_at=now, last_active_at=now, idle_check_at=now)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            _claim_user_name(user, now=now)
    except IntegrityError as error:
        raise refuse_taken(name, written, kind=Name.Kind.USER) from error
    return user


def _claim_user_name(user: User, *, now: datetime) -> None:
    Name.objects.create(
        key=user.username.lower(), written=user.username, kind=Name.Kind.USER, owner=user, created_at=now
    )
