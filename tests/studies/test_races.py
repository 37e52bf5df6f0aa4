"""A study that is deleted while something else is done with it: it is gone, and nothing fails or stays behind."""

from functools import partial

import pytest

from studies.errors import StudyNotFound
from studies.models import AnalysedTurn, Analysis, Branch, Collection, Study
from studies.services.analyses import analyse_next_turn, ask_for_study_analysis
from studies.services.begin import copy_study, import_study, set_up_study
from studies.services.collections import add_to_collection, change_collection, delete_collection, make_collection
from studies.services.edit_study import delete_study, remove_branch, set_answers, share_study
from studies.services.grow_tree import order_in_study
from tests.races import at_once
from tests.rules_engine.random_play import new_battle
from tests.rules_engine.warlocks_pages import play_bots, write_page
from tests.scenes import NOW, make_user
from tests.services.plugin import LONG

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TRIES = 60 if LONG else 6


def test_a_study_is_deleted_while_its_tree_grows_and_its_owner_changes_it():
    user = make_user("Pat")
    for seed in range(TRIES):
        study = set_up_study(owner=user, state=new_battle(seed, mages=2), title="", now=NOW)
        set_answers(study=study, user=user, answers=dict.fromkeys(study.answers, "Apprentice"))
        first = study.branches.get()
        mage = next(iter(study.answers))
        order = partial(order_in_study, study=study, branch=first, mage=mage, now=NOW)
        grown = order(text="W/P")
        results = at_once(
            partial(delete_study, study=study, user=user),
            partial(order, text="D/S"),
            partial(order_in_study, study=study, branch=grown, mage=mage, text="W/W", now=NOW),
            partial(remove_branch, study=study, user=user, number=grown.number),
            partial(share_study, study=study, user=user, access="public", title="Mine", now=NOW),
            partial(copy_study, study=study, owner=user, now=NOW),
        )
        errors = [result for result in results if isinstance(result, Exception)]
        assert all(isinstance(error, StudyNotFound) for error in errors), errors
        assert not Study.objects.filter(pk=study.pk).exists()
        assert not Branch.objects.exclude(study__owner=user).exists()
        Study.objects.all().delete()


def test_a_collection_and_a_study_are_deleted_while_the_study_is_added():
    user = make_user("Pat")
    for seed in range(TRIES):
        study = set_up_study(owner=user, state=new_battle(seed, mages=2), title="", now=NOW)
        collection = make_collection(owner=user, name="Mine", now=NOW)
        change = partial(change_collection, collection=collection, user=user, name="Ours", words="", access="public")
        results = at_once(
            partial(add_to_collection, collection=collection, user=user, words="", now=NOW, study=study),
            partial(delete_collection, collection=collection, user=user),
            change,
            partial(delete_study, study=study, user=user),
        )
        errors = [result for result in results if isinstance(result, Exception)]
        assert all(isinstance(error, StudyNotFound) for error in errors), errors
        assert not Study.objects.exists() and not Collection.objects.exists()


def test_a_study_is_deleted_while_bots_analyse_it():
    user = make_user("Pat")
    page = write_page(play_bots("warlocks", "Ayla", "Crom", seed="w2", turns=6))
    for _ in range(TRIES // 2):
        study = import_study(owner=user, text=page, now=NOW)
        ask = partial(ask_for_study_analysis, study=study, user=user, now=NOW)
        ask()
        acts = [partial(analyse_next_turn, now=NOW)] * 2
        results = at_once(*acts, partial(delete_study, study=study, user=user), ask)
        errors = [result for result in results if isinstance(result, Exception)]
        assert all(isinstance(error, StudyNotFound) for error in errors), errors
        assert not Study.objects.exists() and not Analysis.objects.exists() and not AnalysedTurn.objects.exists()
