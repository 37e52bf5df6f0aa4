"""The sections about email on the janitors' desk."""

from django.utils.translation import gettext as _

from accounts.models import User
from email_gateway.models import InboundMail, MailAddress
from email_gateway.receive.find_writer import list_mails_for
from moderation.desk import MOST_ROWS, Item, Section, link_row, link_table


def list_mail_sections(reader: User) -> list[Section]:
    """Return the sections of the desk about received email, and addresses that email does not reach."""
    return [_list_stuck(reader), _list_failing_addresses()]


def _list_stuck(reader: User) -> Section:
    stuck = InboundMail.objects.filter(state=InboundMail.State.STUCK)
    stuck = list_mails_for(reader, stuck).order_by("-received_at")
    items = [
        Item(_("Email %(number)s") % {"number": mail.pk}, mail.remark, mail.received_at, link_row(mail))
        for mail in stuck[:MOST_ROWS]
    ]
    none = _("All incoming email has been processed.")
    return Section(_("Stuck emails"), none, stuck.count(), items, link_table(InboundMail, state__exact="stuck"))


def _list_failing_addresses() -> Section:
    failing = MailAddress.objects.filter(bounce_score__gte=MailAddress.FAILING).order_by("-bounced_at")
    items = [Item(each.address, each.last_error, each.bounced_at, link_row(each)) for each in failing[:MOST_ROWS]]
    none = _("No address is bouncing email.")
    return Section(_("Addresses that bounce email"), none, failing.count(), items, link_table(MailAddress))
