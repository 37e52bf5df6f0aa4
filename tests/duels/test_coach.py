"""The coach of the first duel: the nearest danger and what stops it, or else what is left to do."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from challenges.services.play_now import FIRST_TERMS, VISITOR
from duels.board.coach import make_coach
from duels.models import Battle
from notifications.selectors.notices import preferences_of
from studies.selectors.positions import begin_position, see_position
from tests.bots import bring_bots
from tests.challenges.test_play_bot import answer
from tests.html import flat
from tests.scenes import log_in
from tests.site.test_front_duel import ORDERS
from tests.ui.rendering import words

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WARNING = "Pipkin needs one more digit D for Magic Missile . A Shield P stops it."


@pytest.fixture
def bots(db):
    bring_bots(now=timezone.now())


def read(client, address):
    return flat(client.get(address).content.decode())


def begin():
    """A guest's first duel after the front page's turn, on their battle's page."""
    client = Client()
    address = client.post("/stage/", ORDERS)["Location"]
    answer(timezone.now())
    return client, address


def test_the_front_page_names_the_missile_that_comes_and_the_shield_that_stops_it(bots):
    page = read(Client(), "/")
    assert WARNING in words(page)
    assert '<a href="/learn/shield/">Shield</a>' in page and "Close the coach" not in page


def test_the_coach_goes_on_in_the_battle_and_can_be_closed_for_good(bots):
    client, address = begin()
    page = read(client, address)
    assert 'class="coach"' in page and "Close the coach" in page
    assert client.post(f"{address}coach/")["Location"] == address
    assert 'class="coach"' not in read(client, address)
    assert preferences_of(User.objects.get(is_guest=True))["coach"] == "no"


def test_without_a_danger_it_says_what_is_left_to_do():
    position = begin_position(VISITOR, "Pipkin", bot="Pipkin", hit_points=FIRST_TERMS.hit_points)
    coach = make_coach(see_position(position, mage=VISITOR, terms=FIRST_TERMS))
    assert words(coach.line) == "Pipkin has 8. Magic Missile S D takes 1, Cause Light Wounds W F P takes 2."
    assert '<a href="/learn/first-spell/">' in coach.line
    assert make_coach(see_position(position, mage=VISITOR)) is None


def test_a_stab_or_a_creature_is_no_danger_to_see_coming():
    position = begin_position(VISITOR, "Pipkin", bot="Pipkin", hit_points=(1, 8))
    coach = make_coach(see_position(position, mage=VISITOR, terms=FIRST_TERMS))
    assert "takes 1" in coach.line


def test_nobody_is_coached_in_a_later_duel(bots):
    client, address = begin()
    guest = User.objects.get(is_guest=True)
    form = {"stage": "5.0.0", "mage": guest.username, "LH": "P", "RH": "P", "act": "ready", "confirmed": "yes"}
    client.post(address, form)
    answer(timezone.now())
    assert Battle.objects.get().is_over
    again = client.post("/stage/", ORDERS)["Location"]
    answer(timezone.now())
    assert again != address and 'class="coach"' not in read(client, again)
    assert 'class="coach"' not in read(log_in(None), again)
