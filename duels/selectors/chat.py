"""Access to the chat beside a battle. Every line that leaves the site goes through here."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Block, User
from accounts.selectors.hold import read_hold
from accounts.selectors.ties import list_blocked_by, list_users_blocking
from duels.errors import CannotChat
from duels.models import Battle, ChatLine, ChatMute
from duels.names import listed
from duels.phrases import list_offered_phrases
from duels.selectors.battle_rows import read_combatants
from duels.selectors.viewer import MaybeUser, find_battle
from duels.terms import Terms

MOST_SHOWN = 100
# How long after the end people can still write.
OPEN_AFTER_END = timedelta(days=30)
PLAYERS, SPECTATORS = ChatLine.Room.PLAYERS, ChatLine.Room.SPECTATORS


@dataclass(frozen=True)
class ShownLine:
    """A line as its reader sees it; `name` is the writer's mage in the battle, or their user name.

    `phrase`: the key of a quick phrase; `text` says it in the reader's language. `removed`: by a janitor; the text
    says so then. `has_left`: the writer's account is closed.
    """

    pk: int
    room: str
    user: str
    name: str
    text: str
    at: datetime
    mine: bool
    phrase: str = ""
    removed: bool = False
    has_left: bool = False


@dataclass(frozen=True)
class ShownChat:
    """What one reader sees and may do beside a battle.

    `room` is where they write. `refusal` says why they cannot write; "" if they can. `is_more`:
    there are older lines. `is_some_hidden`: they don't see lines of users whom they block or have muted. `apart`: the
    mages of the other players with a block between them and the reader, if they play. `phrases`: the quick phrases they
    are offered, as (key, text).
    """

    battle: Battle
    room: str
    lines: tuple[ShownLine, ...]
    refusal: str
    is_more: bool
    is_some_hidden: bool
    muted: tuple[str, ...]
    apart: tuple[str, ...]
    phrases: tuple[tuple[str, str], ...] = ()

    @property
    def block_words(self) -> str:
        """Return that there is a block between the reader and other players; "" if there is none."""
        if not self.apart:
            return ""
        words = _("There is a block between you and %(names)s. The user who blocks does not see the other's lines.")
        return words % {"names": listed(self.apart)}


def get_chat_for_reader(*, number: int, user: MaybeUser, now: datetime, before: int | None = None) -> ShownChat:
    """Return the chat of battle `number` as `user` may read it: the last lines, or those before line `before`.

    Raises BattleNotFound.
    """
    battle = find_battle(number=number)
    reader = user if isinstance(user, User) and user.is_active else None
    mages = _name_players(battle)
    room = room_of(battle, reader, mages)
    rooms = (PLAYERS, SPECTATORS) if battle.is_over else (room,)
    lines = _list_lines(battle, reader, rooms)
    if before is not None:
        lines = lines.filter(pk__lt=before)
    rows = list(lines.order_by("-pk")[: MOST_SHOWN + 1])
    refusal = explain_closed_chat(battle, reader, now, mages)
    return ShownChat(
        battle=battle,
        room=room,
        lines=tuple(_show(row, reader, mages) for row in reversed(rows[:MOST_SHOWN])),
        refusal=str(refusal or ""),
        is_more=len(rows) > MOST_SHOWN,
        is_some_hidden=reader is not None and _written_in(battle, rooms).filter(_is_hidden_from(reader)).exists(),
        muted=_list_muted(reader),
        apart=_list_apart(reader, mages),
        phrases=() if refusal else tuple(list_offered_phrases(is_over=battle.is_over)),
    )


def find_line_for_reader(*, pk: int, user: User) -> ChatLine | None:
    """Return a line that `user` may read, for a report; None if there is none."""
    line = ChatLine.objects.select_related("battle", "user").filter(pk=pk, removed_at=None).first()
    if line is None:
        return None
    may_read = line.battle.is_over or line.room == room_of(line.battle, user, _name_players(line.battle))
    return line if may_read else None


def list_lines_for_player(*, battle: int, user: User, since: datetime, until: datetime) -> tuple[ShownLine, ...]:
    """Return the lines of the other players of battle number `battle` between two moments, as its player `user` may
    read them."""
    spoken = ChatLine.objects.filter(
        battle__number=battle, room=PLAYERS, created_at__gt=since, created_at__lte=until, removed_at=None
    ).exclude(user=user)
    if not spoken.exists():  # as nearly always
        return ()
    fought = find_battle(number=battle)
    mages = _name_players(fought)
    if user.pk not in mages:
        return ()
    rows = _list_lines(fought, user, (PLAYERS,)).filter(pk__in=spoken.values("pk")).order_by("pk")[:MOST_SHOWN]
    return tuple(_show(row, user, mages) for row in rows)


def find_last_line_of_player(*, battle: int, writer: User, reader: User | None) -> ChatLine | None:
    """Return the last line that `writer`, a player, wrote to the players of a battle while it ran, as `reader` may read
    it once it is over; None while it runs."""
    written = ChatLine.objects.filter(
        battle__number=battle,
        battle__finished_at__isnull=False,
        created_at__lte=F("battle__finished_at"),
        room=PLAYERS,
        user=writer,
        removed_at=None,
    )
    heard = written if reader is None else written.exclude(_is_hidden_from(reader))
    return heard.order_by("-pk").first()


def room_of(battle: Battle, user: User | None, mages: dict[int, str] | None = None) -> ChatLine.Room:
    """Return the room in which this user writes, and reads while the battle runs."""
    players = _name_players(battle) if mages is None else mages
    return PLAYERS if user is not None and user.pk in players else SPECTATORS


def list_player_ids(battle: Battle) -> list[int]:
    return sorted(_name_players(battle))


def list_deaf_ids(writer: User) -> list[int]:
    """Return the ids of the users who don't see the lines of `writer`."""
    deaf = User.objects.filter(Q(chat_mutes__muted=writer) | Q(pk__in=list_users_blocking(writer)))
    return sorted(set(deaf.values_list("pk", flat=True)))


