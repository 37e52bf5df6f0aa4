"""What ./run test makes of its arguments, and what a run of tests keeps for the next one."""

import os
from collections import Counter
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.db import connection

from accounts.janitors import JANITORS, READ_ONLY_JANITORS
from tests.runner import FILES_AT_A_TIME, SEVERAL_AT_A_TIME, TESTS, find_browser_tests, share_out
from tests.services import scratch
from tests.services.parts import ON_BOTH, POSTGRES, PURE, STORIES, list_all_files, list_files, read
from tests.services.ready_cluster import describe_models
from tests.services.stories import ByStory


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["ladder"], SEVERAL_AT_A_TIME),
        (["ladder", "-k", "duels", "-x"], SEVERAL_AT_A_TIME),
        (["ladder/test_search.py"], SEVERAL_AT_A_TIME),
        (["journeys"], FILES_AT_A_TIME),
        (["ladder", "ui/test_browser.py"], FILES_AT_A_TIME),
        (["-k", "surrender"], FILES_AT_A_TIME),
        (["ladder", "-n0"], ()),
        (["ladder", "--pdb"], ()),
        (["ladder/test_search.py::test_days"], ()),
    ],
)
def test_tests_of_a_path_use_both_cores_like_the_whole_run(arguments, options):
    paths = {name: str(TESTS / name) for name in arguments if "::" in name or (TESTS / name).exists()}
    assert share_out([paths.get(each, each) for each in arguments]) == options


def test_every_file_is_in_the_short_run_and_few_are_in_two_passes():
    pure = [place for place in list_all_files() if place.startswith(PURE)]
    passes = Counter([*find_browser_tests(), *list_files("outside"), *list_files("inside"), *pure])
    assert set(passes) == set(list_all_files())
    twice = {place for place, count in passes.items() if count > 1}
    both = {place for place in twice if place not in ON_BOTH and not POSTGRES.search(read(place))}
    assert both == {f"site/test_{name}.py" for name in ("crowd", "page_stamps", "storms")}, "journeys among others"


def test_in_the_long_run_one_process_tells_a_story():
    """Its tests share a machine, and each finds it as the one before left it."""
    shared = {place for place in list_all_files() if place.startswith("hosting/") and 'scope="module"' in read(place)}
    assert shared == set(STORIES)
    story, others = "hosting/test_installer.py", ["tests/a.py::test_a[12]", "tests/a.py::test_b"]
    tests = [f"tests/{story}::test_a[12]", f"tests/{story}::test_b", *others]
    assert [ByStory._split_scope(None, test) for test in tests] == [story, story, *others]


def test_tables_are_made_again_when_a_model_changes(monkeypatch):
    before = describe_models()
    assert describe_models() == before
    monkeypatch.setattr(apps.get_model("accounts", "Mage")._meta.get_field("name"), "max_length", 5)
    assert describe_models() != before


def test_tests_run_on_a_copy_of_the_tables_or_on_a_file_and_have_the_groups_of_janitors(db):
    assert {group.name for group in Group.objects.all()} == {JANITORS, READ_ONLY_JANITORS}
    if connection.vendor == "sqlite":
        assert Path(connection.settings_dict["NAME"]).parent == Path(os.environ["FM_DATA_DIR"])
    else:
        assert connection.settings_dict["TEST"].get("TEMPLATE") == os.environ.get("FM_TEST_TEMPLATE")


def test_the_folder_of_a_run_is_removed_by_a_later_one_only_when_its_process_is_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch, "MEMORY", tmp_path)
    monkeypatch.setattr(scratch, "choose_place", lambda: tmp_path)
    monkeypatch.setattr(scratch.tempfile, "gettempdir", lambda: str(tmp_path))
    # A container has processes with numbers of their own.
    monkeypatch.setattr(scratch.os, "getpid", lambda: 2**30)
    made, killed = scratch.make_scratch_folder(), scratch.make_scratch_folder()
    scratch.os.close(scratch.locks.pop())
    for folder in (made, killed):
        scratch.os.utime(folder, (0, 0))
    scratch.sweep_scratch_folders()
    assert made.exists() and not killed.exists()
