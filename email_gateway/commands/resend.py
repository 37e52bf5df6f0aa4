"""RESEND: mails that were sent to this user once more."""

from email_gateway.commands.resend_mails import MOST_AGAIN, resend_mails
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected

CLAUSE = "FM-ORDINF-13"


def handle_resend(talk: Conversation, rest: str) -> list[str]:
    """RESEND {n}: the last n mails, each as a mail of its own; the last one without a number."""
    user = talk.require_user("RESEND")
    words = split_words(rest)
    if len(words) > 1 or not all(word.isdecimal() and len(word) < 4 for word in words):
        raise OrderRejected("RESEND takes a number of mails, or nothing.", nearest="RESEND 3", clause=CLAUSE)
    wanted = int(words[0]) if words else 1
    if not 1 <= wanted <= MOST_AGAIN:
        nearest = f"RESEND {MOST_AGAIN if wanted else 1}"
        raise OrderRejected(f"RESEND sends 1 to {MOST_AGAIN} mails.", nearest=nearest, clause=CLAUSE)
    sent = resend_mails(user=user, count=wanted, now=talk.asked.now)
    if not sent:
        return ["No mail to you is kept. Copies are kept for 30 days, and none of those with codes or links."]
    plural = "s come" if sent > 1 else " comes"
    return [f"{sent} mail{plural} once more." + (" More are not kept." if sent < wanted else "")]
