"""Private notes on users and battles."""

from datetime import datetime

from django.db import transaction

from accounts.errors import AccountRefused
from accounts.models import PrivateNote, User
from accounts.models.private_note import PRIVATE_NOTE_LENGTH
from operations.text.invisible_characters import mark_hidden

MOST_NOTES = 1000


def write_private_note(
    *, writer: User, text: str, now: datetime, about_user: User | None = None, about_battle: int | None = None
) -> None:
    """Save `writer`'s note on one user or one battle; "" deletes it. Raises AccountRefused."""
    text = mark_hidden("\n".join(text.splitlines()).strip())
    if len(text) > PRIVATE_NOTE_LENGTH:
        raise AccountRefused("text_too_long", length=len(text), most=PRIVATE_NOTE_LENGTH)
    about = {"about_user": about_user, "about_battle": about_battle}
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=writer.pk)
        notes = PrivateNote.objects.filter(writer=writer)
        if not text:
            notes.filter(**about).delete()
            return
        if not notes.filter(**about).update(text=text, written_at=now):
            if notes.count() >= MOST_NOTES:
                raise AccountRefused("too_many_notes", most=MOST_NOTES)
            PrivateNote.objects.create(writer=writer, text=text, written_at=now, **about)
