"""Studies in every ruleset and in melees: turns that stop for answers, creatures, two pairs of gestures."""

import pytest

from rules_engine import RULESETS, Sheet, read_state
from rules_engine.bots import choose_orders
from studies.models import Branch, Study
from studies.selectors.starts import read_start
from studies.selectors.trees import get_branch, list_tree, read_path, read_position
from studies.services.begin import begin_study
from studies.services.edit_study import set_answers
from studies.services.grow_tree import play_branch
from tests.duels.fights import start_fight
from tests.scenes import NOW, log_in, make_mage
from tests.services.plugin import LONG

pytestmark = [pytest.mark.django_db, pytest.mark.once]
STAGES = 14
OFFERED = [each.name for each in RULESETS.values() if each.offered and each.family in ("", each.name)]


def begin(*names, **terms):
    """A study of the first turn of a battle that its first mage fights against mages of the same player."""
    first = make_mage(names[0])
    fight = start_fight(first, *(make_mage(name, first.user) for name in names[1:]), **terms)
    start = read_start(number=fight.number, user=first.user)
    return begin_study(owner=first.user, start=start, now=NOW), first.user


def grow(study, stages=STAGES):
    branch = get_branch(study, 0)
    for number in range(stages):
        state = read_state(branch.state)
        if state.over:
            break
        sheets = {
            name: Sheet.from_lines(
                choose_orders(state, mage=name, strength="Apprentice", seed=number, may_surrender=False)
            )
            for name in state.owing
        }
        branch = play_branch(study=study, parent=branch, sheets=sheets, now=NOW)
    return branch


@pytest.mark.parametrize("ruleset", OFFERED)
def test_every_branch_can_be_shown(ruleset):
    study, user = begin("Froodal", "Bung", ruleset=ruleset)
    last = grow(study)
    client = log_in(user)
    for branch in list(Branch.objects.filter(study=study))[:: 1 if LONG else 2]:
        page = client.get(f"/studies/{study.slug}/{branch.number}/")
        assert page.status_code == 200, branch.number
    assert [each.number for each in read_path(last)] == list(range(last.number + 1))
    assert {row.depth for row in list_tree(study, 0)} == {0}


def test_a_melee_is_studied_too():
    study, user = begin("Ayla", "Borin", "Cormac", "Dara")
    last = grow(study, 5)
    client = log_in(user)
    page = client.get(f"/studies/{study.slug}/{last.number}/?mage=Cormac").content.decode()
    assert 'name="mage" value="Cormac"' in page and page.count('<select id="for-') == 4
    assert "Magus" in page and "Archmage" not in page


def test_a_turn_that_stopped_for_answers_stays_one_story():
    """The stages of one turn are shown as one turn, with all their events."""
    study, _ = begin("Froodal", "Bung", ruleset="waving-hands")
    last = grow(study, 30)
    position = read_position(read_path(last))
    seqs = [seq for seq, _ in position.labels]
    assert seqs == sorted(set(seqs))
    count = sum(len(branch.events) for branch in Branch.objects.filter(study=study))
    assert sum(map(len, position.events)) == count


def test_the_same_study_grows_the_same_again():
    study, user = begin("Froodal", "Bung")
    first = grow(study).state
    study.branches.filter(number__gt=0).delete()
    assert grow(study).state == first
    set_answers(study=study, user=user, answers={"Bung": "Magus", "Froodal": "record", "Nobody": "hand"})
    # The battle is running: there is no record to follow yet.
    assert Study.objects.get().answers == {"Froodal": "hand", "Bung": "Magus"}


def test_two_pages_that_set_different_mages_keep_both_answers():
    _study, user = begin("Froodal", "Bung")
    one, other = Study.objects.get(), Study.objects.get()
    set_answers(study=one, user=user, answers={"Bung": "Magus"})
    set_answers(study=other, user=user, answers={"Froodal": "Warder"})
    assert Study.objects.get().answers == other.answers == {"Froodal": "Warder", "Bung": "Magus"}
