"""Where the battle page offers to notify its player, and what it says calls them back otherwise."""

import pytest

from accounts.models import User
from accounts.services.users import create_guest, create_guest_mage, create_user
from duels.models import Battle
from notifications.services.preferences import set_preference
from tests.bots import bring_bots
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.django_db
BUTTON = "Notify me when it"


def read_page(fight: Fight, mage: str) -> str:
    return str(log_in(fight.user(mage)).get(f"/battles/{fight.number}/").text)


def test_who_waits_for_others_is_offered_notifications_and_who_owes_orders_is_not() -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.order("Froodal", "S/W")
    assert BUTTON in read_page(fight, "Froodal") and BUTTON not in read_page(fight, "Bung")
    assert BUTTON not in log_in(None).get(f"/battles/{fight.number}/").text
    assert BUTTON not in log_in(make_mage("Crom").user).get(f"/battles/{fight.number}/").text


@pytest.mark.parametrize(
    ("email", "choice", "words"),
    [
        ("", "yes", "hear about your turn: you have no confirmed email address."),
        ("anna@example.org", "yes", "Without notifications, we email you."),
        ("anna@example.org", "digest", "it is in your daily email."),
        ("anna@example.org", "no", "our emails to you are off."),
    ],
)
def test_the_page_promises_only_the_email_that_comes(email: str, choice: str, words: str) -> None:
    anna = create_user(name="Anna", email=email, now=NOW, email_verified=True)
    set_preference(user=anna, key="mail_turns", value=choice)
    fight = start_fight(make_mage("Froodal", anna), make_mage("Bung"))
    fight.order("Froodal", "S/W")
    page = read_page(fight, "Froodal")
    assert words in page and "it makes a sound" not in page


def test_the_page_promises_a_sound_only_if_it_makes_one() -> None:
    froodal = make_mage("Froodal")
    fight = start_fight(froodal, make_mage("Bung"), pace="live3")
    fight.order("Froodal", "S/W")
    assert "it makes a sound" in read_page(fight, "Froodal")
    set_preference(user=froodal.user, key="sound", value="off")
    assert "it makes a sound" not in read_page(fight, "Froodal")


def test_the_first_battle_ends_with_the_offer_and_later_ones_do_not() -> None:
    froodal, guest = make_mage("Froodal"), create_guest_mage(user=create_guest(now=NOW), now=NOW)
    first = start_fight(froodal, guest)
    first.turn("P/P", "S/W")
    assert Battle.objects.get().is_over
    assert BUTTON in read_page(first, "Froodal")
    assert "If you keep this mage, we can email you." in read_page(first, guest.name)
    second = start_fight(froodal, make_mage("Crom"))
    second.turn("P/P", "S/W")
    assert BUTTON not in read_page(second, "Froodal")


def test_after_a_battle_with_a_bot_no_turn_will_come() -> None:
    bring_bots(now=NOW)
    guest = create_guest_mage(user=create_guest(now=NOW), now=NOW)
    fight = start_fight(guest, User.objects.get(bot_strength="Apprentice").mages.earliest("pk"))
    fight.turn("P/P", "S/W")
    assert Battle.objects.get().is_over
    assert BUTTON not in read_page(fight, guest.name)
