"""Hooks and devices changed at the same time, or by a process that is killed: each that is stored is called."""

from functools import partial

import pytest

from accounts.models import PushDevice, User
from accounts.services.push_devices import (
    remove_devices_of_other_sessions,
    remove_push_device,
    remove_push_devices,
)
from notifications.models import Hook
from notifications.services.hooks import add_hook, set_webhook
from operations.encryption import unseal
from tests.races import at_once, run_until_killed
from tests.scenes import NOW, make_user
from tests.services.plugin import LONG

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TRIES = 50 if LONG else 6
URL = "https://bot.example/events"


def without_any(user: User) -> None:
    """Neither hooks nor devices."""


def with_one_off(user: User) -> None:
    set_webhook(user=user, url=URL, now=NOW)
    Hook.objects.filter(user=user).update(off_at=NOW)
    User.objects.filter(pk=user.pk).update(has_webhook=False)


def with_device(user: User) -> PushDevice:
    User.objects.filter(pk=user.pk).update(has_push=True)
    return PushDevice.objects.create(
        user=user, endpoint="https://push.example/1", endpoint_hash=f"{user.pk}", session_key="old", created_at=NOW
    )


def add(user: User) -> None:
    add_hook(user=user, scope="user", form="json", name="Bot", url=URL, events=["turns"], now=NOW)


def remove_it(user: User) -> None:
    remove_push_device(user=user, device_id=PushDevice.objects.get(user=user).pk)


@pytest.mark.parametrize(
    ("prepare", "act"),
    [
        (without_any, add),
        (with_one_off, lambda user: set_webhook(user=user, url=URL, now=NOW)),
        (with_device, remove_it),
        (with_device, lambda user: remove_push_devices(user=user)),
        (with_device, lambda user: remove_devices_of_other_sessions(user=user, session_key="new")),
    ],
    ids=["add hook", "set webhook", "remove device", "remove devices", "remove devices of other sessions"],
)
def test_a_process_killed_anywhere_leaves_no_hook_or_device_that_nothing_calls(prepare, act):
    at, killed = 0, True
    while killed:
        at += 1
        user = make_user(f"Anna{chr(96 + at)}")
        prepare(user)
        killed = run_until_killed(partial(act, user), at=at)
        user.refresh_from_db()
        assert user.has_webhook == Hook.objects.filter(user=user, off_at=None).exists(), at
        assert user.has_push == PushDevice.objects.filter(user=user).exists(), at
    assert at > 3


def test_a_webhook_set_twice_at_once_is_one_hook_with_one_secret():
    for number in range(TRIES):
        user = make_user(f"Anna{chr(97 + number % 26)}{'x' * (number // 26)}")
        results = at_once(*[partial(set_webhook, user=user, url=URL, now=NOW)] * 2)
        assert not [each for each in results if isinstance(each, Exception)], results
        assert unseal(Hook.objects.get(user=user).sealed)["secret"] in [secret for _hook, secret in results]
