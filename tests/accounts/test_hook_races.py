"""Hooks changed at the same time, or by a process that is killed: each that is stored is called."""

from functools import partial

import pytest

from accounts.models import User
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
    """No hooks."""


def with_one_off(user: User) -> None:
    set_webhook(user=user, url=URL, now=NOW)
    Hook.objects.filter(user=user).update(off_at=NOW)
    User.objects.filter(pk=user.pk).update(has_webhook=False)


def add(user: User) -> None:
    add_hook(user=user, scope="user", form="json", name="Bot", url=URL, events=["turns"], now=NOW)


@pytest.mark.parametrize(
    ("prepare", "act"),
    [
        (without_any, add),
        (with_one_off, lambda user: set_webhook(user=user, url=URL, now=NOW)),
    ],
    ids=["add hook", "set webhook"],
)
def test_a_process_killed_anywhere_leaves_no_hook_that_nothing_calls(prepare, act):
    at, killed = 0, True
    while killed:
        at += 1
        user = make_user(f"Anna{chr(96 + at)}")
        prepare(user)
        killed = run_until_killed(partial(act, user), at=at)
        user.refresh_from_db()
        assert user.has_webhook == Hook.objects.filter(user=user, off_at=None).exists(), at
    assert at > 3


def test_a_webhook_set_twice_at_once_is_one_hook_with_one_secret():
    for number in range(TRIES):
        user = make_user(f"Anna{chr(97 + number % 26)}{'x' * (number // 26)}")
        results = at_once(*[partial(set_webhook, user=user, url=URL, now=NOW)] * 2)
        assert not [each for each in results if isinstance(each, Exception)], results
        assert unseal(Hook.objects.get(user=user).sealed)["secret"] in [secret for _hook, secret in results]
