"""Collections of battles and studies: creating, changing and deleting them, and their entries."""

import datetime
import secrets

from django.db import IntegrityError, transaction

from accounts.models import User
from duels.models import Battle
from operations.text.invisible_characters import mark_hidden, mark_line
from studies.errors import NotYourStudy, StudyNotFound, StudyRefused
from studies.models import COMMENT_LENGTH, TITLE_LENGTH, Collection, CollectionEntry, Study
from studies.services.edit_study import lock_study

MOST_COLLECTIONS, MOST_ENTRIES, WORDS_LENGTH = 30, 100, 200


def make_collection(*, owner: User, name: str, now: datetime.datetime) -> Collection:
    """Create a private collection. Raises StudyRefused, also without a name."""
    name = _clean_name(name)
    if Collection.objects.filter(owner=owner).count() >= MOST_COLLECTIONS:
        raise StudyRefused("too_many_collections", count=MOST_COLLECTIONS)
    return Collection.objects.create(slug=secrets.token_urlsafe(12), owner=owner, name=name, created_at=now)


def change_collection(*, collection: Collection, user: User, name: str, words: str, access: str) -> None:
    """Set the name, the description and who can see it. Raises NotYourStudy, and StudyRefused without a name."""
    _require_owner(collection, user)
    collection.name = _clean_name(name)
    collection.words = mark_hidden(words.strip())[:COMMENT_LENGTH]
    if access in Study.Access.values:
        collection.access = access
    changed = {"name": collection.name, "words": collection.words, "access": collection.access}
    Collection.objects.filter(pk=collection.pk).update(**changed)


def delete_collection(*, collection: Collection, user: User) -> None:
    """Delete a collection, but not its entries' battles and studies. Raises NotYourStudy."""
    _require_owner(collection, user)
    with transaction.atomic():
        locked = Collection.objects.select_for_update().filter(pk=collection.pk).first()
        if locked is not None:
            locked.delete()


def add_to_collection(
    *,
    collection: Collection,
    user: User,
    words: str,
    now: datetime.datetime,
    battle: Battle | None = None,
    study: Study | None = None,
) -> None:
    """Add a battle or a study that the user may read, or change its comment. Raises NotYourStudy, StudyRefused, and
    StudyNotFound if the collection or the study was deleted."""
    _require_owner(collection, user)
    about = {"battle": battle} if battle is not None else {"study": study}
    words = mark_line(words)[:WORDS_LENGTH]
    with transaction.atomic():
        locked = Collection.objects.select_for_update().filter(pk=collection.pk).first()
        if locked is None:
            raise StudyNotFound
        if study is not None:
            lock_study(study)
        if CollectionEntry.objects.filter(collection=locked, **about).update(words=words):
            return
        if locked.entries.count() >= MOST_ENTRIES:
            raise StudyRefused("too_many_entries", count=MOST_ENTRIES)
        try:
            with transaction.atomic():
                CollectionEntry.objects.create(collection=locked, words=words, added_at=now, **about)
        except IntegrityError:  # added at the same moment, where rows are not locked
            return


def remove_from_collection(*, collection: Collection, user: User, entry: int) -> None:
    """Remove an entry. Raises NotYourStudy."""
    _require_owner(collection, user)
    collection.entries.filter(pk=entry).delete()


def _clean_name(name: str) -> str:
    name = mark_line(name)[:TITLE_LENGTH]
    if not name:
        raise StudyRefused("no_collection_name")
    return name


def _require_owner(collection: Collection, user: User) -> None:
    if collection.owner_id != user.pk:
        raise NotYourStudy
