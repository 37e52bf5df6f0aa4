"""Life on the demonstration's mountain: its people, what they fought, and what waits for those who log in."""

import datetime
import random
from collections.abc import Iterable

from django.db import transaction

from accounts.models import Follow, Mage, ObituaryLine, User
from accounts.services.hosts import mark_host, offer_to_host
from accounts.services.mages import register_mage
from accounts.services.messages import mark_read, send_message
from accounts.services.users import create_user
from challenges.models import RoomLine
from challenges.services.create import create_challenge
from duels.models import Battle, ChatLine
from duels.selectors.chat import room_of
from duels.terms import Terms
from fm_site.demonstration.cast import (
    ABOUT,
    CHAT,
    FINISHED,
    FOLLOWS,
    MESSAGES,
    MORE_MAGES,
    OBITUARIES,
    PEOPLE,
    PUZZLES,
    ROOM,
    RUNNING,
    SEEKS,
    SKILLS,
    Fought,
    Person,
)
from fm_site.demonstration.cast import Mage as CastMage
from fm_site.demonstration.cups import load_cups
from fm_site.demonstration.league_season import load_season
from fm_site.demonstration.people import write_address
from fm_site.demonstration.records import read_texts
from ladder.models import CountDue
from ladder.rating import KINDS
from ladder.services.rate_battles import rate_battles
from notifications.models import Notice
from studies.models import Puzzle
from studies.recording import read_recorded
from studies.selectors.puzzles import find_daily_puzzle
from studies.services.ladder_records import record_battle
from studies.services.progress import record_puzzle_try
from studies.services.recorded_battles import (
    RecordedBattle,
    count_recorded_battle,
    go_on_with_recorded_battle,
    write_recorded_battles,
)

DAY, HOUR = datetime.timedelta(days=1), datetime.timedelta(hours=1)
# Results that are younger are news, and those that are older than this have been read.
NEWS, READ = 9 * DAY, 2 * DAY
# So many of the latest battles are recorded before the first page; the worker records the others within half a minute.
RECORDED_AT_ONCE = 12


def has_life() -> bool:
    return User.objects.filter(email=write_address(PEOPLE[0].name)).exists()


@transaction.atomic
def load_life(*, now: datetime.datetime) -> bool:
    """Let the demonstration's people live on the mountain, all or nothing; return whether they didn't yet.

    Call it after `load_demonstration`, and after the puzzles have been added. Does nothing if those who can log in have
    lost a mage that fought. Raises NameTaken if another user has one of the names.
    """
    own = Mage.objects.filter(name__in=SKILLS, user__email__in=_list_addresses())
    if has_life() or own.count() < len(SKILLS):
        return False
    _create_people(now)
    users = {user.username: user for user in User.objects.filter(email__in=_list_addresses())}
    mages = {mage.name: mage for mage in Mage.objects.filter(user__in=users.values()).select_related("user")}
    Follow.objects.bulk_create(
        Follow(user=users[user], followed=users[followed], created_at=now - 60 * DAY) for user, followed in FOLLOWS
    )
    battles = {fought.key: _make_recorded(fought, now) for fought in (*FINISHED, *RUNNING)}
    written = dict(zip(battles, write_recorded_battles(battles=battles.values(), mages=mages), strict=True))
    for fought in sorted(FINISHED, key=lambda each: -each.days):
        count_recorded_battle(written=written[fought.key], is_news=fought.days * DAY < NEWS)
    load_season(mages=mages, now=now)
    _rate_and_record(now)
    load_cups(mages=mages, now=now)
    for fought in RUNNING:
        go_on_with_recorded_battle(written=written[fought.key], missing=fought.missing)
    for seek in SEEKS:
        terms = Terms(ruleset=seek.ruleset, pace=seek.pace, stakes=seek.stakes)
        at = now - seek.hours * HOUR
        create_challenge(
            challenger=mages[seek.mage], terms=terms, open_to_all=True, limit=2, comment=seek.comment, now=at
        )
    _talk(users, mages, {key: each.battle for key, each in written.items()}, now)
    for writer, reader, text, hours in MESSAGES:
        at = now - hours * HOUR
        message = send_message(writer=users[writer], reader=users[reader], text=text, once="demonstration", now=at)
        if hours * HOUR > DAY:
            mark_read(reader=users[reader], writer=users[writer], up_to=message.pk)
    for name, days, fails in PUZZLES:
        _try_puzzles(users[name], days, fails, now)
    _be_active(now)
    return True


