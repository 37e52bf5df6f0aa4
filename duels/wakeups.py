"""Telling open pages that something has changed, and nothing more: they come and read what they may see."""

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def group_of(number: int) -> str:
    """The name of the group of sockets that watch battle `number`."""
    return f"battle.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of battle `number` once the present transaction is committed; never if it is not."""
    transaction.on_commit(lambda: wake_watchers(number), robust=True)


def wake_watchers(number: int) -> None:
    """Wake the watchers of battle `number` now."""
    wake_group(group_of(number), "battle.changed")


def wake_group(group: str, kind: str) -> None:
    """Wake all sockets of a group now. A wake-up is a hint: one that cannot be sent is only logged."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(group, {"type": kind})
    except (OSError, RuntimeError, RedisError) as error:
        log.warning("%s: watchers not woken: %s", group, error)
