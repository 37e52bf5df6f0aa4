"""The lobby: who looks for a duel, who is here, and what they say in its room.

It is read once for everyone, with a number of queries that depends on nothing; what one reader may see of it then needs
none. A reader sees nobody whom they block or who blocks them, so that a page of theirs is the same whether or not those
people are here.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts.models import Block, User
from accounts.selectors.hold import list_suspended
from accounts.selectors.hosts import find_hosts
from challenges.models import RoomLine
from challenges.selectors.lists import list_open_challenges
from challenges.selectors.room import ShownRoomLine, list_lines_for, show_line
from challenges.shown import ShownChallenge
from duels.models import Battle, ChatLine, Combatant
from duels.names import name_battle
from duels.paces import LIVE
from ladder.selectors.ratings import find_ratings
from notifications.selectors.notices import find_choices
from operations.presence import list_people, list_people_by_hour

# Who neither played nor wrote for so long only looks on, and is not shown.
PLAYED_LATELY = timedelta(days=30)
MOST_SEEKS, MOST_HERE, MOST_LINES = 20, 48, 50
# The hours of the day in which most people are here.
BUSY_HOURS = 3

Doing = Literal["fights", "looks", "hosts", ""]


@dataclass(frozen=True)
class Seek:
    """An open challenge of people: its challenger, the challenger's rating, and the users who have joined."""

    challenge: ShownChallenge
    user: User
    rating: int | None
    joined: frozenset[int]

    @property
    def key(self) -> int:
        return self.challenge.number


@dataclass(frozen=True)
class Present:
    """Someone who is here: what they do, and the battle, which everyone may see."""

    user: User
    doing: Doing = ""
    battle: int | None = None
    battle_kind: str = ""

    @property
    def key(self) -> int:
        return self.user.pk

    @property
    def words(self) -> str:
        """What they do, in the language of the moment; "" for nothing."""
        if self.battle is not None:
            return _("in %(battle)s") % {"battle": name_battle(self.battle_kind, self.battle)}
        return {"looks": _("looks for a duel"), "hosts": _("host"), "": ""}[self.doing]


@dataclass(frozen=True)
class ShownLobby:
    """What one reader sees. `own` are the challenges in which they wait themselves. `more_here`: how many more people
    are here than the list shows."""

    seeks: tuple[Seek, ...]
    own: tuple[Seek, ...]
    here: tuple[Present, ...]
    more_here: int
    in_last_hour: int
    lines: tuple[ShownRoomLine, ...]

    @property
    def number_here(self) -> int:
        return len(self.here) + self.more_here


@dataclass(frozen=True)
class Lobby:
    """All that is in the lobby. `recent` are the users who were here within the last hour, `blocks` the pairs (user,
    blocked) in which one of the people named here is."""

    seeks: tuple[Seek, ...] = ()
    here: tuple[Present, ...] = ()
    recent: frozenset[int] = frozenset()
    lines: tuple[RoomLine, ...] = ()
    blocks: frozenset[tuple[int, int]] = frozenset()

    def show_to(self, reader: User | None) -> ShownLobby:
        """Return what this reader may see. Strangers and guests are not even told how many are here: someone who is
        blocked could log out, and count."""
        is_known = reader is not None and not reader.is_guest
        me = reader.pk if reader is not None else None
        apart, deaf = self.apart_from(me), self.blocked_by(me)
        others = [each for each in self.here if is_known and each.key != me and each.key not in apart]
        seeks = [each for each in self.seeks if not each.joined & apart]
        return ShownLobby(
            seeks=tuple(each for each in seeks if me not in each.joined)[:MOST_SEEKS],
            own=tuple(each for each in seeks if me in each.joined),
            here=tuple(others[:MOST_HERE]),
            more_here=max(0, len(others) - MOST_HERE),
            in_last_hour=len(self.recent - apart - {me}) if is_known else 0,
            lines=tuple(show_line(each, reader) for each in self.lines if each.writer_id not in deaf)[-MOST_LINES:],
        )

    def is_alike_for(self, user: int) -> bool:
        """Return whether this user sees what all others see who are here as they are: nothing is hidden from them, and
        the lists don't have to leave them out."""
        return user not in self._named_first and user not in self._apart

    @cached_property
    def _named_first(self) -> frozenset[int]:
        joined = frozenset(user for seek in self.seeks for user in seek.joined)
        return joined.union(each.key for each in self.here[: MOST_HERE + 1])

    def apart_from(self, user: int | None) -> frozenset[int]:
        """Return the people here whom `user` blocks or who block them."""
        return self._apart.get(user, frozenset()) if user is not None else frozenset()

    def blocked_by(self, user: int | None) -> frozenset[int]:
        return frozenset(blocked for blocker, blocked in self.blocks if blocker == user) if user else frozenset()

    @cached_property
    def _apart(self) -> dict[int, frozenset[int]]:
        apart: dict[int, set[int]] = {}
        for one, other in self.blocks:
            apart.setdefault(one, set()).add(other)
            apart.setdefault(other, set()).add(one)
        return {user: frozenset(others) for user, others in apart.items()}


