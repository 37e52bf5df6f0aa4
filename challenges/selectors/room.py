"""The lobby's room as one reader sees it, and who may write in it. Every line that leaves the site passes here."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Block, User
from accounts.selectors.hold import read_hold
from accounts.selectors.ties import find_users_apart_from, list_blocked_by, list_users_blocking
from accounts.selectors.users import has_confirmed_address
from challenges.errors import RoomRefused
from challenges.models import RoomLine, RoomMute
from duels.models import Combatant
from duels.selectors.viewer import MaybeUser
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

MOST_SHOWN = 50


@dataclass(frozen=True)
class ShownRoomLine:
    """A line as a reader sees it. `removed`: by a janitor; the text says so then."""

    pk: int
    writer: User
    text: str
    at: datetime
    via: str
    mine: bool
    removed: bool

    @property
    def key(self) -> int:
        return self.pk


@dataclass(frozen=True)
class ShownRoom:
    """What one reader sees and may do in the room.

    `refusal` says why they cannot write; "" if they can. `is_more`: there are older lines. `is_some_hidden`: they don't
    see lines of users whom they block.
    """

    lines: tuple[ShownRoomLine, ...]
    refusal: str
    is_more: bool
    is_some_hidden: bool


def read_room(*, reader: MaybeUser, now: datetime, before: int | None = None) -> ShownRoom:
    """Return the last lines of the room, or those before line `before`, as `reader` may see them."""
    user = reader if isinstance(reader, User) and reader.is_active else None
    lines = list_lines_for(user)
    if before is not None:
        lines = lines.filter(pk__lt=before)
    rows = list(lines.order_by("-pk")[: MOST_SHOWN + 1])
    return ShownRoom(
        lines=tuple(show_line(row, user) for row in reversed(rows[:MOST_SHOWN])),
        refusal=str(explain_no_line(user, now) or ""),
        is_more=len(rows) > MOST_SHOWN,
        is_some_hidden=user is not None and _list_shown().filter(_is_hidden_from(user)).exists(),
    )


def find_line_for(*, pk: int, reader: MaybeUser) -> RoomLine | None:
    """Return a line that the reader may see and nobody has removed; None if there is none."""
    user = reader if isinstance(reader, User) else None
    return list_lines_for(user).filter(pk=pk, removed_at=None).first()


def list_lines_for(reader: User | None) -> QuerySet[RoomLine]:
    """Return the lines that `reader` sees, with their writers: lines of users they block are hidden from them, and
    lines that their writers removed from everyone."""
    lines = _list_shown().select_related("writer")
    return lines if reader is None else lines.exclude(_is_hidden_from(reader))


def list_lines_to_mail(*, keys: Collection[int], reader: User) -> list[RoomLine]:
    """Return which of these lines an email to `reader` may contain, earliest first: none that is removed, and none
    across a block in either direction."""
    lines = RoomLine.objects.filter(pk__in=keys, removed_at=None, writer__is_active=True).select_related("writer")
    return list(lines.exclude(writer__in=find_users_apart_from([reader.pk])).order_by("pk"))


def list_pairs_apart(writers: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of one of these writers and a user where one blocks the other."""
    blocks = Block.objects.filter(Q(user__in=writers) | Q(blocked__in=writers))
    return {frozenset(pair) for pair in blocks.values_list("user_id", "blocked_id")}


def show_line(row: RoomLine, reader: User | None) -> ShownRoomLine:
    return ShownRoomLine(
        pk=row.pk,
        writer=row.writer,
        text=row.text if row.removed_at is None else _("A janitor removed this line."),
        at=row.written_at,
        via=row.via,
        mine=reader is not None and row.writer_id == reader.pk,
        removed=row.removed_at is not None,
    )


def list_room_lines_by(writer: User) -> QuerySet[RoomLine]:
    """Return all lines by `writer`, earliest first; removed ones too."""
    return RoomLine.objects.filter(writer=writer).order_by("pk")


def list_deaf_ids(writer: User) -> list[int]:
    """Return the ids of the users who don't see the lines of `writer`."""
    return sorted(list_users_blocking(writer).values_list("pk", flat=True))


def explain_no_line(writer: User | None, now: datetime) -> RoomRefused | None:
    """Return why `writer` cannot write in the room, or None."""
    if writer is None:
        return RoomRefused("anonymous")
    if writer.is_guest or writer.is_bot:
        return RoomRefused("guest" if writer.is_guest else "bot")
    hold = read_hold(writer, now)
    if hold is not None:
        return RoomRefused("held", hold=hold.say())
    mute = find_room_mute(writer, now=now)
    if mute is not None:
        return RoomRefused("muted", until=write_moment(mute.ends_at, zone_of(writer)), reason=mute.reason)
    if not has_confirmed_address(writer):
        return RoomRefused("unconfirmed")
    if not Combatant.objects.filter(mage__user=writer, battle__status="finished").exists():
        return RoomRefused("no_battle")
    return None


def find_room_mute(user: User, *, now: datetime) -> RoomMute | None:
    """Return the janitor's decision that keeps this user from writing in the room for longest, or None."""
    return RoomMute.objects.filter(user=user, ends_at__gt=now).order_by("-ends_at").first()


def list_room_mutes_of(user: User) -> QuerySet[RoomMute]:
    """Return all decisions about this user, also those that are over, earliest first."""
    return RoomMute.objects.filter(user=user).order_by("pk")


def list_removable_lines_by(writer: User) -> QuerySet[RoomLine]:
    """Return the lines by `writer` that everyone can still read, latest first."""
    return RoomLine.objects.filter(writer=writer, removed_at=None).order_by("-pk")


def _list_shown() -> QuerySet[RoomLine]:
    return RoomLine.objects.exclude(removed_at__isnull=False, removed_by=F("writer"))


def _is_hidden_from(reader: User) -> Q:
    """Return the condition for lines of users whom `reader` blocks. The other way round nothing is hidden: everyone may
    read the room without logging in."""
    return Q(writer__in=list_blocked_by(reader).values("pk"))
