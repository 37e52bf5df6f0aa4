"""Hooks: adding, testing, pausing and removing them, and handling those that do not answer."""

import base64
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F

from notifications.errors import NotificationRefused
from notifications.hook_calls import SECRET_START
from notifications.hook_events import EVENTS, OF_PROGRAMS
from notifications.hook_formats import check_target
from notifications.models import Hook
from notifications.selectors.hooks import find_webhook
from notifications.services.deliveries import post_again
from notifications.services.outbox import write_notice
from operations.encryption import seal
from operations.text.invisible_characters import mark_line

# For each user, each battle and the site.
MOST_HOOKS = 5
# A hook is paused after so many failed events in a row, and switched off after failing for so long.
PAUSED_AFTER = 3
OFF_AFTER = timedelta(days=3)
# How long a hook rests after each failed call.
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60, 240))
LONGEST_NAME = 40
_WORKS: dict[str, Any] = {
    "failing_since": None,
    "failures": 0,
    "failed_events": 0,
    "retry_at": None,
    "paused_at": None,
    "off_at": None,
    "error": "",
}


def add_hook(
    *,
    user: AbstractBaseUser,
    scope: str,
    form: str,
    name: str,
    url: str,
    events: Collection[str],
    now: datetime,
    token: str = "",
    room: str = "",
    battle: int | None = None,
    is_webhook: bool = False,
) -> tuple[Hook, str]:
    """Add a hook; return it, and the secret of its signatures ("" in other formats), which nobody can see again.

    `form` is one of Hook.Format. Raises InvalidHook and NotificationRefused. The caller has checked that the user may
    do this.
    """
    target = check_target(form, url=url, token=token, room=room)
    secret = ""
    if form == Hook.Format.JSON:
        secret = target["secret"] = _draw_secret()
    hook = Hook(
        user_id=user.pk,
        scope=scope,
        battle=battle,
        format=form,
        is_webhook=is_webhook,
        name=_check_name(name),
        events=_check_events(scope, events),
        sealed=seal(target),
        created_at=now,
    )
    with _changing_hooks_of(user):
        _put_in_place(hook)
    return hook, secret


def set_webhook(*, user: AbstractBaseUser, url: str, now: datetime) -> tuple[Hook, str]:
    """Make this the address of the user's webhook in the API, or add one; return it and its new secret, which nobody
    can see again. Raises InvalidHook and NotificationRefused."""
    target = check_target(Hook.Format.JSON, url=url)
    with _changing_hooks_of(user):
        hook = find_webhook(user)
        if hook is None:
            return add_hook(
                user=user,
                scope=Hook.Scope.USER,
                form=Hook.Format.JSON,
                name="API",
                url=url,
                events=OF_PROGRAMS,
                now=now,
                is_webhook=True,
            )
        secret = target["secret"] = _draw_secret()
        fresh = {**_WORKS, "sealed": seal(target), "created_at": now, "answered_at": None}
        Hook.objects.filter(pk=hook.pk).update(**fresh)
        hook.refresh_from_db()
    return hook, secret


def change_hook(*, hook: Hook, name: str, events: Collection[str]) -> None:
    """Change what a hook is called and told about. Raises NotificationRefused."""
    fresh = {"name": _check_name(name), "events": _check_events(hook.scope, events)}
    Hook.objects.filter(pk=hook.pk).update(**fresh)


def remove_hook(*, hook: Hook) -> bool:
    """Delete a hook with its address, and what waits for it; return whether this call did."""
    with _changing_hooks_of(hook.user):
        deleted, _rows = Hook.objects.filter(pk=hook.pk).delete()
    return bool(deleted)


def remove_own_hooks(*, user: AbstractBaseUser) -> None:
    """Delete the user's own hooks, which someone with their old password may have added."""
    with _changing_hooks_of(user):
        Hook.objects.filter(user=user.pk, scope=Hook.Scope.USER).delete()


def send_test(*, hook: Hook, now: datetime) -> bool:
    """Send a test to the hook, at most one a minute; return whether this call did."""
    written = write_notice(
        key=f"hook_test:{hook.pk}:{now:%Y%m%d%H%M}",
        user=hook.user,
        kind="hook_test",
        facts={"hook": hook.pk},
        now=now,
    )
    if written is not None:
        Hook.objects.filter(pk=hook.pk).update(retry_at=None)
    return written is not None


