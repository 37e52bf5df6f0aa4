"""Two machines that share only PostgreSQL and Redis play as one site, lose one of them and get another."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.hosting.document import list_blocks
from tests.hosting.machine import ROOT, find_missing
from tests.hosting.many_machines import EXCEPTIONS, PROGRAMS
from tests.services.plugin import LONG
from tests.services.scratch import make_scratch_folder

pytestmark = pytest.mark.once
MISSING = find_missing(PROGRAMS)
on_machines = pytest.mark.skipif(not LONG or bool(MISSING), reason=f"short count, or missing: {MISSING}")


def test_every_exception_is_a_command_of_the_page():
    lines = [line for block in list_blocks("many-machines") for line in block]
    assert [each for each in EXCEPTIONS if not any(line.startswith(each) for line in lines)] == []


@pytest.fixture(scope="module")
def found():
    folder = make_scratch_folder()
    command = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
    story = (sys.executable, "-m", "tests.hosting.many_machines", str(folder))
    done = subprocess.run((*command, *story), cwd=ROOT, capture_output=True, text=True, timeout=3600)
    shutil.rmtree(folder, ignore_errors=True)
    assert done.returncode == 0, done.stderr[-8000:]
    return json.loads(done.stdout.splitlines()[-1])


@on_machines
def test_a_turn_reaches_the_open_page_and_the_stream_of_the_other_machine(found):
    assert found["turns on both"] == 3
    assert found["page heard"] >= 1 and found["stream heard"] >= 2


@on_machines
def test_an_email_comes_in_on_one_machine_and_its_answer_leaves_by_the_other(found):
    assert found["sent by the other"]


@on_machines
def test_of_two_beats_one_fires(found):
    assert len(found["beats that fire"]) == 1
    assert all(0 < times <= found["may fire"][name] for name, times in found["fired"].items()), found


@on_machines
def test_backups_are_made_on_the_named_machine_past_the_pooler(found):
    assert found["backup elsewhere"] == found["drill without a backup here"] == ""
    assert found["backup"].startswith("firetop-") and "replayed" in found["drill"]
    assert found["pages meanwhile"] == [200] and found["alarms"] == []


@on_machines
def test_a_machine_is_drained_or_lost_and_an_empty_one_takes_its_place(found):
    assert found["seconds to drain"] < 40
    assert found["turns after draining"] == 6 and found["turns after the loss"] == 9
    assert found["seconds until the other beat works"] < 90


@on_machines
def test_no_email_leaves_twice(found):
    assert found["emails"] >= 10 and found["emails sent twice"] == []
