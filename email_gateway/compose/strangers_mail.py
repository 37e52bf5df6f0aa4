"""Emails to strangers who reported illegal content: the receipt and the answer."""

from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.selectors.hold import appeal_address
from email_gateway.compose.account_mail import write_secret_mail
from email_gateway.compose.moderation_mail import write_appeal
from email_gateway.deliver.mail import queue_mail
from email_gateway.text.layout import quote
from moderation.models import Report


def queue_strangers_mail(*, report: Report, answer: str, now: datetime) -> None:
    """Queue the answer, or without one the receipt, which repeats nothing that the stranger wrote: the address may be
    another's."""
    with override(report.language or settings.LANGUAGE_CODE):
        subject = _("Your report %(number)s") % {"number": report.pk}
        parts = [_("We have received your report of illegal content. A janitor reads it and replies to this address.")]
        if answer:
            message = _("You reported %(subject)s. A janitor has replied:") % {"subject": report.subject}
            parts = [f"{message}\n\n{quote(answer)}", write_appeal({"appeal": appeal_address()})]
        queue_mail(write_secret_mail(subject, parts), address=report.email, inbound=None, user=None, now=now)
