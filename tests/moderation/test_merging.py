"""Two accounts of one person: merged, and separated again with every row as it was."""

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps

from accounts.errors import NameTaken
from accounts.former_users import make_former_name
from accounts.models import Block, Engagement, Mage, Name, User, UserMerge
from accounts.selectors.hold import read_hold
from accounts.services.mages import register_mage
from accounts.services.ties import block_user
from accounts.services.users import create_user
from email_gateway.compose.notices import compose_notice
from moderation.models import JournalEntry
from moderation.services.merge_users import merge_users, undo_merge
from moderation.services.reports import suspend_user, warn_user
from moderation.services.user_actions import close_account_for_janitor, erase_for_janitor, rename_for_janitor
from notifications.models import Delivery, Notice, Preference
from notifications.selectors.notices import address_for_notices, preferences_of
from notifications.services.preferences import set_preference
from tests.duels.janitors import make_janitor
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


@pytest.fixture
def janitor():
    return make_janitor("Jane")


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
    told = {notice.facts["what"]: notice for notice in Notice.objects.all()}
    assert {what: notice.user for what, notice in told.items()} == {"users_merged": anna, "merged_away": anne}
    for what, words in (
        ("users_merged", "Your other account, Anne, was merged into this one."),
        ("merged_away", "was merged into your other account, Anna,"),
    ):
        mail = " ".join(
            compose_notice(kind="account_changed", facts=told[what].facts, user=told[what].user).text.split()
        )
        assert words in mail and "The janitor Keeper gives this reason: One person." in mail
        assert "If this wasn't you" not in mail
    assert Delivery.objects.get(notice=told["merged_away"]).address == "anne@example.org"


def test_taking_it_back_leaves_every_row_as_it_was(people):
    keeper, anna, anne, _ = people
    before = read_everything()
    merge = merge_users(kept=anna, merged=anne, by=keeper, reason="One person.", now=NOW)
    assert read_everything() != before
    details = {"merge": merge, "by": keeper, "reason": "Two after all.", "now": NOW}
    assert undo_merge(**details) and not undo_merge(**details)
    assert read_everything() == before
    assert UserMerge.objects.get().undone_by == keeper
    assert [notice.facts["what"] for notice in Notice.objects.filter(user=anne)] == ["merged_away", "users_parted"]


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
    assert caught.value.problems == (
        "Keeper has already merged Anne into Anna. Act on Anna, or separate the two first.",
    )


@pytest.mark.parametrize("hold", ["suspension", "warning"])
def test_a_merge_frees_nobody_from_a_suspension_or_warning_and_its_undo_holds_only_them(janitor, people, hold):
    _, anna, anne, _ = people
    if hold == "suspension":
        suspend_user(user=anne, by=janitor, reason="Cheats.", ends_at=None, now=NOW)
    else:
        warn_user(user=anne, by=janitor, text="Mind your words.", now=NOW)
    merge = merge_users(kept=anna, merged=anne, by=janitor, reason="One person.", now=NOW)
    anna.refresh_from_db()
    assert anna.is_held and read_hold(anna, NOW)
    undo_merge(merge=merge, by=janitor, reason="Two after all.", now=NOW)
    assert dict(User.objects.filter(pk__in=[anna.pk, anne.pk]).values_list("username", "is_held")) == {
        "Anna": False,
        "Anne": True,
    }


def test_accounts_merged_one_after_another_are_separated_in_the_opposite_order(people):
    keeper, anna, anne, boris = people
    before = read_everything()
    details = {"by": keeper, "reason": "One person.", "now": NOW}
    first = merge_users(kept=anna, merged=anne, **details)
    second = merge_users(kept=boris, merged=anna, **details)
    between = read_everything()
    with refused("already_merged", match="Act on Boris, or separate the two first."):
        undo_merge(merge=first, **details)
    assert read_everything() == between
    assert undo_merge(merge=second, **details) and undo_merge(merge=first, **details)
    assert read_everything() == before


@pytest.mark.parametrize("end", ["closed", "erased"])
def test_merged_accounts_are_closed_and_erased_with_the_one_that_has_everything(janitor, people, end):
    _, anna, anne, boris = people
    details = {"by": janitor, "reason": "They asked.", "now": NOW}
    Mage.objects.filter(name="Anne").delete()
    first = merge_users(kept=anna, merged=anne, **details)
    merge_users(kept=boris, merged=anna, **details)
    for act in (erase_for_janitor, rename_for_janitor):
        with refused("already_merged"):
            act(user=anna, **details, **({"name": "Zelda"} if act is rename_for_janitor else {}))
    (erase_for_janitor if end == "erased" else close_account_for_janitor)(user=boris, **details)
    persons = User.objects.filter(pk__in=[anna.pk, anne.pk, boris.pk])
    assert [(user.username, user.email, user.is_active) for user in persons] == [
        (make_former_name(user.pk), "", False) for user in persons
    ]
    assert not EmailAddress.objects.filter(user__in=persons).exists()
    for model in (Notice, JournalEntry):
        assert not [row for row in model.objects.all() if {"Anna", "Anne", "Boris"} & set(map(str, row.facts.values()))]
    with refused("already_merged"):
        undo_merge(merge=first, **details)
    with refused("closed"):
        undo_merge(merge=UserMerge.objects.get(kept=boris), **details)
    for name in ("Anna", "Anne", "Boris"):
        if end == "erased":
            create_user(name=name, now=NOW)
        else:
            with pytest.raises(NameTaken):
                create_user(name=name, now=NOW)
