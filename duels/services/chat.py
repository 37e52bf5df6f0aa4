"""Writing in the chat beside a battle, and muting other users."""

from datetime import datetime
from hashlib import blake2b

from django.db import IntegrityError, transaction

from accounts.models import User
from duels.errors import CannotChat
from duels.models import Battle, ChatLine, ChatMute
from duels.models.chat import LINE_LENGTH
from duels.phrases import PHRASES
from duels.selectors.chat import explain_closed_chat, list_deaf_ids, list_player_ids, room_of
from duels.wakeups import wake_chat_on_commit
from operations.errors import TooManyAttempts
from operations.text.invisible_characters import mark_line
from operations.web.throttle import Throttle

PER_MINUTE = Throttle("chat", limit=10, seconds=60)
PER_DAY = Throttle("chat.day", limit=300, seconds=24 * 3600)


def write_chat_line(
    *, battle: Battle, user: User, text: str = "", phrase: str = "", once: str, now: datetime
) -> ChatLine:
    """Write one line into the room that is `user`'s, a text or a quick phrase by its key, and wake the pages of those
    who read it.

    A second call with the same `once` and words returns the existing line. Raises CannotChat.
    """
    text = mark_line(text)
    # A form whose response was lost may be sent again with other words.
    once = blake2b(f"{once} {text}{phrase and f' {phrase}'}".encode(), digest_size=8).hexdigest()
    known = ChatLine.objects.filter(battle=battle, user=user, once=once).first()
    if known is not None:
        return known
    refusal = explain_closed_chat(battle, user, now)
    if phrase and (text or phrase not in PHRASES):
        refusal = refusal or CannotChat("no_such_phrase", choices=", ".join(PHRASES))
    elif not text and not phrase:
        refusal = refusal or CannotChat("no_text")
    elif len(text) > LINE_LENGTH:
        refusal = refusal or CannotChat("line_too_long", most=LINE_LENGTH)
    if refusal:
        raise refusal
    try:
        PER_MINUTE.check(str(user.pk))
        PER_DAY.check(str(user.pk))
    except TooManyAttempts as error:
        raise CannotChat("too_fast") from error
    room = room_of(battle, user)
    try:
        with transaction.atomic():
            line = ChatLine.objects.create(
                battle=battle, user=user, room=room, text=text, phrase=phrase, once=once, created_at=now
            )
            wake_readers(line=line)
    except IntegrityError:  # the same click, from another worker
        return ChatLine.objects.get(battle=battle, user=user, once=once)
    PER_MINUTE.count(str(user.pk))
    PER_DAY.count(str(user.pk))
    return line


def remove_chat_line(*, line: ChatLine, now: datetime) -> bool:
    """Hide the text of this line from everyone; return whether it was still shown."""
    removed = ChatLine.objects.filter(pk=line.pk, removed_at=None).update(removed_at=now)
    wake_readers(line=line)
    return removed > 0


def wake_readers(*, line: ChatLine) -> None:
    """Have the pages of those who may read this line fetch the chat again, when the current transaction commits."""
    players = None if line.battle.is_over else tuple(list_player_ids(line.battle))
    wake_chat_on_commit(line.battle.number, room=line.room, players=players, deaf=list_deaf_ids(line.user))


def mute_in_chat(*, user: User, muted: User, now: datetime) -> None:
    """Hide the chat lines of `muted` from `user`. Doing it twice changes nothing; users cannot mute themselves."""
    if user.pk != muted.pk:
        ChatMute.objects.get_or_create(user=user, muted=muted, defaults={"created_at": now})


def unmute_in_chat(*, user: User, muted: User) -> bool:
    """Show them again; return whether they were hidden."""
    return ChatMute.objects.filter(user=user, muted=muted).delete()[0] > 0
