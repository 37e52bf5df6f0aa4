"""Reading what a user's programs and devices use: tokens, the webhook, push devices."""

from django.db.models import QuerySet

from accounts.models import ApiToken, PushDevice, User, Webhook
from notifications.events import SiteEvent, make_event
from notifications.models import Delivery

CALLS_SHOWN = 20


def list_api_tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens, newest first."""
    return ApiToken.objects.filter(user=user)


def list_push_devices(user: User) -> list[PushDevice]:
    """Return the devices that get `user`'s notifications, newest first."""
    return list(PushDevice.objects.filter(user=user).order_by("-created_at", "-pk"))


def find_webhook(user: User) -> Webhook | None:
    """Return `user`'s webhook, switched off or not, or None."""
    return Webhook.objects.filter(user=user).first()


def list_webhook_calls(user: User) -> list[tuple[SiteEvent, Delivery]]:
    """Return the newest events for `user`'s webhook, and what happened to each."""
    mine = Delivery.objects.filter(user=user, channel=Delivery.Channel.WEBHOOK, notice__isnull=False)
    newest = mine.select_related("notice").order_by("-created_at", "-pk")[:CALLS_SHOWN]
    return [(make_event(delivery.notice), delivery) for delivery in newest if delivery.notice is not None]