def read_lobby(*, now: datetime, with_people: bool = True) -> Lobby:
    """Return the whole lobby. Show it to nobody: `show_to` says what a reader may see. Without `with_people`, it is for
    someone who is not told who is here."""
    seeks = _list_seeks(now)
    people = list_people() if with_people else {}
    visible = _find_visible(people, now)
    looking = {user for seek in seeks for user in seek.joined}
    here = _describe_all([visible[pk] for pk, is_open in people.items() if is_open and pk in visible], looking)
    lines = tuple(reversed(list_lines_for(None).order_by("-pk")[: MOST_LINES + 1]))
    named = {*visible, *looking, *(line.writer_id for line in lines)}
    blocks = Block.objects.filter(Q(user__in=named) | Q(blocked__in=named)).values_list("user_id", "blocked_id")
    return Lobby(tuple(seeks), here, frozenset(visible), lines, frozenset(blocks))


def describe_today(*, reader: User, zone: ZoneInfo, now: datetime) -> tuple[int, int, int] | None:
    """Return how many other people were here today (in the reader's time zone) whom the reader may see, and the hours
    between which most were here; None if there was nobody."""
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    by_hour = list_people_by_hour(midnight.timestamp())
    everyone = _find_visible({user for users in by_hour.values() for user in users}, now)
    blocks = Block.objects.filter(Q(user=reader) | Q(blocked=reader)).values_list("user_id", "blocked_id")
    seen = frozenset(everyone) - {reader.pk} - {user for pair in blocks for user in pair}
    if not seen:
        return None
    counts = Counter({hour: len(seen & users) for hour, users in by_hour.items()})
    spans = {first: sum(counts[first + offset] for offset in range(BUSY_HOURS)) for first in by_hour}
    busiest = max(spans, key=lambda first: (spans[first], -first))
    starts = datetime.fromtimestamp(busiest * 3600, zone).hour
    return len(seen), starts, (starts + BUSY_HOURS) % 24


def _list_seeks(now: datetime) -> list[Seek]:
    """Return the open challenges of people that others may join, the newest first."""
    rows = [row for row in list_open_challenges(viewer=None) if row.seating.is_open_to_all and not row.is_of_bot]
    rows = [row for row in rows if row.seating.free_seats != 0]
    names = {seat.user for row in rows for seat in row.seating.seats if seat.state == "joined"}
    users = {each.username: each for each in _list_people(User.objects.filter(username__in=names))} if rows else {}
    ratings = find_ratings(users.values(), today=now.date()) if users else {}
    seeks = []
    for row in rows:
        challenger = users.get(row.challenger_user)
        if challenger is not None:
            seated = (seat.user for seat in row.seating.seats if seat.state == "joined")
            joined = {users[name].pk for name in seated if name in users}
            shown = ratings.get((challenger.pk, "duel" if row.seating.is_duel else "melee"))
            seeks.append(Seek(row, challenger, shown.rating if shown else None, frozenset(joined)))
    return sorted(seeks, key=lambda seek: seek.challenge.created_at, reverse=True)


def _list_people(users: "QuerySet[User]") -> list[User]:
    """Return those of the users who may be shown at all: no bots, guests, closed accounts and suspended users."""
    return list(users.filter(is_active=True, is_guest=False, is_bot=False).exclude(pk__in=list_suspended()))


def _find_visible(users: Collection[int], now: datetime) -> dict[int, User]:
    """Return those of the users who are shown as here, by id: they played or wrote lately, and don't hide it."""
    if not users:
        return {}
    since = now - PLAYED_LATELY
    fought = Combatant.objects.filter(mage__user=OuterRef("pk"), mage__last_active_at__gt=since)
    spoke = RoomLine.objects.filter(writer=OuterRef("pk"), written_at__gt=since)
    chatted = ChatLine.objects.filter(user=OuterRef("pk"), created_at__gt=since)
    active = User.objects.filter(Exists(fought) | Exists(spoke) | Exists(chatted), pk__in=list(users))
    hidden = {user for user, choice in find_choices(users, "presence").items() if choice == "no"}
    return {user.pk: user for user in _list_people(active) if user.pk not in hidden}


def is_shown_as_here(user: User, *, now: datetime) -> bool:
    """Return whether the user has a page open and is shown as here, to readers without a block between them."""
    return list_people().get(user.pk, False) and user.pk in _find_visible([user.pk], now)


def _describe_all(users: list[User], looking: Collection[int]) -> tuple[Present, ...]:
    """Return what these people do: who fights live and who looks for a duel first, then the hosts, then all others."""
    fighting = _find_live_battles([user.pk for user in users])
    order: Mapping[str, int] = {"looks": 0, "hosts": 1, "fights": 2, "": 3}
    hosts = find_hosts(user.pk for user in users)
    here = [_describe(user, fighting, looking, hosts) for user in users]
    return tuple(sorted(here, key=lambda each: (order[each.doing], each.user.username.lower())))


def _describe(user: User, fighting: Mapping[int, Battle], looking: Collection[int], hosts: Collection[int]) -> Present:
    battle = fighting.get(user.pk)
    if battle is not None:
        return Present(user, "fights", battle.number, battle.kind)
    if user.pk in looking:
        return Present(user, "looks")
    return Present(user, "hosts" if user.pk in hosts else "")


def _find_live_battles(users: Collection[int]) -> dict[int, Battle]:
    """Return the running live battle of people that each of these users fights in."""
    if not users:
        return {}
    fighting = Combatant.objects.filter(
        mage__user__in=users,
        standing="in",
        battle__finished_at=None,
        battle__status=Battle.Status.RUNNING,
        battle__company=Battle.Company.PEOPLE,
        battle__practice=False,
        battle__terms__pace__startswith=LIVE,
    )
    rows = fighting.select_related("battle", "mage").defer("battle__state").order_by("battle__number")
    return {row.mage.user_id: row.battle for row in rows}
