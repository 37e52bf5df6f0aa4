"""The single answer to an email: its recipient and its content."""

from dataclasses import replace
from datetime import datetime, timedelta

from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.selectors.users import list_addresses_of
from email_gateway.addresses import is_one_address, make_change_address, make_newuser_address
from email_gateway.compose.answers import compose_answer
from email_gateway.compose.battle_mail import compose_answered_report
from email_gateway.conversation import Conversation
from email_gateway.deliver.mail import Mail, make_message, queue_mail
from email_gateway.models import InboundMail
from email_gateway.text.layout import wrap
from email_gateway.text.password_lines import LIKE_PASSWORD, mask_secrets
from email_gateway.text.senders import plain_sender
from notifications.chosen_preferences import remembering
from notifications.covered_notices import find_pending_answer
from notifications.kinds import TURN_STORIES
from notifications.models import Notice
from notifications.selectors.notices import address_for_notices, count_answers, find_newest_notice
from notifications.services.deliveries import mark_covered

# Answers per hour: to a user; to an unknown sender, or to a user's emails without orders, like those of an answering
# machine.
MOST_TO_USER = 200
MOST_TO_STRANGER = 20
# And to one whose emails have marks of automatic replies, although they contain orders: to anyone, or to a user who has
# proved who they are and whose orders count. No machine that replies to us gives those, so one a minute cannot loop.
MOST_TO_MARKED = 5
MOST_TO_MARKED_USER = 60
# An answer to an unknown sender has at most this many times the bytes of their email.
TIMES_ITS_SIZE = 10
# The whole of HELP fits. An email that came through a mail system is rarely so short that this matters.
SMALLEST_ANSWER = 12_000
# Allowance for lines that grow when encoded, and for headers that mail systems add.
SPARE = 200
CUT_NOTE = gettext_lazy(
    "(The rest is left out, because the answer would be too long for a short email without a USER line.)"
)
HOUR = timedelta(hours=1)
TOO_MANY = "not answered: too many answers to this address in an hour"
# The remark on an answered email.
WITHOUT_ORDERS = "answered: it contains no order"


def write_answer(*, mail: InboundMail, talk: Conversation, now: datetime, is_marked: bool = False) -> str:
    """Queue the answer; return why there is none, or "". Emails with marks of automatic replies get few answers.

    Where a user is known, it goes to the user's verified address and nowhere else; to the sender otherwise.
    """
    most = MOST_TO_USER
    if is_marked:
        most = MOST_TO_MARKED_USER if is_playing(talk) else MOST_TO_MARKED
    address, refusal = choose_address(talk.state.owner, talk.request.sender, now, most=most)
    if not has_orders(talk) and count_answers_without_orders(talk.state.owner, now) >= MOST_TO_STRANGER:
        refusal = refusal or TOO_MANY
    if talk.answer.farewell:
        address, refusal = choose_address(None, talk.answer.farewell, now)
    if refusal:
        return refusal
    news = find_news(talk)
    with remembering(talk.state.owner):
        if news is None or talk.state.owner is None:
            answer = compose_answer(talk)
        else:
            answer = compose_answered_report(talk, kind=news.kind, facts=news.facts, user=talk.state.owner)
    if talk.answer.reply_to:
        answer = replace(answer, reply_to=talk.answer.reply_to)
    # A second time, in case we forgot a place where the answer repeats the email. A password that may be a word of ours
    # would garble the answer here, so it is covered in those places only.
    strange = [secret for secret in talk.request.secrets if LIKE_PASSWORD.fullmatch(secret)]
    if strange:
        answer = replace(
            answer,
            subject=mask_secrets(answer.subject, strange),
            text=mask_secrets(answer.text, strange),
            html=mask_secrets(answer.html, [*strange, *map(escape, strange)]),
        )
    if talk.state.owner is None:
        answer = fit_answer(answer, most=max(SMALLEST_ANSWER, TIMES_ITS_SIZE * mail.size))
    reply_to = find_confirming_address(talk)
    if reply_to:
        answer = Mail(
            subject=answer.subject,
            text=answer.text,
            html=answer.html,
            reply_to=reply_to,
            in_reply_to=talk.request.letter.message_id,
            automatic="auto-replied",
            secret=True,
        )
    # If the email was stuck before, this answer replaces the one that said so.
    row = queue_mail(answer, address=address, inbound=mail, user=talk.state.owner, now=now)
    if news is not None:
        mark_covered(notice=news, message_id=row.message_id, now=now)
    return ""


def has_orders(talk: Conversation) -> bool:
    """Return whether an email contains orders, even rejected ones, or words to other players."""
    is_to_players = bool(talk.state.message_to) or talk.state.is_to_room
    return is_to_players or any(echo.verdict != "ignored" for echo in talk.state.echoes)


def is_playing(talk: Conversation) -> bool:
    """Return whether a known user gave the mail password, or used a reply address for orders of a mage or about a
    challenge that count."""
    if talk.is_trusted or talk.state.user is None:
        return talk.is_trusted
    accepted = {echo.number for echo in talk.state.echoes if echo.verdict == "accepted"}
    given = {line.number for line, _shown in talk.state.block.lines} if talk.state.block else set()
    return bool(accepted & given) or bool(accepted and talk.state.challenges)


