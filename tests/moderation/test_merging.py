"""Two accounts of one person: merged, and separated again with every row as it was."""

import pytest
from django.apps import apps

from accounts.models import Block, Engagement, Mage, Name, User, UserMerge
from accounts.services.mages import register_mage
from accounts.services.ties import block_user
from accounts.services.users import create_user
from moderation.services.merge_users import merge_users, undo_merge
from notifications.models import Notice, Preference
from notifications.selectors.notices import address_for_notices, preferences_of
from notifications.services.preferences import set_preference
from tests.refusals import refused
from tests.scenes import NOW

pytestmark = pytest.mark.django_db
# The journal keeps its entries after an undo.
# Messages to the clocks are just a log: the clocks check again and find nothing new.
LOGS = {
    "accounts.ClockUpdate",
    "accounts.UserMerge",
    "notifications.Notice",
    "notifications.Delivery",
    "admin.LogEntry",
}


def read_everything():
    return {
        model._meta.label: sorted(map(str, model.objects.values_list()))
        for model in apps.get_models()
        if model._meta.label not in LOGS
    }


@pytest.fixture
def people():
    keeper, anna, anne, boris = (
        create_user(name=name, email=f"{name}@example.org", now=NOW, email_verified=True)
        for name in ("Keeper", "Anna", "Anne", "Boris")
    )
    register_mage(user=anna, name="Froodal", now=NOW)
    register_mage(user=anne, name="Anne", now=NOW)
    register_mage(user=anne, name="Bung", now=NOW)
    set_preference(user=anna, key="mail_turns", value="digest")
    set_preference(user=anne, key="mail_turns", value="no")
    set_preference(user=anne, key="digest_hour", value="20")
    block_user(user=anna, blocked=anne, now=NOW)
    block_user(user=boris, blocked=anne, now=NOW)
    return keeper, anna, anne, boris


def test_mages_names_and_settings_move_and_what_both_have_stays(people):
    """FM-ORDGEN-4."""
    keeper, anna, anne, boris = people
    merge_users(kept=anna, merged=anne, by=keeper, reason="One person.", now=NOW)
    assert set(Mage.objects.filter(user=anna).values_list("name", flat=True)) == {"Froodal", "Anne", "Bung"}
    assert Name.objects.get(key="anne").owner == anna
    wishes = preferences_of(anna)
    assert (wishes["mail_turns"], wishes["digest_hour"]) == ("digest", "20")
    assert Preference.objects.get(user=anne).value == "no"
    assert Block.objects.filter(user=boris, blocked=anna).exists()
    assert not User.objects.get(pk=anne.pk).is_active and address_for_notices(anna) == "anna@example.org"
    assert Notice.objects.get(user=anna).facts == {"what": "users_merged"}


def test_taking_it_back_leaves_every_row_as_it_was(people):
    keeper, anna, anne, _ = people
    before = read_everything()
    merge = merge_users(kept=anna, merged=anne, by=keeper, reason="One person.", now=NOW)
    assert read_everything() != before
    details = {"merge": merge, "by": keeper, "reason": "Two after all.", "now": NOW}
    assert undo_merge(**details) and not undo_merge(**details)
    assert read_everything() == before
    assert UserMerge.objects.get().undone_by == keeper
    assert [notice.facts["what"] for notice in Notice.objects.filter(user=anne)] == ["users_parted"]


def test_undoing_a_merge_keeps_newer_rows_where_they_are(people):
    keeper, anna, anne, _ = people
    merge = merge_users(kept=anna, merged=anne, by=keeper, reason="One person.", now=NOW)
    born = register_mage(user=anna, name="Crom", now=NOW)
    undo_merge(merge=merge, by=keeper, reason="Two after all.", now=NOW)
    assert Mage.objects.get(pk=born.pk).user == anna and Mage.objects.get(name="Bung").user == anne


def test_accounts_that_cannot_be_merged_are_rejected_with_every_reason(people):
    keeper, anna, anne, boris = people
    for mage in Mage.objects.filter(name__in=["Froodal", "Bung"]):
        Engagement.objects.create(mage=mage, kind="battle", number=12)
    User.objects.filter(pk=anne.pk).update(is_staff=True)
    with refused("no_reason") as caught:
        merge_users(kept=anna, merged=anne, by=keeper, reason=" ", now=NOW)
    assert caught.value.problems == ("Enter a reason.", "Anne is a janitor.", "Both have a mage in battle 12.")
    with refused("same_user"):
        merge_users(kept=boris, merged=boris, by=keeper, reason="Odd.", now=NOW)
    assert not UserMerge.objects.exists()


def test_a_janitor_who_merges_what_another_has_just_merged_learns_who_did(people):
    keeper, anna, anne, boris = people
    merge_users(kept=anna, merged=anne, by=keeper, reason="One person.", now=NOW)
    with refused("already_merged") as caught:
        merge_users(kept=boris, merged=anne, by=keeper, reason="One person.", now=NOW)
    assert caught.value.problems == ("Keeper has already merged Anne into Anna.",)
