"""System checks of the email settings, most of them only with --deploy."""

from collections.abc import Iterator
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.utils import timezone

from email_gateway.receive.webhooks import find_view_class

LOOPBACK = ("localhost", "127.0.0.1", "::1", "")
KEPT_HERE = ("console", "dummy", "locmem", "filebased")
SMALLEST_LIMIT = 50_000
# The key for a provider's signature, if it signs.
SIGNING_KEYS = ("WEBHOOK_SIGNING_KEY", "WEBHOOK_KEY", "INBOUND_SECRET", "INBOUND_WEBHOOK_KEY", "SIGNING_SECRET")


@register()
def check_webhook(**_: Any) -> list[CheckMessage]:
    """Reject a webhook without a secret: it would accept email from anyone under any name."""
    provider = settings.FM_MAIL_WEBHOOK
    if not provider:
        return []
    if find_view_class(provider.lower(), "inbound") is None:
        hint = "See django-anymail's list of providers."
        return [Error(f'FM_MAIL_WEBHOOK names no provider: "{provider}".', hint=hint, id="email_gateway.E001")]
    if not has_webhook_secret(provider, settings.ANYMAIL):
        hint = 'Set WEBHOOK_SECRET ("user:password", a long one) in ANYMAIL, or the signing key of the provider.'
        return [Error("The webhook for mail has no secret: anybody could post to it.", hint=hint,
                      id="email_gateway.E002")]  # fmt: skip
    return []


def has_webhook_secret(provider: str, anymail: dict[str, Any]) -> bool:
    own = any(anymail.get(f"{provider.upper()}_{key}") for key in SIGNING_KEYS)
    return own or bool(anymail.get("WEBHOOK_SECRET"))


@register(Tags.security, deploy=True)
def check_mail_settings(**_: Any) -> list[CheckMessage]:
    """Report every setting that stops email from arriving, or makes our answers look forged."""
    return [*check_domain(), *check_former_domains(), *check_way_out(), *check_links(), *check_size()]


def check_domain() -> Iterator[CheckMessage]:
    domain = settings.FM_MAIL_DOMAIN.lower()
    if "." not in domain or domain.endswith((".localhost", ".local", ".test", ".invalid", ".example")):
        yield Error(
            f"Nobody can write to {domain}.",
            hint="Set FM_MAIL_DOMAIN to the domain whose MX record leads here.",
            id="email_gateway.E003",
        )
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].lower()
    if not is_aligned(sender, domain):
        yield Warning(
            f"Mail from {sender or 'nobody'} with bounces to {domain} fails DMARC.",
            hint="Let DEFAULT_FROM_EMAIL and FM_MAIL_DOMAIN be of one domain.",
            id="email_gateway.W001",
        )


def is_aligned(sender: str, domain: str) -> bool:
    """Return whether a From of `sender` fits envelopes of `domain`: the same domain, or one within the other."""
    return bool(sender) and (sender == domain or sender.endswith(f".{domain}") or domain.endswith(f".{sender}"))


def check_way_out() -> Iterator[CheckMessage]:
    backend = settings.EMAIL_BACKEND
    if not settings.FM_MAIL_LEAVES_HOUSE or any(f".{name}." in backend for name in KEPT_HERE):
        yield Warning(
            "Email does not leave this site.",
            hint="Set EMAIL_URL, for instance smtp+tls://user:password@mail.example.org:587.",
            id="email_gateway.W002",
        )
    elif backend.endswith("smtp.EmailBackend") and not is_way_encrypted():
        yield Warning(
            f"Mail goes to {settings.EMAIL_HOST} unencrypted.",
            hint="Let EMAIL_URL begin with smtp+tls:// or smtp+ssl://.",
            id="email_gateway.W003",
        )


def is_way_encrypted() -> bool:
    local = settings.EMAIL_HOST in LOOPBACK
    return local or bool(getattr(settings, "EMAIL_USE_TLS", False) or getattr(settings, "EMAIL_USE_SSL", False))


def check_former_domains() -> Iterator[CheckMessage]:
    for domain, last_day in settings.FM_FORMER_DOMAINS.items():
        if domain in (settings.FM_MAIL_DOMAIN.lower(), urlsplit(settings.FM_SITE_URL).hostname):
            yield Warning(
                f"{domain} is in FM_FORMER_DOMAINS, but the site still has it: its pages would redirect to themselves.",
                hint="Set FM_SITE_URL and FM_MAIL_DOMAIN to the new domain.",
                id="email_gateway.W006",
            )
        elif last_day < timezone.now().date():
            yield Warning(
                f"The former domain {domain} ended on {last_day}.",
                hint="Remove it from FM_FORMER_DOMAINS, the proxy and the mail server.",
                id="email_gateway.W007",
            )


def check_links() -> Iterator[CheckMessage]:
    if not settings.FM_SITE_URL.startswith("https://"):
        yield Warning(
            f"Links in mails lead to {settings.FM_SITE_URL}.",
            hint="Set FM_SITE_URL to the https:// address of the site.",
            id="email_gateway.W004",
        )


def check_size() -> Iterator[CheckMessage]:
    if settings.FM_MAIL_SIZE_LIMIT < SMALLEST_LIMIT:
        yield Warning(
            f"Mails of more than {settings.FM_MAIL_SIZE_LIMIT} bytes are refused.",
            hint="Answers that quote a report in HTML have 100,000 bytes and more.",
            id="email_gateway.W005",
        )
