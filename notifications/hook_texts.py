"""What hooks say in chats and on phones: only what everyone may know, and who a battle waits for.

The apps above write it, each for its kinds; a kind without a writer says what a device would show.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from notifications.hook_formats import HookMessage
from notifications.models import Notice
from notifications.push_texts import make_push
from operations.models import Announcement

# From the kind, a notice's facts and its user. None: there is nothing to say any more.
WriteMessage = Callable[[str, Mapping[str, Any], Any], HookMessage | None]
WRITERS: dict[str, WriteMessage] = {}


def writes_hook(*kinds: str) -> Callable[[WriteMessage], WriteMessage]:
    """Register a function that returns what hooks say about these kinds."""

    def register(writer: WriteMessage) -> WriteMessage:
        WRITERS.update(dict.fromkeys(kinds, writer))
        return writer

    return register


def make_hook_message(notice: Notice) -> HookMessage | None:
    """Return the message of a notice in the active language; None if there is nothing to say about it."""
    if notice.kind in WRITERS:
        return WRITERS[notice.kind](notice.kind, notice.facts, notice.user)
    push = make_push(notice)
    return HookMessage(f"{push.title}\n{push.text}", settings.FM_SITE_URL + push.path) if push else None


@writes_hook("hook_test")
def _write_test(kind: str, facts: Mapping[str, Any], user: Any) -> HookMessage:
    return HookMessage(_("Firetop Mountain: this is a test\nThis hook works."), settings.FM_SITE_URL + reverse("home"))


@writes_hook("open_line")
def _write_announcement(kind: str, facts: Mapping[str, Any], user: Any) -> HookMessage | None:
    """Say what the janitors announce, while it stands."""
    row = Announcement.objects.filter(pk=facts["announcement"], withdrawn_at=None).first()
    if row is None:
        return None
    link = f"{settings.FM_SITE_URL}{reverse('status')}#announcement-{row.pk}"
    return HookMessage(_("Firetop Mountain, announcement:") + f"\n{row.text}", link)
