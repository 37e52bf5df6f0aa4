"""ACKNOWLEDGE and REPORT: between a player and the janitors."""

from functools import partial

from accounts.errors import CannotReport
from accounts.models import User
from accounts.selectors import find_nearest_name, find_owner
from accounts.services import acknowledge_warnings
from duels.errors import BattleNotFound
from duels.selectors import find_battle
from email_gateway.commands.words import LONGEST_NUMBER
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.wrapping import wrap
from fm_site.moderation.selectors import list_reports_by
from fm_site.moderation.services import make_report
from fm_site.notifications.selectors import zone_of
from fm_site.operations.moments import write_moment

MOST_REPORTS = 20
FORM = "REPORT <name or battle> <what happened>"


def handle_acknowledge(talk: Conversation, rest: str) -> list[str]:
    """ACKNOWLEDGE: I have read what I was warned of."""
    user = talk.require_user("ACKNOWLEDGE")
    if rest:
        raise OrderRejected("ACKNOWLEDGE stands alone.", nearest="ACKNOWLEDGE")
    read = acknowledge_warnings(user=user, now=talk.asked.now)
    return ["Thank you. The warning is acknowledged." if read else "No warning waits for you."]


def handle_report(talk: Conversation, rest: str) -> list[str]:
    """REPORT name or battle, words: tell the janitors. REPORT: what became of my reports."""
    user = talk.require_user("REPORT")
    if not rest.partition(";")[0].strip():
        talk.report("reports", partial(write_reports, user))
        return []
    subject, _, words = rest.partition(" ")
    if not subject or not words.strip():
        raise OrderRejected("REPORT takes a name or the number of a battle, and what happened.", nearest=FORM)
    about_user, about_battle = read_subject(subject)
    try:
        report = make_report(
            reporter=user, text=words, about_user=about_user, about_battle=about_battle, now=talk.asked.now
        )
    except CannotReport as error:
        raise OrderRejected(str(error), nearest=FORM) from error
    return [f"The janitors have your report {report.pk} about {report.subject}, and answer you by mail."]


def write_reports(user: User) -> str:
    """Return what the user has reported, the newest first, and how it stands with each."""
    zone, rows = zone_of(user), []
    for report in list_reports_by(user)[:MOST_REPORTS]:
        sent = write_moment(report.created_at, zone)
        rows.append(wrap(f"{report.pk}  {report.subject}: {report.get_state_display().lower()}, sent on {sent}."))
        rows += [wrap(f'The answer: "{report.answer}"')] if report.answer else []
    return "\n".join(["Your reports", "", *(rows or ["  None."])])


def read_subject(text: str) -> tuple[User | None, int | None]:
    """Return the user or the battle that a word names. Raises OrderRejected."""
    if text.isdecimal() and len(text) <= LONGEST_NUMBER:
        try:
            return None, find_battle(number=int(text)).number
        except BattleNotFound as error:
            raise OrderRejected(str(error), nearest=FORM) from error
    user = find_owner(text)
    if user is None:
        nearest = find_nearest_name(text)
        raise OrderRejected(f"Nobody is called {text}.", nearest=f"REPORT {nearest} …" if nearest else FORM)
    return user, None
