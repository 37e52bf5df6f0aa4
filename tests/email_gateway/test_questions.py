"""The questions in an email when a turn has stopped for answers."""

import pytest

from email_gateway.compose.parts.questions import describe_question
from rules_engine import Option, Question
from tests.email_gateway.world import body

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def fight(world):
    """Start a duel by a ruleset, play its turns, and return the last question mailed to Crom."""

    def play(ruleset, *turns):
        ayla, crom = world.mage("Ayla"), world.mage("Crom")
        battle = world.duel(ayla, crom, ruleset=ruleset)
        for left, right in turns:
            world.order(battle, ayla, left)
            world.order(battle, crom, right)
        asked = [m for m in world.new_mails() if "croms@" in m["To"] and "a question for you" in body(m)]
        return battle, body(asked[-1])

    return play


def test_required_questions_are_asked_with_their_choices_and_left_open(fight):
    battle, text = fight("waving-hands", ("-/-", "F/-"), ("-/-", "F/-"), ("S/W", "F/-"))
    assert "  PARALYZE LH Ayla\n  PARALYZE RH Ayla\n" in text
    assert f"  GAME {battle.number} Crom\n  TURN 3\n  PARALYZE ? Ayla\n  END" in text


def test_optional_questions_are_asked_with_their_defaults(fight):
    battle, text = fight("spellcast", ("S/-", "-/S"), ("D/-", "-/D"))
    assert "Magic Missile at:\n  TARGET RH nobody\n  TARGET RH Ayla\n  TARGET RH Crom\n" in text
    assert "If you don't answer: TARGET RH Ayla" in text
    assert f"  GAME {battle.number} Crom\n  TURN 2\n  TARGET RH Ayla\n  END" in text


def test_the_unchanged_block_is_an_answer(fight, world):
    _, text = fight("spellcast", ("S/-", "-/S"), ("D/-", "-/D"))
    block = text.partition("Reply to this email with your orders:")[2].partition("The battle:")[0]
    answer = world.ask(f"USER Croms three-black-moths\n{block}", sender="croms@example.org")
    assert "Crom's orders for turn 2 are in." in answer


def test_a_long_list_of_answers_has_nobody_and_leaves_nothing_out():
    """FM-ORDMOVE-16: nobody is always a target."""
    values = [*(f"Mage{number}" for number in range(31)), "LH:Ayla", "BH:Crom", "nobody"]
    options = tuple(Option(value, value) for value in values)
    question = Question("TARGET LH", "Ayla", "target", "Stab", options, None, True, None, "FM-ORDMOVE-9")
    lines = describe_question(question).split("\n")
    assert lines[1] == "  TARGET LH nobody"
    assert lines[30] == "  TARGET LH Mage28"
    rest = "TARGET LH Mage29, TARGET LH Mage30, TARGET LH LH:Ayla or TARGET LH BH:Crom"
    assert " ".join(lines[31:]) == f"Also possible: {rest}"
