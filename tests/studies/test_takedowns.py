"""Janitors take down texts in a shared study or collection; that is in the journal and can be undone."""

import pytest
from django.test import Client
from django.utils.translation import override

from challenges.services.retire_mages import leave_site
from moderation.models import JournalEntry
from moderation.services.user_actions import take_down
from moderation.services.user_journal import list_undoable_entries, undo_user_entry
from studies.models import Collection, Study
from studies.selectors.starts import read_start
from studies.services.begin import begin_study
from studies.services.collections import add_to_collection, change_collection, make_collection
from studies.services.edit_study import name_branch, share_study
from tests.duels.janitors import make_janitor
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_user
from tests.studies.fights import fight_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WHY = "Abuse in the title."


@pytest.fixture
def study(pat):
    ended = fight_to_the_end()
    made = begin_study(owner=pat, start=read_start(number=ended.number, user=pat, seq=3), now=NOW)
    share_study(study=made, user=pat, access="public", title="Bad words", now=NOW)
    name_branch(study=made, user=pat, number=0, name="Worse words", comment="The worst words")
    return Study.objects.get()


@pytest.fixture
def collection(pat, study):
    made = make_collection(owner=pat, name="Bad words", now=NOW)
    add_to_collection(collection=made, user=pat, words="Worse words", now=NOW, study=study)
    change_collection(collection=made, user=pat, name="Bad words", words="The worst words", access="public")
    return made


def test_the_texts_of_a_study_are_taken_down_and_restored(pat, study):
    jane = make_janitor("Jane")
    page = f"/studies/{study.slug}/"
    assert "worst words" in Client().get(page).content.decode()
    entry = take_down(user=pat, slug=study.slug, by=jane, reason=WHY, now=NOW)
    assert Client().get(page).status_code == 404
    owner = log_in(pat)
    shown = owner.get(page).content.decode()
    assert "words" not in shown.lower().replace("few words", "") or "worst words" not in shown.lower()
    assert entry.kind == JournalEntry.Kind.TAKEN_DOWN and pat.notices.filter(kind="user_act").exists()
    undo_user_entry(entry=entry, by=jane, reason="A mistake.", now=NOW)
    study.refresh_from_db()
    assert (study.title, study.access, study.branches.get().comment) == ("Bad words", "public", "The worst words")


def test_the_texts_of_a_collection_are_taken_down_and_restored(pat, study, collection):
    jane = make_janitor("Jane")
    with override("de"):  # the janitor's language
        entry = take_down(user=pat, slug=collection.slug, by=jane, reason=WHY, now=NOW)
    assert Client().get(f"/collections/{collection.slug}/").status_code == 404
    kept = Collection.objects.get()
    assert (kept.name, kept.words, kept.access) == ("(taken down)", "", "private") and not kept.entries.get().words
    # The study has words of its own.
    second = take_down(user=pat, slug=study.slug, by=jane, reason=WHY, now=NOW)
    assert list_undoable_entries(user=pat, entries=[entry, second], now=NOW) == [entry, second]
    undo_user_entry(entry=entry, by=jane, reason="A mistake.", now=NOW)
    kept.refresh_from_db()
    assert (kept.name, kept.words, kept.access, kept.entries.get().words) == (
        "Bad words",
        "The worst words",
        "public",
        "Worse words",
    )


def test_the_texts_that_a_closed_account_has_left_can_still_be_taken_down(pat, collection):
    leave_site(user=pat, now=NOW)
    page = f"/collections/{collection.slug}/"
    assert "worst words" in Client().get(page).text
    desk, account = log_in(make_janitor("Jane")), f"/admin/accounts/user/{pat.pk}"
    assert "/act/take-down/" in desk.get(f"{account}/change/").text
    done = desk.post(f"{account}/act/take-down/", {"address": page, "reason": WHY}, follow=True)
    assert "The text is taken down." in done.text and "is notified" not in done.text
    assert Client().get(page).status_code == 404


def test_it_cannot_be_undone_once_its_owner_has_changed_it(pat, study):
    jane = make_janitor("Jane")
    entry = take_down(user=pat, slug=study.slug, by=jane, reason=WHY, now=NOW)
    share_study(study=Study.objects.get(), user=pat, access="private", title="Better words", now=NOW)
    with refused("changed_since", match="its owner has changed it since"):
        undo_user_entry(entry=entry, by=jane, reason="A mistake.", now=NOW)
    assert Study.objects.get().title == "Better words"


def test_only_janitors_who_act_take_down_only_what_is_shared_and_only_with_a_reason(pat, study):
    jane, rita = make_janitor("Jane"), make_janitor("Rita", reads_only=True)
    for code, by, slug, user, why in (
        ("no_permission", rita, study.slug, pat, WHY),
        ("no_permission", pat, study.slug, pat, WHY),
        ("no_permission", make_user("Sam"), study.slug, pat, WHY),
        ("no_reason_for_user", jane, study.slug, pat, "  "),
        ("shares_nothing", jane, "nothing", pat, WHY),
        ("shares_nothing", jane, study.slug, make_user("Tom"), WHY),
    ):
        with refused(code):
            take_down(user=user, slug=slug, by=by, reason=why, now=NOW)
    share_study(study=study, user=pat, access="private", title="Bad words", now=NOW)
    with refused("shares_nothing"):
        take_down(user=pat, slug=study.slug, by=jane, reason=WHY, now=NOW)
    assert Study.objects.get().title == "Bad words" and not JournalEntry.objects.exists()
