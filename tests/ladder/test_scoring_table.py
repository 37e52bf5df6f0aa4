"""Every way a round can end a battle, for a duel and melees of three to six: firetop-server 5.2, with its numbers.

Clauses FM-WIN-4, FM-WIN-8, FM-WIN-9, FM-SURR-6, FM-SURR-7, FM-ORDINF-2, FM-ORDINF-3.
"""

import pytest

from accounts.services.mages import register_mage
from accounts.services.users import create_user
from ladder.models import ScoreEntry
from ladder.selectors.ratings import list_remembered
from ladder.services.apply_results import BattleResult, apply_penalty, apply_result
from tests.ladder.scores import score_of
from tests.scenes import NOW

# The scores before: the last mage has nothing to lose.
BEFORE = (3, 3, 3, 3, 3, 0)

# (what happened, players, winners, dead, who pays for a surrender, scores afterwards; None for the dead)
ENDS = [
    ("nobody is left", 2, [], [0, 1], [], [None, None]),
    ("nobody is left", 3, [], [0, 1, 2], [], [None] * 3),
    ("nobody is left", 4, [], [0, 1, 2, 3], [], [None] * 4),
    ("nobody is left", 5, [], [0, 1, 2, 3, 4], [], [None] * 5),
    ("nobody is left", 6, [], [0, 1, 2, 3, 4, 5], [], [None] * 6),
    ("the only one left surrenders as the last enemy dies", 2, [], [1], [], [3, None]),
    ("the only one left surrenders as the last enemy dies", 3, [], [1, 2], [], [3, None, None]),
    ("the only one left surrenders as the last enemy dies", 4, [], [1, 2, 3], [], [3, None, None, None]),
    ("the only one left surrenders as the last enemy dies", 5, [], [1, 2, 3, 4], [], [3] + [None] * 4),
    ("the only one left surrenders as the last enemy dies", 6, [], [1, 2, 3, 4, 5], [], [3] + [None] * 5),
    ("one has killed the others", 2, [0], [1], [], [4, None]),
    ("one has killed the others", 3, [0], [1, 2], [], [5, None, None]),
    ("one has killed the others", 4, [0], [1, 2, 3], [], [6, None, None, None]),
    ("one has killed the others", 5, [0], [1, 2, 3, 4], [], [7] + [None] * 4),
    ("one has killed the others", 6, [0], [1, 2, 3, 4, 5], [], [8] + [None] * 5),
    ("both surrender", 2, [], [], [], [3, 3]),
    ("all surrender at once", 3, [0, 1, 2], [], [], [3, 3, 3]),
    ("all surrender at once", 6, [0, 1, 2, 3, 4, 5], [], [], [3, 3, 3, 3, 3, 0]),
    ("the last two surrender", 3, [0, 1], [2], [], [3, 3, None]),
    ("the last two surrender", 4, [0, 1], [2, 3], [], [4, 4, None, None]),
    ("the last two surrender", 5, [0, 1], [2, 3, 4], [], [4, 4, None, None, None]),
    ("the last two surrender", 6, [0, 1], [2, 3, 4, 5], [], [5, 5] + [None] * 4),
    ("the last three surrender", 4, [0, 1, 2], [3], [], [3, 3, 3, None]),
    ("the last three surrender", 5, [0, 1, 2], [3, 4], [], [3, 3, 3, None, None]),
    ("the last three surrender", 6, [0, 1, 2], [3, 4, 5], [], [4, 4, 4, None, None, None]),
    ("all others surrender to one", 2, [0], [], [1], [4, 2]),
    ("all others surrender to one", 3, [0], [], [1, 2], [5, 2, 2]),
    ("all others surrender to one", 4, [0], [], [1, 2, 3], [6, 2, 2, 2]),
    ("all others surrender to one", 5, [0], [], [1, 2, 3, 4], [7, 2, 2, 2, 2]),
    ("all others surrender to one", 6, [0], [], [1, 2, 3, 4, 5], [8, 2, 2, 2, 2, 0]),
    ("one surrenders while the battle goes on, and one is killed", 3, [0], [2], [1], [5, 2, None]),
    ("two forfeit and one surrenders", 4, [0], [1, 2], [3], [6, None, None, 2]),
    ("one who had surrendered dies all the same", 3, [0], [1, 2], [1], [5, None, None]),
    ("both are late", 2, [], [0, 1], [], [None, None]),
]


@pytest.fixture
def six(db):
    mages = []
    for name, score in zip(("Anselm", "Brid", "Cuno", "Dorn", "Edda", "Falk"), BEFORE, strict=True):
        mage = register_mage(user=create_user(name=f"{name}_user", now=NOW), name=name, now=NOW)
        mages.append(mage)
        for kind in ("duel", "melee"):
            ScoreEntry.objects.create(
                mage=mage, kind=kind, battle=1, due=score, before=0, change=score, after=score, reason="won"
            )
    return mages


@pytest.mark.parametrize(("story", "players", "winners", "dead", "paying", "afterwards"), ENDS)
def test_the_last_round_of_a_battle_gives_these_points(six, story, players, winners, dead, paying, afterwards):
    mages, kind = six[:players], "duel" if players == 2 else "melee"
    other = "melee" if kind == "duel" else "duel"
    for number in paying:
        apply_penalty(mage=mages[number], kind=kind, battle=2, now=NOW)
    apply_result(
        battle=2,
        kind=kind,
        practice=False,
        result=BattleResult(mages, [mages[number] for number in winners], [mages[number] for number in dead]),
        now=NOW,
    )
    for mage in six:
        mage.refresh_from_db()
    found = [score_of(mage, kind) if mage.is_alive else None for mage in mages]
    assert found == afterwards, story
    assert [score_of(mage, other) for mage in six] == list(BEFORE), "the other score is another score"
    remembered = {row.mage: row.score for row in list_remembered(kind)}
    assert remembered == {mages[number]: BEFORE[number] - (number in paying) for number in dead}


def test_a_surrender_that_does_not_end_the_battle_costs_its_point_at_once(six):
    apply_penalty(mage=six[0], kind="melee", battle=2, now=NOW)
    apply_penalty(mage=six[5], kind="melee", battle=2, now=NOW)
    assert (score_of(six[0], "melee"), score_of(six[5], "melee")) == (2, 0)


def test_the_ten_best_dead_are_remembered_and_all_if_asked(six):
    for number, mage in enumerate(six[1:5], start=2):
        result = BattleResult([six[0], mage], winners=[six[0]], dead=[mage])
        apply_result(battle=number, kind="duel", practice=False, result=result, now=NOW)
    assert [row.mage.name for row in list_remembered("duel")] == ["Brid", "Cuno", "Dorn", "Edda"]
    assert [row.mage.name for row in list_remembered("duel", most=2)] == ["Brid", "Cuno"]
    assert list_remembered("duel", most=None).count() == 4 and not list_remembered("melee").exists()
