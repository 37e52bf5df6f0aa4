"""Reading the messages between users. All of them between two users are a thread."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from accounts.models import Block, Message, User
from notifications.selectors.notices import find_choices


@dataclass(frozen=True)
class Thread:
    """A thread in a user's inbox: with whom, its newest message, and how many are unread."""

    other: User
    last: Message
    unread: int


def list_messages_of(user: User) -> QuerySet[Message]:
    """Return the messages that `user` wrote or got and has not deleted, the newest first."""
    kept = Q(writer=user, is_kept_by_writer=True) | Q(reader=user, is_kept_by_reader=True)
    return Message.objects.filter(kept).order_by("-pk")


def list_messages_between(user: User, other: User) -> QuerySet[Message]:
    """Return the messages between both that `user` has not deleted, the newest first."""
    return list_messages_of(user).filter(Q(writer=other) | Q(reader=other))


def list_threads(user: User, *, limit: int, before: int = 0) -> list[Thread]:
    """Return the threads of `user`, those with the newest messages first; with `before`, only those whose newest
    message is older than that one (its id)."""
    other = Case(When(writer=user, then=F("reader")), default=F("writer"))
    unread = Count("pk", filter=Q(reader=user, is_unread=True))
    threads = (
        list_messages_of(user).order_by().annotate(other=other).values("other").annotate(last=Max("pk"), unread=unread)
    )
    if before:
        threads = threads.filter(last__lt=before)
    rows = list(threads.order_by("-last")[:limit])
    last = Message.objects.in_bulk([row["last"] for row in rows])
    users = User.objects.in_bulk([row["other"] for row in rows])
    return [Thread(users[row["other"]], last[row["last"]], row["unread"]) for row in rows]


def count_unread_messages(user: int) -> Coalesce:
    """Return how many messages `user` (their id) has not read, as a part of a query: without those from users whom
    they block, whose threads are not listed."""
    blocked = Block.objects.filter(user=user, blocked=OuterRef("writer"))
    unread = Message.objects.filter(~Exists(blocked), reader=user, is_unread=True).order_by()
    return Coalesce(Subquery(unread.values("reader").annotate(messages=Count("pk")).values("messages")), 0)


def find_closed_to_bots(users: Iterable[User]) -> frozenset[User]:
    """Return the people among these users who have not allowed bots to write to them."""
    people = {user.pk: user for user in users if not user.is_bot}
    return frozenset(people[pk] for pk, choice in find_choices(people, "bots_write").items() if choice != "yes")
