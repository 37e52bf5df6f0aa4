"""Creating and closing the demonstration."""

import datetime

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet

from accounts.demonstration import DEMONSTRATION_DOMAIN
from accounts.janitors import JANITORS
from accounts.models import Mage, User
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from challenges.services.answers import accept_challenge
from challenges.services.create import create_challenge
from duels.models import Combatant
from duels.services.orders import submit_orders
from duels.terms import Terms
from fm_site.demonstration.people import ANNA, DEMONSTRATION, TURNS, DemonstrationUser


def load_demonstration(*, now: datetime.datetime) -> bool:
    """Create the demonstration's users who can log in, their mages, an open challenge and a duel, all or nothing.

    Return whether it did. Everyone else comes with `fm_site.demonstration.life.load_life`.

    Existing ones stay as they are; accounts closed by `close_demonstration` are reopened, and users added to the
    demonstration since are created.
    Raises NameTaken if another user has one of the names.
    """
    if list_demonstration_users().exists():
        User.objects.filter(email__endswith=f"@{DEMONSTRATION_DOMAIN}", is_active=False).exclude(
            email__in=[who.email for who in DEMONSTRATION]
        ).update(is_active=True)
        for who in DEMONSTRATION:
            for user in list_demonstration_users().filter(email=who.email, is_active=False):
                user.is_active = True
                user.set_password(who.password)
                user.save(update_fields=["is_active", "password"])
            for user in list_demonstration_users().filter(email=who.email, is_staff=True):
                _give_second_factor(user, who)
            if not list_demonstration_users().filter(email=who.email).exists():
                _create_mages(who, now)
        return False
    with transaction.atomic():
        mages = [mage for who in DEMONSTRATION for mage in _create_mages(who, now)]
        _start_duel(mages[0], mages[len(ANNA.mages)], now)
        create_challenge(challenger=mages[1], terms=Terms(), open_to_all=True, comment="Open to anyone.", now=now)
    return True


def close_demonstration() -> int:
    """Close the accounts of the demonstration; return how many."""
    closed = 0
    everyone = User.objects.filter(email__endswith=f"@{DEMONSTRATION_DOMAIN}")
    for user in everyone.filter(is_active=True):
        Authenticator.objects.filter(user=user).delete()
        user.is_active = False
        user.set_unusable_password()
        user.save(update_fields=["is_active", "password"])
        closed += 1
    return closed


def list_demonstration_users() -> QuerySet[User]:
    """Return the demonstration's users who can log in, not others with the same name."""
    return User.objects.filter(email__in=[who.email for who in DEMONSTRATION])


def _create_mages(who: DemonstrationUser, now: datetime.datetime) -> list[Mage]:
    user = create_user(name=who.username, email=who.email, password=who.password, now=now, email_verified=True)
    if who.is_janitor:
        User.objects.filter(pk=user.pk).update(is_staff=True)
        user.groups.add(Group.objects.get_or_create(name=JANITORS)[0])
        _give_second_factor(user, who)
    return [register_mage(user=user, name=name, now=now) for name in who.mages]


def _give_second_factor(user: User, who: DemonstrationUser) -> None:
    """Give the user the second factor whose codes `./run code` prints."""
    if who.totp_secret and not Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists():
        TOTP.activate(user, who.totp_secret)


def _start_duel(first: Mage, second: Mage, now: datetime.datetime) -> None:
    challenge = create_challenge(challenger=first, terms=Terms(), invited=[second], comment="Practice.", now=now)
    accept_challenge(number=challenge.number, mage=second, now=now)
    for orders in TURNS:
        for mage, text in zip((first, second), orders, strict=True):
            combatant = Combatant.objects.get(battle__number=challenge.number, mage=mage)
            submit_orders(combatant=combatant, text=text, via="web", now=now)
