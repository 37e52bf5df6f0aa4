"""The users and mages of the computer opponents."""

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.bots import BOTS, Bot
from accounts.errors import InvalidName
from accounts.models import Mage, Name, User
from accounts.names import is_name_free, name_problems, nearest_free_name
from accounts.services.mages import register_mage
from accounts.services.users import create_user

TRIES = 3


def ensure_bots(*, now: datetime) -> int:
    """Create the bots and their mages that are missing; return how many users and mages that were.

    A name that somebody has already, as a user or a mage, is replaced by a free one close to it. If another process
    does the same at the same time, one of them finds nothing left to do.
    """
    return sum(_try_to_ensure(bot, now) for bot in BOTS)


def _try_to_ensure(bot: Bot, now: datetime) -> int:
    for _ in range(TRIES - 1):
        try:
            return _ensure_bot(bot, now)
        except (InvalidName, IntegrityError):  # somebody took the name, or made the bot, at the same moment
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