def _make_recorded(fought: Fought, now: datetime.datetime) -> RecordedBattle:
    end = now - fought.days * DAY
    record = read_recorded(read_texts()[fought.key])
    return RecordedBattle(record, fought.stakes, fought.pace, end - fought.hours * HOUR, end, fought.turns)


def _list_addresses() -> list[str]:
    return [write_address(name) for name in (*MORE_MAGES, *(person.name for person in PEOPLE))]


def _create_people(now: datetime.datetime) -> None:
    for person in PEOPLE:
        _create_person(person, now)
    for name, mages in MORE_MAGES.items():
        user = User.objects.get(email=write_address(name))
        User.objects.filter(pk=user.pk).update(about=ABOUT[name], created_at=now - 100 * DAY)
        Mage.objects.filter(user=user).update(created_at=now - 95 * DAY)
        _register(user, mages, now)


def _create_person(person: Person, now: datetime.datetime) -> None:
    """Create a user who has no password and gets no email: the address only marks them (User.is_demonstration)."""
    first = now - max(mage.days for mage in person.mages) * DAY
    user = create_user(name=person.name, now=first)
    User.objects.filter(pk=user.pk).update(email=write_address(person.name), about=person.about)
    _register(user, person.mages, now)
    if person.is_host:
        offer_to_host(user=user, now=now)
        mark_host(user=user, now=now)


def _register(user: User, mages: Iterable[CastMage], now: datetime.datetime) -> None:
    for each in mages:
        mage = register_mage(user=user, name=each.name, now=now - each.days * DAY)
        if each.is_retired:
            Mage.objects.filter(pk=mage.pk).update(retired_at=now - 30 * DAY)


def _rate_and_record(now: datetime.datetime) -> None:
    for kind in KINDS:
        rate_battles(kind=kind)
    for number, times in list(CountDue.objects.order_by("-battle").values_list("battle", "times")[:RECORDED_AT_ONCE]):
        record_battle(number=number, times=times, now=now)
    Notice.objects.filter(created_at__lt=now - READ, is_unseen=True).update(is_unseen=False)


def _talk(users: dict[str, User], mages: dict[str, Mage], battles: dict[str, Battle], now: datetime.datetime) -> None:
    """Write what people said. The throttles of the services are for people, so these are rows."""
    dead = Mage.objects.filter(died_at__isnull=False)
    died = {mage.name: mage.died_at or now for mage in dead}
    ObituaryLine.objects.bulk_create(
        ObituaryLine(mage=mages[mage], writer=users[writer], text=text, written_at=min(died[mage] + hours * HOUR, now))
        for mage, writer, text, hours in OBITUARIES
    )
    ChatLine.objects.bulk_create(
        ChatLine(
            battle=battles[key],
            user=users[writer],
            room=room_of(battles[key], users[writer]),
            text=text,
            once=f"demo{place}",
            created_at=now - hours * HOUR,
        )
        for place, (key, writer, text, hours) in enumerate(CHAT)
    )
    RoomLine.objects.bulk_create(
        RoomLine(writer=users[writer], text=text, once=f"demo{place}", written_at=now - hours * HOUR)
        for place, (writer, text, hours) in enumerate(ROOM)
    )


def _try_puzzles(user: User, days: int, fails: int, now: datetime.datetime) -> None:
    """Let the user try the puzzles of the last days, but not today's."""
    for ago in range(days, 0, -1):
        at = now - ago * DAY
        puzzle: Puzzle | None = find_daily_puzzle(today=at.astimezone(datetime.UTC).date())
        if puzzle is not None:
            record_puzzle_try(user=user, puzzle=puzzle, solved=ago % fails != 0, now=at)


def _be_active(now: datetime.datetime) -> None:
    """Everyone was there lately, at a moment of their own."""
    people = list(User.objects.filter(email__in=_list_addresses()))
    for user in people:
        user.last_active_at = now - random.Random(user.username).random() * 30 * HOUR
    User.objects.bulk_update(people, ["last_active_at"])
    mages = list(Mage.objects.filter(user__in=people, died_at=None).select_related("user"))
    for mage in mages:
        mage.last_active_at = next(user.last_active_at for user in people if user.pk == mage.user_id)
    Mage.objects.bulk_update(mages, ["last_active_at"])
