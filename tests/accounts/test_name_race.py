"""Several people want one name at the same instant."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from accounts.errors import MageBusy, NameTaken
from accounts.models import Mage, Name, User
from accounts.services.mages import engage_mage, register_mage
from accounts.services.users import create_user
from tests.scenes import NOW

ROUNDS = 10


def at_once(*actions):
    """Run the actions in threads that start together; return what each returned or raised."""
    together = Barrier(len(actions))

    def run(action):
        try:
            together.wait(timeout=10)
            return action()
        except (NameTaken, MageBusy) as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_simultaneous_users_registers_a_mage():
    for number in range(ROUNDS):
        # New users each time: nobody registers this many mages in a day.
        anna, boris = (create_user(name=f"{name}{number}", now=NOW) for name in ("Anna", "Boris"))
        name = f"Froodal{number}"
        results = at_once(
            partial(register_mage, user=anna, name=name, now=NOW),
            partial(register_mage, user=boris, name=name.upper(), now=NOW),
        )
        assert sorted(type(result).__name__ for result in results) == ["Mage", "NameTaken"]
        winner = next(result for result in results if isinstance(result, Mage))
        assert Name.objects.get(key=name.lower()).owner_id == winner.user_id
    assert Mage.objects.count() == ROUNDS


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_user_and_a_mage_who_want_one_name_at_once_do_not_both_get_it():
    for number in range(ROUNDS):
        anna = create_user(name=f"Anna{number}", now=NOW)
        name = f"Bung{number}"
        results = at_once(
            partial(register_mage, user=anna, name=name, now=NOW), partial(create_user, name=name, now=NOW)
        )
        assert sum(isinstance(result, NameTaken) for result in results) == 1
    assert Mage.objects.count() + User.objects.count() - ROUNDS == ROUNDS


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_mage_who_joins_two_things_at_once_is_in_one():
    for number in range(ROUNDS):
        anna = create_user(name=f"Anna{number}", now=NOW)
        mage = register_mage(user=anna, name=f"Mage_{number}", now=NOW)
        results = at_once(
            partial(engage_mage, mage=mage, kind="challenge", number=1),
            partial(engage_mage, mage=mage, kind="challenge", number=2),
        )
        assert sorted(type(result).__name__ for result in results) == ["Engagement", "MageBusy"]
