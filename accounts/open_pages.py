"""Messages to open pages and streams whose users may have lost their rights."""

from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from accounts.models import ApiToken, User
from operations.wakeups import RIGHTS, mark_session, publish

# Saving only these fields cannot change a user's rights.
HARMLESS = frozenset({"last_login", "last_active_at", "theme", "idle_check_at"})


def watch_rights() -> None:
    """Send a message whenever a session ends, a token is revoked or changed, or a user is saved with fields that
    matter, such as a new password."""
    post_delete.connect(publish_session_ended, sender=Session, dispatch_uid="accounts.open_pages.session")
    post_save.connect(publish_user_changed, sender=User, dispatch_uid="accounts.open_pages.user")
    post_save.connect(publish_token_changed, sender=ApiToken, dispatch_uid="accounts.open_pages.changed_token")
    post_delete.connect(publish_token_changed, sender=ApiToken, dispatch_uid="accounts.open_pages.token")


def publish_session_ended(instance: Session, **_: Any) -> None:
    if instance.expire_date > timezone.now():
        publish_rights_changed(session=mark_session(instance.session_key))


def publish_user_changed(instance: User, created: bool, update_fields: frozenset[str] | None = None, **_: Any) -> None:
    if not created and (update_fields is None or set(update_fields) - HARMLESS):
        publish_rights_changed(user=instance.pk)


def publish_token_changed(instance: ApiToken, created: bool = False, **_: Any) -> None:
    if not created:
        publish_rights_changed(user=instance.user_id)


def publish_rights_changed(**whose: Any) -> None:
    """Have sockets and streams check their rights again when the current transaction commits."""
    transaction.on_commit(lambda: publish(RIGHTS, whose), robust=True)
