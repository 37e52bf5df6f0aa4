"""Reading private notes: always those of one writer."""

from django.db.models import QuerySet

from accounts.models import PrivateNote, User


def find_private_note(writer: User, *, about_user: User | None = None, about_battle: int | None = None) -> str:
    """Return what `writer` has noted on a user or a battle; "" for nothing."""
    note = PrivateNote.objects.filter(writer=writer, about_user=about_user, about_battle=about_battle).first()
    return note.text if note else ""


def list_private_notes_by(writer: User) -> QuerySet[PrivateNote]:
    """Return all private notes by `writer` with the users they are about, oldest first."""
    return PrivateNote.objects.filter(writer=writer).select_related("about_user").order_by("pk")
