"""Users, guests and mages are created, die, and keep their names."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import IntegrityError, transaction

from accounts.errors import InvalidName, NameTaken, NoSuchMage
from accounts.models import Mage, Name, User
from accounts.selectors.names import find_mage, find_user, get_mage_for_user
from accounts.selectors.users import free_mages_of, list_gone_mages_of, list_mages_of
from accounts.services.mages import engage_mage, kill_mage, register_mage, touch_activity
from accounts.services.users import create_guest, create_user
from notifications.selectors.notices import address_for_notices
from tests.accounts.conftest import PASSWORD
from tests.refusals import refused
from tests.scenes import NOW


def test_a_new_user_is_found_by_name_in_any_case(anna):
    assert find_user(" aNNA ") == anna
    assert find_user("annabel") is None


def test_a_password_given_at_the_start_is_kept_as_a_hash(db):
    user = create_user(name="Carla", password=PASSWORD, now=NOW)
    assert user.check_password(PASSWORD) and PASSWORD not in user.password


def test_a_user_without_password_cannot_log_in_by_one(boris):
    assert not boris.has_usable_password()


def test_an_address_counts_only_when_it_is_verified(anna, boris):
    assert address_for_notices(anna) == "anna@example.org"
    assert address_for_notices(boris) is None
    assert EmailAddress.objects.get(user=boris).primary


def test_a_rejected_sign_up_leaves_no_row(db):
    with pytest.raises(InvalidName):
        create_user(name="LH", email="x@example.org", now=NOW)
    assert (User.objects.count(), Name.objects.count(), EmailAddress.objects.count()) == (0, 0, 0)


def test_a_guest_has_a_unique_name_and_neither_address_nor_password(db):
    first, second = create_guest(now=NOW), create_guest(now=NOW)
    assert first.username != second.username
    assert first.username.startswith("Guest_") and first.is_guest
    assert first.email == "" and not first.has_usable_password()
    assert Name.objects.get(key=first.username.lower()).owner == first


def test_a_guest_can_have_a_mage(db):
    guest = create_guest(now=NOW)
    assert register_mage(user=guest, name="Passerby", now=NOW).user == guest


def test_the_database_itself_rejects_the_same_name_in_another_case(anna):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="ANNA")
    with pytest.raises(IntegrityError), transaction.atomic():
        Name.objects.create(key="anna", written="anna", kind="mage", owner=anna)
    Mage.objects.create(user=anna, name="Froodal")
    with pytest.raises(IntegrityError), transaction.atomic():
        Mage.objects.create(user=anna, name="FROODAL")


@pytest.mark.parametrize(("key", "written"), [("froodal", "Bung"), ("two words", "two words"), ("x", "x")])
def test_the_database_itself_rejects_a_malformed_name(anna, key, written):
    with pytest.raises(IntegrityError), transaction.atomic():
        Name.objects.create(key=key, written=written, kind="mage", owner=anna)


def test_the_name_of_a_dead_mage_goes_to_nobody(anna, boris):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    assert kill_mage(mage=mage, now=NOW)
    for user in (anna, boris):
        with pytest.raises(NameTaken):
            register_mage(user=user, name="froodal", now=NOW)


def test_a_mage_dies_once(anna):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    assert kill_mage(mage=mage, now=NOW)
    assert not kill_mage(mage=mage, now=NOW + timedelta(days=1))
    assert mage.died_at == NOW and not mage.is_alive


def test_my_mages_are_the_living_and_the_dead_are_listed_separately(anna, boris):
    alive = register_mage(user=anna, name="Zed", now=NOW)
    busy = register_mage(user=anna, name="abel", now=NOW)
    dead = register_mage(user=anna, name="Cain", now=NOW)
    register_mage(user=boris, name="Stranger", now=NOW)
    kill_mage(mage=dead, now=NOW)
    engage_mage(mage=busy, kind="battle", number=4)
    assert list(list_mages_of(anna)) == [busy, alive]
    assert list(list_gone_mages_of(anna)) == [dead]
    assert list(free_mages_of(anna)) == [alive]
    assert [mage.busy_with and mage.busy_with.number for mage in list_mages_of(anna)] == [4, None]


def test_a_mage_of_mine_is_found_and_others_are_rejected_with_my_nearest(anna, boris):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    register_mage(user=boris, name="Frooda", now=NOW)
    assert get_mage_for_user(user=anna, name="FROODAL") == mage
    with refused("not_your_mage") as not_mine:
        get_mage_for_user(user=anna, name="frooda")
    assert isinstance(not_mine.value, NoSuchMage) and not_mine.value.nearest == "Froodal"
    with refused("no_such_mage") as unknown:
        get_mage_for_user(user=anna, name="Frodal")
    assert "Did you mean Froodal?" in str(unknown.value)
    assert find_mage("nobody_here") is None


def test_activity_is_noted_and_never_moves_back(anna):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    later = NOW + timedelta(hours=3)
    touch_activity(user=anna, mage=mage, now=later)
    touch_activity(user=anna, mage=mage, now=NOW)
    anna.refresh_from_db()
    mage.refresh_from_db()
    assert (anna.last_active_at, mage.last_active_at) == (later, later)


def test_the_first_janitor_created_on_the_command_line_owns_their_name(db, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", interactive=False, username="Martin", email="martin@example.org", verbosity=0)
    janitor = find_user("martin")
    assert janitor.is_superuser and janitor.check_password(PASSWORD)
    with pytest.raises(NameTaken):
        create_user(name="Martin", now=NOW)
