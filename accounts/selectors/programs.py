"""Reading what a user's programs and devices use: tokens, hooks, push devices."""

from django.db.models import QuerySet

from accounts.models import ApiToken, PushDevice, User
from notifications.events import SiteEvent, make_event
from notifications.models import Delivery, Hook

CALLS_SHOWN = 20


def list_api_tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens, newest first."""
    return ApiToken.objects.filter(user=user)


def list_push_devices(user: User) -> list[PushDevice]:
    """Return the devices that get `user`'s notifications, newest first."""
    return list(PushDevice.objects.filter(user=user).order_by("-created_at", "-pk"))


def list_hook_posts(hook: Hook) -> list[tuple[SiteEvent, Delivery]]:
    """Return the newest events for a hook, and what happened to each."""
    own = Delivery.objects.filter(hook=hook, notice__isnull=False)
    newest = own.select_related("notice").order_by("-created_at", "-pk")[:CALLS_SHOWN]
    return [(make_event(delivery.notice), delivery) for delivery in newest if delivery.notice is not None]
