"""SHOW and DESCRIBE by email: anyone may ask, and nobody learns what the battle still hides."""

import pytest

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def battle(world):
    ayla, crom = world.mage("Ayla"), world.mage("Crom")
    battle = world.duel(ayla, crom)
    for left, right in (("S/-", "P/-"), ("D/-", "-/-")):
        world.order(battle, ayla, left)
        world.order(battle, crom, right)
    return battle


def test_show_sends_a_table_to_anyone(world, battle):
    answer = world.ask(f"SHOW {battle.number}\n")
    assert f"Battle {battle.number} between Ayla(Aylas) and Crom(Croms)" in answer
    assert "  2 : D* -  15 MM" in answer


def test_describe_sends_a_story_to_anyone(world, battle):
    answer = world.ask(f"describe {battle.number} ; all of it\n")
    assert "In Round 2:" in answer and "Ayla casts Magic Missile at Crom." in answer


def test_one_line_can_name_several_battles_and_a_repeated_one_is_sent_once(world, battle):
    other = world.duel(world.mage("Ulf"), world.mage("Pip"))
    answer = world.ask(f"SHOW {battle.number}, {other.number}\nSHOW {battle.number}\n")
    assert answer.count(f"Battle {battle.number} between") == 1
    assert f"Battle {other.number} between Ulf(Ulfs) and Pip(Pips)" in answer


def test_a_challenge_shows_its_state(world):
    world.user("Wil")
    assert "Merlyn is registered" in world.ask("USER Wil three-black-moths\nREGISTER Merlyn\n")
    made = world.ask("USER Wil three-black-moths\nNEWGAME Merlyn OPEN\n")
    number = int(made.partition("Challenge ")[2].split()[0])
    for order in ("SHOW", "DESCRIBE"):
        assert f"Melee Challenge Status (challenge {number}):" in world.ask(f"{order} {number}\n")


@pytest.mark.parametrize("line", ["SHOW", "SHOW me", "DESCRIBE 1 2 3 4 5 6", "SHOW 1234567890123"])
def test_a_word_that_is_not_a_number_is_rejected_with_the_usage(world, line):
    answer = world.ask(f"{line}\n")
    assert f"Nearest: {line.split()[0]} <number>" in answer


def test_an_unused_number_is_named(world, battle):
    answer = world.ask(f"SHOW {battle.number} 4711\n")
    assert "There is no battle or challenge 4711." in answer
    assert "Ayla(Aylas)" in answer, "one bad number leaves the others alone"
    assert "Nearest" in world.ask("SHOW 4711 4712")


def test_pending_orders_change_no_byte(world, battle):
    lines = f"SHOW {battle.number}\nDESCRIBE {battle.number}\n"
    before = world.ask(lines)
    ayla = battle.combatants.get(position=0).mage
    world.order(battle, ayla, "LH F\nRH W\nSAY Soon")
    assert world.ask(lines) == before
