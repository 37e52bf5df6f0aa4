"""`./run storm` finds nothing on a whole site, and its auditor notices what is wrong with rows, emails and sessions."""

import os
import socket
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks import storm, storm_audit
from benchmarks.storm_disk import Disk, NoDisk
from benchmarks.storm_players import Duel, Player
from benchmarks.storm_wires import Wires
from tests.scenes import log_in


@pytest.mark.journey
@pytest.mark.slow
def test_two_storms_leave_nothing_wrong(capsys):
    assert storm.main(["--count", "2", "--seed", "7"]) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert "2 storms, seed 7, 4 faults" in said
    assert all(f" by {way}" in said for way in ("api", "form", "mail")), said


class Rows:
    """The answers to the auditor's questions; none unless a test gives them."""

    def __init__(self, answers):
        self.answers = answers

    def execute(self, question, values=()):
        self.found = self.answers.get(question, [])
        return self

    def __iter__(self):
        return iter(self.found)

    def fetchall(self):
        return self.found


def make_duel(**more):
    players = [Player("api", "Bung"), Player("mail", "Froodal", email="froodal@example.net", **more)]
    return Duel("http://127.0.0.1", 25, 12, players, 0.5)


GOOD_SHEETS = [("1.0.0", "Bung", "LH F", True), ("1.0.0", "Froodal", "LH P\nEND", True)]
GOOD_TURNS = [(1, 0, True), (2, 0, False)]


@pytest.mark.parametrize(
    ("sheets", "turns", "is_over", "says"),
    [
        (GOOD_SHEETS, GOOD_TURNS, False, None),
        (GOOD_SHEETS[1:], GOOD_TURNS, False, "Bung sent 'LH F' for 1.0.0, stored is None"),
        ([("1.0.0", "Bung", "LH F", False), GOOD_SHEETS[1]], GOOD_TURNS, False, "Bung sent 'LH F'"),
        ([GOOD_SHEETS[0], ("1.0.0", "Froodal", "LH D", True)], GOOD_TURNS, False, "Froodal sent nothing"),
        (GOOD_SHEETS, [(1, 0, True), (1, 1, True), (2, 0, False)], False, "its turns are"),
        (GOOD_SHEETS, [(1, 0, True), (3, 0, False)], False, "its turns are"),
        (GOOD_SHEETS, [(1, 0, False), (2, 0, False)], False, "is open"),
        (GOOD_SHEETS, GOOD_TURNS, True, "is open"),
    ],
)
def test_the_auditor_names_lost_changed_and_repeated_rows(sheets, turns, is_over, says):
    duel = make_duel()
    duel.is_over = is_over
    duel.accepted["1.0.0", "Bung"] = "LH F"
    duel.sent["1.0.0", "Bung"].add("LH F")
    # The answer to these orders was lost with the connection.
    duel.sent["1.0.0", "Froodal"].add("LH P")
    problems = storm_audit.audit_battle(Rows({storm_audit.SHEETS: sheets, storm_audit.TURNS: turns}), duel)
    assert (says in problems[0]) if says else problems == [], problems


def letter(text, date="Mon, 23 Nov 2026 10:00:00 +0000"):
    return f"Message-ID: <a@site>\r\nDate: {date}\r\nSubject: Turn\r\nTo: a@b.c\r\n\r\n{text}\r\n".encode()


@pytest.mark.parametrize(
    ("letters", "answers", "says"),
    [
        ([letter("one")], {storm_audit.SENT: [("<a@site>",)]}, None),
        # The same email twice is allowed, but not with other words.
        ([letter("one"), letter("one", "Mon, 23 Nov 2026 11:00:00 +0000")], {}, None),
        ([letter("one"), letter("two")], {}, "<a@site> has several texts"),
        ([letter("one")], {storm_audit.SENT: [("<b@site>",)]}, "<b@site> was sent but did not arrive"),
        ([], {storm_audit.UNNOTIFIED: [("Bung", 3)]}, "Bung has no notice of turn 3"),
        ([], {storm_audit.UNSENT: [("failed", "refused", 2)]}, "2 deliveries are failed: refused"),
        ([], {storm_audit.UNSEEN: [(1,)]}, "1 notices have no delivery"),
    ],
)
def test_the_auditor_names_notices_that_are_missing_or_contradict_each_other(letters, answers, says):
    inbox = storm_audit.Inbox()
    for raw in letters:
        inbox.note(raw)
    problems = storm_audit.audit_notices(Rows(answers), [make_duel()], inbox)
    assert (says in problems[0]) if says else problems == [], problems


