"""`./run storm` finds nothing on a whole site, and its auditor notices what is wrong with rows."""

import pytest

from benchmarks import storm
from benchmarks.storm_players import Duel


@pytest.mark.journey
@pytest.mark.slow
def test_two_storms_leave_nothing_wrong(capsys):
    assert storm.main(["--count", "2", "--seed", "7"]) == 0, capsys.readouterr().out
    assert "2 storms, seed 7, 4 faults" in capsys.readouterr().out


class Rows:
    """The answers to the auditor's two questions."""

    def __init__(self, sheets, turns):
        self.answers = {storm.SHEETS: sheets, storm.TURNS: turns}

    def execute(self, question, values):
        self.found = self.answers[question]
        return self

    def __iter__(self):
        return iter(self.found)

    def fetchall(self):
        return self.found


GOOD_SHEETS = [("1.0.0", "Bung", "LH F", True), ("1.0.0", "Froodal", "LH P", True)]
GOOD_TURNS = [(1, 0, True), (2, 0, False)]


@pytest.mark.parametrize(
    ("sheets", "turns", "says"),
    [
        (GOOD_SHEETS, GOOD_TURNS, None),
        (GOOD_SHEETS[1:], GOOD_TURNS, "Bung sent 'LH F' for 1.0.0, stored is None"),
        ([("1.0.0", "Bung", "LH F", False), GOOD_SHEETS[1]], GOOD_TURNS, "Bung sent 'LH F'"),
        ([GOOD_SHEETS[0], ("1.0.0", "Froodal", "LH D", True)], GOOD_TURNS, "Froodal sent nothing"),
        (GOOD_SHEETS, [(1, 0, True), (1, 1, True), (2, 0, False)], "its turns are"),
        (GOOD_SHEETS, [(1, 0, True), (3, 0, False)], "its turns are"),
        (GOOD_SHEETS, [(1, 0, False), (2, 0, False)], "is open"),
    ],
)
def test_the_auditor_names_lost_changed_and_repeated_rows(sheets, turns, says):
    duel = Duel("http://127.0.0.1", 12, {}, 0.5)
    duel.accepted["1.0.0", "Bung"] = "LH F"
    duel.sent["1.0.0", "Bung"].add("LH F")
    # The answer to these orders was lost with the connection.
    duel.sent["1.0.0", "Froodal"].add("LH P")
    problems = storm.audit(Rows(sheets, turns), duel)
    assert (says in problems[0]) if says else problems == [], problems
