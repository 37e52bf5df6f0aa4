"""The lines of a mage's sheet in emails: their targets and results."""

import pytest

from duels.models import OrderSheet
from duels.selectors.viewer import get_battle_for_viewer
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD

pytestmark = pytest.mark.once


def begin(duel: MailedDuel, *turns: tuple[str, str]) -> None:
    """Play turns from the website: the orders of Froodal and of Bung."""
    for mine, theirs in turns:
        duel.world.order(duel.battle, duel.froodal, mine)
        duel.world.order(duel.battle, duel.bung, theirs)


def mail(duel: MailedDuel, *lines: str, bung: str = "-/-") -> str:
    """Mail the lines as orders of Froodal, let Bung order, and return the answer."""
    text = "\n".join([f"USER Frode {PASSWORD}", f"GAME {duel.number} Froodal", *lines])
    answer = duel.world.ask(text, sender="frode@example.org")
    if "are in." in answer:
        duel.world.order(duel.battle, duel.bung, bung)
    return answer


def hit_points(duel: MailedDuel) -> dict[str, int]:
    view = get_battle_for_viewer(number=duel.number, user=duel.froodal.user).view
    return {mage.name: mage.hp for mage in view.mages}


def monsters(duel: MailedDuel) -> list[tuple[str, str, str]]:
    """Name, controller and target of each monster."""
    view = get_battle_for_viewer(number=duel.number, user=duel.froodal.user).view
    return [(monster.name, monster.controller, monster.target) for monster in view.monsters]


@pytest.mark.parametrize(
    ("target", "hurt"),
    [((), "Bung"), (("TARGET LH Bung",), "Bung"), (("TARGET LH Froodal",), "Froodal"), (("TARGET LH nobody",), None)],
)
def test_a_spell_hits_its_target_or_the_default_and_mages_may_hurt_themselves(duel, target, hurt):
    """FM-ORDMOVE-9, FM-ORDMOVE-11, FM-ORDMOVE-16, FM-ORDGEN-21."""
    begin(duel, ("S/-", "-/-"))
    mail(duel, "LH D", "RH -", *target)
    assert hit_points(duel) == {name: 14 if name == hurt else 15 for name in ("Froodal", "Bung")}


def test_a_spell_of_both_hands_is_aimed_with_bh(duel: MailedDuel):
    """FM-ORDMOVE-10."""
    begin(duel, ("C/C", "-/-"))
    mail(duel, "LH W", "RH W", "TARGET BH Bung")
    told = duel.world.ask(f"USER Frode {PASSWORD}\nREPLAY {duel.number}")
    assert "You cast Magic Mirror on Bung." in told


def test_a_monster_being_summoned_gets_a_victim_and_another_one_later(duel: MailedDuel):
    """FM-TURN-1, FM-ORDMOVE-14, FM-ORDMOVE-16, FM-ORDMOVE-18."""
    begin(duel, ("S/-", "-/-"), ("F/-", "-/-"))
    mail(duel, "LH W", "RH -", "TARGET LH:Froodal Bung")
    [(goblin, controller, target)] = monsters(duel)
    assert (controller, target, hit_points(duel)["Bung"]) == ("Froodal", "Bung", 14)
    mail(duel, "LH -", "RH -", f"TARGET {goblin} no one")
    assert monsters(duel) == [(goblin, "Froodal", "nobody")] and hit_points(duel)["Bung"] == 14


def test_a_summons_aimed_at_the_opponent_gives_the_monster_away(duel: MailedDuel):
    """FM-ORDMOVE-19."""
    begin(duel, ("S/-", "-/-"), ("F/-", "-/-"))
    mail(duel, "LH W", "RH -", "TARGET LH Bung")
    assert [controller for _, controller, _ in monsters(duel)] == ["Bung"]


def test_a_monster_that_the_opponent_is_summoning_is_charmed_and_directed(duel: MailedDuel):
    """FM-ORDMOVE-20."""
    begin(duel, ("P/-", "-/-"), ("S/-", "S/-"), ("D/-", "F/-"))
    mail(duel, "LH D", "RH -", "CHOOSE LH Charm Monster", "TARGET LH LH:Bung", "TARGET LH:Bung Bung", bung="W/-")
    assert [row[1:] for row in monsters(duel)] == [("Froodal", "Bung")]
    assert hit_points(duel)["Bung"] < 15


def test_directing_a_hand_does_not_choose_its_target(duel: MailedDuel):
    """FM-ORDMOVE-28, and FM-ORDMOVE-23: the gesture that nobody foresaw has its owner asked."""
    begin(duel, ("P/-", "-/-"), ("S/-", "-/-"), ("D/-", "-/-"), ("F/-", "S/-"))
    mail(duel, "LH -", "RH -", "DIRECT LH D Bung", bung="-/-")
    # Bung has lost one to the Magic Missile in the middle of the series of Charm Person.
    assert hit_points(duel) == {"Froodal": 15, "Bung": 14}
    mail(duel, "TARGET LH Bung")
    assert hit_points(duel)["Bung"] == 14, "it is not Froodal who is asked"
    duel.world.order(duel.battle, duel.bung, "TARGET LH Froodal")
    assert hit_points(duel) == {"Froodal": 14, "Bung": 14}


def test_the_choice_may_stand_above_the_gestures(duel: MailedDuel):
    """FM-ORDMOVE-24 wants it below: a sheet has a place for each, so that the order of the lines does not matter."""
    begin(duel, ("S/-", "-/-"), ("P/-", "-/-"), ("F/-", "-/-"))
    assert "are in." in mail(duel, "CHOOSE LH Anti Spell", "LH P", "RH -")
    assert "You cast Anti Spell on Bung." in duel.world.ask(f"USER Frode {PASSWORD}\nREPLAY {duel.number}")


@pytest.mark.parametrize(
    ("line", "reason"), [("DELAY LH", "no power to bank"), ("PERMANENT LH", "no power to make"), ("FIRE", "no banked")]
)
def test_powers_that_a_mage_does_not_hold_are_refused_and_nothing_changes(duel: MailedDuel, line, reason):
    """FM-ORDMOVE-30."""
    answer = mail(duel, "LH P", "RH -", line)
    assert reason in answer and "are unchanged" in answer
    assert not OrderSheet.objects.filter(ready=True).exists()


def test_orders_that_are_in_may_be_replaced(duel: MailedDuel):
    """FM-ORDGEN-22 forbids it. The site lets orders be replaced until the turn is played, unless the terms say no."""
    for gesture in ("W", "S"):
        text = f"USER Frode {PASSWORD}\nGAME {duel.number} Froodal\nLH {gesture}\nRH P"
        assert "You can replace them until the turn resolves." in " ".join(duel.world.ask(text).split())
    assert OrderSheet.objects.get(combatant__mage=duel.froodal).lines == ["LH S", "RH P"]


@pytest.mark.parametrize("pair", ["W/P.", "W / P!", "W, P.", "W & P"])
def test_no_pair_with_a_mark_too_many_is_passed_over_while_clear_empties_the_sheet(duel: MailedDuel, pair):
    answer = mail(duel, "CLEAR", pair)
    assert "Froodal's orders are unchanged." in answer and "Nearest: " in answer


def test_an_order_that_stands_in_a_comment_is_named(duel: MailedDuel):
    """FM-ORDGEN-6."""
    answer = mail(duel, "LH D; RH P")
    assert "LH D; RH P\n > Text after a ; is a comment." in answer and " > Nearest: RH P" in answer
    assert "comment" not in mail(duel, "LH D ; left as before", "RH Q ; right")