def retry_hook(*, hook: Hook, now: datetime, delivery_id: int | None = None) -> bool:
    """Call the hook again at once, and let it work if it was paused or off: with all waiting events, or with this one,
    even if it had failed for good. Return False if there is no such event to repeat."""
    with _changing_hooks_of(hook.user):
        known = Hook.objects.select_for_update().filter(pk=hook.pk).first()
        if known is None:
            return False
        if not post_again(hook=hook.pk, now=now, delivery_id=delivery_id) and delivery_id is not None:
            return False
        # One that was paused or off has as long again as a new one.
        fresh = {"retry_at": None} if known.is_live else {**_WORKS, "error": known.error}
        Hook.objects.filter(pk=hook.pk).update(**fresh)
    return True


def record_hook_answer(*, hook: Hook, error: str, is_new_failure: bool, now: datetime) -> None:
    """Record that a call was answered, or failed with `error`; `is_new_failure`: for the first time with this event.

    After three failed events in a row the hook is paused, after three days it is off, and its user is notified.
    """
    # Not if the user has changed the address, or pressed Retry, since.
    same = Hook.objects.filter(pk=hook.pk, created_at=hook.created_at, off_at=None)
    if not error:
        same.update(**{**_WORKS, "answered_at": now})
        return
    since = hook.failing_since or now
    pause = BACKOFF[min(hook.failures, len(BACKOFF) - 1)]
    same.update(
        failing_since=since,
        failures=F("failures") + 1,
        failed_events=F("failed_events") + int(is_new_failure),
        retry_at=now + pause,
        error=error[:200],
    )
    if now - since >= OFF_AFTER:
        _switch_off(hook, now=now)
        return
    with transaction.atomic():
        if same.filter(failed_events__gte=PAUSED_AFTER, paused_at=None).update(paused_at=now):
            _notify(hook, "hook_paused", now=now)


def switch_off_paused_hooks(*, now: datetime, limit: int = 100) -> int:
    """Switch off the paused hooks that have failed for three days; return how many. Nothing calls them, so nothing else
    would find them."""
    old = Hook.objects.filter(failing_since__lte=now - OFF_AFTER, paused_at__isnull=False, off_at=None)
    old = old.select_related("user")
    return sum(_switch_off(hook, now=now) for hook in old.order_by("failing_since")[:limit])


def _switch_off(hook: Hook, *, now: datetime) -> bool:
    with _changing_hooks_of(hook.user):
        if not Hook.objects.filter(pk=hook.pk, off_at=None).exclude(failing_since=None).update(off_at=now):
            return False
        _notify(hook, "hook_off", now=now)
    return True


def _notify(hook: Hook, kind: str, *, now: datetime) -> None:
    write_notice(
        key=f"{kind}:hook:{hook.pk}:{now.isoformat()}",
        user=hook.user,
        kind=kind,
        facts={"name": hook.name, "scope": hook.scope, "battle": hook.battle, "id": hook.pk},
        now=now,
    )


def _put_in_place(hook: Hook) -> None:
    """Save the hook in the first free place of its owner. Raises NotificationRefused if all are taken."""
    owner = {"user": f"user/{hook.user_id}", "battle": f"battle/{hook.battle}", "site": "site"}[hook.scope]
    for number in range(1, MOST_HOOKS + 1):
        hook.place, hook.pk = f"{owner}/{number}", None
        if Hook.objects.filter(place=hook.place).exists():
            continue
        try:
            with transaction.atomic():
                hook.save(force_insert=True)
        except IntegrityError:  # someone else was quicker
            continue
        return
    raise NotificationRefused("too_many_hooks", most=MOST_HOOKS)


@contextmanager
def _changing_hooks_of(user: Any) -> Iterator[None]:
    """Change the user's hooks in one transaction, one change at a time; at its end, store whether they have own hooks
    that are not off: it is read with the user."""
    with transaction.atomic():
        this = get_user_model()._default_manager.filter(pk=user.pk)
        # Before any hook, so that two changes never wait for each other.
        list(this.select_for_update(no_key=True).values_list("pk"))
        yield
        user.has_webhook = Hook.objects.filter(user=user.pk, scope=Hook.Scope.USER, off_at=None).exists()
        this.update(has_webhook=user.has_webhook)


def _check_name(name: str) -> str:
    name = mark_line(name)
    if not name:
        raise NotificationRefused("no_hook_name")
    return name[:LONGEST_NAME]


def _check_events(scope: str, events: Collection[str]) -> list[str]:
    chosen = [name for name in EVENTS[scope] if name in events]
    if not chosen:
        raise NotificationRefused("no_hook_events")
    return chosen


def _draw_secret() -> str:
    return SECRET_START + base64.b64encode(secrets.token_bytes(32)).decode()
