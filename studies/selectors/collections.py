"""Collections as each reader may see them: a collection gives no access that its reader would not have without it."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from accounts.models import User
from duels.selectors.viewer import MaybeUser
from studies.errors import StudyNotFound
from studies.models import Collection, CollectionEntry, Study

Access = Study.Access
MOST_LISTED = 50


@dataclass(frozen=True)
class ShownEntry:
    """An entry: its link, title, kind, and the collector's comment."""

    key: int
    url: str
    title: str
    about: str
    words: str


def get_collection_for_reader(*, slug: str, user: MaybeUser) -> Collection:
    """Return a collection of the user's own, or one that is shared. Raises StudyNotFound."""
    collection = Collection.objects.select_related("owner").filter(slug=slug).first()
    if collection is None or (collection.access == Access.PRIVATE and collection.owner_id != getattr(user, "pk", None)):
        raise StudyNotFound
    return collection


def list_collections_of(user: User) -> list[Collection]:
    """Return the user's own collections, the newest first, with their sizes."""
    return list(_sized(user).filter(owner=user)[:MOST_LISTED])


def list_public_collections(user: MaybeUser) -> list[Collection]:
    """Return the newest public collections of others, each with the number of entries that the user sees in it."""
    others = _sized(user).filter(access=Access.PUBLIC)
    return list(others.exclude(owner=user)[:MOST_LISTED] if isinstance(user, User) else others[:MOST_LISTED])


def _sized(user: MaybeUser) -> QuerySet[Collection]:
    # As `_may_read`, in the database.
    is_open = Q(entries__study__battle=None) | Q(entries__study__battle__finished_at__isnull=False)
    readable = Q(entries__battle__isnull=False) | (Q(entries__study__access__in=(Access.LINK, Access.PUBLIC)) & is_open)
    if isinstance(user, User):
        readable |= Q(entries__study__owner=user) & (Q(entries__study__knows_end=False) | is_open)
    # Django leaves out a model's own order where rows are counted.
    counted = Collection.objects.select_related("owner").annotate(size=Count("entries", filter=readable))
    return counted.order_by("-created_at", "-pk")


def list_entries_for_reader(collection: Collection, user: MaybeUser) -> list[ShownEntry]:
    """Return the entries whose battle or study the reader may open. Studies shared by link are included: adding one to
    a shared collection shares its link."""
    entries = collection.entries.select_related("battle", "study__battle", "study__owner")
    return [_row(each) for each in entries if each.study is None or _may_read(each.study, user)]


def _may_read(study: Study, user: MaybeUser) -> bool:
    if study.owner_id == getattr(user, "pk", None):
        return study.is_open_to_owner
    return study.access != Access.PRIVATE and study.is_open


def _row(entry: CollectionEntry) -> ShownEntry:
    if entry.battle is not None:
        return ShownEntry(
            entry.pk, reverse("duels:battle", args=[entry.battle.number]), str(entry.battle), "", entry.words
        )
    study = entry.study
    assert study is not None
    return ShownEntry(entry.pk, reverse("studies:study", args=[study.slug]), str(study), study.about, entry.words)
