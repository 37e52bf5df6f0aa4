"""New names, mages who retire or leave, and users who leave."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress

from accounts.errors import MageBusy, NameTaken, StillHasMages
from accounts.models import User
from accounts.selectors.names import find_renamed_user, find_user
from accounts.services.leave import close_user, remove_free_mage, retire_free_mage
from accounts.services.mages import engage_mage, register_mage
from accounts.services.mail_passwords import set_mail_password
from accounts.services.rename import rename_user
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from notifications.models import Notice
from notifications.selectors.notices import address_for_notices
from tests.accounts.tokens import get_user_for_token
from tests.refusals import refused
from tests.scenes import NOW

pytestmark = pytest.mark.django_db
MONTH = timedelta(days=30)


def test_a_new_name_keeps_everything_and_gives_the_old_one_to_nobody(anna):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    assert rename_user(user=anna, name="osse", now=NOW) == "Osse"
    assert find_user("OSSE") == anna and find_user("Anna") is None
    mage.refresh_from_db()
    assert mage.user == anna and address_for_notices(anna) == "anna@example.org"
    with pytest.raises(NameTaken):
        create_user(name="anna", now=NOW)


@pytest.mark.parametrize("name", ["Osse2", "Anna", "OSSE"])
def test_a_new_name_or_an_old_one_is_possible_after_a_month(anna, name):
    rename_user(user=anna, name="Osse", now=NOW)
    with refused("renamed_lately"):
        rename_user(user=anna, name=name, now=NOW + MONTH - timedelta(seconds=1))
    assert find_user("Osse") == anna and find_user("Osse").username == "Osse"
    assert rename_user(user=anna, name=name, now=NOW + MONTH) == name
    with refused("renamed_lately"):
        rename_user(user=anna, name="Osse", now=NOW + MONTH + timedelta(days=1))


@pytest.mark.parametrize("name", ["Boris", "boris", "Bung"])
def test_other_peoples_names_cannot_be_taken(anna, name):
    boris = create_user(name="Boris", now=NOW)
    register_mage(user=boris, name="Bung", now=NOW)
    with pytest.raises(NameTaken):
        rename_user(user=anna, name=name, now=NOW)
    anna.refresh_from_db()
    assert anna.username == "Anna"


def test_janitors_are_notified_of_a_new_name_once(anna):
    janitor = create_user(name="Terje", now=NOW)
    User.objects.filter(pk=janitor.pk).update(is_staff=True)
    for hours in range(3):  # the form is sent again
        rename_user(user=anna, name="osse", now=NOW + timedelta(hours=hours))
    assert Notice.objects.get().user == janitor


def test_the_old_names_of_a_user_lead_to_them_until_they_leave(anna):
    rename_user(user=anna, name="Osse", now=NOW)
    assert find_renamed_user("aNNA") == anna and find_renamed_user("Osse") is None
    close_user(user=anna, now=NOW)
    assert find_renamed_user("Anna") is None and find_renamed_user("Osse") is None


@pytest.mark.parametrize("leave", [retire_free_mage, remove_free_mage])
def test_a_mage_in_something_stays_in_it(anna, leave):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    engage_mage(mage=mage, kind="battle", number=7)
    with pytest.raises(MageBusy):
        leave(mage=mage, now=NOW)
    mage.refresh_from_db()
    assert mage.is_alive and not mage.is_retired


def test_a_mage_that_has_left_joins_nothing_again(anna):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    remove_free_mage(mage=mage, now=NOW)
    for again in (retire_free_mage, remove_free_mage):
        with refused("left"):
            again(mage=mage, now=NOW)
    with refused("left"):
        engage_mage(mage=mage, kind="battle", number=7)


def test_a_user_can_leave_without_mages_and_their_address_is_free(anna):
    set_mail_password(user=anna, raw="three-black-moths", now=NOW)
    _, token = issue_api_token(user=anna, name="mine", now=NOW)
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    with pytest.raises(StillHasMages):
        close_user(user=anna, now=NOW)
    remove_free_mage(mage=mage, now=NOW)
    close_user(user=anna, now=NOW)
    anna.refresh_from_db()
    assert not anna.is_active and not anna.mail_password and not anna.has_usable_password()
    assert get_user_for_token(text=token, now=NOW) is None and not EmailAddress.objects.exists()
    again = create_user(name="Anna2", email="anna@example.org", email_verified=True, now=NOW)
    assert address_for_notices(again) == "anna@example.org"
    with pytest.raises(NameTaken):
        create_user(name="Anna", now=NOW)
