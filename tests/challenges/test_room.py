"""The lobby's room: who may write, how often, who reads what, and what stays of it."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache

from accounts.models import User
from accounts.services.leave import close_user
from accounts.services.ties import block_user
from accounts.services.users import create_guest
from challenges.errors import RoomRefused
from challenges.models import ROOM_LINE_LENGTH, RoomLine
from challenges.selectors.room import find_line_for, list_deaf_ids, read_room
from challenges.services.room import KEPT, PER_MINUTE, delete_old_lines, take_down_line, write_line
from duels.models import Battle
from fm_site.pages.export import export_user
from moderation.services.reports import suspend_user
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.races import at_once
from tests.refusals import refused
from tests.scenes import DAY, NOW, make_mage, make_user

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def bare_throttles():
    cache.clear()


@pytest.fixture
def people(db):
    """Two users who may write: they have fought each other, and their addresses are confirmed."""
    return make_writers("Anna", "Boris")


def make_writers(*names):
    users = [make_user(name) for name in names]
    fight = start_fight(*(make_mage(f"{user.username}s", user) for user in users))
    fight.order(f"{names[0]}s", "P/P", confirmed=True)
    for name in names[1:]:
        fight.order(f"{name}s", "D/W")
    assert fight.battle.is_over
    for user in users:
        EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
    return users


def say(writer, text="hello", once="", via=RoomLine.Via.PAGE, now=NOW):
    return write_line(writer=writer, text=text, via=via, once=once or f"once {RoomLine.objects.count()}", now=now)


def texts(reader):
    return [line.text for line in read_room(reader=reader, now=NOW).lines]


def test_people_with_a_confirmed_address_and_a_finished_battle_write_and_all_read(people):
    anna, boris = people
    say(anna, "Anyone for a <b>duel</b>?\u202e\nnow", via=RoomLine.Via.MAIL)
    say(boris, "Me")
    for reader in (anna, boris, None, create_guest(now=NOW)):
        shown = read_room(reader=reader, now=NOW)
        assert [line.text for line in shown.lines] == ["Anyone for a <b>duel</b>?[U+202E] now", "Me"]
        assert [line.mine for line in shown.lines] == [reader == anna, reader == boris]
        assert bool(shown.refusal) == (reader not in people)


def test_all_others_are_refused_and_told_why(people):
    anna, boris = people
    newcomer = make_user("Newcomer")
    with refused("unconfirmed"):
        say(newcomer)
    EmailAddress.objects.create(user=newcomer, email="new@example.org", verified=True, primary=True)
    with refused("no_battle"):
        say(newcomer)
    with refused("guest"):
        say(create_guest(now=NOW))
    with refused("bot"):
        say(User.objects.create(username="Robot", is_bot=True, created_at=NOW, last_active_at=NOW))
    suspend_user(user=boris, by=make_janitor(), reason="Insults.", ends_at=NOW + 3 * DAY, now=NOW)
    with refused("held", match="suspended"):
        say(User.objects.get(pk=boris.pk))
    # A battle that was annulled, or that still runs, is none.
    Battle.objects.update(status=Battle.Status.ANNULLED)
    with refused("no_battle"):
        say(anna)
    assert not RoomLine.objects.exists()


@pytest.mark.parametrize(("text", "code"), [("", "no_text"), (" \n ", "no_text"), ("x" * 281, "line_too_long")])
def test_an_empty_line_and_a_long_one_are_refused_and_never_cut(people, text, code):
    assert ROOM_LINE_LENGTH == 280
    with refused(code):
        say(people[0], text)
    assert say(people[0], "x" * 280).text == "x" * 280


def test_ten_lines_a_minute_whatever_comes_of_them(people):
    anna, boris = people
    for number in range(PER_MINUTE.limit):
        say(anna, f"line {number}", once=str(number))
    with refused("too_fast"):
        say(anna, "one more", once="more")
    # The same line again is no new one, and no problem.
    assert say(anna, "line 0", once="0").text == "line 0"
    assert RoomLine.objects.count() == PER_MINUTE.limit == 10
    say(boris, "others can")


def test_a_line_that_arrives_twice_is_written_once(people):
    anna, boris = people
    assert say(anna, "hello", once="k") == say(anna, " hello ", once="k")
    assert say(anna, "hello again", once="k") != say(boris, "hello", once="k")
    assert texts(None) == ["hello", "hello again", "hello"]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_copies_that_arrive_together_are_one_line(people):
    lines = at_once(*[lambda: say(people[0], "hello", once="k")] * 4)
    assert len({line.pk for line in lines}) == 1 == RoomLine.objects.count()


def test_the_lines_of_people_one_blocks_are_hidden_from_oneself_only(people):
    anna, boris = people
    line = say(boris, "boo")
    block_user(user=anna, blocked=boris, now=NOW)
    say(anna, "hm")
    assert texts(anna) == ["hm"] and read_room(reader=anna, now=NOW).is_some_hidden
    assert texts(boris) == texts(None) == ["boo", "hm"]
    assert find_line_for(pk=line.pk, reader=anna) is None and find_line_for(pk=line.pk, reader=boris) == line
    assert list_deaf_ids(boris) == [anna.pk]


def test_a_removed_line_is_gone_for_everyone_and_only_its_writer_and_janitors_remove_it(people):
    anna, boris = people
    mine, other = say(anna, "oops"), say(boris, "something bad")
    with pytest.raises(RoomRefused):
        take_down_line(line=other, by=anna, now=NOW)
    assert take_down_line(line=mine, by=anna, now=NOW) and not take_down_line(line=mine, by=anna, now=NOW)
    assert texts(boris) == ["something bad"]
    assert take_down_line(line=other, by=make_janitor(), now=NOW)
    assert texts(boris) == texts(anna) == ["A janitor removed this line."]
    assert find_line_for(pk=other.pk, reader=anna) is None


def test_the_room_shows_the_last_lines_and_leads_to_earlier_ones(people):
    RoomLine.objects.bulk_create(
        RoomLine(writer=people[0], text=f"line {n}", once=str(n), written_at=NOW) for n in range(60)
    )
    shown = read_room(reader=None, now=NOW)
    assert len(shown.lines) == 50 and shown.is_more and shown.lines[-1].text == "line 59"
    earlier = read_room(reader=None, now=NOW, before=shown.lines[0].pk)
    assert [line.text for line in earlier.lines] == [f"line {n}" for n in range(10)] and not earlier.is_more


def test_lines_go_with_their_writers_account_and_after_half_a_year(people):
    anna, boris = people
    say(anna, "mine")
    say(boris, "old", now=NOW - KEPT - timedelta(minutes=1))
    exported = export_user(anna, now=NOW)["room_lines"]
    assert [(line["text"], line["via"]) for line in exported] == [("mine", "page")]
    assert delete_old_lines(now=NOW, limit=10) == 1
    assert texts(None) == ["mine"]
    close_user_without_mages(anna)
    assert not RoomLine.objects.exists()


def close_user_without_mages(user):
    user.mages.filter(died_at=None).update(died_at=NOW)
    close_user(user=user, now=NOW)
