"""The puzzle of the day: users ask to be told of it, and are, once a day of theirs."""

import re

import pytest
from django.urls import reverse

from accounts.models import User
from notifications.models import Delivery, Notice
from notifications.push_texts import make_push
from notifications.selectors.notices import preferences_of
from notifications.services.preferences import set_preference
from studies.models import Puzzle
from studies.selectors.puzzles import find_daily_puzzle
from studies.services.daily_puzzle import ask_for_daily_puzzle, notify_of_daily_puzzle
from studies.services.progress import record_puzzle_try
from studies.services.puzzles import add_committed_puzzles
from tests.scenes import DAY, HOUR, NOW, log_in, make_user
from tests.studies.test_puzzles import fields, solve, written_of

SEVEN = NOW.replace(hour=7, minute=5)


@pytest.fixture
def reader(db: None) -> User:
    add_committed_puzzles()
    Puzzle.objects.update(added_on=(NOW - 9 * DAY).date())
    user = make_user("Newby")
    ask_for_daily_puzzle(user=user)
    return User.objects.get(pk=user.pk)


def test_a_reader_is_told_once_in_the_hours_after_seven_in_their_time_zone(reader: User):
    make_user("Hilda")
    assert notify_of_daily_puzzle(now=SEVEN - HOUR) == 0
    assert [notify_of_daily_puzzle(now=SEVEN + late) for late in (0 * HOUR, 0 * HOUR, HOUR)] == [1, 0, 0]
    assert notify_of_daily_puzzle(now=SEVEN + DAY + 4 * HOUR) == 0
    set_preference(user=reader, key="time_zone", value="America/New_York")
    assert notify_of_daily_puzzle(now=SEVEN + DAY) == 0 and notify_of_daily_puzzle(now=SEVEN + DAY + 5 * HOUR) == 1
    notice = Notice.objects.latest("pk")
    push = make_push(notice)
    assert push is not None and push.path == reverse("studies:puzzle", args=[notice.facts["puzzle"]])
    assert set(Notice.objects.values_list("user", flat=True)) == {reader.pk}


def test_a_reader_who_has_tried_it_today_is_not_told(reader: User):
    puzzle = find_daily_puzzle(today=SEVEN.date())
    assert puzzle is not None
    record_puzzle_try(user=reader, puzzle=puzzle, solved=False, now=SEVEN - HOUR)
    assert notify_of_daily_puzzle(now=SEVEN) == 0


def test_who_has_a_device_is_told_there_and_others_by_email(reader: User):
    assert preferences_of(reader)["mail_daily"] == "yes"
    User.objects.filter(pk=reader.pk).update(has_push=True)
    rings = User.objects.get(pk=reader.pk)
    set_preference(user=rings, key="mail_daily", value="no")
    assert ask_for_daily_puzzle(user=rings) == "push" and preferences_of(rings)["mail_daily"] == "no"
    notify_of_daily_puzzle(now=SEVEN)
    assert [each.channel for each in Delivery.objects.filter(user=reader)] == [Delivery.Channel.PUSH]


def test_one_press_after_a_puzzle_asks_for_it_and_the_next_page_says_so(db: None):
    add_committed_puzzles()
    written = written_of("win")
    puzzle, user = Puzzle.objects.get(key=written["key"]), make_user("Newby")
    client = log_in(user)
    assert "Notify me daily" not in client.get(f"/puzzles/{puzzle.pk}/").text
    solved = solve(client, puzzle, written).text
    action = re.search(r'action="([^"]+)">\s*<button class="button">\s*<svg', solved)
    assert action and "Notify me daily" in solved
    told = client.post(action[1], follow=True)
    assert "we email you each day&#x27;s puzzle" in told.text and told.redirect_chain[0][0] == "/accounts/notices/"
    assert client.post(action[1], headers={"Origin": "https://elsewhere.example"}).status_code == 403
    assert "Notify me daily" not in client.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, written["solutions"][0])).text
