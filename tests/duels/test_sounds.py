"""Which sounds the battle page plays, and whether anything moves: the setting, and its default in live battles."""

import re
from typing import Any

import pytest

from notifications.services.preferences import set_preference
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.django_db


def read_sounds(number: int, user: Any) -> tuple[str, bool]:
    page = log_in(user).get(f"/battles/{number}/").text
    found = re.search(r'data-sounds="(\w+)"', page)
    assert found is not None
    return found[1], 'data-motion="no"' in page


@pytest.mark.parametrize(("pace", "sounds"), [("live3", "turn"), ("day", "off"), ("own", "off")])
def test_a_live_battle_calls_its_players_back_and_others_are_silent(pace: str, sounds: str) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), pace=pace)
    assert read_sounds(fight.number, fight.user("Froodal")) == (sounds, False)
    assert read_sounds(fight.number, None) == ("off", False)
    assert read_sounds(fight.number, make_mage("Crom").user) == ("off", False)


@pytest.mark.parametrize("setting", ["off", "turn", "all"])
def test_a_users_own_choice_holds_in_every_battle(setting: str) -> None:
    mages = [make_mage("Froodal"), make_mage("Bung")]
    set_preference(user=mages[0].user, key="sound", value=setting)
    set_preference(user=mages[0].user, key="motion", value="no")
    fight = start_fight(*mages, pace="live3")
    assert read_sounds(fight.number, fight.user("Froodal")) == (setting, True)
    assert read_sounds(fight.number, fight.user("Bung")) == ("turn", False)
