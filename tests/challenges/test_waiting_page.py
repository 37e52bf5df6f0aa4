"""The page of someone who waits for an opponent: a link for a friend, and an open duel of another pace."""

import pytest
from django.utils import timezone

from accounts.services.ties import block_user
from challenges.models import Challenge, InviteLink
from moderation.services.reports import suspend_user
from notifications.services.preferences import set_preference
from tests.challenges.test_lobby import make_player, read, seek
from tests.duels.janitors import make_janitor
from tests.scenes import log_in, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
OFFER = "Borism is waiting for a duel at a turn a day."


@pytest.fixture
def waiting():
    """Anna's first mage waits for a live duel, and her second one is free; Boris waits at a turn a day."""
    anna, boris = make_player("Anna"), make_player("Boris")
    mine, theirs = seek(anna, pace="live3"), seek(boris, pace="day")
    make_mage("Annasecond", anna)
    return anna, boris, f"/challenges/{mine.number}/", theirs


def test_a_duel_of_another_pace_is_joined_with_one_press(waiting):
    anna, _boris, address, theirs = waiting
    page = read(anna, address)
    assert OFFER in page and f'action="/challenges/{theirs.number}/accept/"' in page
    terms = page.partition(f'action="/challenges/{theirs.number}/accept/"')[2].partition('name="terms" value="')[2]
    form = {"terms": terms.partition('"')[0], "mage": "Annasecond"}
    answer = log_in(anna).post(f"/challenges/{theirs.number}/accept/", form)
    assert (answer.status_code, answer["Location"]) == (302, f"/battles/{theirs.number}/")
    # The first mage goes on waiting.
    assert OFFER not in read(anna, address) and "Waiting for an opponent" in read(anna, address)


def test_only_who_waits_is_offered_it_and_only_another_pace(waiting):
    anna, boris, address, theirs = waiting
    assert OFFER not in read(make_player("Carl"), address)
    Challenge.objects.filter(number=theirs.number).update(terms=theirs.terms | {"pace": "live3"})
    assert "is waiting for a duel" not in read(anna, address)
    assert "is waiting for a duel" not in read(boris, f"/challenges/{theirs.number}/"), "none of their mages is free"


@pytest.mark.parametrize("why", ["they block her", "she blocks them", "suspended", "not wanted"])
def test_no_duel_is_offered_that_is_kept_silent_elsewhere(waiting, why):
    anna, boris, address, _theirs = waiting
    if why == "suspended":
        suspend_user(user=boris, by=make_janitor("Jane"), reason="Spam.", ends_at=None, now=timezone.now())
    elif why == "not wanted":
        set_preference(user=anna, key="page_seeks", value="no")
    else:
        pair = (boris, anna) if why == "they block her" else (anna, boris)
        block_user(user=pair[0], blocked=pair[1], now=timezone.now())
    page = read(anna, address)
    assert "Waiting for an opponent" in page and "Borism" not in page


def test_a_link_for_a_friend_has_its_own_row_until_there_is_one(waiting):
    anna, _boris, address, _theirs = waiting
    page = read(anna, address)
    assert "Know someone who would play?" in page and page.count("Create link") == 1
    assert "Invite by link" not in page
    log_in(anna).post(f"{address}links/", {"mage": "Annam"})
    assert InviteLink.objects.count() == 1
    page = read(anna, address)
    assert "Know someone who would play?" not in page and "Invite by link" in page