def explain_closed_chat(
    battle: Battle, user: User | None, now: datetime, mages: dict[int, str] | None = None
) -> CannotChat | None:
    """Return why `user` cannot write beside the battle, or None."""
    if user is None:
        return CannotChat("anonymous")
    if user.is_guest:
        return CannotChat("guest")
    if user.is_bot:
        return CannotChat("bot")
    hold = read_hold(user, now)
    if hold is not None:
        return CannotChat("held", hold=hold.say())
    if battle.finished_at is not None and now > battle.finished_at + OPEN_AFTER_END:
        return CannotChat("chat_closed")
    terms = Terms.from_json(battle.terms)
    if not terms.chat and room_of(battle, user, mages) == PLAYERS:
        if terms.stake.is_event:  # there is a block between its players
            return CannotChat("no_talking_ever")
        if not battle.is_over:
            return CannotChat("no_talking")
    return None


def _name_players(battle: Battle) -> dict[int, str]:
    """Return the first mage of each player by the player's id."""
    names: dict[int, str] = {}
    for combatant in read_combatants(battle):
        names.setdefault(combatant.mage.user_id, combatant.mage.name)
    return names


def _list_lines(battle: Battle, reader: User | None, rooms: tuple[ChatLine.Room, ...]) -> QuerySet[ChatLine]:
    lines = _written_in(battle, rooms).select_related("user")
    return lines if reader is None else lines.exclude(_is_hidden_from(reader))


def _written_in(battle: Battle, rooms: tuple[ChatLine.Room, ...]) -> QuerySet[ChatLine]:
    return ChatLine.objects.filter(battle=battle, room__in=rooms)


def _is_hidden_from(reader: User) -> Q:
    """Return the condition for lines of users whom `reader` blocks or has muted. A user who is blocked still sees the
    lines of the one who blocks them: spectators can read them without logging in, and nothing vanishes."""
    muted = ChatMute.objects.filter(user=reader).values("muted")
    return Q(user__in=muted) | Q(user__in=list_blocked_by(reader).values("pk"))


def _list_muted(reader: User | None) -> tuple[str, ...]:
    if reader is None:
        return ()
    muted = User.objects.filter(muted_by__user=reader, is_active=True)
    return tuple(muted.order_by("username").values_list("username", flat=True))


def _list_apart(reader: User | None, mages: dict[int, str]) -> tuple[str, ...]:
    if reader is None or reader.pk not in mages:
        return ()
    blocks = Block.objects.filter(Q(user=reader, blocked__in=mages) | Q(blocked=reader, user__in=mages))
    others = {pk for pair in blocks.values_list("user_id", "blocked_id") for pk in pair} - {reader.pk}
    return tuple(sorted(mages[pk] for pk in others))


def _show(row: ChatLine, reader: User | None, mages: dict[int, str]) -> ShownLine:
    return ShownLine(
        pk=row.pk,
        room=row.room,
        user=str(row.user),
        name=mages.get(row.user_id, str(row.user)),
        text=row.words if row.removed_at is None else _("A janitor removed this line."),
        at=row.created_at,
        mine=reader is not None and row.user_id == reader.pk,
        phrase=row.phrase if row.removed_at is None else "",
        removed=row.removed_at is not None,
        has_left=not row.user.is_active,
    )
