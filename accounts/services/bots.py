"""The users and mages of the computer opponents, and accounts that become bots."""

import secrets
from datetime import datetime

from django.apps import apps
from django.db import IntegrityError, transaction

from accounts.bots import BOTS, Bot
from accounts.errors import AccountRefused, InvalidName
from accounts.models import Engagement, Mage, Name, User
from accounts.names import is_name_free, name_problems, nearest_free_name
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from notifications.services.outbox import write_notice
from operations.registry import BATTLES_OF_MAGES

TRIES = 3


def ensure_bots(*, now: datetime) -> int:
    """Create the bots and mages that are missing; return how many users and mages were.

    A name that is already taken by a user or a mage is replaced by a free one close to it. If another process does the
    same at the same time, one of them finds nothing left to do.
    """
    return sum(_try_to_ensure(bot, now) for bot in BOTS)


def _try_to_ensure(bot: Bot, now: datetime) -> int:
    for _try in range(TRIES - 1):
        try:
            return _ensure_bot(bot, now)
        except (InvalidName, IntegrityError):  # another process took the name, or created the bot, at the same moment
            continue
    return _ensure_bot(bot, now)


def _ensure_bot(bot: Bot, now: datetime) -> int:
    made = 0
    with transaction.atomic():
        user = User.objects.select_for_update().filter(bot_strength=bot.strength).first()
        if user is None:
            user = create_user(name=_choose_name(bot.strength, Name.Kind.USER), now=now)
            user.is_bot, user.bot_strength = True, bot.strength
            user.save(update_fields=["is_bot", "bot_strength"])
            made += 1
        missing = len(bot.mages) - Mage.objects.filter(user=user, died_at=None).count()
        for mage in bot.mages:
            if missing > 0 and not Mage.objects.filter(user=user, name__startswith=mage.name).exists():
                register_mage(user=user, name=_choose_name(mage.name, Name.Kind.MAGE, user), now=now)
                missing, made = missing - 1, made + 1
    return made


def _choose_name(wanted: str, kind: str, user: User | None = None) -> str:
    """Return `wanted`, or a free name close to it."""
    if not name_problems(wanted) and is_name_free(wanted, kind=kind, user=user):
        return wanted
    return nearest_free_name(wanted, kind=kind, user=user) or f"{wanted[:12]}_{secrets.token_hex(3)}"


def become_bot(*, user: User, now: datetime) -> bool:
    """Make this account a bot permanently; return whether this call did it.

    Only an account whose mages have never fought can become one. Raises AccountRefused with every problem.
    """
    with transaction.atomic():
        # Locking their mages makes anything that would engage them wait (accounts.services.mages).
        fresh = User.objects.select_for_update().get(pk=user.pk)
        mages = list(Mage.objects.select_for_update(of=("self",)).filter(user=fresh).order_by("pk"))
        if fresh.is_bot:
            return False
        problems = _list_problems_of_bot(fresh, mages)
        if problems:
            raise AccountRefused.together(problems)
        fresh.is_bot = True
        fresh.save(update_fields=["is_bot"])
        key, facts = f"account_changed:{fresh.pk}:became_bot", {"what": "became_bot"}
        write_notice(key=key, user=fresh, kind="account_changed", facts=facts, now=now)
    user.is_bot = True
    return True


def _list_problems_of_bot(user: User, mages: list[Mage]) -> list[AccountRefused]:
    problems = []
    if user.is_guest:
        problems.append(AccountRefused("guest_bot"))
    if user.is_staff or user.is_superuser:
        problems.append(AccountRefused("janitor_bot"))
    if not user.is_active:
        problems.append(AccountRefused("closed"))
    fought = (
        apps.get_model(model)._default_manager.filter(**{f"{field}__in": mages}).exists()
        for model, field, *_battle in BATTLES_OF_MAGES
    )
    if any(fought):
        problems.append(AccountRefused("has_fought"))
    waiting = Engagement.objects.filter(mage__in=mages, kind=Engagement.Kind.CHALLENGE)
    busy = waiting.select_related("mage").order_by("mage__name")
    if names := [each.mage.name for each in busy]:
        problems.append(AccountRefused("in_challenges", mages=", ".join(names)))
    return problems