def count_answers_without_orders(owner: User | None, now: datetime) -> int:
    """Return how many emails without orders this user got an answer to in the last hour."""
    answered = InboundMail.objects.filter(user=owner, received_at__gt=now - HOUR, answer__isnull=False)
    return answered.filter(remark=WITHOUT_ORDERS).count() if owner is not None else 0


def fit_answer(answer: Mail, *, most: int) -> Mail:
    """Return an answer of at most this many bytes: without its HTML part if that is enough, otherwise with its text
    cut.

    An unknown writer may have forged the sender to have us flood that address.
    """
    if measure(answer) <= most:
        return answer
    answer = replace(answer, html="")
    spare = measure(answer) - most
    if spare <= 0:
        return answer
    note = f"\n\n{CUT_NOTE}\n"
    room = len(answer.text.encode()) - spare - len(note.encode())
    rows, kept = answer.text.split("\n"), 0
    for place, row in enumerate(rows):
        kept += len(row.encode("utf-8")) + 1
        if kept > room:
            rows = rows[:place]
            break
    return replace(answer, text="\n".join(rows).rstrip() + note)


def measure(mail: Mail) -> int:
    """Return the size of an email as sent, in bytes."""
    address = f"{'x' * 60}@{'x' * 60}"
    return len(make_message(mail, to=address, message_id=f"<{'x' * 80}>").message().as_bytes()) + SPARE


def find_news(talk: Conversation) -> Notice | None:
    """Return the effect of this email's orders on the answer's battle: if they were the last, or nobody else owes any,
    the turn resolves, and the answer reports it. A user gets one email about a turn."""
    if talk.state.owner is None or talk.state.user != talk.state.owner or talk.state.battle is None:
        return None
    pending = find_pending_answer()
    if pending is not None and pending.user == talk.state.user.pk and not pending.has_news(talk.state.battle):
        return None
    return find_newest_notice(
        user=talk.state.owner, kinds=TURN_STORIES, battle=talk.state.battle, written_at=talk.request.now
    )


def find_confirming_address(talk: Conversation) -> str:
    """Return the address that confirms the answer's request, if it has one."""
    if talk.answer.confirm_request is not None:
        return make_newuser_address(request_id=talk.answer.confirm_request)
    if talk.answer.confirm_change is not None:
        return make_change_address(request_id=talk.answer.confirm_change, step=0)
    return ""


def choose_address(owner: User | None, sender: str, now: datetime, *, most: int = MOST_TO_STRANGER) -> tuple[str, str]:
    """Return the address for an answer, or why it is not sent. An unknown sender never gets more than they may see."""
    address = address_for_notices(owner) if owner is not None else sender
    if address and not is_one_address(address):
        return "", "not answered: the sender is no address"
    if not address:
        return "", "not answered: the user has no verified address"
    # What a user got here does not use up a stranger's answers: theirs say that a mail password is wrong.
    count = count_answers(address=address, user=owner, since=now - HOUR)
    if count >= (most if owner is not None else min(most, MOST_TO_STRANGER)):
        return "", TOO_MANY
    return address, ""


def write_held_answer(*, mail: InboundMail, user: User, sender: str, now: datetime) -> None:
    """Notify the sender of an email that is held. At the user's own address, the question to the user says so."""
    own = {plain_sender(one.email) for one in list_addresses_of(user) if one.verified}
    address, refusal = choose_address(None, sender, now)
    if refusal or plain_sender(sender) in own or InboundMail.objects.filter(pk=mail.pk, answer__isnull=False).exists():
        return
    why = _("Too many wrong mail passwords have been sent for this user, so your email waits.")
    how = _(
        "We ask the user to confirm it, once a day and only at their own address. Until then nothing in it counts. If "
        "you are the user, you can also reply to one of our emails; that needs no password."
    )
    held = Mail(subject=_("Your email is on hold"), text=f"{wrap(why)}\n{wrap(how)}\n", automatic="auto-replied")
    queue_mail(held, address=address, inbound=mail, user=None, now=now)


def write_fault_answer(*, mail: InboundMail, sender: str, reference: str, now: datetime) -> None:
    """Notify the sender, once, that an error on our side delays their email."""
    address, refusal = choose_address(None, sender, now)
    if refusal or InboundMail.objects.filter(pk=mail.pk, answer__isnull=False).exists():
        return
    here = _("We received your email but could not process it because of an error on our side.")
    kept = _(
        "We have not done anything in it yet, and nothing is lost. The janitors have been notified "
        "(reference %(reference)s)."
    )
    text = f"{wrap(here)}\n{wrap(kept % {'reference': reference})}\n"
    fault = Mail(subject=_("Your orders are on hold"), text=text, automatic="auto-replied")
    queue_mail(fault, address=address, inbound=mail, user=None, now=now)
