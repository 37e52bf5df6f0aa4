"""ACKNOWLEDGE and REPORT: between a player and the janitors."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.selectors.names import find_nearest_name, find_owner
from accounts.services.hold import acknowledge_warnings
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import find_known_battle, read_number, strip_marks
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.layout import wrap
from moderation.errors import ModerationRefused
from moderation.selectors.reports import list_reports_by
from moderation.services.reports import LONGEST, make_report
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

MOST_REPORTS = 20
FORM = "REPORT <name or battle> <what happened>"


def handle_acknowledge(talk: Conversation, rest: str) -> list[str]:
    """ACKNOWLEDGE: confirm having read a warning."""
    user = talk.require_user("ACKNOWLEDGE")
    if strip_marks(rest):
        raise OrderRejected(_("Put ACKNOWLEDGE on a line of its own."), nearest="ACKNOWLEDGE")
    read = acknowledge_warnings(user=user, now=talk.request.now)
    return [_("Thank you. The warning is acknowledged.") if read else _("You have no warnings.")]


def handle_report(talk: Conversation, rest: str) -> list[str]:
    """REPORT name or battle, words: report to the janitors. REPORT alone: the state of the user's reports."""
    user = talk.require_user("REPORT")
    if not rest.partition(";")[0].strip():
        talk.report("reports", partial(write_reports, user))
        return []
    subject, __, words = rest.partition(" ")
    if not subject or not words.strip():
        raise OrderRejected(_("REPORT needs a name or a battle's number, followed by what happened."), nearest=FORM)
    if len(words.strip()) > LONGEST:
        reason = _("This has %(length)s characters. Shorten it to %(most)s.")
        raise OrderRejected(reason % {"length": len(words.strip()), "most": LONGEST})
    about_user, about_battle = read_subject(subject.rstrip(",:"))
    try:
        report = make_report(
            reporter=user,
            text=talk.cover_secrets(words),
            about_user=about_user,
            about_battle=about_battle,
            now=talk.request.now,
        )
    except ModerationRefused as error:
        raise OrderRejected(str(error), nearest=FORM) from error
    return [
        _("The janitors have your report %(report)s about %(subject)s, and will reply by email.")
        % {"report": report.pk, "subject": report.subject}
    ]


def write_reports(user: User) -> str:
    """Return the user's reports, the newest first, and the state of each."""
    zone, rows = zone_of(user), []
    for report in list_reports_by(user)[:MOST_REPORTS]:
        sent = write_moment(report.created_at, zone)
        state = report.get_state_display()
        message = _("%(number)s  %(subject)s: %(state)s, sent on %(moment)s.")
        slots = {"number": report.pk, "subject": report.subject, "state": state[:1].lower() + state[1:], "moment": sent}
        rows.append(wrap(message % slots))
        rows += [wrap(_('The answer: "%(answer)s"') % {"answer": report.answer})] if report.answer else []
    return "\n".join([_("Your reports"), "", *(rows or ["  " + _("None.")])])


def read_subject(text: str) -> tuple[User | None, int | None]:
    """Return the user or the battle that a word names. Raises OrderRejected."""
    number = read_number(text)
    if number is not None:
        return None, find_known_battle(number, nearest=FORM).number
    user = find_owner(text)
    if user is None:
        nearest = find_nearest_name(text)
        raise OrderRejected(
            _("Nobody is called %(text)s.") % {"text": text}, nearest=f"REPORT {nearest} …" if nearest else FORM
        )
    return user, None


ORDERS: tuple[Order, ...] = (
    Order(
        "REPORT",
        "REPORT {name or battle} {what happened}",
        "player",
        "moderation.services.reports.make_report",
        gettext_lazy(
            "Reports a player or a battle to the janitors. They reply by email, and nobody else sees it. Alone, it "
            "lists your reports with their states."
        ),
        "FM-ORDMSG-1",
        handle_report,
        example="REPORT 12 nothing moves since Monday",
    ),
    Order(
        "ACKNOWLEDGE",
        "ACKNOWLEDGE",
        "player",
        "accounts.services.hold.acknowledge_warnings",
        gettext_lazy("Confirms that you have read a janitor's warning. Until then your orders wait."),
        "FM-ORDMSG-1",
        handle_acknowledge,
        example="ACKNOWLEDGE",
    ),
)