@pytest.mark.parametrize(("stored", "is_fine"), [(1, False), (2, True), (3, True), (4, False)])
def test_the_auditor_counts_the_emails_of_players(stored, is_fine):
    rows = Rows({storm_audit.INBOUND: [("froodal@example.net", stored)]})
    assert (storm_audit.audit_mail(rows, [make_duel(taken=2, sent=3)]) == []) == is_fine


def test_the_auditor_names_emails_that_are_not_processed():
    rows = Rows({storm_audit.UNPROCESSED: [("stuck", "fault 1", 1)]})
    assert storm_audit.audit_mail(rows, []) == ["1 emails are stuck: fault 1"]


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([(1, "duel", 5, 0, 3, 3), (1, "duel", 6, 3, -1, 2), (1, "melee", 7, 0, 4, 4)], None),
        ([(1, "duel", 5, 0, 3, 3), (1, "duel", 6, 2, -1, 1)], "mage 1, battle 6"),
        ([(1, "duel", 5, 0, 3, 2)], "mage 1, battle 5"),
    ],
)
def test_the_auditor_adds_up_scores(entries, says):
    problems = storm_audit.audit_scores(Rows({storm_audit.SCORES: entries}))
    assert (says in problems[0]) if says else problems == [], problems
    assert storm_audit.audit_scores(Rows({storm_audit.UNSCORED: [(9,)]})) == ["battle 9 is not scored as it ended"]


def test_the_auditor_notices_a_browser_that_is_no_longer_logged_in(live_server, db):
    from django.utils import timezone

    from accounts.services.users import create_user

    browser = log_in(create_user(name="Bung", now=timezone.now()))
    player = Player("form", "Bung", session=browser.cookies["sessionid"].value)
    duel = Duel(live_server.url, 25, 12, [player], 0.5)
    assert storm_audit.audit_sessions([duel]) == []
    browser.logout()
    assert storm_audit.audit_sessions([duel]) == ["Bung's session is lost"]


def test_a_cut_wire_passes_nothing_until_it_is_mended(tmp_path):
    with closing(Wires()) as wires, socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "far"))
        server.listen()
        wires.lay("server", tmp_path / "near", tmp_path / "far")
        name = Path("/proc/self/comm").read_text().strip()
        with socket.socket(socket.AF_UNIX) as near:
            near.settimeout(5)
            near.connect(str(tmp_path / "near"))
            far, _ = server.accept()
            with far:
                far.settimeout(0.2)
                near.sendall(b"whole")
                assert far.recv(10) == b"whole"
                wires.cut(name, "server")
                wires.cut("another", "server")
                near.sendall(b"late")
                with pytest.raises(TimeoutError):
                    far.recv(10)
                wires.mend(name, "server", resets=False)
                far.settimeout(5)
                assert far.recv(10) == b"late"
                wires.mend(name, "server", resets=True)
                assert near.recv(10) == b""


@pytest.fixture
def disk(tmp_path):
    try:
        made = Disk(tmp_path / "disk", 64)
    except NoDisk as reason:
        pytest.skip(f"cannot mount an image here: {reason}")
    yield made
    made.close()


def test_a_power_cut_loses_what_was_not_synced_and_nothing_else(disk):
    for name in ("synced", "written"):
        with (disk.folder / name).open("w") as file:
            file.write(name)
            file.flush()
            if name == "synced":
                os.fsync(file.fileno())
    disk.lose_power()
    disk.return_power()
    assert (disk.folder / "synced").read_text() == "synced"
    assert not (disk.folder / "written").exists() or (disk.folder / "written").read_text() == ""


def test_nothing_is_written_to_a_full_disk_until_it_is_cleared(disk):
    disk.fill()
    with pytest.raises(OSError, match="No space left"):
        (disk.folder / "more").write_bytes(bytes(100_000))
    disk.clear()
    (disk.folder / "more").write_bytes(bytes(100_000))
