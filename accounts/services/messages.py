"""Messages between users: sending, reading and deleting them."""

from datetime import datetime, timedelta
from hashlib import blake2b

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.errors import AccountRefused
from accounts.models import Block, Message, User
from accounts.models.message import MESSAGE_LENGTH
from accounts.selectors.engagements import have_met
from accounts.selectors.messages import find_closed_to_bots
from accounts.selectors.users import list_mages_of
from notifications.models import Notice
from notifications.services.news import mark_news_seen
from notifications.services.outbox import write_notice
from operations.errors import TooManyAttempts
from operations.registry import WITHOUT_REPLY_ADDRESSES, find_function
from operations.text.invisible_characters import mark_hidden
from operations.web.throttle import Throttle

MOST_ROWS = 200
STRANGERS_A_DAY = 5
# Messages a day, counted once for each reader.
PER_DAY = Throttle("messages", limit=60, seconds=24 * 3600)


def send_message(
    *,
    writer: User,
    reader: User,
    text: str,
    once: str,
    now: datetime,
    channel: str = Message.Channel.PAGE,
    mage: str = "",
    named: str = "",
    battle: int | None = None,
    turn: int | None = None,
) -> Message:
    """Send a message; the reader is notified. It may be about a turn of a battle, whose number the caller has checked.
    `mage` is the writer's mage by which the reader may know them, by default their first one; `named` is the name by
    which the writer called the reader.

    Sending the same text again with the same `once` returns the first one. Raises AccountRefused.
    """
    text = "\n".join(row.rstrip() for row in text.splitlines()).strip("\n")
    _check_text(text)
    # A form whose response was lost may be sent again with other words.
    once = blake2b(f"{once} {text}".encode(), digest_size=16).hexdigest()
    with transaction.atomic():
        # Locked like for a block, which ends the thread, and so that two messages don't both count as the last allowed.
        list(User.objects.select_for_update(no_key=True).filter(pk__in=(writer.pk, reader.pk)).order_by("pk"))
        known = Message.objects.filter(writer=writer, reader=reader, once=once).first()
        if known is not None:
            return known
        check_message(writer=writer, reader=reader)
        is_to_stranger = _is_to_stranger(writer, reader)
        if is_to_stranger and count_strangers(writer, now=now) >= STRANGERS_A_DAY:
            raise AccountRefused("too_many_strangers", most=STRANGERS_A_DAY)
        try:
            PER_DAY.check(str(writer.pk))
        except TooManyAttempts as error:
            raise AccountRefused("too_many_messages", most=PER_DAY.limit) from error
        text = mark_hidden(find_function(WITHOUT_REPLY_ADDRESSES)(text))
        message = Message.objects.create(
            writer=writer,
            reader=reader,
            text=text,
            channel=channel,
            battle=battle,
            turn=turn,
            written_at=now,
            once=once,
            is_to_stranger=is_to_stranger,
        )
        _notify_reader(message, mage=mage, named=named, now=now)
        PER_DAY.count(str(writer.pk))
    return message


def check_message(*, writer: User, reader: User) -> None:
    """Check that one may write to the other at all. Raises AccountRefused."""
    if writer.is_guest:
        raise AccountRefused("guest_writes")
    if writer.pk == reader.pk:
        raise AccountRefused("writes_to_self")
    if not reader.is_active:
        raise AccountRefused("writes_to_nobody")
    if reader.is_guest or reader.bot_strength or writer.bot_strength:
        raise AccountRefused("cannot_write", name=reader.username)
    between = Q(user=writer, blocked=reader) | Q(user=reader, blocked=writer)
    blocks = set(Block.objects.filter(between).values_list("user_id", flat=True))
    if blocks:
        code = "writes_to_blocked" if writer.pk in blocks else "block_between"
        raise AccountRefused(code, name=reader.username)
    if writer.is_bot and find_closed_to_bots([reader]):
        raise AccountRefused("bot_writes", name=reader.username)


def count_strangers(writer: User, *, now: datetime) -> int:
    """Return to how many strangers the user has written in the last 24 hours."""
    since = now - timedelta(days=1)
    return Message.objects.filter(writer=writer, is_to_stranger=True, written_at__gt=since).count()


def _check_text(text: str) -> None:
    if not text.strip():
        raise AccountRefused("no_message")
    if len(text) > MESSAGE_LENGTH:
        raise AccountRefused("text_too_long", length=len(text), most=MESSAGE_LENGTH)
    if text.count("\n") >= MOST_ROWS:
        raise AccountRefused("too_many_rows", most=MOST_ROWS)


def _is_to_stranger(writer: User, reader: User) -> bool:
    between = Q(writer=writer, reader=reader) | Q(writer=reader, reader=writer)
    return not Message.objects.filter(between).exists() and not have_met(writer, reader)


def _notify_reader(message: Message, *, mage: str, named: str, now: datetime) -> None:
    writer = message.writer
    first = None if mage else list_mages_of(writer).first()
    facts = {
        "user": writer.username,
        "mage": first.name if first else mage,
        "named": [named] if named else [],
        "text": message.text,
        "message": message.pk,
        "turn_of": [message.battle, message.turn] if message.battle else [],
    }
    key = f"message:{message.pk}:{message.reader_id}"
    message.notice = write_notice(key=key, user=message.reader, kind="message", facts=facts, about=[writer.pk], now=now)
    message.save(update_fields=["notice"])


def mark_read(*, reader: User, writer: User, up_to: int) -> int:
    """Note that the reader has read these messages, up to the one with this id; return how many were new."""
    unread = Message.objects.filter(reader=reader, writer=writer, is_unread=True, pk__lte=up_to)
    notices = list(unread.exclude(notice=None).values_list("notice", flat=True))
    count = unread.update(is_unread=False)
    if notices:
        mark_news_seen(user=reader, lines=notices)
    return count


def delete_thread(*, user: User, other: User, up_to: int) -> None:
    """Delete the messages between both for `user`, up to the one with this id: the newest that they saw. Those that
    `other` has deleted too are gone."""
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk__in=(user.pk, other.pk)).order_by("pk"))
        _let_go(user, Message.objects.filter(Q(writer=other) | Q(reader=other), pk__lte=up_to))


def leave_threads(*, user: User) -> None:
    """Delete all messages for a user who closes their account. The others keep what it wrote. Must run in a
    transaction."""
    _let_go(user, Message.objects.all())


def _let_go(user: User, messages: QuerySet[Message]) -> None:
    # If both sides delete at the same moment, the second waits and sees what the first no longer keeps.
    mine = messages.filter(Q(writer=user) | Q(reader=user))
    list(mine.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    wrote, got = messages.filter(writer=user), messages.filter(reader=user)
    Notice.objects.filter(message__in=got).delete()
    wrote.filter(is_kept_by_reader=False).delete()
    wrote.update(is_kept_by_writer=False)
    got.filter(is_kept_by_writer=False).delete()
    got.update(is_kept_by_reader=False, is_unread=False)
