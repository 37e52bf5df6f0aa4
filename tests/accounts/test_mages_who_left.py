"""A mage who left the mountain did not die: on pages, by email, and in what refuses them."""

import pytest

from accounts.services.leave import remove_free_mage
from accounts.services.mages import engage_mage, kill_mage, revive_mage
from email_gateway.commands.people import write_mage_block
from ladder.selectors.scores import describe_mages
from tests.html import flat
from tests.refusals import refused
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("Wanda")


@pytest.fixture
def gandalf(owner):
    mage = make_mage("Gandalf", owner)
    remove_free_mage(mage=mage, now=NOW)
    return mage


def test_they_are_out_of_play_but_not_dead(gandalf):
    assert gandalf.has_left and not gandalf.is_alive
    with refused("left", match="Gandalf has left the mountain"):
        remove_free_mage(mage=gandalf, now=NOW)
    with refused("left", match="Gandalf has left the mountain"):
        engage_mage(mage=gandalf, kind="battle", number=1)


def test_a_mage_who_died_is_dead(owner):
    mage = make_mage("Fallen", owner)
    kill_mage(mage=mage, now=NOW)
    with refused("dead", match="Fallen is dead"):
        remove_free_mage(mage=mage, now=NOW)
    assert revive_mage(mage=mage) and not mage.has_left


def test_pages_list_them_apart_from_the_remembered(client, owner, gandalf):
    fallen = make_mage("Fallen", owner)
    kill_mage(mage=fallen, now=NOW)
    client.force_login(owner)
    own = flat(client.get("/accounts/mages/"))
    assert own.index("Remembered") < own.index("Fallen") < own.index("Left the mountain") < own.index("Gandalf")
    profile = flat(client.get("/users/Wanda/"))
    assert "1 dead" in profile and "1 left the mountain" in profile
    page = client.get("/mages/Gandalf/").content.decode()
    assert "Left the mountain on" in page and "Dead since" not in page
    end = client.get("/mages/Gandalf/end/").content.decode()
    assert "Gandalf has left the mountain" in end and "is dead" not in end
    assert "Fallen is dead" in client.get("/mages/Fallen/end/").content.decode()


def test_info_says_so_by_email(gandalf):
    block = write_mage_block(describe_mages([gandalf])[0])
    assert "has left the mountain" in block and "dead" not in block and "death" not in block


def test_a_challenge_to_them_says_so(client, gandalf):
    mage = make_mage("Froodal")
    client.force_login(mage.user)
    answer = client.post("/challenges/new/", {"mage": "Froodal", "against": "Gandalf"})
    assert answer.status_code == 422 and "is dead" not in answer.content.decode()
