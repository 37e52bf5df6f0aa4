"""Which mails no person wrote. They are neither obeyed nor answered (RFC 3834): no two machines talk for ever."""

import re
from email.message import Message

from email_gateway.reading.letters import content_type, read_header

# How answering machines head their mails that mark them in no other way.
ABSENT = re.compile(
    r"automatic reply|auto(matic)?[- ]?(reply|response)|out of (the )?office|abwesen|automatische antwort|"
    r"réponse automatique|absence du bureau|respuesta automática|risposta automatica|automatisch antwoord|"
    r"afwezig|autosvar|automatiskt svar|resposta automática",
    re.I,
)
DAEMONS = {"mailer-daemon", "mailerdaemon", "postmaster", "daemon", "majordomo", "listserv", "noreply", "no-reply"}


def find_automatic_reason(message: Message, mail_from: str) -> str | None:
    """Say why this mail counts as automatic, or None when a person seems to have written it."""
    sender = mail_from.strip().lower()
    if not sender or sender == "<>":
        return "it came with an empty sender, as delivery reports do"
    local = sender.partition("@")[0]
    if local in DAEMONS or local.startswith("owner-") or local.endswith("-request"):
        return "its sender is a mail program"
    return find_marked_reason(message)


def find_marked_reason(message: Message) -> str | None:
    """Look at the headers by which programs mark their mails."""
    marked = read_header(message, "Auto-Submitted").lower().split(";")[0].strip()
    if marked and marked != "no":
        return "it is marked as sent automatically"
    if read_header(message, "Precedence").lower() in ("bulk", "list", "junk", "auto_reply"):
        return "it is marked as bulk mail"
    if content_type(message) in ("multipart/report", "message/delivery-status", "message/disposition-notification"):
        return "it is a delivery report"
    if any(message.get(name) for name in ("List-Id", "List-Unsubscribe", "X-Autoreply", "X-Autorespond", "X-Loop")):
        return "it came through a mailing list or an answering machine"
    if ABSENT.match(read_header(message, "Subject")):
        return "its subject is that of an answering machine"
    return None
